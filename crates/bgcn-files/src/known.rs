//! The three citation networks of the paper: which files they are, how long, and their SHA-256.
//!
//! The Planetoid files are as their authors published them; `cora.content` and `cora.cites` as LINQS did.

use bgcn_core::data::{CITATION_CLASSES, Labels};

/// One file of a known dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownFile {
    /// Its name.
    pub name: &'static str,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its SHA-256, in lower-case hexadecimal.
    pub sha256: &'static str,
}

/// A dataset that `bgcn data fetch` can get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub what: &'static str,
    /// The eight Planetoid files, with the fixed split.
    pub planetoid: &'static [KnownFile],
    /// The two LINQS files, without a fixed split; empty where they are not used.
    pub linqs: &'static [KnownFile],
    /// What the classes of the Planetoid files are called, in their order. The files have numbers only.
    pub classes: &'static [&'static str],
}

impl Known {
    /// Gives classes that are called by their number the names they have in this set.
    pub(super) fn name_classes(&self, labels: &mut Labels) {
        if let Labels::Classes { names, .. } = labels
            && names.len() == self.classes.len()
        {
            *names = self.classes.iter().map(|&name| name.to_owned()).collect();
        }
    }
}

const fn file(name: &'static str, bytes: u64, sha256: &'static str) -> KnownFile {
    KnownFile { name, bytes, sha256 }
}

/// All known datasets, in the order of the paper.
pub const KNOWN: [Known; 3] = [
    Known {
        name: "cora",
        what: "2,708 papers on machine learning, 7 topics",
        planetoid: &[
            file("ind.cora.x", 22119, "23cfa55d91c6f624233f5eb7b6e3f141f1bd2b2ae39608a63cf5d084bb27baab"),
            file("ind.cora.y", 4054, "94465c14eb53e04ca262198dcbb2521ee8af60fb3f3d546cd6ca24a511b0e7d1"),
            file("ind.cora.tx", 148025, "b9afbaa4a400df991f6f02ef677e1e44da55ffc04801fd02f9e673987829226a"),
            file("ind.cora.ty", 28135, "41f5ac76596a1699cc33f53084a2419e92961c42bb75f36fc38e616d348532ad"),
            file("ind.cora.allx", 257305, "9419ba2f26f5c35243db64aba110e0f35a04851609e0dc5433450676ca6b8543"),
            file("ind.cora.ally", 47959, "2b998f5cc7fedc86e7f97ca2498f47a1ffc1462c29e2d578b23bf3f62b6e7d71"),
            file("ind.cora.graph", 59847, "58f13302f39dde8852dad6fe6d15b89b077b6d7f837626bce671ef80344b383d"),
            file("ind.cora.test.index", 5000, "297ce89af2b51a6a194181c7dbe1796c6a1cf9cd9349a88383b1b1e227867875"),
        ],
        linqs: &[
            file("cora.content", 7826135, "0955f03baddbea9911f53814d7781129b71b066e5b442d0a5bd51f439c442082"),
            file("cora.cites", 75357, "316d45e0e48387392c70cc3e3915e43f6f5c147ea45c973971e2c9140aaadacf"),
        ],
        classes: CITATION_CLASSES[0],
    },
    Known {
        name: "citeseer",
        what: "3,327 papers on computer science, 6 topics",
        planetoid: &[
            file("ind.citeseer.x", 31087, "d20de19150741e555de0ed037195630fc194114ebc7fd72ced62810148aa22f6"),
            file("ind.citeseer.y", 3014, "8ba87e515d8e3ee3cf52f6d2c5b86aa73f11ecad825a808455209ec26cd54924"),
            file("ind.citeseer.tx", 260321, "539a8906a2da97628d212f2fdd668c109a8b3f0d36574b59e5d3fd5b5303da21"),
            file("ind.citeseer.ty", 24135, "55e5bd1ba1e733a04598753ad1a8d57957f4b8f89e74519f41f4f4938767e4ce"),
            file("ind.citeseer.allx", 595021, "2ac30345d95c9ec933a817ee0bdd6a5f077f8c184a20e696910192d534414668"),
            file("ind.citeseer.ally", 55623, "f704b2d986dde6c2669934de1f3ae5696a6cf9455c0f6b2646a2d135ea0a1c95"),
            file("ind.citeseer.graph", 61987, "d79a4ef9d3e7169aee8946145f6b7306e35bc79bffad26346cfb94e10e9912a7"),
            file("ind.citeseer.test.index", 5000, "2af990671580b6b2df5d158d1038f8292e30c9cd821b5453f399659b25b723d4"),
        ],
        linqs: &[],
        classes: CITATION_CLASSES[1],
    },
    Known {
        name: "pubmed",
        what: "19,717 papers on diabetes, 3 kinds",
        planetoid: &[
            file("ind.pubmed.x", 23172, "fbe9cb5c47200d1b7769a26e579be3b7130b556831f9d850e77c4c74f2599b33"),
            file("ind.pubmed.y", 854, "e6c807633307a07ed659249006536a147c7999c797f11a2560752990181b41b3"),
            file("ind.pubmed.tx", 405505, "4eb5f5d0f30f26497eb0ac6ac9719d09c67e284f1ed0385c93f3ef27a671da3d"),
            file("ind.pubmed.ty", 12135, "ee2e0d4819d9fbcc403689c3bf2e49face401b605932f093bc58ab6461130fdd"),
            file("ind.pubmed.allx", 7578385, "508e538e2abdccdd54c4d3e9f49d638b4af7107d85845f66ddea5a5152658b7e"),
            file("ind.pubmed.ally", 224739, "0c37bbe3b5014ec365e9d393cf4791925e5ed94fb194305d74f064a8d7b50f0e"),
            file("ind.pubmed.graph", 471808, "5b89f0036ca22909471f1e6558eb42fa06e0c730a577bde5b058b40638f81dc9"),
            file("ind.pubmed.test.index", 6000, "b101d421688bbaecbd82e8a18f1e282378d6830f3a37666f28ebc47f844341b5"),
        ],
        linqs: &[],
        classes: CITATION_CLASSES[2],
    },
];

/// The known dataset of that name.
pub fn known(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

/// Whether all of `files`, and at least one, are in `folder`. Their content is judged by the readers.
pub(super) fn present(files: &[KnownFile], folder: &std::path::Path) -> bool {
    !files.is_empty() && files.iter().all(|file| folder.join(file.name).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Places, load};

    /// The sizes that the names were matched by, and the fingerprints of the sets before classes had names.
    #[test]
    fn classes_have_the_sizes_of_their_names_and_fingerprints_stay() {
        let Some(folder) = std::env::var_os("BGCN_DATA").map(std::path::PathBuf::from) else {
            eprintln!("skipped: BGCN_DATA does not say where Cora, CiteSeer and Pubmed are");
            return;
        };
        for (name, sizes) in [
            (
                "cora",
                &[
                    ("Theory", 351),
                    ("Reinforcement_Learning", 217),
                    ("Genetic_Algorithms", 418),
                    ("Neural_Networks", 818),
                    ("Probabilistic_Methods", 426),
                    ("Case_Based", 298),
                    ("Rule_Learning", 180),
                ][..],
            ),
            ("citeseer", &[("AI", 249), ("ML", 590), ("IR", 668), ("DB", 701), ("Agents", 596), ("HCI", 508)]),
            (
                "pubmed",
                &[
                    ("Diabetes Mellitus, Experimental", 4103),
                    ("Diabetes Mellitus Type 2", 7739),
                    ("Diabetes Mellitus Type 1", 7875),
                ],
            ),
        ] {
            let data = load(name, &Places::new(Some(&folder)), &Default::default()).unwrap();
            let Labels::Classes { names, .. } = &data.labels else { panic!("{name} has classes") };
            let found: Vec<(&str, usize)> = names.iter().map(String::as_str).zip(data.labels.class_counts()).collect();
            assert_eq!(found, sizes, "{name}");
            let numbered = crate::read::planetoid::read(&folder, name).unwrap();
            assert!(matches!(&numbered.labels, Labels::Classes { names, .. } if names[1] == "1"));
            assert_eq!(numbered.fingerprint(), data.fingerprint(), "{name}");
        }
    }

    #[test]
    fn names_of_a_known_set_do_not_change_a_fingerprint_but_others_do() {
        let mut data = bgcn_core::data::karate();
        let mut named = |names: &[&str]| {
            if let Labels::Classes { names: own, .. } = &mut data.labels {
                *own = names.iter().map(|&name| name.to_owned()).collect();
            }
            data.fingerprint()
        };
        let numbers = named(&["0", "1", "2"]);
        assert_eq!(named(KNOWN[2].classes), numbers);
        assert_ne!(named(&["x", "y", "z"]), numbers);
    }
}
