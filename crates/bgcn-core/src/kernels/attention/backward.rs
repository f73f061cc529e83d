//! The gradient of attention. With g_a = dL/d out_a, per head:
//! q_ab = α'_ab ⟨g_a, h_b⟩, d(score)_ab = (q_ab − α_ab Σ_b q_ab) leaky'; it is added to d dst_a and to d src_b;
//! dh_b = Σ_a α'_ab g_a + d src_b a_src + d dst_b a_dst. Sums over a go through the mirror entries, in the order of row
//! b.

use super::{ANY, Attention, EntriesMut, Heads, SLOPE, for_entries, for_heads};
use crate::kernels::Matrix;
use crate::kernels::cpu::{by_width, dispatched, fma};
use crate::kernels::rows::{RowsMut, for_rows, sum_rows};

/// What [`d_scores`] reads, all from the forward pass but `g`.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// α and α' of every entry.
    pub alpha: &'a [f32],
    /// h [n, U·H].
    pub h: &'a Matrix,
    /// The scores src and dst [n, H].
    pub scores: [&'a Matrix; 2],
    /// dL/d out [n, U·H].
    pub g: &'a Matrix,
}

/// dL/d(src_b + dst_a) of every entry of the attending rows; `d` has H numbers per entry.
pub fn d_scores(how: Attention<'_>, given: Given<'_>, d: &mut [f32]) {
    assert_eq!(d.len(), how.pattern.len() * how.heads, "one number per entry and head");
    assert_eq!(given.h.stride(), given.g.stride(), "features and gradient of different widths");
    let (out, stride) = (EntriesMut { data: d, first: 0, width: how.heads }, given.h.stride());
    for_entries(how, out, how.work(stride), &|how, out| by_width!(stride, d_scores_w(how, &given, out)));
}

for_heads! {
    fn d_scores_w<W, L, FMA>(heads: how.heads; how: Attention<'_>, given: &Given<'_>, d: EntriesMut<'_>) {
        let mut d = d;
        let (h, g) = (given.h.data().as_chunks::<W>().0, given.g.data().as_chunks::<W>().0);
        let (blocks, count, alpha) = (given.h.stride() / W, heads.count(), given.alpha);
        let [src, dst] = given.scores;
        for &a in how.rows {
            let g = &g[a as usize * blocks..][..blocks];
            let mut sum = [0.0; L];
            for (e, b) in how.entries(a) {
                let mut q = [0.0; L];
                for (block, (g, h)) in g.iter().zip(&h[b * blocks..]).enumerate() {
                    heads.add_dots::<W, FMA>(g, h, block, &mut q);
                }
                let dropped = heads.load(&alpha[(2 * e + 1) * count..]);
                for k in 0..count {
                    q[k] *= dropped[k];
                    sum[k] += q[k];
                }
                heads.store(&q, d.at(e));
            }
            let dst = heads.load(dst.row(a as usize));
            for (e, b) in how.entries(a) {
                let (src, weight) = (heads.load(&src.data()[b * src.stride()..]), heads.load(&alpha[2 * e * count..]));
                let at = d.at(e);
                let mut q = heads.load(at);
                for k in 0..count {
                    let slope = if src[k] + dst[k] > 0.0 { 1.0 } else { SLOPE };
                    q[k] = slope * fma::<FMA>(-weight[k], sum[k], q[k]);
                }
                heads.store(&q, at);
            }
        }
    }
}

/// d src (first H columns) and d dst (the others) of the given rows, from [`d_scores`]; `sums` is [n, 2 H].
pub fn d_sums(how: Attention<'_>, rows: &[u32], d: &[f32], sums: &mut Matrix) {
    assert_eq!(sums.columns(), 2 * how.heads, "two sums per head");
    let work = Attention { rows, ..how }.work(4 * how.heads);
    for_rows(rows, RowsMut::of(sums), work, &|rows, sums| d_sums_w::<8>(how, rows, d, sums));
}

for_heads! {
    fn d_sums_w<W, L, FMA>(heads: how.heads; how: Attention<'_>, rows: &[u32], d: &[f32], sums: RowsMut<'_>) {
        let mut sums = sums;
        let count = heads.count();
        let add = |sum: &mut [f32; L], e: usize| {
            let d = heads.load(&d[e * count..]);
            for k in 0..count {
                sum[k] += d[k];
            }
        };
        for &b in rows {
            let (mut src, mut dst) = ([0.0; L], [0.0; L]);
            for (e, a) in how.entries(b) {
                if how.attends[a] {
                    add(&mut src, how.mirror[e] as usize);
                }
            }
            if how.attends[b as usize] {
                how.pattern.range(b).for_each(|e| add(&mut dst, e));
            }
            let out = sums.row(b);
            heads.store(&src, out);
            heads.store(&dst, &mut out[count..]);
        }
    }
}

/// What [`d_mix`] reads.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// α and α' of every entry.
    pub alpha: &'a [f32],
    /// dL/d out [n, U·H].
    pub g: &'a Matrix,
    /// From [`d_sums`], [n, 2 H].
    pub sums: &'a Matrix,
    /// The attention vectors a_src and a_dst, one row each.
    pub a: [&'a Matrix; 2],
}

/// dh_b = Σ_a α'_ab g_a + d src_b a_src + d dst_b a_dst for the given rows b.
pub fn d_mix(how: Attention<'_>, rows: &[u32], from: Sources<'_>, d_h: &mut Matrix) {
    assert_eq!(from.g.stride(), d_h.stride(), "attention from width {} into {}", from.g.columns(), d_h.columns());
    let (work, stride) = (Attention { rows, ..how }.work(d_h.stride()), d_h.stride());
    for_rows(rows, RowsMut::of(d_h), work, &|rows, d_h| by_width!(stride, d_mix_w(how, rows, &from, d_h)));
}

for_heads! {
    fn d_mix_w<W, L, FMA>(
        heads: how.heads;
        how: Attention<'_>, rows: &[u32], from: &Sources<'_>, d_h: RowsMut<'_>,
    ) {
        let mut d_h = d_h;
        let (g, blocks, count) = (from.g.data().as_chunks::<W>().0, d_h.blocks::<W>(), heads.count());
        let [a_src, a_dst] = from.a.map(|a| a.data().as_chunks::<W>().0);
        for &b in rows {
            let sums = from.sums.row(b as usize);
            let (src, dst) = (heads.load(sums), heads.load(&sums[count..]));
            for block in 0..blocks {
                let mut sum = [0.0; W];
                for (e, a) in how.entries(b) {
                    if how.attends[a] {
                        let weight = heads.load(&from.alpha[(2 * how.mirror[e] as usize + 1) * count..]);
                        heads.add_scaled::<W, FMA>(&weight, &g[a * blocks + block], block, &mut sum);
                    }
                }
                heads.add_scaled::<W, FMA>(&src, &a_src[block], block, &mut sum);
                heads.add_scaled::<W, FMA>(&dst, &a_dst[block], block, &mut sum);
                *d_h.block::<W>(b, blocks, block) = sum;
            }
        }
    }
}

/// d_a_uk += Σ_r s_rk h_r,uk over the given rows: the gradient of [`scores`](super::scores) to its vector.
///
/// `sums` is [n, 2 H]; `half` selects the H columns of s. `d_a` has one row.
pub fn add_products(rows: &[u32], (sums, half): (&Matrix, usize), h: &Matrix, d_a: &mut Matrix) {
    assert_eq!((d_a.rows(), d_a.stride()), (1, h.stride()), "products of {} columns in {}", h.columns(), d_a.columns());
    let (work, stride) = (rows.len() * h.stride(), h.stride());
    sum_rows(rows, d_a, work, &|rows, d_a| by_width!(stride, add_w(rows, (sums, half), h.data(), RowsMut::of(d_a))));
}

for_heads! {
    fn add_w<W, L, FMA>(
        heads: sums.0.columns() / 2;
        rows: &[u32], sums: (&Matrix, usize), h: &[f32], d_a: RowsMut<'_>,
    ) {
        let (sums, half) = sums;
        let mut d_a = d_a;
        let (h, blocks) = (h.as_chunks::<W>().0, d_a.blocks::<W>());
        for block in 0..blocks {
            let mut total = *d_a.block::<W>(0, blocks, block);
            for &r in rows {
                let s = heads.load(&sums.row(r as usize)[half * heads.count()..]);
                heads.add_scaled::<W, FMA>(&s, &h[r as usize * blocks + block], block, &mut total);
            }
            *d_a.block::<W>(0, blocks, block) = total;
        }
    }
}
