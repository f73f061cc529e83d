//! Settings of the mixed-membership block model, each default with its source.

use super::Draw;
use crate::checked::Checked;
use crate::graph_model::Error;
use serde::{Deserialize, Serialize};

/// Settings of the block model; a consuming builder, see [`MmsbParams::check`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MmsbParams {
    pub(crate) communities: usize,
    pub(crate) iterations: usize,
    pub(crate) prior_strength: f64,
    pub(crate) damping: f64,
    pub(crate) block_prior: f64,
    pub(crate) tolerance: f64,
    pub(crate) draw: Draw,
    pub(crate) trace_every: usize,
    pub(crate) stop_below: Option<f64>,
}

/// One consuming setter per setting.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty),* $(,)?) => {
        $($(#[$doc])* pub fn $name(mut self, $name: $type) -> Self { self.$name = $name; self })*
    };
}

impl MmsbParams {
    /// The defaults, for `communities` communities (K; the number of classes in a fit).
    pub fn new(communities: usize) -> Self {
        Self {
            communities,
            iterations: 3,       // as for mmsbm: near the guess
            prior_strength: 5.0, // as for mmsbm
            damping: 0.5,        // as for mmsbm
            block_prior: 1.0,    // one pair's worth: decides for empty communities, nothing else
            tolerance: 0.01,     // as for mmsbm
            draw: Draw::Hard,    // the authors' code
            trace_every: 0,      // costs a linear-time pass each
            stop_below: None,    // exactly as many iterations as asked for
        }
    }

    setters! {
        /// Iterations when none are given; ≥ 1.
        iterations: usize,
        /// κ of the prior Dir(1 + κ p_a); ≥ 0, at most a million.
        prior_strength: f64,
        /// Share of a natural step that is taken, in (0, 1].
        damping: f64,
        /// c, pseudo-pairs at the graph's density in every entry of B; ≥ 0.
        block_prior: f64,
        /// Largest error of the closed form, relative to the non-edges' pull, before small graphs get the exact sum; ≥ 0.
        tolerance: f64,
        /// How graphs are drawn: `Hard` takes every node's strongest community, and B in closed form given these, so that a draw
        /// has as many edges between two communities as were observed.
        draw: Draw,
        /// Iterations between entries of the trace; 0 for none.
        trace_every: usize,
        /// Stops once no membership moves by more than this in an iteration; > 0.
        stop_below: Option<f64>,
    }

    /// Accepts the settings or says which one is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        let numbers = [
            ("prior_strength", self.prior_strength, 0.0..=1e6, "it must lie between 0 and a million"),
            ("damping", self.damping, f64::MIN_POSITIVE..=1.0, "it must be above 0 and at most 1"),
            ("block_prior", self.block_prior, 0.0..=1e15, "it must not be negative, nor above 1e15"),
            ("tolerance", self.tolerance, 0.0..=f64::MAX, "it must not be negative"),
            ("stop_below", self.stop_below.unwrap_or(1.0), f64::MIN_POSITIVE..=f64::MAX, "it must be positive"),
        ];
        for (name, value, range, allowed) in numbers {
            if !range.contains(&value) {
                return Err(Error::setting(name, value, allowed));
            }
        }
        for (name, count) in [("communities", self.communities), ("iterations", self.iterations)] {
            if count == 0 {
                return Err(Error::setting(name, 0, "it must be at least 1"));
            }
        }
        Ok(Checked::vouched_for(self))
    }

    /// K.
    pub fn communities(&self) -> usize {
        self.communities
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_is_refused_everywhere() {
        type Setter = fn(MmsbParams, f64) -> MmsbParams;
        let setters: [(&str, Setter); 5] = [
            ("prior_strength", MmsbParams::prior_strength),
            ("damping", MmsbParams::damping),
            ("block_prior", MmsbParams::block_prior),
            ("tolerance", MmsbParams::tolerance),
            ("stop_below", |p, x| p.stop_below(Some(x))),
        ];
        for (name, set) in setters {
            for bad in [f64::NAN, -1.0, f64::INFINITY] {
                let error = set(MmsbParams::new(3), bad).check().unwrap_err().to_string();
                assert!(error.contains(name), "{error}");
            }
        }
        assert!(MmsbParams::new(3).check().is_ok());
        assert!(MmsbParams::new(0).check().is_err() && MmsbParams::new(3).iterations(0).check().is_err());
    }
}
