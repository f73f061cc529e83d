//! What a finished fit leaves behind: [`Findings`], computed once, and writers that compute nothing.
//!
//! Everything here depends on data, recipe and seed alone, never on time or threads, so that a run repeated is the same
//! bytes.

mod by_degree;
mod convergence;
mod edge_precision;
mod edges;
mod findings;
mod json;
mod judgement;
mod kept_run;
mod model_folder;
mod record;
mod run_folder;
mod tables;

pub use crate::posterior::MemoryNeed;
pub use bgcn_core::memory::available as available_memory;
pub use by_degree::DegreeBin;
pub use convergence::Convergence;
pub use edge_precision::{EdgePrecision, PrecisionAt};
pub use edges::{EdgeFinding, EdgeFindings, Neighbour, Neighbourhood};
pub use findings::{About, AllNodes, Counts, Findings, Plain};
pub use judgement::{ClassMetrics, Coverage, Interval, Judgement, Spotting, ValueMetrics};
pub use kept_run::{KeptPair, KeptRun};
pub use model_folder::{CLASSES, NODES, OBSERVED, check_model_folder, drawn_graph, read_model, write_model};
pub use record::{Config, DataRecord, Record, RunRecord, Source};
pub use run_folder::{RunFiles, RunFolder};
pub use tables::{EdgeRow, PredictionTable, Told, read_edges, write_edges};
