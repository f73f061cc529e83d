//! Inference against NumPy scripts that share no code with it: golden/published.py, golden/langevin.py.

use super::minibatch::Visits;
use super::{BetaUpdate, Drift, Inference, Mmsbm, MmsbmParams, Start};
use crate::graph::Graph;
use crate::graph_model::{Belief, Report};
use crate::rng::{For, Random, Seed, Stream};
use crate::setting::OrAuto;
use serde::Deserialize;
use std::ops::ControlFlow;

fn stream(i: u32) -> Stream {
    Seed::new(1).at(For::Lambda, [0, i, 0])
}

#[derive(Deserialize)]
struct Published {
    delta: f64,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    n: usize,
    k: usize,
    batch: usize,
    share: f64,
    eps_0: f64,
    first_step: usize,
    /// Strength of the prior and share of a step, where samples are drawn.
    langevin: Option<(f64, f64)>,
    phi_sum: Option<f64>,
    theta_sum: Option<f64>,
    edges: Vec<(u32, u32)>,
    belief: Vec<f32>,
    steps: Vec<Batch>,
    states: Vec<State>,
}

#[derive(Deserialize)]
struct Batch {
    nodes: Vec<u32>,
    others: Vec<Vec<u32>>,
    non_edges: Vec<(u32, u32)>,
    noise: Vec<f64>,
}

/// The normal numbers of the script.
struct Listed<'a>(std::slice::Iter<'a, f64>);

impl Random for Listed<'_> {
    fn next_u64(&mut self) -> u64 {
        unreachable!("only normal numbers are asked for")
    }

    fn normal(&mut self) -> f64 {
        *self.0.next().expect("as many as the step needs")
    }
}

#[derive(Deserialize)]
struct State {
    steps: usize,
    phi: Vec<f64>,
    theta: Vec<f64>,
}

/// A batch of the script.
struct Given<'a> {
    case: &'a Case,
    batch: &'a Batch,
    next: usize,
}

impl Visits for Given<'_> {
    fn nodes(&mut self) -> Vec<u32> {
        self.batch.nodes.clone()
    }

    fn others(&mut self, a: u32, into: &mut Vec<u32>) -> f64 {
        assert_eq!(self.batch.nodes[self.next], a);
        into.clone_from(&self.batch.others[self.next]);
        self.next += 1;
        let degree = self.case.batch - into.len();
        (self.case.n - 1 - degree) as f64 / into.len() as f64
    }

    fn non_edges(&mut self, visit: &mut dyn FnMut(u32, &[u32])) -> f64 {
        self.batch.non_edges.iter().for_each(|&(a, b)| visit(a, &[b]));
        let all = self.case.n * (self.case.n - 1) / 2 - self.case.edges.len();
        assert_eq!(self.batch.non_edges.len(), (self.case.share * all as f64) as usize);
        all as f64 / self.batch.non_edges.len() as f64
    }
}

#[test]
fn ten_steps_of_phi_and_theta_are_those_of_numpy() {
    let golden: Published = serde_json::from_str(include_str!("../../../tests/golden/published.json")).unwrap();
    for case in &golden.cases {
        let graph = Graph::from_edges(case.n, &case.edges).unwrap();
        let params = match case.langevin {
            Some((prior_strength, langevin_step)) => MmsbmParams {
                drift: Drift::Minibatch,
                prior_strength,
                langevin_step,
                ..MmsbmParams::new(case.k, Inference::Langevin)
            },
            None => MmsbmParams {
                phi_scale: case.phi_sum.unwrap(),
                theta_scale: OrAuto::Fixed(case.theta_sum.unwrap()),
                ..MmsbmParams::new(case.k, Inference::Minibatch)
            },
        };
        let delta = OrAuto::Fixed(golden.delta);
        let params = MmsbmParams { delta, eps_0: case.eps_0, first_step: case.first_step, ..params }.check().unwrap();
        let start = Start::Belief(Belief { k: case.k, rows: &case.belief });
        let mut model = Mmsbm::start(&params, &graph, start).unwrap();
        let mut worst = 0f64;
        for (t, batch) in case.steps.iter().enumerate() {
            let mut visits = Given { case, batch, next: 0 };
            let mut noise = Listed(batch.noise.iter());
            model.visiting_round(&mut visits, &mut noise, &mut Report::default()).unwrap();
            assert!(noise.0.next().is_none(), "all of the noise is used");
            model.t += 1;
            let Some(state) = case.states.iter().find(|state| state.steps == t + 1) else { continue };
            let pi = (0..case.n as u32).flat_map(|a| model.lambda.row(a).iter().map(move |p| (a, f64::from(*p))));
            let phi = pi.map(|(a, p)| p * f64::from(model.phi_sum[a as usize]));
            let theta = (model.theta_sum.iter().zip(model.lambda.beta())).flat_map(|(s, b)| [s * (1.0 - b), s * b]);
            let wanted = state.phi.iter().chain(&state.theta);
            let relative = phi.chain(theta).zip(wanted).map(|(ours, numpy)| (ours / numpy - 1.0).abs());
            worst = relative.fold(worst, f64::max);
        }
        println!("{} nodes, {} communities, {} steps: within {worst:.1e}", case.n, case.k, case.steps.len());
        assert!(worst < 1e-5, "{worst}");
    }
}

/// 200 nodes in three blocks.
fn blocks() -> (Graph, Vec<f32>) {
    let mut random = stream(9);
    let (n, k) = (200u32, 3);
    let pairs = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
    let edges: Vec<_> = pairs.filter(|(a, b)| random.unit() < if a % k == b % k { 0.1 } else { 0.01 }).collect();
    let belief = (0..n).flat_map(|a| (0..k).map(move |i| if a % k == i { 0.6 } else { 0.2 })).collect();
    (Graph::from_edges(n as usize, &edges).unwrap(), belief)
}

#[test]
fn published_visits_the_pairs_that_are_printed_and_its_twin_none() {
    let (graph, belief) = blocks();
    let (n, batch, iterations) = (200u64, 60, 7);
    let published = |inference| MmsbmParams {
        minibatch: 60,
        scale_iterations: 5,
        first_step: 10_000,
        eps_0: 0.5,
        ..MmsbmParams::alone(3, inference)
    };
    let run = |params: MmsbmParams| {
        let params = params.check().unwrap();
        let mut model = Mmsbm::start(&params, &graph, Start::Belief(Belief { k: 3, rows: &belief })).unwrap();
        let first = model.infer(iterations, stream(0)).unwrap();
        model.start_again(Start::Belief(Belief { k: 3, rows: &belief })).unwrap();
        (first.non_edges_visited, model.infer(iterations, stream(1)).unwrap())
    };
    // Any batch visits at least as many pairs as the nodes of highest degree would.
    let (first, report) = run(published(Inference::Minibatch));
    let of_theta = (0.01 * (n * (n - 1) / 2 - graph.edges() as u64) as f64) as u64;
    let (least, most) = {
        let mut degrees: Vec<u64> = (0..200).map(|a| graph.degree(a) as u64).collect();
        degrees.sort_unstable();
        let sum = |part: &[u64]| part.iter().map(|degree| batch - degree).sum::<u64>();
        (sum(&degrees[200 - 60..]), sum(&degrees[..60]))
    };
    let found = report.non_edges_visited;
    let within = |found: u64, steps: u64| (steps * (of_theta + least)..=steps * (of_theta + most)).contains(&found);
    assert_eq!(report.iterations, iterations);
    assert!(within(found, 7), "{found}");
    assert!(within(first, 12), "the first run samples too: {first}");
    let linear = MmsbmParams { beta_update: BetaUpdate::Ascent, ..published(Inference::Linear) };
    let (_, report) = run(linear); // its first run, from dense communities, samples what the closed form leaves out
    assert_eq!(report.non_edges_visited, 0, "closed form");
}

#[test]
fn an_inference_ends_when_it_is_told_to_even_in_its_first_run() {
    use crate::graph_model::GraphModel as _;
    let (graph, belief) = blocks();
    let params = MmsbmParams { minibatch: 60, scale_iterations: 50, ..MmsbmParams::alone(3, Inference::Minibatch) };
    for last in [3, 50, 55, 70] {
        let start = Start::Belief(Belief { k: 3, rows: &belief });
        let mut model = Mmsbm::start(&params.clone().check().unwrap(), &graph, start).unwrap();
        let seen = std::sync::Mutex::new(Vec::new());
        let go_on = |done, total| {
            assert_eq!(total, 70);
            seen.lock().unwrap().push(done);
            if done < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let error = model.infer_watched(20, stream(0), &go_on).unwrap_err();
        assert!(matches!(error, crate::Error::Stopped));
        assert_eq!(*seen.lock().unwrap(), (1..=last).collect::<Vec<_>>());
    }
}

#[test]
fn row_sums_are_found_once_and_carried_on() {
    let (graph, belief) = blocks();
    let params = MmsbmParams { minibatch: 60, scale_iterations: 50, ..MmsbmParams::alone(3, Inference::Minibatch) };
    let start = || Start::Belief(Belief { k: 3, rows: &belief });
    let mut model = Mmsbm::start(&params.check().unwrap(), &graph, start()).unwrap();
    assert!(model.phi_sum.iter().all(|sum| *sum == 4.0));
    model.infer(0, stream(0)).unwrap();
    let (phi, theta) = (model.phi_sum.clone(), model.theta_sum.clone());
    let found: Vec<f32> = model.lambda.row(4).to_vec();
    assert!((found[1] - 0.6).abs() < 1e-6, "λ is at its start again: {found:?}");
    assert!(phi.iter().any(|sum| *sum != phi[0]) && theta.iter().all(|sum| *sum > 1.0), "{theta:?}");
    model.infer(3, stream(1)).unwrap();
    let carried = model.phi_sum.clone();
    model.start_again(start()).unwrap();
    assert_eq!((model.t, &model.phi_sum), (0, &carried));
    let near = |(x, y): (&f32, &f32)| (x / y - 1.0).abs() < 0.5;
    assert!(phi.iter().zip(&carried).all(near), "an inference leaves row sums nearly as they were");
}

#[derive(Deserialize)]
struct Metropolis {
    n: usize,
    k: usize,
    delta: f64,
    alpha: f64,
    eta: f64,
    edges: Vec<(u32, u32)>,
    belief: Vec<f32>,
    names: Vec<String>,
    cases: Vec<Found>,
}

/// Under a prior of this strength.
#[derive(Deserialize)]
struct Found {
    strength: f64,
    mean: Vec<f64>,
    mean_error: Vec<f64>,
    variance: Vec<f64>,
    variance_error: Vec<f64>,
}

/// Mean and variance of each quantity over a chain, with their Monte Carlo errors by batches.
fn langevin(golden: &Metropolis, strength: f64, step: f64, iterations: usize) -> Vec<[(f64, f64); 2]> {
    let graph = Graph::from_edges(golden.n, &golden.edges).unwrap();
    let params = MmsbmParams {
        delta: OrAuto::Fixed(golden.delta),
        alpha: golden.alpha,
        eta: golden.eta,
        prior_strength: strength,
        langevin_step: step,
        kappa: 0.0, // a constant step, so that its bias is one number
        ..MmsbmParams::new(golden.k, Inference::Langevin)
    };
    let params = params.check().unwrap();
    let start = Start::Belief(Belief { k: golden.k, rows: &golden.belief });
    let mut model = Mmsbm::start(&params, &graph, start).unwrap();
    let mut stream = stream(2);
    model.run(2_000, &mut stream, &|_, _| ControlFlow::Continue(())).unwrap();
    let batches = 64;
    let length = iterations / batches;
    let mut of_batches = vec![vec![[0f64; 2]; golden.names.len()]; batches];
    for batch in &mut of_batches {
        for _ in 0..length {
            model.run(1, &mut stream, &|_, _| ControlFlow::Continue(())).unwrap();
            let (lambda, beta) = (&model.lambda, model.lambda.beta());
            let likelihood = model.log_posterior() - model.log_prior();
            let rows = [(0, 0), (4, 1), (9, 2)].map(|(a, k)| f64::from(lambda.row(a)[k]));
            let now = [beta[0], beta[1], beta[2], rows[0], rows[1], rows[2], likelihood];
            for (sums, x) in batch.iter_mut().zip(now) {
                *sums = [sums[0] + x / length as f64, sums[1] + x * x / length as f64];
            }
        }
    }
    let over = |f: &dyn Fn(usize) -> f64| {
        let mean = (0..batches).map(f).sum::<f64>() / batches as f64;
        let spread = (0..batches).map(|b| (f(b) - mean).powi(2)).sum::<f64>() / (batches - 1) as f64;
        (mean, (spread / batches as f64).sqrt())
    };
    (0..golden.names.len())
        .map(|q| {
            let mean = over(&|b| of_batches[b][q][0]);
            let of = |b: usize| of_batches[b][q][1] - 2.0 * of_batches[b][q][0] * mean.0 + mean.0 * mean.0;
            [mean, over(&of)]
        })
        .collect()
}

// 28 quantities at four errors: a false alarm in about 1 of 500 seeds; the stream is fixed.
#[test]
fn langevin_samples_the_posterior_that_metropolis_samples() {
    let golden: Metropolis = serde_json::from_str(include_str!("../../../tests/golden/langevin.json")).unwrap();
    let mut wrong = Vec::new();
    for case in &golden.cases {
        let strength = case.strength;
        let whole = langevin(&golden, strength, 0.05, 100_000);
        let half = langevin(&golden, strength, 0.025, 200_000);
        for (q, name) in golden.names.iter().enumerate() {
            let theirs = [(case.mean[q], case.mean_error[q]), (case.variance[q], case.variance_error[q])];
            let samples = half[q][1].0 / half[q][0].1.powi(2);
            for (i, what) in ["mean", "variance"].into_iter().enumerate() {
                let ((coarse, _), (fine, error), (truth, their_error)) = (whole[q][i], half[q][i], theirs[i]);
                let allowed = 4.0 * error.hypot(their_error) + (coarse - fine).abs();
                println!(
                    "kappa {strength}, {what} of {name}: {fine:.5} (step halved: {:+.5}), Metropolis {truth:.5}, \
                     allowed {allowed:.5}; effective sample size {samples:.0}",
                    fine - coarse
                );
                if (fine - truth).abs() > allowed {
                    wrong.push(format!("kappa {strength}, {what} of {name}: {fine} and {truth}, allowed {allowed}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
