//! Training: one step at a time on any graph, or all epochs on one.
//! Paper: "the weights are trained by gradient descent on the labelled nodes"; inside Algorithm 1 the graph changes between steps.
//! Differs: nothing; the optimiser is Adam as in the authors' code, and its state goes on when the graph changes.

use super::{Dropout, Error, Field, Input, Network, Operator, Params, Pass, Tape, Targets, Weights};
use crate::Checked;
use crate::graph::Graph;
use crate::kernels::{Adam, Matrix, adam_step};
use crate::rng::Stream;
use std::ops::ControlFlow;

/// A graph as a network sees it, with the rows that its training needs.
#[derive(Clone, Debug)]
pub struct Prepared<O> {
    operator: O,
    field: Field,
}

impl<O: Operator> Prepared<O> {
    /// The graph.
    pub fn operator(&self) -> &O {
        &self.operator
    }
}

/// A network in training: weights, optimiser state and reused memory.
#[derive(Clone, Debug)]
pub struct Trainer<'a, N: Network> {
    network: N,
    params: Checked<Params>,
    x: &'a Input,
    targets: Targets,
    masks: Stream,
    weights: Weights,
    d_weights: Weights,
    moments: [Weights; 2],
    steps: usize,
    all: Field,
    tape: Tape<N::Kept>,
    predictions: Matrix,
}

/// Where training starts: the first weights, and the stream of the dropout masks.
#[derive(Clone, Debug)]
pub struct Start {
    /// Usually [`Weights::glorot`].
    pub weights: Weights,
    /// Usually `seed.at(For::Train, …)`.
    pub masks: Stream,
}

impl<'a, N: Network> Trainer<'a, N> {
    /// Training of `network` on these features and labels.
    pub fn new(network: N, params: &Checked<Params>, (x, targets): (&'a Input, Targets), start: Start) -> Self {
        let zeros = Weights::zeros(network.shapes());
        Self {
            all: Field::all(x.nodes(), network.hops()),
            network,
            params: params.clone(),
            x,
            targets,
            masks: start.masks,
            weights: start.weights,
            d_weights: zeros.clone(),
            moments: [zeros.clone(), zeros],
            steps: 0,
            tape: Tape::default(),
            predictions: Matrix::default(),
        }
    }

    /// What training needs of a graph; it must have as many nodes as the features have rows.
    pub fn prepare(&self, graph: &Graph) -> Result<Prepared<N::Operator>, Error> {
        let mut prepared = Prepared { operator: N::Operator::default(), field: Field::default() };
        self.assign(&mut prepared, graph)?;
        Ok(prepared)
    }

    /// Prepares another graph in the same memory.
    pub fn assign(&self, prepared: &mut Prepared<N::Operator>, graph: &Graph) -> Result<(), Error> {
        if graph.nodes() != self.x.nodes() {
            return Err(Error::Data(format!(
                "the graph has {} nodes, but there are features for {}; every node needs its row",
                graph.nodes(),
                self.x.nodes()
            )));
        }
        prepared.operator.assign(graph);
        prepared.field.assign(prepared.operator.pattern(), self.targets.nodes(), self.network.hops());
        Ok(())
    }

    /// One step of Adam; returns the mean loss before it, without the L2 penalty.
    pub fn step(&mut self, on: &Prepared<N::Operator>) -> Result<f64, Error> {
        let loss = self.accumulate(on);
        if !loss.is_finite() {
            let (params, network) = (&self.params, self.network.name());
            return Err(Error::NotFinite {
                epoch: self.steps,
                network,
                loss,
                learning_rate: params.learning_rate,
                weight_decay: params.weight_decay,
                dropout: params.dropout,
            });
        }
        self.steps += 1;
        let [m, v] = &mut self.moments;
        for (i, w) in self.weights.tensors.iter_mut().enumerate() {
            let decay = if w.shape.decay { self.params.weight_decay as f32 } else { 0.0 };
            let how = Adam { rate: self.params.learning_rate as f32, decay, step: self.steps as u32 };
            let (g, m, v) = (&mut self.d_weights.tensors[i], &mut m.tensors[i], &mut v.tensors[i]);
            adam_step(how, &mut w.value, &mut g.value, &mut m.value, &mut v.value);
        }
        Ok(loss)
    }

    /// Forward and backward: the loss, its gradient in `d_weights`.
    fn accumulate(&mut self, on: &Prepared<N::Operator>) -> f64 {
        let pass = Pass { operator: &on.operator, x: self.x, field: &on.field };
        self.network.forward(&self.weights, &pass, Dropout::On(&mut self.masks), &mut self.tape);
        let loss = self.targets.gradient(&self.tape.z, &mut self.tape.d_z);
        self.network.backward(&self.weights, &pass, &mut self.tape, &mut self.d_weights);
        loss
    }

    /// Probabilities [n, c] of all nodes (numbers [n, 1] for regression) with the weights of now.
    pub fn predict(&mut self, on: &Prepared<N::Operator>, dropout: Dropout<'_>) -> &Matrix {
        self.forward_all(on, dropout);
        self.targets.loss().predictions(&self.tape.z, self.all.wanted(), &mut self.predictions);
        &self.predictions
    }

    fn forward_all(&mut self, on: &Prepared<N::Operator>, dropout: Dropout<'_>) {
        let pass = Pass { operator: &on.operator, x: self.x, field: &self.all };
        self.network.forward(&self.weights, &pass, dropout, &mut self.tape);
    }

    /// All epochs on one graph. With a validation set and patience, stops early and returns to the best weights.
    ///
    /// `watch` sees every epoch and its loss, and may break off.
    pub fn run(
        &mut self,
        on: &Prepared<N::Operator>,
        validation: Option<&Targets>,
        mut watch: impl FnMut(usize, f64) -> ControlFlow<()>,
    ) -> Result<Ran, Error> {
        let mut ran = Ran { epochs: 0, loss: f64::NAN };
        let mut stopping = match (self.params.patience, validation) {
            (None, _) => None,
            (Some(patience), Some(validation)) => {
                Some(Stopping { patience, validation, best: (0, f64::INFINITY), weights: self.weights.clone() })
            }
            (Some(patience), None) => {
                let next = "there is no validation set to stop on; give one, or leave patience out";
                return Err(Error::setting("patience", patience, next));
            }
        };
        for epoch in 0..self.params.epochs {
            ran = Ran { epochs: epoch + 1, loss: self.step(on)? };
            if watch(epoch, ran.loss).is_break() {
                break;
            }
            if let Some(stopping) = &mut stopping {
                self.forward_all(on, Dropout::Off);
                if stopping.is_over(epoch, &self.tape.z, &self.weights) {
                    break;
                }
            }
        }
        if let Some(stopping) = stopping {
            self.weights = stopping.weights;
        }
        Ok(ran)
    }

    /// The weights of now.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The network.
    pub fn network(&self) -> &N {
        &self.network
    }
}

/// How a training ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ran {
    /// Epochs done.
    pub epochs: usize,
    /// The loss of the last, before its step.
    pub loss: f64,
}

/// Early stopping at work.
struct Stopping<'a> {
    patience: usize,
    validation: &'a Targets,
    best: (usize, f64),
    weights: Weights,
}

impl Stopping<'_> {
    fn is_over(&mut self, epoch: usize, z: &Matrix, weights: &Weights) -> bool {
        let loss = self.validation.mean_loss(z);
        if loss < self.best.1 {
            self.best = (epoch, loss);
            self.weights.clone_from(weights);
        }
        epoch - self.best.0 >= self.patience
    }
}
