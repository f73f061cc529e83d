//! p(λ | G_obs) of the mixed-membership block model: damped natural steps for pi, the closed-form maximum for B.
//! Paper: the posterior of the equation labelled mmsbm_posterior, for a full block matrix.
//! Differs: pi has the prior Dir(1 + κ p_a) around the network's belief p, and moves by
//! pi_a += s (κ (p_a − pi_a) + phi_a g(phi_a)) / (κ + degree_a + pull), which keeps it positive; B follows by EM.
//! Symbols: pull = max_k (B S)_k − min_k (B S)_k, the most that non-edges pull on a membership.
//!
//! With κ + N − 1 in place of the denominator and s = 1 the step is that of EM, which never lowers the posterior. The
//! natural step is longer, because most of the N − 1 pairs carry the same evidence; it has no such proof, and s = ½ has raised the
//! posterior wherever tried.

use super::gradient::{At, Gradient, NonEdges, ends};
use super::{BlockMatrix, Mmsb, MmsbParams};
use crate::checked::Checked;
use crate::graph::Graph;
use crate::graph_model::blocks::matrix::{BlockPrior, Counts};
use crate::graph_model::blocks::memberships::{LEAST_PI, LEAST_RATE, Memberships, fits};
use crate::graph_model::{Belief, Error, Fallback, Parameters, Report, Truncation};
use crate::kernels::mmsbm_step::{Rows, Step, move_rows};

/// The exact sum replaces a closed form that is too coarse up to this many nodes.
pub(super) const EXACT_UP_TO: usize = 2048;

impl<'g> Mmsb<'g> {
    /// The block model of `graph` before any belief: every community is as likely as the next.
    pub fn new(params: &Checked<MmsbParams>, graph: &'g Graph) -> Self {
        let pi = Memberships::even(graph.nodes(), params.communities);
        let counts = hard_counts(graph, &pi);
        let prior = BlockPrior { density: counts.density(), pseudo_pairs: params.block_prior };
        let b = counts.rates(prior, 1.0 - LEAST_RATE);
        let (belief, hard) = (pi.clone(), b.clone());
        Self { graph, params: params.clone(), pi, b, hard, belief, prior, t: 0, gradient: Gradient::default() }
    }

    /// The block model of `graph` at a belief, before any inference.
    #[cfg(test)]
    pub fn start(params: &Checked<MmsbParams>, graph: &'g Graph, belief: Belief<'_>) -> Result<Self, Error> {
        let mut model = Self::new(params, graph);
        model.begin(belief)?;
        Ok(model)
    }

    /// The block model of `graph` at a λ that was kept in files; its memberships are the prior's centre from now on.
    /// With `Draw::Hard`, settings take it from the graph.
    pub fn resume(params: &Checked<MmsbParams>, graph: &'g Graph, lambda: &Parameters) -> Result<Self, Error> {
        let mut model = Self::new(params, graph);
        let (b, pi) = BlockMatrix::of_parameters(lambda, "pi", 1.0 - LEAST_RATE).map_err(Error::start)?;
        fits((pi.n(), pi.k()), graph, params.communities)?;
        (model.pi, model.belief) = (pi.clone(), pi);
        model.hard = model.hard_blocks();
        model.b = b;
        Ok(model)
    }

    /// Starts again at a belief; B from the strongest memberships, for an unsure network's belief would blur it.
    pub(super) fn begin(&mut self, belief: Belief<'_>) -> Result<(), Error> {
        self.pi = Memberships::of_belief(belief, self.graph, self.params.communities)?;
        self.belief = self.pi.clone();
        self.hard = self.hard_blocks();
        self.b = self.hard.clone();
        self.t = 0;
        Ok(())
    }

    /// B given every node's strongest community.
    fn hard_blocks(&self) -> BlockMatrix {
        hard_counts(self.graph, &self.pi).rates(self.prior, 1.0 - LEAST_RATE)
    }

    /// Improves λ for `iterations` rounds, going on from where it is.
    pub(super) fn run(&mut self, iterations: usize) -> Result<Report, Error> {
        let mut report = Report::default();
        for _ in 0..iterations {
            let moved = self.iterate(&mut report)?;
            self.t += 1;
            report.iterations += 1;
            if self.params.trace_every > 0 && self.t.is_multiple_of(self.params.trace_every) {
                report.trace.push(self.progress());
            }
            if f64::from(moved) < self.params.stop_below {
                report.stopped_early = report.iterations < iterations;
                break;
            }
        }
        self.hard = self.hard_blocks();
        Ok(report)
    }

    /// One round; the largest change of a membership.
    fn iterate(&mut self, report: &mut Report) -> Result<f32, Error> {
        let at = At { graph: self.graph, pi: &self.pi, b: &self.b };
        let (bound, how) = self.non_edges();
        let truncation = report.truncation.get_or_insert(Truncation { bound: 0.0, fallback: None });
        truncation.bound = truncation.bound.max(bound);
        if how == NonEdges::Exact {
            truncation.fallback = Some(Fallback::Exact);
        }
        self.gradient.find(at, how);
        let moved = self.move_memberships();
        if moved.is_nan() {
            let text = format!(
                "iteration {} of mmsb: a membership is not finite; try a smaller mmsb.damping (now {}) or a larger \
                 mmsb.prior_strength",
                self.t, self.params.damping
            );
            return Err(Error::NotFinite(text));
        }
        let counts = self.gradient.counts.as_ref().expect("a gradient was just found");
        self.b = counts.rates(self.prior, 1.0 - LEAST_RATE);
        Ok(moved)
    }

    /// How exact the closed form is at B, and whether it will do.
    pub(super) fn non_edges(&self) -> (f64, NonEdges) {
        let bound = At { graph: self.graph, pi: &self.pi, b: &self.b }.bound();
        let coarse = bound > self.params.tolerance && self.pi.n() <= EXACT_UP_TO;
        (bound, if coarse { NonEdges::Exact } else { NonEdges::Closed })
    }

    /// One natural step for every row; the largest change, or NaN.
    fn move_memberships(&mut self) -> f32 {
        let mut pulls = vec![0.0; self.pi.k()];
        self.b.times(&self.pi.sizes(), &mut pulls);
        let (low, high) = ends(&pulls);
        let step = Step::Natural {
            damping: self.params.damping as f32,
            strength: self.params.prior_strength as f32,
            pull: (high - low) as f32,
            belief: self.belief.padded(),
            offsets: self.graph.offsets(),
        };
        let (k, n) = (self.pi.k(), self.pi.n());
        let (pi, g) = (self.pi.padded_mut(), &self.gradient.phi[..]);
        // Natural steps have no row sums to keep.
        let mut scale = vec![1.0; n];
        move_rows(&step, Rows { first: 0, k, floor: LEAST_PI, pi, scale: &mut scale, g })
    }

    /// pi_a `[k]`, the memberships of node a.
    pub fn row(&self, a: u32) -> &[f32] {
        self.pi.row(a)
    }

    /// Each node's strongest community; of equals, the first.
    pub fn labels(&self) -> Vec<u32> {
        self.pi.labels()
    }
}

fn hard_counts(graph: &Graph, pi: &Memberships) -> Counts {
    Counts::given(graph, &pi.labels(), pi.k(), &vec![1.0; pi.n()])
}
