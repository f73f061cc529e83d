//! The expanded mean: pi and beta by phi and theta, which need only be positive.
//! Paper: "Posterior inference for the MMSBM", pi_ak = phi_ak / Σ_l phi_al and beta_k = theta_k1 / (theta_k0 + theta_k1);
//! eps_t = eps_0 (t + tau)^-kappa.
//! Differs: pi and beta are kept with the row sums of phi and theta. The gradient leaves these sums nearly as they are:
//! they are inverse step sizes, and each inference sets them at its start.
//! Symbols: `phi_sum` `[n]`, `theta_sum` `[k]`.

use super::{Inference, Mmsbm};
use crate::graph_model::Error;
use crate::kernels::Aligned;
use crate::setting::OrAuto;

impl Mmsbm<'_> {
    /// The row sums that inference starts with.
    pub(super) fn reset_sums(&mut self) {
        let params = &self.params;
        self.t = 0;
        self.phi_sum.clear();
        self.phi_sum.resize(self.lambda.n(), params.phi_scale as f32);
        let largest = self.lambda.sizes().into_iter().fold(1.0, f64::max);
        let rule = params.step(params.first_step) * 0.5 * largest * largest;
        let theta_sum = match params.theta_scale {
            OrAuto::Auto => rule,
            OrAuto::Fixed(scale) => scale,
        };
        self.theta_sum = vec![theta_sum; self.lambda.k()];
        let inference = params.inference;
        if matches!(inference, Inference::Natural | Inference::Langevin | Inference::Variational) {
            self.belief = Aligned::zeros(self.lambda.padded().len());
            self.belief.copy_from_slice(self.lambda.padded());
        }
        if inference == Inference::Langevin {
            self.set_rates();
        }
    }

    /// eps_t; in the first run it counts from 0 and is larger.
    pub(super) fn eps(&self) -> f64 {
        match self.finding_scales {
            true => self.params.scale_step * self.params.step(self.t),
            false => self.params.step(self.params.first_step + self.t),
        }
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
