//! The page of a set of studies: what was run and where, the claims in short, then the sections.

use crate::page::{Block, Page};
use crate::text::duration;

/// What the page begins with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// The command that gives the same results.
    pub command: String,
    /// The program and the machine.
    pub made_by: String,
    /// Trials that the results rest on.
    pub trials: usize,
    /// Trials that are left to other machines.
    pub left: usize,
    /// Computing time of the trials.
    pub seconds: f64,
    /// How many claims of the paper hold, where there are any.
    pub claims: Option<Block>,
    /// Everything else, in reading order.
    pub sections: Vec<Block>,
}

impl Results {
    /// The whole page.
    pub fn page(self) -> Page {
        let made = format!("{}. {} trials, {} of computing.", self.made_by, self.trials, duration(self.seconds));
        let mut blocks = vec![Block::Code(self.command), Block::Text(made)];
        if self.left > 0 {
            blocks.push(Block::Text(format!(
                "**Partial**: {} trials are left to other shares, and every mean is over the trials there are. Join \
                 the folders with `bgcn reproduce --merge`, then run the command without `--shard`.",
                self.left
            )));
        }
        let title = if self.claims.is_some() { "Results beside the paper's" } else { "Results" };
        if let Some(claims) = self.claims {
            let text = "What the paper claims, and whether it holds here. A claim is open where too few trials \
                        were run. The sections below give every figure beside the paper's.";
            blocks.extend([Block::Heading("Claims".into()), Block::Text(text.into()), claims]);
        }
        blocks.extend(self.sections);
        Page { title: title.into(), blocks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partial_page_begins_with_that_and_claims_come_before_sections() {
        let claims = Block::Table { head: vec!["claims".into()], rows: Vec::new() };
        let results = Results {
            command: "bgcn reproduce edges".into(),
            left: 3,
            claims: Some(claims),
            sections: vec![Block::Heading("Accuracy".into())],
            ..Results::default()
        };
        let text = results.page().markdown();
        assert!(text.contains("    bgcn reproduce edges\n") && text.contains("**Partial**: 3 trials"), "{text}");
        assert!(text.find("## Claims") < text.find("## Accuracy"));
    }
}
