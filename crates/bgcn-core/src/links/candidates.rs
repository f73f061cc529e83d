//! Pairs without an edge that may be missing one: all of them would be N².
//!
//! For each node: those at distance two that have the most and least connected neighbours in common; those nearest in
//! features, by an inverted index over rare words, or by random projections of dense rows; and the hubs of the class
//! that attracts it most. How many, so that all nodes together have a few million.

use super::GoOn;
use super::classes::Side;
use super::similarity::UnitRows;
use crate::Error;
use crate::data::{DenseRows, SparseRows};
use crate::graph::Graph;
use crate::rng::{Fast, For, Random as _, Seed};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

// Limits of work: they bound the search for missing edges, whose recall is measured (`Recall`) and enters their
// probabilities.
/// Candidates of all nodes together, about.
const BUDGET: usize = 5_000_000;
/// Candidates of a node: one in so many of all nodes, but no fewer and, by the settings, no more; the budget may ask
/// for fewer.
const ONE_IN: usize = 80;
const FEWEST: usize = 40;
/// Nodes that one search visits in each way: half of all nodes, but no fewer and no more; all searches together, about.
const VISITS: (usize, usize) = (1_000, 10_000);
const WORK: usize = 200_000_000;
/// Hubs of a class that are looked at.
const HUBS: usize = 30;
/// Random projections of dense rows.
const TABLES: usize = 8;
/// Nodes that share a projection, about.
const BUCKET: usize = 16;
/// Nodes that one thread takes at a time.
const BLOCK: usize = 256;

/// How many edges the search finds that were hidden from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recall {
    /// Observed edges that were hidden.
    pub hidden: usize,
    /// How many of them were among the candidates.
    pub found: usize,
}

impl Recall {
    /// The share that was found.
    pub fn share(&self) -> f64 {
        self.found as f64 / self.hidden.max(1) as f64
    }
}

/// The search in a graph.
pub(super) struct Search<'a> {
    graph: &'a Graph,
    near: Option<(&'a UnitRows, &'a Index)>,
    /// Of two nodes that are as near, the one with more neighbours is likelier to have one more: a weight for each.
    pulls: Vec<f32>,
    /// The class that attracts each node most, and the hubs of each class, the largest degree first.
    hubs: Option<(Vec<u32>, Vec<Vec<u32>>)>,
    quota: usize,
    visits: usize,
}

/// Which nodes are near in features.
pub(super) enum Index {
    /// Of each word, the documents that have it, with its weight there.
    Words(Vec<Vec<(u32, f32)>>),
    Projections {
        keys: Vec<Vec<u32>>,
        members: Vec<Vec<u32>>,
    },
}

/// Sums over visited nodes.
struct Visited {
    score: Vec<f32>,
    touched: Vec<u32>,
}

impl Visited {
    fn add(&mut self, b: u32, by: f32) {
        let score = &mut self.score[b as usize];
        if *score == 0.0 {
            self.touched.push(b);
        }
        *score += by;
    }

    /// Leaves out a node that can be no candidate.
    fn leave_out(&mut self, b: u32) {
        self.score[b as usize] = 0.0;
    }

    /// Moves the nodes with the largest sums to `into`, and forgets all.
    fn take(&mut self, count: usize, into: &mut Vec<u32>) {
        let scored = self.touched.iter().map(|&b| (self.score[b as usize], b));
        let mut found: Vec<(f32, u32)> = scored.filter(|(score, _)| *score != 0.0).collect();
        let order = |x: &(f32, u32), y: &(f32, u32)| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1));
        if found.len() > count && count > 0 {
            found.select_nth_unstable_by(count - 1, order);
        }
        found.truncate(count);
        into.extend(found.iter().map(|(_, b)| *b));
        self.touched.drain(..).for_each(|b| self.score[b as usize] = 0.0);
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(
        graph: &'a Graph,
        near: Option<(&'a UnitRows, &'a Index)>,
        side: Option<&Side>,
        most: usize,
    ) -> Self {
        let n = graph.nodes();
        let hubs = side.and_then(|side| {
            let (k, attracted) = side.attracted_by()?;
            let mut by_degree: Vec<u32> = (0..n as u32).collect();
            by_degree.sort_by_key(|&a| (std::cmp::Reverse(graph.degree(a)), a));
            let (likeliest, mut hubs) = (side.likeliest()?, vec![Vec::new(); k]);
            for a in by_degree {
                let of = &mut hubs[likeliest[a as usize] as usize];
                if of.len() < HUBS {
                    of.push(a);
                }
            }
            Some((attracted, hubs))
        });
        let quota = (n / ONE_IN).clamp(FEWEST, most).min(BUDGET / n.max(1)).max(4);
        let visits = (n / 2).clamp(VISITS.0, VISITS.1).min(WORK / n.max(1)).max(100);
        let pulls = (0..n as u32).map(|b| (graph.degree(b) as f32 + 1.0).ln_1p()).collect();
        Self { graph, near, pulls, hubs, quota, visits }
    }

    fn visited(&self) -> Visited {
        Visited { score: vec![0.0; self.graph.nodes()], touched: Vec::new() }
    }

    /// The candidates of a node.
    fn of(&self, a: u32, visited: &mut Visited) -> Vec<u32> {
        let graph = self.graph;
        let taken = |visited: &mut Visited| {
            graph.neighbours(a).iter().chain([&a]).for_each(|&b| visited.leave_out(b));
        };
        let mut found = Vec::new();
        let mut middle: Vec<u32> = graph.neighbours(a).to_vec();
        middle.sort_by_key(|&c| (graph.degree(c), c));
        let mut visits = 0;
        for c in middle {
            visits += graph.degree(c);
            if visits > self.visits && visits > graph.degree(c) {
                break;
            }
            let weight = 1.0 / (graph.degree(c).max(2) as f32).ln();
            graph.neighbours(c).iter().take(self.visits).for_each(|&b| visited.add(b, weight));
        }
        taken(visited);
        visited.take(self.quota * 2 / 5, &mut found);
        if let Some((rows, index)) = self.near {
            index.near(rows, a, self.visits, visited);
            visited.touched.iter().for_each(|&b| visited.score[b as usize] *= self.pulls[b as usize]);
            taken(visited);
            visited.take(self.quota / 2, &mut found);
        }
        if let Some((attracted, hubs)) = &self.hubs {
            let allowed = |b: u32| b != a && !graph.has_edge(a, b);
            let hubs = hubs[attracted[a as usize] as usize].iter().copied().filter(|&b| allowed(b));
            found.extend(hubs.take(self.quota / 10));
        }
        found
    }

    /// Every candidate once, as (smaller, larger), ascending.
    pub(super) fn all(&self, go_on: GoOn<'_>) -> Result<Vec<(u32, u32)>, Error> {
        let n = self.graph.nodes() as u32;
        let starts: Vec<u32> = (0..n).step_by(BLOCK).collect();
        let blocks = starts.par_iter().map_init(
            || self.visited(),
            |visited, &start| {
                go_on()?;
                let mut pairs = Vec::new();
                for a in start..n.min(start + BLOCK as u32) {
                    pairs.extend(self.of(a, visited).into_iter().map(|b| (a.min(b), a.max(b))));
                }
                Ok(pairs)
            },
        );
        let mut pairs = blocks.collect::<Result<Vec<_>, Error>>()?.concat();
        pairs.par_sort_unstable();
        pairs.dedup();
        Ok(pairs)
    }

    /// The candidates of random nodes, about `count`, as (smaller, larger), ascending.
    pub(super) fn some(&self, count: usize, random: &mut Fast) -> Vec<(u32, u32)> {
        let mut nodes: Vec<u32> = (0..self.graph.nodes() as u32).collect();
        random.shuffle(&mut nodes);
        let (mut visited, mut pairs) = (self.visited(), Vec::new());
        for a in nodes {
            if pairs.len() >= count {
                break;
            }
            pairs.extend(self.of(a, &mut visited).into_iter().map(|b| (a.min(b), a.max(b))));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Those of the hidden edges, which the graph lacks, that the search finds.
    pub(super) fn found(&self, hidden: &[(u32, u32)], go_on: GoOn<'_>) -> Result<Vec<(u32, u32)>, Error> {
        let blocks = hidden.par_chunks(BLOCK).map_init(
            || self.visited(),
            |visited, part| {
                go_on()?;
                let mut finds = |a, b| self.of(a, visited).contains(&b);
                let found = part.iter().copied().filter(|&(a, b)| finds(a, b) || finds(b, a));
                Ok(found.collect::<Vec<_>>())
            },
        );
        Ok(blocks.collect::<Result<Vec<_>, Error>>()?.concat())
    }
}

impl Index {
    pub(super) fn of(rows: &UnitRows, seed: Seed) -> Self {
        match rows {
            UnitRows::Sparse(rows) => Self::words(rows),
            UnitRows::Dense(rows) => Self::projections(rows, seed),
        }
    }

    fn words(rows: &SparseRows) -> Self {
        let mut documents = vec![Vec::new(); rows.columns];
        for a in 0..rows.rows() {
            let (columns, values) = rows.row(a);
            columns.iter().zip(values).filter(|(_, v)| **v != 0.0).for_each(|(&j, &v)| {
                documents[j as usize].push((a as u32, v));
            });
        }
        Self::Words(documents)
    }

    fn projections(rows: &DenseRows, seed: Seed) -> Self {
        let n = rows.values.len() / rows.columns.max(1);
        let bits = (n / BUCKET).max(2).ilog2() as usize;
        let (mut keys, mut members) = (Vec::new(), Vec::new());
        for table in 0..TABLES {
            let mut random = seed.at(For::HoldOut, [u32::MAX, 1, table as u32]).fast();
            let planes: Vec<f32> = (0..bits * rows.columns).map(|_| random.normal() as f32).collect();
            let key = |row: &[f32]| {
                let side = |plane: &[f32]| plane.iter().zip(row).map(|(p, x)| p * x).sum::<f32>() > 0.0;
                planes.chunks_exact(rows.columns).fold(0u32, |key, plane| key << 1 | u32::from(side(plane)))
            };
            let of: Vec<u32> = rows.values.par_chunks_exact(rows.columns).map(key).collect();
            let mut buckets = vec![Vec::new(); 1 << bits];
            of.iter().enumerate().for_each(|(a, &key)| buckets[key as usize].push(a as u32));
            keys.push(of);
            members.push(buckets);
        }
        let members = members.concat();
        Self::Projections { keys, members }
    }

    /// Visits the nodes nearest to `a`: by the words both have, the rarest first, or by their cosine.
    fn near(&self, rows: &UnitRows, a: u32, most: usize, visited: &mut Visited) {
        match (self, rows) {
            (Self::Words(documents), UnitRows::Sparse(rows)) => {
                let (columns, values) = rows.row(a as usize);
                let mut words: Vec<(u32, f32)> =
                    columns.iter().copied().zip(values.iter().copied()).filter(|(_, v)| *v != 0.0).collect();
                words.sort_by_key(|(j, _)| (documents[*j as usize].len(), *j));
                let mut visits = 0;
                for (j, value) in words {
                    let documents = &documents[j as usize];
                    visits += documents.len();
                    if visits > most && visits > documents.len() {
                        break;
                    }
                    documents.iter().take(most).for_each(|&(b, other)| visited.add(b, value * other));
                }
            }
            (Self::Projections { keys, members }, UnitRows::Dense(rows)) => {
                let row = |a: u32| &rows.values[a as usize * rows.columns..][..rows.columns];
                let buckets = members.len() / keys.len().max(1);
                for (table, of) in keys.iter().enumerate() {
                    for &b in members[table * buckets + of[a as usize] as usize].iter().take(most / TABLES) {
                        if visited.score[b as usize] == 0.0 {
                            let cosine: f32 = row(a).iter().zip(row(b)).map(|(x, y)| x * y).sum();
                            visited.add(b, cosine.max(0.0) + 1e-6);
                        }
                    }
                }
            }
            _ => unreachable!("an index is of its own rows"),
        }
    }
}
