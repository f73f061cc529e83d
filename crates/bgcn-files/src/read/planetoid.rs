//! The Planetoid layout of Cora, CiteSeer and Pubmed: eight files `ind.NAME.PART` (Yang et al., 2016).
//!
//! | part | holds |
//! |---|---|
//! | `x`, `y` | features and one-hot labels of the training nodes, the first rows of `allx` and `ally` |
//! | `allx`, `ally` | the nodes 0, 1, … that are not for testing |
//! | `tx`, `ty`, `test.index` | the test nodes, and their numbers in the same order |
//! | `graph` | for every node the list of its neighbours |
//!
//! Nodes that are neither in `allx` nor in `test.index` (15 in CiteSeer) have no features and no label but keep their
//! edges. The files know no class names, so classes are called by their number.

use std::path::{Path, PathBuf};

use super::array::Unfit;
use super::pickle::Pickle;
use bgcn_core::data::{BadInput, Dataset, Error, Features, Labels, SparseRows, Split};
use bgcn_core::graph::{Built, Graph};

const PARTS: [&str; 8] = ["x", "y", "tx", "ty", "allx", "ally", "graph", "test.index"];

/// Nodes for choosing settings, after the training nodes: what Planetoid's users agreed on.
const VALIDATION: usize = 500;

const NEXT: &str = "Are all files from one download?";

/// Reads the eight files `ind.NAME.*` in `dir`.
pub fn read(dir: &Path, name: &str) -> Result<Dataset, Error> {
    let file = |part: &str| dir.join(format!("ind.{name}.{part}"));
    let missing: Vec<String> =
        PARTS.iter().filter(|part| !file(part).is_file()).map(|part| format!("ind.{name}.{part}")).collect();
    if !missing.is_empty() {
        return Err(Error::NotFound(format!(
            "reading {name} in the Planetoid layout: {} of 8 files are missing in {}: {}; download the whole set",
            missing.len(),
            dir.display(),
            missing.join(", "),
        )));
    }
    let neighbours = adjacency(&file("graph"))?;
    let nodes = neighbours.len();
    let test = test_index(&file("test.index"), nodes)?;
    let train = block(file("x"), file("y"))?;
    let all = block(file("allx"), file("ally"))?;
    let held_out = block(file("tx"), file("ty"))?;
    let parts = Parts { nodes, train, all, held_out, test };
    parts.check(&file("test.index"))?;

    let (edges, built) = citations(&file("graph"), &neighbours)?;
    let labels = parts.labels();
    Ok(Dataset {
        edges_published: edges,
        features: Features::Sparse(parts.features()),
        fixed_split: Some(parts.split(&labels)),
        labels,
        ..Dataset::of_graph(name, built)
    })
}

/// Features and labels of some nodes, row by row.
struct Block {
    features_file: PathBuf,
    labels_file: PathBuf,
    features: SparseRows,
    labels: Vec<Option<u32>>,
    classes: usize,
}

/// Everything but the graph.
struct Parts {
    nodes: usize,
    train: Block,
    all: Block,
    held_out: Block,
    /// Node numbers, in the order of `held_out`.
    test: Vec<u32>,
}

fn load(file: &Path) -> Result<Vec<u8>, Error> {
    crate::files::read(file).map_err(Error::io("reading", file))
}

fn block(features_file: PathBuf, labels_file: PathBuf) -> Result<Block, Error> {
    let features = matrix(&features_file, &load(&features_file)?)?;
    let (labels, classes) = one_hot(&labels_file, &load(&labels_file)?)?;
    if features.rows() != labels.len() {
        let found = format!("{} rows, but {} has {}", labels.len(), features_file.display(), features.rows());
        return Err(BadInput::new(&labels_file, "", found).allowed("there must be as many").next(NEXT).into());
    }
    Ok(Block { features_file, labels_file, features, labels, classes })
}

/// A pickled csr_matrix as features.
fn matrix(file: &Path, bytes: &[u8]) -> Result<SparseRows, BadInput> {
    let pickle = Pickle::read(file, bytes)?;
    pickle.csr()?.features().map_err(|unfit| unfit.at(file, "").next(NEXT))
}

/// A pickled array of one-hot rows as classes, and how many there are. A row of zeros is a node without label.
fn one_hot(file: &Path, bytes: &[u8]) -> Result<(Vec<Option<u32>>, usize), BadInput> {
    let pickle = Pickle::read(file, bytes)?;
    let array = pickle.array()?;
    let bad = |unfit: Unfit| unfit.at(file, "").next(NEXT);
    let (rows, classes) = array.sides().map_err(bad)?;
    if classes == 0 {
        return Err(bad(Unfit::new(format!("{rows} rows of no column"), "one column per class is needed")));
    }
    let ones = array.whole().map_err(bad)?;
    let class = |(row, ones): (usize, &[i64])| {
        let mut set = (0u32..).zip(ones).filter(|&(_, &one)| one != 0);
        match (set.next(), set.next()) {
            (None, _) => Ok(None),
            (Some((class, 1)), None) => Ok(Some(class)),
            _ => {
                let place = format!("row {row}");
                Err(BadInput::new(file, place, "several classes").allowed("one 1 and zeros, or only zeros").next(NEXT))
            }
        }
    };
    Ok((ones.chunks_exact(classes).enumerate().map(class).collect::<Result<_, _>>()?, classes))
}

/// One node number per line, none twice.
fn test_index(file: &Path, nodes: usize) -> Result<Vec<u32>, Error> {
    let text = crate::files::read_to_string(file).map_err(Error::io("reading", file))?;
    let mut seen = vec![false; nodes];
    let mut test = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let bad = |found: String| {
            let allowed = format!("the graph has nodes 0 to {}, each once at most", nodes - 1);
            BadInput::new(file, format!("line {}", i + 1), found).allowed(allowed).next(NEXT)
        };
        let node: u32 = line.trim().parse().map_err(|_| bad(format!("{:?} is no node number", line.trim())))?;
        match seen.get_mut(node as usize) {
            Some(seen) if !*seen => *seen = true,
            Some(_) => return Err(bad(format!("node {node} a second time")).into()),
            None => return Err(bad(format!("node {node} does not exist")).into()),
        }
        test.push(node);
    }
    Ok(test)
}

impl Parts {
    /// Whether the files fit each other.
    fn check(&self, index_file: &Path) -> Result<(), BadInput> {
        let bad = |file: &Path, found: String, allowed: String| {
            Err(BadInput::new(file, "", found).allowed(allowed).next(NEXT))
        };
        for part in [&self.train, &self.held_out] {
            if part.features.columns != self.all.features.columns {
                let found = format!("{} features", part.features.columns);
                let allowed = format!("{} has {}", self.all.features_file.display(), self.all.features.columns);
                return bad(&part.features_file, found, allowed);
            }
            if part.classes != self.all.classes {
                let found = format!("{} classes", part.classes);
                return bad(
                    &part.labels_file,
                    found,
                    format!("{} has {}", self.all.labels_file.display(), self.all.classes),
                );
            }
        }
        if self.all.classes > self.nodes {
            let allowed = format!("the graph has {} nodes", self.nodes);
            return bad(&self.all.labels_file, format!("{} classes", self.all.classes), allowed);
        }
        let rows = self.all.labels.len();
        if rows > self.nodes {
            let allowed = format!("the graph has {} nodes", self.nodes);
            return bad(&self.all.features_file, format!("{rows} nodes"), allowed);
        }
        if self.test.len() != self.held_out.labels.len() {
            let allowed = format!("{} has {} rows", self.held_out.features_file.display(), self.held_out.labels.len());
            return bad(index_file, format!("{} nodes", self.test.len()), allowed);
        }
        if let Some(&node) = self.test.iter().find(|&&node| (node as usize) < rows) {
            let allowed = format!("nodes 0 to {} are in {}", rows - 1, self.all.features_file.display());
            return bad(index_file, format!("test node {node}"), allowed);
        }
        if !self.all.labels.starts_with(&self.train.labels) {
            let allowed = format!("they must be the first rows of {}", self.all.labels_file.display());
            return bad(&self.train.labels_file, "other labels".into(), allowed);
        }
        if (0..self.train.labels.len()).any(|a| self.train.features.row(a) != self.all.features.row(a)) {
            let allowed = format!("they must be the first rows of {}", self.all.features_file.display());
            return bad(&self.train.features_file, "other features".into(), allowed);
        }
        Ok(())
    }

    /// For every node beyond `allx` its row in `tx`.
    fn test_rows(&self) -> Vec<Option<usize>> {
        let mut rows = vec![None; self.nodes - self.all.labels.len()];
        for (row, &node) in self.test.iter().enumerate() {
            rows[node as usize - self.all.labels.len()] = Some(row);
        }
        rows
    }

    fn features(&self) -> SparseRows {
        let mut x = self.all.features.clone();
        for row in self.test_rows() {
            if let Some(row) = row {
                let (columns, values) = self.held_out.features.row(row);
                x.indices.extend_from_slice(columns);
                x.values.extend_from_slice(values);
            }
            x.offsets.push(x.indices.len());
        }
        x
    }

    fn labels(&self) -> Labels {
        let mut of = self.all.labels.clone();
        of.extend(self.test_rows().into_iter().map(|row| row.and_then(|row| self.held_out.labels[row])));
        Labels::Classes { names: (0..self.all.classes).map(|c| c.to_string()).collect(), of }
    }

    fn split(&self, labels: &Labels) -> Split {
        let known = |a: &u32| labels.is_known(*a);
        let (trained, rows) = (self.train.labels.len() as u32, self.all.labels.len() as u32);
        let mut test: Vec<u32> = self.test.iter().copied().filter(known).collect();
        test.sort_unstable();
        Split {
            train: (0..trained).filter(known).collect(),
            validation: (trained..rows).filter(known).take(VALIDATION).collect(),
            test,
        }
    }
}

/// The neighbours of node 0, 1, …; every node must have an entry.
fn adjacency(file: &Path) -> Result<Vec<Vec<u32>>, Error> {
    Ok(adjacency_in(file, &load(file)?)?)
}

fn adjacency_in(file: &Path, bytes: &[u8]) -> Result<Vec<Vec<u32>>, BadInput> {
    let entries = Pickle::read(file, bytes)?.adjacency()?;
    let nodes = entries.len();
    if nodes == 0 {
        return Err(BadInput::new(file, "", "no nodes")
            .allowed("one list of neighbours per node is needed")
            .next(NEXT));
    }
    let bad = |place: String, found: String| {
        let allowed = format!("{nodes} entries mean that nodes are 0 to {}", nodes - 1);
        BadInput::new(file, place, found)
            .allowed(allowed)
            .next("Give each node a list of neighbours, even an empty one")
    };
    let number = |i: i64| u32::try_from(i).ok().filter(|&a| (a as usize) < nodes);
    let mut rows = vec![None; nodes];
    for (key, list) in entries {
        let Some(a) = number(key) else {
            return Err(bad(String::new(), format!("an entry for node {key}")));
        };
        let neighbour = |&b: &i64| number(b).ok_or_else(|| bad(format!("node {a}"), format!("neighbour {b}")));
        let row = list.iter().map(neighbour).collect::<Result<Vec<u32>, _>>()?;
        if rows[a as usize].replace(row).is_some() {
            return Err(bad(format!("node {a}"), "a second entry".into()));
        }
    }
    Ok(rows.into_iter().map(|row| row.expect("as many different keys below n as there are nodes")).collect())
}

/// How many citations there are, and the graph of them.
///
/// The files list each citation at both of its ends (and a self-citation twice at its one), so each pair is given to
/// the graph once, as often as the end that lists it more often does. Directions are lost: nothing can be reciprocal.
fn citations(file: &Path, neighbours: &[Vec<u32>]) -> Result<(usize, Built), BadInput> {
    let (mut from_smaller, mut from_larger, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    for (a, row) in (0u32..).zip(neighbours) {
        from_smaller.extend(row.iter().filter(|&&b| a < b).map(|&b| (a, b)));
        from_larger.extend(row.iter().filter(|&&b| b < a).map(|&b| (b, a)));
        let loops = row.iter().filter(|&&b| b == a).count();
        pairs.extend(std::iter::repeat_n((a, a), loops.div_ceil(2)));
    }
    from_smaller.sort_unstable();
    from_larger.sort_unstable();
    let (mut x, mut y) = (&from_smaller[..], &from_larger[..]);
    while let (Some(&p), Some(&q)) = (x.first(), y.first()) {
        pairs.push(p.min(q));
        x = &x[usize::from(p <= q)..];
        y = &y[usize::from(q <= p)..];
    }
    pairs.extend_from_slice(x);
    pairs.extend_from_slice(y);
    let built = Graph::build(neighbours.len(), &pairs).map_err(|e| BadInput::new(file, "", e.to_string()))?;
    Ok((pairs.len(), built))
}

/// Reads `bytes` as every kind of pickle there is in a Planetoid set; for the fuzzer.
#[doc(hidden)]
pub fn fuzz(bytes: &[u8]) {
    let file = Path::new("fuzz");
    let _ = matrix(file, bytes);
    let _ = one_hot(file, bytes);
    let _ = Pickle::read(file, bytes).and_then(|pickle| pickle.strings());
    let _ = adjacency_in(file, bytes).and_then(|rows| citations(file, &rows).map(|_| ()));
}

#[cfg(test)]
mod tests;
