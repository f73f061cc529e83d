//! The inside of a fit: kept weights, shares, and where it stops.

use super::apply::Kept;
use super::{Changed, Fit, Learned, Phase, Predictions, Progress};
use crate::Error;
use crate::data::generate::Generator;
use crate::data::{Dataset, DenseRows, Features, Labels, Split, SplitKind};
use crate::network::{Dropout, Gcn, Input, Kind, Network, Params, Start, Targets, Trainer};
use crate::recipe::{Plan, ScheduleKind};
use crate::rng::{For, Seed};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

fn small() -> (Dataset, Split) {
    let params = Generator { nodes: 240, classes: 3, mean_degree: 6.0, ..Generator::default() };
    let data = params.generate(Seed::new(4)).unwrap();
    let mut split = data.split(&SplitKind::Random, 5, Seed::new(1)).unwrap();
    split.validation.clear();
    (data, split)
}

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn published(model: &str) -> Plan {
    let plan = Plan::new().seed(7).graph_model(model).set("schedule.pretraining", 40).set("schedule.draws", 20);
    plan.set("schedule.averaged", 8).set("schedule.keep", 3)
}

fn algorithm1(model: &str) -> Plan {
    let plan = Plan::new().seed(7).graph_model(model).schedule(ScheduleKind::Algorithm1);
    let plan = plan.set("schedule.pretraining", 40).set("schedule.draws", 10).set("schedule.samples", 2);
    plan.set("schedule.graph_epochs", 5)
}

fn learn(plan: &Plan) -> Fit {
    let (data, split) = small();
    plan.fit_split(&data, &split, &go_on).unwrap()
}

fn apply(learned: &Learned) -> Predictions {
    let (data, _) = small();
    learned
        .apply(Changed { graph: &data.graph, features: &data.features, feature_names: &[], seed: Seed::new(7) }, &go_on)
        .unwrap()
}

#[test]
fn the_observed_graph_model_is_plain_training() {
    let (data, split) = small();
    let found = learn(&Plan::new().seed(7).graph_model("observed"));

    let seed = Seed::new(7);
    let params = Params::new(Kind::Gcn).check().unwrap();
    let network = Gcn::new(&params, data.features.columns(), 3);
    let x = Input::new(&data.features.with_unit_rows());
    let targets = Targets::new(&data.labels, &split.train).unwrap();
    let weights = network.start(&mut seed.at(For::Weights, [0; 3]));
    let start = Start { weights, masks: seed.at(For::Train, [0; 3]) };
    let mut trainer = Trainer::new(std::sync::Arc::new(network), &params, (&x, targets), start);
    let on = trainer.prepare(&data.graph);
    for _ in 0..300 {
        trainer.step(&on).unwrap();
    }
    let posterior = found.predictions.classes().unwrap();
    assert_eq!(posterior.probabilities, trainer.predict(&on, Dropout::Off).values().collect::<Vec<_>>());
    assert_eq!(found.learned.kept, [Kept { member: 0, weights: trainer.weights().clone() }]);
    assert!(found.lambdas.is_empty() && found.beliefs.is_none() && found.inferences.is_empty());
}

#[test]
fn kept_weights_are_spread_over_the_draws_of_every_graph_model() {
    for (plan, members) in [
        (published("auto"), &[0, 1, 0, 1, 0, 1][..]),
        (published("copying"), &[0; 3]),
        (algorithm1("auto").set("schedule.keep", 2), &[0, 0, 1, 1]),
        (algorithm1("copying").set("schedule.keep", 30), &[0; 10]),
    ] {
        let kept = learn(&plan).learned.kept;
        assert!(kept.iter().map(|kept| &kept.member).eq(members));
        assert!((0..kept.len()).all(|i| kept[..i].iter().all(|other| other.weights != kept[i].weights)));
    }
}

#[test]
fn what_an_average_learned_draws_graphs_of_every_model_and_weighs_its_networks() {
    let learned = learn(&published("auto")).learned;
    let draws = |predictions: &Predictions| predictions.classes().unwrap().draws;
    let found = apply(&learned);
    // Eight draws of each model, read by three networks each, in turn.
    assert!(draws(&found) > learned.kept.len());
    assert_eq!((draws(&found), learned.kept.len()), (16, 6));

    let weighted = |shares: [f64; 2]| apply(&Learned { shares: shares.to_vec(), ..learned.clone() });
    assert_eq!(weighted([learned.shares[0], learned.shares[1]]), found);
    assert_ne!(weighted([0.75, 0.25]), weighted([0.25, 0.75]));
    // All weight on the first is the first alone.
    let mut recipe = learned.recipe.clone();
    recipe.members.truncate(1);
    let kept = learned.kept.iter().filter(|kept| kept.member == 0).cloned().collect();
    let alone = apply(&Learned { recipe, kept, shares: vec![1.0], ..learned.clone() });
    let probabilities = |predictions: &Predictions| predictions.classes().unwrap().probabilities.clone();
    assert_eq!(probabilities(&weighted([1.0, 0.0])), probabilities(&alone));
}

/// Breaks at one call and at all that come after it; counts those.
struct Stop<F> {
    at: F,
    stopped: AtomicBool,
    after: AtomicUsize,
}

impl<F: Fn(Progress) -> bool + Sync> Stop<F> {
    fn new(at: F) -> Self {
        Self { at, stopped: AtomicBool::new(false), after: AtomicUsize::new(0) }
    }

    fn watch(&self, progress: Progress) -> ControlFlow<()> {
        if self.stopped.load(SeqCst) {
            self.after.fetch_add(1, SeqCst);
            return ControlFlow::Break(());
        }
        if !(self.at)(progress) {
            return ControlFlow::Continue(());
        }
        self.stopped.store(true, SeqCst);
        ControlFlow::Break(())
    }

    /// The work was stopped, and soon: each thread can meet one more call, and begin one more piece of work.
    fn assert_stopped<T>(&self, result: Result<T, Error>, what: &str) {
        assert!(self.stopped.load(SeqCst), "{what}: the call never came");
        assert!(matches!(result, Err(Error::Stopped)), "{what}: {:?}", result.err());
        let after = self.after.load(SeqCst);
        assert!(after <= 2 * THREADS, "{what}: {after} calls after the break");
    }
}

const THREADS: usize = 4;

fn on_four_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(THREADS).build().unwrap().install(work)
}

#[test]
fn a_fit_is_stopped_by_its_watcher_in_every_phase_of_every_schedule() {
    let (data, split) = small();
    for plan in [published("auto"), published("mmsbm"), algorithm1("auto"), algorithm1("mmsbm")] {
        for phase in [Phase::Pretraining, Phase::Inference, Phase::Draws] {
            for calls in [1, 2, 3] {
                let seen = AtomicUsize::new(0);
                let stop =
                    Stop::new(|progress: Progress| progress.phase == phase && seen.fetch_add(1, SeqCst) + 1 == calls);
                let result = on_four_threads(|| plan.fit_split(&data, &split, &|progress| stop.watch(progress)));
                stop.assert_stopped(result, &format!("{plan:?}, {phase:?}, call {calls}"));
            }
        }
    }
    let plain = Plan::new().graph_model("observed");
    let stop = Stop::new(|progress: Progress| progress.done == 5);
    stop.assert_stopped(plain.fit_split(&data, &split, &|progress| stop.watch(progress)), "plain");
}

#[test]
fn cross_validation_and_later_predictions_are_stopped_too() {
    let (data, split) = small();
    let numbers = Labels::Values((0..240).map(|a| data.labels.class(a).map(|class| class as f32)).collect());
    let numbers = Dataset { labels: numbers, ..data.clone() };
    let drawn = AtomicBool::new(false);
    let stop = Stop::new(|progress: Progress| {
        drawn.fetch_or(progress.phase == Phase::Draws, SeqCst);
        progress.phase == Phase::Pretraining && drawn.load(SeqCst)
    });
    let result = published("copying").fit_split(&numbers, &split, &|progress| stop.watch(progress));
    stop.assert_stopped(result, "cross-validation of the noise");

    let learned = learn(&published("auto")).learned;
    for phase in [Phase::Inference, Phase::Draws] {
        let stop = Stop::new(|progress: Progress| progress.phase == phase);
        let to = Changed { graph: &data.graph, features: &data.features, feature_names: &[], seed: Seed::new(7) };
        stop.assert_stopped(learned.apply(to, &|progress| stop.watch(progress)), "apply");
    }
}

/// The small network with a table: a log-normal revenue, a constant, a year and a 0/1 column; in this order of columns.
fn with_table(order: [usize; 4]) -> (Dataset, Split) {
    let (data, split) = small();
    let row = |a: u32| {
        let class = data.labels.class(a).unwrap() as f32;
        let noise = (a * 7919 % 101) as f32 / 20.0;
        let columns = [1e6 * (noise + class).exp(), 7.0, 1980.0 + 10.0 * class + noise, f32::from(a.is_multiple_of(3))];
        order.map(|j| columns[j])
    };
    let values = (0..data.nodes() as u32).flat_map(row).collect();
    let names = ["revenue", "country", "year", "listed=yes"];
    let feature_names = order.iter().map(|&j| names[j].to_owned()).collect();
    (Dataset { features: Features::Dense(DenseRows { columns: 4, values }), feature_names, ..data.clone() }, split)
}

#[test]
fn a_table_is_predicted_by_the_means_and_the_names_of_its_fit() {
    let (data, split) = with_table([0, 1, 2, 3]);
    let fit = published("copying").fit_split(&data, &split, &go_on).unwrap();
    let wanted = "2 of 4 columns standardised, revenue after a logarithm; 1 column of 0 and 1 as it is; 1 constant \
                  column dropped: country";
    assert_eq!(fit.learned.scaling(), wanted);
    assert_eq!((fit.learned.inputs(), fit.learned.reads()), (Some(4), Some(3)));
    let learned = Learned::from_bytes(&fit.learned.to_bytes()).unwrap();
    assert_eq!(learned, fit.learned);
    let to = |data: &Dataset| {
        let to = Changed {
            graph: &data.graph,
            features: &data.features,
            feature_names: &data.feature_names,
            seed: Seed::new(7),
        };
        learned.apply(to, &go_on)
    };
    let same = to(&data).unwrap();
    assert_eq!(to(&with_table([3, 2, 0, 1]).0).unwrap(), same, "columns in another order");
    let (mut narrow, _) = with_table([0, 1, 3, 3]);
    narrow.feature_names[3] = "year2".into();
    let error = to(&narrow).unwrap_err().to_string();
    assert!(error.contains("there is no column year;"), "{error}");
    narrow.feature_names.clear();
    assert!(to(&narrow).is_ok(), "without names columns are taken as they come");
    narrow.features = Features::Dense(DenseRows { columns: 3, values: vec![1.0; 3 * narrow.nodes()] });
    assert!(to(&narrow).unwrap_err().to_string().contains("3 columns"));
}
