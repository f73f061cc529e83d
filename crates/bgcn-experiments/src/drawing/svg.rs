//! Shapes as SVG.

use super::{Anchor, Colour, Drawing, Pen, Shape, Text};
use crate::page::escaped;
use std::fmt::Write as _;

/// The whole file.
pub(super) fn write(drawing: &Drawing) -> String {
    let ([width, height], alt) = (drawing.size, escaped(&drawing.alt));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{alt}\" font-family=\"system-ui, 'Helvetica Neue', Arial, sans-serif\">\n\
         <title>{alt}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for shape in &drawing.shapes {
        out += &element(shape);
        out.push('\n');
    }
    out + "</svg>\n"
}

fn element(shape: &Shape) -> String {
    match shape {
        Shape::Line([[x1, y1], [x2, y2]], pen) => {
            format!(r#"<line x1="{x1:.2}" y1="{y1:.2}" x2="{x2:.2}" y2="{y2:.2}"{}/>"#, stroke(Some(pen)))
        }
        Shape::Polygon(corners, fill, pen) => {
            let mut points = String::new();
            for [x, y] in corners {
                let _ = write!(points, "{x:.2},{y:.2} ");
            }
            format!(r#"<polygon points="{}" fill="{}"{}/>"#, points.trim_end(), hex(*fill), stroke(pen.as_ref()))
        }
        Shape::Circle { at: [x, y], radius, fill, pen } => {
            let (fill, stroke) = (hex(*fill), stroke(Some(pen)));
            format!(r#"<circle cx="{x:.2}" cy="{y:.2}" r="{radius:.2}" fill="{fill}"{stroke}/>"#)
        }
        Shape::Text(text) => letters(text),
    }
}

fn letters(text: &Text) -> String {
    let [x, y] = text.at;
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let weight = if text.bold { r#" font-weight="bold""# } else { "" };
    let turn = if text.upwards { format!(r#" transform="rotate(-90 {x:.2} {y:.2})""#) } else { String::new() };
    format!(
        r#"<text x="{x:.2}" y="{y:.2}" font-size="{}" text-anchor="{anchor}" fill="{}"{weight}{turn}>{}</text>"#,
        text.size,
        hex(text.colour),
        escaped(&text.text)
    )
}

fn stroke(pen: Option<&Pen>) -> String {
    let Some(pen) = pen else { return String::new() };
    let dash = pen.dash.map_or(String::new(), |dash| format!(r#" stroke-dasharray="{dash}""#));
    format!(r#" stroke="{}" stroke-width="{}"{dash}"#, hex(pen.colour), pen.width)
}

fn hex(colour: Colour) -> String {
    format!("#{:06x}", colour.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup_and_every_element_is_closed() {
        let pen = Pen { colour: Colour(0x12), width: 1.0, dash: Some(3.0) };
        let drawing = Drawing {
            size: [10.0, 10.0],
            alt: "a < \"b\"".into(),
            shapes: vec![
                Shape::Line([[0.0, 0.0], [1.0, 1.0]], pen),
                Shape::rectangle([[0.0, 0.0], [1.0, 1.0]], Colour::WHITE, None),
                Shape::Circle { at: [5.0, 5.0], radius: 1.0, fill: Colour::WHITE, pen },
                Shape::Text(Text::new([1.0, 1.0], Anchor::End, 10.0, "<b> & 'c'")),
            ],
        };
        let svg = write(&drawing);
        assert!(svg.contains("&lt;b&gt; &amp; &#39;c&#39;</text>") && svg.contains("a &lt; &quot;b&quot;"), "{svg}");
        assert!(svg.contains(r##"stroke="#000012" stroke-width="1" stroke-dasharray="3"/>"##), "{svg}");
        for tag in ["svg", "title", "text"] {
            assert_eq!(svg.matches(&format!("<{tag}")).count(), svg.matches(&format!("</{tag}>")).count());
        }
        assert_eq!(svg.matches("/>").count() + 2 * 3, svg.matches('<').count(), "all other elements close themselves");
    }
}
