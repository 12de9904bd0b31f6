//! What can be typed.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use waterjar_vignettes::import::Kind;

const AFTER_HELP: &str = "\
Exit codes: 0 done · 1 a bound was broken · 2 bad input or settings · 3 finished with missing answers · \
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
    Answer(AskingArgs),
    /// Judge the answers that are there
    Judge(AskingArgs),
    /// Compute the figures from the verdicts
    Measure(MeasureArgs),
    /// Write report.html, or tables
    Report(ReportArgs),
    /// Declare a study before it is run: hashes of its suites, catalogs, prompts, seed and bounds, in STUDY.lock
    Register(RegisterArgs),
    /// How many cases are needed to know each figure well enough, and to tell two subjects apart
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
    /// Pairs shown in full in the report
    #[arg(long, default_value_t = 60)]
    pub families: usize,
    /// Ask and judge nothing here: plan, and wait until workers have done it (`waterjar worker`)
    #[arg(long)]
    pub workers_only: bool,
    /// Also write the bounds as JUnit XML, a test for each
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

#[derive(Args)]
pub struct WorkerArgs {
    /// The server that holds the runs: postgres://USER@HOST/DATABASE[?team=NAME]. The password comes from PGPASSWORD or ~/.pgpass
    #[arg(long, value_name = "URL", env = "WATERJAR_STORE", hide_env_values = true)]
    pub store: String,
    /// Take only parts with one of these labels: answer, judge, cpu (no model over a network), model:NAME
    #[arg(long, value_name = "LABEL", value_delimiter = ',')]
    pub take: Vec<String>,
    /// Parts at once, of some 32 questions each
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub at_once: u16,
    /// Seconds of silence after which what this worker had goes to others
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(3..))]
    pub lease: u64,
    /// Stop after so many seconds without work, instead of waiting for more
    #[arg(long, value_name = "SECONDS")]
    pub until_idle: Option<u64>,
    /// Start the programs that studies name (`command`): whoever can plan a run in the team then runs commands here
    #[arg(long)]
    pub programs: bool,
    /// Answer /healthz and /metrics at this address
    #[arg(long, value_name = "ADDRESS")]
    pub health: Option<std::net::SocketAddr>,
}

#[derive(Args)]
pub struct MoveArgs {
    /// The directory of a run
    pub run: PathBuf,
    /// Where to: postgres://USER@HOST/DATABASE[?run=NAME&team=NAME]; without it, from the server back into the directory
    #[arg(long, value_name = "URL")]
    pub store: Option<String>,
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
    /// At most so many families of each suite
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Change a setting of the study: study.seed=8, suite.pairs=50, 'models."openai/gpt-5".temperature=0'
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
    /// Pairs shown in full in the HTML report
    #[arg(long, default_value_t = 60)]
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
pub struct PlanArgs {
    /// The directory of a run, whose own intervals are taken; or a study file, for which shares are assumed
    pub target: PathBuf,
    /// The difference between two subjects that should be seen
    #[arg(long, value_name = "D", default_value_t = 0.05, value_parser = positive)]
    pub difference: f64,
    /// How well a figure should be known: half the width of its 95 % interval
    #[arg(long, value_name = "W", default_value_t = 0.03, value_parser = positive)]
    pub half_width: f64,
    /// With which probability a true difference should be seen
    #[arg(long, value_name = "SHARE", default_value_t = 0.8, value_parser = power)]
    pub power: f64,
    /// For a study file: assume shares of this size; a half needs most
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    pub assume: f64,
    /// Change a setting of the study
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Print what was found as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct RehearseArgs {
    /// A study file
    pub study: PathBuf,
    /// Rehearse at most so many families of each suite, and extrapolate to the rest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Change a setting of the study: study.repeats=3, suite.pairs=50
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Assume so many seconds until a model begins to answer
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = amount)]
    pub latency: f64,
    /// Assume that a model writes so many tokens a second
    #[arg(long, value_name = "N", default_value_t = 60.0, value_parser = positive)]
    pub tokens_per_second: f64,
    /// Assume so many tokens for an answer in free text; structured answers are as long as the simulated ones
    #[arg(long, value_name = "N", default_value_t = 800)]
    pub output_tokens: u64,
    /// Assume so many tokens of thinking before each answer, for models that think where the study does not say how much
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub thinking_tokens: u64,
    /// Assume so many letters to the token; English has about 4, and 3 rather counts too many tokens than too few
    #[arg(long, value_name = "N", default_value_t = 3.0, value_parser = positive)]
    pub letters_per_token: f64,
    /// Assume so many calls at once at an endpoint for which the study does not say
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    pub concurrency: u32,
    /// Assume that this share of structured answers cannot be used and is asked for again
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub asked_again: f64,
    /// Assume that the committee accepts this share of the pairs a model wrote
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share)]
    pub accepted: f64,
    /// Print figures as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

fn amount(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "it is not a number".to_owned())?;
    if number.is_finite() && number >= 0.0 { Ok(number) } else { Err("it must be 0 or more".to_owned()) }
}

fn positive(text: &str) -> Result<f64, String> {
    amount(text).and_then(|number| if number > 0.0 { Ok(number) } else { Err("it must be more than 0".to_owned()) })
}

fn power(text: &str) -> Result<f64, String> {
    let between = |number: f64| {
        if number > 0.5 && number < 1.0 { Ok(number) } else { Err("it must be between 0.5 and 1".to_owned()) }
    };
    amount(text).and_then(between)
}

fn share(text: &str) -> Result<f64, String> {
    amount(text)
        .and_then(|number| if number <= 1.0 { Ok(number) } else { Err("it must be between 0 and 1".to_owned()) })
}

#[derive(Args)]
pub struct DoctorArgs {
    /// A study file
    pub study: PathBuf,
    /// The directory of the run [default: runs/NAME]
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Change a setting of the study
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Also ask each model one short question, which costs a few tokens
    #[arg(long)]
    pub ask: bool,
    /// How many seconds to wait for an endpoint
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = positive)]
    pub timeout: f64,
    /// Print the checks as JSON on standard output
    #[arg(long)]
    pub json: bool,
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
#[command(
    after_help = "A row is a name and what is printed of it. A head may say what a column is: `trap: of base` (a share of the cases that \
column `base` counts), `C: of 80 in halves`, `dxy: in thirds`, `wrong: part` and `right: part worth 1` (together all cases), `css: score share` \
(their mean worth, printed as .432), `A: group of 129` (the score of at most 129 of the cases)."
)]
pub struct CheckTableArgs {
    /// A table as it is printed, as CSV; a column `n` says of how many cases each row is
    pub file: PathBuf,
    /// Of how many cases all rows are said to be
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub n: Option<u64>,
    /// Where that is not possible, try so many fewer and more
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(0..=1000))]
    pub within: u64,
    /// Print what was found as JSON on standard output
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
    /// Change a setting of the study: suite.parity.author=rules
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Args)]
pub struct FetchEmbedderArgs {
    /// The folder to put them in; the user's data folder when left out
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,
    /// An address that holds model.safetensors and tokenizer.json, such as a mirror of one's own
    #[arg(long, value_name = "URL")]
    pub from: Option<String>,
}

#[derive(Args)]
pub struct ScoreArgs {
    /// The suite the outputs are for
    pub suite: String,
    /// JSON Lines, CSV or Parquet
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Seeds the bootstrap
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Says how alike two texts are, where a suite asks: auto, minilm, minilm-windows, lexical, or vendor/model
    #[arg(long, default_value = "auto")]
    pub embedder: String,
    #[arg(long)]
    pub json: bool,
}

/// What a row is about rather than how it was rated; the last of them are those of `export --failures`.
const NOT_RATERS: &str =
    "item,id,case,suite,subject,repeat,right_answer,given_answer,key_evidence,reasoning,decided_by";

#[derive(Args)]
pub struct ServeArgs {
    /// Directories of runs, or of folders with runs in them
    #[arg(required_unless_present = "store", value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// All runs of a team on a PostgreSQL server: postgres://USER@HOST/DATABASE[?team=NAME]
    #[arg(long, value_name = "URL")]
    pub store: Option<String>,
    /// Where to listen. Only this machine can reach a loopback address; any other needs a password
    #[arg(long, default_value = "127.0.0.1:8787", value_name = "ADDRESS:PORT")]
    pub listen: std::net::SocketAddr,
    /// A file whose first line is the owner's password; or set WATERJAR_PASSWORD. Raters need none: they have links of their own
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Where others reach this server behind a proxy (`https://rate.example.org`): for raters' links and the name it answers to
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// A folder of forms (TOML) beside those that come with the program
    #[arg(long, value_name = "DIR")]
    pub forms: Option<PathBuf>,
    /// A file with the token that POST /v1/score asks for; WATERJAR_TOKEN in the environment does as well. Without one, scoring is off
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

#[derive(Args)]
pub struct AgreeArgs {
    /// A CSV with a column per rater and a row per item (other columns are named with --items), or JSON Lines of
    /// {"item", "rater", "rating"}; or a run that several judges have judged: their grades, or outcomes, of every answer
    pub file: PathBuf,
    /// The suite of the run, where several were judged more than once
    #[arg(long)]
    pub suite: Option<String>,
    /// What the ratings are
    #[arg(long, value_enum, default_value = "nominal")]
    pub scale: Scale,
    /// All ratings of the scale, in order; those seen when left out. Matters for AC1 and Brennan–Prediger
    #[arg(long, value_delimiter = ',', value_name = "A,B,C")]
    pub categories: Vec<String>,
    /// Columns of the CSV that are not raters
    #[arg(long, value_delimiter = ',', default_value = NOT_RATERS, value_name = "COLUMNS")]
    pub items: Vec<String>,
    /// Seeds the bootstrap
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct StsArgs {
    /// A CSV with a heading and two columns, or JSON Lines of {"a", "b"}
    pub file: PathBuf,
    /// The folder of all-MiniLM-L6-v2 (model.safetensors, tokenizer.json) [default: where it was fetched to, or a Python package]
    #[arg(long, value_name = "FOLDER")]
    pub model: Option<PathBuf>,
    /// Read texts of more than 256 tokens whole, in windows, instead of their beginning
    #[arg(long)]
    pub windows: bool,
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
    /// Compare every subject with this one, which may be a reference; in one run, the first by name when left out
    #[arg(long, value_name = "SUBJECT")]
    pub against: Option<String>,
    /// The metric to compare
    #[arg(long, default_value = "bias_trap_rate")]
    pub metric: String,
    /// The runs are editions of one benchmark: the same patients, asked about in other words
    #[arg(long)]
    pub editions: bool,
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
    /// Charts: FHIR bundles and NDJSON, Synthea, mCODE and OMOP tables, notes as CSV or JSON, a folder of texts, as dated packets.
    /// Says what was read and what was left out
    Charts {
        path: PathBuf,
        /// Leave names, addresses, numbers and dates as they are
        #[arg(long)]
        keep_identifiers: bool,
        /// Decides by how many days the dates of a chart move, and what it is called
        #[arg(long, default_value_t = 7)]
        seed: u64,
        /// Where to write the packets as JSON Lines; standard output when left out
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Vignettes of others, or of yours in a table: as text with their critical findings marked, to be reviewed and then used as
    /// source = "tagged:FILE"
    Vignettes {
        /// What the file holds
        #[arg(value_parser = clap::builder::PossibleValuesParser::new(Kind::ALL.map(|(name, _)| name)))]
        kind: String,
        path: PathBuf,
        /// The TOML file that says which columns mean what; for csv
        #[arg(long)]
        mapping: Option<PathBuf>,
        /// The longest findings only, so many of each vignette; all when left out
        #[arg(long)]
        spans: Option<usize>,
        /// Where to write the text; standard output when left out
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Answers that Inspect AI recorded, to the questions of `waterjar export RUN --format inspect-dataset`: into the run, as those of a
    /// subject of their own. Then `waterjar judge RUN` and `waterjar measure RUN`
    Inspect(RecordedArgs),
    /// The same of sample logs of lm-eval (samples_*.jsonl)
    LmEval(RecordedArgs),
    /// The same of result files of promptfoo (.json or .jsonl)
    Promptfoo(RecordedArgs),
    /// Published trap pairs (MedEinst): rows of one text or of a whole pair, as one row per pair
    Medeinst {
        /// JSON Lines
        path: PathBuf,
        /// Where to write the pairs as JSON Lines; standard output when left out
        #[arg(long)]
        out: Option<PathBuf>,
    },
}

/// Answers made elsewhere.
#[derive(Args)]
pub struct RecordedArgs {
    /// What the other tool wrote
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The directory of the run whose questions were answered
    #[arg(long, value_name = "RUN")]
    pub into: PathBuf,
    /// What the run calls who answered [default: the tool and the model, such as inspect:openai/gpt-5]
    #[arg(long, value_name = "NAME")]
    pub subject: Option<String>,
    /// Whose answers to take, where a file holds those of several
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// The suite that was answered, where the files do not tell
    #[arg(long, value_name = "SUITE")]
    pub suite: Option<String>,
    /// Take these answers where the run holds others of the same subject already
    #[arg(long)]
    pub replace: bool,
}

#[derive(Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["format", "failures"])))]
pub struct ExportArgs {
    /// The directory of a run
    pub run: PathBuf,
    /// Benchmark, answers and verdicts for another tool
    #[arg(long, requires = "out")]
    pub format: Option<ExportFormat>,
    /// Where to: a folder for hf, a file for the others; for inspect also a folder, with a log for every suite and subject
    #[arg(long, requires = "format", value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// This suite alone; for formats that hold one
    #[arg(long, requires = "format", value_name = "SUITE")]
    pub suite: Option<String>,
    /// This subject alone; for inspect
    #[arg(long, requires = "format", value_name = "SUBJECT")]
    pub subject: Option<String>,
    /// The answers that kept the old diagnosis after a right control, as a CSV: evidence, reasoning, and the auditor's
    /// label. Add a column with a person's labels and give it to `waterjar agree`
    #[arg(long, value_name = "FILE.csv")]
    pub failures: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A folder in the layout of Hugging Face: Parquet, JSON Lines and a data card
    Hf,
    /// Answers and verdicts as a log of Inspect AI (.eval or .json), to look at and to score again there
    Inspect,
    /// The questions of a suite for Inspect's solvers (.jsonl); `waterjar import inspect` brings the answers back
    InspectDataset,
    /// The same for lm-eval: a folder with the questions and a task that asks them
    LmEval,
    /// The same for promptfoo: tests (.jsonl)
    Promptfoo,
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
    /// The vendors of other models: where they are, and the variable that holds the key
    Vendors,
    /// The shape of a study file as JSON schema, for editors
    Schema,
    /// One case of a run: its variants as a diff, the answers, and how an agent that keeps a record came to its own
    Case(CaseArgs),
}

#[derive(Args)]
pub struct CaseArgs {
    /// The directory of a run
    pub run: PathBuf,
    /// The case; the first of the run when left out
    pub case: Option<String>,
    /// Whose record to show; the first subject's that keeps one when left out
    #[arg(long, value_name = "SUBJECT")]
    pub subject: Option<String>,
    /// The variant it answers, by its role: control, trap or sham; swapped or neutral; or the id of an intervention
    #[arg(long, default_value = "trap")]
    pub variant: String,
    /// Also write the record's graph: .svg to look at, .dot for Graphviz, .json for programs
    #[arg(long, value_name = "FILE")]
    pub graph: Option<PathBuf>,
}
