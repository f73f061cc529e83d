//! From a graph to P(spurious) of its edges and P(missing) of other pairs.

use super::candidates::{Index, Search};
use super::classes::Side;
use super::decoys::Decoys;
use super::evidence::Scene;
use super::lists::Compared;
use super::missing::{self, Examples};
use super::model::{LinkModel, Seen};
use super::similarity::{self, UnitRows};
use super::tilt::logit;
use super::{GoOn, JudgedEdge, Links, MissedPair};
use crate::Error;
use crate::data::{Dataset, FeatureKind, Features, Split};
use crate::graph::Graph;
use crate::memory;
use crate::posterior::{self, Fit, Learned, MemoryNeed, Phase, Predictions, Progress, Task, Watch, unwatched};
use crate::recipe::{Doubted, LinkSettings, Recipe, Scaling};
use crate::rng::Seed;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// Unobserved pairs that are kept: the length of a list, no probability depends on it.
pub const MISSING: usize = 1000;
/// Candidates without an edge that all rounds together learn from, about: a limit of work.
const RIVALS: usize = 200_000;
// No result depends on the following.
/// Edges up to which the fit with decoys runs beside the fit without, where there is memory for both; larger fits use all
/// cores by themselves.
const BESIDE: usize = 200_000;
/// Bytes for an edge: evidence, verdict, both twice while they are gathered, and the graph with decoys.
const EDGE_BYTES: u64 = 256;
/// Bytes for a node: its candidates, their sums on each thread.
const NODE_BYTES: u64 = 128;
/// Pairs that one thread takes at a time.
const BLOCK: usize = 4096;

/// Fits, and judges the edges. With `links.doubted` left_out, the fit is that of the graph without the doubted edges.
pub fn fit(recipe: &Recipe, task: Task<'_>, watch: Watch<'_>) -> Result<(Fit, Links), Error> {
    let setting = Setting::new(recipe, task)?;
    let fit = || posterior::fit(recipe, task, watch);
    let rounds = || setting.rounds(Some(recipe), watch);
    // Two fits at once take twice the memory.
    let both = 2 * MemoryNeed::of(recipe, task.data).total();
    let (fit, rounds) = match task.data.graph.edges() <= BESIDE && memory::allow(both).is_ok() {
        true => rayon::join(fit, rounds),
        false => (fit(), rounds()),
    };
    let (mut fit, rounds) = (fit?, rounds?);
    let links = setting.links(Some((&fit.learned, &fit.predictions)), rounds, watch)?;
    if recipe.links.doubted == Doubted::LeftOut {
        let trusted = links.edges.iter().filter(|edge| edge.log_odds <= 0.0);
        let trusted: Vec<(u32, u32)> = trusted.map(|edge| (edge.a, edge.b)).collect();
        let mut data = task.data.clone();
        data.graph = Graph::from_edges(data.nodes(), &trusted)?;
        fit = posterior::fit(recipe, Task { data: &data, ..task }, watch)?;
    }
    Ok((fit, links))
}

/// The fit of [`fit`], to the byte, and no more work than it needs.
pub fn fit_alone(recipe: &Recipe, task: Task<'_>, watch: Watch<'_>) -> Result<Fit, Error> {
    match recipe.links.doubted {
        Doubted::Kept => posterior::fit(recipe, task, watch),
        Doubted::LeftOut => Ok(fit(recipe, task, watch)?.0),
    }
}

/// Judges the edges of a graph that was fitted with all of them. Costs about another fit, which has decoys in its graph.
pub fn judge(learned: &Learned, predictions: &Predictions, task: Task<'_>, watch: Watch<'_>) -> Result<Links, Error> {
    let recipe = &learned.recipe;
    let setting = Setting::new(recipe, task)?;
    let rounds = setting.rounds(Some(recipe), watch)?;
    setting.links(Some((learned, predictions)), rounds, watch)
}

/// Judges the edges of a graph by itself: by features, neighbours and known labels, without a fit.
pub fn judge_graph(data: &Dataset, settings: LinkSettings, seed: Seed, watch: Watch<'_>) -> Result<Links, Error> {
    let train = (0..data.nodes() as u32).filter(|&a| data.labels.is_known(a)).collect();
    let split = Split { train, ..Split::default() };
    let scaling = FeatureKind::of(&data.features).scaling();
    let task = Task { data, split: &split, seed };
    let setting = Setting::of(task, scaling, settings)?;
    let rounds = setting.rounds(None, watch)?;
    setting.links(None, rounds, watch)
}

/// Judges the edges with predictions that came from elsewhere: the link model alone. The predictions should not have
/// been learned from the edges that are judged, or every edge looks likely.
pub fn judge_given(task: Task<'_>, predictions: &Predictions, settings: LinkSettings) -> Result<Links, Error> {
    let scaling = FeatureKind::of(&task.data.features).scaling();
    let setting = Setting { given: Some(predictions), ..Setting::of(task, scaling, settings)? };
    let rounds = setting.rounds(None, &unwatched)?;
    setting.links(None, rounds, &unwatched)
}

/// Refuses a graph whose evidence does not fit into memory, where the system reports how much there is.
fn check_memory(data: &Dataset) -> Result<(), Error> {
    let (n, edges) = (data.nodes() as u64, data.graph.edges() as u64);
    let entries = match &data.features {
        Features::Identity(_) => 0,
        Features::Dense(rows) => 4 * rows.values.len(),
        Features::Sparse(rows) => 16 * rows.indices.len(),
    };
    let need = EDGE_BYTES * edges + NODE_BYTES * n + entries as u64;
    memory::allow(need).map_err(|much| {
        let fit = (n as f64 * much.available as f64 / need as f64) as u64;
        let name = &data.name;
        Error::Request(format!(
            "judging the edges of {name} ({n} nodes, {edges} edges): {much}; about {fit} nodes like these would fit"
        ))
    })
}

/// Stops where the watcher breaks.
fn go_on(watch: Watch<'_>) -> impl Fn() -> Result<(), Error> + Sync {
    move || match watch(Progress { phase: Phase::Decoys, done: 1, total: 1 }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Stopped),
    }
}

/// What a fit learned and predicts, where there is one.
type Fitted<'a> = Option<(&'a Learned, &'a Predictions)>;

/// What all rounds share.
struct Setting<'a> {
    task: Task<'a>,
    rows: Option<UnitRows>,
    /// Of the rows, once it is asked for.
    index: OnceLock<Index>,
    settings: LinkSettings,
    /// Nodes whose label is known.
    known: Vec<bool>,
    /// Predictions from elsewhere.
    given: Option<&'a Predictions>,
}

/// Evidence among decoys, and of hidden edges.
struct Round {
    observed: Vec<Seen>,
    decoys: Vec<Seen>,
    examples: Examples,
}

impl<'a> Setting<'a> {
    fn new(recipe: &Recipe, task: Task<'a>) -> Result<Self, Error> {
        Self::of(task, recipe.scaling, recipe.links)
    }

    fn of(task: Task<'a>, scaling: Scaling, settings: LinkSettings) -> Result<Self, Error> {
        check_memory(task.data)?;
        let mut known = vec![false; task.data.nodes()];
        task.split.train.iter().for_each(|&a| known[a as usize] = true);
        let rows = UnitRows::of(&task.data.features, scaling)?;
        Ok(Self { task, rows, index: OnceLock::new(), settings, known, given: None })
    }

    fn decoys(&self) -> Decoys<'_> {
        let Task { data, split, seed } = self.task;
        Decoys { graph: &data.graph, settings: self.settings, labelled: &split.train, seed }
    }

    fn scene<'s>(&'s self, graph: &'s Graph, fit: Fitted<'_>) -> Result<Scene<'s>, Error> {
        let Task { data, split, .. } = self.task;
        let side = |predictions: &Predictions| Side::of(graph, predictions, (&data.labels, split));
        let alone = match fit {
            // Without features, weights are of nodes, not of what they are like.
            Some((learned, _)) if !matches!(data.features, Features::Identity(_)) => {
                Some(side(&learned.predict_from_features(&data.features)?))
            }
            _ => None,
        };
        let side = match (fit.map(|(_, predictions)| predictions).or(self.given), &data.labels) {
            (Some(predictions), _) => Some(side(predictions)),
            (None, labels) => Side::of_labels(graph, labels),
        };
        Ok(Scene { graph, rows: self.rows.as_ref(), side, alone })
    }

    /// Every round: decoys are added, and the fit, where there is one, sees them like all other edges.
    fn rounds(&self, fit: Option<&Recipe>, watch: Watch<'_>) -> Result<Vec<Round>, Error> {
        let decoys = self.decoys();
        let total = decoys.rounds();
        (0..total).map(|i| self.round(&decoys, (fit, watch), (i, total))).collect()
    }

    fn round(
        &self,
        from: &Decoys<'_>,
        (recipe, watch): (Option<&Recipe>, Watch<'_>),
        (i, total): (usize, usize),
    ) -> Result<Round, Error> {
        let Task { data, split, seed } = self.task;
        let (decoys, hidden) = (from.draw(i), from.hidden(i));
        let graph = from.changed(&decoys, &hidden);
        let fit = match recipe {
            None => None,
            Some(recipe) => {
                let mut among = data.clone();
                among.graph = graph.clone();
                let watch = |progress: Progress| match progress.phase {
                    Phase::Draws => watch(Progress {
                        phase: Phase::Decoys,
                        done: i * progress.total + progress.done,
                        total: total * progress.total,
                    }),
                    // Only to be stopped.
                    _ => watch(Progress { phase: Phase::Decoys, done: i, total }),
                };
                Some(posterior::fit(recipe, Task { data: &among, split, seed }, &watch)?)
            }
        };
        let scene = self.scene(&graph, fit.as_ref().map(|fit| (&fit.learned, &fit.predictions)))?;
        let step = data.graph.edges().div_ceil(self.settings.learned_from).max(1);
        let kept = data.graph.edge_list().filter(|edge| hidden.binary_search(edge).is_err());
        let observed: Vec<(u32, u32)> = kept.step_by(step).collect();
        let seen = |pairs: Vec<(u32, u32)>| -> Vec<Seen> {
            let columns = scene.columns_of(&pairs);
            pairs.into_iter().zip(columns).map(|(pair, columns)| Seen { pair, columns }).collect()
        };
        // As the search will be made: without decoys.
        let kept = from.changed(&[], &hidden);
        let search = self.search(&kept, scene.side.as_ref());
        let found = search.found(&hidden, &go_on(watch))?;
        let mut rivals = search.some(RIVALS / total, &mut from.stream(i));
        rivals.retain(|pair| hidden.binary_search(pair).is_err());
        let examples =
            Examples { hidden: hidden.len(), found: scene.columns_of(&found), rivals: scene.columns_of(&rivals) };
        Ok(Round { observed: seen(observed), decoys: seen(decoys), examples })
    }

    fn links(&self, fit: Fitted<'_>, rounds: Vec<Round>, watch: Watch<'_>) -> Result<Links, Error> {
        let graph = &self.task.data.graph;
        let scene = self.scene(graph, fit)?;
        let count = rounds.len();
        let (mut observed, mut decoys, mut examples) = (Vec::new(), Vec::new(), Examples::default());
        for round in rounds {
            observed.extend(round.observed);
            decoys.extend(round.decoys);
            examples.add(round.examples);
        }
        let go_on = go_on(watch);
        let judged = || {
            let model = LinkModel::fit((&observed, &decoys), count, (self.settings, self.task.seed), &go_on)?;
            go_on()?;
            Ok::<_, Error>((self.edges(&scene, model.as_ref()), model))
        };
        let (judged, missing) = rayon::join(judged, || self.missing(&scene, &examples, &go_on));
        let ((edges, model), mut missing) = (judged?, missing?);
        let rho = model.as_ref().map_or(self.settings.unknown_share, |model| model.rho);
        missing.iter_mut().for_each(|pair| pair.log_odds += (1.0 - rho).ln());
        let compared = model.as_ref().map(Compared::new);
        Ok(Links {
            rho,
            decoys: decoys.len(),
            decoy_kind: self.settings.decoys,
            with_predictions: fit.is_some() || self.given.is_some(),
            calibration: compared.as_ref().map_or(Vec::new(), Compared::calibration),
            lists: compared.as_ref().map_or(Vec::new(), |compared| compared.lists(&edges)),
            missing,
            recall: examples.recall(),
            edges,
        })
    }

    fn search<'s>(&'s self, graph: &'s Graph, side: Option<&Side>) -> Search<'s> {
        let index = |rows| self.index.get_or_init(|| Index::of(rows, self.task.seed));
        let near = self.rows.as_ref().map(|rows| (rows, index(rows)));
        Search::new(graph, near, side, self.settings.candidates)
    }

    /// The likeliest missing pairs.
    fn missing(&self, scene: &Scene<'_>, examples: &Examples, go_on: GoOn<'_>) -> Result<Vec<MissedPair>, Error> {
        if examples.found.is_empty() {
            return Ok(Vec::new());
        }
        let candidates = self.search(scene.graph, scene.side.as_ref()).all(go_on)?;
        let mut missing = missing::likeliest(scene, &candidates, examples, (self.settings, MISSING), go_on)?;
        let features = &self.task.data.features;
        missing.par_iter_mut().for_each(|pair| pair.shared_words = similarity::shared_words(features, pair.a, pair.b));
        Ok(missing)
    }

    /// Every observed edge, the most suspicious first. Without a model there is no evidence for any.
    fn edges(&self, scene: &Scene<'_>, model: Option<&LinkModel>) -> Vec<JudgedEdge> {
        let pairs: Vec<(u32, u32)> = scene.graph.edge_list().collect();
        let Some(model) = model else {
            let log_odds = logit(self.settings.unknown_share);
            let nothing = |(a, b)| JudgedEdge::blind((a, b), log_odds);
            return pairs.into_iter().map(nothing).collect();
        };
        let columns = scene.columns_of(&pairs);
        let base = logit(model.rho);
        let judged = pairs.par_chunks(BLOCK).zip(columns.par_chunks(BLOCK)).map(|(pairs, columns)| {
            let mut scratch = Vec::new();
            let judge = |(&(a, b), columns)| match scene.is_blind(a, b, &self.known) {
                true => JudgedEdge::blind((a, b), base),
                false => {
                    let judged = model.judge((a, b), columns, &mut scratch);
                    let terms = judged.terms.map(|term| -term);
                    let shared_words = similarity::shared_words(&self.task.data.features, a, b);
                    JudgedEdge { a, b, log_odds: base - judged.ln_g, terms, blind: false, shared_words }
                }
            };
            pairs.iter().zip(columns).map(judge).collect::<Vec<_>>()
        });
        let mut edges = judged.collect::<Vec<_>>().concat();
        edges.par_sort_by(|x, y| y.log_odds.total_cmp(&x.log_odds).then((x.a, x.b).cmp(&(y.a, y.b))));
        edges
    }
}
