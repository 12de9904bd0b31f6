//! Completions and the manual page, made from the same description as `--help`.

use crate::cli::Cli;
use crate::exit::Exit;
use anyhow::Result;
use clap::CommandFactory;

pub fn completions(shell: clap_complete::Shell) -> Result<Exit> {
    clap_complete::generate(shell, &mut Cli::command(), "waterjar", &mut std::io::stdout());
    Ok(Exit::Done)
}

pub fn man() -> Result<Exit> {
    clap_mangen::Man::new(Cli::command()).render(&mut std::io::stdout())?;
    Ok(Exit::Done)
}
