//! Inner loop of the block model: sums over any list of other nodes, sampled or not.

use super::lanes::{LANES, Lanes, Simd, by_lanes, prefetch};

/// How many times eight nodes ahead rows are asked for.
const AHEAD: usize = 4;

/// What a sum over pairs needs.
#[derive(Clone, Copy)]
pub(crate) struct PairPass<'a> {
    /// Memberships [n, stride], zeros from column k on.
    pub(crate) pi: &'a [f32],
    /// A multiple of 8.
    pub(crate) stride: usize,
    /// beta − delta `[stride]`, zeros from k on.
    pub(crate) c: &'a [f32],
    /// Background probability.
    pub(crate) delta: f32,
    /// The least probability, a guard against rounding.
    pub(crate) least: f32,
}

/// Σ_b pi_b / p(y_ab) over the nodes b in `others`, all linked to a or none; overwrites `out` `[stride]`.
pub(crate) fn inverse_sums(pass: &PairPass<'_>, a: usize, others: (&[u32], bool), out: &mut [f32]) {
    assert!(pass.stride.is_multiple_of(LANES) && pass.c.len() == pass.stride && out.len() == pass.stride);
    inverse_sums_by_lanes(pass, a, others, out);
}

by_lanes! {
    fn inverse_sums_by_lanes(pass: &PairPass<'_>, a: usize, others: (&[u32], bool), out: &mut [f32])
        = inverse_sums_of_width | inverse_sums_of_any_width, pass.stride
}

#[inline(always)]
fn inverse_sums_of_width<S: Simd, const C: usize>(
    simd: S,
    pass: &PairPass<'_>,
    a: usize,
    (others, linked): (&[u32], bool),
    out: &mut [f32],
) {
    let pi = pass.pi.as_chunks::<LANES>().0;
    let row = |a: usize| pi[a * C..].first_chunk::<C>().expect("rows are C vectors long");
    let c = pass.c.as_chunks::<LANES>().0;
    let (p, sign) = (row(a), if linked { 1.0 } else { -1.0 });
    let base = if linked { pass.delta } else { 1.0 - pass.delta };
    let v: [S::Lanes; C] = std::array::from_fn(|i| simd.load(&p[i]).times(simd.load(&c[i])));
    // Two sums, so that one addition need not wait for the last.
    let mut sums = [[simd.splat(0.0); C]; 2];
    let (base, sign, least, one) = (simd.splat(base), simd.splat(sign), simd.splat(pass.least), simd.splat(1.0));
    // Eight at a time: a vector divides as fast as one number.
    let (eights, rest) = others.as_chunks::<LANES>();
    for (i, eight) in eights.iter().enumerate() {
        if let Some(ahead) = eights.get(i + AHEAD) {
            for &b in ahead {
                prefetch(pass.pi, b as usize * C * LANES);
            }
        }
        let (mut rows, mut products) = ([[simd.splat(0.0); C]; LANES], [simd.splat(0.0); LANES]);
        for j in 0..LANES {
            let q = row(eight[j] as usize);
            for l in 0..C {
                rows[j][l] = simd.load(&q[l]);
            }
            products[j] = v[0].times(rows[j][0]);
            for l in 1..C {
                products[j] = products[j].plus(v[l].times(rows[j][l]));
            }
        }
        let mut w = [0f32; LANES];
        one.over(base.plus(sign.times(S::Lanes::sums(products))).at_least(least)).store(&mut w);
        for j in 0..LANES {
            let w = simd.splat(w[j]);
            for l in 0..C {
                sums[j % 2][l] = sums[j % 2][l].plus(rows[j][l].times(w));
            }
        }
    }
    for &b in rest {
        let q = row(b as usize);
        let mut s = v[0].times(simd.load(&q[0]));
        for l in 1..C {
            s = s.plus(v[l].times(simd.load(&q[l])));
        }
        let w = one.over(base.plus(sign.times(simd.splat(s.sum()))).at_least(least));
        for l in 0..C {
            sums[0][l] = sums[0][l].plus(simd.load(&q[l]).times(w));
        }
    }
    let out = out.as_chunks_mut::<LANES>().0;
    for l in 0..C {
        sums[0][l].plus(sums[1][l]).store(&mut out[l]);
    }
}

fn inverse_sums_of_any_width(pass: &PairPass<'_>, a: usize, (others, linked): (&[u32], bool), out: &mut [f32]) {
    let row = |a: usize| &pass.pi[a * pass.stride..(a + 1) * pass.stride];
    let v: Vec<f32> = row(a).iter().zip(pass.c).map(|(p, c)| p * c).collect();
    out.fill(0.0);
    for &b in others {
        let s: f32 = v.iter().zip(row(b as usize)).map(|(v, q)| v * q).sum();
        let x = if linked { pass.delta + s } else { 1.0 - pass.delta - s };
        let w = 1.0 / x.max(pass.least);
        out.iter_mut().zip(row(b as usize)).for_each(|(out, q)| *out += q * w);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::cpu::tests::portably;

    #[test]
    fn every_width_agrees_with_the_plain_loop() {
        for k in [1usize, 7, 10, 20, 31] {
            let stride = k.next_multiple_of(LANES);
            let mut pi = vec![0f32; 30 * stride];
            for (a, row) in pi.chunks_exact_mut(stride).enumerate() {
                row[..k].iter_mut().enumerate().for_each(|(l, p)| *p = 1.0 / (1 + (a * 7 + l * 3) % 11) as f32);
                let total: f32 = row.iter().sum();
                row.iter_mut().for_each(|p| *p /= total);
            }
            let mut c = vec![0f32; stride];
            c[..k].iter_mut().enumerate().for_each(|(l, c)| *c = 0.3 / (1 + l) as f32);
            let pass = PairPass { pi: &pi, stride, c: &c, delta: 0.02, least: 1e-9 };
            let others: Vec<u32> = (1..30).collect();
            for linked in [false, true] {
                let [mut out, mut portable, mut plain] = [(); 3].map(|()| vec![0f32; stride]);
                inverse_sums(&pass, 0, (&others, linked), &mut out);
                portably(|| inverse_sums(&pass, 0, (&others, linked), &mut portable));
                inverse_sums_of_any_width(&pass, 0, (&others, linked), &mut plain);
                assert_eq!(out, portable, "AVX2 and portable code differ at k = {k}");
                assert!(out.iter().zip(&plain).all(|(x, y)| (x - y).abs() <= 1e-5 * y.abs().max(1.0)), "k = {k}");
            }
        }
    }
}
