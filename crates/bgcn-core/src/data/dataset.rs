//! A graph with features and few labels, and how to make one from arrays.

use super::{Error, FeatureRows, Features, Labels, NodeIds, Split};
use crate::graph::{Built, Graph, Merged};

/// A graph, what is known of its nodes, and where it came from.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// A short name for tables.
    pub name: String,
    /// The observed graph, G_obs.
    pub graph: Graph,
    /// What the edge list held beside the graph's edges.
    pub merged: Merged,
    /// Edges as their source counts them, before merging: citations, lines of a file.
    pub edges_published: usize,
    /// X [n, d].
    pub features: Features,
    /// What the columns of X are called; empty where they have no names.
    pub feature_names: Vec<String>,
    /// Y, known for some nodes.
    pub labels: Labels,
    /// The nodes as the user wrote them.
    pub ids: NodeIds,
    /// The split that comes with the data, where there is one. Its training nodes are in their published order.
    pub fixed_split: Option<Split>,
    /// Which edges are wrong: the ground truth of generated data.
    pub truth: Option<EdgeTruth>,
    /// Texts that are shown beside the ids, an empty one for a node without; none at all where there are none.
    pub node_names: Vec<String>,
    /// Cells of X, as (node, column), that were empty when it was read, and hold the mean of their column.
    pub blanks: Vec<(u32, u32)>,
    /// What was guessed, merged, dropped or ignored when the data was read, a sentence each.
    pub remarks: Vec<String>,
}

/// What a generator did to the edges after drawing them, as (smaller, larger), ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeTruth {
    /// Observed edges that are noise.
    pub spurious: Vec<(u32, u32)>,
    /// True edges that were removed.
    pub missing: Vec<(u32, u32)>,
}

impl Dataset {
    /// A dataset of `nodes` nodes, numbered from 0, from arrays that are borrowed until [`DatasetBuilder::build`].
    ///
    /// ```
    /// use bgcn_core::data::{Dataset, FeatureRows};
    ///
    /// let data = Dataset::builder(3)
    ///     .edges(&[(0, 1), (1, 2)])
    ///     .features(FeatureRows::Dense { columns: 2, values: &[1.0, 0.0, 0.5, 0.5, 0.0, 1.0] })
    ///     .labels(&[Some(0), None, Some(1)])
    ///     .build()?;
    /// assert_eq!((data.graph.edges(), data.labels.known()), (2, 2));
    ///
    /// let wrong = Dataset::builder(3).edges(&[(0, 1), (1, 3)]).build().unwrap_err();
    /// assert!(wrong.to_string().starts_with("edge 1 joins 1 and 3, but the graph has 3 nodes"));
    /// # Ok::<(), bgcn_core::Error>(())
    /// ```
    pub fn builder<'a>(nodes: usize) -> DatasetBuilder<'a> {
        DatasetBuilder {
            nodes,
            name: "data".into(),
            edges: Edges::Pairs(&[]),
            features: None,
            feature_names: Vec::new(),
            labels: Given::Nothing,
            class_names: None,
            ids: None,
            node_names: Vec::new(),
            split: None,
        }
    }

    /// A graph without features and labels, whose nodes are numbered: where every reader starts.
    pub fn of_graph(name: impl Into<String>, built: Built) -> Self {
        let Built { graph, merged } = built;
        let nodes = graph.nodes();
        Self {
            name: name.into(),
            graph,
            merged,
            edges_published: merged.given,
            features: Features::Identity(nodes),
            feature_names: Vec::new(),
            labels: Labels::none(nodes),
            ids: NodeIds::Numbered(nodes),
            fixed_split: None,
            truth: None,
            node_names: Vec::new(),
            blanks: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// How many nodes.
    pub fn nodes(&self) -> usize {
        self.graph.nodes()
    }

    /// The text that is shown beside the id of node `a`; empty without.
    pub fn node_name(&self, a: u32) -> &str {
        self.node_names.get(a as usize).map_or("", String::as_str)
    }

    /// Whether features, labels, ids and the fixed split fit the nodes and hold finite numbers only.
    ///
    /// [`DatasetBuilder::build`] checks already; a dataset put together by hand needs it.
    pub fn check(&self) -> Result<(), Error> {
        let nodes = self.nodes();
        self.features.check(nodes)?;
        let columns = self.features.columns();
        if let Some((a, j)) = self.blanks.iter().find(|&&(a, j)| a as usize >= nodes || j as usize >= columns) {
            let (place, allowed) = (format!("row {a}, column {j}"), format!("there are {nodes} rows of {columns}"));
            return Err(Error::bad("empty cells of the features", place, allowed, "Name cells that are there"));
        }
        if ![0, self.features.columns()].contains(&self.feature_names.len()) {
            let (found, columns) = (self.feature_names.len(), self.features.columns());
            let allowed = format!("{columns} columns need one each");
            return Err(Error::bad("feature names", format!("{found} of them"), allowed, "Name every column, or none"));
        }
        self.labels.check(nodes)?;
        self.ids.check(nodes)?;
        if ![0, nodes].contains(&self.node_names.len()) {
            let (found, allowed) =
                (format!("{} of them", self.node_names.len()), format!("{nodes} nodes need one each"));
            return Err(Error::bad("names of nodes", found, allowed, "Give one text per node, or none at all"));
        }
        self.fixed_split.as_ref().map_or(Ok(()), |split| split.check(&self.labels, nodes))
    }
}

/// A dataset in the making; see [`Dataset::builder`]. Of calls that exclude each other, the last counts.
#[derive(Clone, Debug)]
#[must_use]
pub struct DatasetBuilder<'a> {
    nodes: usize,
    name: String,
    edges: Edges<'a>,
    features: Option<FeatureRows<'a>>,
    feature_names: Vec<String>,
    labels: Given<'a>,
    class_names: Option<Vec<String>>,
    ids: Option<Vec<String>>,
    node_names: Vec<String>,
    split: Option<Split>,
}

#[derive(Clone, Copy, Debug)]
enum Edges<'a> {
    Pairs(&'a [(u32, u32)]),
    Index(&'a [u32], &'a [u32]),
}

#[derive(Clone, Copy, Debug)]
enum Given<'a> {
    Nothing,
    Classes(&'a [Option<u32>]),
    Values(&'a [Option<f32>]),
}

impl<'a> DatasetBuilder<'a> {
    /// A short name for tables; "data" without.
    pub fn name(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// Edges as pairs of nodes. Directions, repetitions and self-loops are merged, and counted in [`Dataset::merged`].
    pub fn edges(self, pairs: &'a [(u32, u32)]) -> Self {
        Self { edges: Edges::Pairs(pairs), ..self }
    }

    /// Edges as two columns: edge i joins `sources[i]` and `targets[i]`.
    pub fn edge_index(self, sources: &'a [u32], targets: &'a [u32]) -> Self {
        Self { edges: Edges::Index(sources, targets), ..self }
    }

    /// X [n, d]; one-hot node ids without it, X = I.
    pub fn features(self, rows: FeatureRows<'a>) -> Self {
        Self { features: Some(rows), ..self }
    }

    /// What the columns of X are called.
    pub fn feature_names(self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { feature_names: names.into_iter().map(Into::into).collect(), ..self }
    }

    /// The class of each node, counted from 0, where it is known.
    pub fn labels(self, classes: &'a [Option<u32>]) -> Self {
        Self { labels: Given::Classes(classes), ..self }
    }

    /// The names of the classes; without them a class is called by its number.
    pub fn class_names(self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { class_names: Some(names.into_iter().map(Into::into).collect()), ..self }
    }

    /// The number of each node (regression), where it is known.
    pub fn values(self, values: &'a [Option<f32>]) -> Self {
        Self { labels: Given::Values(values), ..self }
    }

    /// The nodes as the user writes them; 0, 1, 2, … without.
    pub fn ids(self, ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { ids: Some(ids.into_iter().map(Into::into).collect()), ..self }
    }

    /// Texts that are shown beside the ids, one per node.
    pub fn node_names(self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { node_names: names.into_iter().map(Into::into).collect(), ..self }
    }

    /// The split that comes with the data: its fixed split.
    pub fn split(self, split: Split) -> Self {
        Self { split: Some(split), ..self }
    }

    /// Checks and copies everything. The first error names the place, what was found, what is allowed and what to do.
    pub fn build(self) -> Result<Dataset, Error> {
        let nodes = self.nodes;
        let data = Dataset::of_graph(&self.name, self.graph()?);
        let data = Dataset {
            features: self.features.map_or(Ok(Features::Identity(nodes)), |rows| rows.copy(nodes))?,
            labels: self.given_labels()?,
            feature_names: self.feature_names,
            ids: self.ids.map_or(NodeIds::Numbered(nodes), NodeIds::from_names),
            node_names: self.node_names,
            fixed_split: self.split,
            ..data
        };
        data.check()?;
        Ok(data.with_used_columns("features"))
    }

    fn graph(&self) -> Result<Built, Error> {
        Ok(match self.edges {
            Edges::Pairs(pairs) => Graph::build(self.nodes, pairs)?,
            Edges::Index(sources, targets) if sources.len() == targets.len() => {
                let pairs: Vec<(u32, u32)> = sources.iter().copied().zip(targets.iter().copied()).collect();
                Graph::build(self.nodes, &pairs)?
            }
            Edges::Index(sources, targets) => {
                let found = format!("{} sources and {} targets", sources.len(), targets.len());
                return Err(Error::bad("edges", found, "every edge has one of each", "Give both columns in full"));
            }
        })
    }

    fn given_labels(&self) -> Result<Labels, Error> {
        let of = match self.labels {
            Given::Nothing => vec![None; self.nodes],
            Given::Classes(of) => of.to_vec(),
            Given::Values(_) if self.class_names.is_some() => {
                let allowed = "numbers have no classes";
                return Err(Error::bad("class names", "labels are numbers", allowed, "Leave out one of the two"));
            }
            Given::Values(of) => return Ok(Labels::Values(of.to_vec())),
        };
        if let Some(names) = &self.class_names {
            return Ok(Labels::Classes { names: names.clone(), of });
        }
        let classes = of.iter().flatten().max().map_or(0, |&largest| largest as usize + 1);
        if let Some(a) = of.iter().position(|class| class.is_some_and(|class| class as usize >= self.nodes)) {
            let found = format!("class {}", of[a].unwrap_or_default());
            let allowed = format!("without names there are at most as many classes as nodes, {}", self.nodes);
            let next = "Number the classes from 0, or name them";
            return Err(Error::bad(format!("labels, node {a}"), found, allowed, next));
        }
        Ok(Labels::Classes { names: (0..classes).map(|class| class.to_string()).collect(), of })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DenseRows, SparseRows, demo, karate};

    const X: FeatureRows<'static> = FeatureRows::Dense { columns: 2, values: &[1.0, 0.0, 0.5, 0.5, 0.0, 1.0] };
    const Y: [Option<u32>; 3] = [Some(1), None, Some(0)];

    fn three<'a>() -> DatasetBuilder<'a> {
        Dataset::builder(3).edges(&[(0, 1), (1, 0), (2, 2), (1, 2), (0, 1)]).features(X).labels(&Y)
    }

    fn sparse<'a>(offsets: &'a [usize], indices: &'a [u32], values: &'a [f32]) -> FeatureRows<'a> {
        FeatureRows::Sparse { columns: 4, offsets, indices, values }
    }

    /// Every error is an input error, and holds its parts in order.
    #[track_caller]
    fn refuses(builder: DatasetBuilder<'_>, parts: &[&str]) {
        let error = builder.build().unwrap_err();
        assert!(error.is_input());
        let message = error.to_string();
        let mut rest = message.as_str();
        for part in parts {
            let at = rest.find(part).unwrap_or_else(|| panic!("no {part:?} in {message:?}"));
            rest = &rest[at + part.len()..];
        }
    }

    #[test]
    fn arrays_arrive_and_merged_edges_are_counted() {
        let split = Split { train: vec![2], validation: vec![], test: vec![0] };
        let data =
            three().name("toy").ids(["a", "b", "c"]).class_names(["x", "y"]).split(split.clone()).build().unwrap();
        assert_eq!(data.name, "toy");
        assert_eq!(data.graph.edge_list().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
        assert_eq!(data.merged, Merged { given: 5, self_loops: 1, duplicates: 1, reciprocal: 1 });
        let FeatureRows::Dense { columns, values } = X else { unreachable!() };
        assert_eq!(data.features, Features::Dense(DenseRows { columns, values: values.to_vec() }));
        assert_eq!(data.labels, Labels::Classes { names: vec!["x".into(), "y".into()], of: Y.to_vec() });
        assert_eq!((data.ids.name(2).as_ref(), data.fixed_split), ("c", Some(split)));
    }

    #[test]
    fn what_is_not_given_has_a_default() {
        let data = Dataset::builder(3).edge_index(&[0, 1], &[1, 2]).build().unwrap();
        assert_eq!((data.name.as_str(), data.graph.edges(), data.edges_published), ("data", 2, 2));
        assert_eq!((data.features, data.labels), (Features::Identity(3), Labels::none(3)));
        assert_eq!((data.ids, data.fixed_split), (NodeIds::Numbered(3), None));
        let Labels::Classes { names, .. } = three().build().unwrap().labels else { unreachable!() };
        assert_eq!(names, ["0", "1"]);
    }

    #[test]
    fn sparse_rows_are_put_in_order_without_zeros() {
        let data = three().features(sparse(&[0, 3, 3, 4], &[2, 0, 1, 3], &[5.0, 6.0, 0.0, 7.0])).build().unwrap();
        let (indices, values) = (vec![0, 2, 3], vec![6.0, 5.0, 7.0]);
        assert_eq!(
            data.features,
            Features::Sparse(SparseRows { columns: 4, offsets: vec![0, 2, 2, 3], indices, values })
        );
    }

    #[test]
    fn edges_that_leave_the_graph_or_lack_an_end_are_refused() {
        refuses(three().edges(&[(0, 1), (1, 3)]), &["edge 1 joins 1 and 3", "3 nodes", "check"]);
        refuses(three().edge_index(&[0, 9], &[1, 2]), &["edge 1 joins 9 and 2"]);
        refuses(three().edge_index(&[0, 1], &[1]), &["edges: 2 sources and 1 targets", "Give"]);
    }

    #[test]
    fn features_that_do_not_fit_or_are_not_finite_are_refused() {
        let dense = |columns, values| FeatureRows::Dense { columns, values };
        refuses(three().features(dense(2, &[1.0; 5])), &["features: 5 values in rows of 2", "3 nodes", "Give"]);
        refuses(three().features(dense(0, &[])), &["features: 0 values in rows of 0", "one column or more"]);
        let nan = [1.0, 1.0, 1.0, f32::NAN, 1.0, 1.0];
        refuses(three().features(dense(2, &nan)), &["features, row 1, column 1: NaN", "finite", "Replace"]);
        let x = sparse(&[0, 1, 1, 2], &[0, 3], &[1.0, f32::INFINITY]);
        refuses(three().features(x), &["features, row 2, column 3: inf", "finite", "Replace"]);
        for (x, parts) in [
            (sparse(&[0, 1, 1, 2], &[0, 4], &[1.0; 2]), ["features, row 2: column 4", "4 columns"]),
            (sparse(&[0, 1, 1, 2], &[0, 3], &[1.0; 3]), ["features: 2 indices and 3 values", "Correct"]),
            (sparse(&[0, 1, 2], &[0, 3], &[1.0; 2]), ["features: 3 row starts", "3 nodes need 4"]),
            (sparse(&[0, 2, 1, 2], &[0, 3], &[1.0; 2]), ["features, row 1: starts at 2 and ends at 1", "ascend"]),
            (sparse(&[0, 1, 1, 1], &[0, 3], &[1.0; 2]), ["rows from entry 0 to 1", "number of entries, 2"]),
            (sparse(&[0, 2, 2, 2], &[3, 3], &[1.0; 2]), ["features, row 0, column 3: two entries", "one is allowed"]),
        ] {
            refuses(three().features(x), &parts);
        }
    }

    #[test]
    fn labels_that_do_not_fit_or_are_not_finite_are_refused() {
        refuses(three().labels(&Y[..2]), &["labels: 2 entries", "3 nodes", "None"]);
        refuses(three().class_names(["x"]), &["labels, node 0: class 1", "1 classes", "Correct"]);
        refuses(three().class_names(["x", "y", "x"]), &["class names, class 2: \"x\"", "class 0", "Rename"]);
        refuses(three().labels(&[None, Some(0), Some(u32::MAX)]), &["labels, node 2: class 4294967295", "name them"]);
        refuses(three().values(&[Some(1.5), None, Some(f32::NAN)]), &["labels, node 2: NaN", "finite", "None"]);
        refuses(three().values(&[None]), &["labels: 1 entries", "3 nodes"]);
        refuses(three().values(&[None; 3]).class_names(["x"]), &["class names: labels are numbers", "Leave out"]);
    }

    #[test]
    fn ids_of_another_number_and_repeated_ids_are_refused() {
        refuses(three().ids(["a", "b"]), &["ids: 2 of them", "3 nodes", "Give"]);
        refuses(three().ids(["a", "b", "a"]), &["ids, node 2: \"a\"", "node 0 already", "Rename"]);
    }

    #[test]
    fn splits_hold_labelled_nodes_once() {
        let split = |train: &[u32], test: &[u32]| {
            three().split(Split { train: train.to_vec(), validation: vec![], test: test.to_vec() })
        };
        refuses(split(&[0, 3], &[]), &["split, entry 1 of train: node 3", "3 nodes", "Correct"]);
        refuses(split(&[0], &[1]), &["split, entry 0 of test: node 1 has no label", "Label the node"]);
        refuses(split(&[0, 2], &[2]), &["split, entry 0 of test: node 2 is in train already", "Take it out"]);
    }

    #[test]
    fn a_dataset_put_together_by_hand_is_checked_alike() {
        demo().check().unwrap();
        let mut data = karate();
        data.check().unwrap();
        data.features = Features::Identity(33);
        assert!(data.check().unwrap_err().to_string().starts_with("features: 33 rows; 34 nodes"));
        data.features = Features::Dense(DenseRows { columns: 1, values: vec![f32::NAN; 34] });
        assert!(data.check().unwrap_err().to_string().starts_with("features, row 0, column 0: NaN"));
        let offsets = (0..34).map(|a| 2 * usize::from(a > 0)).chain([2]).collect();
        let rows = SparseRows { columns: 2, offsets, indices: vec![1, 0], values: vec![1.0; 2] };
        data.features = Features::Sparse(rows);
        assert!(data.check().unwrap_err().to_string().starts_with("features, row 0: column 0 after 1; columns ascend"));
    }
}
