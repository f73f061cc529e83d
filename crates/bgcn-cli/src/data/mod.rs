//! `bgcn data`: datasets in and out.

mod convert;
mod fetch;
mod generate;
mod info;
mod list;

use crate::args::Shared;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args)]
pub struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List known datasets and where they are
    List,
    /// Describe a dataset: sizes, classes, degrees
    Info(info::Command),
    /// Download cora, citeseer or pubmed, checked by SHA-256
    Fetch(fetch::Command),
    /// Convert a dataset to CSV, .npz or GraphML
    Convert(convert::Command),
    /// Generate a citation network whose wrong edges are known
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

/// What was written, and what the form has no place for.
pub fn written(files: &[PathBuf], left_out: &[&str]) -> String {
    let mut text: String = files.iter().map(|file| format!("wrote {}\n", file.display())).collect();
    if !left_out.is_empty() {
        text += &format!("left out, because GraphML has no place for it: {}\n", left_out.join(", "));
    }
    text
}
