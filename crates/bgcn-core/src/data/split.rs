//! Which labels are learned from, and which test the result: the fixed split, random splits, a given split.
//! Paper: "Experiments", the fixed split of Planetoid and random splits with 5, 10 or 20 labels per class.
//! Differs: unlabelled nodes are never drawn (the authors count CiteSeer's as class 0); small graphs give all there is,
//! and small classes half of it for testing.
//! Symbols: n, labels per class. Real-valued labels count as a single class.

mod random;

use super::{Dataset, Error, Labels};
use crate::rng::Seed;
use random::draw;

/// Test nodes of a random split, where there are enough labels.
pub const TEST: usize = 1000;
/// Validation nodes of a random split, where there are enough labels.
pub const VALIDATION: usize = 500;

/// Which nodes are for what. The three lists are disjoint and hold labelled nodes only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// Nodes whose labels the networks see.
    pub train: Vec<u32>,
    /// Nodes for choosing settings; may be empty.
    pub validation: Vec<u32>,
    /// Nodes that test the result; may be empty.
    pub test: Vec<u32>,
}

impl Split {
    /// The three sets by their names.
    pub fn sets(&self) -> [(&'static str, &[u32]); 3] {
        [("train", &self.train), ("validation", &self.validation), ("test", &self.test)]
    }

    /// `[n]` the set that each node is in.
    pub fn set_of(&self, nodes: usize) -> Vec<Option<&'static str>> {
        let mut set_of = vec![None; nodes];
        for (set, of) in self.sets() {
            of.iter().for_each(|&a| set_of[a as usize] = Some(set));
        }
        set_of
    }

    /// Whether each node of a set exists, has a label and is in no other set.
    pub fn check(&self, labels: &Labels, nodes: usize) -> Result<(), Error> {
        let mut set_of = vec![None; nodes];
        for (set, i, a) in self.sets().into_iter().flat_map(|(set, of)| (0..).zip(of).map(move |(i, &a)| (set, i, a))) {
            let bad = |found: String, allowed: &str, next| {
                Err(Error::bad(format!("split, entry {i} of {set}"), found, allowed, next))
            };
            if a as usize >= nodes {
                return bad(
                    format!("node {a}"),
                    &format!("there are {nodes} nodes, numbered from 0"),
                    "Correct the node",
                );
            }
            if !labels.is_known(a) {
                let next = "Label the node, or take it out";
                return bad(format!("node {a} has no label"), "sets hold labelled nodes", next);
            }
            if let Some(before) = set_of[a as usize].replace(set) {
                return bad(
                    format!("node {a} is in {before} already"),
                    "a node is in one set, once",
                    "Take it out of one",
                );
            }
        }
        Ok(())
    }
}

/// Where a split comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SplitKind {
    /// From the data, whole, or the first n training nodes of each class.
    Fixed,
    /// Drawn with the seed.
    Random,
    /// Every labelled node is learned from; none is left to test the result.
    All,
    /// Sets from elsewhere, such as a file, whole, or the first n training nodes of each class.
    Given {
        /// What results call it.
        name: String,
        /// The sets.
        split: Split,
    },
}

/// Labels of each class where none are asked for and there are enough: the paper's largest number.
pub const LABELS_PER_CLASS: usize = 20;

impl SplitKind {
    /// The default: of `own` data its fixed split, or every label where some are missing; else, or where so many labels
    /// per class are `asked` for, a random split.
    pub fn suiting(data: &Dataset, own: bool, asked: Option<usize>) -> Self {
        if own && data.fixed_split.is_some() {
            Self::Fixed
        } else if data.labels.known() == data.nodes() || !own || asked.is_some() {
            Self::Random
        } else {
            Self::All
        }
    }

    /// Its name in results.
    pub fn name(&self) -> String {
        match self {
            Self::Fixed => "fixed".into(),
            Self::Random => "random".into(),
            Self::All => "all".into(),
            Self::Given { name, .. } => name.clone(),
        }
    }
}

impl Dataset {
    /// The training nodes of each class that a split of this kind takes, `asked` for or not; `None` for all it has.
    pub fn labels_taken(&self, kind: &SplitKind, asked: Option<usize>) -> Option<usize> {
        match kind {
            SplitKind::Random => asked.or(Some(LABELS_PER_CLASS)),
            SplitKind::Fixed | SplitKind::Given { .. } => asked,
            SplitKind::All => None,
        }
    }

    /// The split of a kind, with so many training nodes in each class (in all for real values), see
    /// [`Dataset::labels_taken`].
    ///
    /// Random: n nodes per class from all labelled nodes, then [`TEST`] of the rest, then [`VALIDATION`] of what
    /// remains; of each, as many as there are. A class with fewer than 2n labelled nodes gives half of them, and the
    /// other half are test nodes; the only labelled node of a class is a training node. Only random splits use the
    /// seed. A given split is used whole unless a number is asked for.
    pub fn split(
        &self,
        kind: &SplitKind,
        labels_per_class: impl Into<Option<usize>>,
        seed: Seed,
    ) -> Result<Split, Error> {
        let labels_per_class = self.labels_taken(kind, labels_per_class.into());
        if let SplitKind::Given { name, split } = kind {
            return first_of(self, split.clone(), labels_per_class, &format!("training nodes in {name}"));
        }
        if labels_per_class == Some(0) {
            return Err(Error::Request(
                "0 labels per class were asked for, but at least 1 is needed to learn from.".into(),
            ));
        }
        if self.labels.known() == 0 {
            // A remark of the reader names the column that may be meant.
            let which = self.remarks.iter().find(|remark| remark.contains("`label_column"));
            let next = which.map_or("Add a file of labels.".into(), |remark| format!("In {remark}."));
            let name = &self.name;
            return Err(Error::Request(format!("{name} has no labels, so nothing can be learnt. {next}")));
        }
        match (kind, &self.fixed_split) {
            (SplitKind::All, _) => {
                let train = (0..self.nodes() as u32).filter(|&a| self.labels.is_known(a)).collect();
                Ok(Split { train, ..Split::default() })
            }
            (SplitKind::Fixed, Some(fixed)) => {
                first_of(self, fixed.clone(), labels_per_class, "training nodes in the fixed split")
            }
            (SplitKind::Fixed, None) => Err(Error::Request(format!(
                "{} has no fixed split. Use a random split, or a file of rows such as id,train.",
                self.name
            ))),
            _ => draw(self, labels_per_class.unwrap_or(LABELS_PER_CLASS), seed),
        }
    }
}

/// A split as it is, or with the first n training nodes of each class.
fn first_of(data: &Dataset, split: Split, n: Option<usize>, what: &str) -> Result<Split, Error> {
    let Some(n) = n else { return Ok(split) };
    let taken = vec![n; data.labels.classes().max(1)];
    let train = first_of_each_class(data, &split.train, (n, &taken), what)?;
    Ok(Split { train, ..split })
}

/// The place of a node's class among [`class_sizes`].
fn class_of(data: &Dataset, a: u32) -> usize {
    data.labels.class(a).unwrap_or(0) as usize
}

/// The first nodes of each class, in the order of `nodes`: `n` were asked for, and of each class so many are `taken`;
/// `what` they are, for messages.
fn first_of_each_class(
    data: &Dataset,
    nodes: &[u32],
    (n, taken): (usize, &[usize]),
    what: &str,
) -> Result<Vec<u32>, Error> {
    let mut found = vec![0; taken.len()];
    let mut first = Vec::new();
    for &a in nodes {
        let class = class_of(data, a);
        found[class] += 1;
        if found[class] <= taken[class] {
            first.push(a);
        }
    }
    let short = found.iter().zip(taken).position(|(found, taken)| found < taken);
    let Some((short, found)) = short.map(|class| (class, found[class])) else { return Ok(first) };
    let (whose, per_class) = match &data.labels {
        Labels::Classes { names, .. } => (format!("class {:?} of {}", names[short], data.name), " per class"),
        Labels::Values(_) => (data.name.clone(), ""),
    };
    let next =
        if found == 0 { "Remove the class, or label some of its nodes" } else { "Ask for fewer, or label more nodes" };
    Err(Error::Request(format!("{whose} has {found} {what}, but {n}{per_class} were asked for. {next}.")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use proptest::prelude::*;

    /// Nodes with the given classes out of `c`.
    fn dataset(c: u32, of: Vec<Option<u32>>) -> Dataset {
        let built = Graph::build(of.len(), &[]).unwrap();
        let labels = Labels::Classes { names: (0..c).map(|class| format!("c{class}")).collect(), of };
        Dataset { labels, ..Dataset::of_graph("toy", built) }
    }

    fn cyclic(c: u32, n: u32) -> Dataset {
        dataset(c, (0..n).map(|a| Some(a % c)).collect())
    }

    fn random(data: &Dataset, n: usize) -> Result<Split, Error> {
        data.split(&SplitKind::Random, n, Seed::new(3))
    }

    #[test]
    fn test_nodes_are_served_before_validation_nodes() {
        for (nodes, test, validation) in [(1600, 1000, 500), (1210, 1000, 200), (400, 390, 0)] {
            let split = random(&cyclic(2, nodes), 5).unwrap();
            assert_eq!((split.train.len(), split.test.len(), split.validation.len()), (10, test, validation));
        }
    }

    #[test]
    fn more_labels_per_class_keep_the_earlier_ones() {
        let data = cyclic(3, 90);
        let (few, many) = (random(&data, 5).unwrap().train, random(&data, 10).unwrap().train);
        assert!(few.iter().all(|a| many.contains(a)));
    }

    #[test]
    fn a_split_does_not_depend_on_the_numbering_of_classes() {
        let flipped = dataset(3, (0..90).map(|a| Some(2 - a % 3)).collect());
        assert_eq!(random(&cyclic(3, 90), 5).unwrap(), random(&flipped, 5).unwrap());
    }

    #[test]
    fn small_classes_give_half_of_their_labels_for_training_and_are_tested_on_the_other_half() {
        // 5,000 nodes of class 0, then 1, 2, 7 and 39 of the others: less than twice 20.
        let sizes = [5000, 1, 2, 7, 39];
        let data = dataset(5, (0..5).flat_map(|class| vec![Some(class); sizes[class as usize]]).collect());
        for n in [Some(20), None] {
            let split = data.split(&SplitKind::Random, n, Seed::new(3)).unwrap();
            let count = |nodes: &[u32], class| nodes.iter().filter(|&&a| data.labels.class(a) == Some(class)).count();
            assert_eq!([0, 1, 2, 3, 4].map(|class| count(&split.train, class)), [20, 1, 1, 3, 19]);
            assert_eq!([1, 2, 3, 4].map(|class| count(&split.test, class)), [0, 1, 4, 20]);
            assert_eq!((split.test.len(), split.validation.len()), (TEST, VALIDATION));
        }
        let said = data.small_classes(20).unwrap();
        let wanted = "4 classes have fewer than 40 labelled nodes, twice 20 per class (c1 1, c2 2, c3 7, c4 39): half \
                      of them train, the others test; the only labelled node of a class trains, and that class is not \
                      tested";
        assert_eq!(said, wanted);
        let wanted = "1 class has fewer than 2 labelled nodes, twice 1 per class (c1 1): the only labelled node of a \
                      class trains, and that class is not tested";
        assert_eq!(data.small_classes(1).unwrap(), wanted);
        assert_eq!(cyclic(3, 120).small_classes(20), None);
        assert!(cyclic(3, 90).small_classes(20).unwrap().starts_with("all 3 classes have"));
        assert!(cyclic(9, 90).small_classes(20).unwrap().contains("c7 10 and 1 more)"));
    }

    #[test]
    fn what_is_left_of_many_small_classes_is_tested_beyond_the_usual_number() {
        let split = random(&cyclic(500, 3000), 20).unwrap();
        assert_eq!((split.train.len(), split.test.len(), split.validation.len()), (1500, 1500, 0));
    }

    #[test]
    fn real_values_count_as_one_class() {
        let mut data = cyclic(1, 30);
        data.labels = Labels::Values((0..30).map(|a| (a % 2 == 0).then_some(a as f32)).collect());
        let split = random(&data, 5).unwrap();
        assert_eq!((split.train.len(), split.test.len()), (5, 10));
        let halved = random(&data, 16).unwrap();
        assert_eq!((halved.train.len(), halved.test.len()), (7, 8));
        assert_eq!(
            data.small_classes(16).unwrap(),
            "15 labels are fewer than twice 16: half of them train, the others test"
        );
    }

    #[test]
    fn the_fixed_split_gives_the_first_of_each_class_in_its_order() {
        let mut data = cyclic(2, 12);
        let missing = data.split(&SplitKind::Fixed, 1, Seed::new(0)).unwrap_err().to_string();
        assert!(missing.contains("toy has no fixed split. Use a random split, or a file"), "{missing}");
        data.fixed_split = Some(Split { train: vec![7, 2, 5, 0, 1], validation: vec![3], test: vec![4, 6] });
        let split = data.split(&SplitKind::Fixed, 2, Seed::new(0)).unwrap();
        assert_eq!(split, Split { train: vec![7, 2, 5, 0], validation: vec![3], test: vec![4, 6] });
        let whole = data.split(&SplitKind::Fixed, None, Seed::new(0)).unwrap();
        assert_eq!(Some(whole), data.fixed_split);
        let message = data.split(&SplitKind::Fixed, 3, Seed::new(0)).unwrap_err().to_string();
        assert_eq!(
            message,
            "class \"c0\" of toy has 2 training nodes in the fixed split, but 3 per class were asked for. \
             Ask for fewer, or label more nodes."
        );
    }

    #[test]
    fn requests_that_cannot_be_met_say_why() {
        let message = |data: &Dataset, n| random(data, n).unwrap_err().to_string();
        assert!(message(&cyclic(2, 9), 0).contains("0 labels per class"));
        assert!(message(&dataset(2, vec![None; 4]), 1).contains("toy has no labels"));
        assert!(message(&dataset(2, vec![Some(0); 4]), 1).contains("class \"c1\" of toy has 0 labelled nodes"));
    }

    #[test]
    fn given_sets_are_taken_whole_or_the_first_of_each_class() {
        let data = cyclic(2, 6);
        let split = Split { train: vec![5, 1, 2], validation: vec![3, 4], test: vec![0] };
        let kind = SplitKind::Given { name: "mine.txt".into(), split: split.clone() };
        assert_eq!(data.split(&kind, None, Seed::new(0)).unwrap(), split);
        assert_eq!(data.split(&kind, 1, Seed::new(0)).unwrap().train, [5, 2]);
        let message = data.split(&kind, 2, Seed::new(0)).unwrap_err().to_string();
        assert!(message.contains("has 1 training nodes in mine.txt, but 2 per class"), "{message}");
    }

    proptest! {
        #[test]
        fn random_splits_are_disjoint_labelled_and_repeatable(
            of in proptest::collection::vec(proptest::option::of(0u32..3), 30..200),
            n in 1usize..6,
            seed in any::<u64>(),
        ) {
            let data = dataset(3, of);
            let counts = data.labels.class_counts();
            let result = data.split(&SplitKind::Random, n, Seed::new(seed));
            prop_assert_eq!(result.is_ok(), counts.iter().all(|&count| count > 0));
            let Ok(split) = result else { return Ok(()) };
            prop_assert_eq!(&split, &data.split(&SplitKind::Random, n, Seed::new(seed)).unwrap());
            for class in 0..3 {
                let wanted = n.min((counts[class as usize] / 2).max(1));
                prop_assert_eq!(split.train.iter().filter(|&&a| data.labels.class(a) == Some(class)).count(), wanted);
            }
            let mut all = [split.train, split.validation, split.test].concat();
            prop_assert_eq!(all.len(), data.labels.known());
            prop_assert!(all.iter().all(|&a| data.labels.is_known(a)));
            all.sort_unstable();
            all.dedup();
            prop_assert_eq!(all.len(), data.labels.known());
        }
    }
}
