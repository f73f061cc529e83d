//! The files of a run, in their order: run.toml, predictions.csv, edges.csv, metrics.json, model.safetensors,
//! graph-model.json, graph-model.safetensors. What is read predicts its own graph and draws from it.
#![no_main]

use bgcn_core::data::Features;
use bgcn::KeptRun;
use bgcn_core::posterior::{Changed, Drawing};
use bgcn_core::rng::Seed;
use bgcn_fuzz::{briefly, pieces};
use std::path::Path;

const NAMES: [&str; 7] = [
    "run.toml",
    "predictions.csv",
    "edges.csv",
    "metrics.json",
    "model.safetensors",
    "graph-model.json",
    "graph-model.safetensors",
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let pieces = pieces(bytes);
    let files = NAMES.iter().zip(&pieces).map(|(name, piece)| (name.to_string(), piece.to_vec())).collect();
    let Ok(run) = KeptRun::from_files(files, Path::new("run")) else { return };
    let _ = (run.at_rate(0.1), run.record.data.source());
    let Ok(graph) = run.graph() else { return };
    let features = Features::Identity(graph.nodes());
    let to = Changed { graph: &graph, features: &features, feature_names: &[], seed: Seed::new(1) };
    let _ = run.learned.apply(to, &briefly(20));
    if let Some(saved) = &run.saved
        && let Ok(drawing) = Drawing::new(&run.learned.recipe, &run.learned.shares, saved, &graph)
    {
        drawing.draw(Seed::new(1), 0);
    }
});
