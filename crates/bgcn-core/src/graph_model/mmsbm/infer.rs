//! Iterations: a gradient, a step for the memberships, a step for the community strengths.
//! Paper: the equations labelled theta_update and phi_update.
//! Differs: pi and the row sums of phi are kept instead of phi (phi = pi · sum), theta likewise. `natural` takes damped
//! natural steps under the prior Dir(1 + κ p). beta may jump to its conditional maximum (EM) instead of climbing.
//! Symbols: eps_t = eps_0 (t + tau)^-kappa; L_k and M_k the responsibilities of edges and non-edges.
//!
//! Where the closed form of `linear` is off by more than the tolerance, [`EXACT_UP_TO`] nodes or fewer get the exact
//! sum, and larger graphs a sampled correction; the report says so.

use super::gradient::{At, Blocks, Line, OTHERS, Sampled, Visits, add_residual, exact, phi_gradient, theta_gradient};
use super::{BetaUpdate, Drift, Inference, Mmsbm, Rows};
use crate::graph_model::blocks::memberships::{LEAST_PI, LEAST_RATE};
use crate::graph_model::{Error, Fallback, GoOn, Report, Truncation, ask};
use crate::kernels::mmsbm_step::{self as kernel, Step, move_rows};
use crate::rng::{Random, Stream};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// The exact sum replaces a closed form that is too coarse up to this many nodes.
pub(super) const EXACT_UP_TO: usize = 2048;

/// A block's number, its rows of pi with their row sums, and their gradient.
type Part<'a> = (usize, ((&'a mut [f32], &'a mut [f32]), &'a [f32]));

impl Mmsbm<'_> {
    /// Improves λ for `iterations` rounds, going on from where it is.
    ///
    /// With `langevin`, an iteration is a step of the chain; see [`Mmsbm::posterior_samples`] for burn-in and thinning.
    pub fn infer(&mut self, iterations: usize, mut stream: Stream) -> Result<Report, Error> {
        self.run(iterations, &mut stream, &|_, _| ControlFlow::Continue(()))
    }

    pub(super) fn run(&mut self, iterations: usize, stream: &mut Stream, go_on: GoOn<'_>) -> Result<Report, Error> {
        let mut report = Report::default();
        let first = if self.scaled { 0 } else { self.params.scale_iterations };
        let total = first + iterations;
        if first > 0 {
            self.find_scales(stream, &mut report, &|done, _| go_on(done, total))?;
        }
        if self.params.inference == Inference::Variational {
            self.t = 0;
            self.begin_mean_field(iterations);
        }
        for _ in 0..iterations {
            let moved = self.iterate(stream, &mut report)?;
            ask(go_on, first + report.iterations, total)?;
            if self.params.trace_every > 0 && self.t.is_multiple_of(self.params.trace_every) {
                report.trace.push(self.progress());
            }
            if f64::from(moved) < self.params.stop_below {
                report.stopped_early = report.iterations < iterations;
                break;
            }
        }
        Ok(report)
    }

    /// One round; the largest change of a membership.
    pub(super) fn iterate(&mut self, stream: &mut Stream, report: &mut Report) -> Result<f32, Error> {
        let moved = match (self.params.inference, self.params.drift) {
            (Inference::Variational, _) => self.variational_round()?,
            (Inference::Minibatch, _) | (Inference::Langevin, Drift::Minibatch) => {
                self.sampled_round(stream, report)?
            }
            _ => {
                self.find_gradient(stream, report);
                self.step(stream)?
            }
        };
        self.t += 1;
        report.iterations += 1;
        Ok(moved)
    }

    /// A step along the gradient; the largest change of a membership.
    fn step(&mut self, stream: &mut Stream) -> Result<f32, Error> {
        if self.params.inference == Inference::Langevin {
            let moved = self.diffuse(stream)?;
            self.diffuse_strengths(stream)?;
            return Ok(moved);
        }
        let moved = if self.params.inference == Inference::Linear && self.params.rows == Rows::Sampled {
            let nodes = self.work.minibatch.nodes(self.lambda.n(), self.params.minibatch, &mut stream.fast());
            self.move_batch(&nodes)?
        } else {
            self.move_memberships()?
        };
        self.move_strengths()?;
        Ok(moved)
    }

    /// A round with sampled pairs.
    fn sampled_round(&mut self, stream: &mut Stream, report: &mut Report) -> Result<f32, Error> {
        let (mut memory, params) = (std::mem::take(&mut self.work.minibatch), self.params.clone());
        let mut visits = Sampled { graph: self.graph, params: &params, memory: &mut memory, random: stream.fast() };
        let moved = self.visiting_round(&mut visits, stream, report);
        self.work.minibatch = memory;
        moved
    }

    /// A round with the pairs that `visits` names: phi of some nodes, then theta.
    pub(super) fn visiting_round(
        &mut self,
        visits: &mut dyn Visits,
        noise: &mut impl Random,
        report: &mut Report,
    ) -> Result<f32, Error> {
        let sampling = self.params.inference == Inference::Langevin;
        let at = At { graph: self.graph, lambda: &self.lambda };
        let (nodes, visited) = phi_gradient(at, visits, &mut self.work.gradient);
        report.non_edges_visited += visited;
        let moved = if sampling { self.diffuse_batch(&nodes, noise)? } else { self.move_batch(&nodes)? };
        let at = At { graph: self.graph, lambda: &self.lambda };
        report.non_edges_visited += theta_gradient(at, visits, &mut self.work.gradient);
        if sampling {
            self.diffuse_strengths(noise)?
        } else {
            self.move_strengths()?
        }
        Ok(moved)
    }

    /// The gradient in closed form, or what replaces it.
    fn find_gradient(&mut self, stream: &mut Stream, report: &mut Report) {
        let at = At { graph: self.graph, lambda: &self.lambda };
        let work = &mut self.work;
        let line = Line::closest(self.lambda.beta(), self.lambda.delta());
        let bound = line.relative_error(self.lambda.delta());
        // A random start is far from sparse, and its first run long: it takes the sampled correction on any graph.
        let n = self.lambda.n();
        let small = n <= EXACT_UP_TO && !self.finding_scales;
        let truncation = report.truncation.get_or_insert(Truncation { bound: 0.0, fallback: None });
        truncation.bound = truncation.bound.max(bound);
        if bound <= self.params.tolerance {
            work.linear.gradient(at, line, &mut work.gradient);
        } else if small {
            truncation.fallback = Some(Fallback::Exact);
            report.non_edges_visited += (n * n.saturating_sub(1) / 2 - self.graph.edges()) as u64;
            work.linear.find_moments(at);
            exact(at, &mut work.gradient);
        } else {
            truncation.fallback = Some(Fallback::Sampled);
            report.non_edges_visited += (n * OTHERS) as u64;
            work.linear.gradient(at, line, &mut work.gradient);
            add_residual(at, line, stream, &mut work.gradient);
        }
    }

    /// One step for every row of pi; the largest change.
    fn move_memberships(&mut self) -> Result<f32, Error> {
        let (k, stride) = (self.lambda.k(), self.lambda.stride());
        let step = match self.params.inference {
            Inference::Natural => Step::Natural {
                damping: self.params.damping as f32,
                strength: self.params.prior_strength as f32,
                pull: self.largest_pull() as f32,
                belief: &self.belief,
                offsets: self.graph.offsets(),
            },
            _ => self.ascent(),
        };
        let blocks = Blocks::of(self.lambda.n());
        let size = blocks.rows();
        let (pi, _) = self.lambda.parts_mut();
        let g = &self.work.gradient.phi;
        let go = |(i, ((pi, scale), g)): Part<'_>| {
            move_rows(&step, kernel::Rows { first: i * size, k, floor: LEAST_PI, pi, scale, g })
        };
        let moved = if blocks.parallel() {
            let rows = pi.par_chunks_mut(size * stride).zip(self.phi_sum.par_chunks_mut(size));
            rows.zip(g.par_chunks(size * stride)).enumerate().map(go).reduce(|| 0.0, larger)
        } else {
            let rows = pi.chunks_mut(size * stride).zip(self.phi_sum.chunks_mut(size));
            rows.zip(g.chunks(size * stride)).enumerate().map(go).fold(0.0, larger)
        };
        self.finite_phi(moved)
    }

    /// One step for the rows of these nodes.
    pub(super) fn move_batch(&mut self, nodes: &[u32]) -> Result<f32, Error> {
        let (k, stride) = (self.lambda.k(), self.lambda.stride());
        let step = self.ascent();
        let (pi, _) = self.lambda.parts_mut();
        let mut moved = 0.0;
        for &a in nodes {
            let a = a as usize;
            let columns = a * stride..(a + 1) * stride;
            let rows = kernel::Rows {
                first: a,
                k,
                floor: LEAST_PI,
                pi: &mut pi[columns.clone()],
                scale: &mut self.phi_sum[a..=a],
                g: &self.work.gradient.phi[columns],
            };
            moved = larger(move_rows(&step, rows), moved);
        }
        self.finite_phi(moved)
    }

    fn ascent(&self) -> Step<'static> {
        Step::Ascent { eps: self.eps() as f32, prior: (self.params.alpha - 1.0) as f32, rho: self.params.rho as f32 }
    }

    /// eps_t; in the first run it counts from 0 and is larger.
    pub(super) fn eps(&self) -> f64 {
        match self.finding_scales {
            true => self.params.scale_step * self.params.step(self.t),
            false => self.params.step(self.params.first_step + self.t),
        }
    }

    /// max_k |c_k| S_k, the strongest pull of the non-edges on a membership.
    fn largest_pull(&self) -> f64 {
        let delta = self.lambda.delta();
        let strongest = |(s, beta): (&f64, &f64)| (beta - delta).abs() * s;
        self.work.linear.moments.iter().zip(self.lambda.beta()).map(strongest).fold(0.0, f64::max)
    }

    /// beta by EM or by ascent on theta.
    pub(super) fn move_strengths(&mut self) -> Result<(), Error> {
        let (eta, rho, eps) = (self.params.eta, self.params.rho, self.eps());
        let em = self.params.beta_update == BetaUpdate::Em;
        let gradient = &self.work.gradient;
        let (_, beta) = self.lambda.parts_mut();
        for (k, (beta, sum)) in beta.iter_mut().zip(&mut self.theta_sum).enumerate() {
            if em {
                let links = gradient.links[k] + eta - 1.0;
                let all = gradient.links[k] + gradient.non_links[k] + 2.0 * (eta - 1.0);
                // 0/0: a community without members says nothing about its strength, which stays.
                if all > f64::MIN_POSITIVE {
                    *beta = links / all;
                }
            } else {
                let up = gradient.theta(k, *beta);
                let step = |theta: f64, g: f64| (theta + eps * (eta - 1.0 - rho * theta + g)).abs();
                let (theta_0, theta_1) = (step((1.0 - *beta) * *sum, -up), step(*beta * *sum, up));
                *sum = (theta_0 + theta_1).max(f64::MIN_POSITIVE);
                *beta = theta_1 / *sum;
            }
            *beta = beta.clamp(LEAST_RATE, 1.0 - LEAST_RATE);
        }
        self.finite_theta()
    }

    pub(super) fn finite_phi(&self, moved: f32) -> Result<f32, Error> {
        if moved.is_nan() { Err(self.not_finite("phi", "phi_scale")) } else { Ok(moved) }
    }

    pub(super) fn finite_theta(&self) -> Result<(), Error> {
        let finite = self.lambda.beta().iter().chain(&self.theta_sum).all(|x| x.is_finite());
        if finite { Ok(()) } else { Err(self.not_finite("theta", "theta_scale")) }
    }

    fn not_finite(&self, what: &'static str, remedy: &'static str) -> Error {
        let inference = self.params.inference.name();
        let (t, eps_0) = (self.t, self.params.eps_0);
        Error::NotFinite(format!(
            "iteration {t} of {inference}: {what} is not finite; try a smaller mmsbm.eps_0 (now {eps_0}) or a larger \
             mmsbm.{remedy}"
        ))
    }
}

/// The larger of two, where NaN wins over every number.
pub(super) fn larger(x: f32, y: f32) -> f32 {
    if x.is_nan() || x > y { x } else { y }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::graph_model::mmsbm::{MmsbmParams, Start};
    use crate::rng::{For, Seed};

    fn stream() -> Stream {
        Seed::new(1).at(For::Lambda, [0; 3])
    }

    #[test]
    fn a_gradient_that_is_not_a_number_ends_every_inference_with_an_error() {
        let graph = Graph::from_edges(6, &[(0, 1), (1, 2), (3, 4), (4, 5)]).unwrap();
        for drift in [Drift::Linear, Drift::Minibatch] {
            for inference in Inference::ALL {
                let params = MmsbmParams { drift, ..MmsbmParams::alone(3, inference) }.check().unwrap();
                let mut model = Mmsbm::start(&params, &graph, Start::Random(stream())).unwrap();
                model.find_gradient(&mut stream(), &mut Report::default());
                model.work.gradient.phi.chunks_exact_mut(8).for_each(|row| row[2] = f32::NAN);
                let found = match inference {
                    Inference::Variational => {
                        model.lambda.parts_mut().0.chunks_exact_mut(8).for_each(|row| row[2] = f32::NAN);
                        model.begin_mean_field(5);
                        model.variational_round()
                    }
                    Inference::Minibatch => model.move_batch(&[0, 1, 2]),
                    _ => model.step(&mut stream()),
                };
                let error = found.expect_err(inference.name()).to_string();
                assert!(error.contains("phi is not finite"), "{error}");
            }
        }
    }
}
