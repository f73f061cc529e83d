//! Shapes as pixels.

use super::{Anchor, Colour, Drawing, Pen, Shape, Text, font};
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

/// The whole file. Sheets are our own, so their sizes are sound.
pub(super) fn write(drawing: &Drawing, scale: f32) -> Vec<u8> {
    let [width, height] = drawing.size.map(|length| (length as f32 * scale).ceil() as u32);
    let pixmap = Pixmap::new(width, height).expect("a drawing has a positive size");
    let mut canvas = Canvas { pixmap, transform: Transform::from_scale(scale, scale) };
    canvas.pixmap.fill(tiny_skia::Color::WHITE);
    drawing.shapes.iter().for_each(|shape| canvas.shape(shape));
    canvas.pixmap.encode_png().expect("pixels in memory become a PNG")
}

struct Canvas {
    pixmap: Pixmap,
    transform: Transform,
}

impl Canvas {
    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Line(ends, pen) => self.draw(path(ends, false), None, Some(pen)),
            Shape::Polygon(corners, fill, pen) => self.draw(path(corners, true), Some(*fill), pen.as_ref()),
            Shape::Circle { at: [x, y], radius, fill, pen } => {
                let circle = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32);
                self.draw(circle, Some(*fill), Some(pen));
            }
            Shape::Text(text) => self.letters(text),
        }
    }

    fn letters(&mut self, text: &Text) {
        let pen = Pen::new(text.colour, text.size * if text.bold { 0.13 } else { 0.085 });
        let start = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -0.5 * font::width(&text.text, text.size),
            Anchor::End => -font::width(&text.text, text.size),
        };
        let [x, y] = text.at;
        for line in font::lines(&text.text, text.size) {
            let place = |[along, up]: [f64; 2]| {
                let along = along + start;
                if text.upwards { [x - up, y - along] } else { [x + along, y - up] }
            };
            let points: Vec<[f64; 2]> = line.into_iter().map(place).collect();
            self.draw(path(&points, false), None, Some(&pen));
        }
    }

    /// Nothing is drawn where there is no path: a single point, say.
    fn draw(&mut self, path: Option<Path>, fill: Option<Colour>, pen: Option<&Pen>) {
        let Some(path) = path else { return };
        if let Some(fill) = fill {
            self.pixmap.fill_path(&path, &paint(fill), FillRule::Winding, self.transform, None);
        }
        if let Some(pen) = pen {
            self.pixmap.stroke_path(&path, &paint(pen.colour), &stroke(pen), self.transform, None);
        }
    }
}

fn path(points: &[[f64; 2]], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (i, &[x, y]) in points.iter().enumerate() {
        let (x, y) = (x as f32, y as f32);
        if i == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    if closed {
        path.close();
    }
    path.finish()
}

fn paint(colour: Colour) -> Paint<'static> {
    let [red, green, blue] = colour.parts();
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

fn stroke(pen: &Pen) -> Stroke {
    let dash = pen.dash.and_then(|dash| StrokeDash::new(vec![dash as f32; 2], 0.0));
    Stroke {
        width: pen.width as f32,
        line_cap: if dash.is_some() { LineCap::Butt } else { LineCap::Round },
        line_join: LineJoin::Round,
        dash,
        ..Stroke::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing() -> Drawing {
        let pen = Pen { colour: Colour(0xFF0000), width: 1.0, dash: Some(2.0) };
        Drawing {
            size: [40.0, 20.0],
            alt: String::new(),
            shapes: vec![
                Shape::rectangle([[0.0, 0.0], [10.0, 10.0]], Colour(0x0000FF), None),
                Shape::Line([[0.0, 15.0], [40.0, 15.0]], pen),
                Shape::Circle { at: [30.0, 10.0], radius: 4.0, fill: Colour(0x00FF00), pen },
                Shape::Text(Text::new([20.0, 12.0], Anchor::Middle, 8.0, "ab")),
            ],
        }
    }

    #[test]
    fn the_file_is_a_png_of_the_right_size_and_always_the_same() {
        let png = drawing().png(2.0);
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!(png[16..24], [0, 0, 0, 80, 0, 0, 0, 40], "width and height, big-endian");
        assert_eq!(png, drawing().png(2.0));
    }

    #[test]
    fn shapes_are_where_they_were_put() {
        let pixmap = Pixmap::decode_png(&drawing().png(1.0)).unwrap();
        let at = |x, y| {
            let pixel = pixmap.pixel(x, y).unwrap();
            (pixel.red(), pixel.green(), pixel.blue())
        };
        assert_eq!(at(5, 5), (0, 0, 255));
        assert_eq!(at(30, 10), (0, 255, 0));
        assert_eq!(at(39, 0), (255, 255, 255));
        let dark = (12..28).flat_map(|x| (2..14).map(move |y| (x, y))).filter(|&(x, y)| at(x, y).0 < 128).count();
        assert!(dark > 10, "letters have {dark} dark pixels");
    }
}
