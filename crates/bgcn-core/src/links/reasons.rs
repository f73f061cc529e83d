//! The reasons of an edge: the terms of its log-odds, each with the facts behind it.
//!
//! Everything that is worded is in the graph, the ids, the labels, the predictions and the judged pair, so that a run
//! that is read back words the same reasons as the one that was fitted.

use super::{JudgedEdge, MissedPair};
use crate::data::{Labels, NodeIds};
use crate::graph::Graph;
use crate::posterior::Predictions;
use std::fmt;

/// How many groups of evidence there are.
pub const GROUPS: usize = 6;

/// A group of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The similarity of both features.
    Features,
    /// The similarity of each to the other's neighbours.
    Surroundings,
    /// Common neighbours.
    CommonNeighbours,
    /// Both degrees.
    Degrees,
    /// How often their predicted classes link.
    Classes,
    /// How often their predicted classes link with those of the other's neighbours.
    NeighbourClasses,
}

impl Group {
    /// All of them, in the order of [`JudgedEdge::terms`].
    pub const ALL: [Self; GROUPS] = [
        Self::Features,
        Self::Surroundings,
        Self::CommonNeighbours,
        Self::Degrees,
        Self::Classes,
        Self::NeighbourClasses,
    ];

    /// Of a column of the evidence.
    pub(super) fn of_column(column: usize) -> Self {
        [
            Self::Features,
            Self::Surroundings,
            Self::CommonNeighbours,
            Self::Degrees,
            Self::Degrees,
            Self::Classes,
            Self::NeighbourClasses,
            Self::Classes,
        ][column]
    }
}

/// One reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// Such as "share no word".
    pub words: String,
    /// What it adds to the log-odds.
    pub term: f64,
}

/// The reasons of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Reasons {
    of: &'static str,
    /// The log-odds of an average edge or pair.
    pub average: f64,
    /// What adds to them, the strongest first.
    pub list: Vec<Reason>,
}

/// What reasons are worded with.
#[derive(Clone, Copy, Debug)]
pub struct Wording<'a> {
    /// The observed graph.
    pub graph: &'a Graph,
    /// The names of the nodes.
    pub ids: &'a NodeIds,
    /// The names of the classes, and the known labels.
    pub labels: &'a Labels,
    /// What is predicted; `None` without a fit.
    pub predictions: Option<&'a Predictions>,
}

/// Smaller terms are left out of lists; in sums they count.
const SMALL: f64 = 0.005;
/// Classes of neighbours that are named, at most.
const NAMED: usize = 3;

impl<'a> Wording<'a> {
    /// The reasons of an observed edge; they sum to its log-odds of being spurious.
    pub fn of_edge(&self, edge: &JudgedEdge) -> Reasons {
        if edge.blind {
            let words = "insufficient evidence: no other neighbour, and one end without features and label".into();
            return Reasons { of: "all edges", average: edge.average(), list: vec![Reason { words, term: 0.0 }] };
        }
        let list = self.reasons((edge.a, edge.b), edge.shared_words, &edge.terms, 1.0);
        Reasons { of: "average edge", average: edge.average(), list }
    }

    /// The reasons of an unobserved pair; they sum to its log-odds of being missed.
    pub fn of_pair(&self, pair: &MissedPair) -> Reasons {
        let list = self.reasons((pair.a, pair.b), pair.shared_words, &pair.terms, -1.0);
        Reasons { of: "average pair", average: pair.average(), list }
    }

    /// `sign` is 1 for the log-odds of a spurious edge, −1 for those of a missed one.
    fn reasons(&self, pair: (u32, u32), shared: Option<u32>, terms: &[f32; GROUPS], sign: f64) -> Vec<Reason> {
        let large = Group::ALL.into_iter().zip(terms).filter(|(_, term)| term.abs() as f64 >= SMALL);
        let mut reasons: Vec<Reason> = large
            .map(|(group, &term)| {
                let term = f64::from(term);
                Reason { words: self.words(group, pair, shared, sign * term > 0.0), term }
            })
            .collect();
        reasons.sort_by(|x, y| y.term.abs().total_cmp(&x.term.abs()));
        reasons
    }

    /// `against`: the term lowers the probability of a true edge.
    fn words(&self, group: Group, (a, b): (u32, u32), shared: Option<u32>, against: bool) -> String {
        let either = |against_text: &str, for_text: &str| if against { against_text } else { for_text }.to_owned();
        match group {
            Group::Features => match shared {
                Some(0) => "share no word".into(),
                Some(1) => "share 1 word".into(),
                Some(n) => format!("share {n} words"),
                None => either("features differ", "similar features"),
            },
            Group::Surroundings => {
                either("features unlike each other's neighbours'", "features like each other's neighbours'")
            }
            Group::CommonNeighbours => {
                match self.graph.neighbours(a).iter().filter(|&&c| c != b && self.graph.has_edge(c, b)).count() {
                    0 => "no common neighbour".into(),
                    1 => "1 common neighbour".into(),
                    n => format!("{n} common neighbours"),
                }
            }
            Group::Degrees => self.degree_words(a, b, against),
            Group::Classes => self.class_words(a, b, against),
            Group::NeighbourClasses => match (self.predictions, self.labels) {
                (Some(Predictions::Values(_)), _) | (None, Labels::Values(_)) => {
                    either("numbers far from their neighbours'", "numbers close to their neighbours'")
                }
                _ => format!("{}; {}", self.classes_around(a, b), self.classes_around(b, a)),
            },
        }
    }

    /// Both degrees without the pair's own edge, called low or high where they are and the term agrees.
    fn degree_words(&self, a: u32, b: u32, against: bool) -> String {
        let joined = usize::from(self.graph.has_edge(a, b));
        let [x, y] = [a, b].map(|end| self.graph.degree(end) - joined);
        let (nodes, ends) = (self.graph.nodes(), 2 * self.graph.edges());
        let low = [x, y].iter().all(|degree| degree * nodes < ends);
        let high = [x, y].iter().all(|degree| degree * nodes > ends);
        match against {
            true if low => format!("low degrees ({x} and {y})"),
            false if high => format!("high degrees ({x} and {y})"),
            _ => format!("degrees {x} and {y}"),
        }
    }

    /// `27: 5 biology, 2 medicine`: the classes of a's neighbours other than b, the most frequent first.
    fn classes_around(&self, a: u32, b: u32) -> String {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        let (mut others, mut unknown) = (0, 0);
        for &c in self.graph.neighbours(a).iter().filter(|&&c| c != b) {
            others += 1;
            match self.class(c) {
                Some(name) => match counts.iter_mut().find(|(other, _)| *other == name) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((name, 1)),
                },
                None => unknown += 1,
            }
        }
        counts.sort_by(|x, y| y.1.cmp(&x.1).then(x.0.cmp(y.0)));
        let rest: usize = counts.iter().skip(NAMED).map(|(_, count)| count).sum();
        let mut parts: Vec<String> = counts.iter().take(NAMED).map(|(name, count)| format!("{count} {name}")).collect();
        parts.extend((rest > 0).then(|| format!("{rest} of other classes")));
        parts.extend((unknown > 0).then(|| format!("{unknown} unlabelled")));
        let parts = if others == 0 { "no other neighbour".to_owned() } else { parts.join(", ") };
        format!("{}: {parts}", self.ids.name(a))
    }

    fn class_words(&self, a: u32, b: u32, against: bool) -> String {
        match (self.class(a), self.class(b)) {
            (Some(x), Some(y)) if x == y && against => "same class, weaker tie than average".into(),
            (Some(x), Some(y)) if x == y => format!("both {x}"),
            (Some(x), Some(y)) => {
                let (x, y) = if x < y { (x, y) } else { (y, x) };
                format!("{x} and {y} {}", if against { "rarely link" } else { "often link" })
            }
            _ if matches!(self.labels, Labels::Values(_)) => {
                (if against { "numbers far apart" } else { "numbers close" }).into()
            }
            _ => "class of one end unknown".into(),
        }
    }

    /// The predicted class; without a fit, the known one.
    fn class(&self, a: u32) -> Option<&'a str> {
        let Labels::Classes { names, .. } = self.labels else { return None };
        let class = match self.predictions {
            Some(predictions) => Some(predictions.classes()?.prediction(a)),
            None => self.labels.class(a),
        };
        class.map(|class| names[class as usize].as_str())
    }
}

impl fmt::Display for Reasons {
    /// `average edge -3.12; share no word +1.90; …`: the numbers sum to the log-odds, up to rounding.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:+.2}", self.of, self.average)?;
        self.list.iter().try_for_each(|Reason { words, term }| match *term == 0.0 {
            true => write!(f, "; {words}"),
            false => write!(f, "; {words} {term:+.2}"),
        })
    }
}
