//! The few names that most programs need.

pub use crate::Error;
pub use crate::data::{Dataset, Split};
pub use crate::graph::Graph;
pub use crate::posterior::{Fit, Learned, Predictions, Task, Watch};
pub use crate::recipe::{Plan, Recipe};
pub use crate::rng::Seed;
