//! What a row of published pairs may call its fields.
//!
//! MedEinst's own rows hold one text each (`case_id`, `case_type`, `narrative`, `ground_truth`, with `age` and `sex`
//! beside); the two rows of a pair share the id. A row may also hold the whole pair.

use serde_json::{Map, Value};

pub(super) type Names = &'static [&'static str];

const ID: Names = &["case_id", "pair_id", "id", "pair"];
const ROLE: Names = &["case_type", "role", "variant"];
const TEXT: Names = &["narrative", "patient_narrative", "case_text", "text"];
const LABEL: Names = &["ground_truth", "label", "diagnosis", "gt"];
const SEX: Names = &["sex", "gender"];
const AGE: Names = &["age"];
/// Of a row with the whole pair. `control` and `trap` may be objects with a text and a label of their own.
const CONTROL: Names = &["control", "control_narrative", "control_text", "control_case", "narrative_control"];
const TRAP: Names = &["trap", "trap_narrative", "trap_text", "trap_case", "narrative_trap"];
/// In the paper `y_gt` is right for the control and `y_bias` for the trap; in its prompts they are called the distractor
/// and the truth (specs 10.1, MedEinst 1 and 7).
const CONTROL_LABEL: Names =
    &["gt", "y_gt", "ground_truth", "control_ground_truth", "control_label", "control_diagnosis", "distractor_disease"];
const TRAP_LABEL: Names =
    &["bias", "y_bias", "trap_ground_truth", "trap_label", "trap_diagnosis", "bias_label", "truth_disease"];
const CONTROL_WORDS: Names = &["control", "original", "baseline"];
const TRAP_WORDS: Names = &["trap", "counterfactual", "adversarial"];

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub id: String,
    pub control: Option<Told>,
    pub trap: Option<Told>,
}

/// A patient's text and what is right for it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Told {
    pub text: String,
    pub label: String,
    /// Fields that are none of ours, kept as they are.
    pub more: Map<String, Value>,
}

impl Row {
    /// The error names the field.
    pub fn read(line: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| format!("is not JSON: {error}"))?;
        let Value::Object(fields) = value else { return Err("is not an object with the fields of a row".to_owned()) };
        let mut row = Fields { fields, used: Vec::new() };
        let id = row.needed("id", ID)?;
        if let Some(role) = row.text(ROLE)? {
            let told = row.told(TEXT, LABEL)?;
            let is = |words: Names| words.contains(&role.to_lowercase().as_str());
            return match (is(CONTROL_WORDS), is(TRAP_WORDS)) {
                (true, _) => Ok(Self { id, control: Some(told), trap: None }),
                (_, true) => Ok(Self { id, control: None, trap: Some(told) }),
                _ => Err(format!("`{role}` is neither control nor trap (in `{}`)", row.used_of(ROLE))),
            };
        }
        let (control, trap) = match (row.object(CONTROL), row.object(TRAP)) {
            (Some(mut control), Some(mut trap)) => {
                (control.told(TEXT, LABEL).map_err(inside("control"))?, trap.told(TEXT, LABEL).map_err(inside("trap"))?)
            }
            _ => {
                let control = row.told(CONTROL, CONTROL_LABEL)?;
                let trap = row.told(TRAP, TRAP_LABEL)?;
                (Told { more: row.rest(), ..control }, Told { more: row.rest(), ..trap })
            }
        };
        Ok(Self { id, control: Some(control), trap: Some(trap) })
    }
}

fn inside(object: &str) -> impl Fn(String) -> String {
    move |problem| format!("in `{object}`: {problem}")
}

/// `Sex: F, Age: 35`, as far as it is told.
pub(super) fn about(fields: &Map<String, Value>) -> Result<Option<String>, String> {
    Fields { fields: fields.clone(), used: Vec::new() }.about()
}

/// A row's fields, and which of them were understood.
struct Fields {
    fields: Map<String, Value>,
    used: Vec<&'static str>,
}

impl Fields {
    fn told(&mut self, text: Names, label: Names) -> Result<Told, String> {
        let told = self.needed("text", text)?;
        let label = self.needed("label", label)?;
        let text = match self.about()? {
            Some(about) => format!("{about}\n{told}"),
            None => told,
        };
        Ok(Told { text, label: label.trim().to_owned(), more: self.rest() })
    }

    /// Sex and age stand beside the published texts; told as our own narratives tell them.
    fn about(&mut self) -> Result<Option<String>, String> {
        let about = [("Sex", self.text(SEX)?), ("Age", self.text(AGE)?)];
        let about: Vec<String> =
            about.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}", short(&value?)))).collect();
        Ok((!about.is_empty()).then(|| about.join(", ")))
    }

    fn needed(&mut self, what: &str, names: Names) -> Result<String, String> {
        let found = self.text(names)?.filter(|text| !text.trim().is_empty());
        found.ok_or_else(|| format!("has no {what}: a field called {}", names.join(", ")))
    }

    /// The value under any of its names. Two names with different values are a contradiction.
    fn text(&mut self, names: Names) -> Result<Option<String>, String> {
        let mut found: Option<(&str, String)> = None;
        for name in names {
            let text = match self.fields.get(*name) {
                None | Some(Value::Null) => continue,
                Some(Value::String(text)) => text.clone(),
                Some(Value::Number(number)) => number.to_string(),
                Some(_) => return Err(format!("`{name}` is not a text")),
            };
            self.used.push(name);
            match &found {
                Some((known, before)) if *before != text => {
                    return Err(format!("`{known}` and `{name}` say different things"));
                }
                Some(_) => {}
                None => found = Some((name, text)),
            }
        }
        Ok(found.map(|(_, text)| text))
    }

    fn object(&mut self, names: Names) -> Option<Self> {
        let fields = names.iter().find_map(|name| self.fields.get(*name)?.as_object())?;
        Some(Self { fields: fields.clone(), used: Vec::new() })
    }

    fn used_of(&self, names: Names) -> &'static str {
        names.iter().find(|name| self.used.contains(name)).copied().unwrap_or_default()
    }

    fn rest(&self) -> Map<String, Value> {
        let unused = self.fields.iter().filter(|(name, _)| !self.used.contains(&name.as_str()));
        unused.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

/// `female` as F.
fn short(value: &str) -> &str {
    match value.trim().to_lowercase().as_str() {
        "female" | "woman" | "f" => "F",
        "male" | "man" | "m" => "M",
        _ => value.trim(),
    }
}
