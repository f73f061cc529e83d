//! The ChaCha block function (Bernstein, 2008), with a counter of 64 bits and no nonce.

/// "expand 32-byte k".
const CONSTANT: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// The stream of one key: its blocks from number 0 on.
#[derive(Clone, Debug)]
pub(super) struct ChaCha<const ROUNDS: usize> {
    key: [u32; 8],
    /// Number of the block that follows `block`.
    next: u64,
    block: [u32; 16],
    used: usize,
}

impl<const ROUNDS: usize> ChaCha<ROUNDS> {
    /// The stream of `key`, from its start.
    pub(super) fn new(key: [u32; 8]) -> Self {
        Self { key, next: 0, block: [0; 16], used: 16 }
    }

    /// The next two words as one number, the earlier word below.
    #[inline]
    pub(super) fn next_u64(&mut self) -> u64 {
        if self.used == self.block.len() {
            self.block = block::<ROUNDS>(&self.key, [self.next as u32, (self.next >> 32) as u32, 0, 0]);
            self.next = self.next.wrapping_add(1);
            self.used = 0;
        }
        self.used += 2;
        u64::from(self.block[self.used - 2]) | u64::from(self.block[self.used - 1]) << 32
    }
}

/// The block of a key and a tail, the last four words of the state: counter and nonce.
fn block<const ROUNDS: usize>(key: &[u32; 8], tail: [u32; 4]) -> [u32; 16] {
    let mut start = [0; 16];
    start[..4].copy_from_slice(&CONSTANT);
    start[4..12].copy_from_slice(key);
    start[12..].copy_from_slice(&tail);
    let mut x = start;
    // Written out: the indices must be constants for the state to stay in registers.
    for _ in 0..ROUNDS / 2 {
        quarter_round(&mut x, [0, 4, 8, 12]);
        quarter_round(&mut x, [1, 5, 9, 13]);
        quarter_round(&mut x, [2, 6, 10, 14]);
        quarter_round(&mut x, [3, 7, 11, 15]);
        quarter_round(&mut x, [0, 5, 10, 15]);
        quarter_round(&mut x, [1, 6, 11, 12]);
        quarter_round(&mut x, [2, 7, 8, 13]);
        quarter_round(&mut x, [3, 4, 9, 14]);
    }
    std::array::from_fn(|i| x[i].wrapping_add(start[i]))
}

#[inline(always)]
fn quarter_round(x: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    let mut step = |a: usize, b: usize, d: usize, left: u32| {
        x[a] = x[a].wrapping_add(x[b]);
        x[d] = (x[d] ^ x[a]).rotate_left(left);
    };
    step(a, b, d, 16);
    step(c, d, b, 12);
    step(a, b, d, 8);
    step(c, d, b, 7);
}

#[cfg(test)]
mod tests {
    use super::*;

    // RFC 8439, section 2.3.2: 20 rounds, key 00 01 … 1f, block 1, nonce 00 00 00 09 00 00 00 4a 00 00 00 00.
    #[test]
    fn twenty_rounds_give_the_block_of_the_standard() {
        let key = std::array::from_fn(|i| u32::from_le_bytes([0, 1, 2, 3].map(|byte| 4 * i as u8 + byte)));
        let expected = [
            [0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3],
            [0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3],
            [0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9],
            [0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2],
        ];
        assert_eq!(block::<20>(&key, [1, 0x0900_0000, 0x4a00_0000, 0]), *expected.as_flattened());
    }
}
