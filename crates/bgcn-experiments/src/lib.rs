//! The paper's protocols on top of the `bgcn` library: studies of many trials, their log, and their tables and figures.
//!
//! A [`Study`] is a list of independent trials; [`run`] takes them through the log in parallel, [`merge`] joins logs of
//! several machines, and [`recheck`] runs logged trials again. Each study is a folder; what it makes of its outcomes is
//! set beside the published figures and becomes a [`bgcn_report::Page`].

pub mod accuracy;
pub mod attack;
pub mod calibration;
mod claim;
mod contender;
pub mod datasets;
pub mod edges;
mod error;
mod executor;
mod identity;
mod log;
mod merge;
mod plans;
pub mod planted;
mod published;
mod recheck;
mod runner;
mod study;
mod summary;

pub use claim::{Claim, Standing, claim_summary, claim_tables};
pub use contender::Contender;
pub use error::Error;
pub use identity::Identity;
pub use log::{JointLog, Log};
pub use merge::{Merged, merge};
pub use published::{Counts, Published, published};
pub use recheck::{Sample, recheck};
pub use runner::{Done, Finished, Watching, run};
pub use study::{Shard, Shown, Study};
pub use summary::Summary;

/// Watches nothing: a study is stopped between trials.
pub use bgcn_core::posterior::unwatched;

/// Datasets by name.
pub type Datasets = std::collections::BTreeMap<String, bgcn_core::data::Dataset>;
