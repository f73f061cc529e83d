//! Golden fits: every graph model with every network, to the last bit.
//!
//! Kernels run at their portable level, so that the numbers hold on any processor. The level is chosen once in a
//! process, so the fits run in a process of their own: this test starts itself again.

use bgcn_core::data::generate::Generator;
use bgcn_core::data::{Dataset, Labels, Split, SplitKind};
use bgcn_core::graph_model::registry;
use bgcn_core::network::Kind;
use bgcn_core::posterior::{Fit, Predictions};
use bgcn_core::recipe::{Plan, Preset, RESULTS_EPOCH, ScheduleKind};
use bgcn_core::rng::Seed;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Command;

/// Set in the process that fits: print, or write the file.
const INSIDE: &str = "BGCN_GOLDEN_FITS";

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/fits.json")
}

fn small() -> (Dataset, Split) {
    let data = Generator { nodes: 90, classes: 3, words: 40, ..Generator::default() }.generate(Seed::new(11)).unwrap();
    let split = data.split(&SplitKind::Random, 6, Seed::new(2)).unwrap();
    (data, split)
}

/// The same with numbers to predict.
fn numbers() -> (Dataset, Split) {
    let (data, split) = small();
    let number = |a: u32| Some(data.labels.class(a)? as f32 + 0.01 * (a % 7) as f32);
    let values = (0..data.nodes() as u32).map(number).collect();
    (Dataset { labels: Labels::Values(values), ..data }, split)
}

fn hash(fit: &Fit) -> String {
    let mut hash = Sha256::new();
    match &fit.predictions {
        Predictions::Classes(posterior) => {
            for column in [&posterior.probabilities, &posterior.expected_entropy, &posterior.variance] {
                column.iter().for_each(|number| hash.update(number.to_le_bytes()));
            }
        }
        Predictions::Values(values) => {
            let numbers = values.mean.iter().chain(&values.between).chain([&values.noise]);
            numbers.for_each(|number| hash.update(number.to_le_bytes()));
        }
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn fits() -> BTreeMap<String, String> {
    let (classes, values) = (small(), numbers());
    let mut found = BTreeMap::new();
    let mut add = |name: String, plan: Plan, (data, split): &(Dataset, Split)| {
        let fit = plan.seed(5).fit_split(data, split, &|_| ControlFlow::Continue(())).unwrap();
        found.insert(name, hash(&fit));
    };
    let models: Vec<&str> = registry::ALL[1..].iter().map(|entry| entry.name).chain(["auto"]).collect();
    for kind in Kind::ALL {
        add(kind.name().into(), Plan::new().network(kind).graph_model("observed").set("network.epochs", 40), &classes);
        for model in &models {
            let plan = Plan::new().network(kind).graph_model(model).set("schedule.pretraining", 30);
            let name = format!("{}+{model}", kind.name());
            add(name.clone(), plan.clone().set("schedule.draws", 25), &classes);
            let plan = plan.schedule(ScheduleKind::Algorithm1).set("schedule.draws", 2).set("schedule.graph_epochs", 5);
            add(format!("{name}, algorithm1"), plan, &classes);
        }
    }
    for preset in [Preset::Published, Preset::PublishedLinear, Preset::Algorithm1] {
        let plan = Plan::new().preset(preset).set("schedule.pretraining", 30).set("schedule.draws", 25);
        let plan = plan.set("mmsbm.scale_iterations", 20).set("mmsbm.iterations", 10).set("mmsbm.minibatch", 40);
        let plan = if preset == Preset::Algorithm1 { plan } else { plan.set("schedule.averaged", 10) };
        add(plan.method().unwrap(), plan, &classes);
    }
    let algorithm1 = || Plan::new().preset(Preset::Algorithm1).set("schedule.draws", 2).set("schedule.pretraining", 30);
    for (name, key, value) in [
        ("λ by Langevin dynamics", "mmsbm.inference", "langevin"),
        ("λ by variational inference", "mmsbm.inference", "variational"),
        ("W by Langevin dynamics", "schedule.weight_sampling", "sgld"),
    ] {
        add(name.into(), algorithm1().set("mmsbm.iterations", 30).set(key, value), &classes);
    }
    for model in ["mmsbm", "copying"] {
        let plan = Plan::new().graph_model(model).set("schedule.draws", 25).set("network.epochs", 20);
        add(format!("gcn+{model}, numbers"), plan, &values);
    }
    found
}

#[test]
fn golden_fits_are_the_same_to_the_last_bit() {
    if std::env::var_os(INSIDE).is_some() {
        println!("fits {}", json!(fits()));
        return;
    }
    let name = "golden::golden_fits_are_the_same_to_the_last_bit";
    let run = Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture"])
        .envs([(INSIDE, "1"), ("BGCN_CPU", "portable")])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout);
    let line = text.lines().find_map(|line| line.split_once("fits {")).map(|(_, rest)| format!("{{{rest}"));
    let found: Value = serde_json::from_str(&line.expect("the fits ended")).unwrap();
    let golden: Value = std::fs::read(file()).map_or(Value::Null, |bytes| serde_json::from_slice(&bytes).unwrap());
    if golden["fits"] == found && golden["epoch"] == RESULTS_EPOCH {
        return;
    }
    // Another epoch may be written down, the same one may not change.
    if golden["epoch"] != RESULTS_EPOCH && std::env::var_os("BGCN_WRITE_GOLDEN").is_some() {
        let text = serde_json::to_string_pretty(&json!({ "epoch": RESULTS_EPOCH, "fits": found })).unwrap();
        std::fs::write(file(), text + "\n").unwrap();
        return;
    }
    let same = |name: &&String| golden["fits"][name.as_str()] == found[name.as_str()];
    let changed: Vec<&String> = found.as_object().unwrap().keys().filter(|name| !same(name)).collect();
    panic!(
        "{} of the golden fits changed (epoch {} in the file, {RESULTS_EPOCH} in the program): {changed:?}. If results \
         were meant to change, raise RESULTS_EPOCH in crates/bgcn-core/src/recipe/identity.rs, note it in the \
         changelog, and write the fits with BGCN_WRITE_GOLDEN=1 cargo test -p bgcn-core golden_fits",
        changed.len(),
        golden["epoch"]
    );
}
