//! What the networks of a mixture learn from each other at nodes without a label.
//! Paper: none; its network learns from labelled nodes alone.
//! Differs: all networks of a mixture start their graph models from one belief, to which they, the neighbours and the known labels
//! have contributed. So each also learns that belief, made surer, at nodes drawn anew for every step.
//! Symbols: p [n, c] the belief, q the lesson, L the labelled nodes, U those drawn; w_m the share of model m, ℓ (`lessons`), i of N_G
//! counts the draws.
//!
//! ```text
//! q ∝ p²
//! ℓ min(w_m, 1 − w_m)² min(1, 2 i / N_G)        what |p_a − q_a|² counts, beside the mean loss of L
//! ```
//!
//! A network learns as far as the evidence leaves open which model is right: much where both find hidden links about as likely, little
//! where one is far ahead, and nothing without a mixture. The first lessons count little, for the first beliefs err most. With fewer than
//! ten labels for each class there are none: beliefs that rest on so little can feed on themselves until one class has swallowed others.
//! Who has more to learn from bears more noise: a GCN with lessons drops a quarter more of its inputs.

use super::setup::Setup;
use crate::network::{Kind, Loss, Params, Targets};
use crate::rng::{For, Random as _};

/// |U| for every labelled node: more cost time and gain nothing.
const PER_LABEL: usize = 2; // measured with 2, 3, 10 and 30
/// Mixing models and hearing neighbours makes a belief less sure than the networks are; as it is, it would teach doubt.
const SURENESS: i32 = 2; // measured: docs/ablations.md

/// Labels for each class, on average, below which beliefs are not taught.
const ENOUGH: usize = 10; // measured: docs/graph-models.md

/// How much more of their inputs networks with lessons drop. One half becomes five eighths, which three random bits decide.
const DROPS: f64 = 1.25; // measured: docs/ablations.md

/// Whether there are classes to be believed, and enough labels for a belief to rest on.
pub(super) fn can_be_taught(train: &Targets) -> bool {
    train.loss() == Loss::CrossEntropy && train.nodes().len() >= ENOUGH * train.outputs()
}

/// The settings of a network that has lessons. Of others than a GCN it is not known what does them good.
pub(super) fn params_of_taught(params: &Params) -> Params {
    match params.kind {
        Kind::Gcn => params.clone().dropout((DROPS * params.dropout).min(params.dropout.max(0.9))),
        Kind::Chebnet | Kind::Gat => params.clone(),
    }
}

/// A belief to learn from.
pub(super) struct Lesson {
    /// q
    pub(super) belief: Vec<f32>,
    /// ℓ min(1, 2 i / N_G)
    weight: f64,
}

impl Lesson {
    /// The lesson of a belief [n, c] at draw number `i`.
    pub(super) fn new(belief: &[f32], c: usize, lessons: f64, (i, draws): (usize, usize)) -> Self {
        let mut q: Vec<f32> = belief.iter().map(|p| p.powi(SURENESS)).collect();
        for row in q.chunks_exact_mut(c) {
            let total: f32 = row.iter().sum();
            row.iter_mut().for_each(|q| *q /= total);
        }
        Self { belief: q, weight: lessons * (2.0 * i as f64 / draws as f64).min(1.0) }
    }

    /// What it counts for a network of this share.
    pub(super) fn weight(&self, share: f64) -> f64 {
        self.weight * share.min(1.0 - share).powi(2) // measured: docs/ablations.md
    }

    /// U: nodes without a label, ascending, drawn for the step of this index.
    pub(super) fn nodes<N>(setup: &Setup<'_, N>, index: [u32; 3]) -> Vec<u32> {
        let (n, labelled) = (setup.x.nodes() as u64, setup.train.nodes());
        let mut random = setup.seed.at(For::Lesson, index).fast();
        let mut nodes: Vec<u32> = (0..PER_LABEL * labelled.len()).map(|_| random.below(n) as u32).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.retain(|a| labelled.binary_search(a).is_err());
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_surer_than_the_belief_and_grow_until_half_of_the_draws() {
        let lesson = Lesson::new(&[0.5, 0.25, 0.25, 1.0, 0.0, 0.0], 3, 2.0, (10, 80));
        let expected = [4.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0, 1.0, 0.0, 0.0];
        assert!(lesson.belief.iter().zip(expected).all(|(q, e): (&f32, f32)| (q - e).abs() < 1e-6));
        assert!((lesson.weight(0.1) - 2.0 * 0.25 * 0.01).abs() < 1e-12);
        let late = |share: f64| Lesson::new(&[0.5, 0.5], 2, 2.0, (60, 80)).weight(share);
        assert_eq!(late(0.25), 0.125);
        assert_eq!(late(0.75), 0.125);
        assert_eq!(late(1.0), 0.0, "a network alone has nobody to learn from");
    }

    #[test]
    fn a_gcn_with_lessons_drops_more_but_never_all() {
        let dropped = |kind: Kind, p: f64| params_of_taught(&Params::new(kind).dropout(p)).dropout;
        assert_eq!([0.0, 0.5, 0.8, 0.95].map(|p| dropped(Kind::Gcn, p)), [0.0, 0.625, 0.9, 0.95]);
        assert_eq!(dropped(Kind::Gat, 0.6), 0.6);
    }
}
