//! The `bgcn` command as a library: arguments, then library calls, then tables. Other shells, such as Python's, call
//! [`main_with`] for the command itself and [`reproduce`] for the paper's evaluation as data.

mod args;
mod compare;
mod data;
mod edges;
mod fit;
mod graph;
mod predict;
mod reproduce;
mod screen;
mod settings;
mod setup;

pub use reproduce::{Evaluation, reproduce, run_shard};

use clap::Parser;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::ExitCode;

/// Runs the command with these arguments, the first of which is its name.
pub fn main_with(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match args::Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and versions are no errors; clap chooses the stream.
            return match error.print() {
                _ if error.use_stderr() => ExitCode::from(2),
                Err(failed) if failed.kind() != ErrorKind::BrokenPipe => screen::fail(&failed.into()),
                _ => ExitCode::SUCCESS,
            };
        }
    };
    match cli.shared.on_threads(|| run(&cli)).flatten() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => screen::fail(&error),
    }
}

/// Why there are no results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The message.
    pub message: String,
    /// Whether arguments or input are to blame, rather than the work itself.
    pub is_input: bool,
}

impl Failure {
    fn of(error: &anyhow::Error) -> Self {
        Self { message: screen::with_causes(error), is_input: screen::is_input(error) }
    }
}

fn run(cli: &args::Cli) -> anyhow::Result<()> {
    let shared = &cli.shared;
    match &cli.command {
        args::Command::Fit(command) => fit::run(command, shared),
        args::Command::Predict(command) => predict::run(command, shared),
        args::Command::Edges(command) => edges::run(command, shared),
        args::Command::Compare(command) => compare::run(command, shared),
        args::Command::Settings(command) => settings::run(command, shared),
        args::Command::Graph(command) => graph::run(command, shared),
        args::Command::Reproduce(command) => reproduce::run(command, shared),
        args::Command::Data(command) => data::run(command, shared),
        args::Command::Completions(command) => setup::completions(command),
        args::Command::Man(command) => setup::man(command),
    }
}
