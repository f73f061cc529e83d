//! What the library promises to whoever uses it. One binary, so that it is linked once.

mod choose;
mod graph_models;
mod mixture;
mod mmsbm;
mod posterior;
