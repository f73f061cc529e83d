//! The most likely pairs by branch and bound: pairs of node sets, best bound first, split until they are small.
//! Paper: not in it.
//! Differs: from a scan of all pairs only in cost. The bound of two sets follows from the extremes of their rows.
//! Symbols: a cell is a set of nodes, split along the column that loosens its bound most; of cells without any
//! difference, by node number, so that among ties the search goes straight to the smallest pair.

use super::{BelievedPair, Best, ByRank, EdgeBeliefs, Extremes};
use crate::graph::Graph;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Cells of at most this many nodes are not split.
const LEAF: usize = 16;

pub(super) struct Search<'a> {
    beliefs: &'a EdgeBeliefs,
    graph: &'a Graph,
    best: Best,
    /// `[n]` the nodes, cell after cell; ascending in each that is not split.
    order: Vec<u32>,
    cells: Vec<Cell>,
    /// [cells, 2, width] the largest and the smallest numbers of each cell, all inferences side by side.
    extremes: Vec<f32>,
    width: usize,
    /// Pairs of cells; `p` is their bound, a and b the smallest pair they can hold.
    open: BinaryHeap<Reverse<Open>>,
    spare: Vec<u32>,
}

struct Cell {
    nodes: Range<usize>,
    /// Its smallest nodes, ascending; the second is there if it has two. Noted at once: splitting a cell reorders its
    /// nodes.
    first: [u32; 2],
    /// Made when first needed.
    halves: Option<[usize; 2]>,
}

/// Two cells (or one, twice), in the order of their bound.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Open(ByRank, [usize; 2]);

impl<'a> Search<'a> {
    pub(super) fn new(beliefs: &'a EdgeBeliefs, graph: &'a Graph, count: usize) -> Self {
        let n = graph.nodes();
        let count = count.min(n.saturating_mul(n.saturating_sub(1)) / 2);
        let width = beliefs.inferences.iter().map(|inference| inference.width()).sum();
        let mut search = Self {
            beliefs,
            graph,
            best: Best::new(count),
            order: (0..n as u32).collect(),
            cells: Vec::new(),
            extremes: Vec::new(),
            width,
            open: BinaryHeap::new(),
            spare: Vec::new(),
        };
        if count > 0 {
            let all = search.add_cell(0..n);
            search.add_pair(all, all);
        }
        search
    }

    pub(super) fn run(mut self) -> Vec<BelievedPair> {
        while let Some(Reverse(Open(ByRank(bound), [x, y]))) = self.open.pop() {
            if !self.best.wants(&bound) {
                break;
            }
            let (in_x, in_y) = (self.cells[x].nodes.len(), self.cells[y].nodes.len());
            if in_x.max(in_y) <= LEAF {
                self.visit(x, y);
            } else if x == y {
                let [first, second] = self.halves(x);
                self.add_pair(first, first);
                self.add_pair(first, second);
                self.add_pair(second, second);
            } else {
                let (split, whole) = if in_x >= in_y { (x, y) } else { (y, x) };
                for half in self.halves(split) {
                    self.add_pair(half, whole);
                }
            }
        }
        self.best.into_sorted()
    }

    /// Offers every pair of two leaves.
    fn visit(&mut self, x: usize, y: usize) {
        for i in self.cells[x].nodes.clone() {
            let end = if x == y { i } else { self.cells[y].nodes.end };
            for j in self.cells[y].nodes.start..end {
                let (a, b) = (self.order[i].min(self.order[j]), self.order[i].max(self.order[j]));
                let pair = BelievedPair { a, b, p: self.beliefs.edge_probability(a, b) };
                if self.best.wants(&pair) && !self.graph.has_edge(a, b) {
                    self.best.offer(pair);
                }
            }
        }
    }

    /// Opens a pair of cells if it may hold a pair worth keeping.
    fn add_pair(&mut self, x: usize, y: usize) {
        if x == y && self.cells[x].nodes.len() < 2 {
            return;
        }
        let [a, second] = self.cells[x].first;
        let b = if x == y { second } else { self.cells[y].first[0] };
        let bound = BelievedPair { a: a.min(b), b: a.max(b), p: self.bound(x, y) };
        if self.best.wants(&bound) {
            self.open.push(Reverse(Open(ByRank(bound), [x, y])));
        }
    }

    /// No pair of a node of x and one of y has a higher probability.
    fn bound(&self, x: usize, y: usize) -> f64 {
        let (x, y) = (self.extremes(x), self.extremes(y));
        let (mut sum, mut start) = (0.0, 0);
        // The same operations in the same order as the average itself, each rising in its operands.
        for inference in &self.beliefs.inferences {
            let width = inference.width();
            sum += inference.bound(x.columns(start, width), y.columns(start, width));
            start += width;
        }
        sum / self.beliefs.inferences.len().max(1) as f64
    }

    fn extremes(&self, cell: usize) -> Extremes<'_> {
        let both = &self.extremes[2 * cell * self.width..2 * (cell + 1) * self.width];
        Extremes { high: &both[..self.width], low: &both[self.width..] }
    }

    fn add_cell(&mut self, nodes: Range<usize>) -> usize {
        let at = self.extremes.len();
        self.extremes.resize(at + self.width, f32::MIN);
        self.extremes.resize(at + 2 * self.width, f32::MAX);
        let (high, low) = self.extremes[at..].split_at_mut(self.width);
        let mut start = 0;
        for inference in &self.beliefs.inferences {
            let columns = start..start + inference.width();
            for &a in &self.order[nodes.clone()] {
                for ((high, low), &p) in
                    high[columns.clone()].iter_mut().zip(&mut low[columns.clone()]).zip(inference.row(a))
                {
                    *high = high.max(p);
                    *low = low.min(p);
                }
            }
            start = columns.end;
        }
        let first = [0, 1].map(|i| self.order[nodes.clone()].get(i).copied().unwrap_or(u32::MAX));
        self.cells.push(Cell { nodes, first, halves: None });
        self.cells.len() - 1
    }

    /// The two parts of a cell, the more promising first.
    fn halves(&mut self, cell: usize) -> [usize; 2] {
        if let Some(halves) = self.cells[cell].halves {
            return halves;
        }
        let Range { start, end } = self.cells[cell].nodes;
        let middle = match self.widest(cell) {
            Some((v, column, threshold)) => {
                let inference = &self.beliefs.inferences[v];
                let above = |a: &u32| inference.row(*a)[column] > threshold;
                self.spare.clear();
                self.spare.extend(self.order[start..end].iter().filter(|a| above(a)));
                let middle = start + self.spare.len();
                self.spare.extend(self.order[start..end].iter().filter(|a| !above(a)));
                self.order[start..end].copy_from_slice(&self.spare);
                middle
            }
            None => start.midpoint(end),
        };
        let halves = [self.add_cell(start..middle), self.add_cell(middle..end)];
        self.cells[cell].halves = Some(halves);
        halves
    }

    /// The column (v, j) that loosens a cell's bound most, and its middle; `None` where all nodes are alike.
    fn widest(&self, cell: usize) -> Option<(usize, usize, f32)> {
        let Extremes { high, low } = self.extremes(cell);
        let mut at = 0;
        let mut widest: Option<(f64, (usize, usize, f32))> = None;
        for (v, inference) in self.beliefs.inferences.iter().enumerate() {
            for column in 0..inference.width() {
                let (high, low) = (high[at], low[at]);
                at += 1;
                let loose = inference.looseness(column, low, high);
                if loose > widest.map_or(0.0, |found| found.0) {
                    let middle = low + (high - low) / 2.0;
                    widest = Some((loose, (v, column, if middle < high { middle } else { low })));
                }
            }
        }
        widest.map(|found| found.1)
    }
}
