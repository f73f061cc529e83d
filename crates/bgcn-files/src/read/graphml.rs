//! GraphML, as NetworkX, igraph, yEd and Gephi write it.
//!
//! | element | becomes |
//! |---|---|
//! | `<key for="node">` | a column, by its `attr.name`; `<default>` fills the gaps |
//! | `<node id>` with `<data key>` | a node and its cells |
//! | `<edge source target>` | an edge; the attribute `weight`, or the one asked for, is its weight |
//!
//! Ports, hyperedges and graphs inside nodes are refused. The drawings of yEd are left out with a remark.

use std::collections::HashMap;
use std::path::Path;

use super::ReadOptions;
use super::attributed::Attributed;
use super::collect::{Collector, Edge};
use super::xml::{Piece, Tag, Xml, declared, decode};
use bgcn_core::data::BadInput;

/// A declared attribute.
struct Key {
    name: String,
    kind: String,
    /// Whether it holds a drawing.
    drawing: bool,
    node: Option<usize>,
    edge: bool,
    default: Option<String>,
}

struct GraphMl<'a> {
    xml: Xml<'a>,
    keys: HashMap<String, Key>,
    to: Collector<'a>,
}

/// Reads a file that is in memory already; `file` gives it its name.
pub(super) fn from_bytes(file: &Path, bytes: &[u8], options: &ReadOptions) -> Result<Attributed, BadInput> {
    let text = decode(file, bytes)?;
    let (xml, to) = (Xml::new(file, &text), Collector::new(file, options));
    let mut reader = GraphMl { xml, keys: HashMap::new(), to };
    reader.document()?;
    let texts = reader.keys.values().filter(|key| key.kind == "string").map(|key| key.name.clone());
    let texts: Vec<String> = texts.collect();
    let mut graph = reader.to.finish()?;
    let names: Vec<&str> = ["name", "id"].into_iter().filter(|name| texts.iter().any(|text| text == name)).collect();
    Collector::rename(&mut graph, file, &names);
    Ok(graph)
}

impl<'a> GraphMl<'a> {
    fn document(&mut self) -> Result<(), BadInput> {
        let mut graphs = 0;
        let mut inside = false;
        while let Some(piece) = self.xml.next()? {
            let Piece::Open(tag) = piece else { continue };
            match &tag.name[..] {
                "graphml" if !inside => inside = true,
                "key" if inside => self.key(&tag)?,
                "graph" if inside && graphs == 1 => {
                    return Err(self.xml.bad("a second graph", "a file holds one").next("Save them one by one."));
                }
                "graph" if inside => {
                    graphs = 1;
                    self.graph(&tag)?;
                }
                _ if inside => self.xml.skip()?,
                other => return Err(self.xml.bad(format!("<{other}>"), "<graphml> comes first")),
            }
        }
        Ok(())
    }

    fn key(&mut self, tag: &Tag<'a>) -> Result<(), BadInput> {
        let id = self.xml.needed(tag, "id")?.to_owned();
        let name = tag.get("attr.name").unwrap_or(&id).to_owned();
        let kind = tag.get("attr.type").unwrap_or("string").to_ascii_lowercase();
        let drawing = tag.get("yfiles.type").is_some();
        let (node, edge) = match tag.get("for").unwrap_or("all") {
            "node" => (true, false),
            "edge" => (false, true),
            "all" => (true, true),
            _ => (false, false),
        };
        let mut default = None;
        while let Some(inner) = self.xml.child()? {
            let (text, _) = self.xml.text()?;
            if inner.name == "default" && !drawing {
                default = Some(self.xml.typed(&name, &kind, &text)?).filter(|text| !text.is_empty());
            }
        }
        let node = if node && !drawing { Some(self.to.column(&name)) } else { None };
        if let (Some(column), Some(default)) = (node, &default) {
            self.to.default(column, default);
        }
        if edge && !drawing && tag.get("for") == Some("edge") {
            self.to.is_weight(&name);
        }
        let key = Key { name, kind, drawing, node, edge, default };
        if self.keys.insert(id.clone(), key).is_some() {
            return Err(self.xml.bad(format!("the key {id:?} again"), "every key is declared once"));
        }
        Ok(())
    }

    fn graph(&mut self, tag: &Tag<'a>) -> Result<(), BadInput> {
        let directed = tag.get("edgedefault") == Some("directed");
        while let Some(tag) = self.xml.child()? {
            match &tag.name[..] {
                "node" => self.node(&tag)?,
                "edge" => self.edge(&tag, directed)?,
                "hyperedge" => {
                    return Err(self.xml.bad("a hyperedge", "edges have two ends").next("Replace it by edges."));
                }
                _ => self.xml.skip()?,
            }
        }
        Ok(())
    }

    fn node(&mut self, tag: &Tag<'a>) -> Result<(), BadInput> {
        let place = format!("line {}", tag.line);
        let id = self.xml.needed(tag, "id")?;
        let a = self.to.node(id, &place)?;
        while let Some(tag) = self.xml.child()? {
            match &tag.name[..] {
                "data" => {
                    if let Some((_, Some(column), value)) = self.data(&tag)? {
                        self.to.set(a, column, &value, &format!("line {}", tag.line))?;
                    }
                }
                "graph" => {
                    let found = "a graph inside a node";
                    return Err(self.xml.bad(found, "graphs are flat").next("Ungroup the nodes, and save again."));
                }
                "port" => return Err(self.xml.bad("a port", "edges join nodes").next("Save without ports.")),
                _ => self.xml.skip()?,
            }
        }
        Ok(())
    }

    fn edge(&mut self, tag: &Tag<'a>, directed: bool) -> Result<(), BadInput> {
        if tag.get("sourceport").or(tag.get("targetport")).is_some() {
            return Err(self.xml.bad("an edge between ports", "edges join nodes").next("Save without ports."));
        }
        let source = self.xml.needed(tag, "source")?.to_owned();
        let target = self.xml.needed(tag, "target")?.to_owned();
        self.to.directed(tag.get("directed").map_or(directed, |word| word == "true"));
        let place = format!("line {}", tag.line);
        let mut weight = None;
        while let Some(tag) = self.xml.child()? {
            if tag.name != "data" {
                self.xml.skip()?;
            } else if let Some((name, _, value)) = self.data(&tag)?
                && self.to.is_weight(&name)
            {
                weight = self.to.weight(&value, &format!("line {}", tag.line))?;
            }
        }
        if weight.is_none() {
            weight = self.default_weight(&place)?;
        }
        self.to.edge(Edge { source, target, place, weight })
    }

    /// What edges without a weight have.
    fn default_weight(&mut self, place: &str) -> Result<Option<f64>, BadInput> {
        for key in self.keys.values().filter(|key| key.edge && key.default.is_some()) {
            if self.to.is_weight(&key.name) {
                return self.to.weight(key.default.as_deref().unwrap_or(""), place);
            }
        }
        Ok(None)
    }

    /// An attribute's name, its column where nodes have it, and its value; none where it is left out.
    fn data(&mut self, tag: &Tag<'a>) -> Result<Option<(String, Option<usize>, String)>, BadInput> {
        let id = self.xml.needed(tag, "key")?;
        let (text, others) = self.xml.text()?;
        let Some(key) = self.keys.get(id) else {
            return Err(BadInput::new(self.xml.file, format!("line {}", tag.line), format!("data of the key {id:?}"))
                .allowed(declared(&self.keys))
                .next("Declare it with <key>, or remove the data."));
        };
        if key.drawing {
            self.to.remark("how the graph is drawn is left out");
            return Ok(None);
        }
        if others {
            self.to.remark(&format!("the attribute {:?} holds elements and is left out", key.name));
            return Ok(None);
        }
        let value = self.xml.typed(&key.name, &key.kind, &text)?;
        Ok(Some((key.name.clone(), key.node, value)))
    }
}

#[cfg(test)]
mod tests;
