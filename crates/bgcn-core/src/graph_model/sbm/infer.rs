//! p(λ | G_obs) of the block model: q(z) around a belief, B in closed form. The rounds are those of [`LabelPosterior`].

use super::{LabelPosterior, Sbm, SbmParams};
use crate::checked::Checked;
use crate::graph::Graph;
use crate::graph_model::blocks::labels::Likelihood;
use crate::graph_model::{Error, Parameters};

impl<'g> Sbm<'g> {
    /// The block model of `graph` before any belief: every label is as likely as the next.
    pub fn new(params: &Checked<SbmParams>, graph: &'g Graph) -> Self {
        let theta = vec![1.0; graph.nodes()];
        let settings = params.settings(Likelihood::Bernoulli);
        let posterior = LabelPosterior::new(graph, params.communities, theta, settings);
        Self { params: params.clone(), posterior }
    }

    /// The block model of `graph` at a belief, before any inference.
    #[cfg(test)]
    pub fn start(
        params: &Checked<SbmParams>,
        graph: &'g Graph,
        belief: crate::graph_model::Belief<'_>,
    ) -> Result<Self, Error> {
        let mut model = Self::new(params, graph);
        model.posterior.restart(belief)?;
        Ok(model)
    }

    /// The block model of `graph` at a λ that was kept in files. With `Draw::Hard`, B is taken from
    /// the graph.
    pub fn resume(params: &Checked<SbmParams>, graph: &'g Graph, lambda: &Parameters) -> Result<Self, Error> {
        let mut model = Self::new(params, graph);
        model.posterior.resume(lambda)?;
        Ok(model)
    }

    /// q_a `[k]`, the posterior of node a's label.
    pub fn row(&self, a: u32) -> &[f32] {
        self.posterior.q().row(a)
    }

    /// B as the labels' posterior has it.
    #[cfg(test)]
    pub fn blocks(&self) -> &crate::graph_model::BlockMatrix {
        self.posterior.blocks()
    }

    /// Each node's likeliest label; of equals, the first.
    pub fn labels(&self) -> Vec<u32> {
        self.posterior.q().labels()
    }

    /// The lower bound of log p(G_obs, B) that inference raises, up to a constant; O(E K + N K²).
    #[cfg(test)]
    pub fn lower_bound(&self) -> f64 {
        self.posterior.lower_bound()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph_model::proofs::{planted, recovered, small_case, weak_belief};
    use crate::graph_model::{Belief, GraphModel as _};
    use crate::rng::{For, Seed};
    use proptest::prelude::*;

    fn infer(model: &mut Sbm<'_>, iterations: usize) {
        model.infer(iterations, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
    }

    /// The lower bound as it is defined, over all pairs.
    fn brute_force(model: &Sbm<'_>, belief: &[f32]) -> f64 {
        let (graph, b, params) = (model.posterior.graph, model.blocks(), &model.params);
        let (n, k) = (graph.nodes() as u32, b.k());
        let log = |b: f64, y: bool| if y { b.ln() } else { (1.0 - b).ln() };
        let mut total = 0.0;
        for c in 0..n {
            let (q, row) = (model.row(c), &belief[c as usize * k..][..k]);
            let sum: f64 = row.iter().map(|&p| f64::from(p)).sum();
            for i in 0..k {
                let p = (f64::from(row[i]) / sum).max(1e-7);
                total += f64::from(q[i]) * (params.prior_strength * p.ln() - f64::from(q[i]).ln());
                for a in 0..c {
                    let y = graph.has_edge(a, c);
                    let pair = |l: usize| f64::from(model.row(a)[l]) * log(b.get(i, l), y);
                    total += f64::from(q[i]) * (0..k).map(pair).sum::<f64>();
                }
            }
        }
        let pairs = f64::from(n) * (f64::from(n) - 1.0) / 2.0;
        let density = graph.edges() as f64 / pairs.max(1.0);
        let prior = |b: f64| density * b.ln() + (1.0 - density) * (1.0 - b).ln();
        total + params.block_prior * (0..k).flat_map(|i| (i..k).map(move |l| prior(b.get(i, l)))).sum::<f64>()
    }

    proptest! {
        #[test]
        fn the_lower_bound_is_the_sum_over_all_pairs_and_never_falls(
            (graph, k, belief) in small_case(), strength in 0.0..6.0f64, damping in 0.05..=1.0f64, prior in 0.1..3.0f64,
        ) {
            let params = SbmParams { prior_strength: strength, damping, block_prior: prior, ..SbmParams::new(k) }.check().unwrap();
            let mut model = Sbm::start(&params, &graph, Belief { k, rows: &belief }).unwrap();
            let mut before = model.lower_bound();
            for _ in 0..6 {
                infer(&mut model, 1);
                let now = model.lower_bound();
                let slow = brute_force(&model, &belief);
                prop_assert!((now - slow).abs() < 1e-3 * slow.abs().max(1.0), "{now}, brute force {slow}");
                // q is kept in single precision.
                prop_assert!(now > before - 1e-4 * before.abs().max(1.0), "{now} after {before}");
                before = now;
            }
            for a in 0..graph.nodes() as u32 {
                prop_assert!((model.row(a).iter().sum::<f32>() - 1.0).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn planted_blocks_are_found_whether_they_attract_or_avoid() {
        for (inside, across) in [(0.3, 0.02), (0.02, 0.25)] {
            let (graph, rows) = (planted(120, 3, inside, across), weak_belief(120, 3, 0.7));
            let params = SbmParams { prior_strength: 1.0, ..SbmParams::new(3) }.check().unwrap();
            let mut model = Sbm::start(&params, &graph, Belief { k: 3, rows: &rows }).unwrap();
            let start = recovered(&model.labels(), 120, 3);
            assert!(start < 108, "{start} known at the start");
            infer(&mut model, 30);
            assert!(recovered(&model.labels(), 120, 3) >= 117, "inside {inside}, across {across}");
            for (k, l, truth) in [(0, 0, inside), (1, 2, across)] {
                assert!((model.blocks().get(k, l) - truth).abs() < 0.05, "B is {:?}", model.blocks());
            }
        }
    }

    #[test]
    fn a_strong_prior_keeps_the_belief_and_empty_classes_keep_the_density() {
        let (graph, rows) = (planted(60, 2, 0.3, 0.02), weak_belief(60, 2, 0.6));
        let rows: Vec<f32> = rows.chunks_exact(2).flat_map(|row| [row[0], row[1], 0.0]).collect();
        let params = SbmParams { prior_strength: 1000.0, ..SbmParams::new(3) }.check().unwrap();
        let mut model = Sbm::start(&params, &graph, Belief { k: 3, rows: &rows }).unwrap();
        let labels = model.labels();
        infer(&mut model, 10);
        assert_eq!(model.labels(), labels);
        let density = graph.edges() as f64 / (61.0 * 30.0);
        assert!((model.blocks().get(2, 2) - density).abs() < 1e-3, "{:?}", model.blocks());
    }

    #[test]
    fn a_start_that_does_not_fit_says_what_does_not() {
        let graph = planted(5, 2, 0.5, 0.5);
        let params = SbmParams::new(2).check().unwrap();
        let start = |k, rows: &[f32]| Sbm::start(&params, &graph, Belief { k, rows }).unwrap_err().to_string();
        assert!(start(3, &[1.0; 18]).contains("3 communities, the settings 2"));
        assert!(start(2, &[1.0; 4]).contains("2 nodes, the graph 6"));
        assert!(start(2, &[f32::NAN; 12]).contains("node 0"));
    }

    #[test]
    fn stops_early_where_allowed_and_traces_the_bound() {
        let (graph, rows) = (planted(60, 2, 0.3, 0.02), weak_belief(60, 2, 0.8));
        let params = SbmParams { stop_below: 1e-4, trace_every: 1, ..SbmParams::new(2) }.check().unwrap();
        let mut model = Sbm::start(&params, &graph, Belief { k: 2, rows: &rows }).unwrap();
        let report = model.infer(500, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
        assert!(report.stopped_early && report.trace.len() == report.iterations);
        assert!(report.trace.windows(2).all(|w| w[1].log_posterior > w[0].log_posterior - 1e-2));
    }
}
