//! Every command with its arguments, from the same description as `--help`.

use super::cell;
use crate::cli::Cli;
use clap::{Arg, Command, CommandFactory};
use std::fmt::Write;

pub fn page() -> String {
    let mut program = Cli::command();
    // Commands learn their full names.
    program.build();
    let mut page = String::from(
        "# Commands\n\n\
         Made from the program (`waterjar reference commands`); a test holds it equal. `waterjar COMMAND --help` tells the same.\n\n\
         Standard output is data, standard error is talk.\n\n",
    );
    if let Some(after) = program.get_after_help() {
        let codes = after.to_string();
        let codes = codes.lines().next().unwrap_or_default();
        let _ = writeln!(page, "{codes}\n");
    }
    let _ =
        writeln!(page, "For every command:\n\n{}", table(program.get_arguments().filter(|arg| arg.is_global_set())));
    for command in program.get_subcommands() {
        tell(command, 2, &mut page);
    }
    page
}

fn tell(command: &Command, level: usize, page: &mut String) {
    if command.is_hide_set() || command.get_name() == "help" {
        return;
    }
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let _ = writeln!(page, "{} `{name}`\n\n{about}\n", "#".repeat(level));
    if command.has_subcommands() {
        command.get_subcommands().for_each(|it| tell(it, level + 1, page));
        return;
    }
    let usage = command.clone().render_usage().to_string();
    let _ = writeln!(page, "```text\n{}\n```\n", usage.trim_start_matches("Usage: "));
    let own = |arg: &&Arg| !arg.is_global_set() && !arg.is_hide_set() && arg.get_id() != "help";
    if command.get_arguments().any(|arg| own(&arg)) {
        let _ = writeln!(page, "{}", table(command.get_arguments().filter(own)));
    }
}

fn table<'a>(args: impl Iterator<Item = &'a Arg>) -> String {
    let mut rows = String::from("| what is typed | default | what it does |\n|---|---|---|\n");
    for arg in args {
        let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
        let choices = choices(arg);
        let _ = writeln!(rows, "| `{}` | {} | {} |", cell(&name(arg)), default(arg), cell(&format!("{help}{choices}")));
    }
    rows
}

/// `TARGET`, `--out OUT`, `-q, --quiet`
fn name(arg: &Arg) -> String {
    let value = arg.get_value_names().map(|names| names.join(" ")).unwrap_or_default();
    let Some(long) = arg.get_long() else {
        let many = arg.get_num_args().is_some_and(|range| range.max_values() > 1);
        return format!("{value}{}", if many { "…" } else { "" });
    };
    let short = arg.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    let value = if arg.get_action().takes_values() { format!(" {value}") } else { String::new() };
    format!("{short}--{long}{value}")
}

/// What it is when left out; of a long list, nothing.
fn default(arg: &Arg) -> String {
    let values: Vec<_> = arg.get_default_values().iter().map(|it| it.to_string_lossy().into_owned()).collect();
    let shown = arg.get_action().takes_values() && !values.is_empty() && !arg.is_hide_default_value_set();
    if shown { format!("`{}`", cell(&values.join(","))) } else { String::new() }
}

fn choices(arg: &Arg) -> String {
    let told = |value: &clap::builder::PossibleValue| match value.get_help() {
        Some(help) => format!("`{}` ({help})", value.get_name()),
        None => format!("`{}`", value.get_name()),
    };
    let values: Vec<_> = arg.get_possible_values().iter().filter(|it| !it.is_hide_set()).map(told).collect();
    if values.is_empty() || !arg.get_action().takes_values() {
        return String::new();
    }
    format!(": {}", values.join(", "))
}
