//! Shapes as text.

use super::{Anchor, Colour, Drawing, Letters, Look, Shape, Text};
use crate::html::escape;

impl Drawing {
    /// A file of its own, on white.
    pub fn file(&self) -> String {
        let [width, height] = self.size;
        let more = format!(
            " xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             font-family=\"system-ui, 'Helvetica Neue', Arial, sans-serif\""
        );
        format!("{}\n", self.write(&more, &format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n")))
    }

    /// A part of a page: it takes the page's width and style.
    pub fn inline(&self) -> String {
        self.write("", "")
    }

    fn write(&self, attributes: &str, background: &str) -> String {
        let ([width, height], alt) = (self.size, escape(&self.alt));
        let shapes: String = self.shapes.iter().map(|shape| element(shape) + "\n").collect();
        format!(
            "<svg{attributes} viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{alt}\">\n\
             <title>{alt}</title>\n{background}{shapes}</svg>"
        )
    }
}

fn element(shape: &Shape) -> String {
    let list = |points: &[[f64; 2]]| {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        points.join(" ")
    };
    match shape {
        Shape::Line(points, look) => format!(r#"<polyline points="{}"{}/>"#, list(points), paint(look)),
        Shape::Polygon(corners, look) => format!(r#"<polygon points="{}"{}/>"#, list(corners), paint(look)),
        Shape::Circle { at: [x, y], radius, look, title } => {
            let circle = format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"{}"#, paint(look));
            match title.as_str() {
                "" => circle + "/>",
                title => format!("{circle}><title>{}</title></circle>", escape(title)),
            }
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
    let look = match text.letters {
        Letters::Class("") => String::new(),
        Letters::Class(class) => format!(r#" class="{class}""#),
        Letters::Paint { size, bold, colour } => {
            let weight = if bold { r#" font-weight="bold""# } else { "" };
            format!(r#" font-size="{size}" fill="{}"{weight}"#, hex(colour))
        }
    };
    let turn = if text.upwards { format!(r#" transform="rotate(-90 {x:.1} {y:.1})""#) } else { String::new() };
    format!(r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}"{look}{turn}>{}</text>"#, escape(&text.text))
}

fn paint(look: &Look) -> String {
    match look {
        Look::Class(class) => format!(r#" class="{class}""#),
        Look::Paint { fill, pen } => {
            let fill = fill.map_or("none".into(), hex);
            let line = pen.map(|pen| format!(r#" stroke="{}" stroke-width="{}""#, hex(pen.colour), pen.width));
            format!(r#" fill="{fill}"{}"#, line.unwrap_or_default())
        }
    }
}

fn hex(colour: Colour) -> String {
    format!("#{:06x}", colour.0)
}

#[cfg(test)]
mod tests {
    use super::super::Pen;
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup_and_every_element_is_closed() {
        let pen = Pen::new(Colour(0x12), 1.0);
        let look = Look::filled(Colour::WHITE, pen);
        let mut drawing = Drawing {
            size: [10.0, 10.0],
            alt: "a < \"b\"".into(),
            shapes: vec![
                Shape::line([[0.0, 0.0], [1.0, 1.0]], pen),
                Shape::rectangle([[0.0, 0.0], [1.0, 1.0]], Look::filled(Colour::WHITE, None)),
                Shape::circle([5.0, 5.0], 1.0, look.clone()),
                Shape::Text(Text::new([1.0, 1.0], Anchor::End, 10.0, "<b> & 'c'")),
            ],
        };
        let svg = drawing.file();
        assert!(svg.contains("&lt;b&gt; &amp; &#39;c&#39;</text>") && svg.contains("a &lt; &quot;b&quot;"), "{svg}");
        assert!(svg.contains(r##"fill="none" stroke="#000012" stroke-width="1"/>"##), "{svg}");
        for tag in ["svg", "title", "text"] {
            assert_eq!(svg.matches(&format!("<{tag}")).count(), svg.matches(&format!("</{tag}>")).count());
        }
        assert_eq!(svg.matches("/>").count() + 2 * 3, svg.matches('<').count(), "all other elements close themselves");
        drawing.shapes = vec![Shape::Circle { at: [1.0; 2], radius: 2.0, look: "k1".into(), title: "<i>".into() }];
        let part = drawing.inline();
        let circle = r#"<circle cx="1.0" cy="1.0" r="2.0" class="k1"><title>&lt;i&gt;</title></circle>"#;
        assert!(part.contains(circle) && !part.contains("xmlns") && !part.contains("rect"), "{part}");
    }
}
