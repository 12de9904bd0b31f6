//! Recorded answers of real models (CRAFT-MD, MIT licence), with what a reader should make of them.

use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use waterjar_core::ConditionId;
use waterjar_scoring::answer::Labels;

/// One answer and what it says.
pub struct Recorded {
    pub model: &'static str,
    pub half: Half,
    pub text: String,
    /// The conditions the reader may know.
    pub labels: Vocabulary,
    pub case: String,
    /// The condition named; `None` where none of the known ones is, or several are left open.
    pub gold: Option<ConditionId>,
    /// The condition that would have been right, and whether the data set's grader thought so of this answer.
    pub truth: ConditionId,
    pub graded_right: Option<bool>,
}

/// The reader was made with the first half in view; the second was opened when it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Half {
    Development,
    HeldOut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Vocabulary {
    /// The four choices of the question.
    Choices,
    /// Every condition any of the 450 vignettes offers.
    All,
}

pub struct CraftMd {
    pub answers: Vec<Recorded>,
    choices: HashMap<String, Labels>,
    all: Labels,
}

const MODELS: [&str; 2] = ["gpt4_1106", "mistral-v2"];
const SETTINGS: [&str; 4] = ["vignette", "multiturn", "singleturn", "summarized"];
/// These ask for a test, a treatment or a mechanism, not for a diagnosis.
const NO_DIAGNOSIS: [&str; 10] = [
    "case_1712",
    "case_2102",
    "case_2119",
    "case_219",
    "case_2631",
    "case_3149",
    "case_3448",
    "case_3643",
    "case_3794",
    "case_583",
];
/// What each answer to a question with choices names, labelled by hand: case, the answer's hash, 1 to 4, `open` or `none`.
const BY_HAND: &str = include_str!("choices.csv");

#[derive(Deserialize)]
struct Vignette {
    case_id: String,
    choice_1: String,
    choice_2: String,
    choice_3: String,
    choice_4: String,
    answer: String,
}

impl CraftMd {
    /// `folder` is the data set's.
    pub fn open(folder: &Path) -> Self {
        let vignettes = vignettes(&folder.join("vignettes_450.csv"));
        let by_hand = by_hand();
        let names = vignettes.values().flat_map(|it| it.choices().into_iter().chain([it.answer.clone()]));
        let names: BTreeMap<String, String> = names.map(|name| (key(&name), name)).collect();
        let all = Labels::new(names.iter().map(|(key, name)| (ConditionId::new(key.as_str()), vec![name.clone()])));
        let mut set = Self { answers: Vec::new(), choices: HashMap::new(), all };
        for model in MODELS {
            let files = fs::read_dir(folder.join("recorded").join(model)).unwrap();
            let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
            files.sort();
            for (at, file) in files.iter().enumerate() {
                let half = if at < files.len() / 2 { Half::Development } else { Half::HeldOut };
                let case = file.file_stem().unwrap().to_str().unwrap().to_owned();
                if NO_DIAGNOSIS.contains(&case.as_str()) {
                    continue;
                }
                let vignette = &vignettes[&case];
                set.choices.insert(case.clone(), labels_of(vignette));
                let trials: serde_json::Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
                for (trial, setting) in (0..5).flat_map(|trial| SETTINGS.map(|setting| (trial, setting))) {
                    let trial = &trials[format!("trial_{trial}")];
                    let text = |key: String| trial[key].as_str().unwrap().to_owned();
                    let chosen = text(format!("{setting}_mcq"));
                    let free = text(format!("{setting}_frq"));
                    let extracted = text(format!("extracted_ans_{setting}_frq"));
                    let right = trial[format!("evaluation_{setting}_frq")].as_i64() == Some(1);
                    let truth = ConditionId::new(key(&vignette.answer));
                    let common = |text, labels, gold, graded_right| Recorded {
                        model,
                        half,
                        text,
                        labels,
                        case: case.clone(),
                        gold,
                        truth: truth.clone(),
                        graded_right,
                    };
                    let label = by_hand.get(&(case.clone(), hash(&chosen))).expect("every answer is labelled");
                    let gold = label.parse::<usize>().ok().map(|it| ConditionId::new(key(&vignette.choices()[it - 1])));
                    set.answers.push(common(chosen, Vocabulary::Choices, gold, None));
                    let gold = extracted_name(&names, &extracted);
                    set.answers.push(common(free, Vocabulary::All, gold, Some(right)));
                }
            }
        }
        set
    }

    pub fn labels(&self, answer: &Recorded) -> &Labels {
        match answer.labels {
            Vocabulary::Choices => &self.choices[&answer.case],
            Vocabulary::All => &self.all,
        }
    }
}

impl Vignette {
    fn choices(&self) -> [String; 4] {
        [&self.choice_1, &self.choice_2, &self.choice_3, &self.choice_4].map(Clone::clone)
    }
}

fn labels_of(vignette: &Vignette) -> Labels {
    Labels::new(vignette.choices().into_iter().map(|name| (ConditionId::new(key(&name)), vec![name])))
}

fn vignettes(path: &Path) -> HashMap<String, Vignette> {
    let rows = csv::Reader::from_path(path).unwrap().into_deserialize();
    rows.map(|row| row.unwrap()).map(|row: Vignette| (row.case_id.clone(), row)).collect()
}

fn by_hand() -> HashMap<(String, String), String> {
    let rows = csv::Reader::from_reader(BY_HAND.as_bytes()).into_deserialize();
    let row = |row: Result<(String, String, String), csv::Error>| row.unwrap();
    rows.map(row).map(|(case, hash, label)| ((case, hash), label)).collect()
}

/// Letters and digits, lower-case: what the data set's own extraction is compared by.
fn key(name: &str) -> String {
    let words: String = name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The name an extraction stands for: as it is, or without what is in brackets, `acute`, `possible` and `suspected`.
fn extracted_name(names: &BTreeMap<String, String>, extracted: &str) -> Option<ConditionId> {
    let whole = key(extracted);
    let bare = key(extracted.split('(').next().unwrap_or_default());
    let soft = ["acute ", "possible ", "suspected "].iter().find_map(|word| bare.strip_prefix(word));
    let known = [whole.as_str(), &bare, soft.unwrap_or_default()].into_iter().find(|it| names.contains_key(*it))?;
    Some(ConditionId::new(known))
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}
