//! `bgcn data`: datasets in and out.

mod convert;
mod fetch;
mod generate;
mod info;
mod list;

use crate::args::Shared;
use bgcn::data::write::Existing;
use clap::{Args, Subcommand};

#[derive(Args)]
pub struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Which datasets there are, and where they are on this machine
    List,
    /// A dataset in a table and a picture of its degrees
    Info(info::Command),
    /// Get cora, citeseer or pubmed, every file checked by its SHA-256
    Fetch(fetch::Command),
    /// Write any dataset as CSV files, .npz or GraphML, which read back equal
    Convert(convert::Command),
    /// Make a citation-like network of any size that knows which of its edges are wrong
    Generate(generate::Command),
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    match &command.action {
        Action::List => list::run(shared),
        Action::Info(command) => info::run(command, shared),
        Action::Fetch(command) => fetch::run(command, shared),
        Action::Convert(command) => convert::run(command, shared),
        Action::Generate(command) => generate::run(command, shared),
    }
}

/// What `--overwrite` means for what is there already.
pub fn existing(overwrite: bool) -> Existing {
    if overwrite { Existing::Replace } else { Existing::Refuse }
}
