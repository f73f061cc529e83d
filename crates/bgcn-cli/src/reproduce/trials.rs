//! Takes the trials of all studies through the log, and some of them a second time.

use super::live::Live;
use crate::args::Shared;
use bgcn::posterior::Watch;
use bgcn_experiments::{Error, Finished, Log, Sample, Shard, Study, Watching, recheck};
use std::path::Path;

/// The log, and which of its trials run again.
pub struct Trials<'a> {
    log: Log,
    shared: &'a Shared,
    /// Sees every fit.
    watch: Watch<'a>,
    sample: Sample,
    /// In the second pass: how many ran again and gave the same.
    equal: Option<usize>,
}

impl<'a> Trials<'a> {
    /// The log of this folder, of which at most `recheck` trials will run again.
    pub fn open(folder: &Path, recheck: usize, shared: &'a Shared, watch: Watch<'a>) -> anyhow::Result<Self> {
        let sample = Sample::new(recheck, shared.seed_number());
        let log = Log::open(folder).map_err(Error::from)?;
        Ok(Self { log, shared, watch, sample, equal: None })
    }

    /// Runs what the log does not have of a share, under a bar; in the second pass, what was chosen of this study.
    pub fn run<S: Study>(&mut self, study: &S, shard: Shard) -> anyhow::Result<Finished<S::Key, S::Outcome>> {
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
