//! The effect of leaving suspicious edges out: accuracy and calibration error of fits on the graph as observed, on the
//! graph without edges whose P(spurious) is above one half, and averaged over graphs that leave each edge out with its
//! P(spurious); on clean graphs, with random edges planted, and with edges between classes aimed at labelled nodes.
//!
//! ```sh
//! cargo bench -p bgcn --bench cleaned -- cora citeseer --runs 5
//! ```

use bgcn_core::Error;
use bgcn_core::data::{Dataset, Split, SplitKind};
use bgcn_core::graph::Graph;
use bgcn_core::links;
use bgcn_core::metrics::Judged;
use bgcn_core::posterior;
use bgcn_core::posterior::{Predictions, Progress, Task};
use bgcn_core::recipe::Plan;
use bgcn_core::rng::Seed;
use bgcn_core::rng::{For, Random as _};
use bgcn_files::{Places, load};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Graphs with edges left out that are averaged.
const GRAPHS: u32 = 3;
/// Splits and plantings are of this seed; no table has it.
const SEED: u64 = 31;

fn unwatched(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Accuracy and calibration error in percent.
type Scores = [f64; 2];

fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let at = args.iter().position(|arg| arg == "--runs").unwrap_or(args.len());
    let runs: u64 = args.get(at + 1).and_then(|runs| runs.parse().ok()).unwrap_or(1);
    let names: Vec<&str> = if at == 0 { vec!["demo"] } else { args[..at].iter().map(String::as_str).collect() };
    for name in names {
        let data = load(name, &Places::new(None), &Default::default())?;
        for labels in [5, 20] {
            for (kind, share) in [("clean", 0.0), ("planted", 0.1), ("planted", 0.3), ("aimed", 0.1)] {
                let mut sums: BTreeMap<&str, Scores> = BTreeMap::new();
                for run in 0..runs {
                    for (way, scores) in trial(&data, labels, (kind, share), Seed::new(SEED).trial(run))? {
                        let sum = sums.entry(way).or_default();
                        sum.iter_mut().zip(scores).for_each(|(sum, score)| *sum += score / runs as f64);
                    }
                }
                let text: Vec<String> =
                    sums.iter().map(|(way, [accuracy, ece])| format!("{way} {accuracy:.1} ({ece:.1})")).collect();
                println!("{name}, {labels} labels, {kind} {:.0} %: {}", 100.0 * share, text.join(", "));
            }
        }
    }
    Ok(())
}

fn trial(
    data: &Dataset,
    labels: usize,
    planting: (&str, f64),
    seed: Seed,
) -> Result<Vec<(&'static str, Scores)>, Error> {
    let split = data.split(&SplitKind::Random, labels, seed)?;
    let mut data = data.clone();
    plant(&mut data, &split, planting, seed)?;
    let mut ways = Vec::new();
    for (preset, kept, without, drawn) in
        [("default", "kept", "without", "drawn"), ("robust", "robust kept", "robust without", "")]
    {
        let preset = bgcn_core::recipe::Preset::named(preset).expect("a known preset");
        let recipe = Plan::new().preset(preset).set("links.doubted", "kept").resolve(&data)?;
        let task = Task { data: &data, split: &split, seed };
        let (fit, links) = links::fit(&recipe, task, &unwatched)?;
        ways.push((kept, scores(&data, &split, &[fit.predictions])));
        let leave = |keep: &mut dyn FnMut(f64) -> bool| -> Result<Predictions, Error> {
            let edges = links.edges.iter().filter(|edge| keep(edge.p_spurious()));
            let edges: Vec<(u32, u32)> = edges.map(|edge| (edge.a, edge.b)).collect();
            let mut less = data.clone();
            less.graph = Graph::from_edges(data.nodes(), &edges)?;
            Ok(posterior::fit(&recipe, Task { data: &less, ..task }, &unwatched)?.predictions)
        };
        ways.push((without, scores(&data, &split, &[leave(&mut |p| p <= 0.5)?])));
        if !drawn.is_empty() {
            let mut all = Vec::new();
            for i in 0..GRAPHS {
                let mut random = seed.at(For::Attack, [u32::MAX, i, 0]);
                all.push(leave(&mut |p| random.unit() >= p)?);
            }
            ways.push((drawn, scores(&data, &split, &all)));
        }
    }
    Ok(ways)
}

/// Adds random edges, or edges from labelled nodes to nodes of other classes.
fn plant(data: &mut Dataset, split: &Split, (kind, share): (&str, f64), seed: Seed) -> Result<(), Error> {
    let mut edges: Vec<(u32, u32)> = data.graph.edge_list().collect();
    let wanted = edges.len() + (share * edges.len() as f64) as usize;
    let (n, mut random) = (data.nodes() as u64, seed.at(For::Attack, [u32::MAX - 1, 0, 0]));
    while edges.len() < wanted {
        let mut a = random.below(n) as u32;
        let b = random.below(n) as u32;
        if kind == "aimed" {
            a = split.train[random.below(split.train.len() as u64) as usize];
            if data.labels.class(a) == data.labels.class(b) {
                continue;
            }
        }
        if a != b && !data.graph.has_edge(a, b) {
            edges.push((a, b));
        }
    }
    data.graph = Graph::from_edges(data.nodes(), &edges)?;
    Ok(())
}

fn scores(data: &Dataset, split: &Split, predictions: &[Predictions]) -> Scores {
    let all: Vec<_> = predictions.iter().filter_map(Predictions::classes).collect();
    let mut mean = vec![0.0f32; all[0].probabilities.len()];
    for posterior in &all {
        mean.iter_mut().zip(&posterior.probabilities).for_each(|(sum, p)| *sum += p / all.len() as f32);
    }
    let found = Judged::new(&mean, all[0].classes, &data.labels, &split.test).scores().expect("test nodes");
    [100.0 * found.accuracy, 100.0 * found.ece]
}
