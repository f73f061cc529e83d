//! The graph models by name. A new model is a folder with its settings, and an entry here.
//! Paper: "the framework is general"; any p(λ | G_obs) and p(G | λ) can take the block model's place.

#[cfg(test)]
mod tests;

use super::copying::CopyingParams;
use super::dcsbm::DcsbmParams;
use super::mmsb::MmsbParams;
use super::mmsbm::{Inference, MmsbmParams};
use super::observed::ObservedParams;
use super::sbm::SbmParams;
use super::{GraphModel, Parameters, SavedModel};
use crate::Error;
use crate::graph::Graph;
use crate::memory;
use crate::setting::words;
use crate::setting::{self, Setting};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

words! {
    /// What becomes of the observed edges in a drawn graph.
    pub enum ObservedEdges {
        /// They are drawn anew with all others: the paper and the authors' code.
        Redrawn = "redrawn",
        /// They stay, and what is drawn is added to them.
        Kept = "kept",
    }
}

/// What is known of a model before its settings.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name in options and files.
    pub name: &'static str,
    /// One line about it; before a colon, about three words.
    pub about: &'static str,
    /// Its settings.
    pub settings: &'static [&'static [Setting]],
    /// What becomes of observed edges by default.
    pub(crate) observed_edges: ObservedEdges,
    /// Self weight and exponent of the neighbour agreement in the label propagation before it starts, by default.
    pub(crate) propagation: (f64, f64),
    /// With its defaults, for so many communities on a graph of this mean degree.
    new: fn(usize, f64) -> ModelSettings,
    /// From a table of settings.
    read: fn(Value) -> Result<ModelSettings, serde_json::Error>,
}

/// What the estimator asks of a model's settings.
pub(crate) trait Settings {
    /// Whether they are allowed.
    fn check(&self) -> Result<(), Error>;

    /// Columns of the belief that the model starts from; 0 where it needs none.
    fn communities(&self) -> usize {
        0
    }

    /// Iterations of each inference; 0 where there is nothing to iterate.
    fn iterations(&self) -> usize {
        0
    }

    /// Iterations before the first of several λ.
    fn burn_in(&self) -> usize {
        0
    }

    /// Why several λ would all be the same; `None` where each inference is another sample.
    fn single_lambda(&self) -> Option<&'static str>;

    /// Numbers that an inference leaves for each node.
    fn numbers_per_node(&self) -> usize {
        0
    }

    /// The model on a graph, before a belief: the caller restarts it from one, unless it needs none.
    fn start<'g>(&self, graph: &'g Graph) -> Result<Box<dyn GraphModel + 'g>, Error>;

    /// The model on a graph at this λ, which is about as many nodes.
    fn resume<'g>(&self, graph: &'g Graph, parameters: &Parameters) -> Result<Box<dyn GraphModel + 'g>, Error>;

    /// The same with an entry of the trace every so many iterations, where the model has a trace.
    fn traced(&self, _every: usize) -> Option<ModelSettings> {
        None
    }
}

/// Copies of its numbers that a model makes when it is taken up again.
const COPIES: u64 = 6;

macro_rules! registry {
    ($($variant:ident($params:ty)),* $(,)?) => {
        /// A graph model with its settings.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs)] // each is its entry of ALL
        pub enum ModelSettings { $($variant($params)),* }

        impl ModelSettings {
            /// This and the next are the only `match` over graph models.
            fn registered(&self) -> (&dyn Settings, &'static Entry) {
                match self { $(Self::$variant(params) => (params, &ALL[Place::$variant as usize])),* }
            }

            /// The settings by name.
            pub fn table(&self) -> Map<String, Value> {
                match self { $(Self::$variant(params) => setting::object(params)),* }
            }
        }

        enum Place { $($variant),* }
    };
}

registry! {
    Observed(ObservedParams), Mmsbm(MmsbmParams), Mmsb(MmsbParams), Sbm(SbmParams), Dcsbm(DcsbmParams),
    Copying(CopyingParams),
}

/// Label propagation before a block model: chosen under attack with mmsbm, docs/estimator.md.
const CAUTIOUS: (f64, f64) = (2.0, 1.5);
/// Before node copying: a large self weight costs accuracy, docs/ablations.md.
const TRUSTING: (f64, f64) = (1.0, 0.0);

/// Every graph model, in the order of their variants.
pub static ALL: [Entry; 6] = [
    Entry {
        name: "observed",
        about: "no model: the observed graph, for a plain network",
        settings: &[],
        observed_edges: ObservedEdges::Kept,
        propagation: CAUTIOUS,
        new: |_, _| ModelSettings::Observed(ObservedParams {}),
        read: |table| read(table).map(ModelSettings::Observed),
    },
    Entry {
        name: "mmsbm",
        about: "the paper's block model: assortative mixed-membership stochastic block model",
        settings: &[MmsbmParams::SETTINGS],
        // The paper draws every edge anew, and its robustness depends on it: docs/results.md.
        observed_edges: ObservedEdges::Redrawn,
        propagation: CAUTIOUS,
        // Natural steps stay near the network's prediction: docs/estimator.md.
        new: |k, _| ModelSettings::Mmsbm(MmsbmParams::new(k, Inference::Natural)),
        read: |table| read(table).map(ModelSettings::Mmsbm),
    },
    Entry {
        name: "mmsb",
        about: "full block matrix: mixed-membership stochastic block model",
        settings: &[MmsbParams::SETTINGS],
        observed_edges: ObservedEdges::Kept, // measured: docs/ablations.md
        propagation: CAUTIOUS,
        new: |k, _| ModelSettings::Mmsb(MmsbParams::new(k)),
        read: |table| read(table).map(ModelSettings::Mmsb),
    },
    Entry {
        name: "sbm",
        about: "stochastic block model",
        settings: &[SbmParams::SETTINGS],
        observed_edges: ObservedEdges::Kept,
        propagation: CAUTIOUS,
        new: |k, _| ModelSettings::Sbm(SbmParams::new(k)),
        read: |table| read(table).map(ModelSettings::Sbm),
    },
    Entry {
        name: "dcsbm",
        about: "degree-corrected block model",
        settings: &[SbmParams::SETTINGS, DcsbmParams::SETTINGS],
        observed_edges: ObservedEdges::Kept,
        propagation: CAUTIOUS,
        new: |k, _| ModelSettings::Dcsbm(DcsbmParams::new(k)),
        read: |table| read(table).map(ModelSettings::Dcsbm),
    },
    Entry {
        name: "copying",
        about: "node copying: nodes take the neighbours of others of their class",
        settings: &[CopyingParams::SETTINGS],
        observed_edges: ObservedEdges::Kept,
        propagation: TRUSTING,
        new: |k, degree| ModelSettings::Copying(CopyingParams::new(k, degree)),
        read: |table| read(table).map(ModelSettings::Copying),
    },
];

fn read<T: DeserializeOwned>(table: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(table)
}

/// The entry of this name.
pub fn entry(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name)
}

impl Entry {
    /// The model with its defaults, for so many communities (classes, or levels of a number) on a graph of this mean
    /// degree.
    pub fn defaults(&self, communities: usize, mean_degree: f64) -> ModelSettings {
        (self.new)(communities, mean_degree)
    }

    /// All settings of the model.
    pub fn all_settings(&self) -> impl Iterator<Item = &'static Setting> {
        self.settings.iter().copied().flatten()
    }

    /// The model with the settings of a table.
    pub(crate) fn read(&self, table: Map<String, Value>) -> Result<ModelSettings, Error> {
        let model = (self.read)(Value::Object(table));
        let model = model.map_err(|error| Error::setting(self.name, "a table", format!("its settings: {error}")))?;
        model.settings().check()?;
        Ok(model)
    }
}

impl ModelSettings {
    pub(crate) fn settings(&self) -> &dyn Settings {
        self.registered().0
    }

    /// Its entry in the registry.
    pub fn entry(&self) -> &'static Entry {
        self.registered().1
    }

    /// The name of the model.
    pub fn name(&self) -> &'static str {
        self.entry().name
    }

    /// Columns of the belief that the model starts from; 0 where it needs none.
    pub fn communities(&self) -> usize {
        self.settings().communities()
    }

    /// Iterations of each inference in a fit; 0 where there is nothing to iterate.
    pub fn iterations(&self) -> usize {
        self.settings().iterations()
    }

    /// The same model with some settings changed, checked by their ranges.
    pub fn with(&self, changes: &[(&str, Value)]) -> Result<Self, Error> {
        let (mut table, entry) = (self.table(), self.entry());
        for (name, value) in changes {
            let Some(setting) = entry.all_settings().find(|setting| setting.name == *name) else {
                let known: Vec<&str> = entry.all_settings().map(|setting| setting.name).collect();
                let allowed = format!("{} has no such setting; it has {}", entry.name, known.join(", "));
                return Err(Error::setting(format!("{}.{name}", entry.name), setting::shown(value), allowed));
            };
            if !setting.range.contains(value) {
                return Err(setting.refuse(entry.name, value));
            }
            table.insert((*name).into(), value.clone());
        }
        entry.read(table)
    }

    /// The same with an entry of the trace every so many iterations, where it has a trace; 0 for none. Changes no
    /// result.
    pub fn traced(&self, every: usize) -> Self {
        self.settings().traced(every).unwrap_or_else(|| self.clone())
    }

    /// The model on a graph, before a belief: the caller restarts it from one, unless it needs none.
    pub fn start<'g>(&self, graph: &'g Graph) -> Result<Box<dyn GraphModel + 'g>, Error> {
        self.allow(graph.nodes())?;
        self.settings().start(graph)
    }

    /// Refuses more nodes than there is memory for, before any of it is taken.
    pub fn allow(&self, nodes: usize) -> Result<(), Error> {
        let per_node = (self.settings().numbers_per_node() as u64).saturating_mul(4 * COPIES).max(1);
        memory::allow(per_node.saturating_mul(nodes as u64)).map_err(|much| {
            let (name, k, fit) = (self.name(), self.communities(), much.available / per_node);
            Error::start(format!(
                "{much} for {name} of {k} communities on {nodes} nodes; about {fit} nodes would fit, or fewer \
                 communities"
            ))
        })
    }

    /// The model on a graph at this λ.
    pub fn resume<'g>(&self, graph: &'g Graph, parameters: &Parameters) -> Result<Box<dyn GraphModel + 'g>, Error> {
        if parameters.nodes != graph.nodes() {
            let (found, nodes) = (parameters.nodes, graph.nodes());
            return Err(Error::start(format!("the saved model has {found} nodes, the graph {nodes}")));
        }
        // The numbers of the files are compared with each other and with memory before a model is made of them.
        let communities = |table: &Map<String, Value>| table.get("communities").map(Value::to_string);
        let table = self.table();
        if let (Some(found), Some(set)) = (communities(&parameters.small), communities(&table))
            && found != set
        {
            return Err(Error::start(format!("the saved model has {found} communities, its settings {set}")));
        }
        self.allow(parameters.nodes)?;
        self.settings().resume(graph, parameters)
    }

    /// λ of this model together with its settings, to be written to files.
    pub fn saved(&self, parameters: Parameters, seed: u64) -> SavedModel {
        SavedModel::new(self.name(), &self.table(), seed, parameters)
    }

    /// The model that was saved, with the settings it was inferred with.
    pub fn of_saved(saved: &SavedModel) -> Result<Self, Error> {
        let unknown = || Error::start(format!("the saved model is {:?}, which is not a known model", saved.model));
        entry(&saved.model).ok_or_else(unknown)?.read(setting::object(&saved.settings))
    }
}
