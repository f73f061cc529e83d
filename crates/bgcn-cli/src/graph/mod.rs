//! `bgcn graph`: the random-graph model alone, without a network.

mod communities;
mod fit;
mod infer;
mod sample;

use crate::args::Shared;
use clap::{Args, Subcommand};

#[derive(Args)]
pub struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Fit a random-graph model
    Fit(Box<fit::Command>),
    /// Draw graphs from a fitted model, and compare statistics
    Sample(sample::Command),
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    match &command.action {
        Action::Fit(command) => fit::run(command, shared),
        Action::Sample(command) => sample::run(command, shared),
    }
}
