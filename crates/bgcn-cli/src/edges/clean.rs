//! `bgcn edges … --clean OUT`: the graph without the edges of a list.

use super::Judged;
use crate::args::Shared;
use crate::data::written;
use crate::screen::{self, grouped};
use bgcn_core::data::{Dataset, EdgeTruth};
use bgcn_core::graph::Graph;
use bgcn_files::write::Form;
use bgcn_report::fdr_list;
use serde_json::json;
use std::collections::HashSet;
use std::path::Path;

pub fn run(
    (judged, name): (&Judged, &str),
    (out, overwrite): (&Path, bool),
    rate: f64,
    shared: &Shared,
) -> anyhow::Result<()> {
    let form = Form::of(out);
    let mut data = match judged {
        Judged::Run(run) => {
            run.check_edge_table(Path::new(name))?;
            let data = run.record().data_again("Restore the data, or fit again", &shared.places())?;
            run.check_graph(&data).map(|()| data)?
        }
        Judged::Data(data, _) => (**data).clone(),
    };
    let links = judged.edges()?.links;
    let removed = links.at_rate(rate);
    let (edges, pairs) = (data.graph.edges(), links.edges[..removed].iter().map(|edge| (edge.a, edge.b)).collect());
    leave_out(&mut data, &pairs)?;
    let files = form.write(&data, out, overwrite)?;
    let left_out = form.leaves_out(&data);
    if shared.json {
        return screen::print_json(&json!({
            "name": name, "fdr": rate, "edges": edges, "removed": removed, "files": files, "left_out": left_out,
        }));
    }
    let mut text = written(&files, &left_out);
    text += &match removed {
        0 => format!("All {} edges are kept: {}.\n", grouped(edges), fdr_list(&links.lists, rate)),
        _ => format!("Left out: {}, of {}.\n", fdr_list(&links.lists, rate), grouped(edges)),
    };
    screen::print(&text)
}

/// Takes edges away. Where the ground truth is known, true ones among them become missing edges.
fn leave_out(data: &mut Dataset, pairs: &HashSet<(u32, u32)>) -> anyhow::Result<()> {
    let kept: Vec<(u32, u32)> = data.graph.edge_list().filter(|edge| !pairs.contains(edge)).collect();
    data.graph = Graph::from_edges(data.nodes(), &kept)?;
    if let Some(EdgeTruth { spurious, missing }) = &mut data.truth {
        let wrong: HashSet<(u32, u32)> = spurious.iter().copied().collect();
        spurious.retain(|edge| !pairs.contains(edge));
        missing.extend(pairs.iter().filter(|edge| !wrong.contains(edge)));
        missing.sort_unstable();
    }
    Ok(())
}
