//! `bgcn completions` and `bgcn man`: both made from the argument definitions.

use crate::args::Cli;
use bgcn_core::data::Error;
use bgcn_files::files::write_atomically;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Completions {
    /// Shell, as in: bgcn completions bash > ~/.local/share/bash-completion/completions/bgcn
    shell: Shell,
}

#[derive(Args)]
pub struct Man {
    /// Folder for bgcn.1, bgcn-data.1, … [default: print the main page]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn completions(command: &Completions) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, &mut Cli::command(), "bgcn", &mut script);
    crate::screen::print_data(&String::from_utf8(script)?)
}

pub fn man(command: &Man) -> anyhow::Result<()> {
    let mut cli = Cli::command();
    cli.build();
    match &command.out {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(cli).render(&mut page)?;
            crate::screen::print_data(&String::from_utf8(page)?)
        }
        Some(folder) => {
            let written = std::fs::create_dir_all(folder).and_then(|()| write_pages(&cli, "bgcn", folder));
            Ok(written.map_err(Error::io("writing", folder))?)
        }
    }
}

/// One page for the command and one for each subcommand below it.
fn write_pages(command: &clap::Command, name: &str, folder: &Path) -> io::Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).title(name.to_uppercase()).render(&mut page)?;
    write_atomically(&folder.join(format!("{name}.1")), |w| w.write_all(&page))?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        write_pages(sub, &format!("{name}-{}", sub.get_name()), folder)?;
    }
    Ok(())
}
