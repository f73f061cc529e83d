//! Everything that was found, as JSON and as a page.

use super::machine;
use bgcn_experiments::{Claim, Finished, claim_summary, claim_tables};
use bgcn_report::{Block, Page, Results, duration};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

/// What the studies found, in reading order.
#[derive(Default)]
pub struct Report {
    blocks: Vec<Block>,
    tables: Vec<Value>,
    claims: Vec<Claim>,
    run: usize,
    reused: usize,
    left: usize,
    /// Added up over the trials.
    seconds: f64,
    /// Classes of the processors that ran them.
    processors: BTreeSet<String>,
    /// Trials that ran again and gave the same.
    pub rechecked: usize,
    /// Whether a study could not begin, because it follows from another of which trials are left to other shares.
    pub follows: bool,
}

impl Report {
    /// Adds a heading and what stands under it.
    pub fn section(&mut self, title: &str, blocks: Vec<Block>) {
        self.blocks.push(Block::Heading(title.into()));
        self.blocks(blocks);
    }

    /// Adds blocks that bring their own heading.
    pub fn blocks(&mut self, blocks: Vec<Block>) {
        self.blocks.extend(blocks);
    }

    /// Adds the tables of a study, each marked with its name.
    pub fn tables<T: Serialize>(&mut self, study: &str, tables: &[T]) {
        for table in tables {
            let mut table = serde_json::to_value(table).expect("numbers and strings become JSON");
            table["study"] = study.into();
            self.tables.push(table);
        }
    }

    /// Adds claims, and their tables under the last section.
    pub fn claims(&mut self, claims: Vec<Claim>) {
        self.blocks.extend(claim_tables(&claims));
        self.claims.extend(claims);
    }

    /// Counts the trials of a study.
    pub fn count<K, O>(&mut self, finished: &Finished<K, O>) {
        self.run += finished.run;
        self.reused += finished.reused;
        self.left += finished.left;
        self.seconds += finished.seconds;
        self.processors.extend(finished.processors.iter().cloned());
    }

    /// A word where results may differ in the last bits.
    fn processor_note(&self) -> Option<Block> {
        let classes: Vec<&str> = self.processors.iter().map(String::as_str).collect();
        let text = "The trials ran on processors of several classes, whose results can differ in the last bits";
        (classes.len() > 1).then(|| Block::Text(format!("{text}: {}.", classes.join(", "))))
    }

    /// How it went, in a line.
    pub fn remark(&self, out: &Path, start: Instant) -> String {
        let left = match self.left {
            0 => String::new(),
            left => format!(" {left} are left to other shares: join the folders with --merge."),
        };
        let rechecked = match self.rechecked {
            0 => String::new(),
            n => format!(" {n} run again: equal to the last bit."),
        };
        format!(
            "{} trials run, {} taken from the log, in {}.{left}{rechecked} Results: {}",
            self.run,
            self.reused,
            duration(start.elapsed().as_secs_f64()),
            out.join("report.html").display()
        )
    }

    pub fn json(&self, start: Instant) -> Value {
        json!({
            "tables": self.tables, "claims": self.claims,
            "trials_run": self.run, "trials_reused": self.reused, "trials_left": self.left,
            "rechecked": self.rechecked,
            "seconds": { "total": start.elapsed().as_secs_f64() },
        })
    }

    /// The page.
    pub fn page(&self, command: &str) -> Page {
        let results = Results {
            command: command.into(),
            made_by: format!("bgcn {}; {}", env!("CARGO_PKG_VERSION"), machine::describe()),
            trials: self.run + self.reused,
            left: self.left,
            seconds: self.seconds,
            claims: (!self.claims.is_empty()).then(|| claim_summary(&self.claims)),
            sections: self.processor_note().into_iter().chain(self.blocks.iter().cloned()).collect(),
        };
        results.page()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_experiments::Standing;

    #[test]
    fn tables_and_claims_are_in_the_json_and_claims_head_the_page() {
        let mut report = Report { left: 3, ..Report::default() };
        report.claims(vec![Claim {
            topic: "winners",
            about: "cora".into(),
            paper: "gcn+mmsbm".into(),
            here: "gcn".into(),
            p: None,
            standing: Standing::NotReproduced,
        }]);
        report.tables("edges", &[json!({ "dataset": "cora" })]);
        let text = report.page("bgcn reproduce edges").markdown();
        assert!(text.contains("## Claims") && text.contains("**Partial**: 3 trials"), "{text}");
        let json = report.json(Instant::now());
        assert_eq!((&json["tables"][0]["study"], &json["trials_left"]), (&json!("edges"), &json!(3)));
        assert_eq!(json["claims"][0]["standing"], "not_reproduced");
    }
}
