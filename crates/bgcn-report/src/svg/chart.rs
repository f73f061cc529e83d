//! Charts of a page: a frame with axes, and lines, bars and dots in it.

use super::{Anchor, Drawing, Shape, Text};

const WIDTH: f64 = 396.0;
const HEIGHT: f64 = 270.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;

/// What an axis measures, its range, and where it is marked.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    label: &'static str,
    low: f64,
    high: f64,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// From `low` to 1, in percent.
    pub fn share(label: &'static str, low: f64) -> Self {
        let step = if low >= 0.5 { 0.1 } else { 0.2 };
        let ticks = (0..=10).map(|i| f64::from(i) * step).filter(|t| (low - 1e-9..=1.0 + 1e-9).contains(t));
        Self { label, low, high: 1.0, ticks: ticks.map(|t| (t, format!("{:.0} %", 100.0 * t))).collect() }
    }

    /// Numbers from `low` to `high`, marked at round values.
    pub fn numbers(label: &'static str, low: f64, high: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        let rough = (high - low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough).unwrap_or(rough);
        let digits = (-step.log10().floor()).max(0.0) as usize;
        let first = (low / step).ceil() as i64;
        let ticks = (first..first + 12).map(|i| i as f64 * step).filter(|t| *t <= high + 1e-9 * step);
        Self { label, low, high, ticks: ticks.map(|t| (t, format!("{t:.digits$}"))).collect() }
    }

    /// Shares from 0 to `high`, in percent at round values.
    pub fn share_up_to(label: &'static str, high: f64) -> Self {
        let percent = Self::numbers(label, 0.0, 100.0 * high);
        let ticks = percent.ticks.into_iter().map(|(t, text)| (t / 100.0, format!("{text} %")));
        Self { label, low: 0.0, high: percent.high / 100.0, ticks: ticks.collect() }
    }

    /// Named positions 0.5, 1.5, …
    pub fn names(label: &'static str, names: &[String]) -> Self {
        let ticks = names.iter().enumerate().map(|(i, name)| (i as f64 + 0.5, name.clone())).collect();
        Self { label, low: 0.0, high: names.len().max(1) as f64, ticks }
    }

    fn place(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }
}

/// A chart under construction. Points outside the range stay on its edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    x: Axis,
    y: Axis,
    shapes: Vec<Shape>,
}

impl Chart {
    /// An empty frame.
    pub fn new(x: Axis, y: Axis) -> Self {
        let (left, right, top, bottom) = (LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM);
        let mut chart = Self { x, y, shapes: Vec::new() };
        let mut shapes = Vec::new();
        for (value, text) in &chart.y.ticks {
            let [_, y] = chart.at((chart.x.low, *value));
            shapes.push(Shape::line([[left, y], [right, y]], "grid"));
            shapes.push(Shape::Text(Text::of_page([left - 6.0, y + 4.0], Anchor::End, "", text)));
        }
        for (value, text) in &chart.x.ticks {
            let [x, _] = chart.at((*value, chart.y.low));
            shapes.push(Shape::Text(Text::of_page([x, bottom + 16.0], Anchor::Middle, "", text)));
        }
        let (below, beside) = ([(left + right) / 2.0, HEIGHT - 8.0], [13.0, (top + bottom) / 2.0]);
        shapes.push(Shape::line([[left, bottom], [right, bottom]], "axis"));
        shapes.push(Shape::Text(Text::of_page(below, Anchor::Middle, "name", chart.x.label)));
        shapes.push(Shape::Text(Text::of_page(beside, Anchor::Middle, "name", chart.y.label).upwards()));
        chart.shapes = shapes;
        chart
    }

    fn at(&self, (x, y): (f64, f64)) -> [f64; 2] {
        [LEFT + self.x.place(x) * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - self.y.place(y) * (HEIGHT - TOP - BOTTOM)]
    }

    /// A line through points.
    pub fn line(mut self, points: &[(f64, f64)], class: &str) -> Self {
        let points: Vec<[f64; 2]> = points.iter().map(|&point| self.at(point)).collect();
        self.shapes.push(Shape::line(points, class));
        self
    }

    /// A dot at each point.
    pub fn dots(mut self, points: &[(f64, f64)], radius: f64, class: &str) -> Self {
        let dots: Vec<Shape> = points.iter().map(|&point| Shape::circle(self.at(point), radius, class)).collect();
        self.shapes.extend(dots);
        self
    }

    /// A bar over [x0, x1] from `low` to `high`.
    pub fn bar(mut self, [x0, x1]: [f64; 2], [low, high]: [f64; 2], class: &str) -> Self {
        let corners = [self.at((x0, high)), self.at((x1, low))];
        self.shapes.push(Shape::rectangle(corners, class));
        self
    }

    /// The finished chart; `alt` puts into words what it shows.
    pub fn finish(self, alt: impl Into<String>) -> Drawing {
        Drawing { size: [WIDTH, HEIGHT], alt: alt.into(), shapes: self.shapes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        let chart = Chart::new(Axis::names("x", &["<b>".into()]), Axis::share("y", 0.0)).finish("\"<i>\"").inline();
        assert!(!chart.contains("<b>") && !chart.contains("<i>"));
    }

    #[test]
    fn ticks_are_round_and_inside_the_range() {
        let axis = Axis::numbers("x", -3.7, 41.0);
        let texts: Vec<&str> = axis.ticks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["0", "10", "20", "30", "40"]);
        assert_eq!(Axis::numbers("x", 2.0, 2.0).high, 3.0);
        let share = Axis::share_up_to("x", 0.04);
        assert_eq!((share.high, share.ticks.len(), &share.ticks[4]), (0.04, 5, &(0.04, "4 %".to_owned())));
        assert!(Axis::share("y", 0.5).ticks.iter().all(|(t, _)| *t >= 0.5 - 1e-9));
    }

    #[test]
    fn points_outside_the_range_stay_on_the_edge() {
        let chart = Chart::new(Axis::share("x", 0.0), Axis::share("y", 0.0)).line(&[(2.0, -1.0)], "ours");
        assert!(chart.finish("").inline().contains(r#"points="372.0,224.0""#));
    }
}
