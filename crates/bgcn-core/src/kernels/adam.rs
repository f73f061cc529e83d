//! One step of Adam (Kingma and Ba, 2015) with an L2 penalty added to the gradient.

use super::Matrix;
use super::cpu::{dispatched, fma};
use rayon::prelude::*;

/// Numbers per parallel piece.
const PIECE: usize = 1 << 17;

/// The numbers of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adam {
    /// Learning rate.
    pub rate: f32,
    /// λ: the gradient of ½ λ w² is added.
    pub decay: f32,
    /// Steps taken, this one included; at least 1.
    pub step: u32,
}

/// β₁, β₂ and ε, as in the paper and in every framework.
const BETA: (f32, f32) = (0.9, 0.999);
const EPSILON: f32 = 1e-8;

/// Moves `w` against the gradient `g`, updates the moments `m` and `v`, and sets `g` to zero for the next step.
pub fn adam_step(how: Adam, w: &mut Matrix, g: &mut Matrix, m: &mut Matrix, v: &mut Matrix) {
    let (w, g, m, v) = (w.data_mut(), g.data_mut(), m.data_mut(), v.data_mut());
    assert!(w.len() == g.len() && w.len() == m.len() && w.len() == v.len(), "Adam on matrices of different sizes");
    if w.len() <= PIECE {
        return adam_w::<8>(how, [w, g, m, v]);
    }
    let pieces = w.par_chunks_mut(PIECE).zip(g.par_chunks_mut(PIECE));
    let moments = m.par_chunks_mut(PIECE).zip(v.par_chunks_mut(PIECE));
    pieces.zip(moments).for_each(|((w, g), (m, v))| adam_w::<8>(how, [w, g, m, v]));
}

dispatched! {
    /// Rows are multiples of 8, so chunks of W = 8 leave nothing over.
    fn adam_w<W, FMA>(how: Adam, wgmv: [&mut [f32]; 4]) {
        let [w, g, m, v] = wgmv;
        let correction = |beta: f32| 1.0 - f64::from(beta).powi(how.step as i32);
        let rate = (f64::from(how.rate) / correction(BETA.0)) as f32;
        let root = (1.0 / correction(BETA.1).sqrt()) as f32;
        let (w, g) = (w.as_chunks_mut::<W>().0, g.as_chunks_mut::<W>().0);
        let (m, v) = (m.as_chunks_mut::<W>().0, v.as_chunks_mut::<W>().0);
        for (((w, g), m), v) in w.iter_mut().zip(g).zip(m).zip(v) {
            // By value and back: the compiler cannot prove that the four do not overlap, and would not vectorise.
            let (mut w_new, mut m_new, mut v_new, gradient) = (*w, *m, *v, *g);
            for j in 0..W {
                let gradient = fma::<FMA>(how.decay, w_new[j], gradient[j]);
                m_new[j] = fma::<FMA>(1.0 - BETA.0, gradient - m_new[j], m_new[j]);
                v_new[j] = fma::<FMA>(1.0 - BETA.1, gradient * gradient - v_new[j], v_new[j]);
                w_new[j] -= rate * m_new[j] / fma::<FMA>(v_new[j].sqrt(), root, EPSILON);
            }
            (*w, *m, *v, *g) = (w_new, m_new, v_new, [0.0; W]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_equal_adam_in_double_precision() {
        let (n, c) = (5, 11);
        let mut w = Matrix::from_rows(n, c, &(0..n * c).map(|i| (i as f32).sin()).collect::<Vec<_>>());
        let mut expected: Vec<[f64; 3]> = w.values().map(|w| [f64::from(w), 0.0, 0.0]).collect();
        let (mut g, mut m, mut v) = (Matrix::zeros(n, c), Matrix::zeros(n, c), Matrix::zeros(n, c));
        for step in 1..=20 {
            let gradient: Vec<f32> = (0..n * c).map(|i| ((i as u32 * step) as f32).cos()).collect();
            g = Matrix::from_rows(n, c, &gradient);
            adam_step(Adam { rate: 0.01, decay: 5e-4, step }, &mut w, &mut g, &mut m, &mut v);
            for ([w, m, v], g) in expected.iter_mut().zip(gradient) {
                let g = f64::from(g) + 5e-4 * *w;
                *m = 0.9 * *m + 0.1 * g;
                *v = 0.999 * *v + 0.001 * g * g;
                let (m_hat, v_hat) = (*m / (1.0 - 0.9f64.powi(step as i32)), *v / (1.0 - 0.999f64.powi(step as i32)));
                *w -= 0.01 * m_hat / (v_hat.sqrt() + 1e-8);
            }
        }
        for (w, expected) in w.values().zip(expected) {
            assert!((f64::from(w) - expected[0]).abs() < 2e-6, "{w} is not {}", expected[0]);
        }
        assert!(g.data().iter().all(|&g| g == 0.0));
    }
}
