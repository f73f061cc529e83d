//! `natural`: damped natural steps under a prior around the start.
//! Paper: none; the same posterior as mmsbm_posterior, but for its prior.
//! Differs: the prior of pi_a is Dir(1 + κ p_a), and every row moves by a share of the natural step towards its
//! conditional mode. Far from the mode a step is as long as it can be, so that two iterations are enough near p.
//! Symbols: pi_a += s (κ (p_a − pi_a) + phi_a g(phi_a)) / (κ + degree_a + pull), p the start, s the damping.

use super::{Lambda, MmsbmParams};
use crate::graph::Graph;
use crate::kernels::mmsbm_step::Step;

/// The step of all rows, with the gradient in closed form; `belief` is p [n, stride].
pub(super) fn step<'a>(params: &MmsbmParams, (graph, belief): (&'a Graph, &'a [f32]), pull: f64) -> Step<'a> {
    Step::Natural {
        damping: params.damping as f32,
        strength: params.prior_strength as f32,
        pull: pull as f32,
        belief,
        offsets: graph.offsets(),
    }
}

/// max_k |c_k| S_k, the strongest pull of the non-edges on a membership; S are the first of the closed form's moments.
pub(super) fn largest_pull(lambda: &Lambda, moments: &[f64]) -> f64 {
    let delta = lambda.delta();
    let strongest = |(s, beta): (&f64, &f64)| (beta - delta).abs() * s;
    moments.iter().zip(lambda.beta()).map(strongest).fold(0.0, f64::max)
}
