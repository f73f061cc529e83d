//! Why an edge is doubted: the terms of its log-odds, put into words.

use super::{JudgedEdge, MissedPair};
use crate::data::{Dataset, Features, Labels};
use crate::posterior::Predictions;
use std::fmt::Write as _;

/// How many groups of evidence there are.
pub const GROUPS: usize = 6;

/// A group of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Whether the features of both are alike.
    Features,
    /// Whether each is like the other's neighbours.
    Surroundings,
    /// Common neighbours.
    CommonNeighbours,
    /// How many neighbours both have.
    Degrees,
    /// Whether their predicted classes link.
    Classes,
    /// Whether their predicted classes link with those around the other.
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
    /// "share no word", say.
    pub words: String,
    /// What it adds to the log-odds.
    pub term: f64,
}

/// What reasons are worded with.
#[derive(Clone, Copy, Debug)]
pub struct Wording<'a> {
    /// The graph, the features, the names of the classes.
    pub data: &'a Dataset,
    /// What is predicted; `None` where nothing is.
    pub predictions: Option<&'a Predictions>,
}

/// A term smaller than this is not told in lists; in sums it counts.
const SMALL: f64 = 0.005;

impl Wording<'_> {
    /// The reasons of an observed edge, the strongest first; with the log-odds of an average edge they sum to its
    /// log-odds of being spurious.
    pub fn of_edge(&self, edge: &JudgedEdge) -> Vec<Reason> {
        if edge.blind {
            let words = "cannot tell: no other neighbour, and one end without features and label".into();
            return vec![Reason { words, term: 0.0 }];
        }
        self.reasons((edge.a, edge.b), &edge.terms, 1.0)
    }

    /// The reasons of an unobserved pair; with the log-odds of an average pair they sum to those of being missed.
    pub fn of_pair(&self, pair: &MissedPair) -> Vec<Reason> {
        self.reasons((pair.a, pair.b), &pair.terms, -1.0)
    }

    /// `average edge -3.12; share no word +1.90; …`: the numbers sum to the log-odds, up to rounding.
    pub fn text_of_edge(&self, edge: &JudgedEdge) -> String {
        let first = if edge.blind { "all edges" } else { "average edge" };
        text(first, edge.average(), &self.of_edge(edge))
    }

    /// The same of an unobserved pair.
    pub fn text_of_pair(&self, pair: &MissedPair) -> String {
        text("average pair", pair.average(), &self.of_pair(pair))
    }

    /// `doubt` is 1 where terms speak against an edge, −1 where they speak for it.
    fn reasons(&self, (a, b): (u32, u32), terms: &[f32; GROUPS], doubt: f64) -> Vec<Reason> {
        let told = Group::ALL.into_iter().zip(terms).filter(|(_, term)| term.abs() as f64 >= SMALL);
        let mut reasons: Vec<Reason> = told
            .map(|(group, &term)| {
                let term = f64::from(term);
                Reason { words: self.words(group, a, b, doubt * term > 0.0), term }
            })
            .collect();
        reasons.sort_by(|x, y| y.term.abs().total_cmp(&x.term.abs()));
        reasons
    }

    fn words(&self, group: Group, a: u32, b: u32, against: bool) -> String {
        let graph = &self.data.graph;
        let either = |against_text: &str, for_text: &str| if against { against_text } else { for_text }.to_owned();
        match group {
            Group::Features => match self.shared_words(a, b) {
                Some(0) => "share no word".into(),
                Some(1) => "share 1 word".into(),
                Some(n) => format!("share {n} words"),
                None => either("features differ", "features are alike"),
            },
            Group::Surroundings => either("unlike each other's neighbours", "like each other's neighbours"),
            Group::CommonNeighbours => {
                match graph.neighbours(a).iter().filter(|&&c| c != b && graph.has_edge(c, b)).count() {
                    0 => "no common neighbour".into(),
                    1 => "1 common neighbour".into(),
                    n => format!("{n} common neighbours"),
                }
            }
            Group::Degrees => {
                let joined = usize::from(graph.has_edge(a, b));
                let [x, y] = [a, b].map(|end| graph.degree(end) - joined);
                let other = if joined == 1 { " other" } else { "" };
                let s = if x == 1 && y == 1 { "" } else { "s" };
                format!("{x} and {y}{other} neighbour{s}")
            }
            Group::Classes => self.class_words(a, b, against),
            Group::NeighbourClasses => match self.predictions {
                Some(Predictions::Values(_)) => either("far from the numbers around", "close to the numbers around"),
                _ => either("classes do not fit around", "classes fit around"),
            },
        }
    }

    fn class_words(&self, a: u32, b: u32, against: bool) -> String {
        let class = |end: u32| match (self.predictions, &self.data.labels) {
            (Some(Predictions::Classes(posterior)), Labels::Classes { names, .. }) => {
                Some(names[posterior.prediction(end) as usize].as_str())
            }
            (None, Labels::Classes { names, .. }) => {
                self.data.labels.class(end).map(|class| names[class as usize].as_str())
            }
            _ => None,
        };
        match (class(a), class(b)) {
            (Some(x), Some(y)) if x == y && against => format!("{x} rarely links within"),
            (Some(x), Some(y)) if x == y => format!("both {x}"),
            (Some(x), Some(y)) => {
                let (x, y) = if x < y { (x, y) } else { (y, x) };
                format!("{x} and {y} {}", if against { "rarely link" } else { "often link" })
            }
            _ if matches!(self.data.labels, Labels::Values(_)) => {
                (if against { "numbers are far apart" } else { "numbers are close" }).into()
            }
            _ => (if against { "a class is unknown" } else { "classes may link" }).into(),
        }
    }

    /// Words that both have; `None` where features are no words.
    fn shared_words(&self, a: u32, b: u32) -> Option<usize> {
        let Features::Sparse(rows) = &self.data.features else { return None };
        let (x, y) = (rows.row(a as usize).0, rows.row(b as usize).0);
        let (mut i, mut j, mut shared) = (0, 0, 0);
        while i < x.len() && j < y.len() {
            shared += usize::from(x[i] == y[j]);
            (i, j) = (i + usize::from(x[i] <= y[j]), j + usize::from(y[j] <= x[i]));
        }
        Some(shared)
    }
}

fn text(first: &str, average: f64, reasons: &[Reason]) -> String {
    let mut text = format!("{first} {average:+.2}");
    for Reason { words, term } in reasons {
        let _ = match *term == 0.0 {
            true => write!(text, "; {words}"),
            false => write!(text, "; {words} {term:+.2}"),
        };
    }
    text
}
