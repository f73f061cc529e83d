//! Whether the files name the same nodes: what is missing where becomes a remark or an error.

use super::lines::Table;
use super::names::Names;
use bgcn_core::data::{BadInput, Error};

/// Nodes of a file that should be nodes of the edge list.
pub(super) struct Overlap<'n> {
    /// What they are, such as "labelled nodes".
    pub(super) what: &'static str,
    pub(super) names: Vec<&'n str>,
    /// The nodes of the edge list.
    pub(super) edges: &'n Names,
    pub(super) edges_name: String,
    /// Whether another file names a node, of which it is said there.
    pub(super) elsewhere: &'n dyn Fn(&str) -> bool,
}

impl Overlap<'_> {
    /// An error where less than half of them are nodes of the edge list, else a remark where some are not.
    pub(super) fn check(&self, table: &Table<'_>, allow_isolated: bool) -> Result<Option<String>, Error> {
        let strange = |name: &&str| self.edges.get(name).is_none() && !(self.elsewhere)(name);
        let strangers: Vec<&str> = self.names.iter().copied().filter(strange).collect();
        let (all, strange) = (self.names.len(), strangers.len());
        if strange == 0 {
            return Ok(None);
        }
        let (what, file) = (self.what, &self.edges_name);
        if 2 * strange > all && !allow_isolated {
            let found = format!(
                "{strange} of {all} {what} have no edge; here they are called {}, in {file} {}",
                two(strangers.iter().copied()),
                two(self.edges.iter())
            );
            let bad = BadInput::new(table.path(), "", found).allowed("most occur in the edges, under the same name");
            return Err(bad.next("Write the ids alike in both files, or allow it: `allow_isolated`.").into());
        }
        let such = two(strangers.into_iter());
        Ok(Some(format!("{}: {strange} of {all} {what} have no edge, such as {such}", table.name())))
    }
}

/// The first two names.
fn two<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.take(2).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(" and ")
}
