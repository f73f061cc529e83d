//! Zachary's karate club: 34 members, 78 friendships, two factions after the split.
//! Source: W. W. Zachary, "An information flow model for conflict and fission in small groups" (1977).

use super::{Dataset, Labels};
use crate::graph::Graph;

/// Friendships, members numbered from 0.
#[rustfmt::skip]
const FRIENDS: [(u32, u32); 78] = [
    (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (0, 7), (0, 8), (0, 10), (0, 11), (0, 12), (0, 13), (0, 17),
    (0, 19), (0, 21), (0, 31), (1, 2), (1, 3), (1, 7), (1, 13), (1, 17), (1, 19), (1, 21), (1, 30), (2, 3), (2, 7),
    (2, 8), (2, 9), (2, 13), (2, 27), (2, 28), (2, 32), (3, 7), (3, 12), (3, 13), (4, 6), (4, 10), (5, 6), (5, 10),
    (5, 16), (6, 16), (8, 30), (8, 32), (8, 33), (9, 33), (13, 33), (14, 32), (14, 33), (15, 32), (15, 33), (18, 32),
    (18, 33), (19, 33), (20, 32), (20, 33), (22, 32), (22, 33), (23, 25), (23, 27), (23, 29), (23, 32), (23, 33),
    (24, 25), (24, 27), (24, 31), (25, 31), (26, 29), (26, 33), (27, 33), (28, 31), (28, 33), (29, 32), (29, 33),
    (30, 32), (30, 33), (31, 32), (31, 33), (32, 33),
];

/// Members who went with the instructor, Mr. Hi; the others went with the officer.
const WITH_MR_HI: [u32; 17] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 21];

/// The club as a dataset: no features, every member labelled.
pub fn karate() -> Dataset {
    let built = Graph::build(34, &FRIENDS).expect("all members are below 34");
    let of = (0..34).map(|a| Some(u32::from(!WITH_MR_HI.contains(&a)))).collect();
    let labels = Labels::Classes { names: vec!["Mr. Hi".into(), "Officer".into()], of };
    Dataset { labels, ..Dataset::of_graph("karate", built) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_club_has_its_published_shape() {
        let club = karate();
        assert_eq!((club.nodes(), club.graph.edges(), club.graph.components().sizes.len()), (34, 78, 1));
        assert_eq!(club.labels.class_counts(), [17, 17]);
        assert_eq!((club.graph.degree(0), club.graph.degree(33)), (16, 17));
        // Counted with NetworkX on its own copy of the club: 67 of the 78 friendships stay inside a faction.
        let homophily = club.graph.homophily(|a| club.labels.class(a)).unwrap();
        assert!((homophily - 67.0 / 78.0).abs() < 1e-12);
    }
}
