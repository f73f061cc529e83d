//! The command as a person runs it: the real program in a fresh folder. One binary, so that it is linked once.

mod around;
mod command;
mod corpus;
mod data;
mod edges;
mod faults;
mod fit;
mod graph;
mod reproduce;
mod same_bytes;
