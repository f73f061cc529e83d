//! How long the link model takes, and how much memory: generated graphs with five edges a node, class probabilities
//! given. Without sizes, small graphs:
//!
//! ```sh
//! cargo bench -p bgcn --bench links_growth -- 10000 100000 1000000
//! ```

use bgcn_core::Error;
use bgcn_core::data::Split;
use bgcn_core::data::generate::Generator;
use bgcn_core::links;
use bgcn_core::posterior::Task;
use bgcn_core::posterior::{Posterior, Predictions};
use bgcn_core::rng::Seed;
use std::time::Instant;

/// Probability of the true class in the given predictions.
const CONFIDENCE: f32 = 0.8;

fn main() -> Result<(), Error> {
    let asked: Vec<usize> =
        std::env::args().skip(1).filter(|arg| arg != "--bench").filter_map(|arg| arg.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![500, 1000] } else { asked };
    println!("| nodes | edges | seconds | peak memory (data included) | ρ | spurious |");
    println!("|---|---|---|---|---|---|");
    for nodes in sizes {
        let generator = Generator { nodes, mean_degree: 10.0, feature_strength: 0.6, ..Generator::default() };
        let data = generator.generate(Seed::new(1))?;
        let c = data.labels.classes();
        let mut probabilities = vec![(1.0 - CONFIDENCE) / (c - 1) as f32; nodes * c];
        for a in 0..nodes as u32 {
            if let Some(class) = data.labels.class(a) {
                probabilities[a as usize * c + class as usize] = CONFIDENCE;
            }
        }
        let none = vec![0.0; nodes];
        let predictions = Predictions::Classes(Posterior {
            classes: c,
            draws: 1,
            probabilities,
            entropy: none.clone(),
            expected_entropy: none.clone(),
            mutual_information: none.clone(),
            disagreement: none.clone(),
            variance: none,
        });
        let split = Split::default();
        let task = Task { data: &data, split: &split, seed: Seed::new(1) };
        let begin = Instant::now();
        let found = links::judge_given(task, &predictions, Default::default())?;
        let seconds = begin.elapsed().as_secs_f64();
        let spurious = data.truth.as_ref().map_or(0, |truth| truth.spurious.len()) as f64;
        println!(
            "| {nodes} | {} | {seconds:.1} | {} | {:.3} | {:.3} |",
            found.edges.len(),
            peak(),
            found.rho,
            spurious / found.edges.len() as f64
        );
    }
    Ok(())
}

/// The most memory this process has held, where the system has it.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.map_or("unknown".into(), |kilobytes| format!("{:.2} GB", kilobytes / 1e6))
}
