//! Edges that we plant, or hide, ourselves: then it is known which ones are to be found.
//!
//! Their number is a share of the observed edges. Pairs that have an edge already are never drawn, and no pair twice, so
//! that planting makes a graph larger by exactly so many edges.

use crate::Error;
use bgcn_core::data::Dataset;
use bgcn_core::graph::Graph;
use bgcn_core::rng::{Random as _, Stream};
use std::collections::BTreeSet;

/// One in so many nodes is an end of aimed edges.
const AIMED_AT: usize = 100;
/// Draws for each edge that is planted, until the graph counts as full.
const TRIES: usize = 1000;

bgcn_core::words! {
    /// What is done to a graph.
    #[derive(PartialOrd, Ord)]
    pub enum Kind {
        /// Nothing.
        Clean = "clean",
        /// Edges between any two nodes.
        Uniform = "uniform",
        /// Edges between two nodes of different classes.
        Between = "between",
        /// Edges that all end at a hundredth of the nodes.
        Aimed = "aimed",
        /// Edges are taken away.
        Hidden = "hidden",
    }
}

/// A graph after planting or hiding.
#[derive(Clone, Debug, PartialEq)]
pub struct Planting {
    /// What is observed now.
    pub graph: Graph,
    /// The edges that were planted or hidden, as (smaller, larger), ascending.
    changed: Vec<(u32, u32)>,
}

impl Planting {
    /// Changes so many edges in a hundred.
    pub fn draw(data: &Dataset, kind: Kind, percent: u32, mut stream: Stream) -> Result<Self, Error> {
        let count = (data.graph.edges() as f64 * f64::from(percent) / 100.0).round() as usize;
        let changed = match kind {
            Kind::Clean => Vec::new(),
            Kind::Uniform => plant(data, count, &mut stream, any_two(data))?,
            Kind::Between => plant(data, count, &mut stream, between_classes(data)?)?,
            Kind::Aimed => {
                let mut nodes: Vec<u32> = (0..data.nodes() as u32).collect();
                stream.shuffle(&mut nodes);
                nodes.truncate(data.nodes().div_ceil(AIMED_AT));
                plant(data, count, &mut stream, aimed_at(&nodes, data))?
            }
            Kind::Hidden => hide(data, count, &mut stream),
        };
        let hidden = |pair: &(u32, u32)| kind == Kind::Hidden && changed.binary_search(pair).is_ok();
        let mut edges: Vec<(u32, u32)> = data.graph.edge_list().filter(|pair| !hidden(pair)).collect();
        if kind != Kind::Hidden {
            edges.extend(&changed);
        }
        let graph = Graph::from_edges(data.nodes(), &edges).expect("all ends are nodes of the observed graph");
        Ok(Self { graph, changed })
    }

    /// How many edges were planted or hidden.
    pub fn count(&self) -> usize {
        self.changed.len()
    }

    /// Whether this pair, the smaller node first, was planted or hidden.
    pub fn has(&self, a: u32, b: u32) -> bool {
        self.changed.binary_search(&(a, b)).is_ok()
    }

    /// The data with this graph.
    pub fn applied(&self, data: &Dataset) -> Dataset {
        Dataset { graph: self.graph.clone(), truth: None, ..data.clone() }
    }
}

fn any_two(data: &Dataset) -> impl Fn(&mut Stream) -> (u32, u32) {
    let n = data.nodes() as u64;
    move |stream| (stream.below(n) as u32, stream.below(n) as u32)
}

fn aimed_at(ends: &[u32], data: &Dataset) -> impl Fn(&mut Stream) -> (u32, u32) {
    let n = data.nodes() as u64;
    move |stream| (ends[stream.below(ends.len() as u64) as usize], stream.below(n) as u32)
}

/// Any two nodes whose classes are known; a pair of equal classes becomes a node with itself, which is drawn anew.
fn between_classes(data: &Dataset) -> Result<impl Fn(&mut Stream) -> (u32, u32), Error> {
    let known: Vec<u32> = (0..data.nodes() as u32).filter(|&a| data.labels.class(a).is_some()).collect();
    if data.labels.class_counts().iter().filter(|&&count| count > 0).count() < 2 {
        let text = "edges between classes need two classes, and the data has fewer; leave it out of the planted study";
        return Err(Error::Request(text.into()));
    }
    Ok(move |stream: &mut Stream| {
        let mut one = || known[stream.below(known.len() as u64) as usize];
        let (a, b) = (one(), one());
        if data.labels.class(a) == data.labels.class(b) { (a, a) } else { (a, b) }
    })
}

/// So many new pairs, ascending.
fn plant(
    data: &Dataset,
    count: usize,
    stream: &mut Stream,
    pair: impl Fn(&mut Stream) -> (u32, u32),
) -> Result<Vec<(u32, u32)>, Error> {
    let mut planted = BTreeSet::new();
    for _ in 0..TRIES * count {
        if planted.len() == count {
            break;
        }
        let (a, b) = pair(stream);
        if a != b && !data.graph.has_edge(a, b) {
            planted.insert((a.min(b), a.max(b)));
        }
    }
    if planted.len() < count {
        let found = planted.len();
        return Err(Error::Request(format!(
            "{}: room for only {found} of {count} edges to plant; the planted study needs a sparser graph",
            data.name
        )));
    }
    Ok(planted.into_iter().collect())
}

fn hide(data: &Dataset, count: usize, stream: &mut Stream) -> Vec<(u32, u32)> {
    let mut edges: Vec<(u32, u32)> = data.graph.edge_list().collect();
    stream.shuffle(&mut edges);
    edges.truncate(count);
    edges.sort_unstable();
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::data::{demo, karate};
    use bgcn_core::rng::{For, Seed};

    fn draw(data: &Dataset, kind: Kind, percent: u32, run: u64) -> Planting {
        Planting::draw(data, kind, percent, Seed::new(3).trial(run).at(For::Attack, [2, 0, 0])).unwrap()
    }

    #[test]
    fn planted_edges_are_new_as_many_as_asked_for_and_follow_from_the_stream() {
        let data = demo();
        let edges = data.graph.edges();
        for kind in [Kind::Uniform, Kind::Between, Kind::Aimed] {
            for percent in [5, 10, 30] {
                let planting = draw(&data, kind, percent, 0);
                let count = (edges as f64 * f64::from(percent) / 100.0).round() as usize;
                assert_eq!((planting.count(), planting.graph.edges()), (count, edges + count), "{kind:?} {percent}");
                assert!(planting.changed.iter().all(|&(a, b)| a < b && !data.graph.has_edge(a, b)));
                assert!(planting.changed.iter().all(|&(a, b)| planting.graph.has_edge(a, b) && planting.has(a, b)));
                assert!(data.graph.edge_list().all(|(a, b)| planting.graph.has_edge(a, b) && !planting.has(a, b)));
                assert_eq!(planting, draw(&data, kind, percent, 0));
                assert_ne!(planting, draw(&data, kind, percent, 1));
            }
        }
    }

    #[test]
    fn each_kind_of_edge_goes_where_its_name_says() {
        let data = demo();
        let class = |a| data.labels.class(a).unwrap();
        let between = draw(&data, Kind::Between, 30, 0);
        assert!(between.changed.iter().all(|&(a, b)| class(a) != class(b)));
        assert!(draw(&data, Kind::Uniform, 30, 0).changed.iter().any(|&(a, b)| class(a) == class(b)));
        let aimed = draw(&data, Kind::Aimed, 10, 0);
        let gained = |a: &u32| aimed.graph.degree(*a) - data.graph.degree(*a);
        let mut nodes: Vec<u32> = (0..data.nodes() as u32).collect();
        nodes.sort_by_key(|a| std::cmp::Reverse(gained(a)));
        let ends: BTreeSet<u32> = nodes.into_iter().take(data.nodes() / 100).collect();
        assert!(aimed.changed.iter().all(|(a, b)| ends.contains(a) || ends.contains(b)));
    }

    #[test]
    fn hidden_edges_were_observed_and_are_taken_out() {
        let data = karate();
        let hidden = draw(&data, Kind::Hidden, 10, 0);
        assert_eq!((hidden.count(), hidden.graph.edges()), (8, 70));
        assert!(hidden.changed.iter().all(|&(a, b)| data.graph.has_edge(a, b) && !hidden.graph.has_edge(a, b)));
        assert_eq!(draw(&data, Kind::Clean, 0, 0).graph, data.graph);
    }

    #[test]
    fn where_there_is_no_room_nothing_is_planted() {
        let pairs: Vec<(u32, u32)> = (0..4).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        let data = Dataset::builder(4).edges(&pairs).build().unwrap();
        let stream = || Seed::new(0).at(For::Attack, [2, 0, 0]);
        let error = Planting::draw(&data, Kind::Uniform, 50, stream()).unwrap_err();
        assert!(error.is_input() && error.to_string().contains("only 0 of 3 edges"), "{error}");
        assert!(Planting::draw(&data, Kind::Between, 50, stream()).unwrap_err().is_input());
    }
}
