//! The command line: what is shared by all subcommands, and the list of them.

use crate::{clean, compare, data, edges, fit, graph, predict, reproduce, settings, setup};
use bgcn::data::read::{Header, table};
use bgcn::data::{Dataset, Error, Places};
use bgcn::outputs::Source;
use bgcn::rng::Seed;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::sync::LazyLock;

/// Node classification that does not take the graph for granted.
///
/// You have a graph you half trust, node features, and few labels. bgcn treats the graph as one draw from a
/// random-graph model, infers that model, and averages graph networks over graphs drawn from it.
#[derive(Parser)]
#[command(name = "bgcn", version = VERSION.as_str(), arg_required_else_help = true, propagate_version = true)]
#[command(
    after_help = "Start here:\n  bgcn fit                  the whole thing, on built-in data\n  bgcn data fetch \
                  cora      get a citation network of the paper\n\nExit codes: 0 done, 1 the work failed, 2 the \
                  command line or the input is wrong."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub shared: Shared,
}

#[derive(Subcommand)]
pub enum Command {
    /// Learn labels from few of them, with honest uncertainty
    Fit(Box<fit::Command>),
    /// Apply a saved run to the same or changed data, new nodes included
    Predict(predict::Command),
    /// List the edges that look wrong or seem to be missing, and why
    Edges(edges::Command),
    /// Write a run's graph without the edges that look wrong
    Clean(clean::Command),
    /// Set two runs side by side
    Compare(compare::Command),
    /// Infer random-graph models and draw graphs from them
    Graph(graph::Command),
    /// List every setting of the recipe
    Settings(settings::Command),
    /// List, describe, fetch, convert and generate datasets
    Data(data::Command),
    /// Run the paper's experiments and set the results beside its figures
    Reproduce(reproduce::Command),
    /// Print a completion script for your shell
    Completions(setup::Completions),
    /// Print the manual page, or write all of them to a folder
    Man(setup::Man),
}

/// Version and the class of processor that the kernels run as.
static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} (cpu: {})", env!("CARGO_PKG_VERSION"), bgcn::processor_class()));

/// Options that mean the same everywhere.
#[derive(Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Shared {
    /// Source of all randomness; same seed, same result [default: 0]
    #[arg(long, global = true, value_name = "S")]
    pub seed: Option<u64>,
    /// Threads to use [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Folder of known datasets [default: $BGCN_DATA, then the cache]
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Print one JSON object as the last line, instead of tables
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress and no remarks on standard error
    #[arg(long, short, global = true)]
    pub quiet: bool,
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

    /// Runs the work on a pool of `--jobs` threads.
    ///
    /// Inside the pool: a loop that is split on one thread alone would otherwise be handed over and waited for, which
    /// costs more than small loops take.
    pub fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
        Ok(bgcn::on_threads(self.jobs.map_or(0, usize::from), work)?)
    }
}

/// Which dataset: a name, or files of one's own.
#[derive(Args)]
pub struct Input {
    /// demo, karate, cora, citeseer, pubmed, a folder, or a file of a graph
    #[arg(value_name = "NAME", required_unless_present = "edges")]
    pub name: Option<String>,
    #[command(flatten)]
    pub own: OwnFiles,
}

/// Files of one's own and how to read them.
#[derive(Args)]
#[command(next_help_heading = "Own data")]
pub struct OwnFiles {
    /// Edges: two columns of node ids; or GraphML, GEXF, JSON, .mtx, .npz
    ///
    /// CSV, TSV, semicolons or spaces, plain or packed (.gz, .zst); comments and a header are recognised.
    #[arg(long, value_name = "FILE", conflicts_with = "name")]
    pub edges: Option<PathBuf>,
    /// Features: id and numbers or categories, or triplets id,column,value
    ///
    /// Without features, nodes are told apart by identity alone.
    #[arg(long, value_name = "FILE", requires = "edges", conflicts_with = "name")]
    pub features: Option<PathBuf>,
    /// Labels: id and label; nodes without one are predicted
    #[arg(long, value_name = "FILE", requires = "edges", conflicts_with = "name")]
    pub labels: Option<PathBuf>,
    /// One table of nodes: id, label and features
    #[arg(long, value_name = "FILE", requires = "edges", conflicts_with = "name")]
    pub nodes: Option<PathBuf>,
    /// Whether tables start with a header: yes or no [default: by evidence]
    #[arg(long, value_name = "YES|NO", value_parser = ["yes", "no"], hide_possible_values = true)]
    pub header: Option<String>,
    /// Column of node ids, by name or by number from 1
    #[arg(long, value_name = "COLUMN")]
    pub id_column: Option<String>,
    /// Column, or attribute of nodes, that is the label
    #[arg(long, value_name = "COLUMN")]
    pub label_column: Option<String>,
    /// Column of the edges with the first node
    #[arg(long, value_name = "COLUMN", requires = "target_column")]
    pub source_column: Option<String>,
    /// Column of the edges with the second node
    #[arg(long, value_name = "COLUMN", requires = "source_column")]
    pub target_column: Option<String>,
    /// Column of weights: edges of weight 0 or less are left out
    #[arg(long, value_name = "COLUMN")]
    pub weight_column: Option<String>,
    /// Keep edges of at least this weight
    ///
    /// Without this and --weight-column, weights are ignored. The networks know no weights.
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub weight_threshold: Option<f64>,
    /// Labels that are numbers: auto, classes or values
    #[arg(long, value_enum, default_value_t = LabelKind::Auto, value_name = "KIND", hide_possible_values = true)]
    pub label_kind: LabelKind,
    /// Accept nodes that occur in the features or labels alone
    #[arg(long)]
    pub allow_isolated: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LabelKind {
    /// Values if all are numbers and one has a fractional part, classes otherwise
    Auto,
    /// Always classes
    Classes,
    /// Always real values (regression)
    Values,
}

impl Input {
    /// Reads the dataset.
    pub fn load(&self, shared: &Shared) -> Result<Dataset, Error> {
        self.own.load(self.name.as_deref(), shared)
    }
}

impl OwnFiles {
    /// Reads the named dataset, or one's own files where they are given.
    pub fn load(&self, name: Option<&str>, shared: &Shared) -> Result<Dataset, Error> {
        self.source(name).load(&shared.places())
    }

    /// The named dataset, or one's own files where they are given; clap requires one of the two.
    pub fn source(&self, name: Option<&str>) -> Source {
        let files = |edges: &PathBuf| table::Files {
            edges: edges.clone(),
            features: self.features.clone(),
            labels: self.labels.clone(),
            nodes: self.nodes.clone(),
            ..table::Files::default()
        };
        let label_kind = match self.label_kind {
            LabelKind::Auto => table::LabelKind::Auto,
            LabelKind::Classes => table::LabelKind::Classes,
            LabelKind::Values => table::LabelKind::Values,
        };
        let options = table::Options {
            header: self.header.as_deref().and_then(Header::named).unwrap_or_default(),
            id_column: self.id_column.clone(),
            label_column: self.label_column.clone(),
            source_column: self.source_column.clone(),
            target_column: self.target_column.clone(),
            weight_column: self.weight_column.clone(),
            weight_threshold: self.weight_threshold,
            label_kind,
            allow_isolated: self.allow_isolated,
            ..table::Options::default()
        };
        Source { name: name.map(str::to_owned), files: self.edges.as_ref().map(files), options }
    }
}
