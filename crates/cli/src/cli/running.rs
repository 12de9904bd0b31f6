//! What can be typed to carry out a study, pass by pass.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// As many families as a report shows in full where nobody says how many.
pub const FAMILIES: usize = 60;

#[derive(Args)]
pub struct RegisterArgs {
    /// A study file
    pub study: PathBuf,
    /// Declare anew what was declared before
    #[arg(long)]
    pub again: bool,
    /// Commit the lock, and nothing else, to the git repository it lies in: the commit says when it was there
    #[arg(long)]
    pub commit: bool,
    /// Keep the token of a time-stamping authority (RFC 3161: `openssl ts -query -data STUDY.lock -sha256 -cert`) for a lock that is there
    #[arg(long, value_name = "FILE", conflicts_with_all = ["again", "commit"])]
    pub token: Option<PathBuf>,
}

#[derive(Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub pass: PassArgs,
    /// Ask again what ended without an answer: refused, timed out, unusable
    #[arg(long)]
    pub retry_failed: bool,
    /// Families shown in full in the report
    #[arg(long, default_value_t = FAMILIES)]
    pub families: usize,
    /// Ask and judge nothing here: plan, and wait until workers have done it (`waterjar worker`)
    #[arg(long)]
    pub workers_only: bool,
    /// Also write the bounds as JUnit XML, a test for each
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

#[derive(Args)]
pub struct VaryArgs {
    #[command(flatten)]
    pub asking: AskingArgs,
    /// Make the next edition of the letters of a run: no question of it is asked again
    #[arg(long)]
    pub fresh: bool,
}

/// A pass that may ask models.
#[derive(Args)]
pub struct AskingArgs {
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
    /// Keep the run on a PostgreSQL server, where others can work on it: postgres://USER@HOST/DATABASE[?run=NAME&team=NAME].
    /// The password comes from PGPASSWORD or ~/.pgpass
    #[arg(long, value_name = "URL")]
    pub store: Option<String>,
    // Passes that make no families do not offer it, and say so where it is typed.
    /// At most so many families of each suite, where they are made: `run` and `vary`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Change a setting of the study: study.seed=8, suite.einstellung.pairs=50, 'models."openai/gpt-5".temperature=0'
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Print figures as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct MeasureArgs {
    #[command(flatten)]
    pub pass: PassArgs,
    /// Whose verdicts: `humans` for what people rated (`waterjar serve`), with the run's figures corrected by them
    #[arg(long, value_name = "JUDGE", value_parser = ["humans"])]
    pub judge: Option<String>,
    /// Also write the bounds as JUnit XML, a test for each
    #[arg(long, value_name = "FILE", conflicts_with = "judge")]
    pub junit: Option<PathBuf>,
}

#[derive(Args)]
pub struct ReportArgs {
    /// The directory of a run
    pub run: PathBuf,
    /// html, csv, latex, markdown; several with commas
    #[arg(long, value_delimiter = ',', default_value = "html")]
    pub format: Vec<Format>,
    /// Also write every figure as a file of its own into RUN/figures, with its numbers beside it (.csv): svg, png
    #[arg(long, value_delimiter = ',', value_name = "KIND")]
    pub figures: Vec<FigureKind>,
    /// Families shown in full in the HTML report
    #[arg(long, default_value_t = FAMILIES)]
    pub families: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FigureKind {
    Svg,
    Png,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Html,
    Csv,
    Latex,
    Markdown,
}

#[derive(Args)]
pub struct EvolveArgs {
    /// A study file with a subject whose agent is `ecr`
    pub study: PathBuf,
    /// The folder of the memory [default: what the subject names as `memory`]
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Whose memory, where several subjects of the study have one
    #[arg(long)]
    pub subject: Option<String>,
    /// At most so many training cases of each condition
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub per_condition: u32,
    /// Change a setting of the study: study.seed=8
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Print the counts as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct SuggestArgs {
    /// A study file with the suite `parity`
    pub study: PathBuf,
    /// The vignettes with their findings marked, as text; when reviewed, the study's `source` is "tagged:FILE"
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Mark anew what the source marks already
    #[arg(long)]
    pub anew: bool,
    /// Write over what is there
    #[arg(long)]
    pub force: bool,
    /// Change a setting of the study: suite.parity.author=rules
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Args)]
pub struct FetchEmbedderArgs {
    /// The folder to put them in; the user's data folder when left out
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<PathBuf>,
    /// An address that holds model.safetensors and tokenizer.json, such as a mirror of one's own
    #[arg(long, value_name = "URL")]
    pub from: Option<String>,
}
