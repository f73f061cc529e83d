//! `langevin`: samples from p(pi, beta | G_obs), for V > 1.
//! Paper: V samples of λ in the equation labelled MC_posterior; it then takes the MAP estimate, V = 1.
//! Differs: stochastic gradient Riemannian Langevin dynamics, the sampler that the paper's ascent was made from. The
//! prior of pi_a is Dir(alpha + κ p_a) around the belief p that inference starts from: under the paper's Dir(alpha),
//! which is κ = 0, communities drift away from the classes. The drift is that of the minibatch, or the closed form,
//! which has no variance of its own.
//! Symbols: phi ← |phi + eps/2 (shape − rate phi + phi g) + sqrt(eps phi) xi|, xi ~ N(0, 1), shape = alpha + κ p;
//! theta the same with shape eta.
//!
//! pi and beta do not depend on the rates of the Gamma priors, which hold the row sums of phi and theta at shape / rate.
//! The row sums are inverse step sizes. So the rates are chosen for the steps: a first step goes `langevin_step` of the
//! way to the conditional mode, in every row.

use super::Mmsbm;
use super::expanded_mean::larger;
use crate::graph_model::Error;
use crate::graph_model::blocks::memberships::{LEAST_PI, LEAST_RATE, assign_normalised};
use crate::graph_model::blocks::rows::Blocks;
use crate::kernels::mmsbm_step::at_least;
use crate::rng::{Fast, Random, Stream};
use crate::setting::OrAuto;
use rayon::prelude::*;

/// Rates of the Gamma priors of phi `[n]` and theta `[k]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Rates {
    phi: Vec<f32>,
    theta: Vec<f64>,
}

/// phi or theta, and what pulls it.
#[derive(Clone, Copy)]
struct At {
    x: f64,
    shape: f64,
    rate: f64,
    g: f64,
}

impl At {
    fn step(self, eps: f64, random: &mut impl Random) -> f64 {
        let drift = 0.5 * eps * (self.shape - self.rate * self.x + self.g);
        (self.x + drift + (eps * self.x).sqrt() * random.normal()).abs()
    }
}

/// What moves the rows.
#[derive(Clone, Copy)]
struct Noise<'a> {
    eps: f64,
    alpha: f64,
    strength: f64,
    /// p [n, stride].
    belief: &'a [f32],
    rates: &'a [f32],
    k: usize,
    stride: usize,
}

impl Noise<'_> {
    /// Moves pi_a, whose phi sums to `sum`; the largest change of a membership.
    fn row(&self, a: usize, pi: &mut [f32], sum: &mut f32, g: &[f32], random: &mut impl Random) -> f32 {
        let belief = &self.belief[a * self.stride..];
        let phi: Vec<f64> = (0..self.k)
            .map(|i| {
                let shape = self.alpha + self.strength * f64::from(belief[i]);
                let (x, rate) = (f64::from(pi[i]) * f64::from(*sum), f64::from(self.rates[a]));
                let moved = At { x, shape, rate, g: f64::from(g[i]) }.step(self.eps, random);
                at_least(f64::from(LEAST_PI), moved)
            })
            .collect();
        let before = pi[..self.k].to_vec();
        if !assign_normalised(&mut pi[..self.k], phi.iter().copied()) {
            return f32::NAN;
        }
        *sum = phi.iter().sum::<f64>() as f32;
        before.iter().zip(pi).map(|(x, y)| (x - *y).abs()).fold(0.0, f32::max)
    }
}

impl Mmsbm<'_> {
    /// Row sums and rates by which a first step goes `langevin_step` of the way in every row.
    pub(super) fn set_rates(&mut self) {
        let params = &self.params;
        let per_information = params.step(params.first_step) / (2.0 * params.langevin_step);
        let shapes = params.communities as f64 * params.alpha + params.prior_strength;
        let (sizes, delta) = (self.lambda.sizes(), self.lambda.delta());
        let pull = sizes.iter().zip(self.lambda.beta()).map(|(s, b)| (b - delta).abs() * s).fold(0.0, f64::max);
        let sum = |a| per_information * (shapes + self.graph.degree(a) as f64 + pull);
        self.phi_sum = (0..self.lambda.n() as u32).map(|a| sum(a) as f32).collect();
        if params.theta_scale == OrAuto::Auto {
            let sum = |size: &f64| per_information * (2.0 * params.eta + 0.5 * size * size);
            self.theta_sum = sizes.iter().map(sum).collect();
        }
        self.rates = Rates {
            phi: self.phi_sum.iter().map(|sum| shapes as f32 / sum).collect(),
            theta: self.theta_sum.iter().map(|sum| 2.0 * params.eta / sum).collect(),
        };
    }

    /// One step of the chain for all rows; the largest change of a membership.
    pub(super) fn diffuse(&mut self, stream: &mut Stream) -> Result<f32, Error> {
        let (eps, blocks) = (self.eps(), Blocks::of(self.lambda.n()));
        let (params, k, stride) = (&self.params, self.lambda.k(), self.lambda.stride());
        let (alpha, strength) = (params.alpha, params.prior_strength);
        let noise = Noise { eps, alpha, strength, belief: &self.belief, rates: &self.rates.phi, k, stride };
        let size = blocks.rows();
        let g = &self.work.gradient.phi;
        let (pi, _) = self.lambda.parts_mut();
        let streams: Vec<Fast> = (0..blocks.count()).map(|_| stream.fast()).collect();
        let rows = pi.par_chunks_mut(size * stride).zip(self.phi_sum.par_chunks_mut(size));
        let moved = rows
            .zip(g.par_chunks(size * stride))
            .zip(streams)
            .enumerate()
            .map(|(i, (((pi, sum), g), mut random))| {
                let rows = pi.chunks_exact_mut(stride).zip(sum).zip(g.chunks_exact(stride));
                let row = |(a, ((pi, sum), g)): (usize, ((&mut [f32], &mut f32), &[f32]))| {
                    noise.row(i * size + a, pi, sum, g, &mut random)
                };
                rows.enumerate().map(row).fold(0.0, larger)
            })
            .reduce(|| 0.0, larger);
        self.finite_phi(moved)
    }

    /// The same for the rows of these nodes.
    pub(super) fn diffuse_batch(&mut self, nodes: &[u32], random: &mut impl Random) -> Result<f32, Error> {
        let (eps, k, stride) = (self.eps(), self.lambda.k(), self.lambda.stride());
        let (alpha, strength) = (self.params.alpha, self.params.prior_strength);
        let noise = Noise { eps, alpha, strength, belief: &self.belief, rates: &self.rates.phi, k, stride };
        let g = &self.work.gradient.phi;
        let (pi, _) = self.lambda.parts_mut();
        let row = |&a: &u32| {
            let (a, columns) = (a as usize, a as usize * stride..(a as usize + 1) * stride);
            noise.row(a, &mut pi[columns.clone()], &mut self.phi_sum[a], &g[columns], random)
        };
        let moved = nodes.iter().map(row).fold(0.0, larger);
        self.finite_phi(moved)
    }

    pub(super) fn diffuse_strengths(&mut self, random: &mut impl Random) -> Result<(), Error> {
        let (eps, shape) = (self.eps(), self.params.eta);
        let gradient = &self.work.gradient;
        let (_, beta) = self.lambda.parts_mut();
        for (k, (beta, sum)) in beta.iter_mut().zip(&mut self.theta_sum).enumerate() {
            let (up, rate) = (gradient.theta(k, *beta), self.rates.theta[k]);
            let theta_0 = At { x: (1.0 - *beta) * *sum, shape, rate, g: -up }.step(eps, random);
            let theta_1 = At { x: *beta * *sum, shape, rate, g: up }.step(eps, random);
            *sum = (theta_0 + theta_1).max(f64::MIN_POSITIVE);
            *beta = (theta_1 / *sum).clamp(LEAST_RATE, 1.0 - LEAST_RATE);
        }
        self.finite_theta()
    }
}
