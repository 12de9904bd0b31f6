//! What a study says about a model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64};
use waterjar_core::{Reasoning, Sampling};

/// `[models."local/qwen3-32b"]`. Everything may be left out for a model of a known vendor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ModelSpec {
    /// Where it is: `http://127.0.0.1:8000/v1`.
    pub url: Option<String>,
    /// `openai`, `anthropic`, `gemini` or `waterjar`, or a vendor whose dialect it speaks: `vllm`.
    pub api: Option<String>,
    /// The name sent, if it is not what follows the first slash of the id.
    pub model: Option<String>,
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    pub temperature: Option<f64>,
    pub seed: Option<u64>,
    pub max_tokens: Option<u32>,
    pub reasoning: Option<Reasoning>,
    pub top_logprobs: Option<u8>,
    /// For one attempt; what the study's `[limits]` say unless told, and there 300 s.
    pub timeout_seconds: Option<f64>,
    pub requests_per_minute: Option<NonZeroU32>,
    pub tokens_per_minute: Option<NonZeroU64>,
    pub concurrency: Option<NonZeroU32>,
    /// Sent with every request. `$NAME` as a value is read from the environment.
    pub headers: BTreeMap<String, String>,
    /// How it is asked: `batch` gathers questions into the vendor's batches, at half the price and within a day.
    pub mode: Mode,
    /// Questions in one batch at most; 5,000 unless told.
    pub batch_size: Option<NonZeroU32>,
    /// A batch is sent when no question has come for so long; 5 s unless told.
    pub batch_wait_seconds: Option<f64>,
    /// Between two looks at a batch; 30 s unless told.
    pub poll_seconds: Option<f64>,
    /// A program to ask instead of an address: `["python3", "my_model.py"]`.
    pub command: Option<Vec<String>>,
    /// How many of the program run at once; 1 unless told.
    pub processes: Option<NonZeroU32>,
    /// The variables of the environment that the program may see, beside `PATH`, `HOME` and `LANG`.
    pub env: Vec<String>,
    /// The longest line it may print; 4 MB unless told.
    pub max_line_bytes: Option<NonZeroU64>,
    /// How often in a row it is started again without a reply between; 10 unless told.
    pub restarts: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// One call for each question, at once.
    #[default]
    Calls,
    Batch,
}

/// A year, in seconds.
const LONGEST_TIMEOUT: f64 = 31_536_000.0;

/// Headers that say how a request is framed: another value would cut its body off or lead it elsewhere.
const OF_THE_REQUEST: [&str; 13] = [
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

impl ModelSpec {
    /// What cannot be meant, as `key: problem`.
    pub fn check(&self) -> Result<(), String> {
        if let Some(temperature) = self.temperature
            && !(temperature.is_finite() && temperature >= 0.0)
        {
            return Err(format!("temperature: {temperature} is not a number from 0 upwards"));
        }
        if self.max_tokens == Some(0) {
            return Err("max_tokens: with 0 nothing could be answered".to_owned());
        }
        if let Some(seconds) = self.timeout_seconds
            && !(seconds > 0.0 && seconds <= LONGEST_TIMEOUT)
        {
            return Err(format!("timeout_seconds: {seconds} is not a number of seconds within a year"));
        }
        if self.key_env.as_ref().is_some_and(|name| name.trim().is_empty()) {
            return Err("key_env: it names no variable; leave it out where no key is sent".to_owned());
        }
        if let Some(name) =
            self.headers.keys().find(|name| OF_THE_REQUEST.contains(&name.to_ascii_lowercase().as_str()))
        {
            return Err(format!("headers: `{name}` is set by each request itself; leave it out"));
        }
        self.check_batch()?;
        match &self.command {
            Some(command) => self.check_program(command),
            None => self.check_no_program(),
        }
    }

    fn check_batch(&self) -> Result<(), String> {
        for (key, seconds) in [("batch_wait_seconds", self.batch_wait_seconds), ("poll_seconds", self.poll_seconds)] {
            if let Some(seconds) = seconds
                && !(0.0..86_400.0).contains(&seconds)
            {
                return Err(format!("{key}: {seconds} is not a number of seconds within a day"));
            }
        }
        let of_batches = [
            ("batch_size", self.batch_size.is_some()),
            ("batch_wait_seconds", self.batch_wait_seconds.is_some()),
            ("poll_seconds", self.poll_seconds.is_some()),
        ];
        match of_batches.iter().find(|(_, is_there)| *is_there && self.mode != Mode::Batch) {
            Some((key, _)) => Err(format!("{key}: it is for batches, and there is no mode = \"batch\"")),
            None => Ok(()),
        }
    }

    fn check_program(&self, command: &[String]) -> Result<(), String> {
        if command.first().is_none_or(|program| program.trim().is_empty()) {
            return Err("command: it names no program; write command = [\"python3\", \"my_model.py\"]".to_owned());
        }
        let at_an_address = [
            ("url", self.url.is_some()),
            ("api", self.api.is_some()),
            ("key_env", self.key_env.is_some()),
            ("headers", !self.headers.is_empty()),
            ("mode", self.mode == Mode::Batch),
        ];
        if let Some((key, _)) = at_an_address.iter().find(|(_, is_there)| *is_there) {
            let hint = if *key == "key_env" { "; name the variable in `env`" } else { "" };
            return Err(format!("{key}: it is for a model at an address, and `command` names a program{hint}"));
        }
        match self.env.iter().find(|name| name.trim().is_empty() || name.contains(['=', '\0'])) {
            Some(name) => Err(format!("env: `{name}` is no name of a variable; values stay in the environment")),
            None => Ok(()),
        }
    }

    fn check_no_program(&self) -> Result<(), String> {
        let of_programs = [
            ("processes", self.processes.is_some()),
            ("env", !self.env.is_empty()),
            ("max_line_bytes", self.max_line_bytes.is_some()),
            ("restarts", self.restarts.is_some()),
        ];
        match of_programs.iter().find(|(_, is_there)| *is_there) {
            Some((key, _)) => Err(format!("{key}: it is for a program, and there is no `command`")),
            None => Ok(()),
        }
    }

    /// What is sampled where the request leaves it open.
    pub fn sampling(&self) -> Sampling {
        Sampling {
            temperature: self.temperature,
            seed: self.seed,
            max_tokens: self.max_tokens,
            stop: Vec::new(),
            reasoning: self.reasoning,
            top_logprobs: self.top_logprobs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_says_what_it_needs_and_no_more() {
        let text = "url = \"http://127.0.0.1:8000/v1\"\napi = \"openai\"\nreasoning = { tokens = 2000 }\n[headers]\nx-team = \"a\"";
        let spec: ModelSpec = toml::from_str(text).expect("the example of the documentation");
        assert_eq!(spec.reasoning, Some(Reasoning::Tokens(2000)));
        assert!(toml::from_str::<ModelSpec>("tempreature = 0").is_err());
    }

    #[test]
    fn no_limit_is_none() {
        for key in ["concurrency", "requests_per_minute", "tokens_per_minute"] {
            assert!(toml::from_str::<ModelSpec>(&format!("{key} = 0")).is_err(), "{key}");
            assert!(toml::from_str::<ModelSpec>(&format!("{key} = 5")).is_ok(), "{key}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_named_with_its_key() {
        for (key, bad, good) in [
            ("temperature", "nan", "0"),
            ("temperature", "-0.5", "2"),
            ("max_tokens", "0", "1"),
            ("timeout_seconds", "0", "0.5"),
            ("timeout_seconds", "1e30", "86400"),
            ("headers", "{ Content-Length = '1' }", "{ x-team = 'a' }"),
            ("headers", "{ host = 'h' }", "{}"),
            ("key_env", "''", "'K'"),
            ("command", "[]", "['python3', 'm.py']"),
        ] {
            let checked = |value| toml::from_str::<ModelSpec>(&format!("{key} = {value}")).expect("a spec").check();
            assert!(checked(bad).is_err_and(|told| told.starts_with(key)), "{key} = {bad}");
            assert_eq!(checked(good), Ok(()), "{key} = {good}");
        }
    }

    #[test]
    fn a_program_has_no_address_and_an_address_no_processes() {
        let problem = |text: &str| toml::from_str::<ModelSpec>(text).expect("a spec").check().expect_err(text);
        assert!(problem("command = ['a']\nurl = 'http://h'").starts_with("url: "));
        assert!(problem("command = ['a']\nkey_env = 'K'").contains("name the variable in `env`"));
        assert!(problem("command = ['a']\nenv = ['K=1']").starts_with("env: "));
        assert!(problem("processes = 2").starts_with("processes: "));
        assert!(problem("command = ['a']\nmode = 'batch'").starts_with("mode: "));
        assert!(problem("poll_seconds = 5").starts_with("poll_seconds: "));
        assert!(problem("mode = 'batch'\npoll_seconds = -1").starts_with("poll_seconds: "));
    }
}
