//! Training: one step at a time on any graph, or all epochs on one.
//! Paper: "the weights are trained by gradient descent on the labelled nodes"; inside Algorithm 1 the graph changes
//! between steps.
//! Differs: nothing; the optimiser is Adam as in the authors' code, and its state goes on when the graph changes.

use super::langevin::Energy;
use super::{
    Dropout, Error, Field, Input, Langevin, Network, Operator, Params, Pass, Patience, Tape, Targets, Weights,
};
use crate::Checked;
use crate::graph::Graph;
use crate::kernels::{Adam, Matrix, adam_step};
use crate::rng::{Fast, Stream};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A graph as a network sees it, with the rows that its training needs.
pub struct Prepared {
    operator: Box<dyn Operator>,
    field: Field,
}

/// A network in training: weights, optimiser state and reused memory.
pub struct Trainer<'a> {
    network: Arc<dyn Network>,
    params: Checked<Params>,
    x: &'a Input,
    targets: Targets,
    masks: Stream,
    weights: Weights,
    d_weights: Weights,
    moments: [Weights; 2],
    steps: usize,
    all: Field,
    tape: Tape,
    predictions: Matrix,
}

/// Where training starts: the first weights, and the stream of the dropout masks.
#[derive(Clone, Debug)]
pub struct Start {
    /// Usually [`Network::start`].
    pub weights: Weights,
    /// Usually `seed.at(For::Train, …)`.
    pub masks: Stream,
}

impl<'a> Trainer<'a> {
    /// Training of `network` on these features and labels.
    pub fn new(
        network: Arc<dyn Network>,
        params: &Checked<Params>,
        (x, targets): (&'a Input, Targets),
        start: Start,
    ) -> Self {
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
    pub fn prepare(&self, graph: &Graph) -> Prepared {
        let mut prepared = Prepared { operator: self.network.operator(), field: Field::default() };
        self.assign(&mut prepared, graph);
        prepared
    }

    /// Prepares another graph in the same memory.
    pub fn assign(&self, prepared: &mut Prepared, graph: &Graph) {
        assert_eq!(graph.nodes(), self.x.nodes(), "every node needs its row of features");
        prepared.operator.assign(graph);
        prepared.field.assign(prepared.operator.pattern(), self.targets.nodes(), self.network.hops());
    }

    /// One step of Adam; returns the mean loss before it, without the L2 penalty.
    pub fn step(&mut self, on: &Prepared) -> Result<f64, Error> {
        let loss = self.accumulate(on, true)?;
        let [m, v] = &mut self.moments;
        for (i, w) in self.weights.tensors.iter_mut().enumerate() {
            let decay = if w.shape.decay { self.params.weight_decay as f32 } else { 0.0 };
            let how = Adam { rate: self.params.learning_rate as f32, decay, step: self.steps as u32 };
            let (g, m, v) = (&mut self.d_weights.tensors[i], &mut m.tensors[i], &mut v.tensors[i]);
            adam_step(how, &mut w.value, &mut g.value, &mut m.value, &mut v.value);
        }
        Ok(loss)
    }

    /// One step of preconditioned Langevin dynamics, without dropout; returns the mean loss before it.
    pub fn langevin_step(&mut self, on: &Prepared, how: Langevin, noise: &mut Fast) -> Result<f64, Error> {
        let first = self.steps == 0;
        let loss = self.accumulate(on, false)?;
        let energy = Energy { labels: self.targets.nodes().len() as f64, penalty: self.params.weight_decay };
        let squares = &mut self.moments[1].tensors;
        for ((w, g), v) in self.weights.tensors.iter_mut().zip(&mut self.d_weights.tensors).zip(squares) {
            for part in 0..w.shape.parts {
                for r in 0..w.shape.rows {
                    let weights = (w.part_row_mut(part, r), g.part_row(part, r), v.part_row_mut(part, r));
                    how.step(energy, first, weights, noise);
                }
            }
            g.value.clear();
        }
        Ok(loss)
    }

    /// Forward and backward: the loss, its gradient in `d_weights`.
    fn accumulate(&mut self, on: &Prepared, dropped: bool) -> Result<f64, Error> {
        let pass = Pass { operator: &*on.operator, x: self.x, field: &on.field };
        let dropout = if dropped { Dropout::On(&mut self.masks) } else { Dropout::Off };
        self.network.forward(&self.weights, &pass, dropout, &mut self.tape);
        let loss = self.targets.gradient(&self.tape.z, &mut self.tape.d_z);
        if !loss.is_finite() {
            let (params, network) = (&self.params, self.params.kind.name());
            return Err(Error::NotFinite(format!(
                "epoch {} of {network}: the loss is {loss} (learning rate {}, weight decay {}, dropout {}); try a \
                 smaller network.learning_rate, and check that the features have no extreme values",
                self.steps, params.learning_rate, params.weight_decay, params.dropout
            )));
        }
        self.steps += 1;
        self.network.backward(&self.weights, &pass, &mut self.tape, &mut self.d_weights);
        Ok(loss)
    }

    /// Probabilities [n, c] of all nodes (numbers [n, 1] for regression) with the weights of now.
    pub fn predict(&mut self, on: &Prepared, dropout: Dropout<'_>) -> &Matrix {
        self.forward_all(on, dropout);
        self.targets.loss().predictions(&self.tape.z, self.all.wanted(), &mut self.predictions);
        &self.predictions
    }

    fn forward_all(&mut self, on: &Prepared, dropout: Dropout<'_>) {
        let pass = Pass { operator: &*on.operator, x: self.x, field: &self.all };
        self.network.forward(&self.weights, &pass, dropout, &mut self.tape);
    }

    /// All epochs on one graph. With a validation set and patience, stops early and returns to the best weights.
    ///
    /// `watch` sees every epoch and its loss, and may break off.
    pub fn run(
        &mut self,
        on: &Prepared,
        validation: Option<&Targets>,
        mut watch: impl FnMut(usize, f64) -> ControlFlow<()>,
    ) -> Result<Ran, Error> {
        let mut ran = Ran { epochs: 0, loss: f64::NAN };
        let mut stopping = match (self.params.patience, validation) {
            (Patience::Off, _) => None,
            (Patience::Epochs(patience), Some(validation)) => {
                Some(Stopping { patience, validation, best: (0, f64::INFINITY), weights: self.weights.clone() })
            }
            (Patience::Epochs(patience), None) => {
                let next = "there is no validation set to stop on; give one, or set it to off";
                return Err(Error::setting("network.patience", patience, next));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Features, Labels, SparseRows};
    use crate::network::check::Case;
    use crate::network::{Gcn, Kind, build};
    use crate::rng::{For, Random as _, Seed};

    fn start(network: &dyn Network) -> Start {
        let seed = Seed::new(1);
        let weights = Weights::glorot(network.shapes(), &mut seed.at(For::Weights, [0; 3]));
        Start { weights, masks: seed.at(For::Train, [0; 3]) }
    }

    fn trainer<'a>(case: &Case, x: &'a Input, params: Params) -> Trainer<'a> {
        let params = params.check().unwrap();
        let network = Gcn::new(&params, case.d(), 3);
        let start = start(&network);
        Trainer::new(Arc::new(network), &params, (x, case.targets()), start)
    }

    #[test]
    fn training_learns_the_labels_it_sees_and_repeats_itself() {
        let case = Case::random(1);
        let x = case.input();
        let run = || {
            let params =
                Params { weight_decay: 0.0, learning_rate: 0.05, dropout: 0.2, epochs: 200, ..Params::new(Kind::Gcn) };
            let mut trainer = trainer(&case, &x, params);
            let on = trainer.prepare(&case.graph);
            let mut losses = Vec::new();
            let ran = trainer.run(&on, None, |_, loss| {
                losses.push(loss);
                ControlFlow::Continue(())
            });
            assert_eq!(ran.unwrap().epochs, 200);
            let p = trainer.predict(&on, Dropout::Off).clone();
            (losses, p)
        };
        let (losses, p) = run();
        assert!(losses[0] > 0.8 && losses[199] < 0.3, "{} then {}", losses[0], losses[199]);
        for &a in &case.train {
            assert!(p.row(a as usize)[case.labels.class(a).unwrap() as usize] > 0.5);
        }
        assert!((0..p.rows()).all(|a| (p.row(a).iter().sum::<f32>() - 1.0).abs() < 1e-5));
        assert_eq!((losses, p), run());
    }

    #[test]
    fn a_loss_that_is_not_finite_names_epoch_and_settings() {
        let case = Case::random(2);
        let x = case.input();
        let mut trainer =
            trainer(&case, &x, Params { learning_rate: 1e6, weight_decay: 1e6, ..Params::new(Kind::Gcn) });
        trainer.weights.tensors[1].value.row_mut(0)[0] = f32::INFINITY;
        let on = trainer.prepare(&case.graph);
        let error = trainer.run(&on, None, |_, _| ControlFlow::Continue(())).unwrap_err().to_string();
        assert!(error.contains("epoch 0 of gcn") && error.contains("learning rate 1000000"), "{error}");
    }

    #[test]
    fn early_stopping_keeps_the_best_weights_and_needs_a_validation_set() {
        let case = Case::random(3);
        let x = case.input();
        let validation = Targets::new(&case.labels, &[0, 2, 3]).unwrap();
        let patience = Patience::Epochs(5);
        let params = Params { patience, learning_rate: 0.1, epochs: 200, ..Params::new(Kind::Gcn) };
        let [mut trainer, mut twin] = [(); 2].map(|()| trainer(&case, &x, params.clone()));
        let on = trainer.prepare(&case.graph);
        assert!(trainer.run(&on, None, |_, _| ControlFlow::Continue(())).is_err());
        let mut seen = Vec::new();
        let ran = trainer.run(&on, Some(&validation), |_, _| ControlFlow::Continue(())).unwrap();
        for _ in 0..ran.epochs {
            twin.step(&on).unwrap();
            twin.forward_all(&on, Dropout::Off);
            seen.push(validation.mean_loss(&twin.tape.z));
        }
        trainer.forward_all(&on, Dropout::Off);
        let best = seen.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(validation.mean_loss(&trainer.tape.z), best);
        assert!(ran.epochs < 200 && seen[ran.epochs - 6] == best);
    }

    /// Large enough that every product goes in parallel: 60,000 nodes, 8 features each, a third labelled.
    fn weights_after_three_steps(kind: Kind, threads: usize) -> Weights {
        let params = Params::new(kind).check().unwrap();
        let network = build(&params, 50, 4);
        let n = 60_000u32;
        let mut random = Seed::new(2).at(For::Generate, [0; 3]);
        let mut node = || random.below(u64::from(n)) as u32;
        let edges: Vec<_> = (0..2 * n).map(|_| (node(), node())).collect();
        let mut rows = SparseRows::new(50);
        (0..n).for_each(|_| rows.push_row(&mut (0..8).map(|_| (node() % 50, 1.0)).collect::<Vec<_>>()));
        let names = (0..4).map(|c| c.to_string()).collect();
        let labels = Labels::Classes { names, of: (0..n).map(|_| Some(node() % 4)).collect() };
        let graph = Graph::from_edges(n as usize, &edges).unwrap();
        let x = Input::new(&Features::Sparse(rows).with_unit_rows());
        let targets = Targets::new(&labels, &(0..n).step_by(3).collect::<Vec<_>>()).unwrap();
        let mut trainer = Trainer::new(Arc::clone(&network), &params, (&x, targets), start(&*network));
        let on = trainer.prepare(&graph);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (0..3).for_each(|_| assert!(trainer.step(&on).is_ok())));
        trainer.weights
    }

    #[test]
    fn one_thread_and_four_give_the_same_bytes() {
        for kind in [Kind::Gcn, Kind::Chebnet] {
            assert_eq!(weights_after_three_steps(kind, 1), weights_after_three_steps(kind, 4));
        }
    }
}
