//! A trial on its way to another machine, and back: who carries trials out is not this crate's business.
//!
//! An [`Item`] names a trial of an evaluation that both sides know. [`carry_out`] runs it there and gives the line of
//! the log, which the side that keeps the log checks before it appends it.

use crate::log::{Line, VERSION};
use crate::study::Study;
use crate::{Error, runner};
use bgcn::posterior::Watch;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A trial that is to be run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// The study's name.
    pub study: String,
    /// Which of its trials.
    pub key: Value,
    /// The hash of what it depends on.
    pub settings: String,
    /// What another study found for it; null where it needs nothing.
    pub context: Value,
    /// Bytes that it takes on top of the data.
    pub memory: u64,
}

impl Item {
    pub(crate) fn new<S: Study>(study: &S, key: &S::Key, settings: &str) -> Self {
        Self {
            study: S::NAME.into(),
            key: serde_json::to_value(key).expect("keys become JSON"),
            settings: settings.to_owned(),
            context: study.context(key),
            memory: study.memory(key),
        }
    }
}

/// Takes a group of finished lines into the log and tells how many trials were new.
pub type Take<'a> = &'a mut dyn FnMut(&[String]) -> Result<usize, Error>;

/// Whoever carries out trials in place of the threads of this process.
pub trait Hands: Sync {
    /// Has every item carried out, in any order, and hands the lines over. Returns when all were taken.
    fn carry_out(&self, items: &mut dyn Iterator<Item = Item>, take: Take<'_>) -> Result<(), Error>;
}

/// Runs the trial of an item; the line for the log.
pub fn carry_out<S: Study>(study: &S, item: &Item, watch: Watch<'_>) -> Result<String, Error> {
    let key = key_of::<S>(item)?;
    let settings = study.settings(&key).hash;
    if settings != item.settings {
        return Err(Error::Request(format!(
            "the study `{}`, trial {}: its settings are {settings} here and {} where it was asked for; both sides need \
             the same version and the same data",
            S::NAME,
            item.key,
            item.settings
        )));
    }
    let line = runner::trial(study, &key, settings, watch)?;
    Ok(serde_json::to_string(&line).expect("numbers and strings become JSON"))
}

fn key_of<S: Study>(item: &Item) -> Result<S::Key, Error> {
    S::Key::deserialize(&item.key)
        .map_err(|error| Error::Request(format!("the study `{}` has no trial {}: {error}", S::NAME, item.key)))
}

/// A line from another machine, if it is what a trial of the study could have given there.
pub(crate) fn accept<S: Study>(
    study: &S,
    settings: &BTreeMap<S::Key, String>,
    text: &str,
) -> Result<Line<S::Key, S::Outcome>, Error> {
    let refuse = |why: String| {
        let shown: String = text.chars().take(200).collect();
        Error::Outcome(format!(
            "a worker's line of the study `{}` cannot be taken: {why}; found `{shown}`; run the same version of bgcn \
             on every machine",
            S::NAME
        ))
    };
    let line: Line<S::Key, S::Outcome> = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
    let ours = [S::NAME.to_owned(), study.seed().to_string(), VERSION.to_owned()];
    let theirs = [line.study.clone(), line.seed.to_string(), line.version.clone()];
    for (what, (ours, theirs)) in ["study", "seed", "version"].iter().zip(ours.iter().zip(&theirs)) {
        if ours != theirs {
            return Err(refuse(format!("its {what} is {theirs}, where {ours} was asked for")));
        }
    }
    match settings.get(&line.key) {
        None => return Err(refuse("no such trial was asked for".into())),
        Some(hash) if *hash != line.settings => {
            return Err(refuse(format!("its settings are {}, where {hash} were asked for", line.settings)));
        }
        Some(_) => {}
    }
    if !(line.seconds.is_finite() && line.seconds >= 0.0) {
        return Err(refuse(format!("it took {} seconds", line.seconds)));
    }
    S::check(&line.outcome).map_err(refuse)?;
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edges::Edges;
    use crate::{Contender, Datasets, Log, Shard, Watching, run};
    use bgcn::data::karate;
    use std::ops::ControlFlow;

    /// Carries out items the other way round, one of them twice, in groups of two.
    struct Elsewhere<'a>(&'a Edges<'a>);

    impl Hands for Elsewhere<'_> {
        fn carry_out(&self, items: &mut dyn Iterator<Item = Item>, take: Take<'_>) -> Result<(), Error> {
            let mut items: Vec<Item> = items.collect();
            items.reverse();
            items.push(items[0].clone());
            let line = |item: &Item| carry_out(self.0, item, &|_| ControlFlow::Continue(()));
            let lines = items.iter().map(line).collect::<Result<Vec<String>, Error>>()?;
            let mut new = 0;
            for group in lines.chunks(2) {
                new += take(group)?;
            }
            assert_eq!(new, items.len() - 1, "a trial that came twice counts once");
            Ok(())
        }
    }

    fn study<'a>(contenders: &'a [Contender], data: &'a Datasets) -> Edges<'a> {
        Edges::new(vec!["karate".into()], contenders, (3, 0), data).unwrap()
    }

    fn contenders() -> Vec<Contender> {
        let text = "[[variant]]\nname = \"quick\"\nmethod = \"gcn+copying\"\n\
                    set.schedule = { pretraining = 10, draws = 4, averaged = 2 }";
        Contender::read_variants(text).unwrap()
    }

    fn data() -> Datasets {
        // Half of the smaller class is fewer than the 20 labels that the study takes.
        let mut karate = karate();
        karate.name = "karate".into();
        [("karate".into(), bigger(karate))].into()
    }

    /// Karate three times over.
    fn bigger(one: bgcn::data::Dataset) -> bgcn::data::Dataset {
        let n = one.nodes() as u32;
        let edges: Vec<(u32, u32)> =
            (0..3).flat_map(|copy| one.graph.edge_list().map(move |(a, b)| (a + copy * n, b + copy * n))).collect();
        let labels: Vec<Option<u32>> = (0..3 * n).map(|a| one.labels.class(a % n)).collect();
        bgcn::data::Dataset::builder(3 * n as usize).edges(&edges).labels(&labels).build().unwrap()
    }

    #[test]
    fn trials_carried_out_elsewhere_give_the_same_log_and_outcomes() {
        let (contenders, data) = (contenders(), data());
        let study = study(&contenders, &data);
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let own = run(&study, &mut Log::open(here.path()).unwrap(), Shard::WHOLE, Watching::default()).unwrap();
        let hands = Elsewhere(&study);
        let watching = || Watching { hands: Some(&hands), ..Watching::default() };
        let foreign = run(&study, &mut Log::open(there.path()).unwrap(), Shard::WHOLE, watching()).unwrap();
        assert_eq!((own.outcomes, own.run), (foreign.outcomes, foreign.run));
        assert_eq!((own.processors, own.left), (foreign.processors, foreign.left));
        let again = run(&study, &mut Log::open(there.path()).unwrap(), Shard::WHOLE, Watching::default()).unwrap();
        assert_eq!((again.run, again.reused), (0, 3));
    }

    #[test]
    fn what_was_not_asked_for_is_refused_with_the_reason() {
        let (contenders, data) = (contenders(), data());
        let study = study(&contenders, &data);
        let settings = runner::Settings::new(&study, &study.trials()).of;
        let key = &study.trials()[0];
        let item = Item::new(&study, key, &settings[key]);
        assert!(item.memory > 1000 && item.context.is_null());
        let line = carry_out(&study, &item, &|_| ControlFlow::Continue(())).unwrap();
        assert_eq!(accept(&study, &settings, &line).unwrap().key, *key);
        let why = |line: String| accept(&study, &settings, &line).unwrap_err().to_string();
        let version = format!(r#""version":"{VERSION}""#);
        assert!(why(line.replace(&version, r#""version":"9.9""#)).contains("its version is 9.9, where"));
        assert!(why(line.replace(r#""seed":0"#, r#""seed":7"#)).contains("its seed is 7"));
        assert!(why(line.replace(r#""run":0"#, r#""run":99"#)).contains("no such trial"));
        assert!(why(line.replace(&item.settings, "0123456789abcdef")).contains("its settings are 0123456789abcdef"));
        assert!(why("nothing".into()).contains("same version of bgcn"));
        let other = Item { settings: "0".into(), ..item };
        assert!(
            carry_out(&study, &other, &|_| ControlFlow::Continue(())).unwrap_err().to_string().contains("same data")
        );
    }
}
