//! Graph attention (Veličković et al., 2018) and its gradient, edge by edge.
//! α_ab = softmax over b of leaky(dst_a + src_b), a attends to b; α' = α after dropout; out_a = Σ_b α'_ab h_b.
//! Layout: column u·H + k is unit u of head k, so that eight heads fill the lanes of a vector and no sum crosses lanes.
//! An entry e of the pattern (an edge or a loop) has 2 H numbers, α then α'; H is 8, 1, or with slower loops anything
//! up to 64.

mod backward;
mod forward;

pub use backward::{Given, Sources, add_products, d_mix, d_scores, d_sums};
pub use forward::{attend, mix, scores};

use super::Pattern;
use super::cpu::fma;
use super::rows::GRAIN;

/// The slope of LeakyReLU below zero, from the GAT paper.
const SLOPE: f32 = 0.2;

/// Buffers for numbers of heads that have no loops of their own.
const ANY: usize = 64;

/// Who attends to whom, with how many heads.
#[derive(Clone, Copy, Debug)]
pub struct Attention<'a> {
    /// Row a lists the nodes a attends to; symmetric.
    pub pattern: Pattern<'a>,
    /// For each entry (a, b) the place of (b, a).
    pub mirror: &'a [u32],
    /// H, at most 64.
    pub heads: usize,
    /// The nodes that attend, ascending.
    pub rows: &'a [u32],
    /// `[n]`: whether a node is among `rows`.
    pub attends: &'a [bool],
}

/// Numbers per head: L is the count, or `ANY` for the one found at run time.
#[derive(Clone, Copy)]
struct Heads<const L: usize>(usize);

impl<const L: usize> Heads<L> {
    #[inline(always)]
    fn count(self) -> usize {
        if L == ANY { self.0 } else { L }
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> [f32; L] {
        let mut loaded = [0.0; L];
        loaded[..self.count()].copy_from_slice(&from[..self.count()]);
        loaded
    }

    #[inline(always)]
    fn store(self, values: &[f32; L], to: &mut [f32]) {
        to[..self.count()].copy_from_slice(&values[..self.count()]);
    }

    /// sum_j += a_k x_j for every column j of a block, k its head.
    #[inline(always)]
    fn add_scaled<const W: usize, const FMA: bool>(self, a: &[f32; L], x: &[f32; W], block: usize, sum: &mut [f32; W]) {
        if L == ANY {
            for j in 0..W {
                sum[j] = fma::<FMA>(a[(block * W + j) % self.0], x[j], sum[j]);
            }
        } else {
            for (x, sum) in x.as_chunks::<L>().0.iter().zip(sum.as_chunks_mut::<L>().0) {
                for k in 0..L {
                    sum[k] = fma::<FMA>(a[k], x[k], sum[k]);
                }
            }
        }
    }

    /// sum_k += Σ x_j y_j over the columns j of head k.
    #[inline(always)]
    fn add_dots<const W: usize, const FMA: bool>(self, x: &[f32; W], y: &[f32; W], block: usize, sum: &mut [f32; L]) {
        if L == ANY {
            for j in 0..W {
                let k = (block * W + j) % self.0;
                sum[k] = fma::<FMA>(x[j], y[j], sum[k]);
            }
        } else {
            for (x, y) in x.as_chunks::<L>().0.iter().zip(y.as_chunks::<L>().0) {
                for k in 0..L {
                    sum[k] = fma::<FMA>(x[k], y[k], sum[k]);
                }
            }
        }
    }
}

/// `fn name<W, L, FMA>(heads: count; arguments) { … }`: the body [`dispatched`], for L heads.
macro_rules! for_heads {
    (
        fn $name:ident<$width:ident, $lanes:ident, $fma:ident>(
            $heads:ident: $count:expr; $($arg:ident: $type:ty),* $(,)?
        ) $body:block
    ) => {
        dispatched! {
            fn $name<$width, $fma>($($arg: $type),*) {
                #[inline(always)]
                #[allow(unused_variables)] // an argument may be the count alone
                fn of<const $width: usize, const $lanes: usize, const $fma: bool>(
                    $heads: Heads<$lanes>,
                    $($arg: $type),*
                ) $body
                match $count {
                    8 => of::<$width, 8, $fma>(Heads(8), $($arg),*),
                    1 => of::<$width, 1, $fma>(Heads(1), $($arg),*),
                    any => of::<$width, ANY, $fma>(Heads(any), $($arg),*),
                }
            }
        }
    };
}

use for_heads;

#[inline(always)]
fn leaky(x: f32) -> f32 {
    // The larger of the two is x above zero and SLOPE · x below.
    let low = SLOPE * x;
    if x > low { x } else { low }
}

/// The numbers of the entries of rows `first..`, `width` per entry, for writing.
struct EntriesMut<'a> {
    data: &'a mut [f32],
    first: usize,
    width: usize,
}

impl EntriesMut<'_> {
    #[inline(always)]
    fn at(&mut self, entry: usize) -> &mut [f32] {
        &mut self.data[(entry - self.first) * self.width..][..self.width]
    }
}

/// Calls `f` for all attending rows and their entries, in pieces when `work` is much.
fn for_entries(
    how: Attention<'_>,
    out: EntriesMut<'_>,
    work: usize,
    f: &(impl for<'a> Fn(Attention<'_>, EntriesMut<'a>) + Sync),
) {
    if work <= GRAIN || how.rows.len() < 2 {
        return f(how, out);
    }
    let (low, high) = how.rows.split_at(how.rows.len() / 2);
    let middle = how.pattern.range(high[0]).start;
    let (left, right) = out.data.split_at_mut((middle - out.first) * out.width);
    let left = EntriesMut { data: left, ..out };
    let right = EntriesMut { data: right, first: middle, width: out.width };
    rayon::join(
        || for_entries(Attention { rows: low, ..how }, left, work / 2, f),
        || for_entries(Attention { rows: high, ..how }, right, work / 2, f),
    );
}

impl<'a> Attention<'a> {
    fn work(self, width: usize) -> usize {
        self.pattern.entries(self.rows.len()) * width
    }

    /// The entries of row `a` as (place, column).
    #[inline(always)]
    fn entries(self, a: u32) -> impl Iterator<Item = (usize, usize)> + 'a {
        self.pattern.range(a).zip(self.pattern.row(a).iter().map(|&b| b as usize))
    }
}

#[cfg(test)]
mod tests;
