//! Communities by local moves and merging while modularity grows (the Louvain method), then the K that hold most links.
//! Paper: not in it.
//! Differs: from Louvain, in keeping every level: the coarsest one with at least K communities is taken.
//! Symbols: `w` the weight of a link, 2m twice the total; gain of joining c: w(a, c) − w(a) w(c) / 2m.

use crate::graph::Graph;
use crate::graph_model::blocks::grouped::Grouped;
use crate::rng::{Random, Stream};

/// Sweeps of local moves on a level; most of the gain comes in the first few.
const SWEEPS: usize = 8;
/// A level is settled once fewer than this share of its nodes move in a sweep.
const SETTLED: f64 = 0.01;

/// A community for every node of the K communities with most links inside; `None` elsewhere.
pub(super) fn labels(graph: &Graph, k: usize, stream: &mut Stream) -> Vec<Option<u32>> {
    let mut random = stream.fast();
    let mut level = Weighted::from(graph);
    let mut of: Vec<u32> = (0..graph.nodes() as u32).collect(); // [n] node of the present level
    let mut chosen: Option<Vec<u32>> = None;
    loop {
        let (community, count) = level.move_nodes(&mut random);
        if chosen.is_some() && (count < k || count == level.nodes()) {
            break;
        }
        of.iter_mut().for_each(|node| *node = community[*node as usize]);
        chosen = Some(of.clone());
        if count < k || count == level.nodes() {
            break;
        }
        level = level.merged(&community, count);
    }
    strongest(graph, &chosen.unwrap_or_default(), k)
}

/// Numbers the K communities with most links inside from 0 on, and drops the others.
fn strongest(graph: &Graph, community: &[u32], k: usize) -> Vec<Option<u32>> {
    let count = community.iter().max().map_or(0, |&c| c as usize + 1);
    let mut inside = vec![0usize; count];
    for (a, b) in graph.edge_list() {
        if community[a as usize] == community[b as usize] {
            inside[community[a as usize] as usize] += 1;
        }
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&c| (std::cmp::Reverse(inside[c]), c));
    let mut rank = vec![None; count];
    order.iter().take(k).enumerate().for_each(|(i, &c)| rank[c] = Some(i as u32));
    community.iter().map(|&c| rank[c as usize]).collect()
}

/// A graph whose links have weights; a node may be linked to itself.
struct Weighted {
    offsets: Vec<usize>,
    links: Vec<(u32, u32)>, // (neighbour, weight); a node's link to itself counts both directions
    strength: Vec<u64>,     // [n] sum of each row
}

impl From<&Graph> for Weighted {
    fn from(graph: &Graph) -> Self {
        Self {
            offsets: graph.offsets().to_vec(),
            links: graph.targets().iter().map(|&b| (b, 1)).collect(),
            strength: (0..graph.nodes() as u32).map(|a| graph.degree(a) as u64).collect(),
        }
    }
}

impl Weighted {
    fn nodes(&self) -> usize {
        self.strength.len()
    }

    fn row(&self, a: usize) -> &[(u32, u32)] {
        &self.links[self.offsets[a]..self.offsets[a + 1]]
    }

    /// Moves each node, in random order, to the neighbouring community of largest gain, until few move.
    /// Returns each node's community, numbered from 0, and how many there are.
    fn move_nodes(&self, random: &mut impl Random) -> (Vec<u32>, usize) {
        let n = self.nodes();
        let two_m = self.strength.iter().sum::<u64>().max(1) as f64;
        let mut community: Vec<u32> = (0..n as u32).collect();
        let mut total = self.strength.clone();
        let mut order: Vec<u32> = (0..n as u32).collect();
        for i in (1..n).rev() {
            order.swap(i, random.below(i as u64 + 1) as usize);
        }
        let (mut weight_to, mut seen) = (vec![0u64; n], Vec::new());
        for _ in 0..SWEEPS {
            let mut moved = 0;
            for &a in &order {
                let (own, strength) = (community[a as usize], self.strength[a as usize]);
                for &(b, w) in self.row(a as usize).iter().filter(|link| link.0 != a) {
                    let c = community[b as usize];
                    if weight_to[c as usize] == 0 {
                        seen.push(c);
                    }
                    weight_to[c as usize] += u64::from(w);
                }
                total[own as usize] -= strength;
                let gain = |c: u32| weight_to[c as usize] as f64 - strength as f64 * total[c as usize] as f64 / two_m;
                let better = |best: (u32, f64), c: u32| if gain(c) > best.1 { (c, gain(c)) } else { best };
                let (best, _) = seen.iter().copied().fold((own, gain(own)), better);
                total[best as usize] += strength;
                community[a as usize] = best;
                moved += usize::from(best != own);
                seen.drain(..).for_each(|c| weight_to[c as usize] = 0);
            }
            if (moved as f64) < SETTLED * n as f64 {
                break;
            }
        }
        let count = renumber(&mut community);
        (community, count)
    }

    /// Each community becomes a node.
    fn merged(&self, community: &[u32], count: usize) -> Self {
        let grouped = Grouped::new(community, count);
        let mut merged = Self { offsets: vec![0], links: Vec::new(), strength: Vec::new() };
        let (mut weight_to, mut seen) = (vec![0u32; count], Vec::new());
        for c in 0..count {
            for &a in grouped.block(c) {
                for &(b, w) in self.row(a as usize) {
                    let c = community[b as usize];
                    if weight_to[c as usize] == 0 {
                        seen.push(c);
                    }
                    weight_to[c as usize] += w;
                }
            }
            merged.strength.push(seen.iter().map(|&c| u64::from(weight_to[c as usize])).sum());
            merged.links.extend(seen.drain(..).map(|c| (c, std::mem::take(&mut weight_to[c as usize]))));
            merged.offsets.push(merged.links.len());
        }
        merged
    }
}

/// Renumbers communities from 0 in the order they appear; returns how many there are.
fn renumber(community: &mut [u32]) -> usize {
    let mut number = vec![u32::MAX; community.len()];
    let mut count = 0;
    for c in community {
        let slot = &mut number[*c as usize];
        if *slot == u32::MAX {
            *slot = count;
            count += 1;
        }
        *c = *slot;
    }
    count as usize
}

#[cfg(test)]
mod tests {
    use super::super::tests::cliques;
    use super::*;

    #[test]
    fn merging_keeps_the_weights() {
        let level = Weighted::from(&cliques(2, 3));
        let merged = level.merged(&[0, 0, 0, 1, 1, 1], 2);
        assert_eq!(merged.row(0), [(0, 6), (1, 2)]);
        assert_eq!(merged.strength, [8, 8]);
    }

    #[test]
    fn the_communities_with_most_links_are_kept() {
        let graph = Graph::from_edges(7, &[(0, 1), (2, 3), (3, 4), (2, 4), (5, 6)]).unwrap();
        let kept = strongest(&graph, &[0, 0, 1, 1, 1, 2, 2], 2);
        assert_eq!(kept, [Some(1), Some(1), Some(0), Some(0), Some(0), None, None]);
    }
}
