//! Labels in an array: classes as numbers or names, one-hot rows, or real values.

use super::super::LabelKind;
use super::super::array::Array;
use super::Npz;
use bgcn_core::data::{BadInput, Labels};

impl<'a> Npz<'a> {
    /// Labels from the first of these arrays, none without; their names are in `class_names`.
    ///
    /// Numbers with a fraction are real values, and NaN among them is unknown. Whole numbers are classes, and negative
    /// ones unknown. The options, or an array `label_kind`, decide instead.
    pub(super) fn labels(&self, arrays: &[&str], nodes: usize) -> Result<Labels, BadInput> {
        let names = self.names("class_names")?;
        let Some(name) = arrays.iter().find(|name| self.has(name)) else {
            return Ok(Labels::Classes { names: names.unwrap_or_default(), of: vec![None; nodes] });
        };
        let kind = self.label_kind()?;
        let Some(array) = self.words_or_numbers(name, nodes)? else {
            return self.words(name, nodes, kind);
        };
        let numbers = self.flat(name, &array, nodes)?;
        let values = match kind {
            LabelKind::Values => true,
            LabelKind::Classes => false,
            LabelKind::Auto => names.is_none() && array.is_float() && numbers.iter().any(|y| y.fract().abs() > 0.0),
        };
        if values {
            return self.values(name, &numbers);
        }
        let is_named = names.is_some();
        let labels = self.classes(name, &numbers, names, nodes)?;
        match labels.alone().filter(|_| kind == LabelKind::Auto && !is_named) {
            None => Ok(labels),
            Some((alone, known)) => {
                let found = format!("{alone} of {known} labelled nodes are alone in their class");
                let next =
                    "Are the labels numbers? `label_kind=values` reads them so, `label_kind=classes` as classes.";
                Err(self.bad(name, found, "labels are numbers, or classes of several nodes each").next(next))
            }
        }
    }

    /// The option, else the array `label_kind`, else by the numbers.
    fn label_kind(&self) -> Result<LabelKind, BadInput> {
        let said = self.optional("label_kind")?;
        if self.options.label_kind != LabelKind::Auto {
            return Ok(self.options.label_kind);
        }
        let Some(said) = said else { return Ok(LabelKind::Auto) };
        let word = said.strings().map_err(self.at("label_kind"))?.concat();
        let allowed = "auto, classes and values are allowed";
        word.parse::<LabelKind>().map_err(|_| self.bad("label_kind", format!("{word:?}"), allowed))
    }

    /// The array where it holds numbers, none where it holds words.
    fn words_or_numbers(&self, name: &str, nodes: usize) -> Result<Option<Array<'a>>, BadInput> {
        let array = match self.optional(name) {
            Ok(Some(array)) if !array.is_text() => array,
            // Objects are no array here; where they are no words either, `words` refuses them.
            _ => return Ok(None),
        };
        match *array.shape() {
            [rows] | [rows, _] if rows == nodes => Ok(Some(array)),
            ref shape => {
                let allowed = format!("one label for each of {nodes} nodes is needed");
                Err(self.bad(name, format!("shape {shape:?}"), allowed))
            }
        }
    }

    fn words(&self, name: &str, nodes: usize, kind: LabelKind) -> Result<Labels, BadInput> {
        let words = self.text(name)?.unwrap_or_default();
        if words.len() != nodes {
            let allowed = format!("one label for each of {nodes} nodes is needed");
            return Err(self.bad(name, format!("{} words", words.len()), allowed));
        }
        if kind == LabelKind::Values {
            return Err(self.bad(name, "text", "real values are numbers").next("Save them as numbers."));
        }
        if self.has("class_names") {
            let found = "class_names for labels that are text";
            return Err(self.bad(name, found, "text is its own name").next("Save the file without class_names."));
        }
        Ok(Labels::from_names(&words.into_iter().map(|word| Some(word).filter(|w| !w.is_empty())).collect::<Vec<_>>()))
    }

    /// One number per node; one-hot rows become classes, with a remark.
    fn flat(&self, name: &str, array: &Array<'a>, nodes: usize) -> Result<Vec<f64>, BadInput> {
        let numbers = array.doubles().map_err(self.at(name))?;
        let Some(&columns) = array.shape().get(1).filter(|&&columns| columns > 1) else {
            return if numbers.len() == nodes {
                Ok(numbers)
            } else {
                Err(self.bad(name, format!("shape {:?}", array.shape()), "one label per node is needed"))
            };
        };
        let class = |(row, ones): (usize, &[f64])| {
            let one = ones.iter().position(|&one| one == 1.0);
            let zeros = ones.iter().filter(|&&one| one == 0.0).count();
            one.filter(|_| zeros == columns - 1).map(|class| class as f64).ok_or_else(|| {
                let found = format!("{columns} numbers per node, and not a single 1 among zeros in row {row}");
                self.bad(name, found, "one class per node is allowed").next("Save one number per node.")
            })
        };
        let classes = numbers.chunks_exact(columns).enumerate().map(class).collect::<Result<_, _>>()?;
        self.remark(format!("{name} has a column for each of {columns} classes, with a single 1 in every row"));
        Ok(classes)
    }

    fn values(&self, name: &str, numbers: &[f64]) -> Result<Labels, BadInput> {
        let value = |(a, &y): (usize, &f64)| match y as f32 {
            y if y.is_nan() => Ok(None),
            y if y.is_finite() => Ok(Some(y)),
            _ => Err(self.bad(name, format!("{y} at node {a}"), "finite numbers of 32 bits, or NaN where unknown")),
        };
        Ok(Labels::Values(numbers.iter().enumerate().map(value).collect::<Result<_, _>>()?))
    }

    fn classes(
        &self,
        name: &str,
        numbers: &[f64],
        names: Option<Vec<String>>,
        nodes: usize,
    ) -> Result<Labels, BadInput> {
        // More classes than nodes would be a mistake, and a way to ask for any amount of memory.
        let bound = names.as_ref().map_or(nodes, Vec::len);
        let class = |(a, &y): (usize, &f64)| match y {
            y if y < 0.0 && y.fract() == 0.0 || y.is_nan() => Ok(None),
            y if y.fract() == 0.0 && y < bound as f64 => Ok(Some(y as u32)),
            y if y.fract() != 0.0 => {
                Err(self.bad(name, format!("{y} at node {a}"), "classes are whole numbers").next("Ask for values."))
            }
            y => {
                let allowed = match names {
                    Some(_) => format!("class_names has classes 0 to {}", bound.max(1) - 1),
                    None => format!("{nodes} nodes have classes 0 to {} at most", bound.max(1) - 1),
                };
                let found = format!("class {y} at node {a}");
                let next =
                    "Number the classes from 0, unknown ones -1; `label_kind=values` reads the labels as numbers.";
                Err(self.bad(name, found, allowed).next(next))
            }
        };
        let of: Vec<Option<u32>> = numbers.iter().enumerate().map(class).collect::<Result<_, _>>()?;
        let odd = numbers.iter().filter(|&&y| y < -1.0).count();
        if odd > 0 {
            self.remark(format!("{odd} labels in {name} are below -1 and count as unknown, as -1 does"));
        }
        let signs = numbers.iter().all(|y| y.abs() == 1.0) && numbers.contains(&1.0) && numbers.contains(&-1.0);
        if signs && names.is_none() {
            self.remark(format!(
                "{name} holds -1 and 1 alone: -1 is unlabelled, so there is one class; number two 0 and 1"
            ));
        }
        let classes = of.iter().flatten().max().map_or(0, |&class| class + 1);
        Ok(Labels::Classes { names: names.unwrap_or_else(|| (0..classes).map(|c| c.to_string()).collect()), of })
    }
}
