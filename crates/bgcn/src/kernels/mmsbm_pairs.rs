//! Inner loop of the block model: sums over any list of other nodes, sampled or not.

#[cfg(target_arch = "x86_64")]
use super::cpu::{Level, level};
use super::lanes::{LANES, Lanes, Portable, prefetch};

/// How many nodes ahead a row is asked for.
const AHEAD: usize = 32;

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
    #[cfg(target_arch = "x86_64")]
    if level() >= Level::Avx2 {
        // SAFETY: the level is Avx2 or better only where AVX2 was detected, the only thing the function requires.
        #[allow(unsafe_code)]
        return unsafe { inverse_sums_avx2(pass, a, others, out) };
    }
    inverse_sums_by_width::<Portable>(pass, a, others, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn inverse_sums_avx2(pass: &PairPass<'_>, a: usize, others: (&[u32], bool), out: &mut [f32]) {
    inverse_sums_by_width::<super::lanes::Avx>(pass, a, others, out);
}

#[inline(always)]
fn inverse_sums_by_width<V: Lanes>(pass: &PairPass<'_>, a: usize, others: (&[u32], bool), out: &mut [f32]) {
    match pass.stride / LANES {
        1 => inverse_sums_of_width::<V, 1>(pass, a, others, out),
        2 => inverse_sums_of_width::<V, 2>(pass, a, others, out),
        3 => inverse_sums_of_width::<V, 3>(pass, a, others, out),
        4 => inverse_sums_of_width::<V, 4>(pass, a, others, out),
        _ => inverse_sums_of_any_width(pass, a, others, out),
    }
}

#[inline(always)]
fn inverse_sums_of_width<V: Lanes, const C: usize>(
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
    let v: [V; C] = std::array::from_fn(|i| V::load(&p[i]).times(V::load(&c[i])));
    let mut sum = [V::splat(0.0); C];
    for (i, &b) in others.iter().enumerate() {
        if let Some(&ahead) = others.get(i + AHEAD) {
            prefetch(pass.pi, ahead as usize * C * LANES);
        }
        let q = row(b as usize);
        let mut s = v[0].times(V::load(&q[0]));
        for l in 1..C {
            s = s.plus(v[l].times(V::load(&q[l])));
        }
        let x = base + sign * s.sum();
        let w = V::splat(1.0 / if x > pass.least { x } else { pass.least });
        for l in 0..C {
            sum[l] = sum[l].plus(V::load(&q[l]).times(w));
        }
    }
    for (out, sum) in out.as_chunks_mut::<LANES>().0.iter_mut().zip(sum) {
        sum.store(out);
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
                inverse_sums_by_width::<Portable>(&pass, 0, (&others, linked), &mut portable);
                inverse_sums_of_any_width(&pass, 0, (&others, linked), &mut plain);
                assert_eq!(out, portable, "AVX2 and portable code differ at k = {k}");
                assert!(out.iter().zip(&plain).all(|(x, y)| (x - y).abs() <= 1e-5 * y.abs().max(1.0)), "k = {k}");
            }
        }
    }
}
