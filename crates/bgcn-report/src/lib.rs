//! Pages and pictures, for the command, the studies and other shells.
//!
//! [`run_page`] is the report of one run, from its [`Findings`](bgcn::findings::Findings). A [`Page`] of results holds
//! text, tables and figures, and is written as Markdown and as HTML. Nothing here computes a result.

mod html;
mod page;
mod results;
mod run;
pub mod svg;
mod text;

pub use page::{Block, Figure, Page};
pub use results::Results;
pub use run::{UNJUDGED, WEIGHT_COLUMNS, run_page, split_text, weights, weights_text};
pub use text::{duration, fdr_list, grouped, probability, visible, with_name};
