//! An evaluation whose trials are carried out elsewhere: this side has the log, the order of the studies and the tables.

use super::desk::{Desk, Progress};
use super::trials::Crew;
use super::{Command, Studies, carry_out};
use crate::args::Shared;
use crate::{Failure, screen};
use bgcn_experiments::{Datasets, Item};
use serde_json::Value;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What came of an evaluation.
#[derive(Clone, Debug)]
pub struct Results {
    /// As with `--json`.
    pub json: Value,
    /// The page as Markdown.
    pub page: String,
    /// How it went, in a line.
    pub remark: String,
}

/// A running evaluation. Dropping it ends it; the log keeps what was handed in.
pub struct Session {
    desk: Arc<Desk>,
    studies: Arc<Studies>,
    thread: Option<JoinHandle<Result<Results, Failure>>>,
    /// Whether JSON was asked for.
    pub json: bool,
    /// Whether silence was asked for.
    pub quiet: bool,
}

impl Session {
    /// Reads the data and opens the log.
    pub fn start(command: Command, mut shared: Shared) -> Result<Self, Failure> {
        let start = Instant::now();
        let studies = Arc::new(Studies::new(&command, &shared).map_err(|error| Failure::of(&error))?);
        let (json, quiet) = (shared.json, shared.quiet);
        // Whoever drives shows how far it is.
        shared.quiet = true;
        let desk = Arc::new(Desk::default());
        let (at, of) = (Arc::clone(&desk), Arc::clone(&studies));
        let work = move || {
            let watch = |_| if at.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            let crew = Crew { watch: &watch, desk: Some(&at) };
            let done = carry_out(&of, &command, &shared, crew).map(|(report, page)| Results {
                json: report.json(start),
                page: page.markdown(),
                remark: report.remark(&command.out, start),
            });
            at.end();
            done.map_err(|error| Failure::of(&error))
        };
        let ending = Ending(Arc::clone(&desk));
        let thread = std::thread::Builder::new().name("bgcn-studies".into()).spawn(move || {
            let _ending = ending;
            work()
        });
        let thread =
            thread.map_err(|error| Failure { message: format!("starting a thread: {error}"), is_input: false })?;
        Ok(Self { desk, studies, thread: Some(thread), json, quiet })
    }

    /// What another machine needs beside the data to run trials: the text that [`super::Bench::new`] takes.
    pub fn evaluation(&self) -> String {
        serde_json::to_string(&self.studies.asked).expect("words and numbers become JSON")
    }

    /// The data, by the names that the evaluation has for it.
    pub fn data(&self) -> &Datasets {
        &self.studies.data
    }

    /// At most so many trials that are to be run; `None` when there will be no more.
    pub fn fetch(&self, most: usize, patience: Duration) -> Option<Vec<Item>> {
        self.desk.fetch(most, patience)
    }

    /// Lines of finished trials.
    pub fn hand_in(&self, lines: Vec<String>) {
        self.desk.hand_in(lines);
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        self.desk.progress()
    }

    /// Ends it early.
    pub fn stop(&self) {
        self.desk.stop();
    }

    /// The results, or why there are none; the second time there are none.
    pub fn finish(&mut self) -> Result<Results, Failure> {
        let gone = || Failure { message: "the evaluation has ended already".into(), is_input: false };
        let thread = self.thread.take().ok_or_else(gone)?;
        let fault =
            |_| Failure { message: "a fault of bgcn in the evaluation; please report it".into(), is_input: false };
        thread.join().map_err(fault)?
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.stop();
        let _ = self.finish();
    }
}

/// Whoever waits at the desk must not wait for a thread that panicked.
struct Ending(Arc<Desk>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Failure {
    /// What a person should read of it.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        Self { message: screen::with_causes(error), is_input: screen::is_input(error) }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Bench, reproduce, reproduce_elsewhere};
    use std::ffi::OsString;
    use std::ops::ControlFlow;
    use std::path::Path;
    use std::time::Duration;

    const QUICK: &str = "[[variant]]\nname = \"quick\"\nmethod = \"gcn+copying\"\n\
                         set.schedule = { pretraining = 10, draws = 4, averaged = 2 }\n";

    fn words(out: &Path, more: &[&str]) -> Vec<OsString> {
        let variants = out.with_extension("toml");
        std::fs::write(&variants, QUICK).unwrap();
        let mut words: Vec<OsString> =
            ["demo", "attack-demo", "--runs=2", "--methods=gcn", "--labels-per-class=5"].map(OsString::from).into();
        words.push(format!("--out={}", out.display()).into());
        words.push(format!("--variants={}", variants.display()).into());
        words.extend(more.iter().map(OsString::from));
        words
    }

    #[test]
    fn an_evaluation_carried_out_elsewhere_has_the_same_tables() {
        let place = tempfile::tempdir().unwrap();
        let (here, there) = (place.path().join("here"), place.path().join("there"));
        let own = reproduce(words(&here, &["--evasion"]), &|_| ControlFlow::Continue(())).unwrap();
        let mut session = reproduce_elsewhere(words(&there, &["--evasion", "--recheck=3"])).unwrap();
        let bench = Bench::new(&session.evaluation(), session.data().clone(), 1).unwrap();
        while let Some(items) = session.fetch(3, Duration::from_secs(60)) {
            let lines = items.into_iter().map(|item| bench.run(item, &mut || true).unwrap());
            session.hand_in(lines.collect());
        }
        let found = session.finish().unwrap().json;
        assert_eq!((&found["tables"], &found["claims"]), (&own["tables"], &own["claims"]));
        assert_eq!((&found["trials_run"], &found["rechecked"]), (&own["trials_run"], &3.into()));
        assert!(session.finish().is_err(), "there is one end");
    }

    #[test]
    fn a_session_that_is_left_keeps_what_was_handed_in() {
        let place = tempfile::tempdir().unwrap();
        let out = place.path().join("out");
        let session = reproduce_elsewhere(words(&out, &[])).unwrap();
        let bench = Bench::new(&session.evaluation(), session.data().clone(), 1).unwrap();
        let items = session.fetch(1, Duration::from_secs(60)).unwrap();
        session.hand_in(items.into_iter().map(|item| bench.run(item, &mut || true).unwrap()).collect());
        drop(session);
        assert_eq!(std::fs::read_to_string(out.join("trials.jsonl")).unwrap().lines().count(), 1);
        let mut session = reproduce_elsewhere(words(&out, &[])).unwrap();
        session.hand_in(vec!["no line".into()]);
        assert!(session.finish().unwrap_err().message.contains("same version of bgcn"));
        assert!(Bench::new("{}", Default::default(), 1).is_err());
    }
}
