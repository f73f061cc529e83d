//! Whole numbers that name things, and so are no features. They are
//! * all different below a word such as `account_id`,
//! * of ten digits and more, unless most are round,
//! * the numbers of the rows, from 0 or 1 and in order,
//! * days such as 20240131, and moments counted from 1970, in whole minutes where they are seconds,
//! * all different and far from zero: their range is smaller than their size (100,000 and more, or serial numbers from
//!   10,000), or they have eight digits and are alike in size, as amounts of money are not.
//!
//! Whole numbers near zero are counts or measurements, also where all differ.

use super::header::is_id_word;
use super::survey::Why;
use super::times::{is_day_number, is_moment};

/// Share of the numbers from which nearly all differ, or are long.
const MOST: f64 = 0.95;

/// Rows from which the sizes of numbers say something.
const ROWS: usize = 10;

/// Units of moments in a second.
const UNITS: [f64; 4] = [1.0, 1e3, 1e6, 1e9];

/// The whole numbers of a column.
pub(super) struct Wholes {
    /// Those that differ, in order, as far as 64 bits hold them.
    pub(super) sorted: Vec<f64>,
    /// Cells, and how many of them differ.
    pub(super) numbers: usize,
    pub(super) different: usize,
    /// Cells of ten digits and more, and multiples of 100.
    pub(super) long: usize,
    pub(super) round: usize,
    /// Whether they are 0, 1, 2, … or 1, 2, 3, … in every row, in this order.
    pub(super) counting: bool,
}

impl Wholes {
    /// Why they are no feature, where they name things; `name`: that of the column.
    pub(super) fn why(&self, name: &str) -> Option<Why> {
        let most = |part: usize| part as f64 >= MOST * self.numbers as f64;
        let is_round = 2 * self.round >= self.numbers;
        if self.counting && self.numbers >= ROWS {
            return Some(Why::Rows);
        }
        if self.numbers < 3 {
            return None;
        }
        // No amounts are beyond 2^53, which `sorted` does not hold.
        if most(self.long) && (!is_round || self.sorted.is_empty()) {
            return Some(Why::Long);
        }
        let all = |is: &dyn Fn(f64) -> bool| self.sorted.iter().all(|&number| is(number));
        let are_moments = self.sorted.len() >= ROWS && UNITS.iter().any(|&unit| all(&|number| is_moment(number, unit)));
        if are_moments || self.sorted.len() > 2 && all(&is_day_number) {
            return Some(Why::Times);
        }
        let are_ids = is_id_word(name) || (!is_round && self.numbers >= ROWS && self.is_far_from_zero());
        (most(self.different) && are_ids).then_some(Why::Ids)
    }

    /// Whether their range is smaller than their size, or they are long and alike in size.
    fn is_far_from_zero(&self) -> bool {
        let count = self.sorted.len();
        let at =
            |share: f64| self.sorted.get((share * count.saturating_sub(1) as f64) as usize).copied().unwrap_or(0.0);
        let (low, middle, high) = (at(0.05), at(0.5), at(0.95));
        let narrow = high - low < low;
        // Draws from this range would repeat about so often.
        let repeats = (count as f64).powi(2) / (2.0 * (high - low + 1.0));
        let serial = low >= 1e4 && repeats >= 10.0;
        (narrow && (low >= 1e5 || serial)) || (middle >= 1e7 && high < 10.0 * middle && middle < 10.0 * low)
    }
}

#[cfg(test)]
mod tests {
    use super::super::survey::Kind;
    use super::super::survey::tests::kind;
    use super::*;

    /// Numbers spread as by chance, always the same ones.
    fn spread(count: usize, low: u64, high: u64) -> impl Iterator<Item = u64> {
        (1..=count as u64).map(move |i| low + i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % (high - low))
    }

    #[test]
    fn numbers_that_name_things_are_no_features() {
        let ids =
            |name: &str, numbers: &mut dyn Iterator<Item = u64>| kind(name, numbers.map(|number| number.to_string()));
        let left = |why| Kind::LeftOut(why);
        assert_eq!(ids("id", &mut spread(500, 1, 1 << 20)), left(Why::Ids));
        assert_eq!(ids("parent_id", &mut (0..9)), left(Why::Ids));
        assert_eq!(ids("account", &mut spread(500, 23_000_000, 170_000_000)), left(Why::Ids));
        assert_eq!(ids("number", &mut (10_001..10_801)), left(Why::Ids));
        assert_eq!(ids("patient", &mut spread(60, 400_000, 500_000)), left(Why::Ids));
        assert_eq!(ids("phone", &mut spread(60, 4_900_000_001, 4_999_999_999)), left(Why::Long));
        assert_eq!(ids("seen", &mut spread(60, 1_600_000_000, 1_700_000_000)), left(Why::Long));
        assert_eq!(ids("big", &mut (0..9).map(|i| (1 << 62) + i)), left(Why::Long));
        assert_eq!(ids("day", &mut (20_240_101..20_240_131)), left(Why::Times));
        assert_eq!(ids("nr", &mut (1..31)), left(Why::Rows));
        let days = |unit: u64| (18_000..18_060).map(move |day| day * 86_400 * unit);
        assert_eq!(ids("joined", &mut days(1)), left(Why::Times));
        assert_eq!(ids("joined", &mut days(1000)), left(Why::Times));
        assert_eq!(ids("joined", &mut days(1_000_000)), left(Why::Times));
        assert_eq!(ids("joined", &mut days(1_000_000_000)), left(Why::Long));
    }

    #[test]
    fn counts_and_measurements_are_features_also_where_all_differ() {
        let numbers = |numbers: &mut dyn Iterator<Item = u64>| kind("x", numbers.map(|number| number.to_string()));
        assert_eq!(numbers(&mut (0..60).rev()), Kind::Numbers, "ages");
        assert_eq!(numbers(&mut (1970..2020)), Kind::Numbers, "years");
        assert_eq!(numbers(&mut spread(800, 12_000, 300_000)), Kind::Numbers, "incomes");
        // Amounts spread over orders of magnitude, or round.
        assert_eq!(numbers(&mut (0..300).map(|i| 1_000_003 * (1 + i * i * i / 40))), Kind::Numbers, "revenues");
        assert_eq!(
            numbers(&mut (1..90).map(|i| 12_500_000_000 + 310_000_000 * i)),
            Kind::Numbers,
            "values of companies"
        );
        assert_eq!(numbers(&mut (5..90).map(|i| 100_000_000 * i)), Kind::Numbers, "budgets");
        assert_eq!(kind("x", (0..50).map(|i| format!("{}.5", 1_000_000_000u64 + i))), Kind::Numbers, "measured");
        assert_eq!(kind("id", ["7", "9"].map(String::from)), Kind::Numbers, "two numbers say nothing");
    }
}
