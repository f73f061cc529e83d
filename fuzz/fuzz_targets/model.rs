//! One piece: the model.safetensors of a run, which predicts the karate club, without features and with few.
//! Two pieces: graph-model.json and graph-model.safetensors, from which graphs are drawn.
#![no_main]

use bgcn_core::data::{Dataset, DenseRows, Features, karate};
use bgcn_core::graph_model::{GraphBuffer, ModelSettings};
use bgcn::graph_models::read_model;
use bgcn_core::posterior::{Changed, Learned};
use bgcn_core::rng::{For, Seed};
use bgcn_fuzz::{Place, briefly, pieces};
use std::sync::LazyLock;

static PLACE: LazyLock<Place> = LazyLock::new(|| Place::new("model"));
static CLUB: LazyLock<Dataset> = LazyLock::new(karate);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| match &pieces(bytes)[..] {
    [model] => predict(model),
    both => draw(both),
});

fn predict(bytes: &[u8]) {
    let Ok(learned) = Learned::from_bytes(bytes) else { return };
    let (graph, columns) = (&CLUB.graph, learned.inputs().unwrap_or(0).min(64));
    let few = DenseRows { columns, values: (0..34 * columns).map(|i| (i % 5) as f32).collect() };
    for features in [Features::Identity(34), Features::Dense(few)] {
        let to = Changed { graph, features: &features, feature_names: &[], seed: Seed::new(1) };
        let _ = (learned.remarks(to), learned.scaling());
        let _ = learned.apply(to, &briefly(20));
    }
}

fn draw(files: &[&[u8]]) {
    let folder = PLACE.fill(&["graph-model.json", "graph-model.safetensors"], files);
    let Ok(saved) = read_model(folder) else { return };
    let Ok(settings) = ModelSettings::of_saved(&saved) else { return };
    let mut graph = GraphBuffer::default();
    if let Ok(model) = settings.resume(&CLUB.graph, &saved.parameters) {
        model.sample(Seed::new(1).at(For::Graph, [0; 3]), &mut graph);
        assert_eq!(graph.graph().nodes(), 34);
    }
}
