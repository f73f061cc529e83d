//! The reasons of an edge, shortened: `average edge -3.12; share no word +1.90; …` becomes `share no word, …`.

use bgcn_core::links::{Reason, Reasons};

/// The reasons that agree with the sign of the log-odds, the strongest first, as many as fit.
pub fn shortened(reasons: &Reasons, room: usize) -> String {
    let sum: f64 = reasons.list.iter().map(|reason| reason.term).sum();
    // Terms of the other sign are reasons against; without a term there is nothing to add.
    let agrees = |reason: &&Reason| reason.term == 0.0 || reason.term * sum > 0.0;
    let mut words = reasons.list.iter().filter(agrees).map(|reason| reason.words.as_str());
    let Some(first) = words.next() else { return String::new() };
    if first.chars().count() > room {
        return cut(first, room);
    }
    let mut text = first.to_owned();
    for words in words {
        if text.chars().count() + 2 + words.chars().count() > room {
            break;
        }
        text += ", ";
        text += words;
    }
    text
}

/// The first words, and a sign that there are more; a single word is cut inside.
fn cut(text: &str, room: usize) -> String {
    let short: String = text.chars().take(room.saturating_sub(1)).collect();
    let whole = short.rsplit_once(' ').map_or(short.as_str(), |(words, _)| words);
    format!("{whole}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_cut_between_words() {
        assert_eq!(cut("share no word", 10), "share no…");
        assert_eq!(cut("incomprehensible", 6), "incom…");
    }
}
