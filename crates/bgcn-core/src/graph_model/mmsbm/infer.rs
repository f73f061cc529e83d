//! Iterations: a gradient, a step for the memberships, a step for the community strengths.
//! Paper: lines 2 to 4 of Algorithm 1, N_b iterations of the equations labelled theta_update and phi_update.
//! Differs: inference by name; what each does is in the file of its name.
//!
//! | inference | gradient | step of pi | step of beta |
//! |---|---|---|---|
//! | `minibatch` | `minibatch` | `phi` | `theta` |
//! | `linear` | `linear` | `phi` | `theta` |
//! | `natural` | `linear` | `natural` | `theta` |
//! | `langevin` | `linear`, `minibatch` | `langevin` | `langevin` |
//! | `variational` | `variational` | `variational` | `variational` |

use super::{Drift, Inference, Mmsbm, Rows};
use crate::graph_model::{Error, GoOn, Report, ask};
use crate::rng::Stream;
use std::ops::ControlFlow;

impl Mmsbm<'_> {
    /// Improves λ for `iterations` rounds, going on from where it is.
    ///
    /// With `langevin`, an iteration is a step of the chain.
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
