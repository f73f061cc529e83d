//! Any bytes, read as an npz file. Whatever is read must be a dataset whose parts fit each other.
#![no_main]

use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(data) = bgcn::data::read::npz::from_bytes(Path::new("fuzz.npz"), bytes, &Default::default()) {
        assert_eq!(data.features.nodes(), data.nodes());
        assert_eq!(data.ids.len(), data.nodes());
        assert!(data.labels.known() <= data.nodes());
        assert_eq!(data.labels.class_counts().iter().sum::<usize>(), data.labels.known());
    }
});
