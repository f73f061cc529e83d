//! From node names to node numbers, in the order of first appearance.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};

/// Names seen so far: a table of places by hash, open addressing.
pub(crate) struct Names<'a> {
    names: Vec<Cow<'a, str>>,
    /// Upper halves of the hashes, so that few names are compared and none is hashed again.
    hashes: Vec<u32>,
    /// A place in `names`, or ABSENT; a power of two of them, at most half of them taken.
    slots: Vec<u32>,
    key: u64,
}

const ABSENT: u32 = u32::MAX;

impl<'a> Names<'a> {
    /// None yet.
    pub(crate) fn new() -> Self {
        // A key of its own for each table: files made to collide do not.
        let key = RandomState::new().hash_one(0u8) | 1;
        Self { names: Vec::new(), hashes: Vec::new(), slots: vec![ABSENT; 64], key }
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The name of node `a`.
    pub(crate) fn name(&self, a: u32) -> &str {
        &self.names[a as usize]
    }

    /// The number of a node, new or known. Past 2³² − 2 nodes the numbers stop growing, and `Graph::build` refuses the
    /// graph.
    #[inline]
    pub(crate) fn node(&mut self, name: Cow<'a, str>) -> u32 {
        let hash = self.hash(&name);
        let slot = match self.find(&name, hash) {
            Ok(known) => return known,
            Err(slot) => slot,
        };
        let next = u32::try_from(self.names.len()).unwrap_or(ABSENT - 1);
        self.slots[slot] = next;
        self.names.push(name);
        self.hashes.push((hash >> 32) as u32);
        if 2 * self.names.len() > self.slots.len() {
            self.grow();
        }
        next
    }

    /// The number of a known node.
    pub(crate) fn get(&self, name: &str) -> Option<u32> {
        self.find(name, self.hash(name)).ok()
    }

    /// The place in `names`, or the free slot for a new one.
    #[inline]
    fn find(&self, name: &str, hash: u64) -> Result<u32, usize> {
        let (mask, upper) = (self.slots.len() - 1, (hash >> 32) as u32);
        let mut slot = upper as usize & mask;
        loop {
            let place = self.slots[slot];
            if place == ABSENT {
                return Err(slot);
            }
            if self.hashes[place as usize] == upper && self.names[place as usize] == name {
                return Ok(place);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = 2 * self.slots.len();
        let mut slots = vec![ABSENT; size];
        for (place, &upper) in (0..).zip(&self.hashes) {
            let mut slot = upper as usize & (size - 1);
            while slots[slot] != ABSENT {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = place;
        }
        self.slots = slots;
    }

    /// Eight bytes at a time, each folded in by a multiplication of twice the width.
    #[inline]
    fn hash(&self, name: &str) -> u64 {
        let fold = |state: u64, word: u64| {
            let product = u128::from(state ^ word) * u128::from(self.key ^ 0x9e37_79b9_7f4a_7c15);
            product as u64 ^ (product >> 64) as u64
        };
        let (words, rest) = name.as_bytes().as_chunks::<8>();
        let state =
            words.iter().fold(self.key ^ name.len() as u64, |state, word| fold(state, u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        fold(fold(state, u64::from_le_bytes(last)), self.key)
    }

    /// All names, in order.
    pub(crate) fn into_names(self) -> Vec<Cow<'a, str>> {
        self.names
    }

    /// All names as text of their own, in order.
    pub(crate) fn into_strings(self) -> Vec<String> {
        drop((self.slots, self.hashes));
        self.names.into_iter().map(Cow::into_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_number_and_spellings_stay_apart() {
        let mut names = Names::new();
        let mut all: Vec<String> = ["7", "x", "07", "9", "10", "999999999", "7 ", "", "\0"].map(String::from).to_vec();
        all.extend((0..500).map(|i| format!("company {i}")));
        for (number, name) in all.iter().enumerate() {
            assert_eq!(names.get(name), None);
            assert_eq!(names.node(name.as_str().into()), number as u32);
        }
        for (number, name) in all.iter().enumerate() {
            assert_eq!(names.node(name.to_owned().into()), number as u32);
            assert_eq!(names.get(name), Some(number as u32));
        }
        assert_eq!(names.into_strings(), all);
    }
}
