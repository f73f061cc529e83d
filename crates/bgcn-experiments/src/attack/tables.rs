//! The results as part of a page: tables beside the paper's, the claims, the figure.

use super::{Comparison, Kind, MethodResult, PublishedScores, Results, Scores, figure};
use crate::summary::or_dash;
use bgcn_report::svg::Drawing;
use bgcn_report::{Block, Figure};

const TWO_THIRDS: &str = "loses at most two thirds of the accuracy that";

impl Results {
    /// In reading order: what was done, accuracy and margin, losses, claims, figure, remarks.
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = vec![Block::Heading(self.attack.title(&self.dataset)), Block::Text(self.protocol())];
        blocks.push(self.table(
            "accuracy, %",
            1,
            |scores| (scores.accuracy.mean, scores.accuracy.error()),
            |p| p.accuracy,
        ));
        blocks.push(self.table("margin", 3, |scores| (scores.margin.mean, scores.margin.error()), |p| p.margin));
        blocks.push(self.losses());
        blocks.extend(self.comparisons.iter().map(|comparison| Block::Text(self.claims(comparison))));
        let caption = self.caption();
        blocks.push(Block::Figure(Figure { file: self.file(), caption, svg: self.drawing().file() }));
        blocks.extend(self.slips().map(|text| Block::Text(text.into())));
        blocks
    }

    /// The box plots of the margins before and after.
    pub fn drawing(&self) -> Drawing {
        figure::draw(self)
    }

    /// The name of the figure's file: `attack-cora.svg`, say.
    pub fn file(&self) -> String {
        let kind = if self.attack == Kind::Evasion { "evasion-" } else { "" };
        format!("attack-{kind}{}.svg", self.dataset)
    }

    fn protocol(&self) -> String {
        let Self { split, labels_per_class, repetitions, .. } = self;
        let counts: Vec<String> =
            self.methods.iter().map(|method| format!("{} of `{}`", method.targets.len(), method.method)).collect();
        let trained = match self.attack {
            Kind::Poisoning => {
                "one run on each, and as many on the observed graph. The network is trained on each perturbed graph \
                 (poisoning)."
            }
            Kind::Evasion => {
                "and as many runs on the observed graph. The network is trained on the observed graph and applied to \
                 the perturbed ones (evasion)."
            }
        };
        format!(
            "Targets: {}; {repetitions} perturbed graphs of each, {trained} Split: {split}, {labels_per_class} \
             labels per class. Errors are standard errors over the targets.",
            counts.join(", ")
        )
    }

    /// Before and after: ours, the paper's, the difference.
    fn table(
        &self,
        what: &str,
        digits: usize,
        ours: fn(&Scores) -> (f64, f64),
        theirs: fn(&PublishedScores) -> f64,
    ) -> Block {
        let when = |when: &str| [format!("{what}, {when}"), "paper".into(), "difference".into()];
        let head = [vec!["method".to_owned()], when("no attack").into(), when("attacked").into()].concat();
        let row = |method: &MethodResult| {
            let mut row = vec![method.method.clone()];
            for (i, scores) in [&method.clean, &method.attacked].into_iter().enumerate() {
                let (mean, error) = ours(scores);
                let printed = method.published.map(|both| theirs(&both[i]));
                row.push(format!("{mean:.digits$} ± {error:.digits$}"));
                row.push(or_dash(printed, |printed| format!("{printed:?}")));
                row.push(or_dash(printed, |printed| signed(mean - printed, digits)));
            }
            row
        };
        Block::table(head, self.methods.iter().map(row).collect())
    }

    fn losses(&self) -> Block {
        let head = ["method", "points of accuracy lost", "paper", "share of the plain loss", "paper"];
        let number = |value: Option<f64>, digits: usize| or_dash(value, |v| format!("{v:.digits$}"));
        let row = |method: &MethodResult| {
            let comparison = self.comparisons.iter().find(|comparison| comparison.method == method.method);
            vec![
                method.method.clone(),
                format!("{:.1}", method.loss),
                number(method.published_loss(), 1),
                number(comparison.and_then(|comparison| comparison.loss_ratio), 2),
                number(comparison.and_then(|comparison| comparison.published_ratio), 2),
            ]
        };
        Block::table(head, self.methods.iter().map(row).collect())
    }

    fn claims(&self, comparison: &Comparison) -> String {
        let Comparison { method, baseline, shared, .. } = comparison;
        let p = if shared.p < 0.001 { format!("{:.0e}", shared.p) } else { format!("{:.3}", shared.p) };
        let yes = |reproduced: bool| if reproduced { "yes" } else { "no" };
        format!(
            "`{method}` {TWO_THIRDS} `{baseline}` loses: **{}**. It keeps a positive mean margin: **{}**. \
             On the {} targets that both have, in the same graphs, it loses {:.1} points of accuracy and {:.3} of \
             margin, `{baseline}` {:.1} and {:.3} (Wilcoxon test of the losses of margin: p = {p}).",
            yes(comparison.loses_at_most_two_thirds),
            yes(comparison.keeps_a_positive_margin),
            shared.targets,
            shared.loss,
            shared.margin_loss,
            shared.baseline_loss,
            shared.baseline_margin_loss,
        )
    }

    fn caption(&self) -> String {
        format!(
            "Margins of the targets on {} before and after {}. Box: the middle half; line: median; triangle: mean; \
             whiskers: least and greatest; each circle a target, averaged over {} runs.",
            self.dataset,
            self.attack.phrase(),
            self.repetitions
        )
    }

    /// Where the paper contradicts itself, in figures that are shown.
    fn slips(&self) -> Option<&'static str> {
        match self.dataset.as_str() {
            _ if self.attack == Kind::Evasion => None,
            "cora" => Some(
                "The paper prints 85.55 % for `gcn` without attack. 200 outcomes give multiples of 0.5 %, and its \
                 text has a loss of 30 %, so 85.50 % is probably meant.",
            ),
            "citeseer" => {
                Some("The paper's text says that `gcn` loses 44.5 %; its own table (88.5 % to 43.0 %) gives 45.5.")
            }
            _ => None,
        }
    }
}

/// With its sign; what rounds to zero is positive.
fn signed(value: f64, digits: usize) -> String {
    let shift = 10f64.powi(digits as i32);
    format!("{:+.digits$}", (value * shift).round() / shift + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_difference_is_negative_zero() {
        assert_eq!([signed(-0.04, 1), signed(0.26, 1), signed(-0.06, 1)], ["+0.0", "+0.3", "-0.1"]);
    }
}
