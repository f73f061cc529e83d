//! Proofs by test: every gradient against the one above it, down to differences of a brute-force log-likelihood.

use super::exact::{exact, exact_row};
use super::gradient::{At, Gradient};
use super::linear::Linear;
use super::minibatch::{Minibatch, Sampled};
use super::phi::phi_gradient;
use super::residual::add_residual;
use super::theta::theta_gradient;
use crate::graph::Graph;
use crate::graph_model::blocks::line::Line;
use crate::graph_model::mmsbm::posterior::{exact_log_likelihood, log_likelihood};
use crate::graph_model::mmsbm::{Inference, Lambda, MmsbmParams};
use crate::rng::{For, Random as _, Seed};
use proptest::prelude::*;

/// Single precision of a sum of a few hundred terms of order `size`.
fn rounding(size: f64) -> f64 {
    4e-6 * size.max(1.0)
}

fn small_graph() -> impl Strategy<Value = Graph> {
    (2usize..40, prop::collection::vec((0u32..40, 0u32..40), 0..120)).prop_map(|(n, raw)| {
        let edges: Vec<_> = raw.iter().map(|&(a, b)| (a % n as u32, b % n as u32)).collect();
        Graph::from_edges(n, &edges).unwrap()
    })
}

prop_compose! {
    /// A graph and memberships from nearly hard to nearly even; strengths above and below delta.
    fn case(most: f64)(graph in small_graph())(
        pi in prop::collection::vec(1e-3f32..1.0, graph.nodes() * 12),
        beta in prop::collection::vec(1e-4..most, 12),
        delta in 1e-5..0.05f64,
        k in 1usize..12,
        graph in Just(graph),
    ) -> (Graph, Lambda) {
        let pi: Vec<f32> = pi[..graph.nodes() * k].iter().map(|p| p.powi(3)).collect();
        let lambda = Lambda::new(k, &pi, beta[..k].to_vec(), delta).unwrap();
        (graph, lambda)
    }
}

/// log p(G | phi, beta) in double precision, memberships scaled to sum to 1 first.
fn brute_force(graph: &Graph, phi: &[Vec<f64>], beta: &[f64], delta: f64) -> f64 {
    let pi: Vec<Vec<f64>> = phi.iter().map(|row| row.iter().map(|x| x / row.iter().sum::<f64>()).collect()).collect();
    let mut total = 0.0;
    for a in 0..phi.len() {
        for b in a + 1..phi.len() {
            let p = delta + (0..beta.len()).map(|k| pi[a][k] * pi[b][k] * (beta[k] - delta)).sum::<f64>();
            total += if graph.has_edge(a as u32, b as u32) { p.ln() } else { (1.0 - p).ln() };
        }
    }
    total
}

/// dL/dx by central differences.
fn difference(mut f: impl FnMut(f64) -> f64, step: f64) -> f64 {
    (f(step) - f(-step)) / (2.0 * step)
}

proptest! {
    #[test]
    fn exact_sums_match_finite_differences((graph, lambda) in case(0.9)) {
        let (k, delta) = (lambda.k(), lambda.delta());
        let phi: Vec<Vec<f64>> =
            (0..lambda.n() as u32).map(|a| lambda.row(a).iter().map(|p| f64::from(*p)).collect()).collect();
        let at = At { graph: &graph, lambda: &lambda };
        let (mut row, mut sums) = (vec![0.0; k], vec![0.0; 2 * k]);
        for (a, i) in [(0, 0), (lambda.n() - 1, k - 1), (lambda.n() / 2, k / 2)] {
            exact_row(at, a as u32, &mut row, &mut sums);
            let slope = difference(|h| {
                let mut moved = phi.clone();
                moved[a][i] *= 1.0 + h;
                brute_force(&graph, &moved, lambda.beta(), delta)
            }, 1e-5);
            // The closed form takes rows that sum to 1 exactly; single precision leaves 1e-7.
            prop_assert!((row[i] - slope).abs() < 1e-4 * slope.abs().max(1.0), "{} and {slope}", row[i]);
        }
        let mut gradient = Gradient::zeros(&lambda);
        exact(at, &mut gradient);
        for i in [0, k - 1] {
            let beta = lambda.beta()[i];
            let slope = difference(|h| {
                let mut moved = lambda.beta().to_vec();
                moved[i] += h * beta;
                brute_force(&graph, &phi, &moved, delta)
            }, 1e-5);
            // dbeta/dtheta_1 = (1 − beta) / (theta_0 + theta_1), so theta_1 dL/dtheta_1 = (1 − beta) beta dL/dbeta.
            let theta = gradient.theta(i, beta);
            prop_assert!((theta - (1.0 - beta) * slope).abs() < 1e-4 * slope.abs().max(1.0), "{theta} and {slope}");
        }
    }

    #[test]
    fn linear_is_inside_its_bound((graph, lambda) in case(0.6)) {
        let at = At { graph: &graph, lambda: &lambda };
        let (mut truth, mut closed) = (Gradient::zeros(&lambda), Gradient::zeros(&lambda));
        exact(at, &mut truth);
        let line = Line::closest(lambda.beta(), lambda.delta());
        Linear::default().gradient(at, line, &mut closed);
        let sizes = lambda.sizes();
        let c: Vec<f64> = lambda.beta().iter().map(|beta| (beta - lambda.delta()).abs()).collect();
        for a in 0..lambda.n() {
            let p = lambda.row(a as u32);
            let mean: f64 = (0..lambda.k()).map(|j| f64::from(p[j]) * c[j] * sizes[j]).sum();
            for k in 0..lambda.k() {
                let i = a * lambda.stride() + k;
                let bound = line.error * f64::from(p[k]) * (mean + c[k] * sizes[k]);
                let error = f64::from(closed.phi[i] - truth.phi[i]).abs();
                let size = graph.degree(a as u32) as f64 + mean + c[k] * sizes[k];
                prop_assert!(error <= bound + rounding(size), "node {a}, community {k}: {error} above {bound}");
            }
        }
        for (k, size) in sizes.iter().enumerate() {
            let error = (closed.non_links[k] - truth.non_links[k]).abs();
            let bound = line.error * (1.0 - lambda.beta()[k]) * 0.5 * size * size;
            prop_assert!(error <= bound + rounding(size * size), "M_{k}: {error} above {bound}");
            prop_assert!((closed.links[k] - truth.links[k]).abs() <= rounding(truth.links[k]));
        }
        let pairs = 0.5 * (lambda.n() * lambda.n()) as f64;
        let error = (log_likelihood(at, line) - exact_log_likelihood(at)).abs();
        let most = c.iter().copied().fold(0.0, f64::max);
        prop_assert!(error <= line.error * most * pairs + rounding(pairs), "log-likelihood: {error}");
    }

    #[test]
    fn the_line_is_never_further_off_than_it_says(
        beta in prop::collection::vec(1e-6..0.999f64, 1..5), delta in 1e-6..0.5f64, at in 0.0..=1.0f64,
    ) {
        let line = Line::closest(&beta, delta);
        let low = beta.iter().map(|b| b - delta).fold(0.0, f64::min);
        let high = beta.iter().map(|b| b - delta).fold(0.0, f64::max);
        let s = low + at * (high - low);
        let exact = 1.0 / (1.0 - delta - s);
        prop_assert!((line.at_0 + line.slope * s - exact).abs() <= line.error * (1.0 + 1e-9) + 1e-12 * exact);
    }
}

/// Two dense groups, a hub and an isolated node: neighbours both fewer and more than a batch holds.
fn uneven() -> (Graph, Lambda) {
    let mut random = Seed::new(5).at(For::Generate, [0; 3]);
    let mut edges: Vec<(u32, u32)> = (1..59).map(|b| (0, b)).collect();
    for a in 1..119u32 {
        edges.extend((a + 1..119).filter(|b| (*b < 60) == (a < 60) && random.unit() < 0.15).map(|b| (a, b)));
    }
    let graph = Graph::from_edges(120, &edges).unwrap();
    let pi: Vec<f32> = (0..360).map(|_| random.unit() as f32 + 0.05).collect();
    (graph, Lambda::new(3, &pi, vec![0.3, 0.6, 0.1], 0.02).unwrap())
}

/// Means over many draws of a random gradient, in standard errors from the truth; the largest.
fn worst_z(truth: &[f64], mut draw: impl FnMut() -> Vec<f64>) -> f64 {
    let draws = 1500;
    let (mut sum, mut squares) = (vec![0.0; truth.len()], vec![0.0; truth.len()]);
    for _ in 0..draws {
        for (i, x) in draw().into_iter().enumerate() {
            sum[i] += x;
            squares[i] += x * x;
        }
    }
    let z = |i: usize| {
        let mean = sum[i] / draws as f64;
        let error = ((squares[i] / draws as f64 - mean * mean).max(0.0) / draws as f64).sqrt();
        // Rows that are summed exactly have no variance, only rounding.
        (mean - truth[i]).abs() / (error + 1e-5 * truth[i].abs().max(1.0))
    };
    (0..truth.len()).map(z).fold(0.0, f64::max)
}

fn flat(gradient: &Gradient, stride: usize) -> Vec<f64> {
    let phi = gradient.phi.chunks_exact(stride).take(6).flat_map(|row| row[..3].iter().map(|x| f64::from(*x)));
    phi.chain(gradient.links.iter().copied()).chain(gradient.non_links.iter().copied()).collect()
}

// 48 means at five standard errors each: a false alarm in about 1 of 36,000 seeds.
#[test]
fn minibatch_is_unbiased() {
    let (graph, lambda) = uneven();
    let at = At { graph: &graph, lambda: &lambda };
    let mut truth = Gradient::zeros(&lambda);
    exact(at, &mut truth);
    // 40 of 120 nodes per batch; node 0 has more neighbours than that.
    for (n, share) in [(40, 0.05), (40, 1.0)] {
        let params = MmsbmParams { minibatch: n, non_edge_share: share, ..MmsbmParams::alone(3, Inference::Linear) };
        let mut random = Seed::new(11).at(For::Lambda, [0; 3]);
        let (mut minibatch, mut gradient) = (Minibatch::default(), Gradient::zeros(&lambda));
        let mut sum = Gradient::zeros(&lambda);
        let z = worst_z(&flat(&truth, lambda.stride()), || {
            // Rows outside a batch keep what an earlier one left: draw until the first six have all been in one.
            let mut missing: Vec<u32> = (0..6).collect();
            while !missing.is_empty() {
                let mut visits =
                    Sampled { graph: &graph, params: &params, memory: &mut minibatch, random: random.fast() };
                let (nodes, _) = phi_gradient(at, &mut visits, &mut gradient);
                theta_gradient(at, &mut visits, &mut gradient);
                for a in nodes {
                    if let Some(i) = missing.iter().position(|b| *b == a) {
                        missing.swap_remove(i);
                        let row = a as usize * lambda.stride()..(a as usize + 1) * lambda.stride();
                        sum.phi[row.clone()].copy_from_slice(&gradient.phi[row]);
                    }
                }
            }
            sum.links.copy_from_slice(&gradient.links);
            sum.non_links.copy_from_slice(&gradient.non_links);
            flat(&sum, lambda.stride())
        });
        assert!(z < 5.0, "share {share}: {z} standard errors");
    }
}

// 24 means: a false alarm in about 1 of 70,000 seeds.
#[test]
fn sampled_correction_makes_linear_unbiased() {
    let (graph, lambda) = uneven();
    let at = At { graph: &graph, lambda: &lambda };
    let mut truth = Gradient::zeros(&lambda);
    exact(at, &mut truth);
    let line = Line::closest(lambda.beta(), lambda.delta());
    let mut stream = Seed::new(12).at(For::Lambda, [0; 3]);
    let mut closed = Gradient::zeros(&lambda);
    let (mut linear, mut gradient) = (Linear::default(), Gradient::zeros(&lambda));
    linear.gradient(at, line, &mut closed);
    let z = worst_z(&flat(&truth, lambda.stride()), || {
        gradient.clone_from(&closed);
        add_residual(at, line, &mut stream, &mut gradient);
        flat(&gradient, lambda.stride())
    });
    assert!(z < 5.0, "{z} standard errors");
}

#[derive(serde::Deserialize)]
struct Golden {
    cases: Vec<GoldenCase>,
}

#[derive(serde::Deserialize)]
struct GoldenCase {
    n: usize,
    k: usize,
    edges: Vec<(u32, u32)>,
    pi: Vec<f32>,
    beta: Vec<f64>,
    delta: f64,
    phi: Vec<f64>,
    links: Vec<f64>,
    non_links: Vec<f64>,
    log_likelihood: f64,
}

// Values by golden/mmsbm.py, which sums over both nodes' picks.
#[test]
fn exact_sums_match_numpy() {
    let golden: Golden = serde_json::from_str(include_str!("../../../tests/golden/mmsbm.json")).unwrap();
    for case in golden.cases {
        let graph = Graph::from_edges(case.n, &case.edges).unwrap();
        let lambda = Lambda::new(case.k, &case.pi, case.beta, case.delta).unwrap();
        let at = At { graph: &graph, lambda: &lambda };
        let mut gradient = Gradient::zeros(&lambda);
        exact(at, &mut gradient);
        let rows = gradient.phi.chunks_exact(lambda.stride()).flat_map(|row| &row[..case.k]).map(|x| f64::from(*x));
        let ours = rows.chain(gradient.links.clone()).chain(gradient.non_links.clone());
        for (ours, numpy) in ours.zip(case.phi.iter().chain(&case.links).chain(&case.non_links)) {
            assert!((ours - numpy).abs() < 2e-6 * numpy.abs().max(1.0), "{ours} and {numpy}");
        }
        assert!((exact_log_likelihood(at) / case.log_likelihood - 1.0).abs() < 1e-6);
    }
}
