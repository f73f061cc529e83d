//! The files of a run that are read back, in their order: run.toml, run.safetensors, model.safetensors,
//! graph-model.json, graph-model.safetensors. What is read shows itself, predicts its own graph and draws from it.
#![no_main]

use bgcn::{Run, Seed};
use bgcn_fuzz::{briefly, pieces};
use std::path::Path;

const NAMES: [&str; 5] =
    ["run.toml", "run.safetensors", "model.safetensors", "graph-model.json", "graph-model.safetensors"];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let files = NAMES.iter().zip(pieces(bytes)).map(|(name, piece)| (name.to_string(), piece.to_vec())).collect();
    let Ok(run) = Run::from_files(&files, Path::new("run")) else { return };
    let _ = (run.findings().metrics(), run.record().data.source());
    if let Some(edges) = run.edges() {
        assert_eq!(edges.observed().count(), run.data().graph.edges());
        let _ = (edges.missing().count(), edges.links.at_rate(0.1));
    }
    let _ = run.apply(run.data(), Seed::new(1), &briefly(20));
    if let Ok(drawing) = run.drawing() {
        drawing.draw(Seed::new(1), 0);
    }
});
