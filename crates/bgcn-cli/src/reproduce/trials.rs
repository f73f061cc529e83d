//! Runs the trials of all studies that the log does not have, and some of them a second time.

use super::live::Live;
use crate::args::Shared;
use bgcn_core::posterior::Watch;
use bgcn_experiments::{Error, Finished, Log, Sample, Shard, Study, Watching, recheck};
use std::path::Path;

/// The log, what is run of a study, and which of its trials run again.
pub struct Trials<'a> {
    log: Log,
    shared: &'a Shared,
    watch: Watch<'a>,
    shard: Shard,
    /// Whether studies that others follow from are shared too, to be run and merged before those.
    stepwise: bool,
    sample: Sample,
    /// In the second pass: how many ran again and gave the same.
    equal: Option<usize>,
}

impl<'a> Trials<'a> {
    /// The share of every study, through the log of a folder.
    pub fn open(folder: &Path, shard: Shard, shared: &'a Shared, watch: Watch<'a>) -> Result<Self, Error> {
        let sample = Sample::new(0, shared.seed_number());
        Ok(Self { log: Log::open(folder)?, shared, watch, shard, stepwise: false, sample, equal: None })
    }

    /// At most so many trials will run again in a second pass.
    pub fn rechecking(self, trials: usize) -> Self {
        Self { sample: Sample::new(trials, self.shared.seed_number()), ..self }
    }

    /// Shares studies that others follow from too.
    pub fn stepwise(self) -> Self {
        Self { stepwise: true, ..self }
    }

    /// Runs what the log does not have of the share; in the second pass, what was chosen of this study.
    pub fn run<S: Study>(&mut self, study: &S) -> Result<Finished<S::Key, S::Outcome>, Error> {
        self.run_share(study, self.shard)
    }

    /// The same for a study that another follows from: every share needs all of it.
    pub fn run_first<S: Study>(&mut self, study: &S) -> Result<Finished<S::Key, S::Outcome>, Error> {
        self.run_share(study, if self.stepwise { self.shard } else { Shard::WHOLE })
    }

    fn run_share<S: Study>(&mut self, study: &S, shard: Shard) -> Result<Finished<S::Key, S::Outcome>, Error> {
        let live = Live::start(self.shared, S::NAME);
        let watching = Watching { trials: &|done| live.done(study, &done), fits: self.watch };
        let finished = bgcn_experiments::run(study, &mut self.log, shard, watching);
        live.finish();
        let finished = finished?;
        match &mut self.equal {
            None => self.sample.offer::<S>(finished.outcomes.keys()),
            Some(equal) => {
                let live = Live::start(self.shared, &format!("{}, again", S::NAME));
                let found = recheck(study, &self.log, &self.sample, &|of| live.checked(of));
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
