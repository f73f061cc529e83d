//! From projected features to their attention-weighted sums.

use super::{ANY, Attention, EntriesMut, Heads, for_entries, for_heads, leaky};
use crate::kernels::cpu::{by_width, dispatched};
use crate::kernels::exp::exp;
use crate::kernels::rows::{RowsMut, for_rows};
use crate::kernels::{Mask, Matrix};

/// s_rk = Σ_u h_r,uk a_uk: what each head makes of a node; `a` has one row, `s` has H columns.
pub fn scores(rows: &[u32], h: &Matrix, a: &Matrix, s: &mut Matrix) {
    assert_eq!((a.rows(), a.stride()), (1, h.stride()), "scores of {} columns by {}", h.columns(), a.columns());
    let (work, stride, heads) = (rows.len() * h.stride(), h.stride(), s.columns());
    for_rows(rows, RowsMut::of(s), work, &|rows, s| by_width!(stride, scores_w(rows, heads, [h.data(), a.data()], s)));
}

for_heads! {
    fn scores_w<W, L, FMA>(heads: count; rows: &[u32], count: usize, h_a: [&[f32]; 2], s: RowsMut<'_>) {
        let [h, a] = h_a;
        let mut s = s;
        let (h, a) = (h.as_chunks::<W>().0, a.as_chunks::<W>().0);
        for &r in rows {
            let mut sum = [0.0; L];
            for (block, (h, a)) in h[r as usize * a.len()..].iter().zip(a).enumerate() {
                heads.add_dots::<W, FMA>(h, a, block, &mut sum);
            }
            heads.store(&sum, s.row(r));
        }
    }
}

/// α and α' of every entry of the attending rows, from the scores `src` and `dst` [n, H].
///
/// Bit e·H + k of the mask is for head k of entry e; kept coefficients are multiplied by the scale.
pub fn attend(how: Attention<'_>, [src, dst]: [&Matrix; 2], kept: Option<(&Mask, f32)>, alpha: &mut [f32]) {
    assert_eq!(alpha.len(), how.pattern.len() * 2 * how.heads, "two numbers per entry and head");
    assert_eq!([src.columns(), dst.columns()], [how.heads; 2], "scores of other heads");
    let out = EntriesMut { data: alpha, first: 0, width: 2 * how.heads };
    // An exponential counts as 16 multiply-adds.
    for_entries(how, out, how.work(16 * how.heads), &|how, out| attend_w::<8>(how, [src, dst], kept, out));
}

for_heads! {
    fn attend_w<W, L, FMA>(
        heads: how.heads;
        how: Attention<'_>, src_dst: [&Matrix; 2], kept: Option<(&Mask, f32)>, alpha: EntriesMut<'_>,
    ) {
        let [src, dst] = src_dst;
        let mut alpha = alpha;
        let (stride, src) = (src.stride(), src.data());
        for &a in how.rows {
            let dst = heads.load(dst.row(a as usize));
            // leaky grows with its argument, so the largest score belongs to the largest src.
            let mut top = [f32::NEG_INFINITY; L];
            for (_, b) in how.entries(a) {
                let src = heads.load(&src[b * stride..]);
                for k in 0..heads.count() {
                    top[k] = if src[k] > top[k] { src[k] } else { top[k] };
                }
            }
            for k in 0..heads.count() {
                top[k] = leaky(dst[k] + top[k]);
            }
            let mut sum = [0.0; L];
            for (e, b) in how.entries(a) {
                let mut weight = heads.load(&src[b * stride..]);
                for k in 0..heads.count() {
                    weight[k] = exp::<FMA>(leaky(dst[k] + weight[k]) - top[k]);
                    sum[k] += weight[k];
                }
                heads.store(&weight, alpha.at(e));
            }
            sum[..heads.count()].iter_mut().for_each(|sum| *sum = 1.0 / *sum);
            for e in how.pattern.range(a) {
                let at = alpha.at(e);
                let mut weight = heads.load(at);
                for k in 0..heads.count() {
                    weight[k] *= sum[k];
                }
                let factor = factors(heads, kept, e);
                let mut dropped = weight;
                for k in 0..heads.count() {
                    dropped[k] *= factor[k];
                }
                heads.store(&weight, at);
                heads.store(&dropped, &mut at[heads.count()..]);
            }
        }
    }
}

/// What dropout multiplies the coefficients of entry `e` by.
#[inline(always)]
fn factors<const L: usize>(heads: Heads<L>, kept: Option<(&Mask, f32)>, e: usize) -> [f32; L] {
    let Some((mask, scale)) = kept else { return [1.0; L] };
    let mut factor = [0.0; L];
    if L == 8 {
        let byte = (mask.words()[e / 8] >> (e % 8 * 8)) as u32;
        for (k, factor) in factor.iter_mut().enumerate() {
            *factor = if byte & (1 << k) != 0 { scale } else { 0.0 };
        }
    } else {
        for (k, factor) in factor[..heads.count()].iter_mut().enumerate() {
            *factor = if mask.kept(0, e * heads.count() + k) { scale } else { 0.0 };
        }
    }
    factor
}

/// out_a = Σ_b α'_ab h_b for the attending rows a.
pub fn mix(how: Attention<'_>, alpha: &[f32], h: &Matrix, out: &mut Matrix) {
    assert_eq!(h.stride(), out.stride(), "attention from width {} into {}", h.columns(), out.columns());
    let stride = h.stride();
    for_rows(how.rows, RowsMut::of(out), how.work(stride), &|rows, out| {
        by_width!(stride, mix_w(Attention { rows, ..how }, alpha, h.data(), out))
    });
}

for_heads! {
    fn mix_w<W, L, FMA>(heads: how.heads; how: Attention<'_>, alpha: &[f32], h: &[f32], out: RowsMut<'_>) {
        let mut out = out;
        let (h, blocks, count) = (h.as_chunks::<W>().0, out.blocks::<W>(), heads.count());
        for &a in how.rows {
            for block in 0..blocks {
                let mut sum = [0.0; W];
                for (e, b) in how.entries(a) {
                    let weight = heads.load(&alpha[(2 * e + 1) * count..]);
                    heads.add_scaled::<W, FMA>(&weight, &h[b * blocks + block], block, &mut sum);
                }
                *out.block::<W>(a, blocks, block) = sum;
            }
        }
    }
}
