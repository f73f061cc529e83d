//! Every kernel against plain loops in double precision, for all kinds of widths and heads.

use super::*;
use crate::graph::Graph;
use crate::kernels::cpu::tests::at_every_level;
use crate::kernels::{Mask, Matrix};
use proptest::prelude::*;

const N: usize = 20;

#[derive(Debug)]
struct Case {
    graph: Graph,
    rows: Vec<u32>,
    heads: usize,
    units: usize,
    bits: Vec<bool>,
}

fn case() -> impl Strategy<Value = Case> {
    let edges = prop::collection::vec((0u32..N as u32, 0u32..N as u32), 0..50);
    let rows = prop::collection::vec(any::<bool>(), N);
    let sizes = prop_oneof![
        Just((8, 8)),
        Just((1, 7)),
        Just((8, 3)),
        Just((3, 5)),
        Just((8, 16)),
        Just((1, 70)),
        Just((5, 30))
    ];
    (edges, rows, sizes, any::<u64>()).prop_map(|(edges, attends, (heads, units), seed)| Case {
        graph: Graph::from_edges(N, &edges).unwrap(),
        rows: (0..N as u32).filter(|&a| attends[a as usize]).collect(),
        heads,
        units,
        bits: (0..120 * heads).map(|i| (seed.rotate_left(i as u32 % 64) ^ (i as u64 * 0x9E37_79B9)) % 5 < 2).collect(),
    })
}

fn random(rows: usize, columns: usize, salt: usize) -> Matrix {
    let value = |i: usize| (((i + salt) * 7919 % 1009) as f32 / 504.5 - 1.0) * 1.5;
    Matrix::from_rows(rows, columns, &(0..rows * columns).map(value).collect::<Vec<_>>())
}

/// What the plain loops give: α, α', out; d(score), dh, d a_src, d a_dst.
#[derive(Default)]
struct Plain {
    alpha: Vec<[f64; 2]>,
    out: Vec<f64>,
    d_score: Vec<f64>,
    d_h: Vec<f64>,
    d_a: [Vec<f64>; 2],
}

fn plain(case: &Case, columns: &[(usize, usize)], [h, a_src, a_dst, g]: [&Matrix; 4], scale: f64) -> Plain {
    let (heads, width) = (case.heads, case.heads * case.units);
    let at = |m: &Matrix, r: usize, j: usize| f64::from(m.row(r)[j]);
    let of_head = |k: usize| (0..case.units).map(move |u| u * heads + k);
    let mut p = Plain { alpha: vec![[0.0; 2]; columns.len() * heads], out: vec![0.0; N * width], ..Plain::default() };
    p.d_score = vec![0.0; columns.len() * heads];
    (p.d_h, p.d_a) = (vec![0.0; N * width], [vec![0.0; width], vec![0.0; width]]);
    for k in 0..heads {
        let score = |m: &Matrix, r: usize| of_head(k).map(|j| at(h, r, j) * at(m, 0, j)).sum::<f64>();
        for &a in &case.rows {
            let a = a as usize;
            let entries: Vec<usize> = (0..columns.len()).filter(|&e| columns[e].0 == a).collect();
            let pre = |e: usize| score(a_dst, a) + score(a_src, columns[e].1);
            let weight = |e: usize| (if pre(e) > 0.0 { pre(e) } else { 0.2 * pre(e) }).exp();
            let sum: f64 = entries.iter().map(|&e| weight(e)).sum();
            let mut total = 0.0;
            let mut q = vec![0.0; columns.len()];
            for &e in &entries {
                let (b, alpha) = (columns[e].1, weight(e) / sum);
                let dropped = if case.bits[e * heads + k] { alpha * scale } else { 0.0 };
                p.alpha[e * heads + k] = [alpha, dropped];
                for j in of_head(k) {
                    p.out[a * width + j] += dropped * at(h, b, j);
                    p.d_h[b * width + j] += dropped * at(g, a, j);
                    q[e] += dropped * at(g, a, j) * at(h, b, j);
                }
                total += q[e];
            }
            for &e in &entries {
                let b = columns[e].1;
                let d = (q[e] - p.alpha[e * heads + k][0] * total) * if pre(e) > 0.0 { 1.0 } else { 0.2 };
                p.d_score[e * heads + k] = d;
                for j in of_head(k) {
                    p.d_h[b * width + j] += d * at(a_src, 0, j);
                    p.d_h[a * width + j] += d * at(a_dst, 0, j);
                    p.d_a[0][j] += d * at(h, b, j);
                    p.d_a[1][j] += d * at(h, a, j);
                }
            }
        }
    }
    p
}

fn close(found: f32, wanted: f64) -> bool {
    (f64::from(found) - wanted).abs() < 1e-4 * wanted.abs().max(1.0)
}

proptest! {
    #[test]
    fn attention_and_its_gradient_equal_plain_loops(case in case()) {
        let width = case.heads * case.units;
        let a_hat = case.graph.normalized();
        let pattern = Pattern::from(&a_hat);
        let row = |a: u32| pattern.row(a).iter().map(move |&b| (a as usize, b as usize));
        let columns: Vec<(usize, usize)> = (0..N as u32).flat_map(row).collect();
        let place = |&(a, b): &(usize, usize)| columns.iter().position(|&c| c == (b, a)).unwrap() as u32;
        let mirror: Vec<u32> = columns.iter().map(place).collect();
        let attends: Vec<bool> = (0..N as u32).map(|a| case.rows.contains(&a)).collect();
        let how = Attention { pattern, mirror: &mirror, heads: case.heads, rows: &case.rows, attends: &attends };
        let (h, g) = (random(N, width, 3), random(N, width, 17));
        let (a_src, a_dst) = (random(1, width, 5), random(1, width, 11));
        let words = (columns.len() * case.heads).div_ceil(64);
        let mut mask = Mask::default();
        mask.assign(words, [(0..words, &case.bits[..columns.len() * case.heads])].into_iter());
        let all: Vec<u32> = (0..N as u32).collect();

        at_every_level(|| {
            let (mut src, mut dst) = (Matrix::zeros(N, case.heads), Matrix::zeros(N, case.heads));
            scores(&all, &h, &a_src, &mut src);
            scores(&all, &h, &a_dst, &mut dst);
            let mut alpha = vec![0.0; columns.len() * 2 * case.heads];
            attend(how, [&src, &dst], Some((&mask, 2.5)), &mut alpha);
            let mut out = Matrix::zeros(N, width);
            mix(how, &alpha, &h, &mut out);
            let mut d = vec![0.0; columns.len() * case.heads];
            d_scores(how, Given { alpha: &alpha, h: &h, scores: [&src, &dst], g: &g }, &mut d);
            let (mut sums, mut d_h) = (Matrix::zeros(N, 2 * case.heads), Matrix::zeros(N, width));
            d_sums(how, &all, &d, &mut sums);
            d_mix(how, &all, Sources { alpha: &alpha, g: &g, sums: &sums, a: [&a_src, &a_dst] }, &mut d_h);

            let wanted = plain(&case, &columns, [&h, &a_src, &a_dst, &g], 2.5);
            for e in 0..columns.len() {
                for k in 0..case.heads {
                    let [kept, dropped] = wanted.alpha[e * case.heads + k];
                    let at = 2 * e * case.heads + k;
                    prop_assert!(close(alpha[at], kept) && close(alpha[at + case.heads], dropped));
                    prop_assert!(close(d[e * case.heads + k], wanted.d_score[e * case.heads + k]));
                }
            }
            for i in 0..N {
                for j in 0..width {
                    prop_assert!(close(out.row(i)[j], wanted.out[i * width + j]));
                    prop_assert!(close(d_h.row(i)[j], wanted.d_h[i * width + j]));
                }
            }
            for half in 0..2 {
                let mut d_a = Matrix::zeros(1, width);
                add_products(&all, (&sums, half), &h, &mut d_a);
                prop_assert!((0..width).all(|j| close(d_a.row(0)[j], wanted.d_a[half][j])));
            }
            Ok(())
        })?;
    }
}
