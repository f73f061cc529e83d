//! Evidence of a pair by predicted classes, or numbers.
//! Symbols: p [n, k] the class probabilities with known labels put in; B [k, k] how much more often two classes link
//! than random nodes do; q_a\b the mean of p over the neighbours of a other than b.
//!
//! ```text
//! own          ln Σ_kl p_ak B_kl p_bl
//! around       ln Σ_kl q_a\b,k B_kl p_bl + ln Σ_kl q_b\a,k B_kl p_al
//! ```
//!
//! B has which classes attract each other, whether they are the same or not. It is the most likely one given p, found
//! by expectation maximisation over the edges.

use crate::data::{Labels, Split};
use crate::graph::Graph;
use crate::metrics::largest;
use crate::posterior::Predictions;
use rayon::prelude::*;

// Numerical, and limits of work.
/// Keeps the logarithms finite.
const FLOOR: f32 = 0.01;
/// Rounds of expectation maximisation.
const ROUNDS: usize = 15;
/// Edges times k² that a round looks at, at most.
const WORK: usize = 20_000_000;
/// Edges that a round looks at, at most.
const EDGES: usize = 20_000;
/// Prior: half a link in all, spread over the pairs of classes.
const PSEUDO: f64 = 0.5;
/// Nodes that one thread takes at a time.
const BLOCK: usize = 4096;

/// What is predicted of the nodes, ready for pairs.
pub(super) enum Side {
    Classes(Classes),
    Values(Values),
}

pub(super) struct Classes {
    k: usize,
    /// [n, k]
    p: Vec<f32>,
    /// p B, [n, k]
    pb: Vec<f32>,
    /// Sums of p over neighbours, [n, k].
    around: Vec<f32>,
}

pub(super) struct Values {
    /// In standard deviations.
    y: Vec<f32>,
    /// Sums over neighbours.
    around: Vec<f32>,
}

impl Side {
    /// The predictions with the training labels put in as known. B is learned from all edges of the graph.
    pub(super) fn of(graph: &Graph, predictions: &Predictions, (labels, split): (&Labels, &Split)) -> Self {
        match predictions {
            Predictions::Classes(posterior) => {
                let (k, mut p) = (posterior.classes, posterior.probabilities.clone());
                for &a in &split.train {
                    if let Some(class) = labels.class(a) {
                        put(&mut p[a as usize * k..][..k], class);
                    }
                }
                Self::Classes(Classes::new(graph, p, k))
            }
            Predictions::Values(values) => {
                let mut y = values.mean.clone();
                if let Labels::Values(of) = labels {
                    for &a in &split.train {
                        y[a as usize] = of[a as usize].map_or(y[a as usize], f64::from);
                    }
                }
                Self::Values(Values::new(graph, &y))
            }
        }
    }

    /// Known labels alone, where nothing is predicted: a node without one is of any class, or has the mean number.
    /// `None` where too little is known.
    pub(super) fn of_labels(graph: &Graph, labels: &Labels) -> Option<Self> {
        let n = labels.known() as f64;
        match labels {
            _ if labels.known() < 2 => None,
            Labels::Classes { of, names } => {
                let k = names.len();
                let share: Vec<f32> = labels.class_counts().iter().map(|&count| (count as f64 / n) as f32).collect();
                let mut p = share.repeat(of.len());
                for (row, class) in p.chunks_exact_mut(k).zip(of) {
                    if let Some(class) = class {
                        put(row, *class);
                    }
                }
                (k > 1).then(|| Self::Classes(Classes::new(graph, p, k)))
            }
            Labels::Values(of) => {
                let mean = of.iter().flatten().map(|&y| f64::from(y)).sum::<f64>() / n;
                let y: Vec<f64> = of.iter().map(|y| y.map_or(mean, f64::from)).collect();
                Some(Self::Values(Values::new(graph, &y)))
            }
        }
    }

    /// The column `own` of a pair.
    pub(super) fn own(&self, a: u32, b: u32) -> f32 {
        match self {
            Self::Classes(classes) => classes.attraction(&classes.p, a, b).ln(),
            Self::Values(Values { y, .. }) => -(y[a as usize] - y[b as usize]).abs(),
        }
    }

    /// The columns `own` and `around` of a pair.
    pub(super) fn columns(&self, graph: &Graph, a: u32, b: u32) -> [f32; 2] {
        let joined = graph.has_edge(a, b);
        let near = |a: u32, b: u32| match (graph.degree(a) - usize::from(joined)) as f32 {
            0.0 => 0.0,
            others => match self {
                Self::Classes(classes) => classes.near(a, b, others, joined),
                Self::Values(values) => values.near(a, b, others, joined),
            },
        };
        [self.own(a, b), near(a, b) + near(b, a)]
    }

    /// Of each node, the class whose nodes attract it most; `None` for numbers.
    pub(super) fn attracted_by(&self) -> Option<(usize, Vec<u32>)> {
        let Self::Classes(classes) = self else { return None };
        Some((classes.k, classes.pb.chunks_exact(classes.k).map(|row| largest(row) as u32).collect()))
    }

    /// Of each node, its likeliest class; `None` for numbers.
    pub(super) fn likeliest(&self) -> Option<Vec<u32>> {
        let Self::Classes(classes) = self else { return None };
        Some(classes.p.chunks_exact(classes.k).map(|row| largest(row) as u32).collect())
    }
}

impl Classes {
    fn new(graph: &Graph, p: Vec<f32>, k: usize) -> Self {
        let affinity = affinity(&p, k, graph);
        let mut pb = vec![0.0f32; p.len()];
        pb.par_chunks_mut(k).zip(p.par_chunks(k)).for_each(|(out, row)| {
            for (j, p) in row.iter().enumerate() {
                out.iter_mut().zip(&affinity[j * k..]).for_each(|(out, b)| *out += p * *b as f32);
            }
        });
        let around = sums(graph, &p, k);
        Self { k, p, pb, around }
    }

    fn row<'a>(&self, rows: &'a [f32], a: u32) -> &'a [f32] {
        &rows[a as usize * self.k..][..self.k]
    }

    /// Σ_kl x_ak B_kl p_bl, and a little more.
    fn attraction(&self, x: &[f32], a: u32, b: u32) -> f32 {
        dot(self.row(x, a), self.row(&self.pb, b)) + FLOOR
    }

    fn near(&self, a: u32, b: u32, others: f32, joined: bool) -> f32 {
        let mut sum = dot(self.row(&self.around, a), self.row(&self.pb, b));
        if joined {
            sum -= dot(self.row(&self.p, b), self.row(&self.pb, b));
        }
        ((sum / others).max(0.0) + FLOOR).ln()
    }
}

impl Values {
    fn new(graph: &Graph, y: &[f64]) -> Self {
        let n = y.len().max(1) as f64;
        let mean = y.iter().sum::<f64>() / n;
        let sd = (y.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt().max(f64::MIN_POSITIVE);
        let y: Vec<f32> = y.iter().map(|v| ((v - mean) / sd) as f32).collect();
        let around = sums(graph, &y, 1);
        Self { y, around }
    }

    fn near(&self, a: u32, b: u32, others: f32, joined: bool) -> f32 {
        let y = self.y[b as usize];
        let sum = self.around[a as usize] - if joined { y } else { 0.0 };
        -(sum / others - y).abs()
    }
}

fn put(row: &mut [f32], class: u32) {
    row.fill(0.0);
    row[class as usize] = 1.0;
}

fn dot(x: &[f32], y: &[f32]) -> f32 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Sums of the rows [n, k] over neighbours.
fn sums(graph: &Graph, rows: &[f32], k: usize) -> Vec<f32> {
    let mut sums = vec![0.0; rows.len()];
    sums.par_chunks_mut(k * BLOCK).enumerate().for_each(|(block, part)| {
        for (a, sum) in ((block * BLOCK) as u32..).zip(part.chunks_exact_mut(k)) {
            for &b in graph.neighbours(a) {
                sum.iter_mut().zip(&rows[b as usize * k..][..k]).for_each(|(sum, v)| *sum += v);
            }
        }
    });
    sums
}

/// B [k, k], of mean 1 over random pairs of nodes.
fn affinity(p: &[f32], k: usize, graph: &Graph) -> Vec<f64> {
    let n = (p.len() / k).max(1) as f64;
    let mut share = vec![0.0f64; k];
    p.chunks_exact(k).for_each(|row| share.iter_mut().zip(row).for_each(|(share, &p)| *share += f64::from(p) / n));
    let most = (WORK / (k * k)).clamp(1, EDGES);
    let step = graph.edges().div_ceil(most).max(1);
    let edges: Vec<(u32, u32)> = graph.edge_list().step_by(step).collect();
    let mut b = vec![1.0f64; k * k];
    for _ in 0..ROUNDS {
        let mut counts = vec![PSEUDO / (k * k) as f64; k * k];
        for &(x, y) in &edges {
            let (px, py) = (&p[x as usize * k..][..k], &p[y as usize * k..][..k]);
            let joint = |i: usize, j: usize| f64::from(px[i]) * b[i * k + j] * f64::from(py[j]);
            let total: f64 = (0..k).map(|i| (0..k).map(|j| joint(i, j)).sum::<f64>()).sum();
            if total > 0.0 {
                for i in 0..k {
                    for j in 0..k {
                        let half = 0.5 * joint(i, j) / total;
                        counts[i * k + j] += half;
                        counts[j * k + i] += half;
                    }
                }
            }
        }
        let total: f64 = counts.iter().sum();
        for i in 0..k {
            for j in 0..k {
                b[i * k + j] = counts[i * k + j] / total / (share[i] * share[j]).max(1e-12);
            }
        }
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    // Six nodes of two classes; every edge joins one of each.
    #[test]
    fn classes_that_attract_others_are_known() {
        let graph = Graph::from_edges(6, &[(0, 3), (1, 4), (2, 5), (0, 4), (1, 5)]).unwrap();
        let of = [0, 0, 0, 1, 1, 1].map(Some).to_vec();
        let labels = Labels::Classes { names: vec!["x".into(), "y".into()], of };
        let side = Side::of_labels(&graph, &labels).unwrap();
        // Half a link is taken for seen: within a class 1/8 of 5.5 links, where chance has a quarter.
        assert!((side.own(0, 5) - (5.25f32 / 2.0 / 5.5 / 0.25 + FLOOR).ln()).abs() < 1e-4, "{}", side.own(0, 5));
        assert!((side.own(0, 1) - (0.125f32 / 5.5 / 0.25 + FLOOR).ln()).abs() < 1e-4, "{}", side.own(0, 1));
        assert_eq!(side.attracted_by().unwrap().1, [1, 1, 1, 0, 0, 0]);
        assert_eq!(side.likeliest().unwrap(), [0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn a_pairs_own_edge_is_no_evidence_for_it() {
        let labels = Labels::Classes { names: vec!["x".into(), "y".into()], of: vec![Some(0), Some(1), Some(0)] };
        let with = Graph::from_edges(3, &[(0, 1), (0, 2)]).unwrap();
        let without = Graph::from_edges(3, &[(0, 2)]).unwrap();
        let p = vec![0.8, 0.2, 0.3, 0.7, 0.6, 0.4];
        let columns = |graph: &Graph| {
            let around = sums(graph, &p, 2);
            let side = Side::Classes(Classes { k: 2, pb: p.clone(), p: p.clone(), around });
            side.columns(graph, 0, 1)
        };
        assert_eq!(columns(&with)[0], columns(&without)[0]);
        assert!((columns(&with)[1] - columns(&without)[1]).abs() < 1e-6);
        assert!(Side::of_labels(&with, &Labels::Values(vec![None; 3])).is_none() && labels.known() == 3);
    }
}
