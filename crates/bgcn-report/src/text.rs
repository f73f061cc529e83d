//! Numbers, lists and names as text.

use bgcn_core::links::at_rate;
use std::borrow::Cow;

/// 1234567 as 1,234,567.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Seconds as seconds, minutes or hours.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// A share in percent, kept on one line.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}\u{a0}%", 100.0 * share)
}

/// A probability with three digits; none is shown as 0 or 1.
pub fn probability(p: f64) -> String {
    match p {
        p if p < 0.0005 => "< 0.001".into(),
        p if p >= 0.9995 => "> 0.999".into(),
        p => format!("{p:.3}"),
    }
}

/// An id, and the text beside it in at most so many characters.
pub fn with_name(id: &str, name: &str, most: usize) -> String {
    if name.is_empty() || name == id {
        return id.to_owned();
    }
    match name.chars().count() > most {
        true => format!("{id} ({}…)", name.chars().take(most - 1).collect::<String>().trim_end()),
        false => format!("{id} ({name})"),
    }
}

/// The longest list of suspicious edges at a false discovery rate; or that no list reaches it, and the best there is.
/// `lists` has (rate, edges), both ascending.
pub fn fdr_list(lists: &[(f64, usize)], rate: f64) -> String {
    let edges = |count: usize| format!("{} {}", grouped(count), if count == 1 { "edge" } else { "edges" });
    let shown = rate_up(rate);
    match (at_rate(lists, rate), lists.first()) {
        (0, Some(&(least, count))) => {
            format!("no list reaches {shown} FDR; the best has {} at {}", edges(count), rate_up(least))
        }
        (0, None) => format!("no list reaches {shown} FDR; there are too few edges to learn from decoys"),
        (count, _) => format!("{} at a false discovery rate of {shown}", edges(count)),
    }
}

/// Rounded up, so that the rate that is named gives a list.
fn rate_up(rate: f64) -> String {
    let digits = if rate > 0.99 { 2 } else { 0 };
    let up = 100.0 * 10f64.powi(digits);
    let rounded = ((rate * up - 1e-9).ceil() / up).min(1.0);
    format!("{:.*} %", digits as usize, 100.0 * rounded)
}

/// Text with its control characters escaped, so that names in files cannot control a terminal: escape sequences, the
/// second set of controls, and marks of writing direction. Line breaks and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    let controls = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(controls) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match controls(c) {
            true => out.extend(c.escape_unicode()),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_in_threes() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn durations_are_in_the_unit_that_suits_them() {
        assert_eq!([1.0, 600.0, 7200.0].map(duration), ["1.0 s", "10 min", "2.0 h"]);
    }

    #[test]
    fn a_list_has_edges_at_a_rate_or_the_best_there_is() {
        let lists = [(0.122, 1), (0.2, 1200)];
        assert_eq!(fdr_list(&lists, 0.2), "1,200 edges at a false discovery rate of 20 %");
        assert_eq!(fdr_list(&lists, 0.1), "no list reaches 10 % FDR; the best has 1 edge at 13 %");
        assert!(fdr_list(&[], 0.1).ends_with("too few edges to learn from decoys"));
    }

    #[test]
    fn names_stand_beside_ids_and_long_ones_are_cut() {
        let shown = |name: &str| with_name("7", name, 8);
        assert_eq!(["", "7", "Bob", "Zoë & Sons"].map(shown), ["7", "7", "7 (Bob)", "7 (Zoë & S…)"]);
    }

    #[test]
    fn no_probability_looks_certain() {
        assert_eq!([0.0, 0.25, 0.9994, 0.999_999].map(probability), ["< 0.001", "0.250", "0.999", "> 0.999"]);
    }
}
