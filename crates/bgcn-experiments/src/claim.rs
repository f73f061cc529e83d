//! Claims of the paper, and whether they hold here.

use bgcn_report::Block;
use serde::Serialize;

/// Whether a claim of the paper holds here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It does.
    Reproduced,
    /// The sentence holds, the figure that goes with it does not.
    Partly,
    /// It does not.
    NotReproduced,
    /// Too few trials were run to decide.
    Open,
}

impl Standing {
    /// `Reproduced` if so, else `NotReproduced`.
    pub fn of(holds: bool) -> Self {
        if holds { Self::Reproduced } else { Self::NotReproduced }
    }

    /// In a table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Reproduced => "yes",
            Self::Partly => "partly",
            Self::NotReproduced => "**no**",
            Self::Open => "open",
        }
    }
}

/// A claim of the paper, and whether it holds here.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// What kind of claim: claims of one topic share a table.
    pub topic: &'static str,
    /// What it is about, such as a cell of a table.
    pub about: String,
    /// The paper's figure or sentence.
    pub paper: String,
    /// What was found here.
    pub here: String,
    /// The p-value behind it, where there is one.
    pub p: Option<f64>,
    /// Whether it holds.
    pub standing: Standing,
}

/// The claims as tables, one for each topic.
pub fn claim_tables(claims: &[Claim]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for topic in topics(claims) {
        let of_topic = || claims.iter().filter(|claim| claim.topic == topic);
        let with_p = of_topic().any(|claim| claim.p.is_some());
        let mut head = vec![topic, "the paper", "here"];
        head.extend(with_p.then_some("p"));
        head.push("reproduced");
        let row = |claim: &Claim| {
            let mut row = vec![claim.about.clone(), claim.paper.clone(), claim.here.clone()];
            row.extend(with_p.then(|| claim.p.map_or("–".into(), p_value)));
            row.push(claim.standing.word().into());
            row
        };
        blocks.push(Block::table(head, of_topic().map(row).collect()));
    }
    blocks
}

/// How many claims of each topic hold, and which do not.
pub fn claim_summary(claims: &[Claim]) -> Block {
    let row = |topic: &'static str| {
        let count = |standing| {
            let claims = claims.iter().filter(|claim| claim.topic == topic && claim.standing == standing);
            claims.count().to_string()
        };
        let missed = claims.iter().filter(|c| c.topic == topic && c.standing == Standing::NotReproduced);
        let missed: Vec<&str> = missed.map(|claim| claim.about.as_str()).collect();
        vec![
            topic.to_owned(),
            count(Standing::Reproduced),
            count(Standing::Partly),
            count(Standing::NotReproduced),
            count(Standing::Open),
            if missed.is_empty() { "–".into() } else { missed.join("; ") },
        ]
    };
    let head = ["claims of the paper", "reproduced", "partly", "not", "open", "not reproduced"];
    Block::table(head, topics(claims).into_iter().map(row).collect())
}

fn topics(claims: &[Claim]) -> Vec<&'static str> {
    let mut topics = Vec::new();
    for claim in claims {
        if !topics.contains(&claim.topic) {
            topics.push(claim.topic);
        }
    }
    topics
}

/// Three digits, or how small it is.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".into() } else { format!("{p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(topic: &'static str, about: &str, standing: Standing) -> Claim {
        Claim { topic, about: about.into(), paper: "a".into(), here: "b".into(), p: Some(0.0001), standing }
    }

    #[test]
    fn the_summary_counts_and_names_what_failed() {
        let claims = [
            claim("winners", "cora, 5", Standing::Reproduced),
            claim("winners", "cora, 10", Standing::NotReproduced),
            claim("edges", "cora", Standing::Open),
            claim("edges", "citeseer", Standing::Partly),
        ];
        let Block::Table { rows, .. } = claim_summary(&claims) else { panic!("a table") };
        assert_eq!(rows, [["winners", "1", "0", "1", "0", "cora, 10"], ["edges", "0", "1", "0", "1", "–"]]);
        let tables = claim_tables(&claims);
        let [Block::Table { rows, .. }, Block::Table { .. }] = &tables[..] else { panic!("two tables") };
        assert_eq!(rows[1], ["cora, 10", "a", "b", "< 0.001", "**no**"]);
    }
}
