//! What can be typed to get figures from files and runs.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

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
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub n: Option<u64>,
    /// Where that is not possible, try so many fewer and more
    #[arg(long, value_name = "N", default_value_t = 50, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(0..=1000))]
    pub within: u64,
    /// Print what was found as JSON on standard output
    #[arg(long)]
    pub json: bool,
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
    /// Print figures as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

/// What a row is about rather than how it was rated; from `suite` on those of `export --failures`, from `story` on those of
/// `export --stories` and what raters add to them.
const NOT_RATERS: &str = "item,id,case,suite,subject,repeat,right_answer,given_answer,key_evidence,reasoning,decided_by,\
                          story,diagnosis_a,diagnosis_b,sure,note";

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
    /// The run that a sheet of `waterjar export RUN --stories` is from: also tells how often each rater chose the diagnosis that its key holds
    /// to be right
    #[arg(long, value_name = "RUN", conflicts_with_all = ["suite", "scale", "categories"])]
    pub key: Option<PathBuf>,
    /// Seeds the bootstrap
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Print the statistics as JSON on standard output
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
    /// Print the similarities as JSON on standard output
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
    /// Compare every subject of one run with this one, which may be a reference; the first of the study when left out
    #[arg(long, value_name = "SUBJECT")]
    pub against: Option<String>,
    /// The metric to compare; what each suite is about when left out
    #[arg(long)]
    pub metric: Option<String>,
    /// The runs are editions of one benchmark: the same patients, asked about in other words
    #[arg(long)]
    pub editions: bool,
    /// Seeds the bootstrap [default: the seed of the study; of two runs, of the first]
    #[arg(long)]
    pub seed: Option<u64>,
    /// Print the comparisons as JSON on standard output
    #[arg(long)]
    pub json: bool,
}
