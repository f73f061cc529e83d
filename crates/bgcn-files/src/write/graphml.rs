//! A dataset as GraphML: features as attributes of nodes, the label as their attribute `label`.

use super::{prepare, refuse};
use crate::files::write_atomically;
use bgcn_core::data::{Dataset, Error, Features, Labels};
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

/// More columns than this make a file that no program likes.
const COLUMNS: usize = 1000;

/// Writes `data` into the file `path`: ids, features, labels and edges.
///
/// The format has no place for a split, for the truth about edges, or for the order of classes. Features are called by
/// their names where all differ, `f0`, `f1`, … otherwise. More than 1000 of them, and ids or names with control
/// characters, are refused.
pub fn write_graphml(data: &Dataset, path: &Path, overwrite: bool) -> Result<(), Error> {
    prepare(path, overwrite)?;
    let columns = match &data.features {
        Features::Identity(_) => 0,
        features => features.columns(),
    };
    if columns > COLUMNS {
        let what = format!("{columns} features are too many for GraphML, which writes out their names at every node");
        return Err(refuse(data, what, "Write .npz instead."));
    }
    let names = names(data, columns);
    let classes = match &data.labels {
        Labels::Classes { names, .. } => names.as_slice(),
        Labels::Values(_) => &[],
    };
    let ids: Vec<String> = (0..data.nodes() as u32).map(|a| data.ids.name(a).into_owned()).collect();
    if let Some(text) = ids.iter().chain(&names).chain(classes).find(|text| text.is_empty() || text.chars().any(unfit))
    {
        return Err(refuse(data, format!("{text:?} cannot be written as XML"), "Rename it."));
    }
    if data.graph.edges() == 0 {
        return Err(refuse(data, "the graph has no edges", "A dataset needs at least one."));
    }
    write_atomically(path, |out| document(out, data, &names, &ids)).map_err(Error::io("writing", path))
}

/// Characters that XML cannot hold, or that readers may change.
fn unfit(c: char) -> bool {
    c.is_control() || c == '\u{fffe}' || c == '\u{ffff}'
}

/// What the features are called.
fn names(data: &Dataset, columns: usize) -> Vec<String> {
    let given = &data.feature_names;
    let different = given.iter().map(String::as_str).chain(["label"]).collect::<HashSet<_>>().len() == given.len() + 1;
    if columns > 0 && given.len() == columns && different {
        return given.clone();
    }
    (0..columns).map(|column| format!("f{column}")).collect()
}

fn document(out: &mut impl Write, data: &Dataset, names: &[String], ids: &[String]) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
    let key = |out: &mut dyn Write, id: &str, name: &str, kind: &str, default: &str| {
        let name = escaped(name);
        writeln!(out, "<key id=\"{id}\" for=\"node\" attr.name=\"{name}\" attr.type=\"{kind}\">{default}</key>")
    };
    let kind = if matches!(data.labels, Labels::Classes { .. }) { "string" } else { "float" };
    key(out, "label", "label", kind, "")?;
    // Zeros are not written out.
    names
        .iter()
        .enumerate()
        .try_for_each(|(i, name)| key(out, &format!("f{i}"), name, "float", "<default>0</default>"))?;
    writeln!(out, "<graph edgedefault=\"undirected\">")?;
    for (a, id) in ids.iter().enumerate() {
        write!(out, "<node id=\"{}\">", escaped(id))?;
        let label = match &data.labels {
            Labels::Classes { names, of } => of[a].map(|class| escaped(&names[class as usize])),
            Labels::Values(of) => of[a].map(|value| value.to_string()),
        };
        if let Some(label) = label {
            write!(out, "<data key=\"label\">{label}</data>")?;
        }
        let mut feature = |column: usize, value: f32| match value {
            0.0 => Ok(()),
            value => write!(out, "<data key=\"f{column}\">{value}</data>"),
        };
        match &data.features {
            Features::Identity(_) => {}
            Features::Dense(rows) => {
                let row = &rows.values[a * rows.columns..(a + 1) * rows.columns];
                row.iter().enumerate().try_for_each(|(column, &value)| feature(column, value))?;
            }
            Features::Sparse(rows) => {
                let (columns, values) = rows.row(a);
                columns.iter().zip(values).try_for_each(|(&column, &value)| feature(column as usize, value))?;
            }
        }
        writeln!(out, "</node>")?;
    }
    for (a, b) in data.graph.edge_list() {
        let (source, target) = (escaped(&ids[a as usize]), escaped(&ids[b as usize]));
        writeln!(out, "<edge source=\"{source}\" target=\"{target}\"/>")?;
    }
    writeln!(out, "</graph>\n</graphml>")
}

/// A text as XML writes it, in attributes and outside.
fn escaped(text: &str) -> String {
    quick_xml::escape::escape(text).into_owned()
}
