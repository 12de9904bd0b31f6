//! Result files and tests of promptfoo, as version 0.121.20 writes them and its `src/types/index.ts` declares them: `OutputFile` with an
//! `EvaluateSummaryV3` (`--output FILE.json`), or an `EvaluateResult` per line (`--output FILE.jsonl`).

use crate::recorded::{Each, Recorded, Recording, failed, of_error};
use crate::table::Lines;
use crate::{Question, json_list, python_json};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use waterjar_core::{Conclusion, Ending, FailureState, SourceError, SuiteId, Variant};

/// A question as a test. What is in its metadata comes back with the result.
pub fn row(suite: &SuiteId, variant: &Variant, question: &Question) -> Value {
    json!({
        "description": variant.id,
        "vars": { "system": question.instructions, "text": question.prompt.text },
        "metadata": { "id": variant.id, "suite": suite, "question": question.hash, "expected": question.in_words().unwrap_or_default() },
    })
}

/// The answers of one provider in a result file.
pub struct Results {
    path: PathBuf,
    provider: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OneResult {
    #[serde(default)]
    prompt_idx: u32,
    provider: Provider,
    test_case: TestCase,
    #[serde(default)]
    metadata: Option<Map<String, Value>>,
    #[serde(default)]
    vars: Map<String, Value>,
    #[serde(default)]
    response: Option<Response>,
    #[serde(default)]
    error: Option<String>,
    /// 1: an assertion failed, which says nothing of the answer; 2: there is none.
    #[serde(default)]
    failure_reason: u8,
}

#[derive(Deserialize)]
struct Provider {
    id: String,
}

#[derive(Deserialize)]
struct TestCase {
    #[serde(default)]
    metadata: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    #[serde(default)]
    output: Option<Value>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    is_refusal: bool,
    #[serde(default)]
    finish_reason: Option<String>,
}

/// As far as we ask.
#[derive(Deserialize)]
struct Head {
    results: Summary,
}

#[derive(Deserialize)]
struct Summary {
    version: u64,
}

const VERSION: u64 = 3;
const MASKED: &str = "[REDACTED]";

impl Results {
    /// `wanted` is the provider to take, where there are several.
    pub fn open(path: &Path, wanted: Option<&str>) -> Result<Self, SourceError> {
        let bad = |problem: String| SourceError::at(path, problem);
        if !is_lines(path) {
            let head = Head::deserialize(&mut json_list::open(path)?).map_err(|error| {
                bad(format!("is no result file of promptfoo: {error}"))
                    .with_hint("promptfoo writes one with `--output results.json`")
            })?;
            if head.results.version != VERSION {
                return Err(bad(format!("is of version {}; we read version {VERSION}", head.results.version)));
            }
        }
        let mut found = Self { path: path.to_owned(), provider: String::new() };
        let mut providers = BTreeSet::new();
        found.results(&mut |result, _| {
            providers.insert(result.provider.id);
            Ok(())
        })?;
        let names = providers.iter().cloned().collect::<Vec<_>>().join(", ");
        found.provider = match (wanted, providers.len()) {
            (Some(wanted), _) if providers.contains(wanted) => wanted.to_owned(),
            (Some(wanted), _) => {
                return Err(bad(format!("holds nothing of `{wanted}`")).with_hint(format!("it has: {names}")));
            }
            (None, 1) => names,
            (None, 0) => return Err(bad("holds no results".to_owned())),
            (None, _) => {
                return Err(bad("holds answers of several providers".to_owned())
                    .with_hint(format!("choose one with --model: {names}")));
            }
        };
        Ok(found)
    }

    fn results(&self, each: &mut dyn FnMut(OneResult, u64) -> Result<(), SourceError>) -> Result<(), SourceError> {
        let mut number = 0;
        if !is_lines(&self.path) {
            return json_list::each(&self.path, &["results", "results"], &mut |result| {
                number += 1;
                each(result, number)
            });
        }
        for (text, number) in Lines::open(&self.path)?.zip(1..) {
            let bad = |problem: String| SourceError::at_line(&self.path, number, problem);
            let text = text.map_err(bad)?;
            if !text.trim().is_empty() {
                let read = serde_json::from_reader(python_json::PythonJson::new(text.as_bytes()));
                each(read.map_err(|error| bad(format!("is no result of promptfoo: {error}")))?, number)?;
            }
        }
        Ok(())
    }
}

fn is_lines(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "jsonl" || it == "ndjson")
}

impl Recording for Results {
    fn model(&self) -> Option<&str> {
        Some(&self.provider)
    }

    /// Repeats are results of the same test one after another.
    fn each(&self, each: Each<'_>) -> Result<(), SourceError> {
        let mut asked_before: HashMap<String, u32> = HashMap::new();
        let mut prompt = None;
        self.results(&mut |result, number| {
            if result.provider.id != self.provider {
                return Ok(());
            }
            let place = format!("{}, result {number}", self.path.display());
            if *prompt.get_or_insert(result.prompt_idx) != result.prompt_idx {
                return Err(SourceError::new(place, "the questions were asked with several prompts")
                    .with_hint("ask them with one, such as docs/examples/promptfoo_prompt.json"));
            }
            let text_of = |key: &str| result.said(key);
            let Some(id) = text_of("id") else {
                return Err(SourceError::new(place, "its test has no `metadata.id`")
                    .with_hint("use the tests of `waterjar export RUN --format promptfoo`"));
            };
            let before = asked_before.entry(id.clone()).or_default();
            let repeat = *before;
            *before += 1;
            let asked = result.vars.get("text").and_then(Value::as_str).map(str::to_owned).into_iter().collect();
            let (suite, question) = (text_of("suite"), text_of("question"));
            each(Recorded { id, suite, question, asked, repeat, ending: result.ending(), place })
        })
    }
}

impl OneResult {
    /// From the metadata of the test. promptfoo copies it to the result, and in the test's own takes a hash for a secret and masks it.
    fn said(&self, key: &str) -> Option<String> {
        let mut told =
            [&self.metadata, &self.test_case.metadata].into_iter().flatten().filter_map(|it| it.get(key)?.as_str());
        told.find(|text| *text != MASKED).map(str::to_owned)
    }

    fn ending(self) -> Ending {
        let Some(response) = self.response else {
            return of_error(self.error.as_deref().unwrap_or("the result holds no response"));
        };
        if let Some(error) = response.error.or(self.error.filter(|_| self.failure_reason == 2)) {
            return of_error(&error);
        }
        match response.finish_reason.as_deref() {
            Some("length" | "max_tokens") => {
                return failed(FailureState::InvalidOutput, "the answer was cut at the token limit");
            }
            Some("content_filter") => return failed(FailureState::Refused, "withheld by the vendor's content filter"),
            _ => {}
        }
        let said = match response.output {
            Some(Value::String(text)) => text,
            None | Some(Value::Null) => String::new(),
            Some(other) => other.to_string(),
        };
        match said.trim().is_empty() {
            true if response.is_refusal => failed(FailureState::Refused, "the model refused"),
            true => failed(FailureState::InvalidOutput, "the answer is empty"),
            false => Ending::Ok(Conclusion { text: said, reasoning: None, record: None }),
        }
    }
}
