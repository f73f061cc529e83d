//! The authors' method beyond the text: a first run from random finds the row sums of phi and theta. The rest of it is
//! settings: the preset `published`.
//! Paper: not in it; the row sums decide how far a step goes, since the gradient leaves them nearly as they are.
//! Differs: nothing; phi ~ Gamma(1/K, 1), theta ~ Gamma(1, 1), steps larger by a factor and counted from 0. Inferences
//! start at a network's prediction with these sums, and leave their own to the next.
//! Symbols: phi [n, k] = pi · its row sums, theta [k, 2].

use super::begin::random_rows;
use super::{Lambda, Mmsbm};
use crate::graph_model::{Error, GoOn, Report, ask};
use crate::rng::{Random as _, Stream};

impl Mmsbm<'_> {
    /// Finds the row sums; λ is where it was afterwards.
    pub(super) fn find_scales(
        &mut self,
        stream: &mut Stream,
        report: &mut Report,
        go_on: GoOn<'_>,
    ) -> Result<(), Error> {
        let (n, k) = (self.lambda.n(), self.lambda.k());
        let (pi, sums) = random_rows(n, k, stream);
        let theta: Vec<[f64; 2]> = (0..k).map(|_| [stream.gamma(1.0), stream.gamma(1.0)]).collect();
        let beta = theta.iter().map(|[no, yes]| yes / (no + yes)).collect();
        let random = Lambda::new(k, &pi, beta, self.lambda.delta())?;
        let start = std::mem::replace(&mut self.lambda, random);
        self.phi_sum = sums;
        self.theta_sum = theta.iter().map(|theta| theta.iter().sum()).collect();
        self.finding_scales = true;
        let total = self.params.scale_iterations;
        let run = (1..=total).try_for_each(|done| {
            self.iterate(stream, report)?;
            ask(go_on, done, total)
        });
        self.finding_scales = false;
        run?;
        report.iterations = 0;
        (self.lambda, self.t, self.scaled) = (start, 0, true);
        Ok(())
    }
}
