//! The rows of an edge list, read by all threads at once. The result is that of one thread: names are numbered by first
//! appearance, and of several errors the first line's counts.

use super::lines::{Row, Table};
use super::names::Names;
use super::respelled::{is_no_id, is_shortened};
use super::roles::Roles;
use bgcn_core::data::{BadInput, Error};
use bgcn_core::memory::{Growing, TooMuch};
use rayon::prelude::*;
use std::borrow::Cow;

/// Bytes below which a text is not shared out.
const SMALL: usize = 1 << 20;

/// Parts at most: each has its own table of names.
const PARTS: usize = 8;

/// What the rows hold.
pub(super) struct Parsed {
    pub(super) names: Names,
    pub(super) list: Vec<(u32, u32)>,
    /// Rows whose weight was too small; they still name nodes.
    pub(super) light: usize,
    /// Rows whose weight is 0 where weights are ignored.
    pub(super) zeros: usize,
}

/// Reads the rows of a part of the table that starts at a line.
pub(super) fn parse<'a>(table: &Table<'a>, (text, line): (&'a str, usize), roles: Roles) -> Result<Parsed, Error> {
    let parts = if text.len() < SMALL { 1 } else { rayon::current_num_threads().clamp(1, PARTS) };
    let pieces = cut(text, parts);
    let counts: Vec<usize> =
        pieces.par_iter().map(|piece| piece.bytes().filter(|&byte| byte == b'\n').count()).collect();
    // Every line may be an edge, but two names with a delimiter between them and a line end take four bytes. What is
    // not used is given back below.
    let rooms: Vec<usize> =
        pieces.iter().zip(&counts).map(|(piece, &count)| (count + 1).min(piece.len() / 4 + 1)).collect();
    let mut list = vec![(0, 0); rooms.iter().sum()];
    let mut slices = Vec::new();
    let (mut rest, mut from) = (&mut list[..], line);
    for ((piece, &count), &room) in pieces.iter().zip(&counts).zip(&rooms) {
        let (slice, others) = rest.split_at_mut(room);
        slices.push((*piece, from, slice));
        (rest, from) = (others, from + count);
    }
    let read: Vec<Result<Part, Error>> =
        slices.into_par_iter().map(|(piece, from, slice)| part(table, (piece, from), roles, slice)).collect();
    let mut read = read.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (light, zeros) = read.iter().fold((0, 0), |sums, part| (sums.0 + part.light, sums.1 + part.zeros));
    let filled: Vec<usize> = read.iter().map(|part| part.filled).collect();
    let mut names = std::mem::replace(&mut read[0].names, Names::new());
    let places: Vec<Vec<u32>> =
        read.into_iter().skip(1).map(|part| part.names.iter().map(|name| names.node(name)).collect()).collect();
    let mut starts = Vec::new();
    rooms.iter().fold(0, |start, &room| {
        starts.push(start);
        start + room
    });
    let mut end = filled[0];
    for (i, places) in places.iter().enumerate() {
        let (start, count) = (starts[i + 1], filled[i + 1]);
        let number = |(a, b): &mut (u32, u32)| (*a, *b) = (places[*a as usize], places[*b as usize]);
        list[start..start + count].par_iter_mut().for_each(number);
        list.copy_within(start..start + count, end);
        end += count;
    }
    list.truncate(end);
    Ok(Parsed { names, list, light, zeros })
}

/// The text in parts of about equal length that end with a line.
fn cut(text: &str, parts: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    for left in (1..=parts).rev() {
        let target = rest.len() / left;
        let end = match rest.as_bytes()[target.min(rest.len())..].iter().position(|&byte| byte == b'\n') {
            Some(at) if left > 1 => target + at + 1,
            _ => rest.len(),
        };
        let (piece, others) = rest.split_at(end);
        pieces.push(piece);
        rest = others;
    }
    pieces
}

/// Rows whose names are numbered together.
const ROWS: usize = 64;

struct Part {
    names: Names,
    filled: usize,
    light: usize,
    zeros: usize,
}

fn part<'a>(
    table: &Table<'a>,
    (text, line): (&'a str, usize),
    roles: Roles,
    list: &mut [(u32, u32)],
) -> Result<Part, Error> {
    let mut part = Part { names: Names::new(), filled: 0, light: 0, zeros: 0 };
    let mut fields = Vec::new();
    // Names wait for a number until there are many, and the processor fetches what it needs for all of them at once.
    let mut waiting: Vec<Cow<'a, str>> = Vec::with_capacity(2 * ROWS);
    let mut kept: Vec<bool> = Vec::with_capacity(ROWS);
    let mut memory = Growing::default();
    for row in table.rows_of(text, line) {
        table.split(row, &mut fields)?;
        part.zeros += usize::from(roles.ignored.is_some_and(|column| is_zero(&fields[column])));
        kept.push(match roles.weight {
            None => true,
            Some(column) => {
                let weight = weight(table, row, &fields[column])?;
                roles.threshold.map_or(weight > 0.0, |least| weight >= least)
            }
        });
        waiting.extend(ends(table, row, &mut fields, roles.ends, roles.floats)?);
        if kept.len() == ROWS {
            memory.reach(part.names.bytes()).map_err(|much| too_many(table, part.names.len(), much))?;
            part.number(&waiting, &kept, list);
            waiting.clear();
            kept.clear();
        }
    }
    part.number(&waiting, &kept, list);
    Ok(part)
}

/// The error for more names than there is memory for.
pub(super) fn too_many(table: &Table<'_>, names: usize, much: TooMuch) -> Error {
    let bad = BadInput::new(table.path(), "", format!("{names} nodes and more: {much}"));
    bad.allowed("names are held in memory").next("Take a smaller graph, or a machine with more memory.").into()
}

impl Part {
    /// Numbers the ends of edges, those that are kept and those that are not.
    fn number(&mut self, names: &[Cow<'_, str>], kept: &[bool], list: &mut [(u32, u32)]) {
        let Self { names: known, filled, light, .. } = self;
        let mut source = 0;
        known.nodes(names, |i, node| {
            if i % 2 == 0 {
                source = node;
            } else if kept[i / 2] {
                list[*filled] = (source, node);
                *filled += 1;
            } else {
                *light += 1;
            }
        });
    }
}

/// The text of a weight, which may stand among the attributes that NetworkX writes.
fn plain(field: &str) -> &str {
    field.strip_prefix("{'weight': ").map_or(field, |rest| rest.split([',', '}']).next().unwrap_or(rest))
}

fn is_zero(field: &str) -> bool {
    let number = plain(field);
    number.starts_with(['0', '.', '-', '+']) && number.parse() == Ok(0.0)
}

fn weight(table: &Table<'_>, row: Row<'_>, field: &str) -> Result<f64, Error> {
    let weight = plain(field).parse().ok().filter(|weight: &f64| weight.is_finite());
    weight.ok_or_else(|| {
        let bad = table.bad(row.line, format!("the weight {field:?} is not a number"));
        bad.allowed("a weight is finite and written as 0.5").next("Correct it, or remove the row.").into()
    })
}

/// The two nodes of a row; `floats`: they are written as 1.0 and mean 1.
#[inline]
pub(super) fn ends<'a>(
    table: &Table<'a>,
    row: Row<'a>,
    fields: &mut [Cow<'a, str>],
    ends: [usize; 2],
    floats: bool,
) -> Result<[Cow<'a, str>; 2], Error> {
    let pair = ends.map(|end| std::mem::take(&mut fields[end]));
    if pair.iter().any(|name| name.is_empty()) {
        let bad = table.bad(row.line, "an edge with an empty end").allowed("both ends are named");
        return Err(bad.next("Fill in the node, or remove the row.").into());
    }
    if !floats {
        return Ok(pair);
    }
    if let Some(other) = pair.iter().find(|id| whole(id).is_none() && !is_shortened(id) && !is_no_id(id)) {
        let bad = table.bad(row.line, format!("the id {other:?} among numbers such as 1.0"));
        return Err(bad.allowed("ids are whole numbers, or text").next("Write all ids alike.").into());
    }
    // `Respelled` refuses what lost digits.
    Ok(pair.map(|id| whole(&id).filter(|_| !is_shortened(&id)).map_or(id, Cow::Owned)))
}

/// The whole number that 1.0 or 1e0 is another way to write.
pub(super) fn whole(id: &str) -> Option<String> {
    let number: f64 = id.parse().ok()?;
    (number.fract() == 0.0 && number.abs() < 9e15).then(|| format!("{number:.0}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_line_ends_and_nothing_is_lost() {
        let text = "ab\ncdef\n\ngh\nij";
        for parts in 1..7 {
            let pieces = cut(text, parts);
            assert_eq!((pieces.concat(), pieces.len()), (text.to_owned(), parts));
            let full: Vec<&&str> = pieces.iter().filter(|piece| !piece.is_empty()).collect();
            assert!(full.iter().rev().skip(1).all(|piece| piece.ends_with('\n')), "{pieces:?}");
        }
    }

    #[test]
    fn numbers_with_a_fraction_of_zeros_are_whole() {
        assert_eq!(whole("1.000000000000000000e+00").as_deref(), Some("1"));
        assert_eq!((whole("12.0").as_deref(), whole("1.5"), whole("x")), (Some("12"), None, None));
    }
}
