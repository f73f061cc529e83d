//! A fingerprint of a dataset, stored with results.

use super::{Dataset, Features, Labels};
use sha2::{Digest, Sha256};

/// What the classes of Cora, CiteSeer and Pubmed are called, in the order of their numbers.
///
/// The names are those of the LINQS files that the Planetoid files were made from, matched by the sizes of classes,
/// which all differ within a set. Cora: `cora.content` has as many papers of each name. CiteSeer: LINQS's class
/// sizes, without the 15 papers that have no content. Pubmed: LINQS calls labels 1, 2 and 3 `Diabetes Mellitus,
/// Experimental`, `Type 1` and `Type 2`, and has 4103, 7875 and 7739 papers of them (as two users of those files
/// count them, the graph library GRAPE and the authors of BTW; the files themselves were not at hand). Planetoid's
/// classes 0, 1 and 2 have 4103, 7739 and 7875, so their order is another one.
pub const CITATION_CLASSES: [&[&str]; 3] = [
    &[
        "Theory",
        "Reinforcement_Learning",
        "Genetic_Algorithms",
        "Neural_Networks",
        "Probabilistic_Methods",
        "Case_Based",
        "Rule_Learning",
    ],
    &["AI", "ML", "IR", "DB", "Agents", "HCI"],
    &["Diabetes Mellitus, Experimental", "Diabetes Mellitus Type 2", "Diabetes Mellitus Type 1"],
];

impl Dataset {
    /// SHA-256 over graph, features, labels, node ids and the fixed split, in lower-case hexadecimal.
    ///
    /// The form it was read from does not matter: a converted dataset has the fingerprint of the original.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        let mut part = |name: &str, numbers: &mut dyn Iterator<Item = u64>| {
            hash.update(name.as_bytes());
            let mut buffer = Vec::with_capacity(1 << 16);
            for number in numbers {
                buffer.extend_from_slice(&number.to_le_bytes());
                if buffer.len() >= 1 << 16 {
                    hash.update(&buffer);
                    buffer.clear();
                }
            }
            hash.update(&buffer);
        };
        part("nodes", &mut std::iter::once(self.nodes() as u64));
        part("edges", &mut self.graph.edge_list().map(|(a, b)| u64::from(a) << 32 | u64::from(b)));
        match &self.features {
            Features::Identity(_) => part("identity", &mut std::iter::empty()),
            Features::Dense(rows) => {
                part(
                    "dense",
                    &mut std::iter::once(rows.columns as u64).chain(rows.values.iter().map(|v| u64::from(v.to_bits()))),
                );
            }
            Features::Sparse(rows) => {
                part("sparse", &mut std::iter::once(rows.columns as u64).chain(rows.offsets.iter().map(|&o| o as u64)));
                let entries = rows.indices.iter().zip(&rows.values);
                part("entries", &mut entries.map(|(&i, v)| u64::from(i) << 32 | u64::from(v.to_bits())));
            }
        }
        match &self.labels {
            Labels::Classes { of, .. } => {
                part("classes", &mut of.iter().map(|class| class.map_or(u64::MAX, u64::from)))
            }
            Labels::Values(of) => {
                part("values", &mut of.iter().map(|v| v.map_or(u64::MAX, |v| u64::from(v.to_bits()))))
            }
        }
        if let Some(split) = &self.fixed_split {
            for (name, nodes) in split.sets() {
                part(name, &mut nodes.iter().map(|&a| u64::from(a)));
            }
        }
        let names: &[String] = match &self.labels {
            Labels::Classes { names, .. } => names,
            Labels::Values(_) => &[],
        };
        // Files of these sets number the classes.
        let numbered = CITATION_CLASSES.contains(&&names.iter().map(String::as_str).collect::<Vec<_>>()[..]);
        for (number, name) in names.iter().enumerate() {
            let name = if numbered { &number.to_string() } else { name };
            part("class", &mut name.bytes().map(u64::from));
        }
        for a in 0..self.nodes() as u32 {
            hash.update(self.ids.name(a).as_bytes());
            hash.update([0]);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::data::{Labels, karate};
    use crate::graph::Graph;

    #[test]
    fn any_change_changes_the_fingerprint() {
        let club = karate();
        let print = club.fingerprint();
        assert_eq!(print.len(), 64);
        let mut other = karate();
        let edges: Vec<_> = club.graph.edge_list().skip(1).collect();
        other.graph = Graph::from_edges(34, &edges).unwrap();
        assert_ne!(other.fingerprint(), print);
        let mut other = karate();
        if let Labels::Classes { of, .. } = &mut other.labels {
            of[3] = None;
        }
        assert_ne!(other.fingerprint(), print);
        assert_eq!(karate().fingerprint(), print);
    }
}
