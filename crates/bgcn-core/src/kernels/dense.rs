//! The small dense products between layers, and ReLU with dropout.

use super::cpu::{by_width, dispatched, fma};
use super::rows::{RowsMut, for_rows, sum_rows};
use super::{Mask, Matrix};

/// out_r = f_r Σ_k h_rk w_k for the given rows (ascending); without `f`, f_r = 1.
pub fn times(rows: &[u32], f: Option<&[f32]>, h: &Matrix, w: &Matrix, out: &mut Matrix) {
    assert_eq!((h.columns(), w.stride()), (w.rows(), out.stride()), "H W: columns of H, rows of W; widths");
    let (work, stride) = (rows.len() * h.columns() * w.stride(), w.stride());
    for_rows(rows, RowsMut::of(out), work, &|rows, out| by_width!(stride, times_w(rows, f, h, w.data(), out)));
}

dispatched! {
    fn times_w<W, FMA>(rows: &[u32], f: Option<&[f32]>, h: &Matrix, w: &[f32], out: RowsMut<'_>) {
        let mut out = out;
        let w = w.as_chunks::<W>().0;
        let blocks = out.blocks::<W>();
        for &r in rows {
            let row = h.row(r as usize);
            let factor = f.map_or(1.0, |f| f[r as usize]);
            for block in 0..blocks {
                // Two sums, because each addition waits for the one before.
                let (mut even, mut odd) = ([0.0f32; W], [0.0f32; W]);
                let (pairs, last) = row.as_chunks::<2>();
                for (k, pair) in pairs.iter().enumerate() {
                    let (w0, w1) = (&w[2 * k * blocks + block], &w[(2 * k + 1) * blocks + block]);
                    for j in 0..W {
                        even[j] = fma::<FMA>(pair[0], w0[j], even[j]);
                        odd[j] = fma::<FMA>(pair[1], w1[j], odd[j]);
                    }
                }
                if let Some(&last) = last.first() {
                    let w = &w[2 * pairs.len() * blocks + block];
                    for j in 0..W {
                        even[j] = fma::<FMA>(last, w[j], even[j]);
                    }
                }
                let out = out.block::<W>(r, blocks, block);
                for j in 0..W {
                    out[j] = factor * (even[j] + odd[j]);
                }
            }
        }
    }
}

/// d_w_k += Σ_r f_r h_rk d_r over the given rows: Hᵀ (f ∘ D).
pub fn add_outer(rows: &[u32], f: Option<&[f32]>, h: &Matrix, d: &Matrix, d_w: &mut Matrix) {
    assert_eq!((h.columns(), d.stride()), (d_w.rows(), d_w.stride()), "Hᵀ D: columns of H, rows of dW; widths");
    let (work, stride) = (rows.len() * h.columns() * d.stride(), d.stride());
    sum_rows(rows, d_w, work, &|rows, d_w| by_width!(stride, outer_w(rows, f, h, d.data(), RowsMut::of(d_w))));
}

dispatched! {
    fn outer_w<W, FMA>(rows: &[u32], f: Option<&[f32]>, h: &Matrix, d: &[f32], d_w: RowsMut<'_>) {
        let mut d_w = d_w;
        let d = d.as_chunks::<W>().0;
        let blocks = d_w.blocks::<W>();
        let scaled = |r: u32, block: usize| {
            let mut row = d[r as usize * blocks + block];
            let factor = f.map_or(1.0, |f| f[r as usize]);
            row.iter_mut().for_each(|v| *v *= factor);
            row
        };
        // Two rows at a time, so that dW is loaded and stored half as often.
        let (pairs, last) = rows.as_chunks::<2>();
        for &[r0, r1] in pairs {
            let (h0, h1) = (h.row(r0 as usize), h.row(r1 as usize));
            for block in 0..blocks {
                let (d0, d1) = (scaled(r0, block), scaled(r1, block));
                for k in 0..h.columns() {
                    let (h0, h1) = (h0[k], h1[k]);
                    let d_w = d_w.block::<W>(k as u32, blocks, block);
                    let mut sum = *d_w;
                    for j in 0..W {
                        sum[j] = fma::<FMA>(h1, d1[j], fma::<FMA>(h0, d0[j], sum[j]));
                    }
                    *d_w = sum;
                }
            }
        }
        if let Some(&r) = last.first() {
            for block in 0..blocks {
                let d = scaled(r, block);
                for (k, &h) in h.row(r as usize).iter().enumerate() {
                    let d_w = d_w.block::<W>(k as u32, blocks, block);
                    for j in 0..W {
                        d_w[j] = fma::<FMA>(h, d[j], d_w[j]);
                    }
                }
            }
        }
    }
}

/// h = max(h, 0), times the scale where kept and 0 where dropped; a row's words are `stride / 64` rounded up.
pub fn relu_dropout(rows: &[u32], kept: Option<(&Mask, f32)>, h: &mut Matrix) {
    let (work, stride) = (rows.len() * h.stride() * 4, h.stride());
    for_rows(rows, RowsMut::of(h), work, &|rows, h| by_width!(stride, relu_w(rows, kept, h)));
}

dispatched! {
    fn relu_w<W, FMA>(rows: &[u32], kept: Option<(&Mask, f32)>, h: RowsMut<'_>) {
        let mut h = h;
        let blocks = h.blocks::<W>();
        for &r in rows {
            for block in 0..blocks {
                let row = h.block::<W>(r, blocks, block);
                match kept {
                    None => row.iter_mut().for_each(|v| *v = v.max(0.0)),
                    Some((mask, scale)) => {
                        // Blocks are 64 wide wherever there are several, so a block never spans two words.
                        let word = mask.words()[r as usize * blocks + block];
                        for (j, value) in row.iter_mut().enumerate() {
                            let factor = if (word >> j) & 1 == 1 { scale } else { 0.0 };
                            *value = value.max(0.0) * factor;
                        }
                    }
                }
            }
        }
    }
}

/// d = d · scale where h > 0, else 0: the gradient through [`relu_dropout`], from its output `h`.
pub fn relu_gate(rows: &[u32], scale: f32, h: &Matrix, d: &mut Matrix) {
    assert_eq!(h.stride(), d.stride(), "ReLU gradient: widths {} and {}", h.columns(), d.columns());
    let (work, stride) = (rows.len() * h.stride() * 4, h.stride());
    for_rows(rows, RowsMut::of(d), work, &|rows, d| by_width!(stride, gate_w(rows, scale, h.data(), d)));
}

dispatched! {
    fn gate_w<W, FMA>(rows: &[u32], scale: f32, h: &[f32], d: RowsMut<'_>) {
        let mut d = d;
        let h = h.as_chunks::<W>().0;
        let blocks = d.blocks::<W>();
        for &r in rows {
            for block in 0..blocks {
                let (h, d) = (&h[r as usize * blocks + block], d.block::<W>(r, blocks, block));
                for j in 0..W {
                    d[j] *= if h[j] > 0.0 { scale } else { 0.0 };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cpu::tests::at_every_level;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn dense_kernels_equal_plain_loops(n in 1usize..8, k in 1usize..20, width in 1usize..=70, seed in 0usize..100) {
            let number = |i: usize| ((i * 13 + seed) % 29) as f32 / 16.0 - 1.0;
            let matrix = |r: usize, c: usize| Matrix::from_rows(r, c, &(0..r * c).map(number).collect::<Vec<_>>());
            let (h, w, d) = (matrix(n, k), matrix(k, width), matrix(n, width));
            let f: Vec<f32> = (0..n).map(|r| 0.5 + r as f32).collect();
            let rows: Vec<u32> = (0..n as u32).filter(|r| (*r as usize + seed) % 3 != 1).collect();
            let close = |a: f32, b: f32| (a - b).abs() <= 1e-4 * (1.0 + b.abs());
            at_every_level(|| {
                let (mut out, mut d_w) = (Matrix::zeros(n, width), w.clone());
                times(&rows, Some(&f), &h, &w, &mut out);
                add_outer(&rows, Some(&f), &h, &d, &mut d_w);
                for j in 0..width {
                    for &r in &rows {
                        let plain: f32 = (0..k).map(|i| h.row(r as usize)[i] * w.row(i)[j]).sum();
                        prop_assert!(close(out.row(r as usize)[j], f[r as usize] * plain));
                    }
                    for i in 0..k {
                        let one = |&r: &u32| f[r as usize] * h.row(r as usize)[i] * d.row(r as usize)[j];
                        let plain: f32 = rows.iter().map(one).sum();
                        prop_assert!(close(d_w.row(i)[j], w.row(i)[j] + plain));
                    }
                }
                Ok(())
            })?;
        }

        #[test]
        fn relu_dropout_and_its_gradient_equal_plain_loops(
            width in 1usize..=130, seed in 0usize..100, dropped in any::<bool>(),
        ) {
            let number = |i: usize| ((i * 13 + seed) % 29) as f32 / 16.0 - 1.0;
            let z = Matrix::from_rows(3, width, &(0..3 * width).map(number).collect::<Vec<_>>());
            let words = width.div_ceil(64);
            let bits: Vec<bool> = (0..3 * width).map(|i| (i * 5 + seed).is_multiple_of(3)).collect();
            let mut mask = Mask::default();
            mask.assign(3 * words, bits.chunks(width).enumerate().map(|(r, bits)| (r * words..(r + 1) * words, bits)));
            let (rows, scale) = ([0, 2], if dropped { 2.0 } else { 1.0 });
            at_every_level(|| {
                let (mut h, mut d) = (z.clone(), Matrix::from_rows(3, width, &vec![1.5; 3 * width]));
                relu_dropout(&rows, dropped.then_some((&mask, 2.0)), &mut h);
                relu_gate(&rows, scale, &h, &mut d);
                for r in 0..3 {
                    for j in 0..width {
                        let open = z.row(r)[j] > 0.0 && (!dropped || bits[r * width + j]);
                        let expected = match (r, open) {
                            (1, _) => (z.row(r)[j], 1.5),
                            (_, true) => (z.row(r)[j] * scale, 1.5 * scale),
                            _ => (0.0, 0.0),
                        };
                        prop_assert_eq!((h.row(r)[j], d.row(r)[j]), expected);
                    }
                }
                Ok(())
            })?;
        }
    }
}
