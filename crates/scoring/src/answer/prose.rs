//! What an answer says in sentences.

use super::Answer;
use super::claim::{claimed, heading, spoken_for};
use super::denied::stated;
use super::labels::Labels;
use super::led::{self, firmly, pointing};
use super::list::Block;
use super::phrase::{LONGEST_NAME, Phrase};
use super::read::of_phrase;
use super::trailing::trailing;
use super::words::{begins, plain};
use crate::refusal;
use waterjar_core::ConditionId;

/// What is said in sentences.
pub(super) fn of_prose(labels: &Labels, blocks: &[Block<'_>], text: &str) -> Answer {
    let all = prose(blocks);
    let claim = last_claim(labels, &all);
    let lead = lead(labels, &all);
    if let Some(lead) = lead.clone().filter(|_| is_plainly_led(text, &all)) {
        return of_phrase(&narrowed(lead, claim), text);
    }
    if let Some(claim) = claim.clone().filter(|claim| claim.knows_any() || is_of_diagnosis(&all)) {
        return of_phrase(&claim, text);
    }
    let said = last_led(labels, &all, firmly)
        .or_else(|| closing(labels, &all))
        .or_else(|| last_led(labels, &all, pointing))
        .or_else(|| last_led(labels, all.get(..1).filter(|_| all.len() == 1)?, led::had))
        .or(lead.filter(|_| !is_asked(text, &all)))
        .or(claim);
    if let Some(said) = said {
        return of_phrase(&said, text);
    }
    let mut spoken: Vec<Phrase> = all
        .iter()
        .filter_map(|it| spoken_for(it))
        .map(|words| Phrase::read(labels, words))
        .filter(Phrase::knows_any)
        .collect();
    spoken.dedup();
    if let [one] = spoken.as_slice() {
        return of_phrase(one, text);
    }
    let says_none = |sentence: &&&str| Phrase::read(labels, sentence) == Phrase::NoneOfThem;
    if all.iter().any(|sentence| says_none(&sentence)) {
        return of_phrase(&Phrase::NoneOfThem, text);
    }
    let beside = refusal::beside(&all).into_iter().map(|words| Phrase::read(labels, words));
    if let Some(phrase) = beside.rev().find(Phrase::knows_any) {
        return of_phrase(&phrase, text);
    }
    match all.as_slice() {
        [line] if is_short(line) && heading(line).is_none() => {
            let concluded = || Some(Phrase::read(labels, led::concluded(line))).filter(Phrase::knows_any);
            let said = trailing(labels, line).or_else(concluded).unwrap_or_else(|| Phrase::read(labels, line));
            of_phrase(&said, text)
        }
        _ => Answer::default(),
    }
}

/// In sentences: a correction stands at the end.
const LAST_WORDS: usize = 4;

/// What takes back what was said before it: `Correction: gout`, `Wait, this is gout`, `No, wait. Gout.`
pub(super) fn corrected(labels: &Labels, sentences: &[&str]) -> Option<Phrase> {
    let (at, rest) = sentences.iter().enumerate().rev().find_map(|(at, it)| Some((at, led::corrected(it)?)))?;
    let rest = if rest.is_empty() { *sentences.get(at + 1)? } else { rest };
    // Who thinks aloud says "wait" again and again before coming to an end.
    let ends = |it: &&str| claimed(it).is_some() || heading(it).is_some_and(|words| !words.is_empty());
    let doubts = ["maybe", "perhaps", "could", "might", "what if", "what about"]
        .iter()
        .any(|it| begins(&rest.to_lowercase(), it));
    if doubts || at + LAST_WORDS < sentences.len() || sentences[at + 1..].iter().any(ends) {
        return None;
    }
    let firm = firmly(rest).map(|words| Phrase::read(labels, words)).filter(Phrase::knows_any);
    firm.or_else(|| Some(Phrase::read(labels, rest)).filter(Phrase::knows_any))
}

/// The last known condition that such words lead to.
pub(super) fn last_led(labels: &Labels, sentences: &[&str], to: fn(&str) -> Option<&str>) -> Option<Phrase> {
    let phrases = sentences.iter().rev().filter_map(|it| to(it)).map(|words| Phrase::read(labels, words));
    phrases.into_iter().find(Phrase::knows_any)
}

/// Scripts without spaces have two letters to a word.
fn is_short(line: &str) -> bool {
    let unspaced =
        line.chars().filter(|c| !c.is_ascii() && c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase());
    line.split_whitespace().count() <= LONGEST_NAME && unspaced.count() <= 2 * LONGEST_NAME
}

pub(super) fn prose<'a>(blocks: &[Block<'a>]) -> Vec<&'a str> {
    let lines = blocks.iter().filter_map(|block| match block {
        Block::Prose(line) => Some(*line),
        Block::List(_) => None,
    });
    lines.flat_map(stated).collect()
}

/// `Therefore, gout.`, below a list.
pub(super) fn ending(labels: &Labels, sentences: &[&str]) -> Option<Phrase> {
    let last = plain(led::concluded(sentences.last()?));
    labels.find(&last).is_some().then(|| Phrase::read(labels, &last))
}

/// An answer that ends with nothing but the name, and has no other such line.
fn closing(labels: &Labels, sentences: &[&str]) -> Option<Phrase> {
    let [before @ .., last] = sentences else { return None };
    let is_name = |sentence: &str| labels.find(&plain(sentence)).is_some();
    let last = plain(led::concluded(last));
    let alone = is_name(&last) && !before.is_empty() && !before.iter().any(|it| is_name(it));
    alone.then(|| Phrase::read(labels, &last))
}

/// Whether an answer that opens with a name says so, and neither asks nor weighs it.
fn is_plainly_led(text: &str, sentences: &[&str]) -> bool {
    const WEIGHED: [&str; 14] = [
        " unlikely",
        " less likely",
        " ruled out",
        " excluded",
        " would ",
        " is rare",
        " was ",
        " considered",
        " cannot ",
        "n't ",
        "(known",
        "(treated",
        " in the past",
        " history",
    ];
    let [first, _, ..] = sentences else { return true };
    let lower = first.to_lowercase();
    !is_asked(text, sentences) && !WEIGHED.iter().any(|it| lower.contains(it))
}

/// Whether an answer opens with a question, or with what the patient had before.
fn is_asked(text: &str, sentences: &[&str]) -> bool {
    let [first, _, ..] = sentences else { return false };
    let lower = first.to_lowercase();
    let before = ["(known", "(treated", " in the past", "history of", " was treated"];
    text.find(first).is_some_and(|at| text[at + first.len()..].starts_with('?'))
        || before.iter().any(|it| lower.contains(it))
}

/// Whether what is claimed last is called a diagnosis: the best option may be a drug.
fn is_of_diagnosis(sentences: &[&str]) -> bool {
    let last = sentences.iter().rev().find(|it| claimed(it).is_some());
    last.is_some_and(|it| ["diagnosis", "condition", "answer"].iter().any(|noun| it.to_lowercase().contains(noun)))
}

/// An answer that opens with nothing but the name.
fn lead(labels: &Labels, sentences: &[&str]) -> Option<Phrase> {
    let phrase = Phrase::read(labels, sentences.first()?);
    let Phrase::Names(names) = &phrase else { return None };
    let said: usize = names.iter().map(|name| name.words.split_whitespace().count()).sum();
    let all = sentences[0].split_whitespace().count();
    (phrase.knows_any() && all <= said + LONGEST_NAME).then_some(phrase)
}

/// The last sentence that claims something; a heading is none.
pub(super) fn last_claim(labels: &Labels, sentences: &[&str]) -> Option<Phrase> {
    let headed = |sentence: &str| heading(sentence).is_some_and(|words| !words.is_empty());
    let claims = || {
        let claims = sentences.iter().rev().filter(|it| !headed(it)).filter_map(|it| Some((*it, claimed(it)?)));
        claims.map(|(sentence, words)| (sentence, Phrase::read(labels, words)))
    };
    // The best option may be a drug, and the best test none at all.
    let is_claim = |(sentence, phrase): &(&str, Phrase)| {
        phrase.knows_any() || (!phrase.is_nothing() && is_of_diagnosis(&[sentence]))
    };
    claims().find(is_claim).or_else(|| claims().find(|(_, phrase)| !phrase.is_nothing())).map(|(_, phrase)| phrase)
}

/// `A or B. However, B is the more likely one.`
pub(super) fn narrowed(phrase: Phrase, claim: Option<Phrase>) -> Phrase {
    let among = |one: &ConditionId| matches!(&phrase, Phrase::Names(names) if names.iter().any(|name| name.condition.as_ref() == Some(one)));
    match claim {
        Some(claim) if claim.one().is_some_and(among) => claim,
        _ => phrase,
    }
}

#[cfg(test)]
mod tests {
    use super::is_short;

    #[test]
    fn letters_and_words_make_a_line_long_and_dots_do_not() {
        assert!(is_short(&format!("Gout {} 0.9", ".".repeat(60))));
        assert!(is_short("痛风"));
        assert!(is_short(&"痛".repeat(16)) && !is_short(&"痛".repeat(17)));
        assert!(is_short(&"é".repeat(60)), "letters that are large or small stand in words with spaces");
        assert!(!is_short(&"gout ".repeat(60)));
    }
}
