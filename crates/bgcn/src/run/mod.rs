//! What a finished fit leaves behind: the numbers that judge it, tables of its beliefs, its weights; and the memory it will take.
//!
//! Everything here depends on data, plan and seed alone, never on time or threads, so that a run repeated is the same bytes.

mod edge_precision;
mod memory;
mod metrics;
mod tables;

pub use edge_precision::{EdgePrecision, PrecisionAt};
pub use memory::{MemoryNeed, available_memory};
pub use metrics::{ClassMetrics, Coverage, Interval, Spotting, ValueMetrics};
pub use tables::{EdgeRow, PredictionTable, Told, edge_rows, read_edges, write_edges};
