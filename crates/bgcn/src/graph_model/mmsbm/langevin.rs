//! `langevin`: samples from p(pi, beta | G_obs), for V > 1.
//! Paper: V samples of λ in the equation labelled MC_posterior; it then takes the MAP estimate, V = 1.
//! Differs: stochastic gradient Riemannian Langevin dynamics, the sampler that the paper's ascent was made from. The
//! drift is that of the minibatch, or the closed form, which has no variance of its own.
//! Symbols: phi ← |phi + eps/2 (alpha − rho phi + phi g) + sqrt(eps phi) xi|, xi ~ N(0, 1); theta the same with eta.

use super::gradient::Blocks;
use super::infer::larger;
use super::{Inference, Lambda, Mmsbm};
use crate::graph_model::Error;
use crate::graph_model::blocks::memberships::{LEAST_PI, LEAST_RATE, assign_normalised};
use crate::kernels::mmsbm_step::at_least;
use crate::rng::{Fast, Random, Stream};
use rayon::prelude::*;

/// What moves a row.
#[derive(Clone, Copy)]
struct Noise {
    eps: f64,
    shape: f64,
    rho: f64,
}

impl Noise {
    fn step(self, x: f64, g: f64, random: &mut impl Random) -> f64 {
        let drift = 0.5 * self.eps * (self.shape - self.rho * x + g);
        (x + drift + (self.eps * x).sqrt() * random.normal()).abs()
    }

    /// Moves pi_a, whose phi sums to `sum`; the largest change of a membership.
    fn row(self, pi: &mut [f32], sum: &mut f32, g: &[f32], random: &mut Fast) -> f32 {
        let phi: Vec<f64> = pi
            .iter()
            .zip(g)
            .map(|(&p, &g)| at_least(f64::from(LEAST_PI), self.step(f64::from(p * *sum), f64::from(g), random)))
            .collect();
        let before = pi.to_vec();
        if !assign_normalised(pi, phi.iter().copied()) {
            return f32::NAN;
        }
        *sum = phi.iter().sum::<f64>() as f32;
        before.iter().zip(pi).map(|(x, y)| (x - *y).abs()).fold(0.0, f32::max)
    }
}

impl Mmsbm<'_> {
    /// `count` samples of λ: `burn_in` iterations if the chain has run less than that, then one sample every
    /// `iterations`.
    ///
    /// The settings must ask for `langevin`.
    pub fn posterior_samples(&mut self, count: usize, mut stream: Stream) -> Result<Vec<Lambda>, Error> {
        if self.params.inference != Inference::Langevin {
            let allowed = "posterior samples need langevin; the others find a single estimate";
            return Err(Error::setting("inference", self.params.inference.name(), allowed));
        }
        let mut samples = Vec::with_capacity(count);
        let mut iterations = self.params.burn_in.saturating_sub(self.t);
        for _ in 0..count {
            iterations += self.params.iterations;
            self.run(iterations, &mut stream)?;
            samples.push(self.lambda.clone());
            iterations = 0;
        }
        Ok(samples)
    }

    /// One step of the chain for all rows; the largest change of a membership.
    pub(super) fn diffuse(&mut self, stream: &mut Stream) -> Result<f32, Error> {
        let (k, stride) = (self.lambda.k(), self.lambda.stride());
        let noise = Noise { eps: self.eps(), shape: self.params.alpha, rho: self.params.rho };
        let blocks = Blocks::of(self.lambda.n());
        let size = blocks.rows();
        let g = &self.work.gradient.phi;
        let (pi, _) = self.lambda.parts_mut();
        let streams: Vec<Fast> = (0..blocks.count()).map(|_| stream.fast()).collect();
        let rows = pi.par_chunks_mut(size * stride).zip(self.phi_sum.par_chunks_mut(size));
        let moved = rows
            .zip(g.par_chunks(size * stride))
            .zip(streams)
            .map(|(((pi, sum), g), mut random)| {
                let rows = pi.chunks_exact_mut(stride).zip(sum).zip(g.chunks_exact(stride));
                rows.map(|((pi, sum), g)| noise.row(&mut pi[..k], sum, &g[..k], &mut random)).fold(0.0, larger)
            })
            .reduce(|| 0.0, larger);
        self.finite_phi(moved)
    }

    /// The same for the rows of these nodes.
    pub(super) fn diffuse_batch(&mut self, nodes: &[u32], stream: &mut Stream) -> Result<f32, Error> {
        let (k, stride) = (self.lambda.k(), self.lambda.stride());
        let noise = Noise { eps: self.eps(), shape: self.params.alpha, rho: self.params.rho };
        let g = &self.work.gradient.phi;
        let (pi, _) = self.lambda.parts_mut();
        let mut random = stream.fast();
        let row = |&a: &u32| {
            let (a, columns) = (a as usize, a as usize * stride..a as usize * stride + k);
            noise.row(&mut pi[columns.clone()], &mut self.phi_sum[a], &g[columns], &mut random)
        };
        let moved = nodes.iter().map(row).fold(0.0, larger);
        self.finite_phi(moved)
    }

    pub(super) fn diffuse_strengths(&mut self, stream: &mut Stream) -> Result<(), Error> {
        let noise = Noise { eps: self.eps(), shape: self.params.eta, rho: self.params.rho };
        let gradient = &self.work.gradient;
        let (_, beta) = self.lambda.parts_mut();
        for (k, (beta, sum)) in beta.iter_mut().zip(&mut self.theta_sum).enumerate() {
            let up = gradient.theta(k, *beta);
            let theta_0 = noise.step((1.0 - *beta) * *sum, -up, stream);
            let theta_1 = noise.step(*beta * *sum, up, stream);
            *sum = (theta_0 + theta_1).max(f64::MIN_POSITIVE);
            *beta = (theta_1 / *sum).clamp(LEAST_RATE, 1.0 - LEAST_RATE);
        }
        self.finite_theta()
    }
}
