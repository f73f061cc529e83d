//! Edge lists: which columns hold the two nodes, what else is there, and the rows.
//!
//! Columns are chosen by the options, else by known words of the header, else two columns are the nodes, and of three
//! the last is a weight where it holds numbers. A nameless column of row numbers is left out. All else is refused.

use super::chunks::{self, Parsed};
use super::header::{Head, Verdict, is_index_word, is_number, is_whole, plain_word};
use super::lines::{Row, Table, shortened};
use super::names::Names;
use crate::data::read::Options;
use crate::data::{BadInput, Error};
use crate::graph::Graph;
use std::borrow::Cow;

/// Words that two columns of nodes are called, as [`plain_word`]s.
const HEADERS: [[&str; 2]; 22] = [
    ["source", "target"],
    ["source", "destination"],
    ["source", "dest"],
    ["sourceid", "targetid"],
    ["sourcenode", "targetnode"],
    ["src", "dst"],
    ["src", "dest"],
    ["srcid", "dstid"],
    ["from", "to"],
    ["fromid", "toid"],
    ["fromnode", "tonode"],
    ["fromnodeid", "tonodeid"],
    ["id1", "id2"],
    ["node1", "node2"],
    ["nodeid1", "nodeid2"],
    ["nodea", "nodeb"],
    ["head", "tail"],
    ["citing", "cited"],
    ["cited", "citing"],
    ["u", "v"],
    ["user1", "user2"],
    ["start", "end"],
];

/// Words that make a first row of strange names likely to be a header.
const ROLES: [&str; 34] = [
    "user",
    "friend",
    "person",
    "follower",
    "followee",
    "supplier",
    "customer",
    "buyer",
    "seller",
    "author",
    "coauthor",
    "paper",
    "account",
    "sender",
    "receiver",
    "sender",
    "recipient",
    "company",
    "protein",
    "gene",
    "parent",
    "child",
    "left",
    "right",
    "a",
    "b",
    "u",
    "v",
    "i",
    "j",
    "x",
    "y",
    "origin",
    "member",
];

/// Where the parts of an edge stand in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Roles {
    pub(super) ends: [usize; 2],
    pub(super) weight: Option<usize>,
    /// Edges of at least this weight count; without it those of a positive weight.
    pub(super) threshold: Option<f64>,
    /// Whether all ids are numbers written as 1.0.
    pub(super) floats: bool,
}

/// An edge list as it stands in the file. Names are numbered by first appearance, the first row left out where it is a
/// header or could be one.
pub(super) struct Edges<'a> {
    pub(super) head: Head<'a>,
    roles: Roles,
    pub(super) names: Names,
    pub(super) list: Vec<(u32, u32)>,
    /// Rows whose weight was too small.
    light: usize,
    remarks: Vec<String>,
}

/// Reads an edge list, all but the verdict on its first row.
pub(super) fn read<'a>(table: &Table<'a>, options: &Options) -> Result<Edges<'a>, Error> {
    let asked = [&options.source_column, &options.target_column, &options.weight_column];
    let by_name = asked.iter().any(|column| column.as_deref().is_some_and(|column| !is_whole(column)));
    let known = |words: &[Cow<'_, str>]| match known_ends(words) {
        Some(_) => Some(Verdict::Known),
        None => words_of_pair(words).then_some(Verdict::Likely),
    };
    let ids: &[usize] = if table.width > 1 { &[0, 1] } else { &[0] };
    let head = Head::look(table, options.header, by_name, ids, known)?;
    let mut remarks = Vec::new();
    let mut roles = roles(table, &head, options, &mut remarks)?;
    let (text, line) = if head.is_apart() { table.after(head.row) } else { table.text() };
    roles.floats = floats(table, table.rows_of(text, line).next(), roles.ends);
    let Parsed { names, list, light } = chunks::parse(table, (text, line), roles)?;
    let edges = Edges { head, roles, names, list, light, remarks };
    edges.refuse_size_line(table, options)?;
    Ok(edges)
}

/// Whether the ids of a row are whole numbers with a fraction of zeros.
fn floats<'a>(table: &Table<'a>, row: Option<Row<'a>>, ends: [usize; 2]) -> bool {
    let mut fields = Vec::new();
    let float = |id: &Cow<'_, str>| id.contains('.') && is_number(id) && chunks::whole(id).is_some();
    let Some(row) = row.filter(|_| !table.has_quotes()) else { return false };
    table.split(row, &mut fields).is_ok() && ends.iter().all(|&end| float(&fields[end]))
}

impl<'a> Edges<'a> {
    /// Decides about a first row that is still open, with what is known of all other nodes: `elsewhere` says whether a
    /// name is a node of another file.
    pub(super) fn settle(&mut self, table: &Table<'a>, elsewhere: impl Fn(&str) -> bool) -> Result<(), Error> {
        if self.head.verdict != Verdict::Open {
            let is_node = |word: &str| self.names.get(word).is_some() || elsewhere(word);
            self.remarks.extend(self.head.lost(table, &self.roles.ends, is_node));
            return self.head.check(table, &self.roles.ends, is_node);
        }
        let words = self.roles.ends.map(|end| self.head.words[end].clone());
        let recurs = words.iter().any(|word| self.names.get(word).is_some() || elsewhere(word));
        let strange = !recurs && (self.lonely_rows() == 0 || likely(&words) || self.has_other_ids(&words));
        self.head.verdict = if strange { Verdict::Strange } else { Verdict::Data };
        if !strange {
            let ends = self.roles.ends;
            let pair = chunks::ends(table, self.head.row, &mut self.head.words.clone(), ends, self.roles.floats)?;
            // The first row comes first: its names are numbered before all others.
            self.prepend(pair);
        }
        Ok(())
    }

    fn prepend(&mut self, pair: [Cow<'a, str>; 2]) {
        let mut names = Names::new();
        let first = pair.map(|name| names.node(&name));
        let places: Vec<u32> = self.names.iter().map(|name| names.node(name)).collect();
        self.list.iter_mut().for_each(|(a, b)| (*a, *b) = (places[*a as usize], places[*b as usize]));
        self.list.insert(0, (first[0], first[1]));
        self.names = names;
    }

    /// Rows that join two nodes which occur nowhere else in the list.
    fn lonely_rows(&self) -> usize {
        let mut degrees = vec![0u32; self.names.len()];
        self.list.iter().for_each(|&(a, b)| [a, b].iter().for_each(|&node| degrees[node as usize] += 1));
        self.list.iter().filter(|&&(a, b)| degrees[a as usize] == 1 && degrees[b as usize] == 1).count()
    }

    /// Whether all ids have a digit, and these words have none.
    fn has_other_ids(&self, words: &[Cow<'_, str>]) -> bool {
        let digit = |name: &str| name.bytes().any(|byte| byte.is_ascii_digit());
        !words.iter().any(|word| digit(word)) && self.names.iter().all(digit)
    }

    /// A first row such as `5 4` above four edges among five nodes may be their numbers.
    fn refuse_size_line(&self, table: &Table<'_>, options: &Options) -> Result<(), Error> {
        let numbers: Option<Vec<usize>> = self.head.words.iter().map(|word| word.parse().ok()).collect();
        let Some(numbers) = numbers.filter(|_| self.head.verdict == Verdict::Data) else { return Ok(()) };
        let below = self.list.len() + self.light - 1;
        let (&[nodes, edges] | &[nodes, _, edges]) = &numbers[..] else { return Ok(()) };
        let square = numbers.len() == 2 || numbers[1] == nodes;
        let small = |name: &str| name.parse().is_ok_and(|id: usize| id <= nodes);
        let said = options.header != crate::data::read::Header::Auto || table.says("no header");
        if said || edges != below || below < 2 || !square || !self.names.iter().all(small) {
            return Ok(());
        }
        let found =
            format!("{:?} is an edge, or says that {nodes} nodes and {edges} edges follow", self.head.words.join(" "));
        let next = "Remove the line, or say which: --header yes leaves it out, --header no reads it as an edge.";
        Err(table.bad(self.head.row.line, found).allowed("a size must be told apart from data").next(next).into())
    }

    /// What a person should know; an error where no edge is left.
    pub(super) fn finish(&mut self, table: &Table<'_>) -> Result<Vec<String>, Error> {
        if self.list.is_empty() {
            let (found, next) = match (self.light, self.roles.threshold) {
                (0, _) => ("no edges".to_owned(), "Write one edge per line, as in source,target."),
                (_, Some(t)) => (format!("no edge of weight {t} or more"), "Lower the threshold."),
                (_, None) => ("no edge of a positive weight".to_owned(), "Leave out the column of weights."),
            };
            let bad = BadInput::new(table.path(), "", found).allowed("a graph needs edges");
            return Err(bad.next(next).into());
        }
        let mut remarks: Vec<String> = self.head.remark(table).into_iter().collect();
        remarks.append(&mut self.remarks);
        if self.light > 0 {
            let least = self.roles.threshold.map_or("is not positive".to_owned(), |least| format!("is below {least}"));
            remarks.push(format!("{}: {} edges are left out, their weight {least}", table.name(), self.light));
        }
        Ok(remarks)
    }
}

/// The columns of known words.
fn known_ends(words: &[Cow<'_, str>]) -> Option<[usize; 2]> {
    let plain: Vec<String> = words.iter().map(|word| plain_word(word)).collect();
    let place = |word: &str| plain.iter().position(|own| own == word);
    HEADERS.iter().find_map(|pair| Some([place(pair[0])?, place(pair[1])?]))
}

/// Whether the first two words differ only in an ending such as 1 and 2, or both end in id.
fn words_of_pair(words: &[Cow<'_, str>]) -> bool {
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

/// Whether strange words are what people call columns of nodes.
fn likely(words: &[Cow<'_, str>]) -> bool {
    let role = |word: &Cow<'_, str>| {
        let plain = plain_word(word);
        let stem = plain.trim_end_matches("id").trim_end_matches("name").trim_end_matches(|c: char| c.is_ascii_digit());
        ROLES.contains(&stem) || ROLES.contains(&plain.as_str())
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

fn roles(table: &Table<'_>, head: &Head<'_>, options: &Options, remarks: &mut Vec<String>) -> Result<Roles, Error> {
    let bad = |found: String| table.bad(head.row.line, found).allowed("an edge is two nodes");
    let of = |asked: &Option<String>, what| asked.as_deref().map(|asked| column(table, head, asked, what)).transpose();
    let mut weight = of(&options.weight_column, "weight")?;
    let ends = match (of(&options.source_column, "source")?, of(&options.target_column, "target")?) {
        (Some(a), Some(b)) if a == b => {
            return Err(bad("one column for both nodes".into()).next("Name two columns.").into());
        }
        (Some(a), Some(b)) => [a, b],
        (None, None) => guessed_ends(table, head, weight, options.weight_threshold.is_some())?,
        _ => return Err(bad("only one of the two columns is named".into()).next("Name the other, too.").into()),
    };
    let mut others: Vec<usize> = (0..table.width).filter(|i| !ends.contains(i) && Some(*i) != weight).collect();
    let name = |i: usize| match head.names().map(|names| shortened(&names[i])) {
        Some(name) if !is_index_word(&name) => name,
        _ => format!("column {}", i + 1),
    };
    if weight.is_none() {
        let nameless = |i: usize| head.names().is_some_and(|names| is_index_word(&names[i]));
        let numbers: Vec<usize> =
            others.iter().copied().filter(|&i| !nameless(i) && holds_weights(table, head, i)).collect();
        let called = numbers.iter().copied().find(|&i| {
            let names = head.names().map(|names| plain_word(&names[i]));
            names.is_some_and(|name| ["weight", "weights", "w", "value", "count"].contains(&name.as_str()))
        });
        let found = called.or((numbers.len() == 1 && others.len() == 1).then(|| numbers[0]));
        if options.weight_threshold.is_some() {
            // Whatever one column more than the nodes holds is the weight that is asked for.
            weight = found.or((others.len() == 1).then(|| others[0]));
            if weight.is_none() {
                let found = "a weight threshold is set, but there is no column of weights";
                return Err(bad(found.into())
                    .next("Remove the threshold, or name the column: --weight-column.")
                    .into());
            }
        } else if let Some(i) = found {
            let how = "--weight-threshold keeps edges by weight";
            remarks.push(format!("{}: the weights in {} are ignored; {how}", table.name(), name(i)));
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
    Ok(Roles { ends, weight, threshold: options.weight_threshold, floats: false })
}

/// The two columns of nodes where none is named.
fn guessed_ends(
    table: &Table<'_>,
    head: &Head<'_>,
    weight: Option<usize>,
    weighted: bool,
) -> Result<[usize; 2], Error> {
    if let Some(ends) = head.names().and_then(known_ends) {
        return Ok(ends);
    }
    let bad = |found: String| table.bad(head.row.line, found).allowed("an edge is two nodes");
    let named = head.names();
    let index = |i: usize| named.is_some_and(|names| is_index_word(&names[i]));
    let free: Vec<usize> = (0..table.width).filter(|&i| Some(i) != weight && !index(i)).collect();
    let which = "Say which columns hold the nodes: --source-column 1 --target-column 2, by name or number.";
    match free[..] {
        [a, b] => Ok([a, b]),
        [a, b, c] if table.width == 3 && (weighted || holds_attributes(table, head, c)) => Ok([a, b]),
        [a, b, c] if table.width == 3 && holds_weights(table, head, c) => {
            if named.is_none() && counts_up(table) && is_whole_column(table, c) {
                let found = "three columns of whole numbers, the first of which counts up";
                return Err(bad(found.into()).next(which).into());
            }
            Ok([a, b])
        }
        [_, b, c] if table.width == 3 && named.is_none() && counts_up(table) => Ok([b, c]),
        [_, _, _] => {
            let found = format!("a third column that is no weight: {}", shortened_list(&head.words));
            Err(bad(found).next(which).into())
        }
        [_] => {
            let next = "Keep the two columns that name the nodes, separated by commas, tabs, semicolons or spaces.";
            Err(bad(format!("{} columns: {}", table.width, shortened_list(&head.words))).next(next).into())
        }
        _ => Err(bad(format!("{} columns: {}", table.width, shortened_list(&head.words))).next(which).into()),
    }
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
fn holds_weights(table: &Table<'_>, head: &Head<'_>, column: usize) -> bool {
    let cells = first_cells(table, head, column);
    !cells.is_empty() && cells.iter().all(|cell| is_number(cell) || cell.starts_with("{'weight': "))
}

/// The attributes that NetworkX writes.
fn holds_attributes(table: &Table<'_>, head: &Head<'_>, column: usize) -> bool {
    let cells = first_cells(table, head, column);
    !cells.is_empty() && cells.iter().all(|cell| cell.starts_with('{') && cell.ends_with('}'))
}

/// Empty cells, or empty attributes.
fn holds_nothing(table: &Table<'_>, head: &Head<'_>, column: usize) -> bool {
    first_cells(table, head, column).iter().all(|cell| cell.is_empty() || cell == "{}")
}

fn is_whole_column(table: &Table<'_>, column: usize) -> bool {
    let mut fields = Vec::new();
    table.rows().take(1000).all(|row| table.split(row, &mut fields).is_ok() && is_whole(&fields[column]))
}

/// Whether the first column is 0, 1, 2, … or 1, 2, 3, …
fn counts_up(table: &Table<'_>) -> bool {
    let mut fields = Vec::new();
    let mut first = None;
    let up = table.rows().take(1000).enumerate().all(|(i, row)| {
        let number = table.split(row, &mut fields).ok().and_then(|()| fields[0].parse::<usize>().ok());
        let start = *first.get_or_insert(number.unwrap_or(usize::MAX));
        start <= 1 && number == Some(start + i)
    });
    up && table.rows().nth(2).is_some()
}

/// Reads an edge list whose nodes are known already: `observed` says whether they must be edges of the graph.
pub(super) fn read_truth(
    table: &Table<'_>,
    number: impl Fn(&str) -> Option<u32>,
    graph: &Graph,
    observed: bool,
) -> Result<Vec<(u32, u32)>, Error> {
    let mut found = read(table, &Options::default())?;
    found.settle(table, |name| number(name).is_some())?;
    let mut edges = Vec::with_capacity(found.list.len());
    for &(a, b) in &found.list {
        let pair = [a, b].map(|end| found.names.name(end));
        let line = || row_of(table, pair, &found.roles);
        if let Some(stranger) = pair.iter().find(|name| number(name).is_none()) {
            let bad = table.bad(line(), format!("node {stranger:?} is not in the graph"));
            return Err(bad.allowed("only its nodes can be joined").next("Are all files from one folder?").into());
        }
        let [a, b] = pair.map(|name| number(name).expect("known, as checked above"));
        if a == b || graph.has_edge(a, b) != observed {
            let is = if observed { "not in" } else { "in" };
            let bad = table.bad(line(), format!("the edge {:?}–{:?} is {is} the edge list", pair[0], pair[1]));
            let allowed = "spurious edges are in the edge list, missing edges are not";
            return Err(bad.allowed(allowed).next("Are all files from one folder?").into());
        }
        edges.push((a.min(b), a.max(b)));
    }
    edges.sort_unstable();
    edges.dedup();
    Ok(edges)
}

/// The line of an edge.
fn row_of(table: &Table<'_>, pair: [&str; 2], roles: &Roles) -> usize {
    let mut fields = Vec::new();
    let mut rows = table.rows();
    let found = rows.find(|&row| {
        table.split(row, &mut fields).is_ok() && roles.ends.iter().zip(pair).all(|(&end, name)| fields[end] == name)
    });
    found.map_or(0, |row| row.line)
}

/// The line of the first row that has `name` at one of its ends.
pub(super) fn line_of(table: &Table<'_>, edges: &Edges<'_>, name: &str) -> usize {
    let Roles { ends, floats, .. } = edges.roles;
    let is = |field: &str| field == name || (floats && chunks::whole(field).is_some_and(|whole| whole == name));
    let mut fields = Vec::new();
    let found =
        table.rows().find(|&row| table.split(row, &mut fields).is_ok() && ends.iter().any(|&end| is(&fields[end])));
    found.map_or(0, |row| row.line)
}
