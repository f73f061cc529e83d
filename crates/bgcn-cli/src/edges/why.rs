//! The reasons of an edge, shortened: `average edge -3.12; share no word +1.90; …` becomes `share no word, …`.

/// The words of what moves an edge away from the average one, the strongest first, as far as there is room for them.
pub fn shortened(reasons: &str, room: usize) -> String {
    let reasons = parsed(reasons);
    let sum: f64 = reasons.iter().filter_map(|(_, term)| *term).sum();
    // Terms of the other sign are reasons against.
    let mut told = reasons.iter().filter(|(_, term)| term.is_none_or(|term| term * sum > 0.0)).map(|(words, _)| *words);
    let Some(first) = told.next() else { return String::new() };
    if first.chars().count() > room {
        return cut(first, room);
    }
    let mut text = first.to_owned();
    for words in told {
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

/// Words and terms without the first, which is the average edge. Words may hold semicolons: a reason ends with its
/// number, which has decimals, or with the text.
fn parsed(reasons: &str) -> Vec<(&str, Option<f64>)> {
    let mut found = Vec::new();
    let mut start = 0;
    let ends = reasons.match_indices("; ").map(|(at, _)| at).chain([reasons.len()]);
    for end in ends {
        let text = &reasons[start..end];
        let number = text.rsplit_once(' ').filter(|(_, number)| number.starts_with(['+', '-']) && number.contains('.'));
        let number = number.and_then(|(words, number)| Some((words, Some(number.parse().ok()?))));
        match number {
            Some(reason) => found.push(reason),
            None if end == reasons.len() => found.push((text, None)),
            None => continue,
        }
        start = (end + 2).min(reasons.len());
    }
    found.into_iter().skip(1).filter(|(words, _)| !words.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_reasons_that_speak_for_the_sum_are_told() {
        let text = "average edge -3.12; share no word +1.90; 1 common neighbour -0.50; a; b rarely link +0.40";
        assert_eq!(shortened(text, 80), "share no word, a; b rarely link");
        assert_eq!(shortened(text, 20), "share no word");
        assert_eq!(shortened(text, 10), "share no…");
        assert_eq!(shortened("average edge -3.12; both x -2.00; share no word +0.10", 80), "both x");
        assert_eq!(shortened("all edges -2.20; insufficient evidence: why", 80), "insufficient evidence: why");
        assert_eq!(shortened("average edge -3.12; 7: 2 +1; 9: 1 -1 +0.40", 80), "7: 2 +1; 9: 1 -1");
        assert_eq!(shortened("average edge -3.12", 80), "");
    }
}
