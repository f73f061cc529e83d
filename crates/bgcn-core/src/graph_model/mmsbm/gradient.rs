//! The gradient of log p(G_obs | pi, beta), found by `exact`, `linear` or `minibatch`.
//! Paper: g_ab(phi) and g_ab(theta) in the equations labelled theta_update and phi_update.
//! Differs: what is kept is phi ∘ g, which does not depend on the row sums of phi, and for theta the two
//! responsibilities from which its gradient and the EM update both follow.
//! Symbols: L_k = Σ_edges f(k,k)/Z, M_k = Σ_non-edges f(k,k)/Z; theta_k1 g = −theta_k0 g = L_k − beta_k (L_k + M_k).

use super::Lambda;
use crate::graph::Graph;
use crate::kernels::Aligned;

/// The graph and where its gradient is taken.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) lambda: &'a Lambda,
}

impl At<'_> {
    /// c = beta − delta `[stride]`, zeros from k on.
    pub(crate) fn padded_c(&self) -> Vec<f32> {
        let mut c = vec![0.0; self.lambda.stride()];
        c.iter_mut().zip(self.lambda.beta()).for_each(|(c, beta)| *c = (beta - self.lambda.delta()) as f32);
        c
    }
}

/// A gradient, or an estimate of one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gradient {
    /// phi ∘ dL/dphi [n, stride]; rows sum to 0.
    pub(crate) phi: Aligned,
    /// L `[k]`.
    pub(crate) links: Vec<f64>,
    /// M `[k]`.
    pub(crate) non_links: Vec<f64>,
}

impl Gradient {
    pub(crate) fn zeros(lambda: &Lambda) -> Self {
        Self {
            phi: Aligned::zeros(lambda.n() * lambda.stride()),
            links: vec![0.0; lambda.k()],
            non_links: vec![0.0; lambda.k()],
        }
    }

    /// theta_k1 dL/dtheta_k1 for community k; theta_k0's is its negative.
    pub(crate) fn theta(&self, k: usize, beta: f64) -> f64 {
        self.links[k] - beta * (self.links[k] + self.non_links[k])
    }
}
