//! What can be typed.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Exit codes: 0 done · 1 a bound was broken · 2 bad input or settings · 3 finished with missing answers · \
4 stopped by an interrupt (start the same command again to go on)

First steps:
  waterjar run studies/quickstart.toml     a whole study, no key and no network needed
  waterjar show models                     what is built in

Clinical content is illustrative and not for patient care.";

#[derive(Parser)]
#[command(name = "waterjar", version, about, after_help = AFTER_HELP, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Say less: errors only
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Say more: -v waiting and retries, -vv every call to a model, -vvv what was said in it (never a key)
    #[arg(long, short, global = true, action = clap::ArgAction::Count, conflicts_with = "quiet")]
    pub verbose: u8,
}

#[derive(Subcommand)]
pub enum Command {
    /// Carry out a study: make variants, ask, judge, measure, report. Started again, it resumes
    Run(RunArgs),
    /// Make the variants of a study
    Vary(PassArgs),
    /// Ask the subjects what they were not asked yet
    Answer(AnswerArgs),
    /// Judge the answers that are there
    Judge(PassArgs),
    /// Compute the figures from the verdicts
    Measure(PassArgs),
    /// Write report.html, or tables
    Report(ReportArgs),
    /// Figures from outputs made elsewhere
    Score(ScoreArgs),
    /// Inter-rater statistics from a table of ratings
    Agree(AgreeArgs),
    /// Compare subjects or runs pair by pair, with a test and an interval
    Compare(CompareArgs),
    /// Turn a data set into cases
    Import(ImportArgs),
    /// List what there is, or show one case with its variants
    Show(ShowArgs),
    /// Print shell completions
    Completions { shell: clap_complete::Shell },
    /// Print the manual page
    Man,
}

#[derive(Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub pass: PassArgs,
    /// Ask again what ended without an answer: refused, timed out, unusable
    #[arg(long)]
    pub retry_failed: bool,
    /// Pairs shown in full in the report
    #[arg(long, default_value_t = 60)]
    pub families: usize,
}

#[derive(Args)]
pub struct AnswerArgs {
    #[command(flatten)]
    pub pass: PassArgs,
    /// Ask again what ended without an answer: refused, timed out, unusable
    #[arg(long)]
    pub retry_failed: bool,
}

#[derive(Args)]
pub struct PassArgs {
    /// A study file, or the directory of a run
    pub target: PathBuf,
    /// The directory of the run [default: runs/NAME]
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// At most so many families of each suite
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Change a setting of the study: study.seed=8, suite.pairs=50
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Print figures as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ReportArgs {
    /// The directory of a run
    pub run: PathBuf,
    /// html, csv, latex, markdown; several with commas
    #[arg(long, value_delimiter = ',', default_value = "html")]
    pub format: Vec<Format>,
    /// Pairs shown in full in the HTML report
    #[arg(long, default_value_t = 60)]
    pub families: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Html,
    Csv,
    Latex,
    Markdown,
}

#[derive(Args)]
pub struct ScoreArgs {
    /// The suite the outputs are for
    pub suite: String,
    /// JSON Lines or CSV
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Seeds the bootstrap
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct AgreeArgs {
    /// A CSV with a column per rater and a row per item (other columns are named with --items), or JSON Lines of
    /// {"item", "rater", "rating"}
    pub file: PathBuf,
    /// What the ratings are
    #[arg(long, value_enum, default_value = "nominal")]
    pub scale: Scale,
    /// All ratings of the scale, in order; those seen when left out. Matters for AC1 and Brennan–Prediger
    #[arg(long, value_delimiter = ',', value_name = "A,B,C")]
    pub categories: Vec<String>,
    /// Columns of the CSV that are not raters
    #[arg(long, value_delimiter = ',', default_value = "item,id,case", value_name = "COLUMNS")]
    pub items: Vec<String>,
    /// Seeds the bootstrap
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scale {
    Nominal,
    Ordinal,
    Interval,
}

#[derive(Args)]
pub struct CompareArgs {
    /// One run to compare its subjects, or two runs to compare the subjects they share
    #[arg(required = true, num_args = 1..=2)]
    pub runs: Vec<PathBuf>,
    /// Compare every subject with this one; in one run, the first by name when left out
    #[arg(long, value_name = "SUBJECT")]
    pub against: Option<String>,
    /// The metric to compare
    #[arg(long, default_value = "bias_trap_rate")]
    pub metric: String,
    /// Seeds the bootstrap
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ImportArgs {
    #[command(subcommand)]
    pub kind: ImportKind,
}

#[derive(Subcommand)]
pub enum ImportKind {
    /// DDXPlus patients, CSV or JSON, in either code system
    Ddxplus {
        /// A patients file, or a folder that holds it with its knowledge files
        path: PathBuf,
        /// The folder with release_conditions.json and release_evidences.json
        #[arg(long)]
        knowledge: Option<PathBuf>,
        /// Where to write the cases as JSON Lines; standard output when left out
        #[arg(long)]
        out: Option<PathBuf>,
    },
}

#[derive(Args)]
pub struct ShowArgs {
    #[command(subcommand)]
    pub what: ShowWhat,
}

#[derive(Subcommand)]
pub enum ShowWhat {
    /// The suites
    Suites,
    /// The agents
    Agents,
    /// The built-in models
    Models,
    /// One case of a run with its variants, as a diff
    Case {
        /// The directory of a run
        run: PathBuf,
        /// The case; the first of the run when left out
        case: Option<String>,
    },
}
