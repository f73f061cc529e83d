//! From node names to node numbers, in the order of first appearance.

use bgcn_core::memory::{self, TooMuch};
use std::hash::{BuildHasher, RandomState};

/// Names seen so far: a table of places by hash, open addressing, the letters of all names in one text.
pub(crate) struct Names {
    letters: String,
    /// Where each name ends in `letters`, after a 0.
    ends: Vec<usize>,
    /// Half of a hash and a place in `ends`, or [`FREE`]; a power of two of them, at most half of them taken.
    slots: Vec<u64>,
    key: u64,
}

const FREE: u64 = u64::MAX;

/// Bytes of a text of its own, beside its letters.
const TEXT: usize = 40;

/// Names that are looked up together, so that the processor waits for memory once for many.
const BATCH: usize = 64;

impl Names {
    /// None yet.
    pub(crate) fn new() -> Self {
        // Each table has another key, so that files made to collide do not.
        let key = RandomState::new().hash_one(0u8) | 1;
        Self { letters: String::new(), ends: vec![0], slots: vec![FREE; 64], key }
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// What all of it takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.letters.len() + size_of_val(&self.ends[..]) + size_of_val(&self.slots[..])) as u64
    }

    /// The name of node `a`.
    #[inline]
    pub(crate) fn name(&self, a: u32) -> &str {
        &self.letters[self.ends[a as usize]..self.ends[a as usize + 1]]
    }

    /// All names, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        (0..self.len() as u32).map(|a| self.name(a))
    }

    /// The number of a node, new or known. Past 2³² − 2 nodes the numbers stop growing, and `Graph::build` refuses the
    /// graph.
    #[inline]
    pub(crate) fn node(&mut self, name: &str) -> u32 {
        self.insert(name, self.hash(name))
    }

    /// The numbers of many nodes, new or known, as [`Names::node`] gives them one after another.
    pub(crate) fn nodes<S: AsRef<str>>(&mut self, names: &[S], mut put: impl FnMut(usize, u32)) {
        let (mut hashes, mut slots) = ([0; BATCH], [FREE; BATCH]);
        for (batch, names) in names.chunks(BATCH).enumerate() {
            let mask = self.slots.len() - 1;
            for (i, name) in names.iter().enumerate() {
                hashes[i] = self.hash(name.as_ref());
                slots[i] = self.slots[(hashes[i] >> 32) as usize & mask];
            }
            for (i, name) in names.iter().enumerate() {
                let (slot, name) = (slots[i], name.as_ref());
                let known = slot != FREE && slot >> 32 == hashes[i] >> 32 && self.name(slot as u32) == name;
                put(batch * BATCH + i, if known { slot as u32 } else { self.insert(name, hashes[i]) });
            }
        }
    }

    /// The number of a known node.
    pub(crate) fn get(&self, name: &str) -> Option<u32> {
        self.find(name, self.hash(name)).ok()
    }

    fn insert(&mut self, name: &str, hash: u64) -> u32 {
        let slot = match self.find(name, hash) {
            Ok(known) => return known,
            Err(slot) => slot,
        };
        let next = u32::try_from(self.len()).unwrap_or(u32::MAX - 1).min(u32::MAX - 1);
        self.slots[slot] = hash >> 32 << 32 | u64::from(next);
        self.letters.push_str(name);
        self.ends.push(self.letters.len());
        if 2 * self.len() > self.slots.len() {
            self.grow();
        }
        next
    }

    /// The place of a name, or the free slot for a new one.
    #[inline]
    fn find(&self, name: &str, hash: u64) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut at = (hash >> 32) as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == FREE {
                return Err(at);
            }
            if slot >> 32 == hash >> 32 && self.name(slot as u32) == name {
                return Ok(slot as u32);
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        let mut slots = vec![FREE; mask + 1];
        for &slot in self.slots.iter().filter(|&&slot| slot != FREE) {
            let mut at = (slot >> 32) as usize & mask;
            while slots[at] != FREE {
                at = (at + 1) & mask;
            }
            slots[at] = slot;
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
        let start = self.key ^ name.len() as u64;
        let state = words.iter().fold(start, |state, word| fold(state, u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        fold(fold(state, u64::from_le_bytes(last)), self.key)
    }

    /// All names as owned text, in order, where there is memory for it.
    pub(crate) fn into_strings(self) -> Result<Vec<String>, TooMuch> {
        let Self { letters, ends, slots, .. } = self;
        drop(slots);
        memory::allow((letters.len() + ends.len() * TEXT) as u64)?;
        Ok(ends.windows(2).map(|ends| letters[ends[0]..ends[1]].to_owned()).collect())
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
            assert_eq!(names.node(name), number as u32);
        }
        for (number, name) in all.iter().enumerate() {
            assert_eq!(names.node(name), number as u32);
            assert_eq!(names.get(name), Some(number as u32));
        }
        let mut together = Names::new();
        let twice: Vec<&String> = all.iter().chain(&all).collect();
        together.nodes(&twice, |i, node| assert_eq!(node as usize, i % all.len()));
        assert_eq!(together.iter().collect::<Vec<_>>(), all);
        assert_eq!(names.into_strings().unwrap(), all);
    }
}
