//! Times closures: best and median of as many runs as a second holds, at least five. Words on the command line choose
//! the benches whose names contain one of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Runs of a bench, at least and at most.
const RUNS: std::ops::RangeInclusive<usize> = 5..=1000;
/// How long a bench goes on.
const LONG: Duration = Duration::from_secs(1);

/// Times one call and prints it; with `of` also the time for one of so many.
pub fn time<T>(name: &str, of: Option<usize>, mut call: impl FnMut() -> T) {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if !words.is_empty() && !words.iter().any(|word| name.contains(word)) {
        return;
    }
    black_box(call());
    let (begun, mut seconds) = (Instant::now(), Vec::new());
    while seconds.len() < *RUNS.start() || begun.elapsed() < LONG && seconds.len() < *RUNS.end() {
        let start = Instant::now();
        black_box(call());
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    let (best, median) = (seconds[0], seconds[seconds.len() / 2]);
    let each = of.map_or(String::new(), |of| format!("  {:.2} ns each", 1e9 * best / of.max(1) as f64));
    println!("{name:<50} best {:>10.3} ms  median {:>10.3} ms{each}", 1e3 * best, 1e3 * median);
}
