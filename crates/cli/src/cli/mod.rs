//! What can be typed.

mod exchange;
mod figures;
mod foresight;
mod running;
mod sharing;

pub use exchange::*;
pub use figures::*;
pub use foresight::*;
pub use running::*;
pub use sharing::*;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Exit codes: 0 done · 1 a bound was broken · 2 bad input or settings · 3 finished with missing answers or audits · \
4 stopped by an interrupt, by the budget or by an endpoint that is closed for now (start the same command again to go on)

First steps:
  waterjar run studies/quickstart.toml     a whole study, no key and no network needed
  waterjar show models                     what is built in

Clinical content is illustrative and not for patient care.";

#[derive(Parser)]
#[command(name = "waterjar", version = crate::version::VERSION, about, after_help = AFTER_HELP, arg_required_else_help = true)]
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
    Vary(VaryArgs),
    /// Ask the subjects what they were not asked yet
    #[command(mut_arg("limit", |limit| limit.hide(true)))]
    Answer(AskingArgs),
    /// Judge the answers that are there
    #[command(mut_arg("limit", |limit| limit.hide(true)))]
    Judge(AskingArgs),
    /// Compute the figures from the verdicts, and write the report anew where there is one
    #[command(mut_arg("limit", |limit| limit.hide(true)))]
    Measure(MeasureArgs),
    /// Write report.html, or tables
    Report(ReportArgs),
    /// Declare a study before it is run: hashes of its suites, catalogs, prompts, subjects, seed, repeats and bounds, in a lock beside it: reg.toml gives reg.lock
    Register(RegisterArgs),
    /// How many families are needed to know each figure well enough, and to tell two subjects apart
    Plan(PlanArgs),
    /// Carry out the study against a simulated endpoint: count calls and tokens, estimate cost and time, spend nothing
    Rehearse(RehearseArgs),
    /// Check keys, endpoints, privacy, sources, the place for the run and the disk, and say what to do
    Doctor(DoctorArgs),
    /// Grow the memory of the study's ECR agent from training cases. Started again, it goes on
    Evolve(EvolveArgs),
    /// Figures from outputs made elsewhere
    Score(ScoreArgs),
    /// Inter-rater statistics from a table of ratings
    Agree(AgreeArgs),
    /// Whether printed percentages are possible for the stated number of cases. Exit 1 where they are not
    CheckTable(CheckTableArgs),
    /// Suggest the critical findings of a study's vignettes, by rule or by its author, for somebody to review
    Suggest(SuggestArgs),
    /// Fetch the files of all-MiniLM-L6-v2, which says how alike two texts are
    FetchEmbedder(FetchEmbedderArgs),
    /// How alike two texts are (cosine of their sentence embeddings), pair by pair
    Sts(StsArgs),
    /// Compare subjects or runs pair by pair, with a test and an interval
    Compare(CompareArgs),
    /// Look at runs in a browser: tables and figures, every case, how an answer came about
    Serve(ServeArgs),
    /// Take parts of runs from a shared store and do them, until stopped
    Worker(WorkerArgs),
    /// Move a run from its directory to a PostgreSQL server, or back
    Move(MoveArgs),
    /// Turn a data set into cases
    Import(ImportArgs),
    /// Write out what a run holds
    Export(ExportArgs),
    /// List what there is, or show one case with its variants
    Show(ShowArgs),
    /// Print shell completions
    Completions { shell: clap_complete::Shell },
    /// Print the manual page, or write one for every command
    Man(ManArgs),
    /// Print a page of the documents that is made from the program
    #[command(hide = true)]
    Reference { what: Reference },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Reference {
    Commands,
    Metrics,
    Schema,
}

#[derive(Args)]
pub struct ManArgs {
    /// A folder to write waterjar.1, waterjar-run.1 and so on to
    #[arg(long)]
    pub out: Option<PathBuf>,
}
