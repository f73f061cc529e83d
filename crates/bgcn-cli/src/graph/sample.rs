//! `bgcn graph sample`: draw graphs from a fitted model.

use crate::args::Shared;
use crate::screen::{self, grouped};
use bgcn::data::{Error, tables};
use bgcn::files::write_atomically;
use bgcn::graph::{Graph, clustering};
use bgcn::graph_model::GraphBuffer;
use bgcn::graph_model::mmsbm::{self, Draw, Sampler};
use bgcn::rng::For;
use clap::Args;
use serde::Serialize;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
pub struct Command {
    /// Folder that `bgcn graph fit --out` wrote
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// How many graphs
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u32,
    /// Draw from each node's strongest community (hard) or from mixed memberships
    #[arg(long, value_enum, default_value_t = crate::fit::DrawName::Mixed)]
    draw: crate::fit::DrawName,
    /// Folder for graph-1.csv, graph-2.csv, … in the node numbers of nodes.csv [default: MODEL; statistics alone with --no-files]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print statistics, write nothing
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
    homophily: f64,
}

impl Statistics {
    /// Homophily is over the model's strongest communities.
    fn of(graph: &Graph, communities: &[u32]) -> Self {
        let n = graph.nodes().max(1) as f64;
        let mean = 2.0 * graph.edges() as f64 / n;
        let squares: f64 = (0..graph.nodes() as u32).map(|a| (graph.degree(a) as f64 - mean).powi(2)).sum();
        Self {
            edges: graph.edges() as f64,
            mean_degree: mean,
            degree_sd: (squares / n).sqrt(),
            max_degree: graph.degree_summary().max as f64,
            isolated: graph.isolated() as f64,
            clustering: clustering(graph),
            homophily: graph.homophily(|a| Some(communities[a as usize])).unwrap_or(0.0),
        }
    }

    fn numbers(&self) -> [f64; 7] {
        [self.edges, self.mean_degree, self.degree_sd, self.max_degree, self.isolated, self.clustering, self.homophily]
    }
}

const NAMES: [&str; 7] = [
    "Edges",
    "Mean degree",
    "Standard deviation of degrees",
    "Largest degree",
    "Isolated nodes",
    "Clustering",
    "Edges inside communities",
];

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let saved = mmsbm::read(&command.model)?;
    let communities = saved.lambda.labels();
    let observed = read_observed(&command.model.join("observed.csv"), saved.lambda.n())?;
    let sampler = Sampler::new(&saved.lambda, Draw::from(command.draw));
    let out = command.out.as_ref().unwrap_or(&command.model);
    std::fs::create_dir_all(out).map_err(|source| Error::Io { doing: "writing", path: out.clone(), source })?;
    let bar = screen::progress(shared, u64::from(command.count), "{bar:30} {pos}/{len} graphs {eta} left");
    let mut buffer = GraphBuffer::default();
    let (mut drawn, mut files, mut seconds) = (Vec::new(), Vec::new(), 0.0);
    for i in 0..command.count {
        let begun = Instant::now();
        sampler.draw(shared.seed().at(For::Graph, [0, i, 0]), &mut buffer);
        seconds += begun.elapsed().as_secs_f64();
        drawn.push(Statistics::of(buffer.graph(), &communities));
        if !command.no_files {
            let file = out.join(format!("graph-{}.csv", i + 1));
            write_graph(&file, buffer.graph())?;
            files.push(file);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let observed = Statistics::of(&observed, &communities);
    if shared.json {
        return screen::print_json(&serde_json::json!({
            "observed": observed, "drawn": drawn, "files": files, "seconds": { "draw": seconds },
        }));
    }
    screen::print(&table(&observed, &drawn))?;
    if !files.is_empty() {
        screen::print(&format!("\n{} graphs written to {}\n", files.len(), out.display()))?;
    }
    Ok(())
}

fn table(observed: &Statistics, drawn: &[Statistics]) -> String {
    let mut table = screen::table(&["", "Observed", "Drawn (mean)", "Smallest", "Largest"]);
    for (i, name) in NAMES.iter().enumerate() {
        let values: Vec<f64> = drawn.iter().map(|statistics| statistics.numbers()[i]).collect();
        let show = |x: f64| if x >= 100.0 { grouped(x.round() as usize) } else { format!("{x:.3}") };
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
        table.add_row([name.to_string(), show(observed.numbers()[i]), show(mean), show(low), show(high)]);
    }
    table.trim_fmt() + "\n"
}

/// Edges by node number, one a line.
pub fn write_graph(path: &Path, graph: &Graph) -> Result<(), Error> {
    let written = write_atomically(path, |w| {
        writeln!(w, "source,target")?;
        graph.edge_list().try_for_each(|(a, b)| writeln!(w, "{a},{b}"))
    });
    written.map_err(|source| Error::Io { doing: "writing", path: path.to_owned(), source })
}

fn read_observed(path: &Path, nodes: usize) -> anyhow::Result<Graph> {
    let files = tables::Files { edges: path.to_owned(), ..Default::default() };
    let data = tables::read(&files, &tables::Options::default())?;
    let number = |a: u32| data.ids.name(a).parse::<u32>();
    let mut edges = Vec::with_capacity(data.graph.edges());
    for (a, b) in data.graph.edge_list() {
        edges.push((number(a)?, number(b)?));
    }
    Ok(Graph::from_edges(nodes, &edges)?)
}
