//! The paper's table of datasets, as printed and as used, and its sentence on Pubmed, measured.
//! Paper: the table labelled datasets, and "The Pubmed dataset has a much lower intra-community density than the other
//! datasets and a heavy-tailed degree distribution".
//! Differs: the paper counts citations; a simple undirected graph has fewer edges.
//! Symbols: a density is edges over pairs of nodes; inside, both ends of a pair have the same label.

mod page;

pub use page::blocks;

use crate::Datasets;
use crate::claim::{Claim, Standing};
use crate::published::{Counts, Published};
use bgcn_core::data::Dataset;
use serde::Serialize;

/// Share of the nodes, those of largest degree, that the tail index is fitted to.
const TAIL: f64 = 0.05;

/// What is known of one dataset.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DatasetTable {
    /// Name.
    pub dataset: String,
    /// As the paper prints it.
    pub published: Option<Counts>,
    /// As our files hold it: `edges` are citations.
    pub read: Counts,
    /// Edges of the simple undirected graph that is used.
    pub simple_edges: usize,
    /// How classes and edges go together.
    pub communities: Communities,
    /// How unequal the degrees are.
    pub degrees: Degrees,
}

/// How classes and edges go together, over the nodes whose label is known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Communities {
    /// Share of the edges inside classes.
    pub inside_share: f64,
    /// Edges over pairs, inside classes.
    pub inside_density: f64,
    /// Edges over pairs, between classes.
    pub between_density: f64,
    /// Neighbours of the same class that a node has on average.
    pub same_class_neighbours: f64,
}

/// How unequal the degrees are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Degrees {
    /// 2E/N.
    pub mean: f64,
    /// Half of the nodes have at most so many neighbours.
    pub median: usize,
    /// 99 of 100 nodes have at most so many.
    pub p99: usize,
    /// Largest.
    pub max: usize,
    /// Share of the nodes with at most one neighbour.
    pub at_most_one: f64,
    /// Standard deviation over mean.
    pub variation: f64,
    /// Share of all edge ends at the hundredth of the nodes that has most.
    pub top_share: f64,
    /// Hill's estimate of α in P(degree > d) ~ d^−α, over the largest twentieth of the degrees; smaller is heavier.
    pub tail_index: Option<f64>,
}

/// Measures the named datasets, which must be among `data`.
pub fn measure(names: &[String], data: &Datasets, paper: &Published) -> Vec<DatasetTable> {
    let table = |name: &String| measured(name, &data[name], paper);
    names.iter().map(table).collect()
}

fn measured(name: &str, data: &Dataset, paper: &Published) -> DatasetTable {
    DatasetTable {
        dataset: name.to_owned(),
        published: paper.datasets.get(name).copied(),
        read: Counts {
            nodes: data.nodes(),
            edges: data.edges_published,
            features: data.features.columns(),
            classes: data.labels.classes(),
        },
        simple_edges: data.graph.edges(),
        communities: communities(data),
        degrees: degrees(data),
    }
}

fn communities(data: &Dataset) -> Communities {
    let classes = |(a, b)| data.labels.class(a).zip(data.labels.class(b));
    let known: Vec<(u32, u32)> = data.graph.edge_list().filter_map(classes).collect();
    let inside = known.iter().filter(|(x, y)| x == y).count() as f64;
    let pairs = |n: usize| n as f64 * (n as f64 - 1.0) / 2.0;
    let pairs_inside: f64 = data.labels.class_counts().into_iter().map(pairs).sum();
    let nodes = data.labels.known();
    let or_zero = |count: f64, of: f64| if of > 0.0 { count / of } else { 0.0 };
    Communities {
        inside_share: or_zero(inside, known.len() as f64),
        inside_density: or_zero(inside, pairs_inside),
        between_density: or_zero(known.len() as f64 - inside, pairs(nodes) - pairs_inside),
        same_class_neighbours: or_zero(2.0 * inside, nodes as f64),
    }
}

fn degrees(data: &Dataset) -> Degrees {
    let summary = data.graph.degree_summary();
    let n = data.nodes();
    let mut degrees: Vec<usize> = (0..n as u32).map(|a| data.graph.degree(a)).collect();
    degrees.sort_unstable_by(|a, b| b.cmp(a));
    let squares: f64 = degrees.iter().map(|&d| (d as f64 - summary.mean).powi(2)).sum();
    let top: usize = degrees.iter().take(n.div_ceil(100)).sum();
    Degrees {
        mean: summary.mean,
        median: summary.median,
        p99: summary.p99,
        max: summary.max,
        at_most_one: degrees.iter().filter(|&&d| d <= 1).count() as f64 / n.max(1) as f64,
        variation: if summary.mean > 0.0 { (squares / n as f64).sqrt() / summary.mean } else { 0.0 },
        top_share: top as f64 / (2 * data.graph.edges()).max(1) as f64,
        tail_index: hill(&degrees, (TAIL * n as f64).ceil() as usize),
    }
}

/// Hill's estimate from the `k` largest of values that descend; `None` where there is no tail to see.
fn hill(descending: &[usize], k: usize) -> Option<f64> {
    let border = *descending.get(k)? as f64;
    // Degrees are whole: half a step below the border of the tail, as is usual for counts.
    let logs: f64 = descending[..k].iter().map(|&d| (d as f64 / (border - 0.5)).ln()).sum();
    (border >= 1.0 && logs > 0.0).then(|| k as f64 / logs)
}

/// The paper's sentence on Pubmed, where the others were measured too.
pub fn claims(tables: &[DatasetTable]) -> Vec<Claim> {
    let find = |name: &str| tables.iter().find(|table| table.dataset == name);
    let (Some(pubmed), Some(cora), Some(citeseer)) = (find("pubmed"), find("cora"), find("citeseer")) else {
        return Vec::new();
    };
    let others = [cora, citeseer];
    let all = |what: &dyn Fn(&DatasetTable) -> String| {
        format!("Pubmed {}, Cora {}, CiteSeer {}", what(pubmed), what(cora), what(citeseer))
    };
    let claim = |about: &str, paper: &str, here: String, holds: bool| Claim {
        topic: "Why the block model suits Pubmed less",
        about: about.into(),
        paper: paper.into(),
        here,
        p: None,
        standing: Standing::of(holds),
    };
    let density = |table: &DatasetTable| table.communities.inside_density;
    vec![
        claim(
            "density inside classes",
            "much lower than in the others",
            format!(
                "{}; but neighbours of the same class: {}",
                all(&|table| format!("{:.5}", density(table))),
                all(&|table| format!("{:.2}", table.communities.same_class_neighbours))
            ),
            others.iter().all(|other| 2.0 * density(pubmed) < density(other)),
        ),
        claim(
            "degrees",
            "a heavy tail",
            format!(
                "tail index: {}; standard deviation over mean: {}",
                all(&|table| table.degrees.tail_index.map_or("none".into(), |alpha| format!("{alpha:.2}"))),
                all(&|table| format!("{:.2}", table.degrees.variation))
            ),
            // Of a power law below 3 the degrees spread without bound as a graph grows, or nearly so.
            pubmed.degrees.tail_index.is_some_and(|alpha| alpha < 3.0),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published;
    use bgcn_core::data::karate;

    #[test]
    fn the_karate_club_measured_by_hand() {
        let data = Datasets::from([("karate".to_owned(), karate())]);
        let table = &measure(&["karate".into()], &data, &published())[0];
        assert_eq!((table.read.nodes, table.simple_edges, table.published), (34, 78, None));
        let Communities { inside_share, inside_density, between_density, same_class_neighbours } = table.communities;
        let counts = data["karate"].labels.class_counts();
        let pairs: usize = counts.iter().map(|n| n * (n - 1) / 2).sum();
        let inside = inside_share * 78.0;
        assert!((inside_density - inside / pairs as f64).abs() < 1e-12);
        assert!((between_density - (78.0 - inside) / (561 - pairs) as f64).abs() < 1e-12);
        assert!((same_class_neighbours - 2.0 * inside / 34.0).abs() < 1e-12);
        assert_eq!((table.degrees.max, table.degrees.at_most_one), (17, 1.0 / 34.0));
        assert!((table.degrees.top_share - 17.0 / 156.0).abs() < 1e-12);
        assert!(claims(&measure(&["karate".into()], &data, &published())).is_empty());
    }

    #[test]
    fn the_tail_index_of_a_power_law_is_found() {
        // The quantiles of P(X > d) = d^−2, rounded down to whole numbers, from 20 upwards.
        let values: Vec<usize> = (1..=40_000).map(|i| (20.0 * (f64::from(i) / 40_000.0).powf(-0.5)) as usize).collect();
        let found = hill(&values, 2_000).unwrap();
        assert!((found - 2.0).abs() < 0.05, "{found}");
        assert_eq!(hill(&[3, 3, 3], 3), None);
        assert_eq!(hill(&[0, 0, 0], 1), None);
    }
}
