//! A letter → what it says of the patient: the inverse of telling, wherever a sentence stands in the letter and whoever says it.

use crate::language::Language;
use crate::patient::Patient;
use crate::telling::{NUMBERS, Teller, VALUE};
use crate::words::is_cjk;
use std::collections::HashMap;
use std::ops::Range;
use waterjar_core::{FindingId, FindingState, Observation, Sex};
use waterjar_knowledge::{Detail, Finding, KnowledgeBase};

/// Knows every sentence; make it once, hear many letters.
#[derive(Debug, Default)]
pub struct Hearing {
    sentences: Vec<(String, Meaning)>,
    /// By the first letters; the longest first.
    by_start: HashMap<String, Vec<usize>>,
}

#[derive(Clone, Debug)]
enum Meaning {
    Finding(Observation),
    /// Values follow, parted by commas, up to the end.
    Values(Values),
    Who(Sex, u8),
}

#[derive(Clone, Debug)]
struct Values {
    finding: FindingId,
    words: Vec<(String, String)>,
    between: [String; 2],
    end: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    pub sex: Option<Sex>,
    pub age: Option<u8>,
    /// In the order of the letter.
    pub findings: Vec<Observation>,
    /// Where each of them stands.
    pub places: Vec<Range<usize>>,
    /// Where the letter says who the patient is.
    who: Vec<Range<usize>>,
}

/// So many letters decide where to look; fewer where a sentence is shorter than that.
const STARTS: [usize; 2] = [8, 2];

impl Hearing {
    /// Every sentence that is told of the findings of a base: by an adult, by a parent of a daughter, by a parent of a son.
    pub fn of_base(language: &Language, base: &KnowledgeBase) -> Self {
        let mut hearing = Self::default();
        let teller = Teller { language, base };
        for finding in base.findings() {
            hearing.learn_finding(&teller, finding);
        }
        hearing.learn_who(language);
        hearing.sorted()
    }

    /// What one patient tells, and the opposite of it.
    pub fn of_patient(language: &Language, patient: &Patient) -> Self {
        let mut hearing = Self::default();
        for complaint in &patient.complaints {
            hearing.learn(complaint.sentence.clone(), Meaning::Finding(complaint.seen.clone()));
            let words = complaint.seen.finding.as_str();
            let (opposite, state) = match complaint.seen.state {
                FindingState::Present => (&language.speech.complaint.denied, FindingState::Denied),
                FindingState::Denied => (&language.speech.complaint.present, FindingState::Present),
            };
            let seen = Observation { state, ..complaint.seen.clone() };
            hearing.learn(opposite.replace("{}", words), Meaning::Finding(seen));
        }
        hearing.learn_who(language);
        hearing.sorted()
    }

    fn learn_finding(&mut self, teller: &Teller<'_>, finding: &Finding) {
        let id = &finding.id;
        let present = |values: Vec<String>| Observation { finding: id.clone(), state: FindingState::Present, values };
        if let Some(frame) = teller.frame(finding, FindingState::Present) {
            match &finding.detail {
                Detail::None => self.learn_voices(teller, &frame, present(Vec::new())),
                Detail::Multi(known) => {
                    let words = known.keys().filter_map(|value| Some((teller.value(finding, value)?, value.clone())));
                    self.learn_values(teller, id, &frame, words.collect());
                }
                Detail::Choice(known) => {
                    for value in known.keys() {
                        let Some(word) = teller.value(finding, value) else { continue };
                        self.learn_voices(teller, &frame.replace(VALUE, &word), present(vec![value.clone()]));
                    }
                }
                Detail::Scale => {
                    for number in NUMBERS {
                        let Some(word) = teller.value(finding, number) else { continue };
                        self.learn_voices(teller, &frame.replace(VALUE, &word), present(vec![number.to_owned()]));
                    }
                }
            }
        }
        if let Some(denied) = teller.frame(finding, FindingState::Denied) {
            let seen = Observation { finding: id.clone(), state: FindingState::Denied, values: Vec::new() };
            self.learn_voices(teller, &denied, seen);
        }
    }

    fn learn_voices(&mut self, teller: &Teller<'_>, sentence: &str, seen: Observation) {
        for voice in voices(teller, sentence) {
            self.learn(voice, Meaning::Finding(seen.clone()));
        }
    }

    fn learn_values(&mut self, teller: &Teller<'_>, id: &FindingId, frame: &str, words: Vec<(String, String)>) {
        let (before, end) = frame.split_once(VALUE).unwrap_or((frame, ""));
        let list = &teller.language.speech.list;
        for (at, before) in voices(teller, before).into_iter().enumerate() {
            // A space before, so that a word that begins a value does not begin a sentence.
            let said = |word: &str| voices(teller, &format!(" {word}"))[at].trim_start().to_owned();
            let mut words: Vec<(String, String)> =
                words.iter().map(|(word, value)| (said(word), value.clone())).collect();
            words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
            let between = [list.comma.clone(), list.last.clone()];
            let values = Values { finding: id.clone(), words, between, end: end.to_owned() };
            self.learn(before, Meaning::Values(values));
        }
    }

    fn learn_who(&mut self, language: &Language) {
        let (who, parent) = (&language.speech.who, &language.speech.parent);
        for sex in [Sex::F, Sex::M] {
            for frame in &who.adult {
                for (at, decade) in who.decades.iter().enumerate() {
                    let age = at as u8 * 10 + 15;
                    let said = frame.replace("{person}", who.person(sex, age)).replace("{decade}", decade);
                    self.learn(said, Meaning::Who(sex, age));
                }
            }
            for frame in &who.child {
                for (at, age) in who.ages.iter().enumerate() {
                    let said = frame.replace("{child}", parent.child(Some(sex))).replace("{age}", age);
                    self.learn(said, Meaning::Who(sex, at as u8));
                }
            }
        }
    }

    fn learn(&mut self, sentence: String, meaning: Meaning) {
        self.sentences.push((sentence, meaning));
    }

    fn sorted(mut self) -> Self {
        for (at, (sentence, _)) in self.sentences.iter().enumerate() {
            let letters = if sentence.chars().count() < STARTS[0] { STARTS[1] } else { STARTS[0] };
            self.by_start.entry(start(sentence, letters)).or_default().push(at);
        }
        let length = |at: &usize| std::cmp::Reverse(self.sentences[*at].0.len());
        for known in self.by_start.values_mut() {
            known.sort_by_key(length);
        }
        self
    }

    pub fn hear(&self, letter: &str) -> Heard {
        let mut heard = Heard::default();
        let mut at = 0;
        let mut before = None;
        while let Some(c) = letter[at..].chars().next() {
            let begins = is_cjk(c) || before.is_none_or(|it: char| !it.is_alphanumeric() || is_cjk(it));
            match if begins { self.said(&letter[at..]) } else { None } {
                Some((length, meaning, values)) => {
                    heard.take(at..at + length, meaning, values);
                    at += length;
                    before = letter[..at].chars().next_back();
                }
                None => {
                    at += c.len_utf8();
                    before = Some(c);
                }
            }
        }
        heard
    }

    /// The sentence the text begins with.
    fn said(&self, text: &str) -> Option<(usize, &Meaning, Vec<String>)> {
        let mut known = STARTS.iter().filter_map(|letters| self.by_start.get(&start(text, *letters))).flatten();
        known.find_map(|&at| {
            let (sentence, meaning) = &self.sentences[at];
            if !begins(text, sentence) {
                return None;
            }
            match meaning {
                Meaning::Values(values) => {
                    let (length, found) = values.read(&text[sentence.len()..])?;
                    Some((sentence.len() + length, meaning, found))
                }
                _ => Some((sentence.len(), meaning, Vec::new())),
            }
        })
    }
}

impl Heard {
    fn take(&mut self, place: Range<usize>, meaning: &Meaning, values: Vec<String>) {
        let seen = match meaning {
            Meaning::Finding(seen) => seen.clone(),
            Meaning::Values(it) => Observation { finding: it.finding.clone(), state: FindingState::Present, values },
            Meaning::Who(sex, age) => {
                (self.sex, self.age) = (Some(*sex), Some(*age));
                self.who.push(place);
                return;
            }
        };
        self.findings.push(seen);
        self.places.push(place);
    }

    /// The letter without what was heard.
    pub fn rest<'a>(&self, letter: &'a str) -> Vec<&'a str> {
        let mut rest = Vec::new();
        let mut from = 0;
        let mut places: Vec<&Range<usize>> = self.places.iter().chain(&self.who).collect();
        places.sort_by_key(|it| it.start);
        for place in places {
            rest.push(&letter[from..place.start]);
            from = place.end;
        }
        rest.push(&letter[from..]);
        rest
    }
}

impl Values {
    fn read(&self, text: &str) -> Option<(usize, Vec<String>)> {
        let mut found = Vec::new();
        let mut at = 0;
        loop {
            let rest = &text[at..];
            let (word, value) = self.words.iter().find(|(word, _)| rest.starts_with(word.as_str()))?;
            found.push(value.clone());
            at += word.len();
            let rest = &text[at..];
            if rest.starts_with(&self.end) {
                return Some((at + self.end.len(), found));
            }
            at += self.between.iter().find(|it| rest.starts_with(it.as_str()))?.len();
        }
    }
}

/// By an adult, of a daughter, of a son.
fn voices(teller: &Teller<'_>, sentence: &str) -> [String; 3] {
    [sentence.to_owned(), teller.of_child(sentence, Sex::F), teller.of_child(sentence, Sex::M)]
}

fn start(text: &str, letters: usize) -> String {
    text.chars().take(letters).flat_map(char::to_lowercase).collect()
}

/// A sentence inside another begins small.
fn begins(text: &str, sentence: &str) -> bool {
    let (mut a, mut b) = (text.chars(), sentence.chars());
    let (Some(first), Some(known)) = (a.next(), b.next()) else { return false };
    first.to_lowercase().eq(known.to_lowercase()) && a.as_str().starts_with(b.as_str())
}
