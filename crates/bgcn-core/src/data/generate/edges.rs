//! Edges: true ones by topic and popularity, then spurious ones added and true ones removed.

use super::Generator;
use super::alias::Alias;
use super::nodes::Node;
use crate::data::Error;
use crate::rng::Random;

/// Observed, wrong and absent edges, each as (smaller, larger), ascending.
pub(super) struct Edges {
    pub(super) observed: Vec<(u32, u32)>,
    pub(super) spurious: Vec<(u32, u32)>,
    pub(super) missing: Vec<(u32, u32)>,
}

pub(super) fn draw(settings: &Generator, nodes: &[Node], random: &mut impl Random) -> Result<Edges, Error> {
    let observed = (settings.nodes as f64 * settings.mean_degree / 2.0).round();
    let spurious = (observed * settings.spurious).round() as usize;
    let kept = observed as usize - spurious;
    let all = (kept as f64 / (1.0 - settings.missing)).round() as usize;

    let by_topic = Topics::new(settings, nodes);
    let truth = distinct(all, |random| by_topic.draw_edge(nodes, random), &[], random)?;
    let uniform = |random: &mut _| uniform_pair(settings.nodes as u64, random);
    let spurious = distinct(spurious, uniform, &truth, random)?;
    let (kept, missing) = part(truth, all - kept, random);
    let mut observed = kept;
    observed.extend_from_slice(&spurious);
    observed.sort_unstable();
    Ok(Edges { observed, spurious, missing })
}

/// For each topic a table of its nodes, weighted by popularity and share; and one of all nodes.
struct Topics {
    members: Vec<Vec<u32>>,
    tables: Vec<Alias>,
    everyone: Alias,
    /// Share of the edges that stay in their topic.
    homophily: f64,
}

impl Topics {
    fn new(settings: &Generator, nodes: &[Node]) -> Self {
        let topics = settings.classes;
        let mut members = vec![Vec::new(); topics];
        let mut weights = vec![Vec::new(); topics];
        for (a, node) in nodes.iter().enumerate() {
            let mut join = |topic: u32, share: f32| {
                members[topic as usize].push(a as u32);
                weights[topic as usize].push(f64::from(share * node.popularity));
            };
            join(node.topic, node.share);
            if node.second != node.topic {
                join(node.second, 1.0 - node.share);
            }
        }
        let everyone: Vec<f64> = nodes.iter().map(|node| f64::from(node.popularity)).collect();
        let tables = weights.iter().map(|w| Alias::new(w)).collect();
        // A single topic is its own next one.
        let homophily = if topics == 1 { 1.0 } else { settings.homophily };
        Self { members, tables, everyone: Alias::new(&everyone), homophily }
    }

    #[inline]
    fn draw_edge(&self, nodes: &[Node], random: &mut impl Random) -> (u32, u32) {
        let a = self.everyone.draw(random);
        let mut topic = nodes[a as usize].draw_topic(random) as usize;
        // Full homophily draws no number here, so that a seed gives the same network as without this step.
        if self.homophily < 1.0 && random.unit() >= self.homophily {
            topic = (topic + 1) % self.members.len();
        }
        (a, self.members[topic][self.tables[topic].draw(random) as usize])
    }
}

#[inline]
fn uniform_pair(nodes: u64, random: &mut impl Random) -> (u32, u32) {
    (random.below(nodes) as u32, random.below(nodes) as u32)
}

/// `count` different pairs from `draw`, without self-loops and without those of the sorted list `taken`.
fn distinct<R: Random>(
    count: usize,
    mut draw: impl FnMut(&mut R) -> (u32, u32),
    taken: &[(u32, u32)],
    random: &mut R,
) -> Result<Vec<(u32, u32)>, Error> {
    const ROUNDS: usize = 200;
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(count);
    for _ in 0..ROUNDS {
        while pairs.len() < count {
            let (a, b) = draw(random);
            pairs.push((a.min(b), a.max(b)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.retain(|pair| pair.0 != pair.1 && (taken.is_empty() || taken.binary_search(pair).is_err()));
        if pairs.len() == count {
            return Ok(pairs);
        }
    }
    Err(Error::Request(format!(
        "generating a network: only {} of {count} different edges could be placed; ask for a smaller mean degree, more \
         nodes, or a lighter tail",
        pairs.len()
    )))
}

/// Parts `out` random pairs from the rest; both lists stay sorted.
fn part(pairs: Vec<(u32, u32)>, out: usize, random: &mut impl Random) -> (Vec<(u32, u32)>, Vec<(u32, u32)>) {
    let (mut kept, mut gone) = (Vec::with_capacity(pairs.len() - out), Vec::with_capacity(out));
    let total = pairs.len();
    for (seen, pair) in pairs.into_iter().enumerate() {
        // Selection sampling: each subset of size `out` is equally likely.
        if random.below((total - seen) as u64) < (out - gone.len()) as u64 {
            gone.push(pair);
        } else {
            kept.push(pair);
        }
    }
    (kept, gone)
}
