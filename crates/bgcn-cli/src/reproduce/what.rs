//! What can be reproduced.

use bgcn_files::BUILT_IN;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// Before the name of a dataset, its attack.
const ATTACK: &str = "attack-";
/// Before the name of a dataset, edges planted in it.
const PLANTED: &str = "planted-";

/// A part of the paper's evaluation, or its protocol on other data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum What {
    /// The table of datasets.
    Datasets,
    /// The accuracy tables of a dataset, by the name it is loaded by.
    Accuracy(String),
    /// The edge study.
    Edges,
    /// The random attack on the nodes of a dataset, by the name it is loaded by.
    Attack(String),
    /// Edges planted in a dataset, by the name it is loaded by.
    Planted(String),
    /// The same in each of the paper's.
    AllPlanted,
    /// The link model on generated graphs.
    Calibration,
    /// All of the paper, and what is judged beside it.
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
                let paper = [Self::Datasets].into_iter().chain(accuracy).chain([Self::Edges]).chain(attack);
                paper.chain(Self::AllPlanted.parts()).chain([Self::Calibration]).collect()
            }
            Self::AllPlanted => KNOWN.map(|name| Self::Planted(name.into())).into(),
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
        match text {
            "datasets" => return Ok(Self::Datasets),
            "edges" => return Ok(Self::Edges),
            "planted" => return Ok(Self::AllPlanted),
            "calibration" => return Ok(Self::Calibration),
            "all" => return Ok(Self::All),
            _ => {}
        }
        // First: a folder of results may well be called attack-cora.
        match (text.strip_prefix(ATTACK), text.strip_prefix(PLANTED)) {
            (Some(name), _) if is_data(name) => Ok(Self::Attack(name.into())),
            (_, Some(name)) if is_data(name) => Ok(Self::Planted(name.into())),
            _ if is_data(text) => Ok(Self::Accuracy(text.into())),
            _ => Err("choose among datasets, cora, citeseer, pubmed, edges, attack-cora, attack-citeseer, planted, \
                      calibration and all; demo, karate, or a folder or file of your own, for the accuracy tables on \
                      other data, and the same after attack- for the attack or after planted- for planted edges"
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
            Self::Planted(name) => write!(f, "{PLANTED}{name}"),
            Self::AllPlanted => f.write_str("planted"),
            Self::Calibration => f.write_str("calibration"),
            Self::All => f.write_str("all"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_every_part_of_the_paper_and_what_is_judged_beside_it() {
        let names: Vec<String> = What::All.parts().iter().map(What::to_string).collect();
        assert_eq!(names[..7], ["datasets", "cora", "citeseer", "pubmed", "edges", "attack-cora", "attack-citeseer"]);
        assert_eq!(names[7..], ["planted-cora", "planted-citeseer", "planted-pubmed", "calibration"]);
        for name in names {
            assert_eq!(name.parse::<What>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn what_is_unknown_is_refused_with_what_there_is() {
        for wrong in ["corra", "attack-corra", "attack-", "planted-corra", "planted-"] {
            let error = wrong.parse::<What>().unwrap_err();
            assert!(
                error.contains("citeseer") && error.contains("attack-cora") && error.contains("planted"),
                "{error}"
            );
        }
    }

    #[test]
    fn any_data_can_be_attacked_as_it_can_be_learned() {
        assert_eq!("attack-demo".parse::<What>().unwrap(), What::Attack("demo".into()));
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().to_str().unwrap();
        assert_eq!(name.parse::<What>().unwrap(), What::Accuracy(name.into()));
        assert_eq!(format!("attack-{name}").parse::<What>().unwrap(), What::Attack(name.into()));
        assert_eq!(format!("planted-{name}").parse::<What>().unwrap(), What::Planted(name.into()));
    }

    #[test]
    fn edges_are_planted_in_the_papers_datasets_or_in_any() {
        assert_eq!("planted-demo".parse::<What>().unwrap(), What::Planted("demo".into()));
        let planted = "planted".parse::<What>().unwrap();
        assert_eq!(
            (planted.to_string().as_str(), planted.parts()),
            ("planted", KNOWN.map(|name| What::Planted(name.into())).into())
        );
        assert_eq!("calibration".parse::<What>().unwrap().to_string(), "calibration");
    }
}
