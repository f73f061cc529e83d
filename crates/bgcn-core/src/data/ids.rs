//! Nodes as the user wrote them.

use super::Error;
use std::borrow::Cow;
use std::collections::HashMap;

/// The name of each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeIds {
    /// 0, 1, 2, …
    Numbered(usize),
    /// In the order of the node numbers, all different.
    Named(Vec<String>),
}

impl NodeIds {
    /// The given names; plain numbers where they are exactly 0, 1, 2, …
    pub fn from_names(names: Vec<String>) -> Self {
        let mut buffer = String::new();
        let counts_up = names.iter().enumerate().all(|(i, name)| {
            use std::fmt::Write as _;
            buffer.clear();
            write!(buffer, "{i}").is_ok() && *name == buffer
        });
        if counts_up { Self::Numbered(names.len()) } else { Self::Named(names) }
    }

    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbered(n) => *n,
            Self::Named(names) => names.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of node `a`.
    pub fn name(&self, a: u32) -> Cow<'_, str> {
        match self {
            Self::Numbered(_) => Cow::Owned(a.to_string()),
            Self::Named(names) => Cow::Borrowed(&names[a as usize]),
        }
    }

    /// Whether each of `nodes` has its own name.
    pub(super) fn check(&self, nodes: usize) -> Result<(), Error> {
        if self.len() != nodes {
            let (found, allowed) = (format!("{} of them", self.len()), format!("{nodes} nodes need one each"));
            return Err(Error::bad("ids", found, allowed, "Give one id per node, or none at all"));
        }
        let Self::Named(names) = self else { return Ok(()) };
        let Some((first, second)) = first_repeat(names) else { return Ok(()) };
        let found = format!("{:?} is the id of node {first} already", names[second]);
        Err(Error::bad(format!("ids, node {second}"), found, "every node has its own", "Rename one of the two"))
    }

    /// From names back to node numbers.
    pub fn index(&self) -> HashMap<Cow<'_, str>, u32> {
        (0..self.len() as u32).map(|a| (self.name(a), a)).collect()
    }
}

/// The places of the first name that is there a second time.
pub fn first_repeat(names: &[String]) -> Option<(usize, usize)> {
    let mut places = HashMap::with_capacity(names.len());
    names.iter().enumerate().find_map(|(i, name)| places.insert(name, i).map(|before| (before, i)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_count_up_are_numbers() {
        let strings = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
        assert_eq!(NodeIds::from_names(strings(&["0", "1", "2"])), NodeIds::Numbered(3));
        for other in [&["1", "0"][..], &["0", "01"], &["a"]] {
            let ids = NodeIds::from_names(strings(other));
            assert_eq!(ids, NodeIds::Named(strings(other)));
            assert_eq!(ids.index()[ids.name(0).as_ref()], 0);
        }
    }
}
