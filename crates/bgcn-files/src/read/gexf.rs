//! GEXF, the format of Gephi.
//!
//! | element | becomes |
//! |---|---|
//! | `<attributes class="node">` | columns, by their titles; `<default>` fills the gaps |
//! | `<node id label>` with `<attvalue for value>` | a node and its cells; `label` is a column too |
//! | `<edge source target weight>` | an edge |
//!
//! Nodes inside nodes are refused. Sizes, colours and places of nodes are left out silently, what changes over time
//! with a remark.

use std::collections::HashMap;
use std::path::Path;

use super::ReadOptions;
use super::attributed::Attributed;
use super::collect::{Collector, Edge};
use super::xml::{Piece, Tag, Xml, declared, decode};
use bgcn_core::data::BadInput;

const OVER_TIME: &str = "what changes over time is left out";

/// A declared attribute.
struct Attribute {
    title: String,
    kind: String,
    /// Whether values hold for some time only.
    dynamic: bool,
    column: usize,
}

struct Gexf<'a> {
    xml: Xml<'a>,
    nodes: HashMap<String, Attribute>,
    edges: HashMap<String, Attribute>,
    /// The column of the labels of nodes.
    label: usize,
    to: Collector<'a>,
}

/// The column of the labels of nodes until all titles are known.
const LABEL: &str = "\u{0}label";

/// Reads a file that is in memory already; `file` gives it its name.
pub(super) fn from_bytes(file: &Path, bytes: &[u8], options: &ReadOptions) -> Result<Attributed, BadInput> {
    let text = decode(file, bytes)?;
    let mut to = Collector::new(file, options);
    let label = to.column(LABEL);
    let mut reader = Gexf { xml: Xml::new(file, &text), nodes: HashMap::new(), edges: HashMap::new(), label, to };
    reader.document()?;
    let mut graph = reader.to.finish()?;
    finish_label(&mut graph);
    Ok(graph)
}

/// The labels of nodes under a title that no attribute has; without any the column goes.
fn finish_label(graph: &mut Attributed) {
    graph.remarks.iter_mut().for_each(|remark| *remark = remark.replace("\\0label", "label"));
    let Some(column) = graph.columns.iter().position(|name| name == LABEL) else { return };
    if graph.cells.iter().all(|row| row[column].is_empty()) {
        graph.columns.remove(column);
        graph.cells.iter_mut().for_each(|row| drop(row.remove(column)));
        return;
    }
    let free = ["label", "node label"].into_iter().find(|name| !graph.columns.iter().any(|own| own == name));
    graph.columns[column] = free.unwrap_or("label of the node").to_owned();
}

impl<'a> Gexf<'a> {
    fn document(&mut self) -> Result<(), BadInput> {
        let (mut directed, mut graphs) = (false, 0);
        while let Some(piece) = self.xml.next()? {
            let Piece::Open(tag) = piece else { continue };
            match &tag.name[..] {
                "gexf" | "nodes" | "edges" => {}
                "graph" => {
                    graphs += 1;
                    if graphs > 1 {
                        return Err(self.xml.bad("a second graph", "a file holds one").next("Save them one by one."));
                    }
                    directed = tag.get("defaultedgetype") == Some("directed");
                    if tag.get("mode") == Some("dynamic") {
                        self.to.remark(OVER_TIME);
                    }
                }
                "attributes" => self.attributes(&tag)?,
                "node" => self.node(&tag)?,
                "edge" => self.edge(&tag, directed)?,
                _ => self.xml.skip()?,
            }
        }
        Ok(())
    }

    fn attributes(&mut self, tag: &Tag<'a>) -> Result<(), BadInput> {
        let dynamic = tag.get("mode") == Some("dynamic");
        let of_nodes = match tag.get("class") {
            Some("node") => true,
            Some("edge") => false,
            _ => return self.xml.skip(),
        };
        while let Some(tag) = self.xml.child()? {
            match &tag.name[..] {
                "attribute" => self.attribute(&tag, of_nodes, dynamic)?,
                _ => self.xml.skip()?,
            }
        }
        Ok(())
    }

    fn attribute(&mut self, tag: &Tag<'a>, of_nodes: bool, dynamic: bool) -> Result<(), BadInput> {
        let id = self.xml.needed(tag, "id")?.to_owned();
        let title = tag.get("title").unwrap_or(&id).to_owned();
        let kind = tag.get("type").unwrap_or("string").to_ascii_lowercase();
        let column = if of_nodes && !dynamic { self.to.column(&title) } else { usize::MAX };
        while let Some(tag) = self.xml.child()? {
            let (text, _) = self.xml.text()?;
            if tag.name == "default" && of_nodes && !dynamic {
                let value = self.xml.typed(&title, &kind, &text)?;
                self.to.default(column, &value);
            }
        }
        let attribute = Attribute { title, kind, dynamic, column };
        let table = if of_nodes { &mut self.nodes } else { &mut self.edges };
        if table.insert(id.clone(), attribute).is_some() {
            return Err(self.xml.bad(format!("the attribute {id:?} again"), "every attribute is declared once"));
        }
        Ok(())
    }

    fn node(&mut self, tag: &Tag<'a>) -> Result<(), BadInput> {
        let place = format!("line {}", tag.line);
        if tag.get("pid").is_some() {
            return Err(self.xml.bad("a node inside a node", "graphs are flat").next("Ungroup the nodes."));
        }
        let id = self.xml.needed(tag, "id")?;
        let a = self.to.node(id, &place)?;
        if let Some(label) = tag.get("label") {
            self.to.set(a, self.label, label, &place)?;
        }
        for (key, value, line) in self.values()? {
            let Some(attribute) = self.nodes.get(&key) else { return Err(self.undeclared(&key, line, true)) };
            if attribute.dynamic {
                self.to.remark(OVER_TIME);
            } else {
                let value = self.xml.typed(&attribute.title, &attribute.kind, &value)?;
                self.to.set(a, attribute.column, &value, &format!("line {line}"))?;
            }
        }
        Ok(())
    }

    fn edge(&mut self, tag: &Tag<'a>, directed: bool) -> Result<(), BadInput> {
        let place = format!("line {}", tag.line);
        let source = self.xml.needed(tag, "source")?.to_owned();
        let target = self.xml.needed(tag, "target")?.to_owned();
        self.to.directed(tag.get("type").map_or(directed, |word| word == "directed"));
        let mut weight = match tag.get("weight") {
            Some(weight) if self.to.is_weight("weight") => self.to.weight(weight, &place)?,
            _ => None,
        };
        for (key, value, line) in self.values()? {
            let Some(attribute) = self.edges.get(&key) else { return Err(self.undeclared(&key, line, false)) };
            if attribute.dynamic {
                self.to.remark(OVER_TIME);
            } else if self.to.is_weight(&attribute.title) {
                weight = self.to.weight(&value, &format!("line {line}"))?;
            }
        }
        self.to.edge(Edge { source, target, place, weight })
    }

    /// The `<attvalue>`s of a node or an edge up to its end: key, value and line.
    fn values(&mut self) -> Result<Vec<(String, String, usize)>, BadInput> {
        let (mut values, mut depth) = (Vec::new(), 1);
        while depth > 0 {
            match self.xml.next()? {
                Some(Piece::Open(tag)) => match &tag.name[..] {
                    "attvalue" if tag.get("start").or(tag.get("end")).or(tag.get("timestamp")).is_some() => {
                        self.to.remark(OVER_TIME);
                        self.xml.skip()?;
                    }
                    "attvalue" => {
                        // Version 1.1 calls it `id`.
                        let key = tag.get("for").or(tag.get("id"));
                        let Some(key) = key else { return Err(self.xml.bad("<attvalue> without for", "it is needed")) };
                        values.push((key.to_owned(), self.xml.needed(&tag, "value")?.to_owned(), tag.line));
                        self.xml.skip()?;
                    }
                    "attvalues" => depth += 1,
                    "nodes" | "node" if tag.prefix != "viz" => {
                        let found = "a node inside a node";
                        return Err(self.xml.bad(found, "graphs are flat").next("Ungroup the nodes."));
                    }
                    "spells" | "slices" => {
                        self.to.remark(OVER_TIME);
                        self.xml.skip()?;
                    }
                    _ => self.xml.skip()?,
                },
                Some(Piece::Close) => depth -= 1,
                Some(Piece::Text(_)) => {}
                None => break,
            }
        }
        Ok(values)
    }

    fn undeclared(&self, key: &str, line: usize, of_nodes: bool) -> BadInput {
        BadInput::new(self.xml.file, format!("line {line}"), format!("a value of the attribute {key:?}"))
            .allowed(declared(if of_nodes { &self.nodes } else { &self.edges }))
            .next("Declare it with <attribute>, or remove the value.")
    }
}

#[cfg(test)]
mod tests;
