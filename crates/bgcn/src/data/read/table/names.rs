//! From node names to node numbers, in the order of first appearance.

use std::borrow::Cow;
use std::collections::HashMap;

/// Names seen so far. Plain numbers that are not too large skip the hash map.
pub(crate) struct Names<'a> {
    names: Vec<Cow<'a, str>>,
    by_name: HashMap<Cow<'a, str>, u32>,
    by_number: Vec<u32>,
    limit: usize,
}

const ABSENT: u32 = u32::MAX;

impl<'a> Names<'a> {
    /// None yet. `bytes` of text will be read: the table of numbers never grows larger than that.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { names: Vec::new(), by_name: HashMap::new(), by_number: Vec::new(), limit: bytes / 4 }
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The name of node `a`.
    pub(crate) fn name(&self, a: u32) -> &str {
        &self.names[a as usize]
    }

    /// The number of a node, new or known.
    #[inline]
    pub(crate) fn node(&mut self, name: Cow<'a, str>) -> u32 {
        // Past 2³² − 2 nodes the numbers stop growing, and `Graph::build` refuses the graph.
        let next = u32::try_from(self.names.len()).unwrap_or(ABSENT);
        if let Some(number) = plain_number(&name).filter(|&number| number < self.limit) {
            if number >= self.by_number.len() {
                self.by_number.resize((number + 1).next_power_of_two().min(self.limit), ABSENT);
            }
            let slot = &mut self.by_number[number];
            if *slot == ABSENT {
                *slot = next;
                self.names.push(name);
            }
            return *slot;
        }
        if let Some(&known) = self.by_name.get(&name) {
            return known;
        }
        self.by_name.insert(name.clone(), next);
        self.names.push(name);
        next
    }

    /// The number of a known node.
    pub(crate) fn get(&self, name: &str) -> Option<u32> {
        match plain_number(name).filter(|&number| number < self.limit) {
            Some(number) => self.by_number.get(number).copied().filter(|&node| node != ABSENT),
            None => self.by_name.get(name).copied(),
        }
    }

    /// All names, in order.
    pub(crate) fn into_strings(self) -> Vec<String> {
        self.names.into_iter().map(Cow::into_owned).collect()
    }
}

/// The number that `name` is the usual way to write: "7", but not "07" or "+7".
#[inline]
fn plain_number(name: &str) -> Option<usize> {
    let bytes = name.as_bytes();
    if bytes.is_empty() || bytes.len() > 9 || (bytes[0] == b'0' && bytes.len() > 1) {
        return None;
    }
    bytes.iter().try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + usize::from(byte - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_number_and_spellings_stay_apart() {
        let mut names = Names::new(40);
        let all = ["7", "x", "07", "9", "10", "999999999", "7 ", ""];
        for (number, name) in all.into_iter().enumerate() {
            assert_eq!(names.get(name), None);
            assert_eq!(names.node(name.into()), number as u32);
        }
        for (number, name) in all.into_iter().enumerate() {
            assert_eq!(names.node(name.to_owned().into()), number as u32);
            assert_eq!(names.get(name), Some(number as u32));
        }
        assert_eq!(names.into_strings(), all);
    }
}
