//! Inner loops of the block model: moments of the memberships, and sums over neighbours and sampled nodes.
//!
//! Rows hold 8, 16, 24 or 32 numbers, known at compile time, or any multiple of 8 (plain loops, which the tests compare
//! the others with). AVX2 is used where the processor has it; it computes the same bytes as the portable code.

use super::lanes::{LANES, Lanes, Simd, by_lanes, prefetch};

/// Rows summed in single precision before the sum goes to double.
const CHUNK: usize = 64;

/// How many neighbours ahead a row is asked for.
const AHEAD: usize = 32;

/// A row whose width is known: C vectors.
type Row<S, const C: usize> = [<S as Simd>::Lanes; C];

/// What the gradient needs besides the rows it writes.
#[derive(Clone, Copy)]
pub(crate) struct LinearPass<'a> {
    /// Row starts of the graph.
    pub(crate) offsets: &'a [usize],
    /// Its neighbours.
    pub(crate) targets: &'a [u32],
    /// Memberships [n, stride], zeros from column k on.
    pub(crate) pi: &'a [f32],
    /// A multiple of 8.
    pub(crate) stride: usize,
    /// beta − delta `[stride]`, zeros from k on.
    pub(crate) c: &'a [f32],
    /// Background probability.
    pub(crate) delta: f32,
    /// The least probability of a link, a guard against rounding.
    pub(crate) least: f32,
    /// 1 / (1 − delta − s) ≈ line[0] + line[1] s.
    pub(crate) line: [f32; 2],
    /// Σ_b pi_b `[stride]`.
    pub(crate) s: &'a [f32],
    /// Σ_b pi_b pi_bᵀ [k, stride].
    pub(crate) m: &'a [f32],
}

/// Σ pi_a and Σ pi_a pi_aᵀ over some rows.
///
/// `pi` is [rows, stride]; `s` `[stride]` and `m` [k, stride] are overwritten.
pub(crate) fn moments(pi: &[f32], stride: usize, s: &mut [f64], m: &mut [f64]) {
    assert!(stride.is_multiple_of(LANES) && pi.len().is_multiple_of(stride), "{} rows of {stride}", pi.len());
    assert!(s.len() == stride && m.len().is_multiple_of(stride), "{} and {}", s.len(), m.len());
    moments_by_lanes(pi, stride, s, m);
}

by_lanes! {
    fn moments_by_lanes(pi: &[f32], stride: usize, s: &mut [f64], m: &mut [f64])
        = moments_of_width | moments_of_any_width, stride
}

#[inline(always)]
fn moments_of_width<S: Simd, const C: usize>(simd: S, pi: &[f32], _stride: usize, s: &mut [f64], m: &mut [f64]) {
    s.fill(0.0);
    m.fill(0.0);
    for rows in pi.as_chunks::<LANES>().0.chunks(CHUNK * C) {
        let mut sum = [simd.splat(0.0); C];
        for row in rows.chunks_exact(C) {
            add(&mut sum, &load(simd, row), simd.splat(1.0));
        }
        flush(s, &sum);
        // Eight rows of the matrix at a time: they stay in registers where C is 1.
        for (group, m) in m.chunks_mut(LANES * C * LANES).enumerate() {
            let mut products = [[simd.splat(0.0); C]; LANES];
            for row in rows.chunks_exact(C) {
                let p: Row<S, C> = load(simd, row);
                for (product, &x) in products.iter_mut().zip(&row[group]) {
                    add(product, &p, simd.splat(x));
                }
            }
            for (m, product) in m.chunks_exact_mut(C * LANES).zip(&products) {
                flush(m, product);
            }
        }
    }
}

fn moments_of_any_width(pi: &[f32], stride: usize, s: &mut [f64], m: &mut [f64]) {
    s.fill(0.0);
    m.fill(0.0);
    for row in pi.chunks_exact(stride) {
        for (s, &p) in s.iter_mut().zip(row) {
            *s += f64::from(p);
        }
        for (m, &left) in m.chunks_exact_mut(stride).zip(row) {
            for (m, &right) in m.iter_mut().zip(row) {
                *m += f64::from(left * right);
            }
        }
    }
}

/// phi ∘ dL/dphi for the rows from `first` on, and their part of the sums that beta needs.
///
/// `out` is [rows, stride]; `sums` [2, stride] gets Σ_a pi_ak Σ_b pi_bk / p_ab and Σ_a pi_ak Σ_b pi_bk u_ab, where b
/// runs over the neighbours of a, in the second sum over a itself as well, and u is the line at s_ab.
pub(crate) fn linear_rows(pass: &LinearPass<'_>, first: usize, out: &mut [f32], sums: &mut [f64]) {
    let LinearPass { stride, .. } = *pass;
    assert!(stride.is_multiple_of(LANES) && out.len().is_multiple_of(stride), "{} of {stride}", out.len());
    assert!(pass.c.len() == stride && pass.s.len() == stride && sums.len() == 2 * stride);
    linear_rows_by_lanes(pass, first, out, sums);
}

by_lanes! {
    fn linear_rows_by_lanes(pass: &LinearPass<'_>, first: usize, out: &mut [f32], sums: &mut [f64])
        = linear_rows_of_width | linear_rows_of_any_width, pass.stride
}

#[inline(always)]
fn linear_rows_of_width<S: Simd, const C: usize>(
    simd: S,
    pass: &LinearPass<'_>,
    first: usize,
    out: &mut [f32],
    sums: &mut [f64],
) {
    let pi = pass.pi.as_chunks::<LANES>().0;
    let m = pass.m.as_chunks::<LANES>().0;
    let c: Row<S, C> = load(simd, pass.c.as_chunks().0);
    let s: Row<S, C> = load(simd, pass.s.as_chunks().0);
    let [u_0, u_1] = pass.line;
    let (p_sums, u_sums) = sums.split_at_mut(C * LANES);
    p_sums.fill(0.0);
    u_sums.fill(0.0);
    for (chunk, out) in out.as_chunks_mut::<LANES>().0.chunks_mut(CHUNK * C).enumerate() {
        let (mut p_sum, mut u_sum) = ([simd.splat(0.0); C], [simd.splat(0.0); C]);
        for (i, out) in out.chunks_exact_mut(C).enumerate() {
            let a = first + chunk * CHUNK + i;
            let p: Row<S, C> = load(simd, &pi[a * C..]);
            let v = times(&p, &c);
            let (by_p, mut by_u) = neighbour_sums::<S, C>(simd, pass, pi, a, &v);
            add(&mut by_u, &p, simd.splat(u_0 + u_1 * dot(&v, &p)));
            let mut pull = [simd.splat(0.0); C]; // Σ_b pi_b s_ab over all nodes b
            let mut flat = [[0.0; LANES]; C];
            v.iter().zip(&mut flat).for_each(|(v, flat)| v.store(flat));
            for (v, m) in flat.as_flattened().iter().zip(m.chunks_exact(C)) {
                add(&mut pull, &load(simd, m), simd.splat(*v));
            }
            let mut rest = by_p;
            add(&mut rest, &by_u, simd.splat(1.0));
            add(&mut rest, &s, simd.splat(-u_0));
            add(&mut rest, &pull, simd.splat(-u_1));
            let mean = simd.splat(dot(&v, &rest));
            for (l, out) in out.iter_mut().enumerate() {
                p[l].times(c[l].times(rest[l]).minus(mean)).store(out);
            }
            add(&mut p_sum, &times(&p, &by_p), simd.splat(1.0));
            add(&mut u_sum, &times(&p, &by_u), simd.splat(1.0));
        }
        flush(p_sums, &p_sum);
        flush(u_sums, &u_sum);
    }
}

/// Σ_b pi_b / p_ab and Σ_b pi_b u_ab over the neighbours b of a.
#[inline(always)]
fn neighbour_sums<S: Simd, const C: usize>(
    simd: S,
    pass: &LinearPass<'_>,
    pi: &[[f32; LANES]],
    a: usize,
    v: &Row<S, C>,
) -> (Row<S, C>, Row<S, C>) {
    let [u_0, u_1] = pass.line;
    let (mut by_p, mut by_u) = ([simd.splat(0.0); C], [simd.splat(0.0); C]);
    let (start, end) = (pass.offsets[a], pass.offsets[a + 1]);
    let ahead = &pass.targets[(start + AHEAD).min(pass.targets.len())..];
    for (i, &b) in pass.targets[start..end].iter().enumerate() {
        if let Some(&ahead) = ahead.get(i) {
            prefetch(pass.pi, ahead as usize * C * LANES);
        }
        let q: Row<S, C> = load(simd, &pi[b as usize * C..]);
        let s = dot(v, &q);
        let p = pass.delta + s;
        add(&mut by_p, &q, simd.splat(1.0 / if p > pass.least { p } else { pass.least }));
        add(&mut by_u, &q, simd.splat(u_0 + u_1 * s));
    }
    (by_p, by_u)
}

fn linear_rows_of_any_width(pass: &LinearPass<'_>, first: usize, out: &mut [f32], sums: &mut [f64]) {
    let LinearPass { stride, pi, c, line: [u_0, u_1], .. } = *pass;
    let row = |a: usize| &pi[a * stride..(a + 1) * stride];
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f32>();
    let add = |to: &mut [f32], x: &[f32], by: f32| to.iter_mut().zip(x).for_each(|(to, x)| *to += x * by);
    let [mut v, mut by_p, mut by_u, mut rest] = [const { Vec::new() }; 4].map(|_: Vec<f32>| vec![0f32; stride]);
    let (p_sums, u_sums) = sums.split_at_mut(stride);
    p_sums.fill(0.0);
    u_sums.fill(0.0);
    for (a, out) in (first..).zip(out.chunks_exact_mut(stride)) {
        let p = row(a);
        v.iter_mut().zip(p.iter().zip(c)).for_each(|(v, (p, c))| *v = p * c);
        by_p.fill(0.0);
        by_u.fill(0.0);
        for &b in &pass.targets[pass.offsets[a]..pass.offsets[a + 1]] {
            let s = dot(&v, row(b as usize));
            add(&mut by_p, row(b as usize), 1.0 / (pass.delta + s).max(pass.least));
            add(&mut by_u, row(b as usize), u_0 + u_1 * s);
        }
        add(&mut by_u, p, u_0 + u_1 * dot(&v, p));
        rest.copy_from_slice(&by_p);
        add(&mut rest, &by_u, 1.0);
        add(&mut rest, pass.s, -u_0);
        for (v, m) in v.iter().zip(pass.m.chunks_exact(stride)) {
            add(&mut rest, m, -u_1 * v);
        }
        let mean = dot(&v, &rest);
        for k in 0..stride {
            out[k] = p[k] * (c[k] * rest[k] - mean);
            p_sums[k] += f64::from(p[k] * by_p[k]);
            u_sums[k] += f64::from(p[k] * by_u[k]);
        }
    }
}

#[inline(always)]
fn load<S: Simd, const C: usize>(simd: S, from: &[[f32; LANES]]) -> Row<S, C> {
    let row: &[[f32; LANES]; C] = from.first_chunk().expect("rows are at least C vectors long");
    std::array::from_fn(|i| simd.load(&row[i]))
}

#[inline(always)]
fn times<V: Lanes, const C: usize>(x: &[V; C], y: &[V; C]) -> [V; C] {
    std::array::from_fn(|i| x[i].times(y[i]))
}

#[inline(always)]
fn add<V: Lanes, const C: usize>(to: &mut [V; C], x: &[V; C], by: V) {
    to.iter_mut().zip(x).for_each(|(to, x)| *to = to.plus(x.times(by)));
}

#[inline(always)]
fn dot<V: Lanes, const C: usize>(x: &[V; C], y: &[V; C]) -> f32 {
    let mut total = x[0].times(y[0]);
    x[1..].iter().zip(&y[1..]).for_each(|(x, y)| total = total.plus(x.times(*y)));
    total.sum()
}

#[inline(always)]
fn flush<V: Lanes, const C: usize>(to: &mut [f64], from: &[V; C]) {
    for (to, from) in to.as_chunks_mut::<LANES>().0.iter_mut().zip(from) {
        let mut single = [0.0; LANES];
        from.store(&mut single);
        to.iter_mut().zip(single).for_each(|(to, from)| *to += f64::from(from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::kernels::cpu::tests::portably;
    use crate::rng::{For, Random as _, Seed};

    fn rows(n: usize, k: usize, stride: usize) -> Vec<f32> {
        let mut random = Seed::new(k as u64).at(For::Generate, [0; 3]);
        let mut pi = vec![0.0; n * stride];
        for row in pi.chunks_exact_mut(stride) {
            let drawn: Vec<f64> = (0..k).map(|_| random.gamma(0.5)).collect();
            let total: f64 = drawn.iter().sum();
            row.iter_mut().zip(drawn).for_each(|(to, x)| *to = (x / total) as f32);
        }
        pi
    }

    fn ring(n: u32) -> Graph {
        let edges: Vec<_> = (0..n).flat_map(|a| [(a, (a + 1) % n), (a, (a * 7 + 3) % n)]).collect();
        Graph::from_edges(n as usize, &edges).unwrap()
    }

    #[test]
    fn every_width_agrees_with_the_plain_loop() {
        let n = 150;
        let graph = ring(n as u32);
        for k in [1usize, 5, 8, 10, 17, 24, 32] {
            let stride = k.next_multiple_of(LANES);
            let pi = rows(n, k, stride);
            let (mut s, mut m) = (vec![0.0; stride], vec![0.0; k * stride]);
            moments(&pi, stride, &mut s, &mut m);
            let (mut s_plain, mut m_plain) = (vec![0.0; stride], vec![0.0; k * stride]);
            moments_of_any_width(&pi, stride, &mut s_plain, &mut m_plain);
            for (x, y) in s.iter().chain(&m).zip(s_plain.iter().chain(&m_plain)) {
                assert!((x - y).abs() < 1e-5 * n as f64, "k = {k}: {x} {y}");
            }

            let single = |x: &[f64]| x.iter().map(|x| *x as f32).collect::<Vec<_>>();
            let mut c = vec![0.0; stride];
            c[..k].iter_mut().enumerate().for_each(|(i, c)| *c = 0.1 + 0.01 * i as f32);
            let pass = LinearPass {
                offsets: graph.offsets(),
                targets: graph.targets(),
                pi: &pi,
                stride,
                c: &c,
                delta: 0.01,
                least: 1e-9,
                line: [1.0, 1.1],
                s: &single(&s),
                m: &single(&m),
            };
            let (mut out, mut plain) = (vec![0.0; (n - 20) * stride], vec![0.0; (n - 20) * stride]);
            let (mut sums, mut sums_plain) = (vec![0.0; 2 * stride], vec![0.0; 2 * stride]);
            linear_rows(&pass, 20, &mut out, &mut sums);
            let (mut portable, mut sums_portable) = (out.clone(), sums.clone());
            portably(|| linear_rows(&pass, 20, &mut portable, &mut sums_portable));
            assert!(portable == out && sums_portable == sums, "AVX2 and portable code differ at k = {k}");
            linear_rows_of_any_width(&pass, 20, &mut plain, &mut sums_plain);
            assert!(out.iter().zip(&plain).all(|(x, y)| (x - y).abs() < 1e-4), "k = {k}");
            assert!(sums.iter().zip(&sums_plain).all(|(x, y)| (x - y).abs() < 1e-5 * y.abs().max(1.0)), "k = {k}");
        }
    }
}
