//! The folder of a graph model: λ, and beside it the nodes' ids and classes and the observed edges, so that drawn graphs
//! can be compared with them.

use crate::Error;
use crate::data::{Dataset, write::quoted};
use crate::files::{Folder, write_new};
use crate::graph_model::{self, SavedModel};
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

/// Edges of the observed graph, by node number.
pub const OBSERVED: &str = "observed.csv";
/// Class numbers of the nodes, where there are classes.
pub const CLASSES: &str = "classes.csv";
/// Ids of the nodes, by number.
pub const NODES: &str = "nodes.csv";

/// Graphs that were drawn from a model lie beside it and go with it.
const MODEL: Folder = Folder {
    kind: "graph model",
    owns: |name| {
        let number = name.strip_prefix("graph-").and_then(|rest| rest.strip_suffix(".csv"));
        [graph_model::JSON, graph_model::TENSORS, OBSERVED, CLASSES, NODES].contains(&name)
            || number.is_some_and(|number| number.bytes().all(|c| c.is_ascii_digit()))
    },
};

/// The name of the i-th drawn graph, from 0.
pub fn drawn_graph(i: u32) -> String {
    format!("graph-{}.csv", i + 1)
}

/// An error where a model cannot be written to `path`. Worth asking before long work.
pub fn check_model_folder(path: &Path, overwrite: bool) -> Result<(), Error> {
    MODEL.check(path, overwrite)?;
    Ok(())
}

/// Writes the folder of a model that was inferred from `data`, whole or not at all.
pub fn write_model(path: &Path, overwrite: bool, data: &Dataset, saved: &SavedModel) -> Result<(), Error> {
    let nodes = || 0..data.nodes() as u32;
    MODEL.publish(path, overwrite, |folder| {
        let put = |name: &str, fill: &dyn Fn(&mut BufWriter<File>) -> io::Result<()>| {
            let path = folder.join(name);
            write_new(&path, |w| fill(w)).map_err(Error::io("writing", &path))
        };
        saved.write_files(folder)?;
        put(OBSERVED, &|w| {
            writeln!(w, "source,target")?;
            data.graph.edge_list().try_for_each(|(a, b)| writeln!(w, "{a},{b}"))
        })?;
        put(NODES, &|w| {
            writeln!(w, "node,id")?;
            nodes().try_for_each(|a| writeln!(w, "{a},{}", quoted(data.ids.name(a))))
        })?;
        if data.labels.classes() == 0 {
            return Ok(());
        }
        put(CLASSES, &|w| {
            writeln!(w, "node,class")?;
            let class = |a| data.labels.class(a).map_or(String::new(), |class| class.to_string());
            nodes().try_for_each(|a| writeln!(w, "{a},{}", class(a)))
        })
    })
}
