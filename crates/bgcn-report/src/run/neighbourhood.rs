//! Small drawings of suspicious edges: the two ends, and the neighbours around them.

use super::edges::NAME;
use crate::html::escape;
use crate::svg::{Anchor, Drawing, Shape, Text};
use crate::text::{probability, with_name};
use bgcn::findings::{Neighbour, Neighbourhood};
use std::f64::consts::PI;

const SIZE: [f64; 2] = [300.0, 200.0];
/// The two ends.
const ENDS: [[f64; 2]; 2] = [[105.0, 95.0], [195.0, 95.0]];

/// The pair in the middle, own neighbours to its sides, common ones above and below.
pub fn draw(around: &Neighbourhood) -> String {
    let (mut links, mut nodes) = (Vec::new(), Vec::new());
    let mut add = |ends: &[[f64; 2]], at: [f64; 2], neighbour: &Neighbour| {
        links.extend(ends.iter().map(|&end| Shape::line([end, at], "link")));
        nodes.push(node(at, neighbour, 7.0, ""));
    };
    for (i, neighbour) in around.common.iter().enumerate() {
        let at = [150.0 + 14.0 * (i / 2) as f64, if i % 2 == 0 { 36.0 } else { 154.0 }];
        add(&ENDS, at, neighbour);
    }
    for ((own, end), facing) in around.own.iter().zip(ENDS).zip([PI, 0.0]) {
        for (i, neighbour) in own.iter().enumerate() {
            let angle = facing + 1.1 * PI * ((i as f64 + 0.5) / own.len() as f64 - 0.5);
            add(&[end], [end[0] + 82.0 * angle.cos(), end[1] + 76.0 * angle.sin()], neighbour);
        }
    }
    links.push(Shape::line(ENDS, "suspicious"));
    nodes.extend(around.ends.iter().zip(ENDS).map(|(end, at)| node(at, end, 11.0, " ring")));
    if around.more > 0 {
        let text = format!("{} more not drawn", around.more);
        let at = [SIZE[0] / 2.0, SIZE[1] - 4.0];
        nodes.push(Shape::Text(Text::of_page(at, Anchor::Middle, "", text)));
    }
    let [a, b] = &around.ends;
    let [name_a, name_b] = [a, b].map(shown);
    let alt = format!("Edge between {name_a} and {name_b} with the neighbours of both");
    let drawing = Drawing { size: SIZE, alt, shapes: links.into_iter().chain(nodes).collect() };
    let [name_a, name_b, predicted_a, predicted_b] = [&name_a, &name_b, &a.predicted, &b.predicted].map(|s| escape(s));
    let (p, why) = (escape(&probability(around.p_spurious)), escape(&around.reason));
    format!(
        "<figure>{}<figcaption><b>{name_a} – {name_b}</b>: {predicted_a} and {predicted_b}; P(spurious) {p}, {why}\
         </figcaption></figure>\n",
        drawing.inline()
    )
}

/// A circle in the colour of the predicted class.
fn node(at: [f64; 2], of: &Neighbour, radius: f64, ring: &str) -> Shape {
    let look = format!("k{}{ring}", of.class.unwrap_or(0) % 10);
    Shape::Circle { at, radius, look: look.as_str().into(), title: format!("{}: {}", shown(of), of.predicted) }
}

/// The id, and the text beside it.
fn shown(of: &Neighbour) -> String {
    with_name(&of.name, &of.called, NAME)
}
