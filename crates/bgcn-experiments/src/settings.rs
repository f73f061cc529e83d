//! What a trial depends on beside its key and the seed, as a short hash.

use sha2::{Digest as _, Sha256};

/// A fingerprint of these texts and of our version; each text counts with its length, so that none runs into the next.
pub(crate) fn fingerprint(of: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in of.iter().chain([&env!("CARGO_PKG_VERSION")]) {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_do_not_run_into_each_other() {
        assert_ne!(fingerprint(&["ab", "c"]), fingerprint(&["a", "bc"]));
        assert_eq!(fingerprint(&["ab"]), fingerprint(&["ab"]));
    }
}
