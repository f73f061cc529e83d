//! Who takes part in a comparison: a method, or a method with some settings changed.
//!
//! Changes come from a file, so that an ablation is a table with a command: docs/ablations.toml is one.

use crate::{Error, Method};
use bgcn::Checked;
use bgcn::data::Dataset;
use bgcn::posterior::{GraphModelPlan, Plan};
use serde::Deserialize;
use serde_json::Value;

/// A method under a name of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    name: String,
    method: Method,
    /// Settings to change in the method's plan, laid out as in run.toml.
    changes: Value,
}

impl From<Method> for Contender {
    fn from(method: Method) -> Self {
        Self { name: method.to_string(), method, changes: Value::Null }
    }
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
    plan: Value,
}

impl Contender {
    /// The name in tables and in the log.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it draws graphs on this dataset, rather than take the observed one for granted.
    pub fn draws_graphs(&self, data: &Dataset) -> Result<bool, Error> {
        Ok(*self.plan(data)?.model() != GraphModelPlan::Observed)
    }

    /// Reads variants from TOML: `[[variant]]` with a `name`, a `method`, and the `plan` settings that it changes.
    pub fn read_variants(text: &str) -> Result<Vec<Self>, Error> {
        let read: Variants =
            toml::from_str(text).map_err(|error| Error::Request(format!("the file of variants: {error}")))?;
        let contender = |Variant { name, method, plan }| {
            Ok(Self { name, method: method.parse().map_err(Error::Request)?, changes: plan })
        };
        read.variant.into_iter().map(contender).collect()
    }

    /// What it does on this dataset.
    pub fn plan(&self, data: &Dataset) -> Result<Checked<Plan>, Error> {
        let wrong = |why: &dyn std::fmt::Display| Error::Request(format!("the settings of `{}`: {why}", self.name));
        let mut settings = serde_json::to_value(self.method.draft(data)).expect("plans become JSON");
        // The settings of one network make no sense for another: a chebnet needs an order, which gcn has none of.
        let kind = &self.changes["network"]["kind"];
        if !kind.is_null() && *kind != settings["network"]["kind"] {
            let why = format!("`network.kind` is {kind}, but the method decides on the network; name another method");
            return Err(wrong(&why));
        }
        change(&mut settings, &self.changes);
        let plan: Plan = serde_json::from_value(settings).map_err(|error| wrong(&error))?;
        plan.check().map_err(|error| wrong(&error))
    }
}

/// Tables are changed entry by entry, everything else is replaced.
fn change(settings: &mut Value, changes: &Value) {
    match (settings, changes) {
        (_, Value::Null) => {}
        (Value::Object(settings), Value::Object(changes)) => {
            for (name, value) in changes {
                change(settings.entry(name).or_insert(Value::Null), value);
            }
        }
        (settings, value) => *settings = value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn::data::karate;

    fn variant(plan: &str) -> Result<Checked<Plan>, Error> {
        let text = format!("[[variant]]\nname = \"v\"\nmethod = \"bgcn\"\n{plan}");
        Contender::read_variants(&text)?[0].plan(&karate())
    }

    #[test]
    fn a_variant_changes_what_it_names_and_leaves_the_rest() {
        let plain = Contender::from("bgcn".parse::<Method>().unwrap()).plan(&karate()).unwrap();
        assert_eq!(variant("").unwrap(), plain);
        let changed = variant("plan.draws = 200\nplan.graph_model.mmsbm.prior_strength = 2.0").unwrap();
        assert_ne!(changed, plain);
        let text = serde_json::to_value(&*changed).unwrap();
        assert_eq!(text["draws"], 200);
        assert_eq!(text["graph_model"]["mmsbm"]["prior_strength"], 2.0);
        assert_eq!(text["infer_every"], 10);
    }

    #[test]
    fn what_is_no_setting_is_refused_by_name() {
        let why = |plan: &str| variant(plan).unwrap_err().to_string();
        assert!(why("plan.drawz = 200").contains("drawz"));
        assert!(why("plan.draws = 0").contains("`v`"));
        for kind in ["chebnet", "gat", "mlp"] {
            let why = why(&format!("plan.network.kind = \"{kind}\""));
            assert!(why.contains(kind) && why.contains("method"), "{why}");
        }
        assert!(variant("plan.network.kind = \"gcn\"").is_ok());
        assert!(Contender::read_variants("[[variant]]\nnom = 1").unwrap_err().is_input());
    }
}
