//! Labels spread along links from K far-apart nodes of high degree, no label taking more than its share.
//! Paper: not in it.
//! Differs: from plain label propagation, in its seeds and in the limit on sizes, without which one label takes all.
//! Symbols: K labels; a label holds at most twice N / K nodes.

use crate::graph::Graph;
use crate::rng::{Random, Stream};

const SWEEPS: usize = 10;
/// A label may hold this many times its even share of the nodes.
const LIMIT: usize = 2;

/// A label for every node that one reaches; `None` for the others.
pub(super) fn labels(graph: &Graph, k: usize, stream: &mut Stream) -> Vec<Option<u32>> {
    let n = graph.nodes();
    let mut label = vec![None; n];
    let mut size = vec![0usize; k];
    for (own, seed) in seeds(graph, k).into_iter().enumerate() {
        label[seed as usize] = Some(own as u32);
        size[own] += 1;
    }
    let limit = LIMIT * n.div_ceil(k);
    let mut order: Vec<u32> = (0..n as u32).collect();
    let mut random = stream.fast();
    for i in (1..n).rev() {
        order.swap(i, random.below(i as u64 + 1) as usize);
    }
    let mut votes = vec![0u32; k];
    for _ in 0..SWEEPS {
        let mut moved = false;
        for &a in &order {
            votes.fill(0);
            let known = graph.neighbours(a).iter().filter_map(|&b| label[b as usize]);
            known.for_each(|l: u32| votes[l as usize] += 1);
            let own = label[a as usize];
            let mut best = (own, own.map_or(0, |l| votes[l as usize]));
            for (l, &count) in votes.iter().enumerate() {
                if count > best.1 && size[l] < limit {
                    best = (Some(l as u32), count);
                }
            }
            if best.0 != own {
                own.into_iter().for_each(|l| size[l as usize] -= 1);
                best.0.into_iter().for_each(|l| size[l as usize] += 1);
                label[a as usize] = best.0;
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    label
}

/// Nodes of high degree, none next to an earlier one; where these run out, the next highest.
fn seeds(graph: &Graph, k: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..graph.nodes() as u32).collect();
    order.sort_by_key(|&a| (std::cmp::Reverse(graph.degree(a)), a));
    let (mut near, mut chosen, mut spare) = (vec![false; graph.nodes()], Vec::new(), Vec::new());
    for a in order {
        if chosen.len() == k {
            break;
        }
        if near[a as usize] {
            spare.push(a);
            continue;
        }
        chosen.push(a);
        near[a as usize] = true;
        graph.neighbours(a).iter().for_each(|&b| near[b as usize] = true);
    }
    let missing = k - chosen.len();
    chosen.extend(spare.into_iter().take(missing));
    chosen
}

#[cfg(test)]
mod tests {
    use super::super::tests::cliques;
    use super::*;
    use crate::rng::{For, Seed};

    #[test]
    fn seeds_stay_apart_while_they_can() {
        let graph = cliques(4, 6);
        let chosen = seeds(&graph, 4);
        let apart = |i: usize| chosen[..i].iter().all(|&b| !graph.has_edge(chosen[i], b));
        assert!((0..4).all(apart));
        assert_eq!(seeds(&cliques(1, 5), 5).len(), 5);
    }

    #[test]
    fn no_label_exceeds_its_limit() {
        let graph = cliques(1, 30);
        let found = labels(&graph, 3, &mut Seed::new(1).at(For::Lambda, [0; 3]));
        for l in 0..3 {
            assert!(found.iter().filter(|x| **x == Some(l)).count() <= 20);
        }
    }
}
