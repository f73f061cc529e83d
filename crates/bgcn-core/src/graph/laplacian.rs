//! L̃ = 2 L / λ_max − I with L = I − D^-1/2 A D^-1/2, the argument of ChebyNet's polynomials.
//! Differs: as for Â no value is stored, L̃ x = own · x − mix · s ∘ A(s ∘ x). An isolated node has s = 0, so L_aa = 1.

use super::Graph;

/// L̃ as two numbers and one vector; the pattern is the graph's own.
#[derive(Clone, Debug, PartialEq)]
pub struct RescaledLaplacian {
    /// s `[n]` = degree^-1/2, 0 for isolated nodes.
    pub scale: Vec<f32>,
    /// The diagonal, 2/λ_max − 1.
    pub own: f32,
    /// The weight of the neighbours, 2/λ_max.
    pub mix: f32,
    /// The largest eigenvalue of L, at most 2.
    pub lambda_max: f64,
}

impl Graph {
    /// L̃ with λ_max found by Lanczos iteration, to about six digits.
    pub fn rescaled_laplacian(&self) -> RescaledLaplacian {
        let scale: Vec<f32> = (0..self.nodes() as u32)
            .map(|a| if self.degree(a) == 0 { 0.0 } else { 1.0 / (self.degree(a) as f32).sqrt() })
            .collect();
        let lambda_max = self.largest_laplacian_eigenvalue();
        let mix = (2.0 / lambda_max) as f32;
        RescaledLaplacian { scale, own: mix - 1.0, mix, lambda_max }
    }

    /// L x in double precision.
    fn laplacian_times(&self, x: &[f64], out: &mut [f64]) {
        let s = |a: u32| 1.0 / (self.degree(a) as f64).sqrt();
        for a in 0..self.nodes() as u32 {
            let mixed: f64 = self.neighbours(a).iter().map(|&b| s(b) * x[b as usize]).sum();
            out[a as usize] = x[a as usize] - if mixed == 0.0 { 0.0 } else { s(a) * mixed };
        }
    }

    /// λ_max of L by Lanczos from a fixed, structureless start. No edges: L = I, so 1.
    fn largest_laplacian_eigenvalue(&self) -> f64 {
        const STEPS: usize = 100;
        let n = self.nodes();
        if self.edges() == 0 {
            return 1.0;
        }
        // A start with a part in every eigenvector: irrational multiples, spread over (−½, ½).
        let mut q: Vec<f64> = (0..n).map(|i| ((i + 1) as f64 * 0.618_033_988_749_894_9).fract() - 0.5).collect();
        let length = norm(&q);
        q.iter_mut().for_each(|x| *x /= length);
        let (mut before, mut next) = (vec![0.0; n], vec![0.0; n]);
        let (mut alphas, mut betas, mut best) = (Vec::new(), Vec::<f64>::new(), 0.0);
        for _ in 0..STEPS.min(n) {
            self.laplacian_times(&q, &mut next);
            let alpha = dot(&q, &next);
            let beta_before = betas.last().copied().unwrap_or(0.0);
            for i in 0..n {
                next[i] -= alpha * q[i] + beta_before * before[i];
            }
            alphas.push(alpha);
            let found = largest_tridiagonal_eigenvalue(&alphas, &betas);
            let beta = norm(&next);
            if beta < 1e-10 || (alphas.len() > 10 && found - best < 1e-9) {
                best = found;
                break;
            }
            best = found;
            betas.push(beta);
            std::mem::swap(&mut before, &mut q);
            for i in 0..n {
                q[i] = next[i] / beta;
            }
        }
        best.clamp(1.0, 2.0)
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// Bisection on the sign changes of the characteristic polynomials (Sturm).
fn largest_tridiagonal_eigenvalue(diagonal: &[f64], beside: &[f64]) -> f64 {
    let above = |x: f64| {
        let mut d = 1.0f64;
        (0..diagonal.len()).any(|i| {
            let b = if i == 0 { 0.0 } else { beside[i - 1] };
            d = x - diagonal[i] - b * b / d;
            if d == 0.0 {
                d = 1e-300;
            }
            d < 0.0
        })
    };
    let (mut low, mut high) = (0.0, 2.5);
    while high - low > 1e-12 {
        let middle = 0.5 * (low + high);
        if above(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_graphs_have_their_known_largest_eigenvalue() {
        // A bipartite graph reaches 2; the complete graph on n nodes has n/(n−1); a cycle of n has 1 − cos(2π⌊n/2⌋/n).
        let path = Graph::from_edges(4, &[(0, 1), (1, 2), (2, 3)]).unwrap();
        assert!((path.rescaled_laplacian().lambda_max - 2.0).abs() < 1e-9);
        let all: Vec<_> = (0..6).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        assert!((Graph::from_edges(6, &all).unwrap().rescaled_laplacian().lambda_max - 1.2).abs() < 1e-9);
        let cycle: Vec<_> = (0..7).map(|a| (a, (a + 1) % 7)).collect();
        let wanted = 1.0 - (2.0 * std::f64::consts::PI * 3.0 / 7.0).cos();
        assert!((Graph::from_edges(7, &cycle).unwrap().rescaled_laplacian().lambda_max - wanted).abs() < 1e-6);
    }

    #[test]
    fn a_graph_without_edges_is_scaled_by_one() {
        let laplacian = Graph::empty(3).rescaled_laplacian();
        assert_eq!((laplacian.lambda_max, laplacian.own, laplacian.mix), (1.0, 1.0, 2.0));
    }
}
