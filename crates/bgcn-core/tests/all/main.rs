//! What the library promises to whoever uses it. One binary, so that it is linked once.

mod average;
mod golden;
mod graph_models;
mod mmsbm;
mod posterior;
mod tree;
