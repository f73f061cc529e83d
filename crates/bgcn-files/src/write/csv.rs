//! A dataset as a folder of CSV files that [`table::read`](crate::read::table::read) gives back equal.
//!
//! `edges.csv`, `features.csv` (none for X = I), `labels.csv` with every node in order, and where there is something
//! to write `split.csv`, `spurious.csv`, `missing.csv`. A folder appears whole or not at all: everything is written
//! beside it and then renamed.

use super::refuse;
use crate::files::{Folder, write_new};
use crate::read::table::respelled::{self, is_no_id};
use crate::read::table::text::AS_WRITTEN;
use crate::read::tidy;
use bgcn_core::data::{Dataset, Error, Features, Labels};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

const FILES: [&str; 6] = ["edges.csv", "features.csv", "labels.csv", "split.csv", "spurious.csv", "missing.csv"];
pub(super) const DATASET: Folder = Folder { kind: "dataset", owns: |name| FILES.contains(&name) };

/// Writes `data` into the folder `dir` and returns the paths of its files.
///
/// Names with line breaks, empty names, dense features without columns, graphs without edges and splits without
/// training nodes cannot be expressed and are refused.
pub fn write(data: &Dataset, dir: &Path, overwrite: bool) -> Result<Vec<PathBuf>, Error> {
    check(data)?;
    let written = DATASET.publish(dir, overwrite, |fresh| write_files(data, fresh))?;
    Ok(written.into_iter().map(|file| dir.join(file)).collect())
}

fn check(data: &Dataset) -> Result<(), Error> {
    let nodes = (0..data.nodes() as u32).map(|a| ("node", data.ids.name(a)));
    let classes = match &data.labels {
        Labels::Classes { names, .. } => names.as_slice(),
        Labels::Values(_) => &[],
    };
    if let Some(name) = data.node_names.iter().find(|name| name.contains(['\n', '\r'])) {
        return Err(refuse(data, format!("the name {name:?} cannot be written as CSV"), "Names need no line break."));
    }
    for (kind, name) in nodes.chain(classes.iter().map(|name| ("class", Cow::Borrowed(name.as_str())))) {
        if name.is_empty() || name.contains(['\n', '\r']) {
            let what = format!("the {kind} {name:?} cannot be written as CSV");
            return Err(refuse(data, what, "Names need a letter and no line break."));
        }
    }
    if data.graph.edges() == 0 {
        return Err(refuse(data, "the graph has no edges", "A dataset needs at least one."));
    }
    if !matches!(data.features, Features::Identity(_) | Features::Sparse(_)) && data.features.columns() == 0 {
        return Err(refuse(data, "the features have no columns", "Use identity features instead."));
    }
    if data.fixed_split.as_ref().is_some_and(|split| split.train.is_empty()) {
        return Err(refuse(data, "the fixed split has no training nodes", "Remove the split."));
    }
    Ok(())
}

fn write_files(data: &Dataset, dir: &Path) -> Result<Vec<&'static str>, Error> {
    // These words head our columns; a node of the same name makes the header uncertain.
    let heads = |a| ["source", "target", "id"].contains(&data.ids.name(a).as_ref());
    let needs_mark = (0..data.nodes() as u32).any(heads);
    let as_written = is_read_as_another(data);
    let mut written = Vec::new();
    let mut file = |name: &'static str, content: &dyn Fn(&mut BufWriter<File>) -> io::Result<()>| {
        let path = dir.join(name);
        written.push(name);
        let fill = |out: &mut BufWriter<File>| {
            if needs_mark {
                writeln!(out, "# header")?;
            }
            if as_written {
                writeln!(out, "# {AS_WRITTEN}")?;
            }
            content(out)
        };
        write_new(&path, fill).map_err(Error::io("writing", &path))
    };
    file("edges.csv", &|out| pairs(out, data, data.graph.edge_list()))?;
    if !matches!(data.features, Features::Identity(_)) {
        file("features.csv", &|out| features(out, data))?;
    }
    file("labels.csv", &|out| labels(out, data))?;
    if let Some(split) = &data.fixed_split {
        file("split.csv", &|out| {
            writeln!(out, "id,set")?;
            for (set, nodes) in split.sets() {
                nodes.iter().try_for_each(|&a| writeln!(out, "{},{set}", id(data, a)))?;
            }
            Ok(())
        })?;
    }
    if let Some(truth) = &data.truth {
        file("spurious.csv", &|out| pairs(out, data, truth.spurious.iter().copied()))?;
        file("missing.csv", &|out| pairs(out, data, truth.missing.iter().copied()))?;
    }
    Ok(written)
}

fn pairs(out: &mut impl Write, data: &Dataset, edges: impl IntoIterator<Item = (u32, u32)>) -> io::Result<()> {
    writeln!(out, "source,target")?;
    edges.into_iter().try_for_each(|(a, b)| writeln!(out, "{},{}", id(data, a), id(data, b)))
}

fn features(out: &mut impl Write, data: &Dataset) -> io::Result<()> {
    match &data.features {
        Features::Identity(_) => {}
        Features::Dense(rows) => {
            // No column is an id or a date here, whatever its numbers look like.
            write!(out, "# all columns\nid")?;
            match &data.feature_names[..] {
                [] => (0..rows.columns).try_for_each(|column| write!(out, ",f{column}"))?,
                names => names.iter().try_for_each(|name| write!(out, ",{}", quoted(name.into())))?,
            }
            for (a, row) in (0..).zip(rows.values.chunks_exact(rows.columns)) {
                write!(out, "\n{}", id(data, a))?;
                row.iter().try_for_each(|value| write!(out, ",{value}"))?;
            }
            writeln!(out)?;
        }
        Features::Sparse(rows) => {
            writeln!(out, "# columns {}\nid,column,value", rows.columns)?;
            for a in 0..rows.rows() {
                let name = id(data, a as u32);
                let (columns, values) = rows.row(a);
                if columns.is_empty() {
                    writeln!(out, "{name},,")?;
                }
                columns.iter().zip(values).try_for_each(|(column, value)| writeln!(out, "{name},{column},{value}"))?;
            }
        }
    }
    Ok(())
}

fn labels(out: &mut impl Write, data: &Dataset) -> io::Result<()> {
    if has_isolated(data) {
        writeln!(out, "# all nodes")?;
    }
    let (head, name): (_, &dyn Fn(u32) -> String) = match data.node_names[..] {
        [] => ("id,label", &|_| String::new()),
        _ => ("# names: name\nid,label,name", &|a| format!(",{}", quoted(data.node_name(a).into()))),
    };
    match &data.labels {
        Labels::Classes { names, of } => {
            let names: Vec<Cow<'_, str>> = names.iter().map(|name| quoted(name.into())).collect();
            writeln!(out, "# classes: {}\n{head}", names.join(","))?;
            for (a, class) in (0..).zip(of) {
                writeln!(out, "{},{}{}", id(data, a), class.map_or("", |class| &names[class as usize]), name(a))?;
            }
        }
        Labels::Values(values) => {
            writeln!(out, "# values\n{head}")?;
            for (a, value) in (0..).zip(values) {
                writeln!(out, "{},{}{}", id(data, a), value.map_or(String::new(), |value| value.to_string()), name(a))?;
            }
        }
    }
    Ok(())
}

/// Whether an id or another word would be read as another one.
fn is_read_as_another(data: &Dataset) -> bool {
    let ids = || (0..data.nodes() as u32).map(|a| data.ids.name(a));
    let classes = match &data.labels {
        Labels::Classes { names, .. } => names.as_slice(),
        Labels::Values(_) => &[],
    };
    let mut words = classes.iter().chain(&data.feature_names);
    ids().any(|id| respelled::changes(&id) || tidy::changes(&id)) || words.any(|word| tidy::changes(word))
}

/// Whether a labelled node has no edge: a comment then says that this is no mistake.
fn has_isolated(data: &Dataset) -> bool {
    (0..data.nodes() as u32).any(|a| data.labels.is_known(a) && data.graph.degree(a) == 0)
}

fn id(data: &Dataset, a: u32) -> Cow<'_, str> {
    quoted(data.ids.name(a))
}

/// A name as a CSV field: in quotes, if the reader would take it for something else without them.
pub fn quoted(name: Cow<'_, str>) -> Cow<'_, str> {
    let float = name.contains(['.', 'e', 'E']) && name.parse::<f64>().is_ok();
    let plain = !float
        && !is_no_id(&name)
        && !name.contains([',', '"', ';', '\t', '|'])
        && !name.starts_with(['#', '%'])
        && name.trim_ascii() == name;
    if plain { name } else { Cow::Owned(format!("\"{}\"", name.replace('"', "\"\""))) }
}
