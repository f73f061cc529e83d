//! The few names that most programs need.

pub use crate::data::{Dataset, Split, SplitKind};
pub use crate::graph::Graph;
pub use crate::metrics::Judged;
pub use crate::network::Kind;
pub use crate::posterior::{GraphModelPlan, Plan, Task, fit};
pub use crate::rng::Seed;
