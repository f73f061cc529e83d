//! Which columns of an edge list hold the two nodes and the weight, and what becomes of the others.

use super::ends::Guess;
use super::header::{Head, is_index_word, is_number, is_whole, plain_word};
use super::lines::{Table, shortened};
use super::times::is_time;
use crate::read::ReadOptions;
use bgcn_core::data::Error;
use std::borrow::Cow;

/// Words that two columns of nodes are called, as [`plain_word`]s.
const HEADERS: &str = "source target, source destination, source dest, sourceid targetid, sourcenode targetnode, \
                       src dst, src dest, srcid dstid, from to, fromid toid, fromnode tonode, fromnodeid tonodeid, \
                       id1 id2, node1 node2, nodeid1 nodeid2, nodea nodeb, head tail, citing cited, cited citing, \
                       u v, user1 user2, start end";

/// Words that make a first row of strange names likely to be a header.
const ROLES: &str = "user friend person follower followee supplier customer buyer seller author coauthor paper \
                     account sender receiver recipient company protein gene parent child left right a b u v i j x y \
                     origin member followee following payer payee donor borrower lender caller callee reporter \
                     partner node vertex employee manager student teacher player";

/// What weights are called.
const WEIGHTS: &str = "weight weights w value values count counts rating score strength amount frequency freq distance \
                       similarity capacity cost length total";

/// The beginnings, and the ends, of two words that are otherwise alike.
const TWINS: [[&str; 2]; 7] = [
    ["1", "2"],
    ["a", "b"],
    ["from", "to"],
    ["source", "target"],
    ["src", "dst"],
    ["sender", "receiver"],
    ["start", "end"],
];

/// Whether a plain word is what weights are called.
pub(super) fn is_weight_word(word: &str) -> bool {
    WEIGHTS.split_ascii_whitespace().any(|own| own == word)
}

/// The pairs of columns whose names are roles of nodes, such as sender and receiver, user_a and user_b, from_account
/// and to_account.
pub(super) fn pairs(words: &[Cow<'_, str>], places: &[usize]) -> Vec<[usize; 2]> {
    let plain: Vec<String> = words.iter().map(|word| plain_word(word)).collect();
    let is_role = |word: &str| ROLES.split_ascii_whitespace().any(|role| role == word);
    let twins = |a: &str, b: &str| {
        TWINS.iter().any(|&[one, two]| {
            let stem = |word: &str, end: &str| {
                let word = word.strip_suffix("id").unwrap_or(word).to_owned();
                let numbered = end.parse::<u8>().is_ok() || end.len() == 1;
                let at_end = word.strip_suffix(end).filter(|stem| is_role(stem)).map(str::to_owned);
                let at_start = || word.strip_prefix(end).filter(|_| !numbered).map(str::to_owned);
                at_end.or_else(at_start)
            };
            stem(a, one).is_some_and(|stem_of_a| Some(stem_of_a) == stem(b, two))
        })
    };
    let role = |word: &str| is_role(word.strip_suffix("id").or(word.strip_suffix("name")).unwrap_or(word));
    let mut found = Vec::new();
    for (i, &a) in places.iter().enumerate() {
        for &b in &places[i + 1..] {
            let (one, two) = (plain[a].as_str(), plain[b].as_str());
            if twins(one, two) || (one != two && role(one) && role(two)) {
                found.push([a, b]);
            }
        }
    }
    found
}

/// Where the parts of an edge stand in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Roles {
    pub(super) ends: [usize; 2],
    pub(super) weight: Option<usize>,
    /// A column of weights that nothing asks for.
    pub(super) ignored: Option<usize>,
    /// Edges of at least this weight count; without it those of a positive weight.
    pub(super) threshold: Option<f64>,
    /// Whether all ids are numbers written as 1.0.
    pub(super) floats: bool,
}

/// The columns of known words.
pub(super) fn known_ends(words: &[Cow<'_, str>]) -> Option<[usize; 2]> {
    let plain: Vec<String> = words.iter().map(|word| plain_word(word)).collect();
    let place = |word: &str| plain.iter().position(|own| own == word);
    let mut pairs = HEADERS.split(", ").filter_map(|pair| pair.split_once(' '));
    pairs.find_map(|(a, b)| Some([place(a)?, place(b)?]))
}

/// Whether the first two words differ only in an ending such as 1 and 2, or both end in id.
pub(super) fn words_of_pair(words: &[Cow<'_, str>]) -> bool {
    let [a, b, ..] = words else { return false };
    let stem = |word: &str, end: &str| word.strip_suffix(end).filter(|stem| stem.len() > 1).map(str::to_owned);
    let (plain_a, plain_b) = (plain_word(a), plain_word(b));
    let twins = [["1", "2"], ["a", "b"], ["from", "to"], ["source", "target"]];
    let stems = |ends: [&str; 2]| stem(&plain_a, ends[0]).is_some_and(|one| Some(one) == stem(&plain_b, ends[1]));
    let twins = twins.into_iter().any(|ends| stems(ends) && !ends[0].parse::<u8>().is_ok_and(|_| is_code(a)));
    let ids = |word: &str| ["_id", "Id", "ID", " id"].iter().any(|end| word.ends_with(end));
    twins || (a != b && ids(a) && ids(b))
}

/// Whether a word looks like a serial number such as P1, rather than a name such as person1.
fn is_code(word: &str) -> bool {
    word.trim_end_matches(|c: char| c.is_ascii_digit()).chars().count() < 3
}

/// Whether strange words are usual names of columns of nodes.
pub(super) fn likely(words: &[Cow<'_, str>]) -> bool {
    let role = |word: &Cow<'_, str>| {
        let plain = plain_word(word);
        let stem = plain.trim_end_matches("id").trim_end_matches("name").trim_end_matches(|c: char| c.is_ascii_digit());
        ROLES.split(' ').any(|role| role == stem || role == plain)
    };
    words.iter().all(role)
}

/// The place of a column that is called by name or number.
pub(super) fn column(table: &Table<'_>, head: &Head<'_>, asked: &str, what: &str) -> Result<usize, Error> {
    let named = head.names().and_then(|names| {
        let exact = names.iter().position(|name| name == asked);
        exact.or_else(|| names.iter().position(|name| plain_word(name) == plain_word(asked) && !name.is_empty()))
    });
    let numbered = asked.parse::<usize>().ok().filter(|number| (1..=table.width).contains(number)).map(|n| n - 1);
    named.or(numbered).ok_or_else(|| {
        let found = format!("the {what} column {asked:?} is not there");
        let list = shortened_list(&head.words);
        let allowed = format!("the first row is {list}, {} columns", table.width);
        let next = "Call a column by its name, or by its number from 1.";
        table.bad(head.row.line, found).allowed(allowed).next(next).into()
    })
}

/// A column of row numbers or row names, in words.
pub(super) fn index_column(name: &str) -> String {
    if name.is_empty() { "a nameless index column".into() } else { format!("the index column {name:?}") }
}

/// Some words of a row.
pub(super) fn shortened_list(words: &[Cow<'_, str>]) -> String {
    let few: Vec<String> = words.iter().take(8).map(|word| shortened(word)).collect();
    few.join(",") + if words.len() > 8 { ",…" } else { "" }
}

pub(super) fn roles(
    table: &Table<'_>,
    head: &Head<'_>,
    options: &ReadOptions,
    beside: &[&Table<'_>],
    remarks: &mut Vec<String>,
) -> Result<Roles, Error> {
    let asked = options.weight_column.as_deref();
    let (mut weight, mut ignored) = (asked.map(|asked| column(table, head, asked, "weight")).transpose()?, None);
    let ends = ends(table, head, options, weight, beside)?;
    let mut others: Vec<usize> = (0..table.width).filter(|i| !ends.contains(i) && Some(*i) != weight).collect();
    let name = |i: usize| match head.names().map(|names| shortened(&names[i])) {
        Some(name) if !is_index_word(&name) => name,
        _ => format!("column {}", i + 1),
    };
    let is_guessed = options.source_column.is_none() && head.names().is_some_and(|names| known_ends(names).is_none());
    let before = others.iter().any(|&i| i < ends[1] && !head.names().is_some_and(|names| is_index_word(&names[i])));
    if is_guessed && before {
        let [a, b] = ends.map(name);
        remarks.push(format!("{}: the nodes are in columns {a} and {b}", table.name()));
    }
    if weight.is_none() {
        let nameless = |i: usize| head.names().is_some_and(|names| is_index_word(&names[i]));
        let numbers: Vec<usize> =
            others.iter().copied().filter(|&i| !nameless(i) && holds_weights(table, head, i)).collect();
        let called = numbers.iter().copied().find(|&i| {
            let names = head.names().map(|names| plain_word(&names[i]));
            names.is_some_and(|name| ["weight", "weights", "w", "value", "count"].contains(&name.as_str()))
        });
        // A number before the nodes is rather a time or the number of the row.
        let found = called.or((numbers.len() == 1 && others.len() == 1 && !before).then(|| numbers[0]));
        if options.weight_threshold.is_some() {
            // Whatever one column more than the nodes holds is the weight that is asked for.
            weight = found.or((others.len() == 1).then(|| others[0]));
            if weight.is_none() {
                let found = "a weight threshold is set, but there is no column of weights";
                let bad = table.bad(head.row.line, found).allowed("an edge is two nodes");
                return Err(bad.next("Remove the threshold, or name the column: `weight_column`.").into());
            }
        } else if let Some(i) = found {
            let how = "`weight_threshold` keeps edges by weight";
            remarks.push(format!("{}: the weights in {} are ignored; {how}", table.name(), name(i)));
            ignored = Some(i);
            others.retain(|&other| other != i);
        }
        others.retain(|&other| Some(other) != weight);
    }
    let (index, left): (Vec<usize>, Vec<usize>) =
        others.into_iter().partition(|&i| head.names().is_some_and(|names| is_index_word(&names[i])));
    if let Some(&i) = index.first() {
        remarks.push(format!("{}: {} is left out", table.name(), index_column(&head.words[i])));
    }
    let left: Vec<String> = left.into_iter().filter(|&i| !holds_nothing(table, head, i)).map(name).collect();
    if !left.is_empty() {
        remarks.push(format!("{}: ignored columns: {}", table.name(), left.join(", ")));
    }
    Ok(Roles { ends, weight, ignored, threshold: options.weight_threshold, floats: false })
}

/// The two columns of nodes: those that are asked for, those of known words, or a guess.
fn ends(
    table: &Table<'_>,
    head: &Head<'_>,
    options: &ReadOptions,
    weight: Option<usize>,
    beside: &[&Table<'_>],
) -> Result<[usize; 2], Error> {
    let bad = |found: &str| table.bad(head.row.line, found).allowed("an edge is two nodes");
    let of = |asked: &Option<String>, what| asked.as_deref().map(|asked| column(table, head, asked, what)).transpose();
    match (of(&options.source_column, "source")?, of(&options.target_column, "target")?) {
        (Some(a), Some(b)) if a == b => Err(bad("one column for both nodes").next("Name two columns.").into()),
        (Some(a), Some(b)) => Ok([a, b]),
        (None, None) => match head.names().and_then(known_ends).filter(|&ends| can_be_ends(table, head, ends)) {
            Some(ends) => Ok(ends),
            None => Guess { table, head, weight, weighted: options.weight_threshold.is_some(), beside }.ends(),
        },
        _ => Err(bad("only one of the two columns is named").next("Name the other, too.").into()),
    }
}

/// Whether columns of known words hold neither fractions nor dates, as from and to do where they are times.
fn can_be_ends(table: &Table<'_>, head: &Head<'_>, ends: [usize; 2]) -> bool {
    let other = |cell: &String| is_time(cell) || cell.parse::<f64>().is_ok_and(|number| number.fract() != 0.0);
    table.width < 4 || ends.iter().all(|&end| !first_cells(table, head, end).iter().take(100).all(other))
}

/// The fields of the first rows below a header.
fn first_cells(table: &Table<'_>, head: &Head<'_>, column: usize) -> Vec<String> {
    let mut fields = Vec::new();
    let rows = table.rows().skip(usize::from(head.is_apart())).take(1000);
    let cells = rows.filter_map(|row| {
        table.split(row, &mut fields).ok()?;
        fields.get(column).map(|field| field.to_string())
    });
    cells.collect()
}

/// Numbers, or the attributes that NetworkX writes.
pub(super) fn holds_weights(table: &Table<'_>, head: &Head<'_>, column: usize) -> bool {
    let cells = first_cells(table, head, column);
    !cells.is_empty() && cells.iter().all(|cell| is_number(cell) || cell.starts_with("{'weight': "))
}

/// The attributes that NetworkX writes.
pub(super) fn holds_attributes(table: &Table<'_>, head: &Head<'_>, column: usize) -> bool {
    let cells = first_cells(table, head, column);
    !cells.is_empty() && cells.iter().all(|cell| cell.starts_with('{') && cell.ends_with('}'))
}

/// Empty cells, or empty attributes.
fn holds_nothing(table: &Table<'_>, head: &Head<'_>, column: usize) -> bool {
    first_cells(table, head, column).iter().all(|cell| cell.is_empty() || cell == "{}")
}

pub(super) fn is_whole_column(table: &Table<'_>, column: usize) -> bool {
    let mut fields = Vec::new();
    table.rows().take(1000).all(|row| table.split(row, &mut fields).is_ok() && is_whole(&fields[column]))
}

/// Whether the first column is 0, 1, 2, … or 1, 2, 3, …
pub(super) fn counts_up(table: &Table<'_>) -> bool {
    let mut fields = Vec::new();
    let mut first = None;
    let up = table.rows().take(1000).enumerate().all(|(i, row)| {
        let number = table.split(row, &mut fields).ok().and_then(|()| fields[0].parse::<usize>().ok());
        let start = *first.get_or_insert(number.unwrap_or(usize::MAX));
        start <= 1 && number == Some(start + i)
    });
    up && table.rows().nth(2).is_some()
}
