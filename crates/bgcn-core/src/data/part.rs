//! A part of a dataset.

use super::{Dataset, EdgeTruth, Features, Labels, NodeIds, SparseRows, Split};
use crate::graph::Graph;

impl Dataset {
    /// The dataset of the largest connected component; the first of equals.
    pub fn largest_component(&self) -> Self {
        let components = self.graph.components();
        let largest = components.sizes.iter().enumerate().max_by_key(|&(i, &size)| (size, std::cmp::Reverse(i)));
        let largest = largest.map_or(0, |(i, _)| i as u32);
        let kept: Vec<u32> = (0..self.nodes() as u32).filter(|&a| components.of[a as usize] == largest).collect();
        self.keep(&kept)
    }

    /// The nodes in `kept` (ascending) and what joins them.
    fn keep(&self, kept: &[u32]) -> Self {
        let mut place = vec![u32::MAX; self.nodes()];
        for (i, &a) in kept.iter().enumerate() {
            place[a as usize] = i as u32;
        }
        let inside = |&(a, b): &(u32, u32)| place[a as usize] != u32::MAX && place[b as usize] != u32::MAX;
        let moved = |pairs: &mut dyn Iterator<Item = (u32, u32)>| -> Vec<(u32, u32)> {
            pairs.filter(inside).map(|(a, b)| (place[a as usize], place[b as usize])).collect()
        };
        let nodes = |list: &[u32]| list.iter().map(|&a| place[a as usize]).filter(|&a| a != u32::MAX).collect();
        let edges = moved(&mut self.graph.edge_list());
        Self {
            name: self.name.clone(),
            graph: Graph::from_edges(kept.len(), &edges).expect("places are below the number of kept nodes"),
            merged: self.merged,
            edges_published: self.edges_published,
            features: keep_features(&self.features, kept),
            labels: match &self.labels {
                Labels::Classes { names, of } => {
                    Labels::Classes { names: names.clone(), of: kept.iter().map(|&a| of[a as usize]).collect() }
                }
                Labels::Values(of) => Labels::Values(kept.iter().map(|&a| of[a as usize]).collect()),
            },
            ids: NodeIds::from_names(kept.iter().map(|&a| self.ids.name(a).into_owned()).collect()),
            fixed_split: self.fixed_split.as_ref().map(|split| Split {
                train: nodes(&split.train),
                validation: nodes(&split.validation),
                test: nodes(&split.test),
            }),
            node_names: match self.node_names[..] {
                [] => Vec::new(),
                _ => kept.iter().map(|&a| self.node_name(a).to_owned()).collect(),
            },
            blanks: self
                .blanks
                .iter()
                .filter(|&&(a, _)| place[a as usize] != u32::MAX)
                .map(|&(a, j)| (place[a as usize], j))
                .collect(),
            remarks: self.remarks.clone(),
            feature_names: match self.features {
                Features::Identity(_) => Vec::new(),
                _ => self.feature_names.clone(),
            },
            truth: self.truth.as_ref().map(|truth| EdgeTruth {
                spurious: moved(&mut truth.spurious.iter().copied()),
                missing: moved(&mut truth.missing.iter().copied()),
            }),
        }
    }
}

fn keep_features(features: &Features, kept: &[u32]) -> Features {
    match features {
        Features::Identity(_) => Features::Identity(kept.len()),
        Features::Dense(rows) => {
            let mut part = rows.clone();
            part.values =
                kept.iter().flat_map(|&a| &rows.values[a as usize * rows.columns..][..rows.columns]).copied().collect();
            Features::Dense(part)
        }
        Features::Sparse(rows) => {
            let mut part = SparseRows::new(rows.columns);
            for &a in kept {
                let (indices, values) = rows.row(a as usize);
                part.indices.extend_from_slice(indices);
                part.values.extend_from_slice(values);
                part.offsets.push(part.indices.len());
            }
            Features::Sparse(part)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::data::demo;

    #[test]
    fn the_largest_component_of_the_demo_is_connected_and_keeps_what_belongs_to_its_nodes() {
        let whole = demo();
        let part = whole.largest_component();
        assert_eq!(part.graph.components().sizes.len(), 1);
        assert_eq!(part.nodes(), *whole.graph.components().sizes.iter().max().unwrap());
        let index = whole.ids.index();
        for a in 0..part.nodes() as u32 {
            let old = index[part.ids.name(a).as_ref()];
            assert_eq!(part.labels.class(a), whole.labels.class(old));
            assert_eq!(part.graph.degree(a), whole.graph.degree(old));
        }
        assert!(part.truth.unwrap().spurious.iter().all(|&(a, b)| part.graph.has_edge(a, b)));
    }
}
