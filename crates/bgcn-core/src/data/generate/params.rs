//! Settings of a generated network.

use crate::data::Error;

/// Settings of a generated network; [`Generator::generate`] checks them.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    /// Nodes.
    pub nodes: usize,
    /// Mean number of observed neighbours.
    pub mean_degree: f64,
    /// Topics, which are the classes.
    pub classes: usize,
    /// Share of the observed edges that are spurious.
    pub spurious: f64,
    /// Share of the true edges that are missing.
    pub missing: f64,
    /// Exponent of the degree distribution's tail; smaller is heavier.
    pub tail: f64,
    /// Share of the nodes that belong to a second topic.
    pub mixed: f64,
    /// Share of the true edges that end in the topic they are drawn for. The others end in the next topic.
    pub homophily: f64,
    /// Distinct words (features); 0 for none.
    pub words: usize,
    /// Mean number of words in a document.
    pub words_per_node: f64,
    /// Share of a document's words that are drawn from its topic.
    pub feature_strength: f64,
}

/// The settings of `demo`: Cora's proportions, with weaker words so that the graph matters.
impl Default for Generator {
    fn default() -> Self {
        Self {
            nodes: 2000,
            mean_degree: 6.0,
            classes: 7,
            spurious: 0.1,
            missing: 0.1,
            tail: 2.8,
            mixed: 0.3,
            homophily: 1.0,
            words: 1000,
            words_per_node: 18.0,
            feature_strength: 0.35,
        }
    }
}

impl Generator {
    /// Checks every setting and their combinations.
    pub fn check(&self) -> Result<(), Error> {
        let g = self;
        let refuse = |what: String| Err(Error::Request(format!("generating a network: {what}")));
        if !(2..=1_000_000_000).contains(&g.nodes) {
            return refuse(format!("{} nodes; allowed are 2 to 1000000000", g.nodes));
        }
        if !(1..=g.nodes.min(100_000)).contains(&g.classes) {
            let most = g.nodes.min(100_000);
            return refuse(format!("{} classes for {} nodes; allowed are 1 to {most}", g.classes, g.nodes));
        }
        // Heavy tails crowd their edges into few pairs: beyond a quarter of all pairs there may be no room.
        let room = (g.nodes - 1) as f64 / 4.0;
        if !(0.0..=room).contains(&g.mean_degree) {
            return refuse(format!(
                "mean degree {} for {} nodes; allowed is 0 to {room}. Ask for more nodes or fewer edges",
                g.mean_degree, g.nodes
            ));
        }
        for (name, share) in [("spurious", g.spurious), ("missing", g.missing)] {
            if !(0.0..=0.9).contains(&share) {
                return refuse(format!("a {name} share of {share}; allowed is 0 to 0.9"));
            }
        }
        let shares = [("mixed share", g.mixed), ("homophily", g.homophily), ("feature strength", g.feature_strength)];
        for (name, share) in shares {
            if !(0.0..=1.0).contains(&share) {
                return refuse(format!("a {name} of {share}; allowed is 0 to 1"));
            }
        }
        if !(2.0..=10.0).contains(&g.tail) || g.tail == 2.0 {
            return refuse(format!("tail exponent {}; allowed is above 2, up to 10", g.tail));
        }
        if g.words > 0 && !(g.classes..=100_000_000).contains(&g.words) {
            return refuse(format!(
                "{} words for {} classes; allowed is 0, or at least one per class",
                g.words, g.classes
            ));
        }
        if !(0.0..=g.words.max(1) as f64 / 2.0).contains(&g.words_per_node) && g.words > 0 {
            return refuse(format!(
                "{} words per node of {} distinct words; allowed is 0 to half of them",
                g.words_per_node, g.words
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_and_out_of_range_settings_are_refused_with_their_value() {
        let bad = [
            (Generator { nodes: 1, ..Generator::default() }, "1 nodes"),
            (Generator { classes: 0, ..Generator::default() }, "0 classes"),
            (Generator { mean_degree: f64::NAN, ..Generator::default() }, "mean degree NaN"),
            (Generator { spurious: 1.0, ..Generator::default() }, "spurious share of 1"),
            (Generator { missing: -0.1, ..Generator::default() }, "missing share of -0.1"),
            (Generator { tail: 2.0, ..Generator::default() }, "tail exponent 2"),
            (Generator { mixed: f64::INFINITY, ..Generator::default() }, "mixed share of inf"),
            (Generator { homophily: -0.25, ..Generator::default() }, "homophily of -0.25"),
            (Generator { homophily: 1.5, ..Generator::default() }, "homophily of 1.5"),
            (Generator { homophily: f64::NAN, ..Generator::default() }, "homophily of NaN"),
            (Generator { feature_strength: 1.25, ..Generator::default() }, "feature strength of 1.25"),
            (Generator { feature_strength: f64::NAN, ..Generator::default() }, "feature strength of NaN"),
            (Generator { words: 3, ..Generator::default() }, "3 words"),
            (Generator { words_per_node: 600.0, ..Generator::default() }, "600 words per node"),
        ];
        for (params, part) in bad {
            let message = params.check().unwrap_err().to_string();
            assert!(message.contains(part) && message.contains("allowed"), "{message}");
        }
    }
}
