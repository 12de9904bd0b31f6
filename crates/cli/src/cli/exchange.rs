//! What can be typed to bring data in and out, and to look at what there is.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use waterjar_vignettes::import::Kind;

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
#[command(group(clap::ArgGroup::new("what").required(true).args(["format", "failures", "stories"])))]
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
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["out", "suite", "subject", "sample"])]
    pub failures: Option<PathBuf>,
    /// The stories of trap pairs with two diagnoses each, as a CSV that tells nobody what was changed. Raters write which of the two it is into
    /// columns of their own, and `waterjar agree FILE.csv --key RUN` holds them against the key
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["out", "suite", "subject"])]
    pub stories: Option<PathBuf>,
    /// So many stories, by lot: of each role, and of pure and mixed traps, as many as are their share. All when left out
    #[arg(long, requires = "stories", value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub sample: Option<u64>,
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
