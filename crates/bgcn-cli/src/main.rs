//! The `bgcn` command: arguments, then library calls, then tables.

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

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    match cli.shared.on_threads(|| run(&cli)).flatten() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => screen::fail(&error),
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
        args::Command::Merge(command) => merge::run(command, shared),
        args::Command::Data(command) => data::run(command, shared),
        args::Command::Completions(command) => setup::completions(command),
        args::Command::Man(command) => setup::man(command),
    }
}
