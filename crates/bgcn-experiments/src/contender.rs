//! Methods of a comparison: a method by name, or one with some settings changed.
//!
//! Changes come from a file, so that an ablation is a table with a command: docs/ablations.toml is one.

use crate::Error;
use bgcn_core::data::Dataset;
use bgcn_core::recipe::{Plan, Recipe};
use serde::Deserialize;
use serde_json::{Map, Value};

/// A plan under a name of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    name: String,
    plan: Plan,
}

/// A file of variants.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Variants {
    variant: Vec<Variant>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    name: String,
    method: String,
    #[serde(default)]
    set: Map<String, Value>,
}

impl Contender {
    /// A method by name: `gcn`, `gcn+copying`, `gcn+published`, …
    pub fn of_method(name: &str) -> Result<Self, Error> {
        let plan = Plan::of_method(name)?;
        Ok(Self { name: plan.method()?, plan })
    }

    /// The name in tables and in the log.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it draws graphs; a plain network uses the observed one.
    pub fn draws_graphs(&self) -> Result<bool, Error> {
        Ok(!self.plan.defaults()?.is_plain())
    }

    /// Reads variants from TOML: `[[variant]]` with a `name`, a `method`, and the settings that it changes under `set`.
    pub fn read_variants(text: &str) -> Result<Vec<Self>, Error> {
        let read: Variants =
            toml::from_str(text).map_err(|error| Error::Request(format!("the file of variants: {error}")))?;
        let contender = |Variant { name, method, set }| {
            let wrong = |error: bgcn_core::Error| Error::Request(format!("the settings of `{name}`: {error}"));
            let plan = Plan::of_method(&method).map_err(wrong)?.set_all(&set);
            plan.defaults().map_err(wrong)?;
            Ok(Self { plan, name })
        };
        read.variant.into_iter().map(contender).collect()
    }

    /// What it does on this dataset.
    pub fn recipe(&self, data: &Dataset) -> Result<Recipe, Error> {
        Ok(self.plan.resolve(data)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::data::karate;

    fn variant(set: &str) -> Result<Recipe, Error> {
        let text = format!("[[variant]]\nname = \"v\"\nmethod = \"bgcn\"\n{set}");
        Contender::read_variants(&text)?[0].recipe(&karate())
    }

    #[test]
    fn a_variant_changes_what_it_names_and_leaves_the_rest() {
        let plain = Contender::of_method("bgcn").unwrap().recipe(&karate()).unwrap();
        assert_eq!(variant("").unwrap(), plain);
        let changed = variant("set.schedule.draws = 200\nset.mmsbm.prior_strength = 2").unwrap().settings();
        assert_eq!((&changed["schedule.draws"], &changed["mmsbm.prior_strength"]), (&200.into(), &2.0.into()));
        assert_eq!(changed["schedule.infer_every"], plain.settings()["schedule.infer_every"]);
    }

    #[test]
    fn what_is_no_setting_is_refused_by_name() {
        let why = |set: &str| variant(set).unwrap_err().to_string();
        assert!(why("set.schedule.drawz = 200").contains("schedule.draws"));
        assert!(why("set.schedule.draws = 0").contains("`v`"));
        assert!(why("set.network.order = 2").contains("no order"), "another network's settings are no panic");
        assert!(Contender::read_variants("[[variant]]\nnom = 1").unwrap_err().is_input());
    }

    #[test]
    fn a_method_is_printed_by_its_full_name() {
        assert_eq!(Contender::of_method("bgcn").unwrap().name(), "gcn+mmsbm");
        assert!(Contender::of_method("mlp").unwrap_err().to_string().contains("chebnet"));
    }
}
