//! Element types of arrays as numpy names them, and elements that Rust has no type for.

/// What the elements are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Int,
    Uint,
    Float,
    /// Fixed-width text, four bytes per character.
    Unicode,
    /// Fixed-width text, one byte per character.
    Bytes,
    /// Python objects, pickled.
    Object,
}

/// numpy's element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dtype {
    pub(super) kind: Kind,
    /// Bytes per element, at least 1.
    pub(super) size: usize,
    pub(super) big_endian: bool,
}

impl Dtype {
    /// What [`Dtype::parse`] understands, for messages.
    pub(super) const KNOWN: &str =
        "allowed are bool, whole numbers of 8 to 64 bits (i1…i8, u1…u8), f2, f4, f8, text (U, S) and objects (O)";

    /// From numpy's code, such as `<f4`, `i8` or `|S12`.
    pub(super) fn parse(code: &str) -> Option<Self> {
        let (big_endian, code) = match code.as_bytes().first()? {
            b'<' | b'|' | b'=' => (false, &code[1..]),
            b'>' => (true, &code[1..]),
            _ => (false, code),
        };
        let (letter, digits) = (code.as_bytes().first()?, code.get(1..)?);
        if !digits.bytes().all(|d| d.is_ascii_digit()) {
            return None;
        }
        let number: usize = if digits.is_empty() { 0 } else { digits.parse().ok()? };
        let (kind, size) = match (letter, number) {
            (b'?', 0) | (b'b', 1) => (Kind::Bool, 1),
            (b'i', 1 | 2 | 4 | 8) => (Kind::Int, number),
            (b'u', 1 | 2 | 4 | 8) => (Kind::Uint, number),
            (b'f', 2 | 4 | 8) => (Kind::Float, number),
            (b'U', 1..) => (Kind::Unicode, number.checked_mul(4)?),
            (b'S', 1..) => (Kind::Bytes, number),
            (b'O', _) => (Kind::Object, 8),
            _ => return None,
        };
        Some(Self { kind, size, big_endian })
    }

    pub(super) fn describe(self) -> String {
        match self.kind {
            Kind::Bool => "bool".into(),
            Kind::Int => format!("i{}", self.size),
            Kind::Uint => format!("u{}", self.size),
            Kind::Float => format!("f{}", self.size),
            Kind::Unicode | Kind::Bytes => "text".into(),
            Kind::Object => "objects".into(),
        }
    }
}

/// numpy's fixed-width text: 32-bit characters, zeros after the end.
pub(super) fn decode_utf32(raw: &[u8], big_endian: bool) -> Option<String> {
    let characters = raw.chunks_exact(4).map(|c| {
        let c = c.try_into().expect("chunks are exactly one character long");
        if big_endian { u32::from_be_bytes(c) } else { u32::from_le_bytes(c) }
    });
    let mut text = characters.map(char::from_u32).collect::<Option<String>>()?;
    text.truncate(text.trim_end_matches('\0').len());
    Some(text)
}

/// A half float: a sign, 5 bits of exponent, 10 of fraction.
pub(super) fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1F), f64::from(bits & 0x3FF));
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    };
    if bits >> 15 == 1 { -size } else { size }
}
