//! `predictions.csv` and `edges.csv`: predictions of every node and probabilities of edges, with the user's ids.

use super::{EdgeFinding, Edges};
use bgcn_core::data::{Dataset, Labels, Split};
use bgcn_core::posterior::{Posterior, Predictions, Values};
use bgcn_files::write::quoted;
use std::borrow::Cow;
use std::io::{self, Write};

/// Predictions and the nodes they are of.
#[derive(Clone, Copy, Debug)]
pub struct PredictionRows<'a> {
    /// The nodes.
    pub data: &'a Dataset,
    /// What each node was for; `None` for other data than the fit's.
    pub split: Option<&'a Split>,
    /// Names of the classes predicted; empty for numbers.
    pub classes: &'a [String],
    /// The predictions.
    pub predictions: &'a Predictions,
}

impl PredictionRows<'_> {
    /// Writes the table, a line per node in their order.
    ///
    /// Classes: id, label, set, predicted, the probability of each class (`p_NAME`), entropy, expected_entropy,
    /// mutual_information, disagreement. Numbers: id, label, set, mean, sd, model_sd, noise_sd. Unknown labels are
    /// empty. Where nodes have texts beside their ids, the last column is name.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let n = self.data.nodes();
        let sets = self.split.map_or_else(|| vec![None; n], |split| split.set_of(n));
        let sets: Vec<&str> = sets.into_iter().map(|set| set.unwrap_or("none")).collect();
        match self.predictions {
            Predictions::Classes(posterior) => self.write_classes(out, posterior, &sets),
            Predictions::Values(values) => self.write_values(out, values, &sets),
        }
    }

    fn write_classes(&self, out: &mut dyn Write, posterior: &Posterior, sets: &[&str]) -> io::Result<()> {
        write!(out, "id,label,set,predicted")?;
        for name in self.classes {
            write!(out, ",{}", quoted(Cow::Owned(format!("p_{name}"))))?;
        }
        writeln!(out, ",entropy,expected_entropy,mutual_information,disagreement{}", self.name_head())?;
        for (a, set) in (0..).zip(sets) {
            let (id, at) = (quoted(self.data.ids.name(a)), a as usize);
            let predicted = quoted(Cow::Borrowed(&self.classes[posterior.prediction(a) as usize]));
            write!(out, "{id},{},{set},{predicted}", self.label(a))?;
            for p in posterior.row(a) {
                write!(out, ",{p:.6}")?;
            }
            let (entropy, expected) = (posterior.entropy[at], posterior.expected_entropy[at]);
            let (mutual, disagreement) = (posterior.mutual_information[at], posterior.disagreement[at]);
            writeln!(out, ",{entropy:.6},{expected:.6},{mutual:.6},{disagreement:.4}{}", name_cell(self.data, a))?;
        }
        Ok(())
    }

    fn write_values(&self, out: &mut dyn Write, values: &Values, sets: &[&str]) -> io::Result<()> {
        writeln!(out, "id,label,set,mean,sd,model_sd,noise_sd{}", self.name_head())?;
        for (a, set) in (0..).zip(sets) {
            let (id, label, mean) = (quoted(self.data.ids.name(a)), self.label(a), values.mean[a as usize] as f32);
            let sd = values.variance(a).sqrt() as f32;
            let (model, noise) = (values.between[a as usize].sqrt() as f32, values.noise.sqrt() as f32);
            writeln!(out, "{id},{label},{set},{mean},{sd},{model},{noise}{}", name_cell(self.data, a))?;
        }
        Ok(())
    }

    fn name_head(&self) -> &'static str {
        if self.data.node_names.is_empty() { "" } else { ",name" }
    }

    fn label(&self, a: u32) -> Cow<'_, str> {
        match &self.data.labels {
            Labels::Classes { names, of } => {
                of[a as usize].map_or(Cow::Borrowed(""), |class| quoted(Cow::Borrowed(&names[class as usize])))
            }
            Labels::Values(of) => of[a as usize].map_or(Cow::Borrowed(""), |y| Cow::Owned(y.to_string())),
        }
    }
}

/// The text beside a node's id as one cell more, where nodes have any.
fn name_cell(data: &Dataset, a: u32) -> String {
    match data.node_names[..] {
        [] => String::new(),
        _ => format!(",{}", quoted(Cow::Borrowed(data.node_name(a)))),
    }
}

/// The columns of `edges.csv`, and those of texts beside the ids.
const EDGE_COLUMNS: &str = "source,target,observed,p_spurious,p_missing,reasons";
const NAME_COLUMNS: &str = ",source_name,target_name";

/// Pairs that may be missing and are listed.
const LISTED: usize = 200;

/// Writes every observed edge, the most suspicious first, then the likeliest pairs that may be missing. Probabilities
/// have six significant digits; each stands in its own column, and the other is empty.
pub(super) fn write_edges(out: &mut dyn Write, edges: Edges<'_>) -> io::Result<()> {
    let named = if edges.data.node_names.is_empty() { "" } else { NAME_COLUMNS };
    writeln!(out, "{EDGE_COLUMNS}{named}")?;
    let mut row = |edge: EdgeFinding, observed: u8| {
        let [source, target] = edge.names.map(|name| quoted(Cow::Owned(name)));
        let (p, reasons) = (six_digits(edge.probability), quoted(Cow::Owned(edge.reasons.to_string())));
        let (spurious, missing) = if observed == 1 { (&p[..], "") } else { ("", &p[..]) };
        let [a, b] = edge.nodes.map(|a| name_cell(edges.data, a));
        writeln!(out, "{source},{target},{observed},{spurious},{missing},{reasons}{a}{b}")
    };
    edges.observed().try_for_each(|edge| row(edge, 1))?;
    edges.missing().take(LISTED).try_for_each(|pair| row(pair, 0))
}

/// A probability with six significant digits, below 1.
fn six_digits(p: f64) -> String {
    let p = p.clamp(0.0, 0.999_999);
    let before = if p > 0.0 { (-p.log10().floor()).clamp(1.0, 12.0) as usize } else { 1 };
    if before > 4 { format!("{p:.5e}") } else { format!("{p:.*}", before + 5) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::data::{NodeIds, karate};
    use bgcn_core::links::judge_graph;
    use bgcn_core::posterior::NoiseFrom;
    use bgcn_core::recipe::LinkSettings;
    use bgcn_core::rng::Seed;
    use std::ops::ControlFlow;

    fn written(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn club() -> Dataset {
        let mut data = karate();
        let name = |a| if a == 0 { "Zachary, \"W.\"".into() } else { format!("member {a}") };
        data.ids = NodeIds::Named((0..34).map(name).collect());
        data
    }

    #[test]
    fn observed_edges_come_first_and_every_pair_has_one_probability() {
        let data = club();
        let links = judge_graph(&data, LinkSettings::default(), Seed::new(1), &|_| ControlFlow::Continue(())).unwrap();
        let text = written(|out| write_edges(out, Edges { data: &data, predictions: None, links: &links }));
        let rows: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(rows.len(), 78 + links.missing.len().min(LISTED));
        // Of the two columns of probabilities, an observed edge has the first and a missing one the second.
        let (observed, missing) = rows.split_at(78);
        assert!(observed.iter().all(|row| row.contains(",1,") && row.contains(",,")), "{text}");
        assert!(missing.iter().all(|row| row.contains(",0,,")), "{text}");
        assert!(text.starts_with(EDGE_COLUMNS) && text.contains("\"Zachary, \"\"W.\"\"\""));
    }

    #[test]
    fn texts_beside_the_ids_are_the_last_columns() {
        let mut data = club();
        data.node_names = (0..34).map(|a| if a == 1 { String::new() } else { format!("Mr {a}, member") }).collect();
        let links = judge_graph(&data, LinkSettings::default(), Seed::new(1), &|_| ControlFlow::Continue(())).unwrap();
        let text = written(|out| write_edges(out, Edges { data: &data, predictions: None, links: &links }));
        assert!(text.starts_with(&format!("{EDGE_COLUMNS}{NAME_COLUMNS}\n")), "{text}");
        let row = text.lines().find(|row| row.starts_with("member 1,member 2,")).unwrap();
        assert!(row.ends_with(",,\"Mr 2, member\""), "{row}");
    }

    #[test]
    fn probabilities_have_six_significant_digits() {
        let texts = [0.999_999_9, 0.123_456_78, 0.001_234_567_8, 1.234_567_8e-9, 0.0].map(six_digits);
        assert_eq!(texts, ["0.999999", "0.123457", "0.00123457", "1.23457e-9", "0.000000"]);
    }

    #[test]
    fn classes_and_numbers_have_their_own_columns() {
        let mut data = club();
        let ones = vec![1.0f32; 34];
        let posterior = Posterior {
            classes: 2,
            draws: 1,
            probabilities: [0.25, 0.75].repeat(34),
            entropy: ones.clone(),
            expected_entropy: ones.clone(),
            mutual_information: ones.clone(),
            disagreement: ones.clone(),
            variance: ones,
        };
        let (split, names) = (Split { train: vec![0], validation: vec![], test: vec![2] }, ["x".into(), "y;z".into()]);
        let predictions = Predictions::Classes(posterior);
        let rows = PredictionRows { data: &data, split: Some(&split), classes: &names, predictions: &predictions };
        let text = written(|out| rows.write(out));
        let columns = "id,label,set,predicted,p_x,\"p_y;z\",entropy,expected_entropy,mutual_information,disagreement";
        assert!(text.starts_with(&format!("{columns}\n\"Zachary, \"\"W.\"\"\",")), "{text}");
        assert!(text.contains(",train,\"y;z\",0.250000,0.750000,1.000000,1.000000,1.000000,1.0000\n"), "{text}");

        data.labels = Labels::Values((0..34).map(|a| (a > 0).then_some(a as f32)).collect());
        let (mean, between, noise_from) = (vec![1.5; 34], vec![9.0; 34], NoiseFrom::Validation);
        let predictions = Predictions::Values(Values { draws: 1, mean, between, noise: 16.0, noise_from });
        let rows = PredictionRows { data: &data, split: None, classes: &[], predictions: &predictions };
        let text = written(|out| rows.write(out));
        assert!(text.starts_with("id,label,set,mean,sd,model_sd,noise_sd\n\"Zachary, \"\"W.\"\"\",,none,1.5,5,3,4\n"));
    }
}
