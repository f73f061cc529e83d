//! Any bytes, read as each kind of pickle that a Planetoid dataset has.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bgcn_files::read::planetoid::fuzz(bytes));
