//! The straight line that stands for 1/(1 − p) in sums over all non-edges, so that two moments are all they need.
//! Paper: not in it; the paper samples non-edges.
//! Differs: the line is the closest over all s that can occur, about eight times closer than expanding around 0.
//! Symbols: u(s) = `at_0` + `slope` · s ≈ 1/(q − s), with 1 − p = q − s.

/// u(s) = at_0 + slope · s ≈ 1/(q − s), with the largest error over the interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) at_0: f64,
    pub(crate) slope: f64,
    pub(crate) error: f64,
}

impl Line {
    /// The line closest to 1/(1 − delta − s) for all s that memberships can make.
    pub(crate) fn closest(beta: &[f64], delta: f64) -> Self {
        let low = beta.iter().map(|b| b - delta).fold(0.0, f64::min);
        let high = beta.iter().map(|b| b - delta).fold(0.0, f64::max);
        Self::over(1.0 - delta, low, high)
    }

    /// The line closest to 1/(q − s) for low ≤ s ≤ high < q.
    pub(crate) fn over(q: f64, low: f64, high: f64) -> Self {
        let f = |s: f64| 1.0 / (q - s);
        // f is convex, so the best line has the slope of the chord and runs halfway between chord and tangent.
        // The product form of the chord's slope has no 0/0 on an empty interval.
        let slope = f(low) * f(high);
        let touch = q - 1.0 / slope.sqrt();
        let gap = f(low) + slope * (touch - low) - f(touch);
        let error = 0.5 * gap.max(0.0);
        Self { at_0: f(low) - slope * low - error, slope, error }
    }

    /// u(s).
    pub(crate) fn at(&self, s: f64) -> f64 {
        self.at_0 + self.slope * s
    }

    /// The error relative to 1/(1 − p), the weight of a non-edge of probability p; the least p that can occur is the
    /// worst.
    pub(crate) fn relative_error(&self, p: f64) -> f64 {
        self.error * (1.0 - p)
    }
}
