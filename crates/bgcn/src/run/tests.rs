//! A run comes back from its bytes to the last bit, and shows the same.

use super::*;
use crate::record::{FILE, Source};
use crate::{Request, SplitChoice, unwatched};
use bgcn_core::data::{Labels, demo, karate};
use bgcn_core::recipe::Plan;
use std::collections::BTreeMap;
use std::path::Path;

fn run(data: Dataset, plan: Plan, split: SplitChoice) -> Run {
    let plan = plan.set("schedule.draws", 4).set("schedule.averaged", 2);
    let request = Request::of_data(Arc::new(data), Source::default()).plan(plan).seed(3).split(split);
    request.labels_per_class(None).baseline(true).run(&unwatched).unwrap()
}

fn again(run: &Run) -> Run {
    Run::from_files(&run.to_files(), Path::new("run")).unwrap()
}

fn shown(run: &Run) -> String {
    let rows = |edges: Edges<'_>| edges.observed().chain(edges.missing()).collect::<Vec<_>>();
    format!("{:?} {} {:?}", run.findings(), run.findings().metrics(), run.edges().map(rows))
}

#[test]
fn a_run_of_classes_comes_back_to_the_last_bit_and_draws_the_same_graphs() {
    let run = run(demo(), Plan::new(), SplitChoice::Random);
    assert!(run.edges().is_none() && run.unjudged_data().is_some());
    let unjudged = again(&run);
    assert_eq!(shown(&unjudged), shown(&run));
    assert!(unjudged.unjudged_data().is_none() && unjudged.judge(&unwatched).unwrap_err().is_input());
    run.judge(&unwatched).unwrap();
    let loaded = again(&run);
    assert_eq!((loaded.predictions(), loaded.learned()), (run.predictions(), run.learned()));
    assert_eq!((loaded.split(), &loaded.data().labels), (run.split(), &run.data().labels));
    assert_eq!((&loaded.data().ids, &loaded.data().graph), (&run.data().ids, &run.data().graph));
    assert_eq!(loaded.edge_probabilities(), run.edge_probabilities());
    assert_eq!(loaded.judge(&unwatched).unwrap().links, run.edges().unwrap().links);
    assert_eq!(shown(&loaded), shown(&run));
    assert_eq!(loaded.to_files(), run.to_files());
    let draw = |run: &Run| run.drawing().unwrap().draw(Seed::new(1), 0);
    assert_eq!(draw(&loaded), draw(&run));
}

#[test]
fn a_run_of_numbers_on_the_observed_graph_comes_back() {
    let mut data = karate();
    data.labels = Labels::Values((0..34).map(|a| (a % 3 > 0).then_some(a as f32 / 8.0)).collect());
    let plan = Plan::new().graph_model("observed");
    let request = Request::of_data(Arc::new(data), Source::default()).plan(plan).split(SplitChoice::All);
    let run = request.judge_edges(true).run(&unwatched).unwrap();
    let loaded = again(&run);
    assert_eq!((loaded.predictions(), &loaded.data().labels), (run.predictions(), &run.data().labels));
    assert_eq!(shown(&loaded), shown(&run));
    assert!(loaded.drawing().is_err() && loaded.edge_probabilities().is_none());
}

#[test]
fn what_is_missing_changed_or_of_another_version_is_named() {
    let run = run(karate(), Plan::new(), SplitChoice::Auto);
    let files = run.to_files();
    let error = |name: &str, bytes: Option<Vec<u8>>| {
        let mut files: BTreeMap<String, Vec<u8>> = files.clone();
        match bytes {
            Some(bytes) => drop(files.insert(name.into(), bytes)),
            None => drop(files.remove(name)),
        }
        Run::from_files(&files, Path::new("run")).unwrap_err().to_string()
    };
    assert!(error("model.safetensors", None).contains("model.safetensors: there is no such file"));
    assert!(error(FILE, Some(b"x = 1\n".to_vec())).contains("no [run] in it"));
    assert!(error("run.safetensors", Some(b"nothing of the kind".to_vec())).contains("run.safetensors"));

    let place = tempfile::tempdir().unwrap();
    let text = run.record().text();
    let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    let old = text.replace(&version, "version = \"0.1.0\"") + "\n[settings.erase]\nself_loops = 1\n";
    assert_ne!(old, text);
    std::fs::write(place.path().join(FILE), &old).unwrap();
    let error = Run::load(place.path()).unwrap_err().to_string();
    assert!(["version 0.1.0", "--config", "erase.self_loops"].iter().all(|part| error.contains(part)), "{error}");
}

#[test]
fn arrays_that_lack_edges_are_noticed() {
    let run = run(karate(), Plan::new(), SplitChoice::Auto);
    run.judge(&unwatched).unwrap();
    let mut files = run.to_files();
    let bytes = files["run.safetensors"].clone();
    let (_, header) = safetensors::SafeTensors::read_metadata(&bytes).unwrap();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let views = file.tensors().into_iter().map(|(name, view)| {
        let cut = matches!(&name[..], "pairs" | "log_odds" | "terms" | "words" | "blind" | "edge_probabilities");
        let (mut shape, bytes) = (view.shape().to_vec(), view.data().len() / view.shape()[0].max(1));
        shape[0] -= usize::from(cut);
        let data = view.data()[..shape[0] * bytes].to_vec();
        (name, view.dtype(), shape, data)
    });
    let owned: Vec<_> = views.collect();
    let tensors = owned.iter().map(|(name, dtype, shape, data)| {
        (name, safetensors::tensor::TensorView::new(*dtype, shape.clone(), data).unwrap())
    });
    let written = safetensors::serialize(tensors, header.metadata().clone()).unwrap();
    files.insert("run.safetensors".into(), written);
    let error = Run::from_files(&files, Path::new("run")).unwrap_err().to_string();
    assert!(error.contains("changed after the run was written") && error.contains("fit again"), "{error}");
}

#[test]
fn advice_is_given_where_the_plain_network_is_better_or_confidence_is_off() {
    let mut run = run(demo(), Plan::new(), SplitChoice::Random);
    let Judgement::Classes(mut ours) = run.findings().judgement else { unreachable!() };
    let advice = |run: &Run, ours: &ClassMetrics| run.advice_on(&Judgement::Classes(ours.clone()));
    let mut plain = |accuracy: f64| {
        let Some(Plain { judgement: Judgement::Classes(plain), .. }) = &mut run.plain else { unreachable!() };
        plain.scores.accuracy = accuracy;
        run.clone()
    };
    (ours.scores.accuracy, ours.mean_confidence) = (0.7, 0.62);
    assert_eq!(advice(&plain(0.7), &ours), None);
    let text = advice(&plain(0.725), &ours).unwrap();
    let wanted = "On the test nodes gcn+copying is 2.5 points less accurate than gcn: try `graph_model=observed`, \
                  which trusts the graph, or more labels (`labels_per_class`).";
    assert_eq!(text, wanted);
    ours.mean_confidence = 0.81;
    let text = advice(&plain(0.6), &ours).unwrap();
    let wanted = "On the test nodes the mean confidence, 81 %, is 11 points above the accuracy, 70 %: try more labels \
                  (`labels_per_class`).";
    assert_eq!(text, wanted);
    let text = advice(&plain(0.8), &ours).unwrap();
    assert!(text.contains("10.0 points less accurate than gcn, and its mean confidence, 81 %, is 11 points"), "{text}");
    ours.mean_confidence = 0.6;
    let text = advice(&plain(0.6), &ours).unwrap();
    assert!(text.contains("10 points below the accuracy, 70 %: try a weaker penalty, `network.weight_decay=0.0001`"));
    // Where most edges join unlike nodes, propagated labels mislead.
    let Labels::Classes { of, .. } = &mut Arc::make_mut(&mut run.data).labels else { unreachable!() };
    of.iter_mut().enumerate().for_each(|(a, class)| *class = Some(a as u32 % 7));
    let text = run.to_try(true, None).join(" ");
    assert!(text.starts_with("`belief.propagation_steps=0`, as 14 % of the edges join equal classes"), "{text}");
}

/// Any change of a byte is an error or another run, never a panic.
#[test]
fn damaged_files_are_errors_not_panics() {
    let files = run(karate(), Plan::new(), SplitChoice::Auto).to_files();
    let arrays = &files["run.safetensors"];
    for at in (0..arrays.len()).step_by(arrays.len() / 400) {
        for value in [0, 0xff, arrays[at] ^ 1] {
            let mut damaged = files.clone();
            damaged.get_mut("run.safetensors").unwrap()[at] = value;
            if let Ok(run) = Run::from_files(&damaged, Path::new("run")) {
                let _ = shown(&run);
            }
        }
    }
}
