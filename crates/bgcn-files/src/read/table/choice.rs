//! The option `columns`: which columns become features, or, after a minus, which do not.

use super::columns::Column;
use super::header::plain_word;
use super::lines::shortened;
use crate::read::ReadOptions;

/// A column that is not there or cannot be a feature: what was found, and the columns that can.
pub(in crate::read) struct Unknown {
    pub(in crate::read) found: String,
    pub(in crate::read) allowed: String,
}

/// What to do about it.
pub(in crate::read) const NEXT: &str = "Call a column by its name, or by its number from 1; a minus before it leaves \
                                        it out, as in `columns=-name`.";

/// The columns that become features. `names`: those of all columns; `free`: places of those that are neither id nor
/// label; `usual`: places of those that are features where nothing is asked for.
pub(in crate::read) fn choose(
    options: &ReadOptions,
    names: &[String],
    free: &[usize],
    usual: &[usize],
) -> Result<Vec<Column>, Unknown> {
    let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
    for asked in &options.columns {
        match (place(names, asked), asked.strip_prefix('-')) {
            (Some(at), _) if free.contains(&at) => wanted.push(at),
            (None, Some(rest)) if place(names, rest).is_some() => unwanted.extend(place(names, rest)),
            (found, _) => {
                let problem = if found.is_some() { "names the nodes or is the label" } else { "is not there" };
                let list: Vec<String> = free.iter().take(12).map(|&at| shortened(&names[at])).collect();
                let more = if free.len() > 12 { ", …" } else { "" };
                return Err(Unknown {
                    found: format!("the column {asked:?} of `columns` {problem}"),
                    allowed: format!("columns that can be features are {}{more}", list.join(", ")),
                });
            }
        }
    }
    let of_fit = |name: &str| {
        let category =
            |own: &String| own.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
        options.fitted.iter().any(category)
    };
    let places = if wanted.is_empty() { usual } else { free };
    let is_used = |at: &usize| (wanted.is_empty() || wanted.contains(at)) && !unwanted.contains(at);
    let column = |&at: &usize| {
        let name = names[at].clone();
        Column { at, forced: wanted.contains(&at) || of_fit(&name), name }
    };
    Ok(places.iter().filter(|at| is_used(at)).map(column).collect())
}

/// The place of a column that is called by name or number.
fn place(names: &[String], asked: &str) -> Option<usize> {
    let exact = names.iter().position(|name| name == asked);
    let plain = || {
        let asked = plain_word(asked);
        names.iter().position(|name| !asked.is_empty() && plain_word(name) == asked)
    };
    let number = || asked.parse::<usize>().ok().filter(|number| (1..=names.len()).contains(number)).map(|n| n - 1);
    let is_minus = asked.starts_with('-');
    exact.or_else(|| if is_minus { None } else { plain().or_else(number) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(asked: &[&str]) -> Result<String, String> {
        let names = ["id", "age", "page_name", "-odd", "label"].map(String::from);
        let options =
            ReadOptions { columns: asked.iter().map(|word| (*word).to_owned()).collect(), ..Default::default() };
        let columns = choose(&options, &names, &[1, 2, 3], &[1, 2, 3]).map_err(|unknown| unknown.found)?;
        Ok(columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn columns_are_named_or_left_out_by_name_or_number() {
        assert_eq!(chosen(&[]).unwrap(), "age page_name -odd");
        assert_eq!(chosen(&["-page_name"]).unwrap(), "age -odd");
        assert_eq!(chosen(&["-Page Name", "-2"]).unwrap(), "-odd");
        assert_eq!(chosen(&["page_name", "2"]).unwrap(), "age page_name");
        assert_eq!(chosen(&["-odd"]).unwrap(), "-odd", "a column of that very name");
        assert_eq!(chosen(&["-id", "-label"]).unwrap(), "age page_name -odd", "no features anyway");
        assert!(chosen(&["label"]).unwrap_err().contains("is the label"));
        assert!(chosen(&["-agee"]).unwrap_err().contains("is not there"));
    }
}
