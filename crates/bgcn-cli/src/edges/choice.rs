//! The edges that are shown.

use bgcn::findings::{EdgeFinding, Edges};
use bgcn_core::data::Error;
use clap::Args;

/// Edges of each kind by default.
const SHOWN: usize = 10;

#[derive(Args)]
#[command(next_help_heading = "Selection")]
pub struct Choice {
    /// Number of suspicious edges [default: 10]
    ///
    /// The defaults hold where no other option of this group is given.
    #[arg(long, value_name = "N")]
    pub suspicious: Option<usize>,
    /// Number of missing edges [default: 10]
    #[arg(long, value_name = "N")]
    pub missing: Option<usize>,
    /// Suspicious edges at this false discovery rate, such as 0.1
    #[arg(long, value_name = "RATE", value_parser = rate, conflicts_with_all = ["suspicious", "missing"])]
    pub fdr: Option<f64>,
    /// Edges of one node
    #[arg(long, value_name = "ID")]
    pub node: Option<String>,
    /// Observed edges with P(spurious) above P
    #[arg(long, value_name = "P", value_parser = probability, conflicts_with = "missing")]
    pub above: Option<f64>,
    /// Observed edges with P(spurious) below P
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
    pub fn check(&self, edges: Edges<'_>, name: &str) -> Result<(), Error> {
        match &self.node {
            Some(id) if node(edges, id).is_none() => Err(Error::Request(format!("{name} has no node {id:?}"))),
            _ => Ok(()),
        }
    }

    /// Observed edges, the most suspicious first, and pairs without an edge, the most likely first.
    pub fn of(&self, edges: Edges<'_>) -> [Vec<EdgeFinding>; 2] {
        let ranged = self.above.is_some() || self.below.is_some();
        let (suspicious, missing) = match (self.suspicious, self.missing, self.fdr) {
            (_, _, Some(_)) => (usize::MAX, 0),
            (None, None, None) if ranged => (usize::MAX, 0),
            (None, None, None) if self.node.is_some() => (usize::MAX, usize::MAX),
            (None, None, None) => (SHOWN, SHOWN),
            (suspicious, missing, None) => (suspicious.unwrap_or(0), missing.unwrap_or(0)),
        };
        let node = self.node.as_ref().and_then(|id| node(edges, id));
        let of_node = |a: u32, b: u32| node.is_none_or(|node| a == node || b == node);
        let in_range = |p: f64| self.above.is_none_or(|low| p > low) && self.below.is_none_or(|high| p < high);
        let links = edges.links;
        let listed = self.fdr.map_or(links.edges.len(), |rate| links.at_rate(rate));
        let observed =
            links.edges[..listed].iter().filter(|edge| of_node(edge.a, edge.b) && in_range(edge.p_spurious()));
        let missing = links.missing.iter().filter(|pair| of_node(pair.a, pair.b)).take(missing);
        [
            observed.take(suspicious).map(|edge| edges.of_edge(edge)).collect(),
            missing.map(|pair| edges.of_pair(pair)).collect(),
        ]
    }
}

/// The node of this id.
fn node(edges: Edges<'_>, id: &str) -> Option<u32> {
    (0..edges.data.nodes() as u32).find(|&a| edges.data.ids.name(a) == id)
}
