//! What a fit finds among edges: which look wrong, which seem to be missing, and what surrounds them.

use super::EdgePrecision;
use crate::data::{Dataset, Labels};
use crate::graph_model::BelievedPair;
use crate::posterior::{Fit, Predictions};

/// Unobserved pairs that are listed.
const MISSING: usize = 200;
/// Observed edges that are listed.
const SUSPICIOUS: usize = 100;
/// Suspicious edges whose neighbourhood is kept.
const DRAWN: usize = 6;
/// Neighbours of one end, and of both, that are kept at most.
const OWN: usize = 9;
const COMMON: usize = 4;
/// Probabilities closer than this, relative to the first, count as equal.
const TIED: f64 = 1e-3;

/// What was found among edges.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeFindings {
    /// Probability of every observed edge, in the order of [`crate::graph::Graph::edge_list`].
    pub observed: Vec<f64>,
    /// Observed, least likely first.
    pub suspicious: Vec<EdgeFinding>,
    /// How many of these have the same probability as the first.
    pub tied: usize,
    /// Unobserved, most likely first.
    pub missing: Vec<EdgeFinding>,
    /// How many of them are right, where the ground truth is known.
    pub precision: Option<EdgePrecision>,
    /// Around the first suspicious edges, in their order.
    pub neighbourhoods: Vec<Neighbourhood>,
}

/// A pair of nodes with its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeFinding {
    /// The two nodes, the smaller first.
    pub nodes: [u32; 2],
    /// Their ids.
    pub names: [String; 2],
    /// What is predicted of each: a class, or a number.
    pub predicted: [String; 2],
    /// The posterior probability that the edge exists.
    pub probability: f64,
}

/// An edge and the neighbours of its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbourhood {
    /// The ends.
    pub ends: [Neighbour; 2],
    /// Neighbours of both.
    pub common: Vec<Neighbour>,
    /// Neighbours of one alone.
    pub own: [Vec<Neighbour>; 2],
    /// Neighbours that are not listed.
    pub more: usize,
    /// The posterior probability that the edge exists.
    pub probability: f64,
}

/// A node in a neighbourhood.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbour {
    /// Its id.
    pub name: String,
    /// What is predicted of it.
    pub predicted: String,
    /// The class predicted; `None` for numbers.
    pub class: Option<u32>,
}

impl EdgeFindings {
    /// What the fit found; `None` where it takes the graph for granted. Ranks all observed edges, and searches the
    /// pairs once.
    pub fn of(data: &Dataset, fit: &Fit) -> Option<Self> {
        let (graph, beliefs) = (&data.graph, fit.beliefs.as_ref()?);
        let mut ranked: Vec<BelievedPair> =
            graph.edge_list().map(|(a, b)| BelievedPair { a, b, p: beliefs.edge_probability(a, b) }).collect();
        let observed = ranked.iter().map(|pair| pair.p).collect();
        // Stable, so that ties keep the order of the nodes.
        ranked.sort_by(|one, other| one.p.total_cmp(&other.p));
        let wanted = data.truth.as_ref().map_or(MISSING, |truth| EdgePrecision::pairs(truth).max(MISSING));
        let likely = beliefs.most_likely_unobserved(graph, wanted);
        let nodes = Nodes { data, predictions: &fit.predictions };
        let missing = likely.iter().take(MISSING).filter(|pair| pair.p > 0.0);
        let first = ranked.first().map_or(0.0, |pair| pair.p);
        let same = |pair: &&BelievedPair| (pair.p - first).abs() <= TIED * first;
        Some(Self {
            observed,
            suspicious: ranked.iter().take(SUSPICIOUS).map(|pair| nodes.finding(pair)).collect(),
            tied: ranked.iter().take(SUSPICIOUS).take_while(same).count(),
            missing: missing.map(|pair| nodes.finding(pair)).collect(),
            precision: EdgePrecision::of(data, &ranked, &likely),
            neighbourhoods: ranked.iter().take(DRAWN).map(|pair| nodes.around(pair)).collect(),
        })
    }
}

/// Nodes with the words for them.
struct Nodes<'a> {
    data: &'a Dataset,
    predictions: &'a Predictions,
}

impl Nodes<'_> {
    fn name(&self, a: u32) -> String {
        self.data.ids.name(a).into_owned()
    }

    fn class(&self, a: u32) -> Option<u32> {
        self.predictions.classes().map(|posterior| posterior.prediction(a))
    }

    fn predicted(&self, a: u32) -> String {
        match (self.predictions, &self.data.labels) {
            (Predictions::Values(values), _) => format!("{:.3}", values.mean[a as usize]),
            (Predictions::Classes(posterior), Labels::Classes { names, .. }) => {
                names[posterior.prediction(a) as usize].clone()
            }
            (Predictions::Classes(posterior), Labels::Values(_)) => posterior.prediction(a).to_string(),
        }
    }

    fn finding(&self, pair: &BelievedPair) -> EdgeFinding {
        let nodes = [pair.a, pair.b];
        let (names, predicted) = (nodes.map(|a| self.name(a)), nodes.map(|a| self.predicted(a)));
        EdgeFinding { nodes, names, predicted, probability: pair.p }
    }

    fn neighbour(&self, a: u32) -> Neighbour {
        Neighbour { name: self.name(a), predicted: self.predicted(a), class: self.class(a) }
    }

    fn around(&self, pair: &BelievedPair) -> Neighbourhood {
        let graph = &self.data.graph;
        let mut more = 0;
        let mut kept = |nodes: Vec<u32>, most: usize| -> Vec<Neighbour> {
            more += nodes.len().saturating_sub(most);
            nodes.into_iter().take(most).map(|a| self.neighbour(a)).collect()
        };
        let of = |end: u32, other: u32, both: bool| {
            let near = graph.neighbours(end).iter().copied();
            near.filter(|&c| c != other && graph.has_edge(c, other) == both).collect()
        };
        let (a, b) = (pair.a, pair.b);
        let common = kept(of(a, b, true), COMMON);
        let own = [kept(of(a, b, false), OWN), kept(of(b, a, false), OWN)];
        Neighbourhood { ends: [a, b].map(|end| self.neighbour(end)), common, own, more, probability: pair.p }
    }
}
