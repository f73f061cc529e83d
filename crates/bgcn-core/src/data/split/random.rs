//! Random splits: the same number of training nodes in each class, half of a class that is small.

use super::{TEST, VALIDATION, class_of, first_of_each_class};
use crate::data::{Dataset, Error, Labels, Split};
use crate::rng::{For, Random as _, Seed};

/// Small classes that are named at most.
const LISTED: usize = 8;

/// Labelled nodes of each class; real values are a single class.
fn class_sizes(labels: &Labels) -> Vec<usize> {
    match labels {
        Labels::Classes { .. } => labels.class_counts(),
        Labels::Values(_) => vec![labels.known()],
    }
}

/// Whether a class with so many labelled nodes has too few for `n` training nodes and as many others.
fn is_small(labelled: usize, n: usize) -> bool {
    labelled / 2 < n
}

pub(super) fn draw(data: &Dataset, labels_per_class: usize, seed: Seed) -> Result<Split, Error> {
    let sizes = class_sizes(&data.labels);
    let taken: Vec<usize> = sizes.iter().map(|&size| labels_per_class.min((size / 2).max(1))).collect();
    let mut stream = seed.at(For::Split, [0; 3]);
    let mut labelled: Vec<u32> = (0..data.nodes() as u32).filter(|&a| data.labels.is_known(a)).collect();
    // The first shuffle does not depend on n: with more labels per class, the earlier ones stay.
    stream.shuffle(&mut labelled);
    let mut train = first_of_each_class(data, &labelled, (labels_per_class, &taken), "labelled nodes")?;
    train.sort_unstable();
    // Shuffled again: what is left of a small class stands late in the first order.
    let mut test: Vec<u32> = labelled.into_iter().filter(|a| train.binary_search(a).is_err()).collect();
    test.sort_unstable();
    stream.shuffle(&mut test);
    // All that is left of small classes comes first.
    let is_rest = |a: &u32| !is_small(sizes[class_of(data, *a)], labels_per_class);
    test.sort_by_key(is_rest);
    let most = TEST.max(test.partition_point(|a| !is_rest(a)));
    let mut validation = test.split_off(test.len().min(most));
    validation.truncate(VALIDATION);
    test.sort_unstable();
    validation.sort_unstable();
    Ok(Split { train, validation, test })
}

impl Dataset {
    /// Which classes have too few labelled nodes for a random split with `n` of each, and what becomes of them, in a
    /// sentence.
    pub fn small_classes(&self, n: usize) -> Option<String> {
        let counts = class_sizes(&self.labels);
        let small: Vec<usize> =
            (0..counts.len()).filter(|&class| counts[class] > 0 && is_small(counts[class], n)).collect();
        let names = match &self.labels {
            _ if small.is_empty() => return None,
            Labels::Classes { names, .. } => names,
            Labels::Values(_) => {
                let known = counts[0];
                return Some(format!("{known} labels are fewer than twice {n}: half of them train, the others test"));
            }
        };
        let listed = small.iter().take(LISTED).map(|&class| format!("{} {}", names[class], counts[class]));
        let listed = listed.collect::<Vec<_>>().join(", ");
        let more = small.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let halved = small.iter().any(|&class| counts[class] > 1).then_some("half of them train, the others test");
        let single = small.iter().any(|&class| counts[class] == 1);
        let single = single.then_some("the only labelled node of a class trains, and that class is not tested");
        let done: Vec<&str> = halved.into_iter().chain(single).collect();
        let which = match (small.len(), counts.len()) {
            (1, _) => "1 class has".into(),
            (some, all) if some == all => format!("all {some} classes have"),
            (some, _) => format!("{some} classes have"),
        };
        Some(format!(
            "{which} fewer than {} labelled nodes, twice {n} per class ({listed}{more}): {}",
            n.saturating_mul(2),
            done.join("; ")
        ))
    }
}
