//! What stands under the last heading of an answer.

use super::claim::claimed;
use super::denied::stated;
use super::labels::Labels;
use super::led::firmly;
use super::list::Block;
use super::phrase::Phrase;
use super::prose::last_led;
use super::trailing::trailing;
use super::words::plain;

/// The last heading that is followed by something. `A`, then `OR`, then `B` are left open together.
pub(super) fn last_heading(
    labels: &Labels,
    blocks: &[Block<'_>],
    heading: fn(&str) -> Option<String>,
) -> Option<(usize, Phrase)> {
    let mut last: Option<(usize, Phrase)> = None;
    let mut or_else = false;
    for (at, block) in blocks.iter().enumerate() {
        let Block::Prose(line) = block else { continue };
        if plain(line).eq_ignore_ascii_case("or") {
            or_else = true;
            continue;
        }
        let line = from_last_heading(line, heading);
        let Some(mut words) = heading(line) else { continue };
        if words.is_empty() {
            match blocks.get(at + 1) {
                Some(Block::Prose(next)) => words = (*next).to_owned(),
                _ => continue,
            }
        }
        let phrase = sentence_phrase(labels, &words);
        if phrase.is_nothing() {
            continue;
        }
        last = Some((
            at,
            match last {
                Some((_, before)) if or_else => either(before, phrase),
                _ => phrase,
            },
        ));
        or_else = false;
    }
    last
}

/// `First impression: PE. Final impression: pneumonia`: of several on a line the last.
fn from_last_heading(line: &str, heading: fn(&str) -> Option<String>) -> &str {
    let headed = |sentence: &&&str| heading(sentence).is_some_and(|words| !words.is_empty());
    let all = stated(line);
    let last =
        all.iter().rev().find(headed).filter(|_| heading(line).is_none() || all.iter().filter(headed).count() > 1);
    last.map_or(line, |it| &line[it.as_ptr() as usize - line.as_ptr() as usize..])
}

fn either(one: Phrase, other: Phrase) -> Phrase {
    match (one, other) {
        (Phrase::Names(mut names), Phrase::Names(more)) => {
            names.extend(
                more.into_iter()
                    .filter(|name| names.iter().all(|known| known.condition != name.condition))
                    .collect::<Vec<_>>(),
            );
            Phrase::Names(names)
        }
        (_, other) => other,
    }
}

/// The words after a heading may be a sentence: `Based on the fever, the most likely diagnosis is pneumonia`.
fn sentence_phrase(labels: &Labels, words: &str) -> Phrase {
    let first = stated(words).first().copied().unwrap_or_default();
    match claimed(first).map(|claim| Phrase::read(labels, claim)) {
        Some(phrase) if !phrase.is_nothing() => phrase,
        _ => match Phrase::read(labels, words) {
            phrase if phrase.knows_any() => phrase,
            phrase => last_led(labels, &[first], firmly).or_else(|| trailing(labels, first)).unwrap_or(phrase),
        },
    }
}
