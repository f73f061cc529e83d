//! Whether a cell is a date or a time of day: `2024-01-31 12:00`, `31.1.2024`, `1/31/24`, `Jan 5, 2024`, `12:30:00`.

/// Whether a text is a date, a time of day, or both.
pub(super) fn is_time(cell: &str) -> bool {
    cell.len() <= 40 && (by_numbers(cell) || by_month(cell))
}

/// Whether a whole number is a day as 20240131.
pub(super) fn is_day_number(number: f64) -> bool {
    let number = if (0.0..1e8).contains(&number) { number as u32 } else { 0 };
    is_year(number / 10_000) && is_month(number / 100 % 100) && is_day(number % 100)
}

/// Whether a whole number is a moment in the years 1980 to 2100, counted from 1970 with so many units in a second;
/// seconds are whole minutes then, as amounts of money are not.
pub(super) fn is_moment(number: f64, unit: f64) -> bool {
    let seconds = number / unit;
    (3.155e8..4.103e9).contains(&seconds) && (unit > 1.0 || number % 60.0 == 0.0)
}

fn is_year(number: u32) -> bool {
    (1800..=2200).contains(&number)
}

fn is_month(number: u32) -> bool {
    (1..=12).contains(&number)
}

fn is_day(number: u32) -> bool {
    (1..=31).contains(&number)
}

/// Numbers with `-`, `/` or `.` between them, then perhaps a time of day; or a time of day alone.
fn by_numbers(cell: &str) -> bool {
    let (date, rest) = match cell.find([' ', 'T']) {
        Some(at) => (&cell[..at], Some(&cell[at + 1..])),
        None => (cell, None),
    };
    match rest {
        None => is_date(date) || is_clock(date),
        Some(rest) => (is_date(date) && is_clock(rest)) || is_clock(cell),
    }
}

/// Year, month and day in any usual order; or year and month as `2024-01`.
fn is_date(text: &str) -> bool {
    let Some(sign) = text.chars().find(|c| !c.is_ascii_digit()).filter(|c| "-/.".contains(*c)) else { return false };
    let parts: Vec<&str> = text.split(sign).collect();
    if !parts.iter().all(|part| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())) {
        return false;
    }
    let numbers: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let of_day = |a, b| (is_month(a) && is_day(b)) || (is_day(a) && is_month(b));
    match (&numbers[..], parts[0].len(), parts.last().map_or(0, |part| part.len())) {
        (&[year, month, day], 4, 1..=2) => is_year(year) && of_day(month, day),
        (&[a, b, year], 1..=2, 4) => is_year(year) && of_day(a, b),
        // Two digits of a year, but not the three numbers of a version such as 1.2.3.
        (&[a, b, _], 1..=2, 2) => sign != '.' && of_day(a, b),
        (&[year, month], 4, 2) => sign == '-' && is_year(year) && is_month(month),
        _ => false,
    }
}

/// Hours and minutes, perhaps seconds, a fraction, am or pm, and a zone.
fn is_clock(text: &str) -> bool {
    let text = text.trim_ascii();
    let end = text.find(|c: char| !c.is_ascii_digit() && !":.".contains(c)).unwrap_or(text.len());
    let (clock, zone) = text.split_at(end);
    let mut parts = clock.split(':');
    let two = |part: &str, below: u32| {
        (1..=2).contains(&part.len()) && part.parse::<u32>().is_ok_and(|number| number < below)
    };
    let hours = parts.next().is_some_and(|hours| two(hours, 25));
    let minutes = parts.next().is_some_and(|minutes| minutes.len() == 2 && two(minutes, 60));
    let seconds = parts.next().is_none_or(|seconds| two(seconds.split('.').next().unwrap_or(""), 61));
    let zone = zone.trim_ascii().trim_start_matches(['+', '-']);
    let is_zone = zone.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
        || (zone.len() <= 4 && zone.bytes().all(|byte| byte.is_ascii_alphabetic()));
    hours && minutes && seconds && parts.next().is_none() && is_zone
}

/// A month by its name beside a day or a year, and nothing but parts of a date.
fn by_month(cell: &str) -> bool {
    const MONTHS: &str = "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july \
                          august september october november december";
    const DAYS: &str = "mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday";
    const OTHERS: &str = "am pm gmt utc z t st nd rd th of at cet cest est edt cst cdt mst mdt pst pdt";
    let lower = cell.to_ascii_lowercase();
    let has = |list: &str, word: &str| list.split_ascii_whitespace().any(|own| own == word);
    let (mut months, mut numbers) = (0, 0);
    for word in lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let letters = &word[digits..];
        numbers += usize::from(digits > 0);
        months += usize::from(has(MONTHS, letters));
        let known = has(MONTHS, letters) || has(DAYS, letters) || has(OTHERS, letters);
        if digits > 4 || !(letters.is_empty() || known) {
            return false;
        }
    }
    months == 1 && numbers > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_told_from_codes_and_versions() {
        for time in [
            "2024-01-31",
            "2024/1/31",
            "31.01.2024",
            "1/31/24",
            "31-12-1999",
            "2024-01",
            "2024-01-31T12:00:00Z",
            "2024-01-31 12:00:00.123456",
            "2024-01-31 12:00:00+02:00",
            "31/12/2023 7:05 PM",
            "12:30",
            "07:05:59",
            "7:05 pm",
            "Jan 5, 2024",
            "5 January 2024",
            "05-Jan-24",
            "Mon, 05 Jan 2024 10:00:00 GMT",
            "Mon Jan  5 10:00:00 2024",
            "March 2021",
            "5th of May 2020",
        ] {
            assert!(is_time(time), "{time}");
        }
        for other in [
            "",
            "2024",
            "1.2.3",
            "10.0.0.1",
            "1-2",
            "12-34-56-78",
            "31.13.2024",
            "99:99",
            "may",
            "Jan",
            "A-12",
            "1:2:3:4",
            "5 Main Street",
            "mar-a-lago 5",
            "2024-13-40",
            "x 2024-01-01",
            "555-1234",
            "3/4",
            "1.5",
        ] {
            assert!(!is_time(other), "{other}");
        }
        assert!(is_day_number(20_240_131.0) && !is_day_number(20_241_331.0) && !is_day_number(73_045_350.0));
        assert!(!is_day_number(-20_240_131.0) && !is_day_number(f64::NAN));
    }
}
