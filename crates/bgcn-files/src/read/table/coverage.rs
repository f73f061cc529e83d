//! Which nodes occur where, to find those that are missing somewhere.

use super::edges::{self, Edges};
use super::lines::Table;
use super::names::Names;
use super::overlap::Overlap;
use crate::read::ReadOptions;
use bgcn_core::data::Error;

/// Which nodes occur where, to find those that are missing somewhere.
pub(super) struct Coverage<'c, 'a> {
    pub(super) names: &'c Names,
    pub(super) edges: &'c Edges<'a>,
    pub(super) edges_table: &'c Table<'a>,
    pub(super) options: &'c ReadOptions,
    /// The first so many nodes are in the labels or the table of nodes.
    pub(super) named: usize,
}

impl Coverage<'_, '_> {
    /// `rows`: the node of each row of features; the first so many nodes are in the labels. A remark where some nodes
    /// have no edge, an error where most have none, or where a node has no row.
    pub(super) fn check(
        &self,
        table: &Table<'_>,
        rows: &[u32],
        labels: Option<(&Table<'_>, usize)>,
    ) -> Result<Option<String>, Error> {
        self.refuse_without_row(table, rows, labels)?;
        self.isolated(table, rows)
    }

    /// The same for pairs, where a node without a row has zeros only.
    pub(super) fn check_pairs(
        &self,
        table: &Table<'_>,
        rows: &[u32],
        labels: Option<(&Table<'_>, usize)>,
    ) -> Result<Vec<String>, Error> {
        let said = self.isolated(table, rows)?;
        let (all, without) = (self.names.len(), without_row(self.names, rows));
        if 2 * without.len() > all {
            return self.refuse_without_row(table, rows, labels).map(|()| Vec::new());
        }
        let zeros = without.first().map(|&a| {
            let (name, example) = (table.name(), self.names.name(a));
            format!("{name}: {} of {all} nodes have no row and so zeros only, such as {example:?}", without.len())
        });
        Ok(said.into_iter().chain(zeros).collect())
    }

    fn isolated(&self, table: &Table<'_>, rows: &[u32]) -> Result<Option<String>, Error> {
        // Below a weight threshold an edge is not in the list, but its nodes do occur.
        let overlap = Overlap {
            what: "rows",
            names: rows.iter().map(|&a| self.names.name(a)).collect(),
            edges: &self.edges.names,
            edges_name: super::shown(self.edges_table.path()),
            elsewhere: &|name| self.names.get(name).is_some_and(|a| (a as usize) < self.named),
        };
        overlap.check(table, self.options.allow_isolated)
    }

    /// Every node has a row.
    pub(super) fn refuse_without_row(
        &self,
        table: &Table<'_>,
        nodes: &[u32],
        labels: Option<(&Table<'_>, usize)>,
    ) -> Result<(), Error> {
        let without = without_row(self.names, nodes);
        let Some(&a) = without.first() else { return Ok(()) };
        let more = if without.len() > 1 { format!(" (nor have {} more)", without.len() - 1) } else { String::new() };
        let name = self.names.name(a);
        let found = format!("node {name:?} has no row in {}{more}", table.path().display());
        let next = "Add the row (id,, in triplets if all are zero), or correct the node.";
        let bad = match labels.filter(|&(_, labelled)| (a as usize) < labelled) {
            Some((labels, _)) => {
                let mut fields = Vec::new();
                let mut has = |row| labels.split(row, &mut fields).is_ok() && fields.iter().any(|field| field == name);
                labels.bad(labels.rows().find(|&row| has(row)).map_or(0, |row| row.line), found)
            }
            None => self.edges_table.bad(edges::line_of(self.edges_table, self.edges, name), found),
        };
        Err(bad.allowed("every node needs features").next(next).into())
    }
}

/// The nodes that have no row.
fn without_row(names: &Names, rows: &[u32]) -> Vec<u32> {
    let mut has_row = vec![false; names.len()];
    rows.iter().for_each(|&node| has_row[node as usize] = true);
    (0..).zip(has_row).filter_map(|(a, has)| (!has).then_some(a)).collect()
}
