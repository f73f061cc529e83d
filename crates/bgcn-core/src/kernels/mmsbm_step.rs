//! Inner loop of the block model: one step for the memberships, back onto the simplex.

#[cfg(target_arch = "x86_64")]
use super::cpu::Avx2;

const LANES: usize = 8;

/// How a row moves: x = |a pi + b g + c + d prior|, kept above a floor, scaled to sum to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    /// Preconditioned ascent on phi = scale · pi.
    Ascent {
        /// eps_t.
        eps: f32,
        /// alpha − 1.
        prior: f32,
        /// Rate of the Gamma prior.
        rho: f32,
    },
    /// Damped natural step towards the mode under the prior Dir(1 + strength · belief).
    Natural {
        /// Share of the step that is taken.
        damping: f32,
        /// κ.
        strength: f32,
        /// The largest pull of the non-edges, max_k c_k S_k.
        pull: f32,
        /// p [n, stride].
        belief: &'a [f32],
        /// Row starts of the graph, for the degrees.
        offsets: &'a [usize],
    },
}

/// Rows to move, from `first` on.
pub(crate) struct Rows<'a> {
    /// The number of the first row.
    pub(crate) first: usize,
    /// Communities.
    pub(crate) k: usize,
    /// Least membership.
    pub(crate) floor: f32,
    /// Memberships [rows, stride], moved in place.
    pub(crate) pi: &'a mut [f32],
    /// Row sums of phi `[rows]`, updated by `Ascent`.
    pub(crate) scale: &'a mut [f32],
    /// phi ∘ dL/dphi [rows, stride].
    pub(crate) g: &'a [f32],
}

/// Moves the rows; the largest change of a membership, or NaN if a row stopped being finite.
pub(crate) fn move_rows(step: &Step<'_>, rows: Rows<'_>) -> f32 {
    assert_eq!(rows.pi.len(), rows.g.len(), "one gradient per membership");
    #[cfg(target_arch = "x86_64")]
    if Avx2::in_use().is_some() {
        // SAFETY: there is a proof of AVX2, the only thing the function requires.
        return unsafe { move_rows_avx2(step, rows) };
    }
    move_rows_by_width(step, rows)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn move_rows_avx2(step: &Step<'_>, rows: Rows<'_>) -> f32 {
    move_rows_by_width(step, rows)
}

#[inline(always)]
fn move_rows_by_width(step: &Step<'_>, rows: Rows<'_>) -> f32 {
    match rows.k.div_ceil(LANES) {
        1 => move_rows_of_width::<8>(step, rows),
        2 => move_rows_of_width::<16>(step, rows),
        3 => move_rows_of_width::<24>(step, rows),
        4 => move_rows_of_width::<32>(step, rows),
        _ => move_rows_of_any_width(step, rows),
    }
}

#[inline(always)]
fn move_rows_of_width<const W: usize>(step: &Step<'_>, rows: Rows<'_>) -> f32 {
    let mask: [f32; W] = std::array::from_fn(|l| f32::from(u8::from(l < rows.k)));
    let (pi, _) = rows.pi.as_chunks_mut::<W>();
    let (g, _) = rows.g.as_chunks::<W>();
    let mut moved = [0f32; W];
    let mut total = 0.0;
    for (i, ((p, g), scale)) in pi.iter_mut().zip(g).zip(rows.scale.iter_mut()).enumerate() {
        let [a, b, c, d] = coefficients(step, rows.first + i, *scale);
        let mut x: [f32; W] = std::array::from_fn(|l| a * p[l] + b * g[l] + c);
        if let Step::Natural { belief, .. } = step {
            let belief: &[f32; W] =
                belief[(rows.first + i) * W..].first_chunk().expect("a belief for every membership");
            x.iter_mut().zip(belief).for_each(|(x, q)| *x += d * q);
        }
        let least = rows.floor * a.abs().max(1.0);
        x.iter_mut().zip(&mask).for_each(|(x, m)| *x = at_least(least, x.abs()) * m);
        let sum = sum(&x);
        let by = 1.0 / sum;
        for l in 0..W {
            let new = x[l] * by;
            moved[l] = moved[l].max((new - p[l]).abs());
            p[l] = new;
        }
        if matches!(step, Step::Ascent { .. }) {
            *scale = sum;
        }
        total += by * sum;
    }
    if total.is_finite() { moved.into_iter().fold(0.0, f32::max) } else { f32::NAN }
}

fn move_rows_of_any_width(step: &Step<'_>, rows: Rows<'_>) -> f32 {
    let Rows { first, k, floor, pi, scale, g } = rows;
    let stride = k.next_multiple_of(LANES);
    let mut moved = 0f32;
    let mut total = 0.0;
    let mut x = vec![0f32; k];
    for (i, ((p, g), scale)) in pi.chunks_exact_mut(stride).zip(g.chunks_exact(stride)).zip(scale).enumerate() {
        let [a, b, c, d] = coefficients(step, first + i, *scale);
        for (l, x) in x.iter_mut().enumerate() {
            *x = a * p[l] + b * g[l] + c;
            if let Step::Natural { belief, .. } = step {
                *x += d * belief[(first + i) * stride + l];
            }
            *x = at_least(floor * a.abs().max(1.0), x.abs());
        }
        let sum: f32 = x.iter().sum();
        let by = 1.0 / sum;
        for (p, x) in p.iter_mut().zip(&x) {
            moved = moved.max((x * by - *p).abs());
            *p = x * by;
        }
        if matches!(step, Step::Ascent { .. }) {
            *scale = sum;
        }
        total += by * sum;
    }
    if total.is_finite() { moved } else { f32::NAN }
}

/// a, b, c and d of [`Step`] for row `row`.
#[inline(always)]
fn coefficients(step: &Step<'_>, row: usize, scale: f32) -> [f32; 4] {
    match *step {
        Step::Ascent { eps, prior, rho } => [scale * (1.0 - eps * rho), eps, eps * prior, 0.0],
        Step::Natural { damping, strength, pull, offsets, .. } => {
            let degree = (offsets[row + 1] - offsets[row]) as f32;
            let rate = damping / (strength + degree + pull.max(1.0));
            [1.0 - rate * strength, rate, 0.0, rate * strength]
        }
    }
}

/// The larger of two; unlike `max`, it keeps an `x` that is not a number.
#[inline(always)]
pub(crate) fn at_least<T: PartialOrd>(least: T, x: T) -> T {
    if x < least { least } else { x }
}

/// Summed as a tree of eight.
#[inline(always)]
fn sum<const W: usize>(x: &[f32; W]) -> f32 {
    let mut t = [0f32; LANES];
    for x in x.as_chunks::<LANES>().0 {
        t.iter_mut().zip(x).for_each(|(t, x)| *t += x);
    }
    let t: [f32; 4] = std::array::from_fn(|l| t[l] + t[l + 4]);
    (t[0] + t[2]) + (t[1] + t[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(step: &Step<'_>, k: usize, plain: bool) -> (Vec<f32>, Vec<f32>) {
        let stride = k.next_multiple_of(LANES);
        let (mut pi, mut g) = (vec![0f32; 5 * stride], vec![0f32; 5 * stride]);
        for (i, (p, g)) in pi.chunks_exact_mut(stride).zip(g.chunks_exact_mut(stride)).enumerate() {
            for l in 0..k {
                p[l] = 1.0 / k as f32;
                g[l] = ((i * 31 + l * 17) % 13) as f32 - 6.0;
            }
        }
        let mut scale = vec![2.0; 5];
        let rows = Rows { first: 0, k, floor: 1e-7, pi: &mut pi, scale: &mut scale, g: &g };
        let change = if plain { move_rows_of_any_width(step, rows) } else { move_rows(step, rows) };
        assert!(change > 0.0 && change <= 1.0);
        (pi, scale)
    }

    #[test]
    fn every_width_agrees_with_the_plain_loop_and_stays_on_the_simplex() {
        for k in [1usize, 3, 8, 10, 20, 32] {
            let stride = k.next_multiple_of(LANES);
            let belief: Vec<f32> = (0..5 * stride).map(|i| if i % stride == 0 { 1.0 } else { 0.0 }).collect();
            let offsets = [0, 2, 2, 9, 10, 11];
            let natural = Step::Natural { damping: 0.5, strength: 5.0, pull: 3.0, belief: &belief, offsets: &offsets };
            for step in [Step::Ascent { eps: 0.3, prior: 0.5, rho: 0.01 }, natural] {
                let ((pi, scale), (pi_plain, scale_plain)) = match k {
                    1 => continue,
                    _ => (moved(&step, k, false), moved(&step, k, true)),
                };
                assert!(pi.iter().zip(&pi_plain).all(|(x, y)| (x - y).abs() < 1e-6), "k = {k}");
                assert!(scale.iter().zip(&scale_plain).all(|(x, y)| (x - y).abs() < 1e-5), "k = {k}");
                for row in pi.chunks_exact(stride) {
                    assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                    assert!(row[..k].iter().all(|p| *p > 0.0) && row[k..].iter().all(|p| *p == 0.0));
                }
            }
        }
    }

    #[test]
    fn a_row_that_is_not_finite_is_reported() {
        for (k, bad) in [(8, f32::INFINITY), (8, f32::NAN), (3, f32::NAN), (20, f32::NAN), (40, f32::NAN)] {
            let stride = usize::next_multiple_of(k, LANES);
            let (mut pi, mut g, mut scale) = (vec![0.1; 3 * stride], vec![0.0; 3 * stride], [1.0; 3]);
            g[stride + k - 1] = bad; // one number of one row in the middle
            let rows = Rows { first: 0, k, floor: 1e-7, pi: &mut pi, scale: &mut scale, g: &g };
            let moved = move_rows(&Step::Ascent { eps: 1.0, prior: 0.0, rho: 0.0 }, rows);
            assert!(moved.is_nan(), "{bad} in a row of {k}: {moved}");
        }
    }
}
