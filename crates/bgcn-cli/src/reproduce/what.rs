//! What can be reproduced.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A part of the paper's evaluation, or its protocol on other data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The table of datasets.
    Datasets,
    /// The accuracy tables of a dataset, by the name it is loaded by.
    Accuracy(String),
    /// The edge study.
    Edges,
    /// The random attack on the nodes of a dataset.
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
        match text {
            "datasets" => Ok(Self::Datasets),
            "edges" => Ok(Self::Edges),
            "all" => Ok(Self::All),
            "cora" | "citeseer" | "pubmed" | "demo" | "karate" => Ok(Self::Accuracy(text.into())),
            "attack-cora" | "attack-citeseer" | "attack-demo" => Ok(Self::Attack(text["attack-".len()..].into())),
            path if Path::new(path).exists() => Ok(Self::Accuracy(text.into())),
            _ => Err(
                "choose among datasets, cora, citeseer, pubmed, edges and all; demo, karate, or a folder or file of \
                      your own, for the accuracy tables on other data"
                    .into(),
            ),
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Datasets => f.write_str("datasets"),
            Self::Accuracy(name) => f.write_str(name),
            Self::Edges => f.write_str("edges"),
            Self::Attack(name) => write!(f, "attack-{name}"),
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
        assert!("corra".parse::<What>().unwrap_err().contains("citeseer"));
    }
}
