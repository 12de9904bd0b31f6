//! The questions of a form as fields of a page, with what was answered so far.

use crate::texts::Texts;
use waterjar_annotation::{FIRST, Form, Given, Kind, Question, SECOND, TIE};

pub struct Field {
    pub id: String,
    pub ask: String,
    pub help: String,
    /// Words of one's own; there are no options then.
    pub words: Option<String>,
    pub several: bool,
    pub optional: bool,
    pub options: Vec<Tick>,
}

pub struct Tick {
    pub value: String,
    pub label: String,
    pub chosen: bool,
}

/// Where sides are swapped, the left one is the second.
pub fn fields(form: &Form, given: &Given, swapped: bool, t: &Texts) -> Vec<Field> {
    let field = |question: &Question| {
        let answers = given.get(&question.id).map(Vec::as_slice).unwrap_or_default();
        let language = t.language.as_str();
        Field {
            id: question.id.clone(),
            ask: question.ask.in_language(language).to_owned(),
            help: question.help.as_ref().map_or_else(String::new, |it| it.in_language(language).to_owned()),
            words: (question.kind == Kind::Words).then(|| answers.first().cloned().unwrap_or_default()),
            several: question.kind == Kind::Several,
            optional: question.optional,
            options: options(question, swapped, t)
                .into_iter()
                .map(|(value, kept, label)| Tick { chosen: answers.contains(&kept), value, label })
                .collect(),
        }
    };
    form.questions.iter().map(field).collect()
}

/// Kept answers as they are read: `The finding: Not mentioned + Wrong`.
pub fn said(question: &Question, values: &[String], t: &Texts) -> String {
    let known = options(question, false, t);
    let read = |value: &String| {
        let label = known.iter().find(|(_, kept, _)| kept == value).map(|(_, _, label)| label.clone());
        label.unwrap_or_else(|| value.clone())
    };
    values.iter().map(read).collect::<Vec<_>>().join(" + ")
}

/// The longest comment, in characters.
pub const LONGEST_COMMENT: usize = 4_000;

/// What is sent, what is kept, and what is read.
fn options(question: &Question, swapped: bool, t: &Texts) -> Vec<(String, String, String)> {
    let option = |sent: &str, kept: &str, label: &str| (sent.to_owned(), kept.to_owned(), label.to_owned());
    let (left, right) = if swapped { (SECOND, FIRST) } else { (FIRST, SECOND) };
    match question.kind {
        Kind::YesNo => vec![option("yes", "yes", &t.yes), option("no", "no", &t.no)],
        Kind::Side => vec![
            option("left", left, &t.left_better),
            option("right", right, &t.right_better),
            option(TIE, TIE, &t.tie),
        ],
        Kind::Words => Vec::new(),
        Kind::Scale | Kind::Choice | Kind::Several => {
            question.options.iter().map(|it| option(&it.id, &it.id, it.label.in_language(&t.language))).collect()
        }
    }
}
