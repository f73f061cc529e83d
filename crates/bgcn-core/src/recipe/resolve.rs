//! The only place where a default meets a dataset.

use super::settings::averaged;
use super::tables::Settings;
use super::{AUTO, Average, Belief, LinkSettings, Member, Plan, Recipe, Scaling, Schedule, ScheduleKind};
use crate::Error;
use crate::data::{Dataset, FeatureKind, Labels};
use crate::graph_model::mmsbm::{Inference, MmsbmParams};
use crate::graph_model::{ModelSettings, registry};
use crate::network::{Kind, Params};
use crate::setting::nearest;
use serde_json::Value;

/// Communities of a regression: levels of the predicted numbers, a choice of ours.
const LEVELS: usize = 5;

/// The graph model where none is named.
const DEFAULT_MODEL: &str = "copying"; // measured: docs/results.md

/// What defaults depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    communities: usize,
    mean_degree: f64,
    scaling: Scaling,
}

impl Facts {
    /// For recipes whose every setting is given.
    pub(super) const UNKNOWN: Self = Self { communities: 1, mean_degree: 4.0, scaling: Scaling::UnitRows };

    fn of(data: &Dataset) -> Self {
        Self {
            communities: match &data.labels {
                Labels::Classes { names, .. } => names.len().max(1),
                Labels::Values(_) => LEVELS,
            },
            mean_degree: 2.0 * data.graph.edges() as f64 / data.nodes().max(1) as f64,
            scaling: FeatureKind::of(&data.features).scaling(),
        }
    }
}

impl Plan {
    /// Every number of a fit on `data`, or which setting is wrong. No default depends on the labels that are seen.
    pub fn resolve(&self, data: &Dataset) -> Result<Recipe, Error> {
        let recipe = self.recipe(Facts::of(data))?;
        let classes = data.labels.classes();
        if matches!(data.labels, Labels::Classes { .. }) && ![0, classes.max(1)].contains(&recipe.communities()) {
            let (name, found) = (recipe.members[0].model.name(), recipe.communities());
            let allowed = format!("communities start as the {classes} classes of the data; leave it out");
            return Err(Error::setting(format!("{name}.communities"), found, allowed));
        }
        Ok(recipe)
    }

    /// The recipe with the defaults of no dataset in particular, to be listed.
    pub fn defaults(&self) -> Result<Recipe, Error> {
        self.recipe(Facts::UNKNOWN)
    }

    fn recipe(&self, facts: Facts) -> Result<Recipe, Error> {
        let given = self.given()?;
        let text = |key: &str, default: &'static str| match given.get(key) {
            None => Ok(default.to_owned()),
            Some(Value::String(text)) => Ok(text.to_lowercase()),
            Some(other) => Err(Error::setting(key, other, "allowed is a word; `bgcn settings` lists them")),
        };
        let (kind, schedule) = (text("network.kind", "gcn")?, text("schedule.kind", "published")?);
        let mut recipe = Recipe::defaults(&kind, &text("graph_model", DEFAULT_MODEL)?, &schedule, facts)?;
        recipe.follow_inference(given.get("mmsbm.inference"));
        recipe.set(&given)?;
        if let (Some(epochs), one_by_one) = self.asked() {
            recipe.train_for(epochs, one_by_one);
        }
        recipe.follow(&given);
        recipe.refuse_contradictions()?;
        Ok(recipe)
    }
}

impl Recipe {
    /// The defaults of these choices.
    pub(super) fn defaults(kind: &str, graph_model: &str, schedule: &str, facts: Facts) -> Result<Self, Error> {
        let network =
            Kind::named(kind).ok_or_else(|| Error::setting("network.kind", kind, "allowed: gcn | chebnet | gat"))?;
        let schedule = ScheduleKind::named(schedule)
            .ok_or_else(|| Error::setting("schedule.kind", schedule, "allowed: published | algorithm1"))?;
        let members = members(graph_model, facts)?;
        // An average with node copying is propagated as node copying is: docs/ablations.md.
        let trusting = members.iter().map(|member| member.model.entry().propagation);
        let (self_weight, neighbour_agreement) = trusting.min_by(|x, y| x.0.total_cmp(&y.0)).unwrap_or((2.0, 1.5));
        Ok(Self {
            scaling: facts.scaling,
            network: Params::new(network),
            schedule: Schedule::new(schedule, members.len()),
            belief: Belief::new(self_weight, neighbour_agreement),
            average: Average::new(),
            links: LinkSettings::new(),
            members,
        })
    }

    /// What depends on the inference of the block model, before other settings are given.
    fn follow_inference(&mut self, inference: Option<&Value>) {
        let Some(Ok(inference)) = inference.map(|value| serde_json::from_value::<Inference>(value.clone())) else {
            return;
        };
        for member in &mut self.members {
            if let ModelSettings::Mmsbm(params) = &member.model {
                member.model = ModelSettings::Mmsbm(MmsbmParams::new(params.communities, inference));
            }
        }
    }

    /// What depends on other settings, where it was not given.
    fn follow(&mut self, given: &Settings) {
        if !given.contains_key("schedule.averaged") {
            self.schedule.averaged = averaged(self.schedule.draws);
        }
    }

    /// So many training steps in all, but for settings that were given one by one: a step a draw with `published`;
    /// the steps of each network with `algorithm1`.
    fn train_for(&mut self, epochs: usize, given: &Settings) {
        let free = |key: &str| !given.contains_key(key);
        if free("network.epochs") {
            self.network.epochs = epochs;
        }
        if self.is_plain() && self.schedule.kind == ScheduleKind::Published {
            return;
        }
        let Schedule { kind, pretraining, draws, averaged, graph_epochs, .. } = &mut self.schedule;
        let (rest, key) = match kind {
            ScheduleKind::Published => (draws, "schedule.draws"),
            ScheduleKind::Algorithm1 => (graph_epochs, "schedule.graph_epochs"),
        };
        match (free("schedule.pretraining"), free(key)) {
            (true, true) => {
                let share = *rest as f64 / (*pretraining + *rest).max(1) as f64;
                *rest = ((epochs as f64 * share).round() as usize).clamp(1, epochs.saturating_sub(1).max(1));
                *pretraining = epochs.saturating_sub(*rest);
            }
            (true, false) => *pretraining = epochs.saturating_sub(*rest),
            (false, true) => *rest = epochs.saturating_sub(*pretraining).max(1),
            (false, false) => {}
        }
        if *kind == ScheduleKind::Published && free("schedule.averaged") {
            *averaged = (*averaged).min(*rest);
        }
    }

    /// Settings that contradict each other.
    fn refuse_contradictions(&self) -> Result<(), Error> {
        self.network.clone().check()?;
        let Schedule { averaged, draws, lambdas, kind, .. } = self.schedule;
        if kind == ScheduleKind::Published && averaged > draws {
            let allowed = format!("there are only {draws} draws to average; average fewer or draw more");
            return Err(Error::setting("schedule.averaged", averaged, allowed));
        }
        for Member { model, .. } in &self.members {
            if let (2.., Some(allowed)) = (lambdas, model.settings().single_lambda()) {
                return Err(Error::setting("schedule.lambdas", lambdas, allowed));
            }
            let (found, most) = (model.communities(), self.communities());
            if found != most {
                let allowed =
                    format!("graph models that are averaged start from one belief, here of {most} communities");
                return Err(Error::setting(format!("{}.communities", model.name()), found, allowed));
            }
        }
        Ok(())
    }
}

/// A name that was perhaps meant.
fn near(word: &str, known: &[&str]) -> String {
    let near = nearest(word, known.iter().copied());
    near.map(|near| format!(". Did you mean {near}?")).unwrap_or_default()
}

/// The graph models of a name such as `copying`, `auto` or `copying+sbm`.
fn members(names: &str, facts: Facts) -> Result<Vec<Member>, Error> {
    let refuse = |why: String| {
        let known: Vec<&str> = registry::ALL.iter().map(|entry| entry.name).collect();
        Error::setting(
            "graph_model",
            names,
            format!("{why}; allowed: {}, auto, or several joined by +{}", known.join(", "), near(names, &known)),
        )
    };
    let names_of = if names == "auto" { AUTO } else { names };
    let mut members: Vec<Member> = Vec::new();
    for name in names_of.split('+') {
        let entry = registry::entry(name).ok_or_else(|| refuse(format!("there is no graph model {name:?}")))?;
        if members.iter().any(|member| member.model.name() == name) {
            return Err(refuse(format!("{name} is named twice")));
        }
        let model = entry.defaults(facts.communities, facts.mean_degree);
        members.push(Member { weight: 1.0, observed_edges: entry.observed_edges, model });
    }
    if let (2.., Some(other)) = (members.len(), members.iter().find(|member| member.model.communities() == 0)) {
        let name = other.model.name();
        return Err(refuse(format!("{name} cannot be averaged with others, it gives held-out links probability 0")));
    }
    Ok(members)
}
