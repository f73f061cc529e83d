//! q(z), a distribution over block labels for every node, by mean-field variational EM in linear time.
//! Paper: "variational inference" among the ways to approximate p(λ | G_obs); the label prior is the network's output,
//! as Algorithm 1 starts from it.
//! Differs: labels instead of mixed memberships; non-edges enter through sums over blocks, so nothing is sampled or
//! left out.
//! Symbols: `q` [n, k], rows sum to 1; `theta` `[n]` weights of the nodes (1 in the plain model); `b` [k, k];
//! T_k = Σ_a theta_a q_ak; p_a the belief, whose power κ is the prior of z_a.
//!
//! The log-likelihood of a pair in blocks k, l is y u_kl + theta_a theta_b w_kl (up to a constant), with
//! u = log(B / (1 − B)), w = log(1 − B) for Bernoulli links at theta = 1, and u = log B, w = −B for Poisson ones. Given
//! all others, the best q_a is proportional to
//!
//! ```text
//! p_ak^κ exp( Σ_l u_kl Σ_{b ~ a} q_bl + theta_a Σ_l w_kl (T_l − theta_a q_al) )
//! ```
//!
//! which costs O(degree K + K²). Nodes are visited in order and T follows at once: each visit raises the lower bound,
//! also a damped one, since along q^(1−s) q*^s the divergence from q* only falls. B follows in closed form. So a round
//! never lowers the bound; what it finds depends on the order of the nodes, as with every coordinate ascent.

use super::matrix::{BlockPrior, Counts};
use super::memberships::{LEAST_PI, LEAST_RATE, Memberships, fits};
use crate::graph::Graph;
use crate::graph_model::{Belief, BlockMatrix, Error, Parameters, Progress, Report};
use crate::kernels::Aligned;
use crate::rng::{Random as _, Stream};

/// The likelihood of a link between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likelihood {
    /// y ~ Bernoulli(B).
    Bernoulli,
    /// y ~ Poisson(theta_a theta_b B).
    Poisson,
}

impl Likelihood {
    /// u and w.
    fn terms(self, rate: f64) -> [f64; 2] {
        match self {
            Self::Bernoulli => [(rate / (1.0 - rate)).ln(), (-rate).ln_1p()],
            Self::Poisson => [rate.ln(), -rate],
        }
    }

    /// The largest rate.
    fn most(self) -> f64 {
        match self {
            Self::Bernoulli => 1.0 - LEAST_RATE,
            Self::Poisson => f64::MAX,
        }
    }
}

/// Times the edges and nodes of the graph that a draw may have in edges.
const FAR_MORE: f64 = 16.0;

/// Settings that both label models have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) likelihood: Likelihood,
    /// κ.
    pub(crate) prior_strength: f64,
    /// s.
    pub(crate) damping: f64,
    /// c.
    pub(crate) pseudo_pairs: f64,
    pub(crate) trace_every: usize,
    pub(crate) stop_below: f64,
}

/// q(z), B, and what they were found from.
#[derive(Clone, Debug)]
pub(crate) struct LabelPosterior<'g> {
    pub(crate) graph: &'g Graph,
    settings: Settings,
    theta: Vec<f32>,
    q: Memberships,
    /// κ log p [n, stride].
    log_prior: Aligned,
    b: BlockMatrix,
    /// B given everyone's likeliest label.
    hard: BlockMatrix,
    prior: BlockPrior,
    /// Iterations since the start.
    t: usize,
}

impl<'g> LabelPosterior<'g> {
    /// Before any belief: every node may be in each of `k` blocks.
    pub(crate) fn new(graph: &'g Graph, k: usize, theta: Vec<f32>, settings: Settings) -> Self {
        let q = Memberships::even(graph.nodes(), k);
        let counts = Counts::given(graph, &q.labels(), k, &theta);
        let prior = BlockPrior { density: counts.density(), pseudo_pairs: settings.pseudo_pairs };
        let b = counts.rates(prior, settings.likelihood.most());
        let hard = b.clone();
        let mut new = Self { graph, settings, theta, q, log_prior: Aligned::default(), b, hard, prior, t: 0 };
        new.begin();
        new
    }

    /// Starts again at a belief, which is also the prior.
    pub(crate) fn restart(&mut self, belief: Belief<'_>) -> Result<(), Error> {
        self.q = Memberships::of_belief(belief, self.graph, self.q.k())?;
        self.begin();
        Ok(())
    }

    /// Goes on from q and B as they were kept in files; q is the prior from now on.
    pub(crate) fn resume(&mut self, parameters: &Parameters) -> Result<(), Error> {
        let (b, q) =
            BlockMatrix::of_parameters(parameters, "q", self.settings.likelihood.most()).map_err(Error::start)?;
        fits((q.n(), q.k()), self.graph, self.q.k())?;
        self.q = q;
        self.begin();
        self.b = b;
        self.check_edges()
    }

    /// A draw has about ½ Θᵀ B Θ edges, Θ_k = Σ_a θ_a q_ak: about as many as the graph that was fitted. Far more come
    /// from changed files, and might never end.
    fn check_edges(&self) -> Result<(), Error> {
        let (k, n) = (self.q.k(), self.graph.nodes() as f64);
        let most = FAR_MORE * (self.graph.edges() as f64 + n);
        let mut weights = vec![0.0; k];
        for (a, &theta) in (0..).zip(&self.theta) {
            self.q.row(a).iter().zip(&mut weights).for_each(|(&q, sum)| *sum += f64::from(theta) * f64::from(q));
        }
        let mut times = vec![0.0; k];
        for b in [&self.b, &self.hard] {
            b.times(&weights, &mut times);
            let edges = 0.5 * weights.iter().zip(&times).map(|(x, y)| x * y).sum::<f64>();
            if edges.is_nan() || edges > most {
                return Err(Error::start(format!(
                    "its rates and weights of nodes would draw {edges:.3e} edges among {n} nodes; the files were changed"
                )));
            }
        }
        Ok(())
    }

    /// The prior from q; B from the strongest labels, for an unsure network's belief would blur the blocks.
    fn begin(&mut self) {
        self.t = 0;
        self.log_prior = Aligned::zeros(self.q.padded().len());
        let (k, stride, strength) = (self.q.k(), self.q.stride(), self.settings.prior_strength);
        for (to, a) in self.log_prior.chunks_exact_mut(stride).zip(0..) {
            let row = self.q.row(a).iter().map(|&p| (strength * f64::from(p).ln()) as f32);
            to[..k].iter_mut().zip(row).for_each(|(to, x)| *to = x);
        }
        self.hard = self.blocks_of(&self.q.labels());
        self.b = self.hard.clone();
    }

    /// Rounds of sweep and B, as [`super::GraphModel::infer`] asks.
    pub(crate) fn infer(&mut self, iterations: usize) -> Report {
        let mut report = Report::default();
        for _ in 0..iterations {
            let moved = self.sweep();
            self.b =
                Counts::expected(self.graph, &self.q, &self.theta).rates(self.prior, self.settings.likelihood.most());
            self.t += 1;
            report.iterations += 1;
            if self.settings.trace_every > 0 && self.t.is_multiple_of(self.settings.trace_every) {
                let log_posterior = self.lower_bound();
                report.trace.push(Progress { iteration: self.t, log_posterior, held_out: None });
            }
            if moved < self.settings.stop_below {
                report.stopped_early = report.iterations < iterations;
                break;
            }
        }
        self.hard = self.blocks_of(&self.q.labels());
        report
    }

    /// Visits every node once; the largest change of a probability.
    pub(crate) fn sweep(&mut self) -> f64 {
        let (k, stride, damping) = (self.q.k(), self.q.stride(), self.settings.damping);
        let likelihood = self.settings.likelihood;
        let [u, w] = [0, 1].map(|i| self.b.map(|rate| likelihood.terms(rate)[i]));
        let mut total = vec![0.0; k]; // T
        for (a, &theta) in (0..).zip(&self.theta) {
            total.iter_mut().zip(self.q.row(a)).for_each(|(t, &q)| *t += f64::from(theta) * f64::from(q));
        }
        let [mut near, mut rest, mut score] = [(); 3].map(|()| vec![0.0; k]);
        let mut moved = 0f64;
        for a in 0..self.q.n() as u32 {
            near.fill(0.0);
            for &b in self.graph.neighbours(a) {
                near.iter_mut().zip(self.q.row(b)).for_each(|(near, &q)| *near += f64::from(q));
            }
            let theta = f64::from(self.theta[a as usize]);
            for ((rest, t), &q) in rest.iter_mut().zip(&total).zip(self.q.row(a)) {
                *rest = theta * (t - theta * f64::from(q));
            }
            let start = a as usize * stride;
            for (i, score) in score.iter_mut().enumerate() {
                let (u, w) = (&u[i * k..(i + 1) * k], &w[i * k..(i + 1) * k]);
                let links: f64 = u.iter().zip(&near).map(|(u, near)| u * near).sum();
                let pairs: f64 = w.iter().zip(&rest).map(|(w, rest)| w * rest).sum();
                *score = f64::from(self.log_prior[start + i]) + links + pairs;
            }
            let row = &mut self.q.padded_mut()[start..start + k];
            moved = moved.max(move_row(row, &mut score, damping, |i, change| total[i] += theta * change));
        }
        moved
    }

    /// The lower bound of log p(G_obs, B), up to a constant; O(E K + N K²).
    pub(crate) fn lower_bound(&self) -> f64 {
        let counts = Counts::expected(self.graph, &self.q, &self.theta);
        let BlockPrior { density, pseudo_pairs } = self.prior;
        let block = |(i, l): (usize, usize)| {
            let [u, w] = self.settings.likelihood.terms(self.b.get(i, l));
            let at = i * counts.k + l;
            (counts.links[at] + pseudo_pairs * density) * u + (counts.pairs[at] + pseudo_pairs) * w
        };
        let labels = |a: u32| -> f64 {
            let prior = &self.log_prior[a as usize * self.q.stride()..];
            let terms =
                self.q.row(a).iter().zip(prior).map(|(&q, &p)| f64::from(q) * (f64::from(p) - f64::from(q).ln()));
            terms.sum()
        };
        counts.upper().map(block).sum::<f64>() + (0..self.q.n() as u32).map(labels).sum::<f64>()
    }

    /// B given one label for every node.
    fn blocks_of(&self, labels: &[u32]) -> BlockMatrix {
        let counts = Counts::given(self.graph, labels, self.q.k(), &self.theta);
        counts.rates(self.prior, self.settings.likelihood.most())
    }

    /// A label for every node, drawn from q.
    pub(crate) fn sample_labels(&self, stream: &mut Stream) -> Vec<u32> {
        let mut random = stream.fast();
        let draw = |a: u32| {
            let mut left = random.unit() as f32;
            let row = self.q.row(a);
            let found = row.iter().position(|&q| {
                left -= q;
                left < 0.0
            });
            // Rounding may leave the row a little short of 1.
            found.unwrap_or(row.len() - 1) as u32
        };
        (0..self.q.n() as u32).map(draw).collect()
    }

    pub(crate) fn q(&self) -> &Memberships {
        &self.q
    }

    pub(crate) fn theta(&self) -> &[f32] {
        &self.theta
    }

    pub(crate) fn blocks(&self) -> &BlockMatrix {
        &self.b
    }

    /// B given everyone's likeliest label.
    pub(crate) fn hard_blocks(&self) -> &BlockMatrix {
        &self.hard
    }
}

/// Moves a row towards exp(score), in the share `damping` of the way; `changed(k, by)` is called with every entry.
fn move_row(row: &mut [f32], score: &mut [f64], damping: f64, mut changed: impl FnMut(usize, f64)) -> f64 {
    if damping < 1.0 {
        let old = row.iter().map(|&q| f64::from(q).ln());
        score.iter_mut().zip(old).for_each(|(score, old)| *score = damping * *score + (1.0 - damping) * old);
    }
    let largest = score.iter().copied().fold(f64::MIN, f64::max);
    let floor = f64::from(LEAST_PI);
    score.iter_mut().for_each(|score| *score = (*score - largest).exp().max(floor));
    let total: f64 = score.iter().sum();
    let mut moved = 0f64;
    for (i, (q, new)) in row.iter_mut().zip(&*score).enumerate() {
        let new = (new / total) as f32;
        let change = f64::from(new) - f64::from(*q);
        changed(i, change);
        moved = moved.max(change.abs());
        *q = new;
    }
    moved
}
