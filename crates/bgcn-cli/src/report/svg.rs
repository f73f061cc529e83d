//! Charts as inline SVG: a frame with axes, and lines, bars and dots in it. Colours are classes of the page's style sheet.

use std::fmt::Write as _;

const WIDTH: f64 = 396.0;
const HEIGHT: f64 = 270.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;

/// Text that is safe inside elements and attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            other => out.push(other),
        }
    }
    out
}

/// What an axis measures, its range, and where it is marked.
pub struct Axis {
    pub label: &'static str,
    pub low: f64,
    pub high: f64,
    pub ticks: Vec<(f64, String)>,
}

impl Axis {
    /// From 0 to 1, in percent.
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

/// A chart under construction.
pub struct Chart {
    x: Axis,
    y: Axis,
    body: String,
}

impl Chart {
    pub fn new(x: Axis, y: Axis) -> Self {
        let mut chart = Self { x, y, body: String::new() };
        let (left, right, top, bottom) = (LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM);
        let mut marks = String::new();
        for (value, text) in &chart.y.ticks {
            let y = chart.at_y(*value);
            let _ = write!(
                marks,
                r#"<line class="grid" x1="{left}" x2="{right}" y1="{y:.1}" y2="{y:.1}"/><text x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"#,
                left - 6.0,
                y + 4.0,
                escape(text)
            );
        }
        for (value, text) in &chart.x.ticks {
            let x = chart.at_x(*value);
            let text = escape(text);
            let _ = write!(marks, r#"<text x="{x:.1}" y="{:.1}" text-anchor="middle">{text}</text>"#, bottom + 16.0);
        }
        let (middle_x, middle_y) = ((left + right) / 2.0, (top + bottom) / 2.0);
        let _ = write!(
            marks,
            r#"<line class="axis" x1="{left}" x2="{right}" y1="{bottom}" y2="{bottom}"/><text class="name" x="{middle_x}" y="{:.1}" text-anchor="middle">{}</text><text class="name" transform="rotate(-90 13 {middle_y})" x="13" y="{middle_y}" text-anchor="middle">{}</text>"#,
            HEIGHT - 8.0,
            escape(chart.x.label),
            escape(chart.y.label)
        );
        chart.body = marks;
        chart
    }

    fn at_x(&self, value: f64) -> f64 {
        LEFT + self.x.place(value) * (WIDTH - LEFT - RIGHT)
    }

    fn at_y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.place(value) * (HEIGHT - TOP - BOTTOM)
    }

    pub fn line(mut self, points: &[(f64, f64)], class: &str) -> Self {
        let mut path = String::new();
        for &(x, y) in points {
            let _ = write!(path, "{:.1},{:.1} ", self.at_x(x), self.at_y(y));
        }
        let _ = write!(self.body, r#"<polyline class="{class}" points="{}"/>"#, path.trim_end());
        self
    }

    pub fn dots(mut self, points: &[(f64, f64)], radius: f64, class: &str) -> Self {
        for &(x, y) in points {
            let (x, y) = (self.at_x(x), self.at_y(y));
            let _ = write!(self.body, r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/>"#);
        }
        self
    }

    /// A bar over [x0, x1] from `low` to `high`.
    pub fn bar(mut self, [x0, x1]: [f64; 2], [low, high]: [f64; 2], class: &str) -> Self {
        let (x, y) = (self.at_x(x0), self.at_y(high));
        let (width, height) = (self.at_x(x1) - x, self.at_y(low) - y);
        let _ = write!(
            self.body,
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"/>"#
        );
        self
    }

    /// The finished chart; `alt` says in words what it shows.
    pub fn finish(self, alt: &str) -> String {
        wrap([WIDTH, HEIGHT], alt, &self.body)
    }
}

/// An SVG element that scales with the page and says what it shows.
pub fn wrap([width, height]: [f64; 2], alt: &str, body: &str) -> String {
    let alt = escape(alt);
    format!(r#"<svg viewBox="0 0 {width} {height}" role="img" aria-label="{alt}"><title>{alt}</title>{body}</svg>"#)
}

/// A chart with its caption; `caption` is HTML.
pub fn figure(svg: &str, title: &str, caption: &str) -> String {
    format!("<figure>{svg}<figcaption><b>{}.</b> {caption}</figcaption></figure>\n", escape(title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        assert_eq!(escape("<a href='x'>&\"</a>"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;&lt;/a&gt;");
        let chart = Chart::new(Axis::names("x", &["<b>".into()]), Axis::share("y", 0.0)).finish("\"<i>\"");
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
        let chart = Chart::new(Axis::share("x", 0.0), Axis::share("y", 0.0)).line(&[(2.0, -1.0)], "ours").finish("");
        assert!(chart.contains(r#"points="372.0,224.0""#), "{chart}");
    }
}
