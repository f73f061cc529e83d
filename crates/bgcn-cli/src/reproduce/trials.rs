//! Takes the trials of all studies through the log, and some of them a second time.

use super::Command;
use super::desk::Desk;
use super::live::Live;
use crate::args::Shared;
use bgcn::posterior::Watch;
use bgcn_experiments::{Error, Finished, Hands, Log, Sample, Shard, Study, Watching, recheck};

/// Who works, and who looks on.
pub struct Crew<'a> {
    /// Sees every fit of this process.
    pub watch: Watch<'a>,
    /// Where other machines fetch trials; without it, the threads of this process run them.
    pub desk: Option<&'a Desk>,
}

/// The log, and which of its trials run again.
pub struct Trials<'a> {
    log: Log,
    shared: &'a Shared,
    crew: Crew<'a>,
    sample: Sample,
    /// In the second pass: how many ran again and gave the same.
    equal: Option<usize>,
}

impl<'a> Trials<'a> {
    /// The log of the command's folder, of which at most `--recheck` trials will run again.
    pub fn open(command: &Command, shared: &'a Shared, crew: Crew<'a>) -> anyhow::Result<Self> {
        let sample = Sample::new(command.recheck, shared.seed_number());
        let log = Log::open(&command.out).map_err(Error::from)?;
        Ok(Self { log, shared, crew, sample, equal: None })
    }

    /// Runs what the log does not have of a share, under a bar; in the second pass, what was chosen of this study.
    pub fn run<S: Study>(&mut self, study: &S, shard: Shard) -> anyhow::Result<Finished<S::Key, S::Outcome>> {
        let live = Live::start(self.shared, S::NAME);
        let (desk, again) = (self.crew.desk, self.equal.is_some());
        let hands = desk.map(|desk| desk as &dyn Hands);
        // A second pass finds every trial in the log: what is told then is how many ran again.
        if let (Some(desk), false) = (desk, again) {
            desk.begin(S::NAME);
        }
        let watching = Watching {
            trials: &|done| {
                live.done(study, &done);
                if let (Some(desk), false) = (desk, again) {
                    desk.count(done.reused, done.of);
                }
            },
            fits: self.crew.watch,
            hands,
        };
        let finished = bgcn_experiments::run(study, &mut self.log, shard, watching);
        live.finish();
        let finished = finished?;
        match &mut self.equal {
            None => self.sample.offer::<S>(finished.outcomes.keys()),
            Some(equal) => {
                let title = format!("{}, again", S::NAME);
                let live = Live::start(self.shared, &title);
                if let Some(desk) = desk {
                    desk.begin(&title);
                }
                let checked = |of| {
                    live.checked(of);
                    if let Some(desk) = desk {
                        desk.count(false, of);
                    }
                };
                let found = recheck(study, &self.log, &self.sample, (&checked, hands));
                live.finish();
                *equal += found?;
            }
        }
        Ok(finished)
    }

    /// Begins the second pass.
    pub fn again(&mut self) {
        self.equal = Some(0);
    }

    /// How many trials ran again and gave the same.
    pub fn equal(&self) -> usize {
        self.equal.unwrap_or(0)
    }
}
