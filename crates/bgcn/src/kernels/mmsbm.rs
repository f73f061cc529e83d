//! Inner loops of the block model: moments of the memberships, and the gradient with non-edges in closed form.
//!
//! Rows hold 8, 16, 24 or 32 numbers, known at compile time, or any multiple of 8. The wide versions are the portable
//! code compiled again with AVX2 allowed; nothing is fused, so every processor computes the same bytes.

/// Numbers that move together.
const LANES: usize = 8;

/// Rows summed in single precision before the sum goes to double.
const CHUNK: usize = 64;

/// How many neighbours ahead a row is asked for.
const AHEAD: usize = 12;

/// A row whose width is known: C vectors.
type Row<const C: usize> = [[f32; LANES]; C];

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
    /// beta − delta [stride], zeros from k on.
    pub(crate) c: &'a [f32],
    /// Background probability.
    pub(crate) delta: f32,
    /// The least probability of a link, a guard against rounding.
    pub(crate) least: f32,
    /// 1 / (1 − delta − s) ≈ line[0] + line[1] s.
    pub(crate) line: [f32; 2],
    /// Σ_b pi_b [stride].
    pub(crate) s: &'a [f32],
    /// Σ_b pi_b pi_bᵀ [k, stride].
    pub(crate) m: &'a [f32],
}

/// Σ pi_a and Σ pi_a pi_aᵀ over some rows.
///
/// `pi` is [rows, stride]; `s` [stride] and `m` [k, stride] are overwritten.
pub(crate) fn moments(pi: &[f32], stride: usize, s: &mut [f64], m: &mut [f64]) {
    assert!(stride.is_multiple_of(LANES) && pi.len().is_multiple_of(stride), "{} rows of {stride}", pi.len());
    assert!(s.len() == stride && m.len().is_multiple_of(stride), "{} and {}", s.len(), m.len());
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 was found on this processor, the only thing the function requires.
        #[allow(unsafe_code)]
        return unsafe { moments_avx2(pi, stride, s, m) };
    }
    moments_by_width(pi, stride, s, m);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn moments_avx2(pi: &[f32], stride: usize, s: &mut [f64], m: &mut [f64]) {
    moments_by_width(pi, stride, s, m);
}

#[inline(always)]
fn moments_by_width(pi: &[f32], stride: usize, s: &mut [f64], m: &mut [f64]) {
    match stride / LANES {
        1 => moments_of_width::<1>(pi, s, m),
        2 => moments_of_width::<2>(pi, s, m),
        3 => moments_of_width::<3>(pi, s, m),
        4 => moments_of_width::<4>(pi, s, m),
        _ => moments_of_any_width(pi, stride, s, m),
    }
}

#[inline(always)]
fn moments_of_width<const C: usize>(pi: &[f32], s: &mut [f64], m: &mut [f64]) {
    s.fill(0.0);
    m.fill(0.0);
    for rows in pi.chunks(CHUNK * C * LANES) {
        let mut sum = [[0f32; LANES]; C];
        for row in rows.chunks_exact(C * LANES) {
            add(&mut sum, &load(row), 1.0);
        }
        flush(s, &sum);
        // Eight rows of the matrix at a time stay in registers where C is 1.
        for (group, m) in m.chunks_mut(LANES * C * LANES).enumerate() {
            let mut products = [[[0f32; LANES]; C]; LANES];
            for row in rows.chunks_exact(C * LANES) {
                let p: Row<C> = load(row);
                let left = p[group];
                for (product, &x) in products.iter_mut().zip(&left) {
                    add(product, &p, x);
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
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 was found on this processor, the only thing the function requires.
        #[allow(unsafe_code)]
        return unsafe { linear_rows_avx2(pass, first, out, sums) };
    }
    linear_rows_by_width(pass, first, out, sums);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn linear_rows_avx2(pass: &LinearPass<'_>, first: usize, out: &mut [f32], sums: &mut [f64]) {
    linear_rows_by_width(pass, first, out, sums);
}

#[inline(always)]
fn linear_rows_by_width(pass: &LinearPass<'_>, first: usize, out: &mut [f32], sums: &mut [f64]) {
    match pass.stride / LANES {
        1 => linear_rows_of_width::<1>(pass, first, out, sums),
        2 => linear_rows_of_width::<2>(pass, first, out, sums),
        3 => linear_rows_of_width::<3>(pass, first, out, sums),
        4 => linear_rows_of_width::<4>(pass, first, out, sums),
        _ => linear_rows_of_any_width(pass, first, out, sums),
    }
}

#[inline(always)]
fn linear_rows_of_width<const C: usize>(pass: &LinearPass<'_>, first: usize, out: &mut [f32], sums: &mut [f64]) {
    let (c, s): (Row<C>, Row<C>) = (load(pass.c), load(pass.s));
    let [u_0, u_1] = pass.line;
    let width = C * LANES;
    let (p_sums, u_sums) = sums.split_at_mut(width);
    p_sums.fill(0.0);
    u_sums.fill(0.0);
    for (chunk, out) in out.chunks_mut(CHUNK * width).enumerate() {
        let (mut p_sum, mut u_sum) = ([[0f32; LANES]; C], [[0f32; LANES]; C]);
        for (i, out) in out.chunks_exact_mut(width).enumerate() {
            let a = first + chunk * CHUNK + i;
            let p: Row<C> = load(&pass.pi[a * width..]);
            let v = times(&p, &c);
            let (by_p, mut by_u) = neighbour_sums::<C>(pass, a, &v);
            add(&mut by_u, &p, u_0 + u_1 * dot(&v, &p));
            let mut pull = [[0f32; LANES]; C]; // Σ_b pi_b s_ab over all nodes b
            for (v, m) in v.as_flattened().iter().zip(pass.m.chunks_exact(width)) {
                add(&mut pull, &load(m), *v);
            }
            let mut rest = by_p;
            add(&mut rest, &by_u, 1.0);
            add(&mut rest, &s, -u_0);
            add(&mut rest, &pull, -u_1);
            let mean = dot(&v, &rest);
            for (out, ((p, c), rest)) in out.chunks_exact_mut(LANES).zip(p.iter().zip(&c).zip(&rest)) {
                for (l, out) in out.iter_mut().enumerate() {
                    *out = p[l] * (c[l] * rest[l] - mean);
                }
            }
            add(&mut p_sum, &times(&p, &by_p), 1.0);
            add(&mut u_sum, &times(&p, &by_u), 1.0);
        }
        flush(p_sums, &p_sum);
        flush(u_sums, &u_sum);
    }
}

/// Σ_b pi_b / p_ab and Σ_b pi_b u_ab over the neighbours b of a.
#[inline(always)]
fn neighbour_sums<const C: usize>(pass: &LinearPass<'_>, a: usize, v: &Row<C>) -> (Row<C>, Row<C>) {
    let [u_0, u_1] = pass.line;
    let (mut by_p, mut by_u) = ([[0f32; LANES]; C], [[0f32; LANES]; C]);
    for i in pass.offsets[a]..pass.offsets[a + 1] {
        if let Some(&ahead) = pass.targets.get(i + AHEAD) {
            prefetch(pass.pi, ahead as usize * C * LANES);
        }
        let q: Row<C> = load(&pass.pi[pass.targets[i] as usize * C * LANES..]);
        let s = dot(v, &q);
        add(&mut by_p, &q, 1.0 / (pass.delta + s).max(pass.least));
        add(&mut by_u, &q, u_0 + u_1 * s);
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
fn load<const C: usize>(from: &[f32]) -> Row<C> {
    let (vectors, _) = from.as_chunks::<LANES>();
    *vectors.first_chunk::<C>().expect("rows are at least C vectors long")
}

#[inline(always)]
fn times<const C: usize>(x: &Row<C>, y: &Row<C>) -> Row<C> {
    std::array::from_fn(|i| std::array::from_fn(|l| x[i][l] * y[i][l]))
}

#[inline(always)]
fn add<const C: usize>(to: &mut Row<C>, x: &Row<C>, by: f32) {
    for (to, x) in to.iter_mut().zip(x) {
        for (to, x) in to.iter_mut().zip(x) {
            *to += x * by;
        }
    }
}

/// Summed as a tree, which the compiler may not choose by itself.
#[inline(always)]
fn dot<const C: usize>(x: &Row<C>, y: &Row<C>) -> f32 {
    let mut t = [0f32; LANES];
    for (x, y) in x.iter().zip(y) {
        for (t, (x, y)) in t.iter_mut().zip(x.iter().zip(y)) {
            *t += x * y;
        }
    }
    let t: [f32; 4] = std::array::from_fn(|l| t[l] + t[l + 4]);
    (t[0] + t[2]) + (t[1] + t[3])
}

#[inline(always)]
fn flush<const C: usize>(to: &mut [f64], from: &Row<C>) {
    for (to, from) in to.iter_mut().zip(from.as_flattened()) {
        *to += f64::from(*from);
    }
}

/// Asks for the cache line at `at`; harmless anywhere.
#[inline(always)]
fn prefetch(slice: &[f32], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching reads nothing and may name any address; SSE is part of x86-64.
    #[allow(unsafe_code)]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(slice.as_ptr().wrapping_add(at).cast::<i8>(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, at);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
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
            linear_rows_of_any_width(&pass, 20, &mut plain, &mut sums_plain);
            assert!(out.iter().zip(&plain).all(|(x, y)| (x - y).abs() < 1e-4), "k = {k}");
            assert!(sums.iter().zip(&sums_plain).all(|(x, y)| (x - y).abs() < 1e-5 * y.abs().max(1.0)), "k = {k}");
        }
    }
}
