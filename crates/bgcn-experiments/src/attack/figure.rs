//! The paper's figure: box plots of the margins before and after the attack, one circle per target.
//! Differs: the circles stand beside their box, none over another; accuracies are written below.
//!
//! Methods differ in place, name, and filling (every second one is hatched), not in colour alone.

use super::{MethodResult, Results, Scores};
use bgcn_report::svg::{Anchor, Colour, Drawing, Look, Pen, Shape, Text};

const LEFT: f64 = 64.0;
const RIGHT: f64 = 54.0;
const TOP: f64 = 50.0;
const PLOT: f64 = 330.0;
const BELOW: f64 = 122.0;
/// Of one box with its circles, at least; few methods get wider ones, so that the legend has room.
const COLUMN: f64 = 130.0;
const NARROWEST: f64 = 4.0 * COLUMN;
const RADIUS: f64 = 2.9;
const GREY: Colour = Colour(0x5F5F5F);
/// Distinct for people with any kind of colour vision (Okabe and Ito).
const COLOURS: [Colour; 4] = [Colour(0xD55E00), Colour(0x0072B2), Colour(0x009E73), Colour(0xA4508B)];

/// The whole figure.
pub(super) fn draw(results: &Results) -> Drawing {
    let count = results.methods.len() as f64;
    let column = COLUMN.max(NARROWEST / (2.0 * count));
    let right = LEFT + 2.0 * count * column;
    let mut shapes = frame(results, right);
    for (i, method) in results.methods.iter().enumerate() {
        let style = Style { colour: COLOURS[i % COLOURS.len()], hatched: i % 2 == 1 };
        let start = LEFT + 2.0 * i as f64 * column;
        let attacked: Vec<f64> = method.targets.iter().map(|target| target.attacked_margin).collect();
        let clean: Vec<f64> = method.targets.iter().map(|target| target.clean_margin).collect();
        let both = [("no attack", &method.clean, clean), ("attacked", &method.attacked, attacked)];
        for (j, (label, scores, margins)) in both.into_iter().enumerate() {
            let middle = start + (j as f64 + 0.5) * column;
            shapes.extend(style.column(middle, scores, &margins));
            let text = |below: f64, colour, text: String| {
                Shape::Text(Text::new([middle, TOP + PLOT + below], Anchor::Middle, 12.0, text).coloured(colour))
            };
            shapes.push(text(20.0, Colour::BLACK, label.into()));
            shapes.push(text(37.0, GREY, format!("{:.1} % right", scores.accuracy.mean)));
        }
        shapes.extend(style.name(method, [start, start + 2.0 * column]));
    }
    shapes.extend(legend((LEFT + right) / 2.0));
    Drawing { size: [right + RIGHT, TOP + PLOT + BELOW], alt: words(results), shapes }
}

/// Where a margin is drawn.
fn height(margin: f64) -> f64 {
    TOP + PLOT * (1.0 - margin) / 2.0
}

/// Title, axis, grid, and which side of zero is which.
fn frame(results: &Results, right: f64) -> Vec<Shape> {
    let title = format!("{}: margins before and after {}", results.dataset, results.attack.phrase());
    let mut shapes = vec![Shape::Text(Text::new([(LEFT + right) / 2.0, 27.0], Anchor::Middle, 15.0, title).bold())];
    for tick in -2..=2 {
        let margin = f64::from(tick) / 2.0;
        let y = height(margin);
        let pen = match tick {
            0 => Pen::new(Colour(0x303030), 1.2),
            _ => Pen::new(Colour(0xDDDDDD), 1.0),
        };
        shapes.push(Shape::line([[LEFT, y], [right, y]], pen));
        let label = format!("{margin:.1}").replace('-', "−");
        shapes.push(Shape::Text(Text::new([LEFT - 8.0, y + 4.3], Anchor::End, 12.0, label)));
    }
    let label = "classification margin";
    let middle = Text::new([20.0, height(0.0)], Anchor::Middle, 13.0, label);
    shapes.push(Shape::Text(middle.upwards()));
    for (y, side) in [(height(0.0) - 8.0, "right"), (height(0.0) + 17.0, "wrong")] {
        let text = Text::new([right + 8.0, y], Anchor::Start, 12.0, side);
        shapes.push(Shape::Text(text.coloured(GREY)));
    }
    shapes
}

/// How a method is drawn.
struct Style {
    colour: Colour,
    hatched: bool,
}

impl Style {
    fn pen(&self, width: f64) -> Pen {
        Pen::new(self.colour, width)
    }

    /// A box on the left, circles on the right.
    fn column(&self, middle: f64, scores: &Scores, margins: &[f64]) -> Vec<Shape> {
        let (x, half) = (middle - 34.0, 18.0);
        let spread = &scores.spread;
        let [least, lower, median, upper, greatest, mean] =
            [spread.least, spread.lower, spread.median, spread.upper, spread.greatest, spread.mean].map(height);
        let across = |y: f64, half: f64, width| Shape::line([[x - half, y], [x + half, y]], self.pen(width));
        let mut shapes = vec![
            Shape::line([[x, least], [x, lower]], self.pen(1.4)),
            Shape::line([[x, upper], [x, greatest]], self.pen(1.4)),
            across(least, 9.0, 1.4),
            across(greatest, 9.0, 1.4),
        ];
        let corners = [[x - half, upper], [x + half, lower]];
        shapes.extend(self.filled(corners));
        shapes.push(Shape::line([[x - half, median], [x + half, median]], Pen::new(Colour::BLACK, 2.2)));
        shapes.push(triangle([x, mean]));
        let fill = if self.hatched { self.colour.tint(0.45) } else { Colour::WHITE };
        let circle = |at| Shape::circle(at, RADIUS, Look::filled(fill, self.pen(1.1)));
        let heights: Vec<f64> = margins.iter().map(|&margin| height(margin)).collect();
        shapes.extend(swarm(&heights, 36.0).into_iter().map(|[dx, y]| circle([middle + 26.0 + dx, y])));
        shapes
    }

    /// A rectangle with the method's filling; `hatched` ones have stripes over their tint.
    fn filled(&self, corners: [[f64; 2]; 2]) -> Vec<Shape> {
        let mut shapes = vec![Shape::rectangle(corners, Look::filled(self.colour.tint(0.22), None))];
        if self.hatched {
            shapes.extend(stripes(corners).map(|ends| Shape::line(ends, Pen::new(self.colour.tint(0.55), 1.1))));
        }
        shapes.push(Shape::rectangle(corners, self.pen(1.4)));
        shapes
    }

    /// The method's name below its two columns, in a swatch-and-bracket line of its own.
    fn name(&self, method: &MethodResult, [start, end]: [f64; 2]) -> Vec<Shape> {
        let y = TOP + PLOT + 48.0;
        let label = Text::new([(start + end) / 2.0, y + 18.0], Anchor::Middle, 14.0, method.method.as_str());
        vec![
            Shape::line([[start + 16.0, y], [end - 16.0, y]], self.pen(2.0)),
            Shape::Text(label.bold().coloured(self.colour)),
        ]
    }
}

/// The mark of a mean.
fn triangle([x, y]: [f64; 2]) -> Shape {
    let corners = vec![[x, y - 5.5], [x + 5.2, y + 3.8], [x - 5.2, y + 3.8]];
    Shape::Polygon(corners, Look::filled(Colour::WHITE, Pen::new(Colour::BLACK, 1.2)))
}

/// Lines rising to the right through a rectangle, cut off at its sides.
fn stripes([[x0, y0], [x1, y1]]: [[f64; 2]; 2]) -> impl Iterator<Item = [[f64; 2]; 2]> {
    // On the line x + y = sum.
    let first = ((x0 + y0) / 6.0).ceil() as i64;
    let last = ((x1 + y1) / 6.0).floor() as i64;
    (first..=last).map(move |i| {
        let sum = 6.0 * i as f64;
        let (left, right) = (x0.max(sum - y1), x1.min(sum - y0));
        [[left, sum - left], [right, sum - right]]
    })
}

/// Each circle beside those already placed, as near to the middle as it can be: offsets and heights, in the order
/// given.
fn swarm(heights: &[f64], half: f64) -> Vec<[f64; 2]> {
    let apart = 2.0 * RADIUS + 0.9;
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]));
    let mut placed: Vec<[f64; 2]> = Vec::new();
    let mut at = vec![[0.0; 2]; heights.len()];
    for i in order {
        let y = heights[i];
        let steps = (2.0 * half) as i64;
        let offsets = (0..=steps).map(|k| 0.5 * f64::from((if k % 2 == 1 { k + 1 } else { -k }) as i32));
        let free = |dx: &f64| placed.iter().all(|[px, py]| (px - dx).hypot(py - y) >= apart);
        // A row that is full starts again: circles then overlap.
        let dx = offsets.into_iter().find(free).unwrap_or(half * ((i % 7) as f64 / 3.0 - 1.0));
        placed.push([dx, y]);
        at[i] = [dx, y];
    }
    at
}

/// What the marks mean, in one line.
fn legend(middle: f64) -> Vec<Shape> {
    let y = TOP + PLOT + 98.0;
    let pen = Pen::new(GREY, 1.3);
    let mut shapes = Vec::new();
    let names = ["middle half", "median", "mean", "whole range", "one target"];
    let widths = [118.0, 92.0, 78.0, 118.0, 100.0];
    let mut x = middle - widths.iter().sum::<f64>() / 2.0 + 8.0;
    for (i, (name, width)) in names.into_iter().zip(widths).enumerate() {
        let line = |from: [f64; 2], to: [f64; 2], pen: Pen| Shape::line([from, to], pen);
        match i {
            0 => {
                let corners = [[x, y - 7.0], [x + 18.0, y + 7.0]];
                shapes.push(Shape::rectangle(corners, Look::filled(Colour(0xEDEDED), pen)));
            }
            1 => shapes.push(line([x, y], [x + 18.0, y], Pen::new(Colour::BLACK, 2.2))),
            2 => shapes.push(triangle([x + 10.0, y + 1.0])),
            3 => shapes.extend([
                line([x + 9.0, y - 7.0], [x + 9.0, y + 7.0], pen),
                line([x + 3.0, y - 7.0], [x + 15.0, y - 7.0], pen),
                line([x + 3.0, y + 7.0], [x + 15.0, y + 7.0], pen),
            ]),
            _ => shapes.push(Shape::circle([x + 11.0, y], RADIUS, Look::filled(Colour::WHITE, pen))),
        }
        let text = Text::new([x + 25.0, y + 4.2], Anchor::Start, 12.0, name);
        shapes.push(Shape::Text(text.coloured(GREY)));
        x += width;
    }
    shapes
}

/// For those who cannot see it.
fn words(results: &Results) -> String {
    let method = |method: &MethodResult| {
        let (before, after) = (&method.clean.spread, &method.attacked.spread);
        format!(
            "{}: median {:.2} before and {:.2} after, mean {:.2} and {:.2}",
            method.method, before.median, after.median, before.mean, after.mean
        )
    };
    let methods: Vec<String> = results.methods.iter().map(method).collect();
    format!("Box plots of margins before and after a random attack on {}. {}.", results.dataset, methods.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_keep_apart_and_their_heights() {
        let heights: Vec<f64> = (0..40).map(|i| 100.0 + f64::from(i % 10) * 9.0).collect();
        let at = swarm(&heights, 36.0);
        for (i, a) in at.iter().enumerate() {
            assert_eq!(a[1], heights[i]);
            assert!(at[..i].iter().all(|b| (a[0] - b[0]).hypot(a[1] - b[1]) > 2.0 * RADIUS), "{i} overlaps");
        }
    }

    #[test]
    fn a_full_row_stays_within_its_column() {
        let at = swarm(&[50.0; 60], 36.0);
        assert!(at.iter().all(|[dx, y]| dx.abs() <= 36.5 && *y == 50.0));
    }

    #[test]
    fn stripes_stay_inside_the_rectangle() {
        for [[x0, y0], [x1, y1]] in stripes([[10.0, 20.0], [40.0, 80.0]]) {
            assert!((10.0..=40.0).contains(&x0) && (10.0..=40.0).contains(&x1) && x0 <= x1);
            assert!((20.0..=80.0).contains(&y1) && (20.0..=80.0).contains(&y0) && y1 <= y0);
        }
    }
}
