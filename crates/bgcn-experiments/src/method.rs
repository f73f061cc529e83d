//! Methods by name: a network on a graph model, with the settings of the paper's comparison.

use bgcn::data::Dataset;
use bgcn::network::Kind;
use bgcn::posterior::{ChooseBy, GraphModelPlan, Plan};
use std::fmt;
use std::str::FromStr;

/// A network on a graph model.
///
/// Written `gcn`, `chebnet`, `gat` for the plain networks, `gcn+mmsbm` and so on otherwise. `gcn+mmsbm` (alias `bgcn`) is
/// the paper's own combination with our defaults, `gcn+published` the same with the authors' numbers. `gcn+auto` mixes
/// graph models by hidden links, seeing no label but the training nodes'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    network: &'static str,
    graph_model: &'static str,
}

const NETWORKS: [(&str, Kind); 3] = [("gcn", Kind::Gcn), ("chebnet", Kind::Chebnet), ("gat", Kind::Gat)];
/// The block model with the authors' numbers, beside the models of the library.
const PUBLISHED: &str = "published";
/// Whatever model suits the data.
const AUTO: &str = "auto";

impl Method {
    /// What the method does on this dataset; numbers left out are filled in by [`Plan::check`].
    pub fn draft(&self, data: &Dataset) -> Plan {
        let (_, kind) = NETWORKS.iter().find(|(name, _)| *name == self.network).expect("names come from this list");
        let classes = data.labels.classes().max(1);
        match GraphModelPlan::named(self.graph_model, classes) {
            Some(model) => Plan::new(*kind, model),
            None if self.graph_model == AUTO => {
                let default = GraphModelPlan::named(GraphModelPlan::DEFAULT, classes).expect("the default is a model");
                Plan::new(*kind, default).choose_by(ChooseBy::Average)
            }
            None => Plan::published(*kind, classes),
        }
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = if text == "bgcn" { "gcn+mmsbm" } else { text };
        let (network, graph_model) = text.split_once('+').unwrap_or((text, "observed"));
        let network = NETWORKS.iter().map(|(name, _)| *name).find(|name| *name == network);
        let mut graph_models = GraphModelPlan::NAMES.into_iter().chain([PUBLISHED, AUTO]);
        let graph_model = graph_models.find(|name| *name == graph_model);
        match (network, graph_model) {
            (Some(network), Some(graph_model)) => Ok(Self { network, graph_model }),
            _ => Err(format!(
                "there is no method `{text}`; a method is a network (gcn, chebnet, gat), alone or with a graph model ({}, {PUBLISHED}, {AUTO}), \
                 such as gcn, gat+mmsbm, or bgcn for gcn+mmsbm",
                GraphModelPlan::NAMES.join(", ")
            )),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.network, self.graph_model) {
            (network, "observed") => f.write_str(network),
            (network, graph_model) => write!(f, "{network}+{graph_model}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written_alike() {
        for name in [
            "gcn",
            "chebnet",
            "gat",
            "gcn+mmsbm",
            "gat+mmsbm",
            "gcn+published",
            "gcn+copying",
            "gat+erase",
            "gcn+sbm",
            "gat+dcsbm",
            "gcn+mmsb",
            "gcn+mixture",
            "gat+auto",
        ] {
            assert_eq!(name.parse::<Method>().unwrap().to_string(), name);
        }
        assert_eq!("bgcn".parse::<Method>().unwrap().to_string(), "gcn+mmsbm");
        assert_eq!("gcn+observed".parse::<Method>().unwrap().to_string(), "gcn");
        assert!("mlp".parse::<Method>().unwrap_err().contains("chebnet"));
    }
}
