//! Settings of the recipe: their list, and values from Python.

use bgcn_core::recipe::{Listed, Plan, Preset, listed};
use bgcn_core::setting::Range;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use serde_json::{Number, Value};

/// Every setting: key, default in words, what is allowed, type, unit, help, source.
#[pyfunction]
pub fn settings(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let describe = |Listed { documented, default, allowed }: Listed| {
        let dict = PyDict::new(py);
        dict.set_item("key", documented.key)?;
        dict.set_item("default", default)?;
        dict.set_item("allowed", allowed)?;
        dict.set_item("type", type_of(&documented.setting.range))?;
        dict.set_item("unit", documented.setting.unit)?;
        dict.set_item("help", documented.setting.help)?;
        dict.set_item("source", documented.setting.source)?;
        Ok(dict)
    };
    listed(None).map_err(crate::errors::of)?.into_iter().map(describe).collect()
}

/// How Python writes it.
fn type_of(range: &Range) -> &'static str {
    match range {
        Range::Count(..) => "int",
        Range::Number(..) | Range::Above(..) | Range::Below(..) => "float",
        Range::Word(_) => "str",
        Range::Or(_, range) if type_of(range) == "int" => "int | str",
        Range::Or(..) => "float | str",
    }
}

/// The word among `known` that is nearest to `word`, where one is near.
#[pyfunction]
pub fn nearest(word: &str, known: Vec<String>) -> Option<String> {
    bgcn_core::recipe::nearest(word, known.iter().map(String::as_str)).map(str::to_owned)
}

/// Values by key.
pub fn of_dict(settings: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Value)>> {
    settings.iter().map(|(key, given)| Ok((key.extract()?, value(&key.extract::<String>()?, &given)?))).collect()
}

/// The plan of a preset and some settings.
pub fn plan(preset: Option<&str>, settings: &Bound<'_, PyDict>) -> PyResult<Plan> {
    let mut plan = Plan::new();
    if let Some(name) = preset {
        let preset = Preset::named(name).ok_or_else(|| {
            let names = Preset::ALL.map(Preset::name).join(", ");
            PyValueError::new_err(format!("preset is {name:?}; allowed are {names}"))
        })?;
        plan = plan.preset(preset);
    }
    for (key, value) in of_dict(settings)? {
        plan = match (key.as_str(), &value) {
            ("graph_model", Value::String(name)) => plan.graph_model(name),
            _ => plan.set(&key, value),
        };
    }
    Ok(plan)
}

/// A number, a word or a truth value. What is no number at all becomes a word, which the library refuses by name.
fn value(key: &str, given: &Bound<'_, PyAny>) -> PyResult<Value> {
    if given.is_instance_of::<PyBool>() {
        return Ok(Value::Bool(given.extract()?));
    }
    if let Ok(word) = given.extract::<String>() {
        return Ok(Value::String(word));
    }
    if let Ok(count) = given.extract::<u64>() {
        return Ok(count.into());
    }
    if let Ok(number) = given.extract::<f64>() {
        return Ok(Number::from_f64(number).map_or_else(|| number.to_string().into(), Value::Number));
    }
    let kind = given.get_type().name()?;
    Err(PyTypeError::new_err(format!("setting {key} is of type {kind}; give a number or a word")))
}
