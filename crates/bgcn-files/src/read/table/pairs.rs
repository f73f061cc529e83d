//! Features as pairs `id,column`: the columns that are 1 for a node.
//!
//! The header says so, or most ids stand in several rows. Whole numbers are counted from 0, unless few of so many are
//! used; all else are names in sorted order. The columns are called like categories, `column=7`, for later data may
//! lack some. Differs from triplets: a node without a row has zeros only, and a pair that is given again counts once.

use super::features::{Triplets, first_lines};
use super::header::{Head, Verdict, is_id_word, is_index_word, is_missing, is_number, is_whole, plain_word};
use super::lines::Table;
use super::names::Names;
use super::respelled::Respelled;
use crate::read::ReadOptions;
use bgcn_core::data::Error;
use std::borrow::Cow;

/// So many columns are kept, used or not, and so many for each that is used.
const KEPT: u64 = 1000;
const KEPT_PER_USED: u64 = 10;

/// Whether most ids of a table of two columns stand in several rows, each with another column.
pub(super) fn ids_repeat(table: &Table<'_>, nodes: &Names, options: &ReadOptions) -> Result<bool, Error> {
    let words = table.first()?.1;
    let is_second = |asked: &String| asked == "2" || plain_word(asked) == plain_word(&words[1]);
    if is_index_word(&words[0]) || options.id_column.as_ref().is_some_and(is_second) {
        return Ok(false);
    }
    let (mut ids, mut pairs, mut rows) = (Names::new(), Names::new(), 0);
    let mut fields = Vec::new();
    for row in table.rows().skip(1) {
        table.split(row, &mut fields)?;
        let column = &fields[1];
        if is_missing(column) || (is_number(column) && (!is_whole(column) || column.starts_with('-'))) {
            return Ok(false);
        }
        ids.node(&fields[0]);
        pairs.node(row.text.trim_ascii());
        rows += 1;
    }
    let known = ids.iter().filter(|id| nodes.get(id).is_some()).count();
    Ok(3 * ids.len() <= 2 * rows && 4 * (rows - pairs.len()) <= rows && 2 * known > ids.len())
}

/// Reads them; `nodes` are those of the graph.
pub(super) fn read<'a>(table: &Table<'a>, nodes: &Names, options: &ReadOptions) -> Result<Triplets<'a>, Error> {
    let options = &*table.options(options);
    let known = |words: &[Cow<'_, str>]| is_id_word(&words[0]).then_some(Verdict::Known);
    let mut head = Head::look(table, options.header, false, &[0], known)?;
    if head.verdict == Verdict::Open {
        let is_node = nodes.get(&head.words[0]).is_some();
        head.verdict = if is_node { Verdict::Data } else { Verdict::Strange };
    }
    let (mut names, mut lines, mut pairs) = (Names::new(), Vec::new(), Vec::new());
    let mut fields = Vec::new();
    for row in table.rows().skip(usize::from(head.is_apart())) {
        table.split(row, &mut fields)?;
        if fields[0].is_empty() {
            let bad = table.bad(row.line, "features without a node").allowed("the first column names the node");
            return Err(bad.next("Fill in the node, or remove the row.").into());
        }
        let node = names.node(&fields[0]);
        if node as usize == lines.len() {
            lines.push(row.line);
        }
        if !fields[1].is_empty() {
            pairs.push((node, std::mem::take(&mut fields[1])));
        }
    }
    let mut remarks: Vec<String> = head.remark(table).into_iter().collect();
    let Respelled { names, places } = Respelled::of(table, names, &mut remarks)?;
    let lines = first_lines(&places, &lines, names.len());
    let (columns, of) = numbered(&pairs, &table.name(), &mut remarks);
    let mut entries: Vec<(u32, u32, f32)> =
        pairs.iter().zip(of).map(|((node, _), column)| (places[*node as usize], column, 1.0)).collect();
    entries.sort_unstable_by_key(|&(node, column, _)| (node, column));
    entries.dedup();
    let (file, width, again) = (table.name(), columns.len(), pairs.len() - entries.len());
    if again > 0 {
        remarks.push(format!("{file}: {again} pairs are given again and count once"));
    }
    remarks.push(format!("{file}: a row for each column of a node, which is 1 there; {width} columns"));
    let word = head.names().map_or("column", |words| &words[1]);
    let column_names = columns.iter().map(|column| format!("{word}={column}")).collect();
    Ok(Triplets { head, names, lines, columns: width, column_names, entries, pairs: true, remarks })
}

/// What the columns are called, and the number of each pair's column.
fn numbered(pairs: &[(u32, Cow<'_, str>)], file: &str, remarks: &mut Vec<String>) -> (Vec<String>, Vec<u32>) {
    let number = |column: &str| column.parse::<u64>().ok().filter(|_| column.bytes().all(|byte| byte.is_ascii_digit()));
    let Some(numbers) = pairs.iter().map(|(_, column)| number(column)).collect::<Option<Vec<u64>>>() else {
        return by_use(&pairs.iter().map(|(_, column)| column.as_ref()).collect::<Vec<&str>>());
    };
    let (used, of) = by_use(&numbers);
    let largest = numbers.iter().max().copied().unwrap_or(0);
    if largest >= KEPT + KEPT_PER_USED * used.len() as u64 {
        let many = used.len();
        remarks
            .push(format!("{file}: of the columns 0 to {largest} only {many} are used, and the others are left out"));
        return (used, of);
    }
    ((0..=largest).map(|column| column.to_string()).collect(), numbers.iter().map(|&column| column as u32).collect())
}

/// All different keys in order, and the place of each among them.
fn by_use<K: Ord + Copy + ToString>(keys: &[K]) -> (Vec<String>, Vec<u32>) {
    let mut used = keys.to_vec();
    used.sort_unstable();
    used.dedup();
    let of = keys.iter().map(|key| used.partition_point(|other| other < key) as u32).collect();
    (used.iter().map(K::to_string).collect(), of)
}
