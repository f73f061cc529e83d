//! The command line: what is shared by all subcommands, and the list of them.

use crate::{compare, data, edges, fit, graph, predict, reproduce, screen, settings, setup};
use bgcn_core::data::{Dataset, Error};
use bgcn_core::rng::Seed;
use bgcn_files::read::{Header, LabelKind, ReadOptions, table};
use bgcn_files::{Places, Source};
use clap::{ArgAction, Args, Parser, Subcommand};
use std::path::PathBuf;
use std::sync::LazyLock;

/// Node classification that does not take the graph for granted.
///
/// Input is a graph that may have wrong edges, node features, and labels of a few nodes. The graph is treated as one
/// draw from a random-graph model; bgcn infers that model and averages graph networks over graphs drawn from it.
#[derive(Parser)]
#[command(name = "bgcn", version = VERSION.as_str(), arg_required_else_help = true, disable_help_flag = true)]
#[command(
    after_help = "Examples:\n  bgcn fit                  a fit of built-in data, with a report\n  bgcn data fetch \
                  cora      a citation network of the paper\n\nExit codes: 0 success, 1 failure, 2 wrong arguments \
                  or input."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub shared: Shared,
}

#[derive(Subcommand)]
pub enum Command {
    /// Predict node labels, with calibrated uncertainty
    Fit(Box<fit::Command>),
    /// Predict with a saved run, on the same or changed data
    Predict(predict::Command),
    /// List suspicious and missing edges, with reasons
    Edges(edges::Command),
    /// Compare two runs
    Compare(compare::Command),
    /// Infer random-graph models and draw graphs
    Graph(graph::Command),
    /// List all settings, with ranges and defaults
    Settings(settings::Command),
    /// List, describe, fetch, convert and generate datasets
    Data(data::Command),
    /// Run the paper's experiments and compare with its figures
    Reproduce(reproduce::Command),
    /// Completion script for a shell
    #[command(hide = true)]
    Completions(setup::Completions),
    /// Manual pages
    #[command(hide = true)]
    Man(setup::Man),
}

/// Version and the class of processor that the kernels run as.
static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} (cpu: {})", env!("CARGO_PKG_VERSION"), bgcn_core::processor_class()));

/// Options of every subcommand.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
pub struct Shared {
    /// Random seed; same seed, same result [default: 0]
    #[arg(long, global = true, value_name = "S")]
    pub seed: Option<u64>,
    /// Number of threads [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Folder of known datasets [default: $BGCN_DATA, then the cache]
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// JSON on the last line instead of tables
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress or remarks on standard error
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Help; --help has more
    #[arg(long, short, global = true, action = ArgAction::Help)]
    pub help: Option<bool>,
}

impl Shared {
    pub fn seed(&self) -> Seed {
        Seed::new(self.seed_number())
    }

    pub fn seed_number(&self) -> u64 {
        self.seed.unwrap_or(0)
    }

    pub fn places(&self) -> Places {
        Places::new(self.data_dir.as_deref())
    }

    /// Reads a dataset, with its remarks on standard error.
    pub fn load(&self, source: &Source) -> Result<Dataset, Error> {
        let data = source.load(&self.places())?;
        data.remarks.iter().for_each(|text| screen::remark(self, text));
        Ok(data)
    }

    /// Runs the work on a pool of `--jobs` threads.
    ///
    /// Inside the pool: a loop that is split on one thread alone would otherwise be handed over and waited for, which
    /// costs more than small loops take.
    pub fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
        Ok(bgcn_core::on_threads(self.jobs.map_or(0, usize::from), work)?)
    }
}

/// A dataset: a name, a path, or files one by one.
#[derive(Args)]
pub struct Input {
    /// demo, karate, cora, citeseer, pubmed, a folder, or a graph file
    #[arg(value_name = "NAME", required_unless_present = "edges")]
    pub name: Option<String>,
    #[command(flatten)]
    pub own: OwnFiles,
}

/// Files of the user and how to read them.
#[derive(Args)]
#[command(next_help_heading = "Data files")]
pub struct OwnFiles {
    /// Edge list; or GraphML, GEXF, JSON, .mtx, .npz
    ///
    /// Two columns of node ids. Fields separated by commas, tabs, semicolons, bars or spaces; plain, .gz or .zst.
    /// Comments and a header are recognised.
    #[arg(long, value_name = "FILE", conflicts_with = "name")]
    pub edges: Option<PathBuf>,
    /// Features: id, then numbers or categories
    ///
    /// A row per node, pairs id,column, triplets id,column,value, or JSON {id: [columns]} or {id: {column: value}}.
    /// Without features, the input is one-hot node ids.
    #[arg(long, value_name = "FILE", requires = "edges", conflicts_with = "name")]
    pub features: Option<PathBuf>,
    /// Labels: id and label; nodes without are predicted
    #[arg(long, value_name = "FILE", requires = "edges", conflicts_with = "name")]
    pub labels: Option<PathBuf>,
    /// Node table with id, label and features
    #[arg(long, value_name = "FILE", requires = "edges", conflicts_with = "name")]
    pub nodes: Option<PathBuf>,
    /// First row is a header: yes or no [default: by evidence]
    #[arg(long, value_name = "YES|NO")]
    pub header: Option<Header>,
    /// Column of node ids, by name or number from 1
    #[arg(long, value_name = "COLUMN")]
    pub id_column: Option<String>,
    /// Column or node attribute of labels
    #[arg(long, value_name = "COLUMN")]
    pub label_column: Option<String>,
    /// Columns used as features; -NAME leaves one out
    ///
    /// Names, or numbers from 1, with commas between them. Without this option ids, dates, constants and text that hardly
    /// repeats are left out, and remarks name them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', allow_hyphen_values = true)]
    pub columns: Vec<String>,
    /// Column or node attribute of names to show beside the ids
    #[arg(long, value_name = "COLUMN")]
    pub name_column: Option<String>,
    /// Column of first nodes in the edge list
    #[arg(long, value_name = "COLUMN", requires = "target_column", hide_short_help = true)]
    pub source_column: Option<String>,
    /// Column of second nodes in the edge list
    #[arg(long, value_name = "COLUMN", requires = "source_column", hide_short_help = true)]
    pub target_column: Option<String>,
    /// Column of weights; edges of weight 0 or less are left out
    #[arg(long, value_name = "COLUMN")]
    pub weight_column: Option<String>,
    /// Least weight of an edge
    ///
    /// Networks ignore weights: without this option and --weight-column, every edge counts.
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub weight_threshold: Option<f64>,
    /// classes or values, real numbers [default: by evidence]
    #[arg(long, value_name = "KIND")]
    pub label_kind: Option<LabelKind>,
    /// Accept files where most nodes have no edge
    #[arg(long)]
    pub allow_isolated: bool,
    /// Row i of labels and features is node i; they have no ids
    #[arg(long, hide_short_help = true)]
    pub no_ids: bool,
}

impl Input {
    /// Reads the dataset.
    pub fn load(&self, shared: &Shared) -> Result<Dataset, Error> {
        shared.load(&self.source())
    }

    /// Where it is.
    pub fn source(&self) -> Source {
        self.own.source(self.name.as_deref())
    }
}

impl OwnFiles {
    /// The named dataset, or the files where they are given; clap requires one of the two.
    pub fn source(&self, name: Option<&str>) -> Source {
        let files = |edges: &PathBuf| table::Files {
            edges: edges.clone(),
            features: self.features.clone(),
            labels: self.labels.clone(),
            nodes: self.nodes.clone(),
            ..table::Files::default()
        };
        let options = ReadOptions {
            header: self.header.unwrap_or_default(),
            id_column: self.id_column.clone(),
            label_column: self.label_column.clone(),
            name_column: self.name_column.clone(),
            source_column: self.source_column.clone(),
            target_column: self.target_column.clone(),
            weight_column: self.weight_column.clone(),
            weight_threshold: self.weight_threshold,
            label_kind: self.label_kind.unwrap_or_default(),
            allow_isolated: self.allow_isolated,
            columns: self.columns.clone(),
            fitted: Vec::new(),
            no_ids: self.no_ids,
        };
        Source { name: name.map(str::to_owned), files: self.edges.as_ref().map(files), options }
    }
}
