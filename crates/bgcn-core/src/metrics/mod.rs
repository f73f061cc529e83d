//! Scores of predictions: accuracy, calibration, error detection, link ranking; and the significance of differences.

mod agreement;
mod calibration;
mod classification;
mod ranking;
mod regression;
mod temperature;
mod wilcoxon;

pub use agreement::normalized_mutual_information;
pub use calibration::{Bin, coverage_curve, expected_calibration_error, reliability};
pub(crate) use classification::largest;
pub use classification::{Judged, Scores};
pub use ranking::{RecallPoint, area_under_roc, average_precision, precision_recall};
pub use regression::{RegressionScores, judge_values};
pub use temperature::Temperature;
pub use wilcoxon::{Wilcoxon, wilcoxon_signed_rank};
