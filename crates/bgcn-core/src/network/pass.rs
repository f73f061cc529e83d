//! What every network is: forward and backward on any graph, for some rows, with some dropout.

use super::{Chebnet, Dropout, Field, Gat, Gcn, Input, Kind, Params, Shape, Weights};
use crate::Checked;
use crate::graph::{Graph, Normalized};
use crate::kernels::{Matrix, Pattern};
use crate::rng::Stream;
use std::any::Any;
use std::sync::Arc;

/// What a network needs of a graph.
pub trait Operator: Any + Send + Sync {
    /// Makes this the operator of `graph`, reusing the memory it has.
    fn assign(&mut self, graph: &Graph);

    /// The rows and columns that mix.
    fn pattern(&self) -> Pattern<'_>;
}

impl Operator for Normalized {
    fn assign(&mut self, graph: &Graph) {
        Self::assign(self, graph);
    }

    fn pattern(&self) -> Pattern<'_> {
        Pattern::from(self)
    }
}

/// Where a pass runs: on this graph, with these features, for the wanted rows of this field.
pub struct Pass<'a> {
    /// The graph, as the network reads it ([`Network::operator`]).
    pub operator: &'a dyn Operator,
    /// X [n, d].
    pub x: &'a Input,
    /// Which rows; its hops must be the network's ([`Network::hops`]).
    pub field: &'a Field,
}

impl<'a> Pass<'a> {
    /// The operator of this kind. Panics where it is another network's.
    pub fn operator<O: Operator>(&self) -> &'a O {
        let operator: &dyn Any = self.operator;
        operator.downcast_ref().expect("an operator of this network")
    }
}

/// What a network keeps between forward and backward.
#[derive(Default)]
pub struct Memory(Option<Box<dyn Any + Send>>);

impl Memory {
    /// As this network's kind, empty at first. Panics where it is another network's.
    pub fn of<K: Default + Send + 'static>(&mut self) -> &mut K {
        let memory = self.0.get_or_insert_with(|| Box::<K>::default());
        memory.downcast_mut().expect("the memory of this network")
    }
}

/// The output of a pass, its gradient, and whatever the network keeps for `backward`.
#[derive(Default)]
pub struct Tape {
    /// Z [n, c], before softmax; valid in the wanted rows.
    pub z: Matrix,
    /// dL/dZ [n, c]; only the wanted rows are read.
    pub d_z: Matrix,
    /// The network's own.
    pub kept: Memory,
}

/// A network: its shapes, and forward and backward. Called a few times an epoch, so behind a pointer.
pub trait Network: Send + Sync {
    /// The weight matrices, in order.
    fn shapes(&self) -> Vec<Shape>;

    /// First weights, drawn from `stream`.
    fn start(&self, stream: &mut Stream) -> Weights {
        Weights::glorot(self.shapes(), stream)
    }

    /// How far the output looks: levels of the [`Field`] beyond the output.
    fn hops(&self) -> usize;

    /// What it needs of a graph, before any is assigned.
    fn operator(&self) -> Box<dyn Operator>;

    /// Writes Z to `tape.z` in the wanted rows, and what `backward` needs.
    fn forward(&self, w: &Weights, pass: &Pass<'_>, dropout: Dropout<'_>, tape: &mut Tape);

    /// Adds dL/dW to `d_w`, from `tape.d_z` in the wanted rows. The pass must be the one of `forward`.
    fn backward(&self, w: &Weights, pass: &Pass<'_>, tape: &mut Tape, d_w: &mut Weights);
}

/// The network that the settings name, for so many features and outputs.
pub fn build(params: &Checked<Params>, features: usize, outputs: usize) -> Arc<dyn Network> {
    match params.kind {
        Kind::Gcn => Arc::new(Gcn::new(params, features, outputs)),
        Kind::Chebnet => Arc::new(Chebnet::new(params, features, outputs)),
        Kind::Gat => Arc::new(Gat::new(params, features, outputs)),
    }
}
