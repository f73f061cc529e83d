//! `bgcn graph sample`: draw graphs from a fitted model.

use super::communities::Communities;
use crate::args::Shared;
use crate::screen::{self, grouped};
use bgcn::graph_models::{CLASSES, NODES, OBSERVED, drawn_graph, read_model};
use bgcn_core::data::Error;
use bgcn_core::graph::{Graph, clustering};
use bgcn_core::graph_model::{GraphBuffer, ModelSettings, SavedModel};
use bgcn_core::rng::For;
use bgcn_files::files::write_atomically;
use bgcn_files::read::{LabelKind, ReadOptions, table};
use clap::Args;
use serde::Serialize;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
pub struct Command {
    /// Folder of `bgcn graph fit --out`
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Number of graphs
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u32,
    /// Communities in a draw [default: mixed for mmsbm and mmsb, sampled for sbm and dcsbm]
    ///
    /// By default two nodes are joined with the model's probability. copying has no choice.
    #[arg(long, value_name = "hard|mixed|sampled")]
    draw: Option<String>,
    /// Folder for graph-1.csv, graph-2.csv, … [default: MODEL]
    ///
    /// Nodes have the numbers of nodes.csv.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// No files, statistics alone
    #[arg(long, conflicts_with = "out")]
    no_files: bool,
}

/// A graph in a few numbers.
#[derive(Clone, Copy, Debug, Serialize)]
struct Statistics {
    edges: f64,
    mean_degree: f64,
    degree_sd: f64,
    max_degree: f64,
    isolated: f64,
    clustering: f64,
    /// Share of the edges inside the model's strongest communities, where it has some.
    homophily: Option<f64>,
    /// Share of the edges inside classes, where there are some.
    inside_classes: Option<f64>,
    /// Share of the edges that were observed.
    observed: Option<f64>,
}

/// What drawn graphs are compared by.
struct Yardstick<'a> {
    observed: &'a Graph,
    /// The class of each node, where known.
    classes: Vec<Option<u32>>,
    /// The strongest community of each node; empty where the model has none.
    communities: Vec<u32>,
}

impl Statistics {
    fn of(graph: &Graph, by: &Yardstick<'_>) -> Self {
        let n = graph.nodes().max(1) as f64;
        let mean = 2.0 * graph.edges() as f64 / n;
        let squares: f64 = (0..graph.nodes() as u32).map(|a| (graph.degree(a) as f64 - mean).powi(2)).sum();
        let known = graph.edge_list().filter(|&(a, b)| by.observed.has_edge(a, b)).count();
        Self {
            edges: graph.edges() as f64,
            mean_degree: mean,
            degree_sd: (squares / n).sqrt(),
            max_degree: graph.degree_summary().max as f64,
            isolated: graph.isolated() as f64,
            clustering: clustering(graph),
            homophily: graph.homophily(|a| by.communities.get(a as usize).copied()),
            inside_classes: graph.homophily(|a| by.classes[a as usize]),
            observed: (graph.edges() > 0).then(|| known as f64 / graph.edges() as f64),
        }
    }

    fn named(&self) -> [(&'static str, Option<f64>); 9] {
        [
            ("Edges", Some(self.edges)),
            ("Mean degree", Some(self.mean_degree)),
            ("Standard deviation of degrees", Some(self.degree_sd)),
            ("Largest degree", Some(self.max_degree)),
            ("Isolated nodes", Some(self.isolated)),
            ("Clustering", Some(self.clustering)),
            ("Edges inside communities", self.homophily),
            ("Edges inside classes", self.inside_classes),
            ("Edges that were observed", self.observed),
        ]
    }
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let saved = read_model(&command.model)?;
    let plan = plan(command, &saved)?;
    let (observed, classes) = read_observed(&command.model, saved.parameters.nodes)?;
    // `resume` checks the files before they are read further.
    let model = plan.resume(&observed, &saved.parameters)?;
    let communities = Communities::of(&saved.parameters).map(|found| found.labels()).unwrap_or_default();
    let by = Yardstick { observed: &observed, classes, communities };
    let out = command.out.as_ref().unwrap_or(&command.model);
    std::fs::create_dir_all(out).map_err(Error::io("writing", out))?;
    let bar = screen::progress(shared, u64::from(command.count), "{bar:30} {pos}/{len} graphs {eta} remaining");
    let mut buffer = GraphBuffer::default();
    let (mut drawn, mut files, mut seconds) = (Vec::new(), Vec::new(), 0.0);
    for i in 0..command.count {
        let begun = Instant::now();
        model.sample(shared.seed().at(For::Graph, [0, i, 0]), &mut buffer);
        seconds += begun.elapsed().as_secs_f64();
        drawn.push(Statistics::of(buffer.graph(), &by));
        if !command.no_files {
            let file = out.join(drawn_graph(i));
            write_graph(&file, buffer.graph())?;
            files.push(file);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let observed = Statistics::of(by.observed, &by);
    if shared.json {
        return screen::print_json(&serde_json::json!({
            "graph_model": saved.model, "observed": observed, "drawn": drawn, "files": files,
            "seconds": { "draw": seconds },
        }));
    }
    screen::print(&table(&observed, &drawn))?;
    if !files.is_empty() {
        screen::print(&format!("\n{} graphs written to {}\n", files.len(), out.display()))?;
    }
    Ok(())
}

/// The saved model, drawing as asked for, or else with the model's edge probabilities.
fn plan(command: &Command, saved: &SavedModel) -> anyhow::Result<ModelSettings> {
    let model = ModelSettings::of_saved(saved)?;
    let draws = |draw: &str| model.with(&[("draw", draw.into())]);
    Ok(match &command.draw {
        Some(draw) => draws(draw)?,
        None => draws("mixed").or_else(|_| draws("sampled")).unwrap_or(model),
    })
}

fn table(observed: &Statistics, drawn: &[Statistics]) -> String {
    let mut table = screen::table(&["", "Observed", "Drawn (mean)", "Smallest", "Largest"]);
    for (i, (name, seen)) in observed.named().into_iter().enumerate() {
        let Some(seen) = seen else { continue };
        let values: Vec<f64> = drawn.iter().filter_map(|statistics| statistics.named()[i].1).collect();
        let show = |x: f64| if x >= 100.0 { grouped(x.round() as usize) } else { format!("{x:.3}") };
        let mut row = vec![name.to_string(), show(seen)];
        if values.is_empty() {
            row.extend(["–"; 3].map(String::from));
        } else {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
            row.extend([mean, low, high].map(show));
        }
        table.add_row(row);
    }
    table.trim_fmt() + "\n"
}

/// Edges by node number, one a line.
fn write_graph(path: &Path, graph: &Graph) -> Result<(), Error> {
    let written = write_atomically(path, |w| {
        writeln!(w, "source,target")?;
        graph.edge_list().try_for_each(|(a, b)| writeln!(w, "{a},{b}"))
    });
    written.map_err(Error::io("writing", path))
}

/// The observed graph and the nodes' classes, as `bgcn graph fit --out` wrote them.
fn read_observed(folder: &Path, nodes: usize) -> anyhow::Result<(Graph, Vec<Option<u32>>)> {
    let edges = folder.join(OBSERVED);
    if !edges.exists() {
        let text = format!(
            "drawing from the model in {}: there is no observed.csv, which the draws are compared with; give a \
             folder that `bgcn graph fit --out` wrote",
            folder.display()
        );
        return Err(Error::Request(text).into());
    }
    // Every node has a line of nodes.csv. Without arrays, nothing else bounds how many a model can have.
    let lines = std::fs::metadata(folder.join(NODES)).map_or(0, |about| about.len());
    if nodes as u64 > lines {
        let text = format!(
            "drawing from the model in {}: it is about {nodes} nodes, but {NODES} beside it has not as many; are all \
             files from one `bgcn graph fit`?",
            folder.display()
        );
        return Err(Error::Request(text).into());
    }
    let labels = Some(folder.join(CLASSES)).filter(|path| path.exists());
    let files = table::Files { edges, labels, ..Default::default() };
    let options = ReadOptions { label_kind: LabelKind::Classes, ..Default::default() };
    let data = table::read(&files, &options)?;
    let number =
        |a: u32| {
            let name = data.ids.name(a);
            let found = name.parse::<u32>().ok().filter(|&a| (a as usize) < nodes);
            found.ok_or_else(|| Error::Request(format!(
            "reading {}: there is a node {name:?}, but the model's nodes are 0 to {}; are all files from one `bgcn \
             graph fit`?",
            folder.display(),
            nodes.saturating_sub(1)
        )))
        };
    let mut classes = vec![None; nodes];
    for a in 0..data.nodes() as u32 {
        classes[number(a)? as usize] = data.labels.class(a);
    }
    let mut list = Vec::with_capacity(data.graph.edges());
    for (a, b) in data.graph.edge_list() {
        list.push((number(a)?, number(b)?));
    }
    Ok((Graph::from_edges(nodes, &list)?, classes))
}
