//! Which edges are shown.

use super::beliefs::Beliefs;
use bgcn::data::Error;
use bgcn::outputs::EdgeRow;
use clap::Args;

/// Edges of each kind where nothing else is asked for.
const SHOWN: usize = 10;

#[derive(Args)]
#[command(next_help_heading = "Which edges")]
pub struct Choice {
    /// Observed edges, the N most suspicious [default: 10, where nothing else is asked for]
    #[arg(long, value_name = "N")]
    pub suspicious: Option<usize>,
    /// Pairs without an edge, the N most likely [default: 10, where nothing else is asked for]
    #[arg(long, value_name = "N")]
    pub missing: Option<usize>,
    /// The list of suspicious edges of which at most this share is expected to be true, such as 0.1
    #[arg(long, value_name = "RATE", value_parser = rate, conflicts_with_all = ["suspicious", "missing"])]
    pub fdr: Option<f64>,
    /// Only edges of this node
    #[arg(long, value_name = "ID")]
    pub node: Option<String>,
    /// Only observed edges whose P(spurious) is above P
    #[arg(long, value_name = "P", value_parser = probability, conflicts_with = "missing")]
    pub above: Option<f64>,
    /// Only observed edges whose P(spurious) is below P
    #[arg(long, value_name = "P", value_parser = probability, conflicts_with = "missing")]
    pub below: Option<f64>,
}

fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|p| (0.0..=1.0).contains(p));
    number.ok_or_else(|| "a probability is a number from 0 to 1".into())
}

/// A false discovery rate.
pub fn rate(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|rate| *rate > 0.0 && *rate < 1.0);
    number.ok_or_else(|| "a false discovery rate is a number between 0 and 1, such as 0.1".into())
}

impl Choice {
    /// Refuses a node that is not there.
    pub fn check(&self, beliefs: &Beliefs) -> Result<(), Error> {
        match &self.node {
            Some(node) if !beliefs.has_node(node) => {
                let (name, next) = match beliefs.of_run {
                    true => ("the run", "; ids are in the first column of predictions.csv"),
                    false => (beliefs.name.as_str(), ""),
                };
                Err(Error::Request(format!("{name} has no node {node:?}{next}")))
            }
            _ => Ok(()),
        }
    }

    /// Observed edges, the most suspicious first, then pairs without an edge, the most likely first.
    pub fn of<'a>(&self, beliefs: &'a Beliefs) -> Vec<&'a EdgeRow> {
        let ranged = self.above.is_some() || self.below.is_some();
        let (suspicious, missing) = match (self.suspicious, self.missing, self.fdr) {
            (_, _, Some(_)) => (usize::MAX, 0),
            (None, None, None) if ranged => (usize::MAX, 0),
            (None, None, None) if self.node.is_some() => (usize::MAX, usize::MAX),
            (None, None, None) => (SHOWN, SHOWN),
            (suspicious, missing, None) => (suspicious.unwrap_or(0), missing.unwrap_or(0)),
        };
        let of_node = |row: &&EdgeRow| self.node.as_ref().is_none_or(|node| row.source == *node || row.target == *node);
        let in_range = |row: &&EdgeRow| {
            row.p_spurious
                .is_none_or(|p| self.above.is_none_or(|low| p > low) && self.below.is_none_or(|high| p < high))
        };
        let (observed, other) = beliefs.rows();
        let listed = self.fdr.map_or(observed.len(), |rate| beliefs.at_rate(rate));
        let observed = observed[..listed].iter().filter(of_node).filter(in_range).take(suspicious);
        observed.chain(other.iter().filter(of_node).take(missing)).collect()
    }
}
