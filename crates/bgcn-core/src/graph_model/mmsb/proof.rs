//! Proofs by test: the closed form against all pairs, these against differences of the log-likelihood, draws against
//! their law.

use super::convergence::{exact_log_likelihood, log_likelihood};
use super::gradient::{At, Gradient, NonEdges};
use super::{Draw, Mmsb, MmsbParams};
use crate::graph::Graph;
use crate::graph_model::blocks::memberships::{LEAST_RATE, Memberships};
use crate::graph_model::proofs::{
    assert_frequencies, assert_simple_and_repeatable, planted, recovered, small_case, weak_belief,
};
use crate::graph_model::{Belief, BlockMatrix, GraphModel as _};
use crate::rng::{For, Random as _, Seed};
use proptest::prelude::*;

fn gradient(at: At<'_>, how: NonEdges) -> Gradient {
    let mut found = Gradient::default();
    found.find(at, how);
    found
}

/// Rates below `most`, from chance.
fn rates(k: usize, most: f64, seed: u64) -> BlockMatrix {
    let mut random = Seed::new(seed).at(For::Generate, [0; 3]);
    let upper: Vec<f64> = (0..k * k).map(|_| most * random.unit() + 1e-4).collect();
    BlockMatrix::from_upper(k, |i, l| upper[i * k + l])
}

fn infer(model: &mut Mmsb<'_>, iterations: usize) {
    model.infer(iterations, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
}

proptest! {
    #[test]
    fn the_exact_gradient_matches_finite_differences((graph, k, rows) in small_case(), seed in 0u64..1000) {
        let (pi, b) = (Memberships::new(k, &rows).unwrap(), rates(k, 0.9, seed));
        let found = gradient(At { graph: &graph, pi: &pi, b: &b }, NonEdges::Exact);
        let n = graph.nodes();
        let log = |phi: &[Vec<f64>]| {
            let row = |a: usize| phi[a].iter().map(|x| x / phi[a].iter().sum::<f64>()).collect::<Vec<f64>>();
            let rows: Vec<Vec<f64>> = (0..n).map(row).collect();
            let mut total = 0.0;
            for (a, c) in (0..n).flat_map(|c| (0..c).map(move |a| (a, c))) {
                let pick = |i: usize| (0..k).map(|l| rows[a][i] * rows[c][l] * b.get(i, l)).sum::<f64>();
                let p: f64 = (0..k).map(pick).sum();
                total += if graph.has_edge(a as u32, c as u32) { p.ln() } else { (1.0 - p).ln() };
            }
            total
        };
        let phi: Vec<Vec<f64>> = (0..n as u32).map(|a| pi.row(a).iter().map(|&p| f64::from(p)).collect()).collect();
        for (a, i) in [(0, 0), (n - 1, k - 1), (n / 2, k / 2)] {
            let moved = |by: f64| {
                let mut phi = phi.clone();
                phi[a][i] *= 1.0 + by;
                log(&phi)
            };
            let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            let ours = f64::from(found.phi[a * pi.stride() + i]);
            prop_assert!((ours - slope).abs() < 1e-4 * slope.abs().max(1.0), "{ours} and {slope}");
        }
    }

    #[test]
    fn the_closed_form_is_inside_its_bound((graph, k, rows) in small_case(), seed in 0u64..1000, most in 0.01..0.7f64) {
        let (pi, b) = (Memberships::new(k, &rows).unwrap(), rates(k, most, seed));
        let at = At { graph: &graph, pi: &pi, b: &b };
        let (exact, closed) = (gradient(at, NonEdges::Exact), gradient(at, NonEdges::Closed));
        let (sizes, mut pulls, mut v) = (pi.sizes(), vec![0.0; k], vec![0.0; k]);
        b.times(&sizes, &mut pulls);
        let (mut between, mut largest) = (vec![0.0; k * k], 0f64);
        for a in 0..pi.n() as u32 {
            let (line, low) = at.reach(a, &mut v);
            prop_assert!(line.relative_error(low) <= at.bound() + 1e-9);
            largest = largest.max(line.error);
            let mean: f64 = v.iter().zip(&sizes).map(|(v, s)| v * s).sum();
            for (i, &p) in pi.row(a).iter().enumerate() {
                let at = a as usize * pi.stride() + i;
                let error = f64::from(closed.phi[at] - exact.phi[at]);
                let bound = line.error * f64::from(p) * (pulls[i] + mean);
                let rounding = 1e-5 * (1.0 + graph.degree(a) as f64 + pulls[i] + mean);
                prop_assert!(error.abs() <= bound + rounding, "node {a}, community {i}: {error} above {bound}");
                (0..k).for_each(|l| between[i * k + l] += line.error * (1.0 - b.get(i, l)) * f64::from(p) * sizes[l]);
            }
        }
        let (exact, closed) = (exact.counts.unwrap(), closed.counts.unwrap());
        for i in 0..k * k {
            let error = (closed.pairs[i] - exact.pairs[i]).abs();
            let bound = between[i].max(between[i % k * k + i / k]);
            prop_assert!(error <= bound + 1e-3, "counts {i}: {error} above {bound}");
            prop_assert!((closed.links[i] - exact.links[i]).abs() < 1e-6);
        }
        let pairs = 0.5 * (pi.n() * pi.n()) as f64;
        let error = (log_likelihood(at) - exact_log_likelihood(at)).abs();
        prop_assert!(error <= largest * b.greatest() * pairs + 1e-4 * pairs, "log-likelihood off by {error}");
    }

    #[test]
    fn the_em_step_for_b_never_lowers_the_posterior((graph, k, rows) in small_case(), prior in 0.1..3.0f64) {
        let params = MmsbParams { tolerance: 0.0, block_prior: prior, ..MmsbParams::new(k) }.check().unwrap();
        let mut model = Mmsb::start(&params, &graph, Belief { k, rows: &rows }).unwrap();
        let mut before = model.log_posterior();
        for _ in 0..8 {
            let at = At { graph: &graph, pi: &model.pi, b: &model.b };
            let counts = gradient(at, NonEdges::Exact).counts.unwrap();
            model.b = counts.rates(model.prior, 1.0 - LEAST_RATE);
            let now = model.log_posterior();
            // Rows of pi sum to 1 up to single precision.
            prop_assert!(now > before - 1e-5 * before.abs().max(1.0), "{now} after {before}");
            before = now;
        }
    }

    #[test]
    fn draws_are_simple_graphs_and_repeat((graph, k, rows) in small_case(), mixed: bool, rounds in 0usize..4) {
        let params = MmsbParams { draw: if mixed { Draw::Mixed } else { Draw::Hard }, ..MmsbParams::new(k) }.check().unwrap();
        let mut model = Mmsb::start(&params, &graph, Belief { k, rows: &rows }).unwrap();
        infer(&mut model, rounds);
        assert_simple_and_repeatable(&model, graph.nodes());
    }
}

#[test]
fn planted_blocks_are_found_whether_they_attract_or_avoid() {
    for (inside, across) in [(0.3, 0.02), (0.02, 0.25)] {
        let (graph, rows) = (planted(120, 2, inside, across), weak_belief(120, 2, 0.6));
        let params = MmsbParams { prior_strength: 1.0, trace_every: 1, ..MmsbParams::new(2) }.check().unwrap();
        let mut model = Mmsb::start(&params, &graph, Belief { k: 2, rows: &rows }).unwrap();
        let start = recovered(&model.labels(), 120, 2);
        let report = model.infer(60, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
        let found = recovered(&model.labels(), 120, 2);
        assert!(found >= 114 && start < 108, "{found} after {start}; inside {inside}, across {across}");
        assert!(report.trace.windows(2).all(|w| w[1].log_posterior > w[0].log_posterior - 1e-2), "damped steps climb");
        assert!(report.truncation.is_some_and(|found| found.bound > 0.0));
    }
}

#[test]
fn mixed_draws_have_the_probability_of_the_formula() {
    // Sparse, dense up to certainty, and one community.
    for (k, strong) in [(3usize, 0.3), (3, 1.0), (1, 0.2)] {
        let mut random = Seed::new(3).at(For::Generate, [0; 3]);
        let rows: Vec<f32> = (0..12 * k).map(|_| random.gamma(0.4) as f32 + 1e-6).collect();
        let graph = Graph::empty(12);
        let params = MmsbParams { draw: Draw::Mixed, ..MmsbParams::new(k) }.check().unwrap();
        let mut model = Mmsb::start(&params, &graph, Belief { k, rows: &rows }).unwrap();
        let most = (1.0 - LEAST_RATE) * strong;
        model.b = BlockMatrix::from_upper(k, |i, l| most / (1.0 + (l - i) as f64 * 3.0));
        assert_frequencies(12, |stream, into| model.sample(stream, into), |a, b| model.edge_probability(a, b));
    }
}

#[test]
fn hard_draws_join_pairs_as_often_as_their_blocks_are_joined() {
    let (graph, rows) = (planted(12, 3, 0.1, 0.5), weak_belief(12, 3, 1.0));
    let model = Mmsb::start(&MmsbParams::new(3).check().unwrap(), &graph, Belief { k: 3, rows: &rows }).unwrap();
    let (labels, b) = (model.labels(), &model.hard);
    assert_frequencies(
        13,
        |stream, into| model.sample(stream, into),
        |a, c| b.get(labels[a as usize] as usize, labels[c as usize] as usize),
    );
}

#[derive(serde::Deserialize)]
struct Golden {
    settings: Settings,
    cases: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Settings {
    prior_strength: f64,
    damping: f64,
    block_prior: f64,
}

#[derive(serde::Deserialize)]
struct Case {
    n: usize,
    k: usize,
    edges: Vec<(u32, u32)>,
    p: Vec<f32>,
    mmsb: Expected,
}

/// At the start: the gradient and the log-likelihood. After a round: pi and B.
#[derive(serde::Deserialize)]
struct Expected {
    phi: Vec<f64>,
    pi: Vec<f64>,
    b: Vec<f64>,
    log_likelihood: f64,
}

// Values by golden/blocks.py, which sums over both nodes' picks.
#[test]
fn a_round_matches_numpy() {
    let golden: Golden = serde_json::from_str(include_str!("../../../tests/golden/blocks.json")).unwrap();
    for case in golden.cases {
        let graph = Graph::from_edges(case.n, &case.edges).unwrap();
        let params = MmsbParams {
            prior_strength: golden.settings.prior_strength,
            damping: golden.settings.damping,
            block_prior: golden.settings.block_prior,
            tolerance: 0.0, // every pair, as NumPy does
            ..MmsbParams::new(case.k)
        };
        let belief = Belief { k: case.k, rows: &case.p };
        let mut model = Mmsb::start(&params.check().unwrap(), &graph, belief).unwrap();
        let log = exact_log_likelihood(At { graph: &graph, pi: &model.pi, b: &model.b });
        assert!((log / case.mmsb.log_likelihood - 1.0).abs() < 1e-6);
        infer(&mut model, 1);
        let stride = model.pi.stride();
        let rows =
            |rows: &[f32]| rows.chunks_exact(stride).flat_map(|row| row[..case.k].to_vec()).collect::<Vec<f32>>();
        let (phi, pi) = (rows(&model.gradient.phi), rows(model.pi.padded()));
        let b = (0..case.k).flat_map(|k| model.b.row(k).to_vec());
        let ours = phi.into_iter().chain(pi).map(f64::from).chain(b);
        let numpy: Vec<f64> = [case.mmsb.phi, case.mmsb.pi, case.mmsb.b].concat();
        for (ours, numpy) in ours.zip(numpy) {
            assert!((ours - numpy).abs() < 5e-6 * numpy.abs().max(1.0), "{ours}, NumPy has {numpy}");
        }
    }
}
