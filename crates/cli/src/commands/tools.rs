//! Completions and the manual page, made from the same description as `--help`.

use crate::cli::{Cli, ManArgs};
use crate::exit::Exit;
use crate::output::Output;
use anyhow::{Context, Result};
use clap::CommandFactory;

pub fn completions(shell: clap_complete::Shell, out: &Output) -> Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "waterjar", &mut text);
    out.print(&String::from_utf8(text)?);
    Ok(Exit::Done)
}

/// To standard output the page of the program; to a folder one for every command, as `man waterjar-run` looks for them.
pub fn man(args: &ManArgs, out: &Output) -> Result<Exit> {
    match &args.out {
        None => {
            let mut text = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut text)?;
            out.print(&String::from_utf8(text)?);
        }
        Some(folder) => {
            let unwritable = || format!("{} cannot be written", folder.display());
            std::fs::create_dir_all(folder).with_context(unwritable)?;
            clap_mangen::generate_to(Cli::command(), folder).with_context(unwritable)?;
        }
    }
    Ok(Exit::Done)
}
