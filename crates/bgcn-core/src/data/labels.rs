//! Y: what is to be predicted, known for some nodes.

use super::Error;
use super::ids::first_repeat;

/// Classes with numbers up to this one are codes, however few nodes they have.
const LARGEST_CODE: u64 = 20;

/// So many nodes alone in their class raise the question whether classes are numbers.
const LEAST_ALONE: usize = 5;

/// The labels of all nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum Labels {
    /// One of several classes (classification).
    Classes {
        /// Class names, in the order of the class numbers.
        names: Vec<String>,
        /// `[n]` class of each node, where known.
        of: Vec<Option<u32>>,
    },
    /// A number (regression). All finite.
    Values(Vec<Option<f32>>),
}

impl Labels {
    /// No classes, no labels.
    pub fn none(nodes: usize) -> Self {
        Self::Classes { names: Vec::new(), of: vec![None; nodes] }
    }

    /// Classes from the names users wrote, numbered by sorted name (numerically where all are whole numbers).
    pub fn from_names(names: &[Option<String>]) -> Self {
        let mut classes: Vec<&String> = names.iter().flatten().collect();
        classes.sort();
        classes.dedup();
        let number = |name: &str| name.parse::<i64>().ok();
        if classes.iter().all(|name| number(name).is_some()) {
            classes.sort_by_key(|name| number(name));
        }
        let index: std::collections::HashMap<&String, u32> = classes.iter().copied().zip(0..).collect();
        let of = names.iter().map(|name| name.as_ref().map(|name| index[name])).collect();
        Self::Classes { names: classes.into_iter().cloned().collect(), of }
    }

    /// Whether there is an entry for each of `nodes`, of a class that exists or a finite number.
    pub(super) fn check(&self, nodes: usize) -> Result<(), Error> {
        let entries = match self {
            Self::Classes { of, .. } => of.len(),
            Self::Values(of) => of.len(),
        };
        if entries != nodes {
            let allowed = format!("{nodes} nodes need one entry each");
            return Err(Error::bad("labels", format!("{entries} entries"), allowed, "Write None for unknown labels"));
        }
        match self {
            Self::Classes { names, of } => {
                if let Some((first, second)) = first_repeat(names) {
                    let found = format!("{:?} is the name of class {first} already", names[second]);
                    let allowed = "every class has its own";
                    return Err(Error::bad(
                        format!("class names, class {second}"),
                        found,
                        allowed,
                        "Rename one of the two",
                    ));
                }
                let unknown = |class: &Option<u32>| class.is_some_and(|class| class as usize >= names.len());
                let Some(a) = of.iter().position(unknown) else { return Ok(()) };
                let found = format!("class {}", of[a].unwrap_or_default());
                let allowed = format!("there are {} classes, numbered from 0", names.len());
                Err(Error::bad(format!("labels, node {a}"), found, allowed, "Correct the label, or name every class"))
            }
            Self::Values(of) => {
                let Some(a) = of.iter().position(|y| y.is_some_and(|y| !y.is_finite())) else { return Ok(()) };
                let found = of[a].unwrap_or_default();
                let next = "Write None where the value is unknown";
                Err(Error::bad(format!("labels, node {a}"), found, "values are finite numbers", next))
            }
        }
    }

    /// How many classes; 0 for numbers.
    pub fn classes(&self) -> usize {
        match self {
            Self::Classes { names, .. } => names.len(),
            Self::Values(_) => 0,
        }
    }

    /// The class of node `a`, where there is one.
    #[inline]
    pub fn class(&self, a: u32) -> Option<u32> {
        match self {
            Self::Classes { of, .. } => of[a as usize],
            Self::Values(_) => None,
        }
    }

    /// Whether node `a` has a label.
    pub fn is_known(&self, a: u32) -> bool {
        match self {
            Self::Classes { of, .. } => of[a as usize].is_some(),
            Self::Values(of) => of[a as usize].is_some(),
        }
    }

    /// How many nodes have a label.
    pub fn known(&self) -> usize {
        match self {
            Self::Classes { of, .. } => of.iter().flatten().count(),
            Self::Values(of) => of.iter().flatten().count(),
        }
    }

    /// Nodes that are alone in their class, and labelled nodes, where the classes may be numbers: their names are whole
    /// numbers beyond usual codes of classes, and more than a fifth of the labelled nodes are alone.
    pub fn alone(&self) -> Option<(usize, usize)> {
        let Self::Classes { names, .. } = self else { return None };
        let is_code = |name: &String| name.parse().is_ok_and(|number: u64| number <= LARGEST_CODE);
        let is_whole = |name: &String| name.parse::<f64>().is_ok_and(|number| number.fract() == 0.0);
        if !names.iter().all(is_whole) || names.iter().all(is_code) {
            return None;
        }
        let counts = self.class_counts();
        let (alone, known) = (counts.iter().filter(|&&count| count == 1).count(), counts.iter().sum());
        (alone >= LEAST_ALONE && 5 * alone > known).then_some((alone, known))
    }

    /// Labelled nodes per class.
    pub fn class_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.classes()];
        if let Self::Classes { of, .. } = self {
            for &class in of.iter().flatten() {
                counts[class as usize] += 1;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_that_hardly_repeat_may_be_no_classes() {
        let alone = |names: &mut dyn Iterator<Item = i64>| {
            Labels::from_names(&names.map(|name| Some(name.to_string())).collect::<Vec<_>>()).alone()
        };
        assert_eq!(alone(&mut (100..110)), Some((10, 10)));
        assert_eq!(alone(&mut (0..100).map(|i| if i < 25 { 100 + i } else { 0 })), Some((25, 100)));
        assert_eq!(alone(&mut (0..100).map(|i| if i < 20 { 100 + i } else { 0 })), None);
        assert_eq!(alone(&mut (0..20)), None, "one label for each of 20 classes");
        assert_eq!(alone(&mut (100..104)), None);
        assert_eq!(Labels::from_names(&["a", "b", "c", "d", "e"].map(|name| Some(name.into()))).alone(), None);
    }

    #[test]
    fn class_numbers_follow_sorted_names_and_numbers_sort_as_numbers() {
        let some = |names: &[&str]| names.iter().map(|n| Some(n.to_string())).collect::<Vec<_>>();
        let words = Labels::from_names(&some(&["b", "a", "b"]));
        assert_eq!(words, Labels::Classes { names: vec!["a".into(), "b".into()], of: vec![Some(1), Some(0), Some(1)] });
        let Labels::Classes { names, .. } = Labels::from_names(&some(&["10", "9"])) else { unreachable!() };
        assert_eq!(names, ["9", "10"]);
    }
}
