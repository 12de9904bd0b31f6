//! What models are told: a text per request, with slots in braces.

use std::collections::BTreeMap;

/// Every prompt with the slots it must have, and no other.
pub const PROMPTS: &[(&str, &[&str])] = &[
    ("raw", &["voice", "who", "statements"]),
    ("differential", &["disease"]),
    ("differential_check", &["disease", "candidates"]),
    ("rumors", &["symptom", "rejected"]),
    ("statement", &["statement"]),
    ("trap_self_diagnosis", &["letter", "distractor"]),
    ("trap_history", &["letter", "distractor"]),
    ("trap_external", &["letter"]),
    ("trap_misplaced", &["letter", "minor", "key"]),
    ("style", &["letter", "medical_knowledge", "clarity", "communication"]),
    ("rumor", &["letter", "rumor"]),
    (
        "validate",
        &[
            "letter",
            "statements",
            "disease",
            "trap",
            "distractor",
            "minor",
            "key",
            "medical_knowledge",
            "clarity",
            "communication",
            "rumor",
        ],
    ),
    (
        "refine",
        &[
            "letter",
            "statements",
            "trap",
            "distractor",
            "minor",
            "key",
            "medical_knowledge",
            "clarity",
            "communication",
            "rumor",
            "problems",
            "strategy",
            "eta",
        ],
    ),
    ("points", &["disease"]),
    ("judge_answer", &["disease", "evidence", "treatment", "lifestyle", "answer"]),
    ("judge_diagnosis", &["disease", "answer"]),
    ("judge_claim", &["statement", "answer"]),
    ("same_diagnoses", &["names"]),
    ("paraphrase", &["letter"]),
    ("context", &["letter"]),
    ("evaluate", &["disease", "original", "letter"]),
    ("noise", &["letter"]),
    ("verify", &["letter", "disease"]),
    ("option", &["letter", "disease"]),
];

#[derive(Clone, Debug)]
pub struct Prompts(BTreeMap<&'static str, String>);

impl Prompts {
    pub(super) fn read<E>(text: impl Fn(&str) -> Result<String, E>) -> Result<Self, E> {
        let read = |name: &'static str| Ok((name, text(&format!("prompts/{name}.md"))?));
        Ok(Self(PROMPTS.iter().map(|(name, _)| read(name)).collect::<Result<_, _>>()?))
    }

    /// Filled in one pass, so that braces in what is put in stay as they are. A slot nobody fills stays empty.
    pub fn fill(&self, name: &str, slots: &[(&str, &str)]) -> String {
        let mut rest = self.0.get(name).map_or("", String::as_str);
        let mut filled = String::new();
        while let Some((before, slot, after)) = next_slot(rest) {
            filled.push_str(before);
            filled.push_str(slots.iter().find(|(known, _)| *known == slot).map_or("", |(_, value)| value));
            rest = after;
        }
        filled.push_str(rest);
        filled.trim_end().to_owned()
    }

    /// The prompt that a text begins like.
    pub fn which(&self, text: &str) -> Option<&'static str> {
        let begins = |prompt: &str| prompt.lines().next().is_some_and(|line| text.starts_with(line));
        self.0.iter().find(|(_, prompt)| begins(prompt)).map(|(name, _)| *name)
    }

    /// What is wrong with the slots.
    pub(crate) fn lint(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (name, wanted) in PROMPTS {
            let mut rest = self.0[name].as_str();
            let mut there = Vec::new();
            while let Some((_, slot, after)) = next_slot(rest) {
                there.push(slot);
                rest = after;
            }
            let lacks = wanted.iter().filter(|slot| !there.contains(slot));
            found.extend(lacks.map(|slot| format!("prompt `{name}` does not say {{{slot}}}")));
            let unknown = there.iter().filter(|slot| !wanted.contains(slot));
            found.extend(unknown.map(|slot| format!("prompt `{name}` has a slot {{{slot}}} that nobody fills")));
        }
        found
    }
}

/// What is before the next `{slot}`, the slot, and what is after it.
fn next_slot(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (slot, after) = rest.split_once('}')?;
    Some((before, slot, after))
}
