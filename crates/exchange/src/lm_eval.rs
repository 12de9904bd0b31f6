//! Sample logs and tasks of lm-eval. The format is what version 0.4.13 writes with `--log_samples` (`lm_eval/evaluator.py`, `result_schema.py` in its
//! package): a JSON line per question and filter, with the question's row (`doc`) and what the model said (`resps`).

use crate::recorded::{Each, Recorded, Recording, failed};
use crate::table::Lines;
use crate::{Question, python_json};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use waterjar_core::{Conclusion, Ending, FailureState, SourceError, SuiteId, Variant};

/// A question as a row of the task's data set. What is in it comes back in the log.
pub fn row(suite: &SuiteId, variant: &Variant, question: &Question) -> Value {
    json!({
        "id": variant.id,
        "suite": suite,
        "question": question.hash,
        "family": variant.family,
        "role": variant.role(),
        "system": question.instructions,
        "text": question.prompt.text,
        "target": question.target(),
        "expected": question.in_words(),
    })
}

/// The task that asks them. Its one figure is a first look: whether what is expected is all that was said.
pub fn task(suite: &SuiteId, questions: &str, repeats: u32) -> String {
    let questions = serde_json::to_string(questions).expect("a text is JSON");
    format!(
        "# Made by `waterjar export`; paths start where lm_eval is started.\n\
         task: waterjar_{suite}\n\
         dataset_path: json\n\
         dataset_kwargs:\n  data_files:\n    test: {questions}\n\
         test_split: test\n\
         output_type: generate_until\n\
         doc_to_text: \"{{{{system}}}}\\n\\n{{{{text}}}}\"\n\
         doc_to_target: \"{{{{target}}}}\"\n\
         generation_kwargs:\n  until: []\n  max_gen_toks: 4096\n\
         repeats: {repeats}\n\
         filter_list:\n- name: none\n  filter:\n  - function: take_first\n\
         metric_list:\n- metric: exact_match\n"
    )
}

/// `samples_TASK_DATE.jsonl`
pub struct Samples {
    path: PathBuf,
    model: Option<String>,
}

#[derive(Deserialize)]
struct Line {
    doc: Value,
    resps: Vec<Vec<Value>>,
    #[serde(default)]
    filter: Option<String>,
}

impl Samples {
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        Lines::open(path)?;
        Ok(Self { path: path.to_owned(), model: model_beside(path) })
    }

    fn line(&self, text: &str, number: u64) -> Result<Line, SourceError> {
        let read = serde_json::from_reader(python_json::PythonJson::new(text.as_bytes()));
        read.map_err(|error| {
            SourceError::at_line(&self.path, number, format!("is no line of a sample log: {error}"))
                .with_hint("lm_eval writes samples_TASK_DATE.jsonl with --log_samples and --output_path")
        })
    }
}

/// lm-eval names the model in the results beside the samples, if anywhere.
fn model_beside(samples: &Path) -> Option<String> {
    #[derive(Deserialize)]
    struct Results {
        model_name: Option<String>,
    }
    let date = samples.file_stem()?.to_str()?.rsplit_once('_')?.1.to_owned();
    let text = std::fs::read(samples.with_file_name(format!("results_{date}.json"))).ok()?;
    let results: Results = serde_json::from_reader(python_json::PythonJson::new(text.as_slice())).ok()?;
    results.model_name.filter(|name| !name.trim().is_empty())
}

impl Recording for Samples {
    fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// A question is there once for every filter; what the model said is the same.
    fn each(&self, each: Each<'_>) -> Result<(), SourceError> {
        let mut first = None;
        for (text, number) in Lines::open(&self.path)?.zip(1..) {
            let bad = |problem: String| SourceError::at_line(&self.path, number, problem);
            let text = text.map_err(bad)?;
            if text.trim().is_empty() {
                continue;
            }
            let Line { doc, resps, filter } = self.line(&text, number)?;
            if *first.get_or_insert_with(|| filter.clone()) != filter {
                continue;
            }
            let text_of = |key: &str| doc.get(key).and_then(Value::as_str).map(str::to_owned);
            let Some(id) = text_of("id") else {
                return Err(bad("its `doc` has no `id`".to_owned())
                    .with_hint("ask the questions of `waterjar export RUN --format lm-eval`"));
            };
            for (said, repeat) in resps.into_iter().next().unwrap_or_default().into_iter().zip(0..) {
                let Value::String(said) = said else {
                    return Err(bad("holds likelihoods and no answers".to_owned())
                        .with_hint("the task must be of output_type generate_until"));
                };
                each(Recorded {
                    id: id.clone(),
                    suite: text_of("suite"),
                    question: text_of("question"),
                    asked: text_of("text").into_iter().collect(),
                    repeat,
                    ending: ending(said),
                    place: format!("{}, line {number}", self.path.display()),
                })?;
            }
        }
        Ok(())
    }
}

fn ending(said: String) -> Ending {
    if said.trim().is_empty() {
        return failed(FailureState::InvalidOutput, "the answer is empty");
    }
    Ending::Ok(Conclusion { text: said, reasoning: None, record: None })
}
