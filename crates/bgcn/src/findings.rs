//! What there is to show of a [`Run`](crate::Run): scores, uncertainty, edges. Views, computed from the run.

pub use crate::run::{
    About, AllNodes, ClassMetrics, Counts, Coverage, DegreeBin, EdgeFinding, EdgeFindings, EdgePrecision, Edges,
    ErrorDetection, Findings, Interval, Judgement, Neighbour, Neighbourhood, Plain, PrecisionAt, PredictionRows,
    Seconds, ValueMetrics, links_summary,
};
