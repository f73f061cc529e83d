//! Which nodes occur where, to find those that are missing somewhere.

use super::edges::{self, Edges};
use super::lines::Table;
use super::names::Names;
use crate::read::ReadOptions;
use bgcn_core::data::Error;

/// Which nodes occur where, to find those that are missing somewhere.
pub(super) struct Coverage<'c, 'a> {
    pub(super) names: &'c Names,
    pub(super) edges: &'c Edges<'a>,
    pub(super) edges_table: &'c Table<'a>,
    pub(super) options: &'c ReadOptions,
}

impl Coverage<'_, '_> {
    /// `rows`: node and line of each row of features; the first so many nodes are in the labels.
    pub(super) fn check(
        &self,
        table: &Table<'_>,
        rows: &[(u32, usize)],
        labels: Option<(&Table<'_>, usize)>,
    ) -> Result<(), Error> {
        let nodes: Vec<u32> = rows.iter().map(|&(node, _)| node).collect();
        self.refuse_without_row(table, &nodes, labels)?;
        // Below a weight threshold an edge is not in the list, but its nodes do occur.
        if self.options.allow_isolated {
            return Ok(());
        }
        let labelled = labels.map_or(0, |(_, labelled)| labelled);
        let elsewhere = |a: u32| (a as usize) < labelled || self.edges.names.get(self.names.name(a)).is_some();
        let strangers: Vec<&(u32, usize)> = rows.iter().filter(|&&(node, _)| !elsewhere(node)).collect();
        let Some(&&(node, line)) = strangers.first() else { return Ok(()) };
        let more = if strangers.len() > 1 { format!(" ({} more)", strangers.len() - 1) } else { String::new() };
        let found = format!("node {:?} occurs neither in the edges nor in the labels{more}", self.names.name(node));
        let bad = table.bad(line, found).allowed("nodes with features occur there too");
        Err(bad.next("Correct the node, or allow isolated nodes (`allow_isolated`).").into())
    }

    /// Every node has a row.
    pub(super) fn refuse_without_row(
        &self,
        table: &Table<'_>,
        nodes: &[u32],
        labels: Option<(&Table<'_>, usize)>,
    ) -> Result<(), Error> {
        let mut has_row = vec![false; self.names.len()];
        nodes.iter().for_each(|&node| has_row[node as usize] = true);
        let Some(a) = has_row.iter().position(|&has| !has) else { return Ok(()) };
        let more = has_row.iter().filter(|&&has| !has).count() - 1;
        let more = if more > 0 { format!(" (nor have {more} more)") } else { String::new() };
        let name = self.names.name(a as u32);
        let found = format!("node {name:?} has no row in {}{more}", table.path().display());
        let next = "Add the row (id,, in triplets if all are zero), or correct the node.";
        let bad = match labels.filter(|&(_, labelled)| a < labelled) {
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
