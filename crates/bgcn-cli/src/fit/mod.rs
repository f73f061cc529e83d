//! `bgcn fit`: learn labels, with honest uncertainty.

mod options;
mod summary;

use crate::args::{OwnFiles, Shared};
use crate::screen;
use bgcn::data::{Dataset, Labels, Split, SplitKind, known};
use bgcn::metrics::{Judged, RegressionScores, Scores, judge_values};
use bgcn::posterior::{self, Fit, Phase, Predictions, Task};
use clap::Args;
use indicatif::ProgressBar;
use options::Options;
pub use options::{DrawName, parse_delta};
use std::time::Instant;

#[derive(Args)]
pub struct Command {
    /// demo, karate, cora, citeseer, pubmed, a folder, an .npz file, or a file of edges
    #[arg(
        value_name = "NAME",
        default_value = "demo",
        default_value_if("edges", clap::builder::ArgPredicate::IsPresent, None)
    )]
    name: Option<String>,
    #[command(flatten)]
    own: OwnFiles,
    #[command(flatten)]
    options: Options,
}

/// A finished run, as the summary and the JSON object show it.
pub struct Run<'a> {
    pub data: &'a Dataset,
    pub split: &'a Split,
    pub split_kind: &'a SplitKind,
    pub options: &'a Options,
    pub fit: &'a Fit,
    pub seed: u64,
    pub scores: Option<TestScores>,
    pub load: f64,
    pub train: f64,
    pub total: f64,
}

/// What the test nodes say; absent where there are none.
pub enum TestScores {
    Classes(Scores),
    Values(RegressionScores),
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let start = Instant::now();
    let data = command.own.load(command.name.as_deref(), shared)?;
    let load = start.elapsed().as_secs_f64();
    let plan = command.options.plan(&data)?;
    let own = !matches!(data.name.as_str(), "demo" | "karate") && known(&data.name).is_none();
    let split_kind = command.options.split_kind(&data, own);
    let split = data.split(&split_kind, command.options.labels_per_class, shared.seed())?;
    warn_about(&data, command, shared);
    let begun = Instant::now();
    let bars = Bars::new(shared);
    let fit = posterior::fit(&plan, Task { data: &data, split: &split, seed: shared.seed() }, &mut |p| bars.show(p));
    bars.clear();
    let fit = fit?;
    let train = begun.elapsed().as_secs_f64();
    let scores = judge(&data, &split, &fit);
    let run = Run {
        data: &data,
        split: &split,
        split_kind: &split_kind,
        options: &command.options,
        fit: &fit,
        seed: shared.seed,
        scores,
        load,
        train,
        total: start.elapsed().as_secs_f64(),
    };
    if shared.json { screen::print_json(&summary::json(&run)) } else { screen::print(&summary::text(&run)) }
}

/// Homophily below which an assortative model is doubtful.
const LOW_HOMOPHILY: f64 = 0.5;

fn warn_about(data: &Dataset, command: &Command, shared: &Shared) {
    let homophily = data.graph.homophily(|a| data.labels.class(a));
    if command.options.graph_model == options::GraphModelName::Mmsbm
        && let Some(homophily) = homophily.filter(|&h| h < LOW_HOMOPHILY)
    {
        screen::remark(
            shared,
            &format!(
                "warning: only {:.0} % of the edges join equal classes; the block model assumes that most do, so it may not suit this \
             graph. Compare with --graph-model observed",
                100.0 * homophily
            ),
        );
    }
}

fn judge(data: &Dataset, split: &Split, fit: &Fit) -> Option<TestScores> {
    match &fit.predictions {
        Predictions::Classes(p) => {
            Judged::new(&p.probabilities, p.classes, &data.labels, &split.test).scores().map(TestScores::Classes)
        }
        Predictions::Values(values) => {
            let Labels::Values(of) = &data.labels else { return None };
            let judged: Vec<(f64, f64, f64)> = split
                .test
                .iter()
                .filter_map(|&a| {
                    let (mean, variance) = (values.mean[a as usize], values.variance(a));
                    Some((f64::from(mean), variance, f64::from(of[a as usize]?)))
                })
                .collect();
            judge_values(&judged).map(TestScores::Values)
        }
    }
}

/// One bar per phase, shown one after another.
struct Bars([ProgressBar; 3]);

impl Bars {
    fn new(shared: &Shared) -> Self {
        let bar = |name: &str| {
            let bar = screen::progress(shared, 0, "{prefix:>12} {bar:30} {pos}/{len}  {elapsed} gone, {eta} left");
            bar.with_prefix(name.to_owned())
        };
        Self([bar("pretraining"), bar("inference"), bar("draws")])
    }

    fn show(&self, progress: posterior::Progress) {
        let bar = &self.0[match progress.phase {
            Phase::Pretraining => 0,
            Phase::Inference => 1,
            Phase::Draws => 2,
        }];
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
    }

    fn clear(&self) {
        self.0.iter().for_each(ProgressBar::finish_and_clear);
    }
}
