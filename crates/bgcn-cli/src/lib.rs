//! The `bgcn` command as a library: arguments, then library calls, then tables. Other shells, such as Python's, call
//! [`main_with`] for the command itself and [`reproduce`] for the paper's evaluation as data.

mod args;
mod compare;
mod data;
mod edges;
mod fit;
mod graph;
mod merge;
mod predict;
mod reproduce;
mod screen;
mod settings;
mod setup;

pub use reproduce::{Bench, Progress, Results, Session};

use bgcn::posterior::Watch;
use clap::Parser;
use serde_json::Value;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::ExitCode;

/// Runs the command with these arguments, the first of which is its name.
pub fn main_with(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match args::Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and versions are no errors; clap knows which stream each goes to.
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

/// Why [`reproduce`] gave no results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What a person should read.
    pub message: String,
    /// Whether arguments or input are to blame, rather than the work itself.
    pub is_input: bool,
}

/// What `bgcn reproduce --json` prints, with these arguments after `reproduce`. Whoever watches the fits may end it; the log
/// keeps what is finished.
pub fn reproduce(arguments: impl IntoIterator<Item = OsString>, watch: Watch<'_>) -> Result<Value, Failure> {
    let (command, shared) = reproduce_arguments(arguments)?;
    let done = shared.on_threads(|| reproduce::json(&command, &shared, watch)).flatten();
    done.map_err(|error| Failure::of(&error))
}

/// The same evaluation with its trials carried out elsewhere: they are fetched from the [`Session`], run on a [`Bench`],
/// and their lines handed in.
pub fn reproduce_elsewhere(arguments: impl IntoIterator<Item = OsString>) -> Result<Session, Failure> {
    let (command, shared) = reproduce_arguments(arguments)?;
    Session::start(command, shared)
}

fn reproduce_arguments(
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<(reproduce::Command, args::Shared), Failure> {
    let words = ["bgcn", "reproduce"].map(OsString::from).into_iter().chain(arguments);
    let wrong = |error: clap::Error| Failure { message: error.to_string().trim_end().to_owned(), is_input: true };
    let args::Cli { command, shared } = args::Cli::try_parse_from(words).map_err(wrong)?;
    let args::Command::Reproduce(command) = command else { unreachable!("the first word says which") };
    Ok((command, shared))
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
        args::Command::Merge(command) => merge::run(command, shared),
        args::Command::Data(command) => data::run(command, shared),
        args::Command::Completions(command) => setup::completions(command),
        args::Command::Man(command) => setup::man(command),
    }
}
