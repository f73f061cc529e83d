//! The contract of the library, through its public interface. One binary, so that it is linked once.

mod average;
mod golden;
mod graph_models;
mod mmsbm;
mod posterior;
mod tree;
