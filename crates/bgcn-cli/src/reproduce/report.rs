//! Everything that was found, as JSON and as a page.

use super::machine;
use anyhow::Context as _;
use bgcn::files::write_atomically;
use bgcn_experiments::{Block, Claim, Finished, Page, claim_summary, claim_tables};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

/// What the studies found, in reading order.
#[derive(Default)]
pub struct Report {
    blocks: Vec<Block>,
    tables: Vec<Value>,
    claims: Vec<Claim>,
    /// Beside the page, by name.
    files: Vec<(String, Vec<u8>)>,
    run: usize,
    reused: usize,
    left: usize,
    /// Added up over the trials.
    seconds: f64,
    /// Classes of the processors that ran them.
    processors: BTreeSet<String>,
    /// Trials that ran again and gave the same.
    rechecked: usize,
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

    /// Adds a file beside the page.
    pub fn file(&mut self, name: String, bytes: Vec<u8>) {
        self.files.push((name, bytes));
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

    /// Counts trials that ran again and gave the same.
    pub fn rechecked(&mut self, trials: usize) {
        self.rechecked = trials;
    }

    /// How it went, in a line.
    pub fn remark(&self, out: &Path, start: Instant) -> String {
        let left = match self.left {
            0 => String::new(),
            left => format!(" {left} are left to other shares: join the folders with bgcn merge."),
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

    /// The page: what was run and where, the claims in short, then the sections.
    pub fn page(&self, command: &str) -> Page {
        let made = format!(
            "bgcn {}; {}. {} trials, {} of computing.",
            env!("CARGO_PKG_VERSION"),
            machine::describe(),
            self.run + self.reused,
            duration(self.seconds)
        );
        let mut blocks = vec![Block::Code(command.into()), Block::Text(made)];
        if self.processors.len() > 1 {
            let classes: Vec<&str> = self.processors.iter().map(String::as_str).collect();
            let text = "The trials ran on processors of several classes, whose results can differ in the last bits";
            blocks.push(Block::Text(format!("{text}: {}.", classes.join(", "))));
        }
        if self.left > 0 {
            blocks.push(Block::Text(format!(
                "**Partial**: {} trials are left to other shares, and every mean is over the trials there are. Join \
                 the folders with `bgcn merge`, then run the command without `--shard`.",
                self.left
            )));
        }
        if !self.claims.is_empty() {
            let text = "What the paper claims, and whether it holds here. A claim is open where too little was run to \
                        say. The sections below give every figure beside the paper's.";
            blocks.extend([Block::Heading("Claims".into()), Block::Text(text.into()), claim_summary(&self.claims)]);
        }
        blocks.extend(self.blocks.iter().cloned());
        let title = if self.claims.is_empty() { "Results" } else { "Results beside the paper's" };
        Page { title: title.into(), blocks }
    }

    /// Writes results.md with its figures, and report.html.
    pub fn write(&self, page: &Page, out: &Path) -> anyhow::Result<()> {
        let write = |name: &str, bytes: &[u8]| {
            let path = out.join(name);
            write_atomically(&path, |w| w.write_all(bytes)).with_context(|| format!("writing {}", path.display()))
        };
        for block in &page.blocks {
            if let Block::Figure(figure) = block {
                write(&figure.file, figure.svg.as_bytes())?;
            }
        }
        self.files.iter().try_for_each(|(name, bytes)| write(name, bytes))?;
        write("results.md", page.markdown().as_bytes())?;
        write("report.html", page.html().as_bytes())
    }
}

/// Seconds for people.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_experiments::Standing;

    #[test]
    fn a_partial_report_says_so_before_anything_else() {
        let mut report = Report { left: 3, ..Report::default() };
        report.section("Accuracy", Vec::new());
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
        assert!(text.contains("    bgcn reproduce edges\n") && text.contains("**Partial**: 3 trials"), "{text}");
        assert!(text.find("## Claims") < text.find("## Accuracy"));
        let json = report.json(Instant::now());
        assert_eq!((&json["tables"][0]["study"], &json["trials_left"]), (&json!("edges"), &json!(3)));
        assert_eq!(json["claims"][0]["standing"], "not_reproduced");
    }

    #[test]
    fn durations_are_for_people() {
        assert_eq!([1.0, 600.0, 7200.0].map(duration), ["1.0 s", "10 min", "2.0 h"]);
    }
}
