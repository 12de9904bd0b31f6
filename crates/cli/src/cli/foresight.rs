//! What can be typed before a study is paid for.

use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct PlanArgs {
    /// The directory of a run, whose own intervals are taken; or a study file, for which shares are assumed
    pub target: PathBuf,
    /// The difference between two subjects that should be seen (a share: 0.05 is 5 points)
    #[arg(long, value_name = "D", default_value_t = 0.05, allow_negative_numbers = true, value_parser = positive)]
    pub difference: f64,
    /// How well a figure should be known: half the width of its 95 % interval (a share: 0.05 is 5 points)
    #[arg(long, value_name = "W", default_value_t = 0.03, allow_negative_numbers = true, value_parser = positive)]
    pub half_width: f64,
    /// With which probability a true difference should be seen
    #[arg(long, value_name = "SHARE", default_value_t = 0.8, allow_negative_numbers = true, value_parser = power)]
    pub power: f64,
    /// For a study file: assume shares of this size; a half needs most [default: 0.5]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = share)]
    pub assume: Option<f64>,
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
    /// Change a setting of the study: study.repeats=3, suite.einstellung.pairs=50
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Assume so many seconds until a model begins to answer
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = amount)]
    pub latency: f64,
    /// Assume that a model writes so many tokens a second
    #[arg(long, value_name = "N", default_value_t = 60.0, value_parser = positive)]
    pub tokens_per_second: f64,
    /// Assume so many tokens for an answer in free text; structured answers are as long as the simulated ones
    #[arg(long, value_name = "N", default_value_t = 800, value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    pub output_tokens: u64,
    /// Assume so many tokens of thinking before each answer, for models that think where the study does not say how much
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
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
    let number: f64 = text.parse().map_err(|_| "it is not a number".to_owned())?;
    if number.is_finite() && number > 0.0 { Ok(number) } else { Err("it must be more than 0".to_owned()) }
}

fn within_a_day(text: &str) -> Result<f64, String> {
    positive(text)
        .and_then(|number| if number <= 86_400.0 { Ok(number) } else { Err("it must be within a day".to_owned()) })
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
    /// Also ask each model one short question, and an embedder for the vector of one word, which costs a few tokens
    #[arg(long)]
    pub ask: bool,
    /// How many seconds to wait for an endpoint
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = within_a_day)]
    pub timeout: f64,
    /// Print the checks as JSON on standard output
    #[arg(long)]
    pub json: bool,
}
