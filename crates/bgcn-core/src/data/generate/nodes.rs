//! Nodes: topics and popularity.

use super::Generator;
use crate::rng::Random;

/// One document.
pub(super) struct Node {
    /// Its main topic, which is its class.
    pub(super) topic: u32,
    /// Another topic, the same where it has just one.
    pub(super) second: u32,
    /// How much of it is about the main topic, from ½ to 1.
    pub(super) share: f32,
    /// How likely it is to be cited, relative to others.
    pub(super) popularity: f32,
}

impl Node {
    /// One of its topics, by their shares.
    #[inline]
    pub(super) fn draw_topic(&self, random: &mut impl Random) -> u32 {
        if self.second == self.topic || random.unit() < f64::from(self.share) { self.topic } else { self.second }
    }
}

/// All documents.
pub(super) fn draw(settings: &Generator, random: &mut impl Random) -> Vec<Node> {
    let topics = settings.classes as u64;
    // No single node may take more than about √n times its share, or a few pairs would take all the edges.
    let cap = (settings.nodes as f64).sqrt();
    (0..settings.nodes as u64)
        .map(|a| {
            // The first nodes give every topic a member; the others choose, early topics a little more often.
            let topic = if a < topics { a } else { random.below(topics).min(random.below(topics * 3)) };
            let mixed = topics > 1 && random.unit() < settings.mixed;
            let second = if mixed { (topic + 1 + random.below(topics - 1)) % topics } else { topic };
            let share = if mixed { 0.55 + 0.4 * random.unit() } else { 1.0 };
            let popularity = (1.0 - random.unit()).powf(-1.0 / (settings.tail - 1.0)).min(cap);
            Node { topic: topic as u32, second: second as u32, share: share as f32, popularity: popularity as f32 }
        })
        .collect()
}
