//! From files to [`Dataset`](bgcn_core::data::Dataset)s and back: readers and writers of every format, the known sets
//! and how to fetch them, and files that appear whole or not at all.

pub mod fetch;
pub mod files;
mod known;
mod places;
pub mod read;
mod source;
mod spelling;
pub mod write;

pub use known::{KNOWN, Known, KnownFile, known};
pub use places::{Places, cache_folder};
pub use read::{BUILT_IN, Found, find, load};
pub use source::Source;
pub use spelling::{Shell, pasted, spelled};
