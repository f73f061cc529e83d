//! Drawings: shapes laid out once, written as SVG on a white background.
//!
//! Coordinates are in points, x to the right, y downwards.

mod svg;

/// Red, green and blue, as `0xRRGGBB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u32);

impl Colour {
    /// Black.
    pub const BLACK: Self = Self(0x000000);
    /// White.
    pub const WHITE: Self = Self(0xFFFFFF);

    /// Mixed with white: 0 leaves white, 1 the colour.
    pub fn tint(self, share: f64) -> Self {
        let mixed = self.parts().map(|part| (255.0 + (f64::from(part) - 255.0) * share).round() as u32);
        Self(mixed[0] << 16 | mixed[1] << 8 | mixed[2])
    }

    fn parts(self) -> [u8; 3] {
        let [_, red, green, blue] = self.0.to_be_bytes();
        [red, green, blue]
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// Its colour.
    pub colour: Colour,
    /// Its width.
    pub width: f64,
    /// Length of dashes and of the gaps between them; `None` for a whole line.
    pub dash: Option<f64>,
}

impl Pen {
    /// A whole line.
    pub const fn new(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: None }
    }
}

/// Which point of a text is where it is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The anchor, on the baseline.
    pub at: [f64; 2],
    /// What it says.
    pub text: String,
    /// The height of a line of letters.
    pub size: f64,
    /// Which point of it is at `at`.
    pub anchor: Anchor,
    /// Heavier letters.
    pub bold: bool,
    /// Reads upwards instead of to the right.
    pub upwards: bool,
    /// Its colour.
    pub colour: Colour,
}

impl Text {
    /// Plain black letters.
    pub fn new(at: [f64; 2], anchor: Anchor, size: f64, text: impl Into<String>) -> Self {
        Self { at, text: text.into(), size, anchor, bold: false, upwards: false, colour: Colour::BLACK }
    }
}

/// Something drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A line from one point to another.
    Line([[f64; 2]; 2], Pen),
    /// A closed figure with these corners.
    Polygon(Vec<[f64; 2]>, Colour, Option<Pen>),
    /// A circle.
    Circle {
        /// Its centre.
        at: [f64; 2],
        /// Its radius.
        radius: f64,
        /// Inside.
        fill: Colour,
        /// Its line.
        pen: Pen,
    },
    /// Letters.
    Text(Text),
}

impl Shape {
    /// An upright rectangle between two opposite corners.
    pub fn rectangle([[x0, y0], [x1, y1]]: [[f64; 2]; 2], fill: Colour, pen: Option<Pen>) -> Self {
        Self::Polygon(vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]], fill, pen)
    }
}

/// Shapes on a white sheet, the later ones over the earlier.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Width and height.
    pub size: [f64; 2],
    /// What it shows, in words, for those who cannot see it.
    pub alt: String,
    /// In the order in which they are drawn.
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// An SVG file.
    pub fn svg(&self) -> String {
        svg::write(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tints_lie_between_white_and_the_colour() {
        let blue = Colour(0x0072B2);
        assert_eq!((blue.tint(0.0), blue.tint(1.0)), (Colour::WHITE, blue));
        assert_eq!(Colour::BLACK.tint(0.2), Colour(0xCCCCCC));
    }
}
