//! Any bytes, read as an npz file.
#![no_main]

use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(data) = bgcn_files::read::npz::from_bytes(Path::new("fuzz.npz"), bytes, &Default::default()) {
        bgcn_fuzz::whole(&data);
    }
});
