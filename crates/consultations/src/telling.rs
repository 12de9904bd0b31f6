//! A finding → what the writer says of it: no figures, and for a child what a parent says.

use crate::language::Language;
use crate::words::joined;
use std::borrow::Cow;
use waterjar_core::{FindingId, FindingState, Observation, Sex};
use waterjar_knowledge::{Detail, Finding, KnowledgeBase};

pub(crate) const VALUE: &str = "{value}";

/// There are no words for it in this language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{finding}` has no words in this language")]
pub struct Untold {
    pub finding: FindingId,
}

#[derive(Clone, Copy, Debug)]
pub struct Teller<'a> {
    pub language: &'a Language,
    pub base: &'a KnowledgeBase,
}

impl<'a> Teller<'a> {
    /// What an adult says of it.
    pub fn sentence(&self, seen: &Observation) -> Result<String, Untold> {
        let untold = || Untold { finding: seen.finding.clone() };
        let finding = self.base.finding(&seen.finding).ok_or_else(untold)?;
        let frame = self.frame(finding, seen.state).ok_or_else(untold)?;
        let words: Option<Vec<String>> = seen.values.iter().map(|value| self.value(finding, value)).collect();
        let words = words.ok_or_else(untold)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let list = &self.language.speech.list;
        Ok(frame.replace(VALUE, &joined(&words, &list.comma, &list.last)))
    }

    /// The sentence with `{value}` where the values go.
    pub(crate) fn frame(&self, finding: &'a Finding, state: FindingState) -> Option<Cow<'a, str>> {
        let own = self.language.wording(&finding.id);
        let words = match state {
            FindingState::Present => own.and_then(|it| it.present.as_ref()).or_else(|| self.of_base(&finding.present)),
            FindingState::Denied => {
                own.and_then(|it| it.denied.as_ref()).or_else(|| self.of_base(finding.denied.as_ref()?))
            }
        }?;
        let lists = matches!(finding.detail, Detail::Multi(_)) && !words.contains(VALUE);
        // "The pain locations are:" is followed by them.
        let stop = if words.ends_with(['：', '。']) { "。" } else { "." };
        let bare = || words.trim_end_matches(['.', '。']);
        let space = if stop == "." { " " } else { "" };
        Some(if lists { Cow::Owned(format!("{}{space}{VALUE}{stop}", bare())) } else { Cow::Borrowed(words) })
    }

    fn of_base(&self, words: &'a String) -> Option<&'a String> {
        self.language.speech.base.words.then_some(words)
    }

    /// The words for a value; a number of a scale becomes a word for its severity, or the finding's own word for that step.
    pub(crate) fn value(&self, finding: &Finding, value: &str) -> Option<String> {
        let words = |value: &str| self.language.wording(&finding.id).and_then(|it| it.values.get(value));
        let own = words(value);
        match &finding.detail {
            Detail::Scale => {
                let step = severity(value.parse().ok()?);
                let own = words(NUMBERS[step]);
                Some(own.unwrap_or(&self.language.frames.voice.severity[step]).clone())
            }
            Detail::Choice(words) | Detail::Multi(words) => {
                own.cloned().or_else(|| words.get(value).and_then(|it| self.of_words(it)))
            }
            Detail::None => None,
        }
    }

    fn of_words(&self, words: &str) -> Option<String> {
        // Charts of DDXPlus mark the sides of a body: `ankle(R)`.
        let said = || words.replace("(R)", " on the right").replace("(L)", " on the left");
        self.language.speech.base.words.then(said)
    }

    /// The same as a parent says it of a child.
    pub fn of_child(&self, sentence: &str, sex: Sex) -> String {
        self.language.speech.parent.of_child(sentence, sex)
    }
}

/// Which of the five words stands for a number from 0 to 10.
pub(crate) fn severity(number: u8) -> usize {
    match number {
        0..=2 => 0,
        3 | 4 => 1,
        5 | 6 => 2,
        7 | 8 => 3,
        _ => 4,
    }
}

/// The number a word for severity is read back as.
pub(crate) const NUMBERS: [&str; 5] = ["1", "3", "5", "7", "9"];

/// A finding as it can be read back: numbers of a scale are known by their word alone.
pub(crate) fn as_told(base: &KnowledgeBase, seen: &Observation) -> Observation {
    let scale = base.finding(&seen.finding).is_some_and(|it| it.detail == Detail::Scale);
    let number = |value: &String| value.parse().map_or_else(|_| value.clone(), |it| NUMBERS[severity(it)].to_owned());
    let mut told = seen.clone();
    if scale {
        told.values = told.values.iter().map(number).collect();
    }
    told.values.sort();
    told
}
