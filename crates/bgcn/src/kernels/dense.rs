//! The small dense products between layers, ReLU with dropout, and softmax.

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
    fn times_w / times_body(rows: &[u32], f: Option<&[f32]>, h: &Matrix, w: &[f32], out: RowsMut<'_>)
}

#[inline(always)]
fn times_body<const W: usize, const FMA: bool>(
    rows: &[u32],
    f: Option<&[f32]>,
    h: &Matrix,
    w: &[f32],
    mut out: RowsMut<'_>,
) {
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
            let out = out.block::<W>(r, block);
            for j in 0..W {
                out[j] = factor * (even[j] + odd[j]);
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
    fn outer_w / outer_body(rows: &[u32], f: Option<&[f32]>, h: &Matrix, d: &[f32], d_w: RowsMut<'_>)
}

#[inline(always)]
fn outer_body<const W: usize, const FMA: bool>(
    rows: &[u32],
    f: Option<&[f32]>,
    h: &Matrix,
    d: &[f32],
    mut d_w: RowsMut<'_>,
) {
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
                let d_w = d_w.block::<W>(k as u32, block);
                for j in 0..W {
                    d_w[j] = fma::<FMA>(h1[k], d1[j], fma::<FMA>(h0[k], d0[j], d_w[j]));
                }
            }
        }
    }
    if let Some(&r) = last.first() {
        for block in 0..blocks {
            let d = scaled(r, block);
            for (k, &h) in h.row(r as usize).iter().enumerate() {
                let d_w = d_w.block::<W>(k as u32, block);
                for j in 0..W {
                    d_w[j] = fma::<FMA>(h, d[j], d_w[j]);
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
    fn relu_w / relu_body(rows: &[u32], kept: Option<(&Mask, f32)>, h: RowsMut<'_>)
}

#[inline(always)]
fn relu_body<const W: usize, const FMA: bool>(rows: &[u32], kept: Option<(&Mask, f32)>, mut h: RowsMut<'_>) {
    let blocks = h.blocks::<W>();
    for &r in rows {
        for block in 0..blocks {
            let row = h.block::<W>(r, block);
            match kept {
                None => row.iter_mut().for_each(|v| *v = v.max(0.0)),
                Some((mask, scale)) => {
                    // Blocks are 64 wide wherever there are several, so a block never spans two words.
                    let word = mask.words()[r as usize * blocks + block];
                    for j in 0..W {
                        let factor = if (word >> j) & 1 == 1 { scale } else { 0.0 };
                        row[j] = row[j].max(0.0) * factor;
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
    fn gate_w / gate_body(rows: &[u32], scale: f32, h: &[f32], d: RowsMut<'_>)
}

#[inline(always)]
fn gate_body<const W: usize, const FMA: bool>(rows: &[u32], scale: f32, h: &[f32], mut d: RowsMut<'_>) {
    let h = h.as_chunks::<W>().0;
    let blocks = d.blocks::<W>();
    for &r in rows {
        for block in 0..blocks {
            let (h, d) = (&h[r as usize * blocks + block], d.block::<W>(r, block));
            for j in 0..W {
                d[j] *= if h[j] > 0.0 { scale } else { 0.0 };
            }
        }
    }
}

/// z − log Σ exp z, in place; the largest is taken out first, so that no exponential overflows.
pub fn log_softmax_row(z: &mut [f32]) {
    let largest = z.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = z.iter().map(|&v| (v - largest).exp()).sum();
    let shift = largest + sum.ln();
    z.iter_mut().for_each(|v| *v -= shift);
}
