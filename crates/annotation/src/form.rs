//! What raters are shown and asked, as a file. A form of one's own is another file.

use crate::Text;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::{FailureMode, Outcome};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// In addresses and exports: `trap_pair_quality`
    pub id: String,
    pub title: Text,
    /// What the rater is to do, in a few sentences.
    pub about: Text,
    pub unit: Unit,
    /// Whether what was declared to follow from the change is shown.
    #[serde(default)]
    pub shows_expectation: bool,
    /// Only suites of these kinds: `sensitivity`. All where empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suites: Vec<String>,
    /// Only variants of these roles: `trap`. All where empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// Only answers of which the run's judge said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Outcome>,
    pub questions: Vec<Question>,
    /// How ratings become verdicts, where they do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<Rule>,
}

/// What one item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A control and a variant, and nobody's answer.
    Pair,
    /// One text that is asked, and nobody's answer.
    Question,
    /// One text and one answer.
    Answer,
    /// A control and a variant with the answers of one subject.
    Change,
    /// One text and the answers of two subjects.
    Preference,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub id: String,
    pub ask: Text,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<Text>,
    pub kind: Kind,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Choice>,
    /// May be left open.
    #[serde(default)]
    pub optional: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    YesNo,
    /// Options in order, from one end to the other.
    Scale,
    /// One of the options.
    Choice,
    /// Any of the options.
    Several,
    /// Which of the two answers; left and right change places from rater to rater.
    Side,
    /// Words of one's own.
    Words,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    pub id: String,
    pub label: Text,
}

/// What an answer to a question makes of an answer of a subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Whose answer is ruled on.
    pub of: Side,
    pub question: String,
    /// By option.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outcome: BTreeMap<String, Outcome>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub score: BTreeMap<String, f64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub mode: BTreeMap<String, FailureMode>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Control,
    Variant,
}

/// The values of a question about two sides, as they are kept: of the subjects, not of the screen.
pub const FIRST: &str = "first";
pub const SECOND: &str = "second";
pub const TIE: &str = "tie";

#[derive(Debug, thiserror::Error)]
#[error("form {form}: {problem}")]
pub struct FormError {
    pub form: String,
    pub problem: String,
}

impl Form {
    /// `from` names the file in errors.
    pub fn read(from: &str, text: &str) -> Result<Self, FormError> {
        let wrong = |problem: String| FormError { form: from.to_owned(), problem };
        let form: Self = toml::from_str(text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
        let problems = form.problems();
        if problems.is_empty() { Ok(form) } else { Err(wrong(problems.join("; "))) }
    }

    pub(crate) fn wants(&self, role: &str) -> bool {
        self.roles.is_empty() || self.roles.iter().any(|it| it == role)
    }

    pub fn question(&self, id: &str) -> Option<&Question> {
        self.questions.iter().find(|question| question.id == id)
    }

    /// All at once, so that a form is mended in one go.
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if !is_name(&self.id) {
            problems.push(format!("the id `{}` should be letters, digits and _", self.id));
        }
        if self.title.is_empty() || self.about.is_empty() {
            problems.push("title and about say what raters are to do; one of them is empty".to_owned());
        }
        if self.questions.is_empty() {
            problems.push("it asks no question".to_owned());
        }
        let mut seen = BTreeSet::new();
        for question in &self.questions {
            if !seen.insert(&question.id) {
                problems.push(format!("two questions are called `{}`", question.id));
            }
            problems.extend(question.problems().into_iter().map(|it| format!("question `{}`: {it}", question.id)));
            if question.kind == Kind::Side && self.unit != Unit::Preference {
                problems.push(format!("question `{}`: sides are for `unit = \"preference\"`", question.id));
            }
        }
        if self.only.is_some() && !matches!(self.unit, Unit::Answer | Unit::Change) {
            problems.push("`only` is about one subject's answers: `unit` must be answer or change".to_owned());
        }
        if self.only.is_some() && self.verdicts.iter().any(|rule| !rule.outcome.is_empty() || !rule.score.is_empty()) {
            // What was chosen by its outcome says nothing of how often outcomes occur.
            problems
                .push("`only` chooses by outcome, so that verdicts may tell modes, not outcomes or scores".to_owned());
        }
        for rule in &self.verdicts {
            problems.extend(self.problems_of(rule));
        }
        problems
    }

    fn problems_of(&self, rule: &Rule) -> Vec<String> {
        let Some(question) = self.question(&rule.question) else {
            return vec![format!("a verdict rests on the question `{}`, which is not asked", rule.question)];
        };
        let mut problems = Vec::new();
        if !matches!(self.unit, Unit::Answer | Unit::Change) {
            problems.push("verdicts are about one subject's answers: `unit` must be answer or change".to_owned());
        }
        if rule.of == Side::Control && self.unit == Unit::Answer {
            problems.push("a verdict on the control needs `unit = \"change\"`".to_owned());
        }
        if matches!(question.kind, Kind::Words | Kind::Several) {
            problems.push(format!("a verdict rests on one choice; `{}` is {}", rule.question, question.kind.as_str()));
        }
        let values = question.values();
        let named = rule.outcome.keys().chain(rule.score.keys()).chain(rule.mode.keys());
        for value in named.filter(|value| !values.contains(value)) {
            problems.push(format!("a verdict names `{value}`, which `{}` does not offer", rule.question));
        }
        if rule.mode.is_empty() && values.iter().any(|value| !rule.outcome.contains_key(value)) {
            problems.push(format!("a verdict on `{}` must give an outcome for every option", rule.question));
        }
        if let Some((value, _)) = rule.score.iter().find(|(_, score)| !(0.0..=1.0).contains(*score)) {
            problems.push(format!("the score of `{value}` should be from 0 to 1"));
        }
        problems
    }
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Self::YesNo => "yes_no",
            Self::Scale => "scale",
            Self::Choice => "choice",
            Self::Several => "several",
            Self::Side => "side",
            Self::Words => "words",
        }
    }
}

impl Unit {
    pub fn has_subject(self) -> bool {
        matches!(self, Self::Answer | Self::Change | Self::Preference)
    }
}

impl Question {
    /// What may be kept as its answer; nothing for words.
    pub fn values(&self) -> Vec<String> {
        let fixed = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
        match self.kind {
            Kind::YesNo => fixed(&["yes", "no"]),
            Kind::Side => fixed(&[FIRST, SECOND, TIE]),
            Kind::Words => Vec::new(),
            Kind::Scale | Kind::Choice | Kind::Several => self.options.iter().map(|it| it.id.clone()).collect(),
        }
    }

    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if !is_name(&self.id) {
            problems.push("its id should be letters, digits and _".to_owned());
        }
        if ["action", "comment", "opened"].contains(&self.id.as_str()) {
            problems.push("the page has a field of that name; choose another".to_owned());
        }
        for option in self.options.iter().filter(|it| it.id.trim() != it.id || it.id.is_empty() || it.id.contains(';'))
        {
            problems.push(format!("the option `{}` needs an id without blanks at its ends and without `;`", option.id));
        }
        for option in self.options.iter().filter(|it| it.label.is_empty()) {
            problems.push(format!("the option `{}` has no label", option.id));
        }
        if self.ask.is_empty() {
            problems.push("it asks nothing".to_owned());
        }
        let wants = matches!(self.kind, Kind::Scale | Kind::Choice | Kind::Several);
        match (wants, self.options.len()) {
            (true, 0 | 1) => problems.push("it needs at least two options".to_owned()),
            (false, 1..) => problems.push("this kind has options of its own".to_owned()),
            _ => {}
        }
        let mut seen = BTreeSet::new();
        for option in self.options.iter().filter(|option| !seen.insert(&option.id)) {
            problems.push(format!("two options are called `{}`", option.id));
        }
        problems
    }
}

fn is_name(id: &str) -> bool {
    !id.is_empty() && id.len() <= 60 && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_in_the_readme_can_be_read() {
        let readme = include_str!("../README.md");
        let form = readme.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
        assert_eq!(Form::read("README", form).unwrap().id, "urgency");
    }

    #[test]
    fn a_form_that_cannot_work_is_told_why() {
        let head = "id = \"f\"\ntitle = \"t\"\nabout = \"a\"\n";
        let choice = "kind = \"choice\"\noptions = [{ id = \"a\", label = \"a\" }, { id = \"b\", label = \"b\" }]\n";
        let asked = |id: &str| format!("[[questions]]\nid = \"{id}\"\nask = \"q\"\n{choice}");
        let rule = "[[verdicts]]\nof = \"variant\"\nquestion = \"q\"\noutcome = { a = \"right\", b = \"missed\" }\n";
        for (form, told) in [
            (format!("{head}unit = \"question\"\n{}", asked("action")), "field of that name"),
            (
                format!("{head}unit = \"question\"\n{}", asked("q").replace("\"b\", label", "\"b;c\", label")),
                "without `;`",
            ),
            (format!("{head}unit = \"change\"\nonly = \"trapped\"\n{}{rule}", asked("q")), "chooses by outcome"),
            (format!("{head}unit = \"preference\"\nonly = \"trapped\"\n{}", asked("q")), "one subject's answers"),
            (
                format!("{head}unit = \"answer\"\n{}{}", asked("q"), rule.replace("variant", "control")),
                "unit = \"change\"",
            ),
        ] {
            let error = Form::read("f", &form).unwrap_err().to_string();
            assert!(error.contains(told), "{told}: {error}");
        }
    }
}
