//! Which graph model, and which options it has.

use super::fit::Command;
use super::infer::StartName;
use crate::fit::{ModelOptions, OptionOf, OwnSettings, misplaced};
use bgcn::data::Error;
use bgcn::posterior::{self, GraphModelPlan};

/// Everything but the observed graph itself.
const ALL: [&str; 6] = ["mmsbm", "mmsb", "sbm", "dcsbm", "copying", "erase"];
/// Those that start from communities.
const STARTED: &[&str] = &["mmsbm", "mmsb", "sbm", "dcsbm", "copying"];
/// Those that iterate.
const ITERATED: &[&str] = &["mmsbm", "mmsb", "sbm", "dcsbm"];

/// The name of a model that can be inferred or drawn from.
pub fn parse(text: &str) -> Result<&'static str, String> {
    let found = ALL.into_iter().find(|name| *name == text);
    found.ok_or_else(|| {
        let remark =
            if text == "observed" { "; with observed there is nothing to infer and nothing to draw" } else { "" };
        format!("allowed are {}{remark}", ALL.join(", "))
    })
}

/// Refuses options that the chosen model has no use for.
pub fn refuse_others(command: &Command) -> Result<(), Error> {
    let (settings, own) = (&command.settings, &command.own);
    let options: [OptionOf<'_>; 17] = [
        ("inference", !command.inference.is_empty(), &["mmsbm"]),
        ("delta", command.delta.is_some(), &["mmsbm"]),
        ("beta-update", settings.beta_update.is_some(), &["mmsbm"]),
        ("burn-in", settings.burn_in.is_some(), &["mmsbm"]),
        ("thinning", settings.thinning.is_some(), &["mmsbm"]),
        ("communities", command.communities.is_some(), STARTED),
        ("start", command.start.is_some(), STARTED),
        ("iterations", command.iterations.is_some(), ITERATED),
        ("stop-below", settings.stop_below.is_some(), ITERATED),
        ("trace-every", settings.trace_every > 0, ITERATED),
        ("prior-strength", settings.prior_strength.is_some(), ITERATED),
        // An edge that was hidden is one that erasure can never draw.
        ("hold-out", command.hold_out != 0.0, STARTED),
        ("degree-prior", own.degree_prior.is_some(), &["dcsbm"]),
        ("copy", own.copy.is_some(), &["copying"]),
        ("copies", own.copies.is_some(), &["copying"]),
        ("classes", own.classes.is_some(), &["copying"]),
        ("drop", own.drop.is_some(), &["erase"]),
    ];
    match misplaced(command.graph_model, &options) {
        Some((name, why)) => Err(Error::Request(format!("--{name} was given, but {why}"))),
        None => Ok(()),
    }
}

/// The chosen model with its settings; not for mmsbm, which has inferences of its own.
pub fn plan(command: &Command, communities: usize, start: StartName) -> Result<GraphModelPlan, posterior::Error> {
    let plan = GraphModelPlan::named(command.graph_model, communities).expect("the name was parsed");
    // Labels and networks know something of the classes. A start from the graph alone only says where to begin.
    let from_graph =
        !matches!(start, StartName::Labels | StartName::Network) && ITERATED.contains(&command.graph_model);
    let settings = &command.settings;
    let OwnSettings { degree_prior, copy, copies, classes, drop } = command.own;
    let options = ModelOptions {
        prior_strength: settings.prior_strength.or(from_graph.then_some(0.0)),
        own: OwnSettings { degree_prior, copy, copies, classes, drop },
        ..ModelOptions::default()
    };
    let (every, below) = (settings.trace_every, settings.stop_below);
    Ok(match options.apply_to(plan)? {
        GraphModelPlan::Mmsb(params) => GraphModelPlan::Mmsb(params.trace_every(every).stop_below(below)),
        GraphModelPlan::Sbm(params) => GraphModelPlan::Sbm(params.trace_every(every).stop_below(below)),
        GraphModelPlan::Dcsbm(params) => GraphModelPlan::Dcsbm(params.trace_every(every).stop_below(below)),
        other => other,
    })
}
