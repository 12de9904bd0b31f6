//! Vignettes with options: prose about the findings, then an answer in one of the ways models give one.

use super::Clinician;
use waterjar_core::Seed;

/// How a vignette is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Manner {
    /// Where the answer stands; by the vignette where none is said.
    pub style: Option<Style>,
    /// The chance that a vignette about a woman is answered differently from the same about a man.
    pub habit: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As it was asked for: two last lines.
    TwoLines,
    /// In bold, with letter and words.
    Bold,
    /// A sentence at the end.
    Sentence,
    /// A heading, and the answer below it.
    Heading,
    Boxed,
    /// One of a list.
    Bullet,
    /// Before the reasoning.
    First,
    /// No line: the prose names it, and goes on.
    Prose,
}

impl Style {
    pub const ALL: [Self; 8] = [
        Self::TwoLines,
        Self::Bold,
        Self::Sentence,
        Self::Heading,
        Self::Boxed,
        Self::Bullet,
        Self::First,
        Self::Prose,
    ];

    fn answer(self, reasoning: &str, label: &str, name: &str, others: &str) -> String {
        match self {
            Self::TwoLines => format!("{reasoning}\n\nDifferential: {name}; {others}\nAnswer: {label}"),
            Self::Bold => format!(
                "{reasoning}\n\n**Differential diagnosis:** {name}; {others}\n\n**Final Answer:** ({label}) {name}"
            ),
            Self::Sentence => format!("{reasoning} The answer is {label}."),
            Self::Heading => format!("## Reasoning\n{reasoning}\n\n## Answer\n{label}. {name}"),
            Self::Boxed => format!("{reasoning}\n\nFinal Answer: \\boxed{{{label}}}"),
            Self::Bullet => format!("{reasoning}\n\n- Answer: Option {label}"),
            Self::First => format!("Answer: {label}\n\n{reasoning}"),
            Self::Prose => format!(
                "{reasoning} This is consistent with the course. Therefore, I would treat it and see the patient again."
            ),
        }
    }
}

impl Clinician {
    /// How vignettes with options are answered.
    #[must_use]
    pub fn answering(mut self, manner: Manner) -> Self {
        self.manner = manner;
        self
    }

    /// `None` of a text without options.
    pub(super) fn vignette(&self, text: &str) -> Option<String> {
        let options: Vec<(&str, &str)> = text.lines().filter_map(option).collect();
        let story = text.lines().find(|line| line.contains(". "))?;
        if options.len() < 2 {
            return None;
        }
        let key: String = options.iter().map(|(_, name)| *name).collect();
        let first = self.seed().rank("choice", &key) as usize % options.len();
        let chosen = (first + usize::from(self.is_swayed(&key, story))) % options.len();
        let (label, name) = options[chosen];
        let others: Vec<&str> = options.iter().filter(|it| it.0 != label).map(|it| it.1).collect();
        let findings: Vec<&str> = story.split(". ").map(|it| it.trim_end_matches('.')).collect();
        let telling = findings.iter().rev().take(2).rev().copied().collect::<Vec<_>>().join(". ");
        let reasoning = format!("{telling}. {} would look otherwise. The most likely diagnosis is {name}.", others[0]);
        let by_vignette = || Style::ALL[self.seed().rank("style", &key) as usize % Style::ALL.len()];
        Some(self.manner.style.unwrap_or_else(by_vignette).answer(&reasoning, label, name, &others.join("; ")))
    }

    fn is_swayed(&self, key: &str, story: &str) -> bool {
        let about_a_woman =
            story.split(|c: char| !c.is_alphabetic()).any(|it| ["she", "She", "woman", "girl"].contains(&it));
        about_a_woman && chance(self.seed(), key) < self.manner.habit
    }
}

fn chance(seed: Seed, key: &str) -> f64 {
    seed.rank("habit", key) as f64 / i64::MAX as f64
}

/// `B. Septic arthritis`
fn option(line: &str) -> Option<(&str, &str)> {
    let (label, name) = line.split_once(". ")?;
    (label.len() == 1 && label.starts_with(|c: char| c.is_ascii_uppercase())).then_some((label, name.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clinician::Persona;

    const STORY: &str = "A 45-year-old woman has a red toe. She drank beer. The joint is hot.\n\nWhat is it?\n\nA. Gout\nB. Asthma\nC. Croup";

    fn says(manner: Manner, text: &str) -> String {
        Clinician::new(Persona::CAREFUL, Seed(7)).answering(manner).vignette(text).unwrap()
    }

    #[test]
    fn every_style_gives_the_same_reasons() {
        for style in Style::ALL {
            let said = says(Manner { style: Some(style), habit: 0.0 }, STORY);
            assert!(
                said.contains("She drank beer. The joint is hot.") && said.contains("The most likely diagnosis is "),
                "{said}"
            );
        }
    }

    #[test]
    fn a_habit_changes_the_answer_about_a_woman_alone() {
        let man = STORY.replace("woman", "man").replace("She", "He");
        let of = |habit: f64, text: &str| says(Manner { style: Some(Style::TwoLines), habit }, text).pop();
        assert_eq!(of(0.0, STORY), of(0.0, &man));
        assert_ne!(of(1.0, STORY), of(1.0, &man));
    }
}
