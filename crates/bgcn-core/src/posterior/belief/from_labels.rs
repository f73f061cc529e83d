//! The belief that a graph model starts from where labels are known and no network is trained.
//! Paper: Algorithm 1 starts inference at a network's output; this is for graph models alone.
//! Differs: without a network, nodes without a label start undecided, and labels are propagated to them.
//! Symbols: p [n, k], rows sum to 1.

use super::propagate::Propagation;
use crate::data::Labels;
use crate::graph::Graph;

/// Share of its own label that a labelled node has, and the rest, which is spread evenly so that inference can move it.
const OWN_LABEL: f32 = 0.9;
const REST: f32 = 0.1;

const PROPAGATION: Propagation = Propagation { steps: 5, self_weight: 2.0, agreement: 1.0 };

/// Memberships [n, k] from all labels there are. They spread to nodes without one; where none is near, the row is even.
/// Classes beyond `k` are unknown labels.
pub fn belief_from_labels(graph: &Graph, labels: &Labels, k: usize) -> Vec<f32> {
    let class = |a: usize| labels.class(a as u32).map(|class| class as usize).filter(|&class| class < k);
    let mut rows = vec![1.0 / k as f32; graph.nodes() * k];
    let all_known = (0..graph.nodes()).all(|a| class(a).is_some());
    if !all_known {
        let certain = |(a, row): (usize, &mut [f32])| {
            if let Some(class) = class(a) {
                row.fill(0.0);
                row[class] = 1.0;
            }
        };
        rows.chunks_exact_mut(k).enumerate().for_each(certain);
        let known: Vec<bool> = (0..graph.nodes()).map(|a| class(a).is_some()).collect();
        rows = PROPAGATION.run(graph, &rows, k, &known);
    }
    for (a, row) in rows.chunks_exact_mut(k).enumerate() {
        if let Some(class) = class(a) {
            row.fill(REST / k as f32);
            row[class] += OWN_LABEL;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_kept_and_spread_to_the_nodes_without_one() {
        // 0 – 1 – 2 – 3 with labels at the ends, and 4 alone.
        let graph = Graph::from_edges(5, &[(0, 1), (1, 2), (2, 3)]).unwrap();
        let names = vec!["x".to_owned(), "y".to_owned()];
        let labels = Labels::Classes { names, of: vec![Some(0), None, None, Some(1), None] };
        let rows = belief_from_labels(&graph, &labels, 2);
        let row = |a: usize| &rows[2 * a..2 * a + 2];
        assert_eq!((row(0), row(3), row(4)), (&[0.95, 0.05][..], &[0.05, 0.95][..], &[0.5, 0.5][..]));
        assert!(row(1)[0] > 0.55 && row(2)[1] > 0.55, "{rows:?}");
        assert!(rows.chunks_exact(2).all(|row| (row[0] + row[1] - 1.0).abs() < 1e-5));
    }

    #[test]
    fn classes_beyond_the_communities_are_unknown() {
        let graph = Graph::from_edges(3, &[(0, 1), (1, 2)]).unwrap();
        let names = vec!["x".to_owned(), "y".to_owned(), "z".to_owned()];
        let labels = Labels::Classes { names, of: vec![Some(2), Some(2), Some(1)] };
        let rows = belief_from_labels(&graph, &labels, 2);
        assert!(rows[1] > 0.5 && rows[3] > 0.5 && rows[5] > 0.94, "{rows:?}");
    }
}
