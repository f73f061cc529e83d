use super::*;
use crate::{Log, Shard, Watching, run};
use bgcn_core::data::{demo, karate};
use bgcn_core::recipe::Plan;

fn demo_only() -> Datasets {
    Datasets::from([("demo".to_owned(), demo())])
}

fn contenders(names: &[&str]) -> Vec<Contender> {
    names.iter().map(|name| Contender::of_method(name).unwrap()).collect()
}

fn study<'a>(data: &'a Datasets, methods: &[&str]) -> Planted<'a> {
    let names = data.keys().cloned().collect();
    Planted::new(names, &contenders(methods), (1, 0), data).unwrap()
}

fn key(kind: Kind, percent: u32, ranker: &str) -> Key {
    Key { dataset: "demo".into(), cell: Cell::new(kind, percent, 20), ranker: ranker.into(), run: 0 }
}

fn trial(study: &Planted<'_>, key: &Key) -> Outcome {
    let outcome = study.trial(key, &crate::unwatched).unwrap();
    Planted::check(&outcome).unwrap();
    outcome
}

#[test]
fn the_default_method_is_the_librarys() {
    let data = karate();
    let default = Contender::of_method(DEFAULT).unwrap().recipe(&data).unwrap();
    assert_eq!(default, Plan::new().resolve(&data).unwrap());
}

#[test]
fn every_cell_has_its_rankers() {
    let data = demo_only();
    let trials = study(&data, &["gcn", "gcn+sbm"]).trials();
    let of = |kind| trials.iter().filter(|key| key.cell.kind == kind).count();
    assert_eq!(of(Kind::Uniform), 4 * 3, "links, gcn+sbm and the baselines; gcn uses the observed graph");
    assert_eq!((of(Kind::Between), of(Kind::Aimed), of(Kind::Hidden), of(Kind::Clean)), (3, 3, 1, 1));
}

#[test]
fn planted_edges_are_found_by_every_kind_of_ranker() {
    let data = demo_only();
    let study = study(&data, &["gcn+sbm"]);
    let mut outcomes = BTreeMap::new();
    for ranker in [LINKS, "gcn+sbm", BASELINES] {
        let key = key(Kind::Uniform, 10, ranker);
        let outcome = trial(&study, &key);
        let share = 0.1 / 1.1;
        assert!(outcome.rankings.values().all(|ranking| ranking.average_precision > 0.7 * share), "{outcome:?}");
        outcomes.insert(key, outcome);
    }
    let found = |ranker: &str, name: &str| outcomes[&key(Kind::Uniform, 10, ranker)].rankings[name].average_precision;
    assert!(found(LINKS, LINKS) > found(BASELINES, "degrees"));
    let judged = outcomes[&key(Kind::Uniform, 10, LINKS)].judged.unwrap();
    assert!((judged.spurious - 1.0 / 11.0).abs() < 1e-3 && judged.rho > 0.0);
    let table = &tabulate(&outcomes)[0];
    assert_eq!((table.rankings.len(), table.comparisons.len()), (8, 6));
    assert_eq!((table.rankings[0].ranker.as_str(), table.rankings[1].ranker.as_str()), (LINKS, "gcn+sbm"));
    assert!(blocks(&tabulate(&outcomes), false).len() > 5);
}

#[test]
fn hidden_edges_and_clean_graphs_have_outcomes_of_their_own() {
    let data = demo_only();
    let study = study(&data, &[]);
    let hidden = trial(&study, &key(Kind::Hidden, 10, LINKS));
    assert!(hidden.missing.unwrap().recall.is_some() && hidden.rankings.is_empty());
    let clean = trial(&study, &key(Kind::Clean, 0, LINKS)).clean.unwrap();
    assert!(clean.rho > 0.0 && clean.different <= SUSPICIOUS);
}

/// A few quick trials of the study.
struct Few<'a>(Planted<'a>);

impl Study for Few<'_> {
    const NAME: &'static str = Planted::NAME;
    type Key = Key;
    type Outcome = Outcome;

    fn seed(&self) -> u64 {
        self.0.seed()
    }

    fn trials(&self) -> Vec<Key> {
        vec![key(Kind::Aimed, 10, LINKS), key(Kind::Uniform, 10, BASELINES), key(Kind::Hidden, 10, LINKS)]
    }

    fn settings(&self, key: &Key) -> Identity {
        self.0.settings(key)
    }

    fn trial(&self, key: &Key, watch: Watch<'_>) -> Result<Outcome, Error> {
        self.0.trial(key, watch)
    }

    fn check(outcome: &Outcome) -> Result<(), String> {
        Planted::check(outcome)
    }

    fn shown(&self, key: &Key, outcome: &Outcome) -> Shown {
        self.0.shown(key, outcome)
    }
}

#[test]
fn outcomes_come_back_from_a_log_to_the_last_bit() {
    let data = demo_only();
    let study = Few(study(&data, &[]));
    let folder = tempfile::tempdir().unwrap();
    let go = || run(&study, &mut Log::open(folder.path()).unwrap(), Shard::WHOLE, Watching::default()).unwrap();
    let (first, again) = (go(), go());
    assert_eq!((first.run, again.run, again.reused), (3, 0, 3));
    assert_eq!(first.outcomes, again.outcomes);
    let path = folder.path().join(Log::FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen(r#""at_100":"#, r#""at_100":9"#, 1)).unwrap();
    assert!(Log::open(folder.path()).unwrap_err().to_string().contains("at_100 is 9"));
}
