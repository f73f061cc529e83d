//! What is found among edges: which look wrong and why, which seem to be missing, and what surrounds them.

use super::EdgePrecision;
use crate::data::{Dataset, Labels};
use crate::links::{JudgedEdge, Links, MissedPair, RATE, Wording};
use crate::posterior::Predictions;
use serde_json::{Value, json};

/// Unobserved pairs that are listed.
const LIKELY: usize = 200;
/// Observed edges that are listed.
const SUSPICIOUS: usize = 100;
/// Suspicious edges whose neighbourhood is kept, and how many of the first are looked through for them.
const DRAWN: usize = 6;
const LOOKED: usize = 200;
/// Neighbours of one end, and of both, that are kept at most.
const OWN: usize = 9;
const COMMON: usize = 4;

/// What was found among edges.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeFindings {
    /// What is believed of every observed edge, and of pairs that may be missing.
    pub links: Links,
    /// Observed, the most suspicious first.
    pub suspicious: Vec<EdgeFinding>,
    /// How many of the first can be listed with a false discovery rate of [`RATE`].
    pub listed: usize,
    /// Unobserved, most likely first.
    pub missing: Vec<EdgeFinding>,
    /// How many of them are right, where the ground truth is known.
    pub precision: Option<EdgePrecision>,
    /// Around suspicious edges that have neighbours, no two alike.
    pub neighbourhoods: Vec<Neighbourhood>,
}

/// A pair of nodes with its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeFinding {
    /// The two nodes, the smaller first.
    pub nodes: [u32; 2],
    /// Their ids.
    pub names: [String; 2],
    /// What is predicted of each: a class, or a number; empty where nothing is.
    pub predicted: [String; 2],
    /// P(spurious) of an observed edge, P(missing) of another pair.
    pub probability: f64,
    /// Why: terms of the log-odds, in words.
    pub reasons: String,
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
    /// P(spurious) of the edge.
    pub p_spurious: f64,
    /// The strongest reason.
    pub reason: String,
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
    /// What is shown of links, with predictions where there are any.
    pub fn of(data: &Dataset, predictions: Option<&Predictions>, links: Links) -> Self {
        let wording = Wording { graph: &data.graph, ids: &data.ids, labels: &data.labels, predictions };
        let nodes = Nodes { data, predictions, wording };
        let missing = links.missing.iter().take(LIKELY);
        Self {
            suspicious: links.edges.iter().take(SUSPICIOUS).map(|edge| nodes.suspicious(edge)).collect(),
            listed: links.at_rate(RATE),
            missing: missing.map(|pair| nodes.missing(pair)).collect(),
            precision: EdgePrecision::of(data, &links),
            neighbourhoods: nodes.neighbourhoods(&links.edges),
            links,
        }
    }

    /// What is told of all edges together: ρ, decoys, lists, calibration, recall.
    pub fn summary(&self) -> Value {
        let links = &self.links;
        json!({
            "rho": links.rho,
            "decoys": links.decoys,
            "decoy_kind": links.decoy_kind,
            "with_predictions": links.with_predictions,
            "listed": self.listed,
            "calibration": links.calibration,
            "recall": links.recall,
            "lists": links.lists,
        })
    }
}

/// Nodes with the words for them.
struct Nodes<'a> {
    data: &'a Dataset,
    predictions: Option<&'a Predictions>,
    wording: Wording<'a>,
}

impl Nodes<'_> {
    fn name(&self, a: u32) -> String {
        self.data.ids.name(a).into_owned()
    }

    fn class(&self, a: u32) -> Option<u32> {
        match self.predictions {
            Some(predictions) => predictions.classes().map(|posterior| posterior.prediction(a)),
            None => self.data.labels.class(a),
        }
    }

    fn predicted(&self, a: u32) -> String {
        match (self.predictions, &self.data.labels) {
            (Some(Predictions::Values(values)), _) => format!("{:.3}", values.mean[a as usize]),
            (Some(Predictions::Classes(posterior)), Labels::Classes { names, .. }) => {
                names[posterior.prediction(a) as usize].clone()
            }
            (Some(Predictions::Classes(posterior)), Labels::Values(_)) => posterior.prediction(a).to_string(),
            (None, Labels::Classes { names, .. }) => {
                self.class(a).map_or(String::new(), |class| names[class as usize].clone())
            }
            (None, Labels::Values(of)) => of[a as usize].map_or(String::new(), |y| y.to_string()),
        }
    }

    fn finding(&self, nodes: [u32; 2], probability: f64, reasons: String) -> EdgeFinding {
        let (names, predicted) = (nodes.map(|a| self.name(a)), nodes.map(|a| self.predicted(a)));
        EdgeFinding { nodes, names, predicted, probability, reasons }
    }

    fn suspicious(&self, edge: &JudgedEdge) -> EdgeFinding {
        self.finding([edge.a, edge.b], edge.p_spurious(), self.wording.text_of_edge(edge))
    }

    fn missing(&self, pair: &MissedPair) -> EdgeFinding {
        self.finding([pair.a, pair.b], pair.p_missing(), self.wording.text_of_pair(pair))
    }

    fn neighbour(&self, a: u32) -> Neighbour {
        Neighbour { name: self.name(a), predicted: self.predicted(a), class: self.class(a) }
    }

    /// Around the first edges that tell something: both ends have other neighbours, and no end was drawn before.
    fn neighbourhoods(&self, edges: &[JudgedEdge]) -> Vec<Neighbourhood> {
        let graph = &self.data.graph;
        let mut ends: Vec<u32> = Vec::new();
        let mut drawn = Vec::new();
        let lively = |edge: &&JudgedEdge| !edge.blind && [edge.a, edge.b].iter().all(|&end| graph.degree(end) > 1);
        for edge in edges.iter().take(LOOKED).filter(lively) {
            if drawn.len() == DRAWN || [edge.a, edge.b].iter().any(|end| ends.contains(end)) {
                continue;
            }
            let around = self.around(edge);
            let look = |around: &Neighbourhood| {
                let classes = |of: &[Neighbour]| of.iter().map(|node| node.class).collect::<Vec<_>>();
                (classes(&around.ends), classes(&around.common), around.own.clone().map(|own| classes(&own)))
            };
            if drawn.iter().all(|other| look(other) != look(&around)) {
                ends.extend([edge.a, edge.b]);
                drawn.push(around);
            }
        }
        drawn
    }

    fn around(&self, edge: &JudgedEdge) -> Neighbourhood {
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
        let (a, b) = (edge.a, edge.b);
        let common = kept(of(a, b, true), COMMON);
        let own = [kept(of(a, b, false), OWN), kept(of(b, a, false), OWN)];
        let ends = [a, b].map(|end| self.neighbour(end));
        let reason = self.wording.of_edge(edge).into_iter().next().map_or(String::new(), |reason| reason.words);
        Neighbourhood { ends, common, own, more, p_spurious: edge.p_spurious(), reason }
    }
}
