//! SVG: shapes laid out once, written as part of a page or as a file of its own.
//!
//! Coordinates are in points, x to the right, y downwards. Shapes of a page take their colours from its style sheet,
//! which has some for the dark; those of a file have their own, on white.

mod chart;
mod write;

pub use chart::{Axis, Chart};

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
        let [_, red, green, blue] = self.0.to_be_bytes();
        let mixed = [red, green, blue].map(|part| (255.0 + (f64::from(part) - 255.0) * share).round() as u32);
        Self(mixed[0] << 16 | mixed[1] << 8 | mixed[2])
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// Its colour.
    pub colour: Colour,
    /// Its width.
    pub width: f64,
}

impl Pen {
    /// A line of this colour and width.
    pub const fn new(colour: Colour, width: f64) -> Self {
        Self { colour, width }
    }
}

/// How a shape is painted.
#[derive(Clone, Debug, PartialEq)]
pub enum Look {
    /// By classes of the page's style sheet.
    Class(String),
    /// In colours of its own.
    Paint {
        /// Inside.
        fill: Option<Colour>,
        /// Around.
        pen: Option<Pen>,
    },
}

impl Look {
    /// A filled shape, with a line around it if there is a pen.
    pub fn filled(fill: Colour, pen: impl Into<Option<Pen>>) -> Self {
        Self::Paint { fill: Some(fill), pen: pen.into() }
    }
}

impl From<&str> for Look {
    fn from(class: &str) -> Self {
        Self::Class(class.into())
    }
}

impl From<Pen> for Look {
    fn from(pen: Pen) -> Self {
        Self::Paint { fill: None, pen: Some(pen) }
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

/// How letters look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Letters {
    /// By a class of the page's style sheet; empty for that of all letters.
    Class(&'static str),
    /// In a size and a colour of their own.
    Paint {
        /// The height of a line.
        size: f64,
        /// Heavier letters.
        bold: bool,
        /// Their colour.
        colour: Colour,
    },
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The anchor, on the baseline.
    pub at: [f64; 2],
    /// Which point of it is at `at`.
    pub anchor: Anchor,
    /// Its letters.
    pub letters: Letters,
    /// What is written.
    pub text: String,
    /// Reads upwards instead of to the right.
    pub upwards: bool,
}

impl Text {
    /// Plain black letters.
    pub fn new(at: [f64; 2], anchor: Anchor, size: f64, text: impl Into<String>) -> Self {
        let letters = Letters::Paint { size, bold: false, colour: Colour::BLACK };
        Self { at, anchor, letters, text: text.into(), upwards: false }
    }

    /// Letters by the page's style sheet.
    pub fn of_page(at: [f64; 2], anchor: Anchor, class: &'static str, text: impl Into<String>) -> Self {
        Self { at, anchor, letters: Letters::Class(class), text: text.into(), upwards: false }
    }

    /// In this colour.
    pub fn coloured(mut self, new: Colour) -> Self {
        if let Letters::Paint { colour, .. } = &mut self.letters {
            *colour = new;
        }
        self
    }

    /// In heavier letters.
    pub fn bold(mut self) -> Self {
        if let Letters::Paint { bold, .. } = &mut self.letters {
            *bold = true;
        }
        self
    }

    /// Turned to read upwards.
    pub fn upwards(mut self) -> Self {
        self.upwards = true;
        self
    }
}

/// Something drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A line through points.
    Line(Vec<[f64; 2]>, Look),
    /// A closed figure with these corners.
    Polygon(Vec<[f64; 2]>, Look),
    /// A circle.
    Circle {
        /// Its centre.
        at: [f64; 2],
        /// Its radius.
        radius: f64,
        /// How it is painted.
        look: Look,
        /// What a pointer over it shows; may be empty.
        title: String,
    },
    /// Letters.
    Text(Text),
}

impl Shape {
    /// A line through points.
    pub fn line(points: impl Into<Vec<[f64; 2]>>, look: impl Into<Look>) -> Self {
        Self::Line(points.into(), look.into())
    }

    /// A circle without a title.
    pub fn circle(at: [f64; 2], radius: f64, look: impl Into<Look>) -> Self {
        Self::Circle { at, radius, look: look.into(), title: String::new() }
    }

    /// An upright rectangle between two opposite corners.
    pub fn rectangle([[x0, y0], [x1, y1]]: [[f64; 2]; 2], look: impl Into<Look>) -> Self {
        Self::Polygon(vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]], look.into())
    }
}

/// Shapes on a sheet, the later ones over the earlier.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Width and height.
    pub size: [f64; 2],
    /// What it shows, in words, for those who cannot see it.
    pub alt: String,
    /// In the order in which they are drawn.
    pub shapes: Vec<Shape>,
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
