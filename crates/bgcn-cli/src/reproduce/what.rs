//! What can be reproduced.

use bgcn::data::BUILT_IN;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// Before the name of a dataset, its attack.
const ATTACK: &str = "attack-";

/// A part of the paper's evaluation, or its protocol on other data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The table of datasets.
    Datasets,
    /// The accuracy tables of a dataset, by the name it is loaded by.
    Accuracy(String),
    /// The edge study.
    Edges,
    /// The random attack on the nodes of a dataset, by the name it is loaded by.
    Attack(String),
    /// All of the paper.
    All,
}

/// The paper's datasets.
pub const KNOWN: [&str; 3] = ["cora", "citeseer", "pubmed"];

impl What {
    /// The parts that this stands for.
    pub fn parts(&self) -> Vec<Self> {
        match self {
            Self::All => {
                let accuracy = KNOWN.map(|name| Self::Accuracy(name.into()));
                let attack = ["cora", "citeseer"].map(|name| Self::Attack(name.into()));
                [Self::Datasets].into_iter().chain(accuracy).chain([Self::Edges]).chain(attack).collect()
            }
            part => vec![part.clone()],
        }
    }
}

impl FromStr for What {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_data = |name: &str| {
            KNOWN.contains(&name) || BUILT_IN.iter().any(|(built_in, _)| *built_in == name) || Path::new(name).exists()
        };
        match (text, text.strip_prefix(ATTACK)) {
            ("datasets", _) => Ok(Self::Datasets),
            ("edges", _) => Ok(Self::Edges),
            ("all", _) => Ok(Self::All),
            // First: a folder of results may well be called attack-cora.
            (_, Some(name)) if is_data(name) => Ok(Self::Attack(name.into())),
            (name, _) if is_data(name) => Ok(Self::Accuracy(name.into())),
            _ => Err("choose among datasets, cora, citeseer, pubmed, edges, attack-cora, attack-citeseer and all; \
                      demo, karate, or a \
                      folder or file of your own, for the accuracy tables on other data, and the same after attack- \
                      for the attack"
                .into()),
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Datasets => f.write_str("datasets"),
            Self::Accuracy(name) => f.write_str(name),
            Self::Edges => f.write_str("edges"),
            Self::Attack(name) => write!(f, "{ATTACK}{name}"),
            Self::All => f.write_str("all"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_every_part_of_the_paper() {
        let names: Vec<String> = What::All.parts().iter().map(What::to_string).collect();
        assert_eq!(names, ["datasets", "cora", "citeseer", "pubmed", "edges", "attack-cora", "attack-citeseer"]);
        for name in names {
            assert_eq!(name.parse::<What>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn what_is_unknown_is_refused_with_what_there_is() {
        for wrong in ["corra", "attack-corra", "attack-"] {
            let error = wrong.parse::<What>().unwrap_err();
            assert!(error.contains("citeseer") && error.contains("attack-cora"), "{error}");
        }
    }

    #[test]
    fn any_data_can_be_attacked_as_it_can_be_learned() {
        assert_eq!("attack-demo".parse::<What>().unwrap(), What::Attack("demo".into()));
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().to_str().unwrap();
        assert_eq!(name.parse::<What>().unwrap(), What::Accuracy(name.into()));
        assert_eq!(format!("attack-{name}").parse::<What>().unwrap(), What::Attack(name.into()));
    }
}
