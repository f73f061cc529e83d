//! How uncertain nodes are, by their number of neighbours.

use bgcn_core::graph::Graph;
use bgcn_core::posterior::Predictions;

/// The bin of all nodes with more than 32 neighbours.
const LAST: usize = 7;

/// Nodes with about as many neighbours: 0, 1, 2, 3–4, 5–8, 9–16, 17–32, more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DegreeBin {
    /// The fewest neighbours.
    pub from: usize,
    /// The most; `None` for any number.
    pub to: Option<usize>,
    /// How many nodes.
    pub nodes: usize,
    /// The mean uncertainty that every draw has: expected entropy in nats, or the variance of the noise.
    pub data: f64,
    /// The mean uncertainty between draws: mutual information in nats, or variance.
    pub model: f64,
}

impl DegreeBin {
    /// Bins with at least one node, fewest neighbours first.
    pub(super) fn all(graph: &Graph, predictions: &Predictions) -> Vec<Self> {
        let mut bins = [const { Vec::new() }; LAST + 1];
        for a in 0..graph.nodes() as u32 {
            bins[place(graph.degree(a))].push(a as usize);
        }
        let filled = bins.iter().enumerate().filter(|(_, nodes)| !nodes.is_empty());
        filled.map(|(at, nodes)| Self::of(at, nodes, predictions)).collect()
    }

    fn of(at: usize, nodes: &[usize], predictions: &Predictions) -> Self {
        let mean = |of: &dyn Fn(usize) -> f64| nodes.iter().map(|&a| of(a)).sum::<f64>() / nodes.len() as f64;
        let (data, model) = match predictions {
            Predictions::Classes(posterior) => (
                mean(&|a| f64::from(posterior.expected_entropy[a])),
                mean(&|a| f64::from(posterior.mutual_information[a])),
            ),
            Predictions::Values(values) => (values.noise, mean(&|a| values.between[a])),
        };
        let (from, to) = match at {
            0..=2 => (at, Some(at)),
            LAST => ((1 << (at - 2)) + 1, None),
            _ => ((1 << (at - 2)) + 1, Some(1 << (at - 1))),
        };
        Self { from, to, nodes: nodes.len(), data, model }
    }
}

fn place(degree: usize) -> usize {
    match degree {
        0..=2 => degree,
        _ => (1 + (usize::BITS - (degree - 1).leading_zeros()) as usize).min(LAST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::posterior::{NoiseFrom, Values};

    #[test]
    fn bins_hold_the_degrees_they_name_and_means_are_over_their_nodes() {
        // Node 0 has 40 neighbours, two of these have each other as well.
        let mut edges: Vec<(u32, u32)> = (1..=40).map(|b| (0, b)).collect();
        edges.push((1, 2));
        let graph = Graph::from_edges(42, &edges).unwrap();
        let between = (0..42).map(f64::from).collect();
        let values = Values { draws: 1, mean: vec![0.0; 42], between, noise: 2.0, noise_from: NoiseFrom::Validation };
        let bins = DegreeBin::all(&graph, &Predictions::Values(values));
        let bin = |from, to, nodes, model| DegreeBin { from, to, nodes, data: 2.0, model };
        let ones = (3..=40).map(f64::from).sum::<f64>() / 38.0;
        let wanted =
            [bin(0, Some(0), 1, 41.0), bin(1, Some(1), 38, ones), bin(2, Some(2), 2, 1.5), bin(33, None, 1, 0.0)];
        assert_eq!(bins, wanted);
        assert_eq!([3, 4, 5, 8, 9, 16, 17, 32, 33].map(place), [3, 3, 4, 4, 5, 5, 6, 6, 7]);
    }
}
