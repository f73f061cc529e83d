//! The log of a results folder, in two pieces: settings.jsonl and trials.jsonl. Opened to go on, and joined.
#![no_main]

use bgcn_experiments::{Log, merge};
use bgcn_fuzz::{Place, pieces};
use std::sync::LazyLock;

static PLACE: LazyLock<Place> = LazyLock::new(|| Place::new("log"));
static JOINED: LazyLock<Place> = LazyLock::new(|| Place::new("joined"));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let names = [Log::SETTINGS, Log::FILE];
    JOINED.fill(&names, &[]);
    let folder = PLACE.fill(&names, &pieces(bytes));
    let joined = merge(&[folder.to_owned()], JOINED.path());
    // What can be joined can be gone on with, and so can what comes of it.
    if joined.is_ok() {
        Log::open(folder).expect("it was read before");
        Log::open(JOINED.path()).expect("it was just written");
    } else {
        let _ = Log::open(folder);
    }
});
