//! Which nodes methods are judged on.

use bgcn_core::data::{Dataset, Split};
use serde::{Deserialize, Serialize};

/// Nodes whose labels decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgedOn {
    /// The split's test nodes, as in the paper.
    Test,
    /// Labelled nodes in none of its sets. Settings can be chosen by them without a look at the test nodes, which on a
    /// fixed split are the same for every seed.
    Rest,
}

impl JudgedOn {
    /// Among the nodes of the split's data.
    pub(super) fn nodes(self, split: &Split, data: &Dataset) -> Vec<u32> {
        match self {
            Self::Test => split.test.clone(),
            Self::Rest => {
                let mut taken = vec![false; data.nodes()];
                let sets = split.train.iter().chain(&split.validation).chain(&split.test);
                sets.for_each(|&a| taken[a as usize] = true);
                (0..data.nodes() as u32).filter(|&a| data.labels.is_known(a) && !taken[a as usize]).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::data::{Labels, SplitKind, demo};
    use bgcn_core::rng::Seed;

    #[test]
    fn the_rest_and_the_three_sets_are_all_labelled_nodes() {
        let data = demo();
        let mut split = data.split(&SplitKind::Random, 5, Seed::new(1)).unwrap();
        assert_eq!(JudgedOn::Test.nodes(&split, &data), split.test);
        let left_out = split.test.split_off(split.test.len() / 2);
        let mut wanted = JudgedOn::Rest.nodes(&split, &data);
        assert!(left_out.iter().all(|a| wanted.contains(a)));
        wanted.extend(split.train.iter().chain(&split.validation).chain(&split.test));
        wanted.sort_unstable();
        let Labels::Classes { of, .. } = &data.labels else { unreachable!() };
        let labelled = (0..data.nodes() as u32).filter(|&a| of[a as usize].is_some());
        assert_eq!(wanted, labelled.collect::<Vec<_>>());
    }
}
