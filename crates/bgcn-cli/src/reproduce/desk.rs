//! Where trials wait for whoever fetches them, and lines for the log: the meeting place of the thread that runs the
//! studies and of a driver that has other machines carry out the trials.
//!
//! Lines that arrive while others are being synced wait for the next sync and share it, so that groups are as large as
//! the disk is slow, and no line waits longer than two syncs.

use bgcn_experiments::{Error, Hands, Item, Take};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Items that wait to be fetched, at most; the others are not made yet.
const AHEAD: usize = 4096;

/// How far an evaluation is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// The study that runs.
    pub study: String,
    /// Its finished trials.
    pub done: usize,
    /// How many of them were in the log.
    pub reused: usize,
    /// How many it has.
    pub of: usize,
    /// Lines taken into the log.
    pub lines: usize,
    /// Groups of them that were synced together.
    pub groups: usize,
    /// How long the slowest line waited until it was on disk.
    pub latest: Duration,
}

#[derive(Default)]
struct State {
    items: VecDeque<Item>,
    lines: Vec<String>,
    /// When the first of the lines came.
    since: Option<Instant>,
    progress: Progress,
    stopped: bool,
    ended: bool,
}

/// The meeting place.
#[derive(Default)]
pub struct Desk {
    state: Mutex<State>,
    changed: Condvar,
}

impl Desk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics at the desk")
    }

    /// A study begins.
    pub fn begin(&self, study: &str) {
        let progress = &mut self.state().progress;
        (progress.study, progress.done, progress.reused, progress.of) = (study.to_owned(), 0, 0, 0);
    }

    /// A trial of the study is done.
    pub fn count(&self, reused: bool, of: usize) {
        let progress = &mut self.state().progress;
        progress.done += 1;
        progress.reused += usize::from(reused);
        progress.of = of;
    }

    pub fn progress(&self) -> Progress {
        self.state().progress.clone()
    }

    /// At most so many items, for which it waits if there are none; `None` when there will be no more.
    pub fn fetch(&self, most: usize, patience: Duration) -> Option<Vec<Item>> {
        let waiting = |state: &mut State| state.items.is_empty() && !state.ended;
        let (mut state, _) =
            self.changed.wait_timeout_while(self.state(), patience, waiting).expect("nobody panics at the desk");
        let many = most.min(state.items.len());
        let items: Vec<Item> = state.items.drain(..many).collect();
        let ended = state.ended && items.is_empty();
        drop(state);
        // There is room for more.
        self.changed.notify_all();
        (!ended).then_some(items)
    }

    /// Lines for the log.
    pub fn hand_in(&self, lines: Vec<String>) {
        let mut state = self.state();
        if !lines.is_empty() {
            state.since.get_or_insert_with(Instant::now);
            state.lines.extend(lines);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Ends the studies; the log keeps what was handed in.
    pub fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }

    pub fn is_stopped(&self) -> bool {
        self.state().stopped
    }

    /// The studies have ended: trials that nobody fetched are not wanted any more.
    pub fn end(&self) {
        let mut state = self.state();
        state.ended = true;
        state.items.clear();
        drop(state);
        self.changed.notify_all();
    }
}

impl Hands for Desk {
    fn carry_out(&self, items: &mut dyn Iterator<Item = Item>, take: Take<'_>) -> Result<(), Error> {
        let (mut left, mut more) = (0, true);
        loop {
            let mut state = self.state();
            while more && state.items.len() < AHEAD {
                match items.next() {
                    Some(item) => {
                        state.items.push_back(item);
                        left += 1;
                    }
                    None => more = false,
                }
            }
            self.changed.notify_all();
            if left == 0 {
                return Ok(());
            }
            let idle = |state: &mut State| {
                state.lines.is_empty() && !state.stopped && !(more && state.items.len() < AHEAD / 2)
            };
            let mut state = self.changed.wait_while(state, idle).expect("nobody panics at the desk");
            let (lines, since) = (std::mem::take(&mut state.lines), state.since.take());
            let stopped = state.stopped;
            drop(state);
            if !lines.is_empty() {
                left -= take(&lines)?;
                let mut state = self.state();
                state.progress.lines += lines.len();
                state.progress.groups += 1;
                let waited = since.map_or(Duration::ZERO, |since| since.elapsed());
                state.progress.latest = state.progress.latest.max(waited);
            }
            if stopped {
                return Err(bgcn::Error::Stopped.into());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn items(count: u32) -> impl Iterator<Item = Item> {
        (0..count).map(|run| Item {
            study: "edges".into(),
            key: json!(run),
            settings: String::new(),
            context: json!(null),
            memory: 0,
        })
    }

    #[test]
    fn every_item_is_fetched_once_and_every_line_taken() {
        let desk = Desk::default();
        let taken = std::thread::scope(|scope| {
            let studies = scope.spawn(|| {
                let mut taken = Vec::new();
                let done = desk.carry_out(&mut items(10_000), &mut |lines| {
                    taken.extend(lines.to_vec());
                    Ok(lines.len())
                });
                desk.end();
                done.map(|()| taken)
            });
            let mut most = 0;
            while let Some(items) = desk.fetch(500, Duration::from_secs(60)) {
                most = most.max(items.len());
                desk.hand_in(items.iter().map(|item| item.key.to_string()).collect());
            }
            assert!(most <= 500);
            studies.join().unwrap().unwrap()
        });
        let mut keys: Vec<u32> = taken.iter().map(|line| line.parse().unwrap()).collect();
        keys.sort_unstable();
        assert!(keys.into_iter().eq(0..10_000));
        assert_eq!(desk.progress().lines, 10_000);
    }

    #[test]
    fn what_was_handed_in_before_a_stop_is_taken() {
        let desk = Desk::default();
        desk.hand_in(vec!["one".into()]);
        desk.stop();
        let mut taken = 0;
        let stopped = desk.carry_out(&mut items(5), &mut |lines| {
            taken += lines.len();
            Ok(lines.len())
        });
        assert!(stopped.is_err() && taken == 1);
    }
}
