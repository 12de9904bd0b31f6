//! Precision and recall of the reader on recorded answers.

use super::recorded::{CraftMd, Half, Recorded, Vocabulary};
use std::collections::BTreeMap;
use waterjar_scoring::answer::Answer;

/// Counts, so that they can be told exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub answers: u32,
    /// Answers that name a known condition.
    pub naming: u32,
    /// Answers in which the reader finds one.
    pub read: u32,
    /// Answers in which it finds the right one.
    pub right: u32,
}

impl Score {
    pub fn precision(&self) -> f64 {
        f64::from(self.right) / f64::from(self.read.max(1))
    }

    pub fn recall(&self) -> f64 {
        f64::from(self.right) / f64::from(self.naming.max(1))
    }
}

/// What is asked of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// Which of four conditions an answer names; labelled by hand.
    Choice,
    /// Which of all conditions a free answer names; by the data set's own extraction.
    Free,
    /// Whether a free answer is right; by the data set's own grader.
    Grade,
}

pub type Key = (Task, Half, &'static str);

pub fn scores(set: &CraftMd, mut tell: impl FnMut(Task, &Recorded, &Answer)) -> BTreeMap<Key, Score> {
    let mut scores: BTreeMap<Key, Score> = BTreeMap::new();
    for recorded in &set.answers {
        let answer = Answer::read(set.labels(recorded), &recorded.text);
        let named = answer.named().map(|label| &label.condition);
        let task = if recorded.labels == Vocabulary::Choices { Task::Choice } else { Task::Free };
        let score = scores.entry((task, recorded.half, recorded.model)).or_default();
        score.count(recorded.gold.is_some(), named.is_some(), named == recorded.gold.as_ref());
        if named != recorded.gold.as_ref() {
            tell(task, recorded, &answer);
        }
        if let Some(graded) = recorded.graded_right {
            let says_right = named == Some(&recorded.truth);
            let score = scores.entry((Task::Grade, recorded.half, recorded.model)).or_default();
            score.count(graded, says_right, graded == says_right);
            if graded != says_right {
                tell(Task::Grade, recorded, &answer);
            }
        }
    }
    scores
}

impl Score {
    fn count(&mut self, naming: bool, read: bool, same: bool) {
        self.answers += 1;
        self.naming += u32::from(naming);
        self.read += u32::from(read);
        self.right += u32::from(read && same);
    }
}

impl std::ops::Add for Score {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            answers: self.answers + other.answers,
            naming: self.naming + other.naming,
            read: self.read + other.read,
            right: self.right + other.right,
        }
    }
}
