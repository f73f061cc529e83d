//! Numbers for people, and names that do no harm.

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

/// Text with its control characters spelled out, so that names in files cannot steer a terminal: escape sequences, the
/// second set of controls, and marks that turn the direction of writing. Line breaks and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    let steers = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match steers(c) {
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
    fn no_probability_looks_certain() {
        assert_eq!([0.0, 0.25, 0.9994, 0.999_999].map(probability), ["< 0.001", "0.250", "0.999", "> 0.999"]);
    }
}
