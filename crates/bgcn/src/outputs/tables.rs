//! `predictions.csv` and `edges.csv`: what is believed of every node and of single edges, with the user's ids.

use super::EdgeFindings;
use crate::data::read::table::lines::Table;
use crate::data::read::table::text::Text;
use crate::data::write::quoted;
use crate::data::{Dataset, Error, Labels, Split};
use crate::links::Wording;
use crate::posterior::{Posterior, Predictions, Values};
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

/// Predictions and whom they are about.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// The nodes.
    pub data: &'a Dataset,
    /// What each node was for, where that is to be told.
    pub split: Option<&'a Split>,
    /// Names of the classes predicted; empty for numbers.
    pub classes: &'a [String],
    /// What is believed.
    pub predictions: &'a Predictions,
}

impl Told<'_> {
    /// Writes the table, a line per node in their order.
    ///
    /// Classes: id, label, set, predicted, the probability of each class (`p_NAME`), entropy, expected_entropy,
    /// mutual_information, disagreement. Numbers: id, label, set, mean, sd, model_sd, noise_sd. Unknown labels are
    /// empty.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sets = vec!["none"; self.data.nodes()];
        if let Some(split) = self.split {
            for (name, nodes) in split.sets() {
                nodes.iter().for_each(|&a| sets[a as usize] = name);
            }
        }
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
        writeln!(out, ",entropy,expected_entropy,mutual_information,disagreement")?;
        for (a, set) in (0..).zip(sets) {
            let (id, at) = (quoted(self.data.ids.name(a)), a as usize);
            let predicted = quoted(Cow::Borrowed(&self.classes[posterior.prediction(a) as usize]));
            write!(out, "{id},{},{set},{predicted}", self.label(a))?;
            for p in posterior.row(a) {
                write!(out, ",{p:.6}")?;
            }
            let (entropy, expected) = (posterior.entropy[at], posterior.expected_entropy[at]);
            let (mutual, disagreement) = (posterior.mutual_information[at], posterior.disagreement[at]);
            writeln!(out, ",{entropy:.6},{expected:.6},{mutual:.6},{disagreement:.4}")?;
        }
        Ok(())
    }

    fn write_values(&self, out: &mut dyn Write, values: &Values, sets: &[&str]) -> io::Result<()> {
        writeln!(out, "id,label,set,mean,sd,model_sd,noise_sd")?;
        for (a, set) in (0..).zip(sets) {
            let (id, label, mean) = (quoted(self.data.ids.name(a)), self.label(a), values.mean[a as usize] as f32);
            let sd = values.variance(a).sqrt() as f32;
            let (model, noise) = (values.between[a as usize].sqrt() as f32, values.noise.sqrt() as f32);
            writeln!(out, "{id},{label},{set},{mean},{sd},{model},{noise}")?;
        }
        Ok(())
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

/// The columns of `edges.csv`.
const EDGE_COLUMNS: &str = "source,target,observed,p_spurious,p_missing,reasons";

/// Writes every observed edge, the most suspicious first, then the listed pairs that may be missing, the likeliest
/// first. Probabilities have six significant digits; each stands in its own column, and the other is empty.
pub fn write_edges(
    out: &mut dyn Write,
    data: &Dataset,
    predictions: Option<&Predictions>,
    found: &EdgeFindings,
) -> io::Result<()> {
    let wording = Wording { graph: &data.graph, ids: &data.ids, labels: &data.labels, predictions };
    writeln!(out, "{EDGE_COLUMNS}")?;
    let mut row = |[a, b]: [u32; 2], observed: u8, probabilities: [&str; 2], reasons: String| {
        let (source, target) = (quoted(data.ids.name(a)), quoted(data.ids.name(b)));
        let [spurious, missing] = probabilities;
        writeln!(out, "{source},{target},{observed},{spurious},{missing},{}", quoted(Cow::Owned(reasons)))
    };
    for edge in &found.links.edges {
        row([edge.a, edge.b], 1, [&six_digits(edge.p_spurious()), ""], wording.text_of_edge(edge))?;
    }
    let mut missing = found.missing.iter();
    missing.try_for_each(|pair| row(pair.nodes, 0, ["", &six_digits(pair.probability)], pair.reasons.clone()))
}

/// A probability with six significant digits, below 1.
pub(crate) fn six_digits(p: f64) -> String {
    let p = p.clamp(0.0, 0.999_999);
    let before = if p > 0.0 { (-p.log10().floor()).clamp(1.0, 12.0) as usize } else { 1 };
    if before > 4 { format!("{p:.5e}") } else { format!("{p:.*}", before + 5) }
}

/// A line of `edges.csv`.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct EdgeRow {
    /// One end.
    pub source: String,
    /// The other.
    pub target: String,
    /// Whether the edge was observed.
    pub observed: bool,
    /// P(spurious); `None` where it was not observed.
    pub p_spurious: Option<f64>,
    /// P(missing); `None` where it was observed.
    pub p_missing: Option<f64>,
    /// Why.
    pub reasons: String,
}

/// Reads an `edges.csv` back.
pub fn read_edges(path: &Path) -> Result<Vec<EdgeRow>, Error> {
    edges_of(&Text::read(path)?)
}

pub(super) fn edges_of(text: &Text) -> Result<Vec<EdgeRow>, Error> {
    let (mut rows, mut fields) = (Vec::new(), Vec::new());
    let table = Table::new(text)?;
    for line in table.rows().skip(1) {
        table.split(line, &mut fields)?;
        rows.push(edge_row(&fields).ok_or_else(|| {
            let bad = table.bad(line.line, format!("{:?}", fields.join(",")));
            let next = "Was the file changed, or written by another version? Fit again, or give another run.";
            bad.allowed(format!("expected {EDGE_COLUMNS}")).next(next)
        })?);
    }
    Ok(rows)
}

fn edge_row(fields: &[Cow<'_, str>]) -> Option<EdgeRow> {
    let [source, target, observed, spurious, missing, reasons] = fields else { return None };
    let probability = |text: &str| text.parse::<f64>().ok().filter(|p| (0.0..=1.0).contains(p));
    let observed = match observed.as_ref() {
        "1" => true,
        "0" => false,
        _ => return None,
    };
    let p = probability(if observed { spurious } else { missing })?;
    let (source, target, reasons) = (source.to_string(), target.to_string(), reasons.to_string());
    let (p_spurious, p_missing) = if observed { (Some(p), None) } else { (None, Some(p)) };
    Some(EdgeRow { source, target, observed, p_spurious, p_missing, reasons })
}

/// A `predictions.csv` read back: text by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PredictionTable {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl PredictionTable {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::of(&Text::read(path)?)
    }

    pub(super) fn of(text: &Text) -> Result<Self, Error> {
        let (mut rows, mut fields) = (Vec::new(), Vec::new());
        let table = Table::new(text)?;
        for row in table.rows() {
            table.split(row, &mut fields)?;
            rows.push(fields.drain(..).map(Cow::into_owned).collect());
        }
        Ok(Self { header: rows.remove(0), rows })
    }

    /// The texts of a column, in the order of the nodes; `None` where there is no such column.
    pub fn column(&self, name: &str) -> Option<impl Iterator<Item = &str> + '_> {
        let at = self.header.iter().position(|head| head == name)?;
        Some(self.rows.iter().map(move |row| row[at].as_str()))
    }

    /// The names of the columns, in their order.
    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    /// How many nodes.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{NodeIds, karate};
    use crate::links::judge_graph;
    use crate::posterior::NoiseFrom;
    use crate::recipe::LinkSettings;
    use crate::rng::Seed;
    use std::ops::ControlFlow;

    fn written(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        write(&mut std::fs::File::create(&path).unwrap()).unwrap();
        (folder, path)
    }

    fn club() -> Dataset {
        let mut data = karate();
        let name = |a| if a == 0 { "Zachary, \"W.\"".into() } else { format!("member {a}") };
        data.ids = NodeIds::Named((0..34).map(name).collect());
        data
    }

    #[test]
    fn edges_come_back_with_their_names_and_beliefs() {
        let data = club();
        let links = judge_graph(&data, LinkSettings::default(), Seed::new(1), &|_| ControlFlow::Continue(())).unwrap();
        let found = EdgeFindings::of(&data, None, links);
        let (_folder, path) = written(|out| write_edges(out, &data, None, &found));
        let rows = read_edges(&path).unwrap();
        assert_eq!(rows.iter().filter(|row| row.observed).count(), 78);
        assert!(rows.is_sorted_by_key(|row| !row.observed) && rows.len() == 78 + found.missing.len());
        let spurious: Vec<f64> = rows.iter().filter_map(|row| row.p_spurious).collect();
        assert!(spurious.len() == 78 && spurious.is_sorted_by(|x, y| x >= y) && spurious[0] < 1.0);
        assert!(rows.iter().any(|row| row.source == "Zachary, \"W.\""));
        let near = |text: f64, exact: f64| (text - exact).abs() <= 5.1e-6 * exact.max(1e-12);
        assert!(spurious.iter().zip(&found.links.edges).all(|(&p, edge)| near(p, edge.p_spurious())));
        std::fs::write(&path, format!("{EDGE_COLUMNS}\na,b,1,NaN,,why\n")).unwrap();
        assert!(read_edges(&path).unwrap_err().to_string().contains("line 2"));
    }

    #[test]
    fn probabilities_have_six_significant_digits() {
        let texts = [0.999_999_9, 0.123_456_78, 0.001_234_567_8, 1.234_567_8e-9, 0.0].map(six_digits);
        assert_eq!(texts, ["0.999999", "0.123457", "0.00123457", "1.23457e-9", "0.000000"]);
    }

    #[test]
    fn predictions_come_back_by_column() {
        let data = club();
        let (ones, n) = (vec![1.0f32; 34], 34);
        let posterior = Posterior {
            classes: 2,
            draws: 1,
            probabilities: [0.25, 0.75].repeat(n),
            entropy: ones.clone(),
            expected_entropy: ones.clone(),
            mutual_information: ones.clone(),
            disagreement: ones.clone(),
            variance: ones,
        };
        let split = Split { train: vec![0], validation: vec![], test: vec![2] };
        let predictions = Predictions::Classes(posterior);
        let classes = ["x".to_string(), "y;z".to_string()];
        let told = Told { data: &data, split: Some(&split), classes: &classes, predictions: &predictions };
        let (_folder, path) = written(|out| told.write(out));
        let table = PredictionTable::read(&path).unwrap();
        let column = |name| table.column(name).unwrap().take(3).collect::<Vec<_>>();
        assert_eq!(column("id"), ["Zachary, \"W.\"", "member 1", "member 2"]);
        assert_eq!(column("set"), ["train", "none", "test"]);
        assert_eq!((column("predicted")[0], column("p_y;z")[0]), ("y;z", "0.750000"));
        assert!(table.column("mean").is_none() && table.len() == 34 && !table.is_empty());
    }

    #[test]
    fn numbers_have_their_own_columns() {
        let mut data = club();
        data.labels = Labels::Values((0..34).map(|a| (a > 0).then_some(a as f32)).collect());
        let values = Values {
            draws: 1,
            mean: vec![1.5; 34],
            between: vec![9.0; 34],
            noise: 16.0,
            noise_from: NoiseFrom::Validation,
        };
        let predictions = Predictions::Values(values);
        let told = Told { data: &data, split: None, classes: &[], predictions: &predictions };
        let (_folder, path) = written(|out| told.write(out));
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.starts_with("id,label,set,mean,sd,model_sd,noise_sd\n\"Zachary, \"\"W.\"\"\",,none,1.5,5,3,4\n"));
    }
}
