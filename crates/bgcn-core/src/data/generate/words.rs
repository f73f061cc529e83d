//! Words of the documents: sparse binary bags of words.

use super::Generator;
use super::nodes::Node;
use crate::data::SparseRows;
use crate::rng::Random;

/// One row per document. Word 0 is the most common one; word w belongs to topic w mod K.
pub(super) fn draw(settings: &Generator, nodes: &[Node], random: &mut impl Random) -> SparseRows {
    let (words, topics) = (settings.words as u64, settings.classes as u64);
    let mut rows = SparseRows::new(settings.words);
    rows.indices.reserve((settings.words_per_node * nodes.len() as f64) as usize);
    let mut row: Vec<u32> = Vec::new();
    for node in nodes {
        row.clear();
        let length = settings.words_per_node * (0.5 + random.unit());
        // Rounded up or down at random, so that the mean is right for short documents too.
        let length = (length + random.unit()) as usize;
        for _ in 0..length {
            let word = if random.unit() < settings.feature_strength {
                let topic = u64::from(node.draw_topic(random));
                common_first(words / topics, random) * topics + topic
            } else {
                common_first(words, random)
            };
            row.push(word as u32);
        }
        row.sort_unstable();
        row.dedup();
        rows.indices.extend_from_slice(&row);
        rows.offsets.push(rows.indices.len());
    }
    rows.values = vec![1.0; rows.indices.len()];
    rows
}

/// A number below `n` that prefers small ones: density falling as 1/√x.
fn common_first(n: u64, random: &mut impl Random) -> u64 {
    let u = random.unit();
    ((u * u * n as f64) as u64).min(n - 1)
}
