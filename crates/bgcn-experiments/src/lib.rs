//! The paper's protocols: trials, their log and their tables, on top of the `bgcn` library.
//!
//! A trial is one method on one split of one dataset; it depends on nothing but its key and the seed, so trials can run
//! in any order, anywhere, and be resumed. Tables set their means beside the published ones.

mod log;
mod method;
mod published;
mod runner;
mod summary;
mod tables;
mod trial;

pub use log::{Log, LogError};
pub use method::Method;
pub use published::{Figure, Published, published};
pub use runner::{Done, Error, Experiment, Finished};
pub use summary::Summary;
pub use tables::{CellResult, Table, Tables, Verdict, tabulate};
pub use trial::{Cell, Key, Outcome, Scaled, SplitName};
