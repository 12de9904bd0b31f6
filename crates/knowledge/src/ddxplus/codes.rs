//! What the patients files call things → places in the release, in one look-up per item.

use super::align::CodeMap;
use super::evidence;
use super::release::{DataType, Release};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use waterjar_core::{ConditionId, FindingId};

/// Between an evidence and its value, as in `E_55_@_V_20`.
pub(super) const VALUE_MARK: &str = "_@_";

/// What one item of a patient's list says about its finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Yes,
    No,
    /// By its place among the finding's values.
    Value(u16),
    /// A default such as "nowhere".
    Nothing,
}

/// Conditions and findings by their place in the release; all spellings of both code systems.
#[derive(Debug, Default)]
pub(super) struct Codes {
    pub conditions: Vec<ConditionId>,
    pub findings: Vec<Known>,
    items: Table<(u16, Answer)>,
    condition_at: Table<u16>,
    /// Evidence code, without a value → finding.
    finding_at: Table<u16>,
    /// English question → finding.
    questions: Table<u16>,
}

#[derive(Debug)]
pub(super) struct Known {
    pub id: FindingId,
    pub data_type: DataType,
    pub values: Vec<String>,
    /// English text → answer, as DyReMe's JSON gives it.
    texts: HashMap<String, Answer>,
}

impl Codes {
    pub fn new(release: &Release, ids: Vec<ConditionId>) -> Self {
        let mut codes = Self { conditions: ids, ..Self::default() };
        for (at, (name, condition)) in (0_u16..).zip(&release.conditions) {
            for spelling in [name, &condition.english, &condition.french] {
                codes.condition_at.entry(spelling.as_str().into()).or_insert(at);
            }
        }
        for (at, (code, written)) in (0_u16..).zip(&release.evidences) {
            let mut known = Known {
                id: FindingId::new(code.clone()),
                data_type: written.data_type,
                values: Vec::new(),
                texts: HashMap::new(),
            };
            if written.data_type == DataType::B {
                codes.items.insert(code.as_str().into(), (at, Answer::Yes));
            }
            for (place, (id, text)) in (0_u16..).zip(evidence::values(written)) {
                let answer =
                    if evidence::says_nothing(written, &id, &text) { Answer::Nothing } else { Answer::Value(place) };
                codes.items.insert(format!("{code}{VALUE_MARK}{id}").into(), (at, answer));
                known.texts.insert(text, answer);
                known.values.push(id);
            }
            codes.finding_at.insert(code.as_str().into(), at);
            codes.questions.entry(written.question_en.trim().into()).or_insert(at);
            codes.findings.push(known);
        }
        codes
    }

    /// Lets the spellings of another code system mean the same. Names the first code that is not in the release.
    pub fn learn(&mut self, map: &CodeMap) -> Result<(), String> {
        for (from, to) in &map.condition {
            let at = *self.condition_at.get(to.as_str()).ok_or(to)?;
            self.condition_at.insert(from.as_str().into(), at);
        }
        for (from, to) in &map.evidence_value {
            let item = *self.items.get(to.as_str()).ok_or(to)?;
            self.items.insert(from.as_str().into(), item);
        }
        for (from, to) in &map.evidence {
            let at = self.finding(to).ok_or(to)?;
            self.finding_at.insert(from.as_str().into(), at);
            let known = &self.findings[usize::from(at)];
            if known.data_type == DataType::B {
                self.items.insert(from.as_str().into(), (at, Answer::Yes));
            }
            // Values that the map leaves out have the same id in both: the numbers of a scale.
            for value in &known.values {
                if let Some(&item) = self.items.get(format!("{to}{VALUE_MARK}{value}").as_str()) {
                    self.items.entry(format!("{from}{VALUE_MARK}{value}").into()).or_insert(item);
                }
            }
        }
        Ok(())
    }

    pub fn item(&self, item: &str) -> Option<(u16, Answer)> {
        self.items.get(item).copied()
    }

    pub fn condition(&self, name: &str) -> Option<u16> {
        self.condition_at.get(name).copied()
    }

    /// An evidence by its code alone.
    pub fn finding(&self, code: &str) -> Option<u16> {
        self.finding_at.get(code).copied()
    }

    pub fn question(&self, question: &str) -> Option<u16> {
        self.questions.get(question.trim()).copied()
    }

    /// A value by its English text, as an answer to the question of this finding.
    pub fn answer(&self, finding: u16, text: &str) -> Option<Answer> {
        let known = &self.findings[usize::from(finding)];
        match known.data_type {
            DataType::B if text.eq_ignore_ascii_case("yes") => Some(Answer::Yes),
            DataType::B if text.eq_ignore_ascii_case("no") => Some(Answer::No),
            DataType::B => None,
            _ => known.texts.get(text).copied(),
        }
    }

    pub fn items(&self) -> impl Iterator<Item = &str> {
        self.items.keys().map(AsRef::as_ref)
    }

    pub fn condition_names(&self) -> impl Iterator<Item = &str> {
        self.condition_at.keys().map(AsRef::as_ref)
    }

    pub fn question_texts(&self) -> impl Iterator<Item = &str> {
        self.questions.keys().map(AsRef::as_ref)
    }
}

type Table<T> = HashMap<Box<str>, T, BuildHasherDefault<Quick>>;

/// Eight bytes at a time, no defence against chosen keys: the keys are those of the knowledge base. A patients file of
/// the full release has four million items to look up, and the standard hasher would take most of the time.
#[derive(Default)]
struct Quick(u64);

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let (chunks, rest) = bytes.as_chunks::<8>();
        for chunk in chunks {
            self.mix(u64::from_le_bytes(*chunk));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(last));
    }

    fn write_u8(&mut self, byte: u8) {
        self.mix(u64::from(byte));
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

impl Quick {
    fn mix(&mut self, word: u64) {
        // The multiplier of FxHash (Firefox, rustc).
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}
