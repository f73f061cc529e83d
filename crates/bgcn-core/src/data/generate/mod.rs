//! A citation-like network of any size, in linear time, with its wrong edges recorded.
//!
//! Nodes belong to topics, some of them to two; their popularity has a heavy tail. A true edge starts at a node, picks
//! one of its topics, and ends at a node of that topic, both by popularity. With a homophily below 1, the rest of the
//! true edges end at a node of the next topic instead, also by popularity; the first topic follows the last. Then some
//! true edges are removed and edges between uniform pairs, whatever their topics, are added. A document's words are
//! drawn from its topics and from a common vocabulary.

mod alias;
mod edges;
mod nodes;
mod params;
mod words;

pub use params::Generator;

use super::{Dataset, EdgeTruth, Error, Features, Labels};
use crate::graph::Graph;
use crate::memory;
use crate::rng::{For, Seed};

/// Names for up to seven topics; more are numbered.
const TOPICS: [&str; 7] = ["astronomy", "biology", "chemistry", "economics", "geology", "linguistics", "medicine"];

/// Seed of the built-in `demo` set.
const DEMO_SEED: u64 = 2019;

/// The built-in network: 2,000 documents on seven topics, 10 % of the edges spurious, 10 % of the true ones missing.
pub fn demo() -> Dataset {
    let generator = Generator::default();
    let mut dataset = generator.generate(Seed::new(DEMO_SEED)).expect("the default sizes can be filled");
    dataset.name = "demo".into();
    dataset
}

impl Generator {
    /// Refuses more than there is memory for: a node with its edges in lists, sets and the graph, and its words.
    fn allow(&self) -> Result<(), Error> {
        let per_node = 96 + (48.0 * self.mean_degree + 16.0 * self.words_per_node) as u64;
        memory::allow(per_node.saturating_mul(self.nodes as u64)).map_err(|much| {
            let (nodes, fit) = (self.nodes, much.available / per_node);
            Error::Request(format!("generating a network of {nodes} nodes: {much}; about {fit} nodes would fit"))
        })
    }

    /// Draws a network. Same settings and seed, same network.
    pub fn generate(&self, seed: Seed) -> Result<Dataset, Error> {
        self.check()?;
        self.allow()?;
        let stream = |part| seed.at(For::Generate, [part, 0, 0]);
        let nodes = nodes::draw(self, &mut stream(0).fast());
        let edges = edges::draw(self, &nodes, &mut stream(1).fast())?;
        let features = if self.words == 0 {
            Features::Identity(self.nodes)
        } else {
            Features::Sparse(words::draw(self, &nodes, &mut stream(2).fast()))
        };
        let built = Graph::build(self.nodes, &edges.observed).expect("ends are drawn below the number of nodes");
        let names = match TOPICS.get(..self.classes) {
            Some(topics) => topics.iter().map(|topic| topic.to_string()).collect(),
            None => (1..=self.classes).map(|topic| format!("topic {topic}")).collect(),
        };
        Ok(Dataset {
            edges_published: edges.observed.len(),
            features,
            labels: Labels::Classes { names, of: nodes.iter().map(|node| Some(node.topic)).collect() },
            truth: Some(EdgeTruth { spurious: edges.spurious, missing: edges.missing }),
            ..Dataset::of_graph("generated", built)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_has_the_shape_it_promises() {
        let demo = demo();
        let truth = demo.truth.as_ref().unwrap();
        let edges = demo.graph.edges() as f64;
        assert_eq!((demo.nodes(), demo.labels.classes(), demo.merged.duplicates), (2000, 7, 0));
        assert!((truth.spurious.len() as f64 / edges - 0.1).abs() < 1e-3);
        let kept = edges - truth.spurious.len() as f64;
        assert!((truth.missing.len() as f64 / (kept + truth.missing.len() as f64) - 0.1).abs() < 1e-3);
        assert!(truth.spurious.iter().all(|&(a, b)| demo.graph.has_edge(a, b)));
        assert!(truth.missing.iter().all(|&(a, b)| !demo.graph.has_edge(a, b)));
        let homophily = demo.graph.homophily(|a| demo.labels.class(a)).unwrap();
        assert!((0.7..0.9).contains(&homophily), "homophily {homophily}");
        let degrees = demo.graph.degree_summary();
        assert!(degrees.max > 8 * degrees.median, "no heavy tail: {degrees:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_network_and_another_seed_another() {
        let generator = Generator { nodes: 300, ..Generator::default() };
        let draw = |seed| generator.generate(Seed::new(seed)).unwrap();
        let (a, b, c) = (draw(1), draw(1), draw(2));
        assert!(a.graph == b.graph && a.features == b.features && a.labels == b.labels && a.truth == b.truth);
        assert!(a.graph != c.graph);
    }

    #[test]
    fn spurious_edges_do_not_care_about_topics() {
        // Uniform ends join equal topics about as often as two random nodes do. With 4,000 spurious edges the share
        // has a standard error of 0.006; 0.03 is five of them.
        let generator = Generator { nodes: 8000, mean_degree: 10.0, ..Generator::default() };
        let network = generator.generate(Seed::new(5)).unwrap();
        let counts = network.labels.class_counts();
        let chance: f64 = counts.iter().map(|&c| (c as f64 / 8000.0).powi(2)).sum();
        let spurious = &network.truth.as_ref().unwrap().spurious;
        let equal = spurious.iter().filter(|&&(a, b)| network.labels.class(a) == network.labels.class(b)).count();
        assert!((equal as f64 / spurious.len() as f64 - chance).abs() < 0.03);
    }

    /// The shares of the edges that join equal topics, and neighbouring ones, with nothing but homophily at work.
    fn equal_and_neighbouring(homophily: f64) -> (f64, f64) {
        let classes = 5;
        let alone = Generator { spurious: 0.0, missing: 0.0, mixed: 0.0, words: 0, ..Generator::default() };
        let params = Generator { nodes: 8000, mean_degree: 10.0, classes, tail: 10.0, homophily, ..alone };
        let network = params.generate(Seed::new(6)).unwrap();
        let (mut equal, mut neighbouring) = (0.0, 0.0);
        for (a, b) in network.graph.edge_list() {
            let [a, b] = [a, b].map(|node| network.labels.class(node).unwrap() as usize);
            match (b + classes - a) % classes {
                0 => equal += 1.0,
                step if step == 1 || step == classes - 1 => neighbouring += 1.0,
                _ => {}
            }
        }
        let edges = network.graph.edges() as f64;
        (equal / edges, neighbouring / edges)
    }

    #[test]
    fn homophily_shares_the_true_edges_between_a_topic_and_the_next() {
        // With 40,000 edges the share has a standard error of 0.0025; 0.0125 is five of them. Self-loops and
        // duplicates, which are drawn anew, are a little more common within a topic: they shift it by less than 0.001.
        let (equal, neighbouring) = equal_and_neighbouring(0.5);
        assert!((equal - 0.5).abs() < 0.0125, "share {equal}");
        assert!((equal + neighbouring - 1.0).abs() < 1e-12, "shares {equal} and {neighbouring}");
        assert_eq!(equal_and_neighbouring(0.0), (0.0, 1.0));
        assert_eq!(equal_and_neighbouring(1.0), (1.0, 0.0));
    }

    #[test]
    fn homophily_has_no_effect_on_one_class() {
        let draw = |homophily| {
            let params = Generator { nodes: 300, classes: 1, homophily, ..Generator::default() };
            params.generate(Seed::new(1)).unwrap()
        };
        assert!(draw(0.2).graph == draw(1.0).graph);
    }

    #[test]
    fn no_words_means_identity_features() {
        let network = Generator { nodes: 100, words: 0, ..Generator::default() }.generate(Seed::new(1)).unwrap();
        assert_eq!(network.features, Features::Identity(100));
    }

    #[test]
    fn a_network_too_dense_for_its_nodes_is_refused() {
        let error = Generator { nodes: 50, mean_degree: 30.0, ..Generator::default() }.check().unwrap_err();
        assert!(error.to_string().contains("mean degree 30"), "{error}");
    }
}
