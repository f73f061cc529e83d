//! The names of inferences and starts on the command line, and which options a model has a use for.

use super::fit::Command;
use bgcn::graph_fit::{InferenceName, Needs, StartName};
use bgcn_core::data::Error;
use bgcn_core::graph_model::ModelSettings;
use bgcn_core::setting::Setting;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::Value;

/// The inferences, as clap lists them.
pub fn inferences() -> impl TypedValueParser<Value = InferenceName> {
    choices(InferenceName::ALL, InferenceName::name, |inference| match inference {
        InferenceName::Linear => "Ascent with closed-form sums over non-edges, all nodes every step",
        InferenceName::Minibatch => "The published ascent on sampled nodes and non-edges",
        InferenceName::Natural => "Damped natural steps under a prior around the start",
        InferenceName::Langevin => "Posterior samples by stochastic-gradient Riemannian Langevin dynamics",
        InferenceName::Variational => "Mean-field variational inference",
        InferenceName::Coordinate => "Coordinate ascent, the best from a start without labels",
    })
}

/// The starts, as clap lists them.
pub fn starts() -> impl TypedValueParser<Value = StartName> {
    choices(StartName::ALL, StartName::name, |start| match start {
        StartName::Labels => "The dataset's labels, propagated to nodes without one",
        StartName::Network => "The output of a GCN that has seen 20 labels of each class, as in the paper",
        StartName::Agglomerate => "Communities merged while modularity grows",
        StartName::Propagate => "Labels spread from far-apart nodes of high degree",
        StartName::Random => "Random memberships",
    })
}

fn choices<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
    help: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let listed = PossibleValuesParser::new(all.map(|one| PossibleValue::new(name(one)).help(help(one))));
    listed.map(move |text| *all.iter().find(|&&one| name(one) == text).expect("clap checked the name"))
}

/// Refuses options without a use for the chosen model.
pub fn rules(command: &Command) -> Result<(), Error> {
    let options = [
        ("--inference", !command.inference.is_empty(), Needs::Inferences),
        ("--iterations", command.iterations.is_some(), Needs::Iterations),
        ("--trace-every", command.trace_every > 0, Needs::Iterations),
    ];
    options
        .into_iter()
        .filter(|&(_, given, _)| given)
        .try_for_each(|(option, _, needs)| needs.check(command.graph_model, option))
}

/// The settings of `--set`, as the model reads them.
pub fn assignments(command: &Command) -> Result<Vec<(String, Value)>, Error> {
    let model: ModelSettings = command.graph_model.defaults(1, 1.0);
    let name = model.name();
    let mut settings = Vec::new();
    for assignment in &command.set {
        let Some((key, text)) = assignment.split_once('=') else {
            let found = format!("--set {assignment}: write key=value, such as {name}.communities=3");
            return Err(Error::Request(found));
        };
        let own = key.strip_prefix(name).and_then(|rest| rest.strip_prefix('.')).unwrap_or(key);
        let known: Option<&Setting> = command.graph_model.all_settings().find(|setting| setting.name == own);
        settings.push((own.to_owned(), known.map_or_else(|| text.into(), |setting| setting.range.read(text))));
    }
    Ok(settings)
}
