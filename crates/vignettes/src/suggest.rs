//! Critical spans suggested by rule, to be reviewed before use.
//!
//! What the knowledge base says in the patient's voice ("The pain moves into my left arm") is compared, word by word, with each
//! stretch of the story. Numbers with a clinical unit and results that are called abnormal are suggested as well.

use crate::Span;
use crate::token::{Kind, Text};
use crate::words::WordList;
use crate::words::function::{is_auxiliary, is_conjunction, is_determiner, is_possessive, is_preposition, is_pronoun};
use std::collections::{HashMap, HashSet};
use waterjar_core::FindingId;
use waterjar_knowledge::{Detail, Finding, KnowledgeBase};

#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    pub span: Span,
    pub reason: Reason,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The words a finding of the knowledge base shares with the story, and the share of its own they are.
    Finding { id: FindingId, shared: Vec<String>, share: f64 },
    /// A result that the text itself calls abnormal.
    Abnormal { word: String },
}

/// Stretches of the story that tell a finding, in order and apart.
pub fn suggest_spans(text: &str, knowledge: &KnowledgeBase) -> Vec<Suggestion> {
    let words = Text::new(text);
    let findings = Findings::of(knowledge);
    let mut found: Vec<Suggestion> = Vec::new();
    for (from, to) in stretches(&words) {
        let best = findings.best(&words, from, to);
        let abnormal =
            || (from..to).find(|&at| ABNORMAL.has(words.word(at)) && !matches!(words.before(at, 1), "not" | "no"));
        let reason = match best {
            Some(reason) => reason,
            None => match abnormal() {
                Some(at) => Reason::Abnormal { word: words.word(at).to_owned() },
                None => continue,
            },
        };
        let span = Span { start: words.tokens[from].span.start, end: words.tokens[to - 1].span.end };
        found.push(Suggestion { span, reason });
    }
    found
}

/// Pieces between marks, conjunctions and finite verbs, without the words that only lead to them.
fn stretches(text: &Text<'_>) -> Vec<(usize, usize)> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for at in 0..=text.len() {
        let breaks = at == text.len()
            || (text.is_mark(at) && !matches!(text.word(at), "-" | "/" | "\u{b0}" | "%"))
            || matches!(text.word(at), "and" | "or" | "but" | "because" | "which" | "who" | "that" | "when" | "while")
            || (at > 0 && !text.same_sentence(at, at - 1));
        if !breaks {
            continue;
        }
        let mut start = from;
        while start < at && leads(text.word(start)) {
            start += 1;
        }
        if start < at {
            pieces.push((start, at));
        }
        from = if at < text.len() && (text.is_mark(at) || is_conjunction(text.word(at))) { at + 1 } else { at };
    }
    pieces
}

fn leads(word: &str) -> bool {
    is_determiner(word) && word != "no"
        || is_pronoun(word)
        || is_possessive(word)
        || is_auxiliary(word)
        || is_preposition(word)
        || matches!(
            word,
            "patient" | "reports" | "shows" | "reveals" | "says" | "examination" | "also" | "has" | "feels"
        )
}

/// Content words of every finding.
struct Findings<'k> {
    words: Vec<(&'k FindingId, HashSet<String>)>,
    /// How many findings use a word: rare words tell more.
    used: HashMap<String, usize>,
}

impl<'k> Findings<'k> {
    fn of(knowledge: &'k KnowledgeBase) -> Self {
        let words: Vec<_> = knowledge
            .findings()
            .iter()
            .flat_map(|finding| {
                wordings(finding).into_iter().map(move |words| (&finding.id, content(&Text::new(words), 0, usize::MAX)))
            })
            .filter(|(_, words)| !words.is_empty())
            .collect();
        let mut used = HashMap::new();
        for word in words.iter().flat_map(|(_, words)| words) {
            *used.entry(word.clone()).or_insert(0) += 1;
        }
        Self { words, used }
    }

    fn weight(&self, word: &str) -> f64 {
        let n = self.words.len() as f64;
        self.used.get(word).map_or(0.0, |&used| (n / used as f64).ln())
    }

    /// The finding with the largest share of its weight in a stretch; at least half, or two rare words.
    fn best(&self, text: &Text<'_>, from: usize, to: usize) -> Option<Reason> {
        let told = content(text, from, to);
        let best = self
            .words
            .iter()
            .map(|(id, words)| {
                let shared: Vec<&String> = words.intersection(&told).collect();
                let weight =
                    |words: &mut dyn Iterator<Item = &String>| words.map(|word| self.weight(word)).sum::<f64>();
                let share = weight(&mut shared.iter().copied()) / weight(&mut words.iter());
                (id, shared, share)
            })
            .filter(|(_, shared, share)| {
                (shared.len() >= 2 && *share >= 0.4) || (*share >= 0.6 && !GENERAL.has(shared[0]))
            })
            .max_by(|a, b| {
                (a.2, a.1.len(), b.0).partial_cmp(&(b.2, b.1.len(), a.0)).unwrap_or(std::cmp::Ordering::Equal)
            })?;
        let mut shared: Vec<String> = best.1.into_iter().cloned().collect();
        shared.sort();
        Some(Reason::Finding { id: (**best.0).clone(), shared, share: best.2 })
    }
}

/// How a finding is told: its sentence, or each of the values it can have.
fn wordings(finding: &Finding) -> Vec<&str> {
    match &finding.detail {
        Detail::None => vec![&finding.present],
        Detail::Choice(values) | Detail::Multi(values) => {
            values.values().map(String::as_str).filter(|words| words.split(' ').count() > 2).collect()
        }
        Detail::Scale => Vec::new(),
    }
}

/// Stems of the words that carry meaning.
fn content(text: &Text<'_>, from: usize, to: usize) -> HashSet<String> {
    let to = to.min(text.len());
    text.tokens[from.min(to)..to]
        .iter()
        .filter(|token| token.kind == Kind::Word && token.lower.len() > 2)
        .map(|token| token.lower.as_str())
        .filter(|word| !is_determiner(word) && !is_pronoun(word) && !is_possessive(word) && !is_auxiliary(word))
        .filter(|word| !is_preposition(word) && !is_conjunction(word) && !PLAIN.has(word))
        .map(stem)
        .collect()
}

/// Close enough for matching: `sweating`, `sweats` and `sweat` are one.
fn stem(word: &str) -> String {
    let mut stem = word;
    for end in ["iness", "ness", "ing", "ily", "ly", "ed", "es", "s", "y", "e"] {
        if let Some(cut) = stem.strip_suffix(end)
            && cut.len() >= 3
        {
            stem = cut;
            break;
        }
    }
    stem.to_owned()
}

static ABNORMAL: WordList = WordList::new(
    "elevated raised enlarged swollen tender absent distended irregular positive reduced decreased increased abnormal palpable \
     bulging stiff crackles wheeze wheezes murmur rub guarding oedema edema elevation depression cloudy consolidation",
);

/// Stems that say too little alone.
static GENERAL: WordList = WordList::new(
    "hour minut side eye ear throat head back chest bell left right blood pressur visit arm leg foot hand",
);

static PLAIN: WordList = WordList::new(
    "very more most much feel feels felt get gets got have make makes made come comes came start started since time times day days \
     week weeks month months year years ago last past now then when often always sometimes never can cannot could not something \
     thing things lot like just only also than about around patient i'm i've it's don't one two every man woman boy girl old",
);
