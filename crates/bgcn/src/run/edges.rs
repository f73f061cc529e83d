//! Findings among edges: suspicious and missing ones, their reasons and neighbourhoods.

use super::EdgePrecision;
use bgcn_core::data::{Dataset, Labels};
use bgcn_core::links::{JudgedEdge, Links, MissedPair, RATE, Reasons, Wording};
use bgcn_core::posterior::Predictions;

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

/// Judged edges, of a run or of a graph by itself, with what names them and words their reasons.
#[derive(Clone, Copy, Debug)]
pub struct Edges<'a> {
    /// The graph, the ids, the labels.
    pub data: &'a Dataset,
    /// What is predicted of the nodes; `None` without a fit.
    pub predictions: Option<&'a Predictions>,
    /// What was found.
    pub links: &'a Links,
}

/// What is shown of edges.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeFindings<'a> {
    /// Every observed edge, and pairs that may be missing.
    pub links: &'a Links,
    /// Observed, the most suspicious first.
    pub suspicious: Vec<EdgeFinding>,
    /// How many of the first make a list with a false discovery rate of [`RATE`].
    pub listed: usize,
    /// Unobserved, most likely first.
    pub missing: Vec<EdgeFinding>,
    /// How many of them are right, where the ground truth is known.
    pub precision: Option<&'a EdgePrecision>,
    /// Around suspicious edges that have neighbours, without repetitions.
    pub neighbourhoods: Vec<Neighbourhood>,
}

/// A pair of nodes with its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeFinding {
    /// The two nodes, the smaller first.
    pub nodes: [u32; 2],
    /// Their ids.
    pub names: [String; 2],
    /// The texts that are shown beside the ids; empty without.
    pub called: [String; 2],
    /// What is predicted of each: a class, or a number; empty where nothing is.
    pub predicted: [String; 2],
    /// P(spurious) of an observed edge, P(missing) of another pair.
    pub probability: f64,
    /// Why: terms of the log-odds, in words.
    pub reasons: Reasons,
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
    /// The text that is shown beside the id; empty without.
    pub called: String,
    /// What is predicted of it.
    pub predicted: String,
    /// The class predicted; `None` for numbers.
    pub class: Option<u32>,
}

impl<'a> Edges<'a> {
    /// What summary and report show of them.
    pub(super) fn findings(&self, precision: Option<&'a EdgePrecision>) -> EdgeFindings<'a> {
        EdgeFindings {
            links: self.links,
            suspicious: self.observed().take(SUSPICIOUS).collect(),
            listed: self.links.at_rate(RATE),
            missing: self.missing().take(LIKELY).collect(),
            precision,
            neighbourhoods: self.neighbourhoods(),
        }
    }

    /// Every observed edge, the most suspicious first.
    pub fn observed(self) -> impl Iterator<Item = EdgeFinding> + use<'a> {
        self.links.edges.iter().map(move |edge| self.of_edge(edge))
    }

    /// Pairs without an edge, the most likely first.
    pub fn missing(self) -> impl Iterator<Item = EdgeFinding> + use<'a> {
        self.links.missing.iter().map(move |pair| self.of_pair(pair))
    }

    /// One observed edge.
    pub fn of_edge(self, edge: &JudgedEdge) -> EdgeFinding {
        self.finding([edge.a, edge.b], edge.p_spurious(), self.wording().of_edge(edge))
    }

    /// One pair without an edge.
    pub fn of_pair(self, pair: &MissedPair) -> EdgeFinding {
        self.finding([pair.a, pair.b], pair.p_missing(), self.wording().of_pair(pair))
    }

    fn wording(&self) -> Wording<'a> {
        let Dataset { graph, ids, labels, .. } = self.data;
        Wording { graph, ids, labels, predictions: self.predictions }
    }

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

    fn finding(&self, nodes: [u32; 2], probability: f64, reasons: Reasons) -> EdgeFinding {
        let predicted = |a| if self.predictions.is_some() { self.predicted(a) } else { String::new() };
        let (names, predicted) = (nodes.map(|a| self.name(a)), nodes.map(predicted));
        let called = nodes.map(|a| self.data.node_name(a).to_owned());
        EdgeFinding { nodes, names, called, predicted, probability, reasons }
    }

    fn neighbour(&self, a: u32) -> Neighbour {
        let called = self.data.node_name(a).to_owned();
        Neighbour { name: self.name(a), called, predicted: self.predicted(a), class: self.class(a) }
    }

    /// Around the first edges with evidence: both ends have other neighbours, and no end was drawn before.
    fn neighbourhoods(&self) -> Vec<Neighbourhood> {
        let (graph, edges) = (&self.data.graph, &self.links.edges);
        let mut ends: Vec<u32> = Vec::new();
        let mut drawn = Vec::new();
        let drawable = |edge: &&JudgedEdge| !edge.blind && [edge.a, edge.b].iter().all(|&end| graph.degree(end) > 1);
        for edge in edges.iter().take(LOOKED).filter(drawable) {
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
        let reason = self.wording().of_edge(edge).list.into_iter().next().map_or(String::new(), |reason| reason.words);
        Neighbourhood { ends, common, own, more, p_spurious: edge.p_spurious(), reason }
    }
}
