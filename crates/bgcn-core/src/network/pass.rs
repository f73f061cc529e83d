//! What every network is: forward and backward on any graph, for some rows, with some dropout.

use super::{Field, Input, Shape, Weights};
use crate::graph::{Graph, Normalized};
use crate::kernels::{Matrix, Pattern};
use crate::rng::Stream;

/// What is dropped from the inputs of the layers in one forward pass.
#[derive(Debug)]
pub enum Dropout<'a> {
    /// Nothing.
    Off,
    /// Each element with the network's rate, by bits from this stream: deterministic, whatever the number of threads.
    On(&'a mut Stream),
    /// All but the elements marked `true`: one list per mask of the network, in the order the network documents, each
    /// with the elements of all rows one after another (of sparse features: the stored ones). Panics in the forward
    /// pass when a list has another length.
    #[cfg_attr(not(test), allow(dead_code, reason = "gradients are checked under known masks"))]
    Given(&'a [Vec<bool>]),
}

/// What a network needs of a graph.
pub trait Operator: Default + Clone + Send + Sync {
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
#[derive(Debug)]
pub struct Pass<'a, O> {
    /// The graph.
    pub operator: &'a O,
    /// X [n, d].
    pub x: &'a Input,
    /// Which rows; its hops must be the network's ([`Network::hops`]).
    pub field: &'a Field,
}

/// The output of a pass, its gradient, and whatever the network keeps for `backward`.
#[derive(Clone, Debug, Default)]
pub struct Tape<K> {
    /// Z [n, c], before softmax; valid in the wanted rows.
    pub z: Matrix,
    /// dL/dZ [n, c]; only the wanted rows are read.
    pub d_z: Matrix,
    /// The network's own.
    pub kept: K,
}

/// A network: its shapes, and forward and backward.
pub trait Network: Send + Sync {
    /// What it needs of a graph.
    type Operator: Operator;
    /// What it keeps between forward and backward.
    type Kept: Default + Clone + Send;

    /// Its name in files and on the command line.
    fn name(&self) -> &'static str;

    /// The weight matrices, in order.
    fn shapes(&self) -> Vec<Shape>;

    /// First weights, drawn from `stream`.
    fn start(&self, stream: &mut Stream) -> Weights {
        Weights::glorot(self.shapes(), stream)
    }

    /// How far the output looks: levels of the [`Field`] beyond the output.
    fn hops(&self) -> usize;

    /// Number of outputs, c.
    fn outputs(&self) -> usize;

    /// Writes Z to `tape.z` in the wanted rows, and what `backward` needs.
    fn forward(&self, w: &Weights, pass: &Pass<'_, Self::Operator>, dropout: Dropout<'_>, tape: &mut Tape<Self::Kept>);

    /// Adds dL/dW to `d_w`, from `tape.d_z` in the wanted rows. The pass must be the one of `forward`.
    fn backward(&self, w: &Weights, pass: &Pass<'_, Self::Operator>, tape: &mut Tape<Self::Kept>, d_w: &mut Weights);
}
