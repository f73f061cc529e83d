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
use super::collect::{Collector, Edge, typed};
use super::xml::{Piece, Tag, Xml, decode};
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
    /// An attribute that the format demands.
    fn needed<'b>(&mut self, tag: &'b Tag<'_>, name: &str) -> Result<&'b str, BadInput> {
        tag.get(name).ok_or_else(|| self.xml.bad(format!("<{}> without {name}", tag.name), "it is needed"))
    }

    fn document(&mut self) -> Result<(), BadInput> {
        let mut graphs = 0;
        let mut inside = false;
        while let Some(piece) = self.xml.next()? {
            match piece {
                Piece::Open(tag) => match &tag.name[..] {
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
                },
                Piece::Close | Piece::Text(_) => {}
            }
        }
        Ok(())
    }

    fn key(&mut self, tag: &Tag<'a>) -> Result<(), BadInput> {
        let id = self.needed(tag, "id")?.to_owned();
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
        while let Some(piece) = self.xml.next()? {
            match piece {
                Piece::Open(inner) if inner.name == "default" && !drawing => {
                    let (text, _) = self.xml.text()?;
                    default = Some(self.typed(&name, &kind, &text)?).filter(|text| !text.is_empty());
                }
                Piece::Open(_) => self.xml.skip()?,
                Piece::Close => break,
                Piece::Text(_) => {}
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

    fn typed(&mut self, name: &str, kind: &str, text: &str) -> Result<String, BadInput> {
        typed(kind, text).map_err(|allowed| {
            let found = format!("{:?} for {name:?} of type {kind}", text.trim().chars().take(60).collect::<String>());
            self.xml.bad(found, allowed).next("Correct the value, or declare another type.")
        })
    }

    fn graph(&mut self, tag: &Tag<'a>) -> Result<(), BadInput> {
        let directed = tag.get("edgedefault") == Some("directed");
        while let Some(piece) = self.xml.next()? {
            match piece {
                Piece::Open(tag) => match &tag.name[..] {
                    "node" => self.node(&tag)?,
                    "edge" => self.edge(&tag, directed)?,
                    "hyperedge" => {
                        return Err(self.xml.bad("a hyperedge", "edges have two ends").next("Replace it by edges."));
                    }
                    _ => self.xml.skip()?,
                },
                Piece::Close => break,
                Piece::Text(_) => {}
            }
        }
        Ok(())
    }

    fn node(&mut self, tag: &Tag<'a>) -> Result<(), BadInput> {
        let place = format!("line {}", tag.line);
        let id = self.needed(tag, "id")?;
        let a = self.to.node(id, &place)?;
        while let Some(piece) = self.xml.next()? {
            match piece {
                Piece::Open(tag) => match &tag.name[..] {
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
                },
                Piece::Close => break,
                Piece::Text(_) => {}
            }
        }
        Ok(())
    }

    fn edge(&mut self, tag: &Tag<'a>, directed: bool) -> Result<(), BadInput> {
        if tag.get("sourceport").or(tag.get("targetport")).is_some() {
            return Err(self.xml.bad("an edge between ports", "edges join nodes").next("Save without ports."));
        }
        let source = self.needed(tag, "source")?.to_owned();
        let target = self.needed(tag, "target")?.to_owned();
        self.to.directed(tag.get("directed").map_or(directed, |word| word == "true"));
        let place = format!("line {}", tag.line);
        let mut weight = None;
        while let Some(piece) = self.xml.next()? {
            match piece {
                Piece::Open(tag) if tag.name == "data" => {
                    if let Some((name, _, value)) = self.data(&tag)?
                        && self.to.is_weight(&name)
                    {
                        weight = self.to.weight(&value, &format!("line {}", tag.line))?;
                    }
                }
                Piece::Open(_) => self.xml.skip()?,
                Piece::Close => break,
                Piece::Text(_) => {}
            }
        }
        if weight.is_none() {
            weight = self.default_weight(&place)?;
        }
        self.to.edge(Edge { source, target, place, weight });
        Ok(())
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
        let id = self.needed(tag, "key")?.to_owned();
        let (text, others) = self.xml.text()?;
        let Some(key) = self.keys.get(&id) else {
            let mut known: Vec<&str> = self.keys.keys().map(String::as_str).take(20).collect();
            known.sort_unstable();
            let allowed = format!("declared are {}", if known.is_empty() { "none".into() } else { known.join(", ") });
            return Err(BadInput::new(self.xml.file, format!("line {}", tag.line), format!("data of the key {id:?}"))
                .allowed(allowed)
                .next("Declare it with <key>, or remove the data."));
        };
        let (name, kind, column) = (key.name.clone(), key.kind.clone(), key.node);
        if key.drawing {
            self.to.remark("how the graph is drawn is left out");
            return Ok(None);
        }
        if others {
            self.to.remark(&format!("the attribute {name:?} holds elements and is left out"));
            return Ok(None);
        }
        let value = self.typed(&name, &kind, &text)?;
        Ok(Some((name, column, value)))
    }
}

#[cfg(test)]
mod tests;
