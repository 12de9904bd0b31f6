//! The list an answer ends with, and what is said below it.

use super::claim::heading;
use super::denied::{Denial, denied, grade, is_chosen};
use super::item::Item;
use super::labels::Labels;
use super::led::{firmly, pointing};
use super::list::Block;
use super::phrase::{LONGEST_NAME, Name, Phrase, single};
use super::prose::{ending, last_claim, last_led, prose};
use super::read::of_phrase;
use super::words::plain;
use super::{Answer, Said};
use crate::refusal;
use std::cmp::Ordering;

/// A list of names where nothing else is said: whoever begins with one that is not known has named another disease.
pub(super) fn of_any_list(labels: &Labels, blocks: &[Block<'_>]) -> Answer {
    let lists = || blocks.iter().filter(|block| matches!(block, Block::List(_)));
    let [Block::List(items)] = lists().collect::<Vec<_>>()[..] else { return Answer::default() };
    let is_name = |item: &Item| item.words.split_whitespace().count() <= LONGEST_NAME;
    let knows = |item: &Item| Phrase::read(labels, &item.words).knows_any();
    let is_answer = items.iter().all(is_name) && items.iter().any(knows);
    if is_answer { of_list(labels, &standing(items)) } else { Answer::default() }
}

/// The last list whose first item is known; a plan or a list of reasons is none.
pub(super) fn last_list(labels: &Labels, blocks: &[Block<'_>]) -> Option<(usize, Vec<Item>)> {
    let lists = || {
        blocks.iter().enumerate().rev().filter_map(|(at, block)| match block {
            Block::List(items) => Some((at, items)),
            Block::Prose(_) => None,
        })
    };
    let knows = |item: &Item| Phrase::read(labels, &item.words).knows_any();
    let known = |items: &[Item]| {
        let standing = standing(items);
        standing.first().is_some_and(knows) || (standing.as_slice() != items && items.iter().any(knows))
    };
    let graded = |items: &[Item]| items.iter().all(|item| item.confidence.is_some());
    let found = lists().find(|(_, items)| known(items)).or_else(|| lists().find(|(_, items)| graded(items)));
    found.map(|(at, items)| (at, standing(items)))
}

/// The items as they stand: `PE – ruled out` behind what is left, `Gout – most likely` before it, and where all have chances, the best first.
pub(super) fn standing(items: &[Item]) -> Vec<Item> {
    let mut standing = items.to_vec();
    let is_graded = items.iter().any(|item| item.confidence.is_some());
    if items.iter().all(|item| item.confidence.is_some()) {
        standing.sort_by(|one, other| other.confidence.partial_cmp(&one.confidence).unwrap_or(Ordering::Equal));
    } else if let Some(grades) = items.iter().map(|item| grade(&item.words)).collect::<Option<Vec<u8>>>() {
        let mut graded: Vec<(u8, Item)> = grades.into_iter().zip(standing).collect();
        graded.sort_by_key(|(grade, _)| *grade);
        return graded.into_iter().map(|(_, item)| item).collect();
    }
    let chosen = items.iter().filter(|item| is_chosen(&item.words)).count() == 1 && !is_graded;
    standing.sort_by_key(|item| match denied(&item.words) {
        Some((_, Denial::Unlikely)) => 2,
        Some((_, Denial::Out)) => 3,
        None if chosen && is_chosen(&item.words) => 0,
        None => 1,
    });
    let all_denied = standing.iter().all(|item| denied(&item.words).is_some());
    if all_denied { items.to_vec() } else { standing }
}

/// `Answer: 2`, after a list.
pub(super) fn by_number<'a>(after: &[Block<'_>], list: &'a [Item]) -> Option<&'a Item> {
    let words = after.iter().rev().find_map(|block| match block {
        Block::Prose(line) => heading(line).filter(|words| !words.is_empty()),
        Block::List(_) => None,
    })?;
    let words = plain(&words).to_lowercase();
    let number = words.trim_start_matches(|c: char| !c.is_ascii_digit());
    let lead = words[..words.len() - number.len()].trim().trim_end_matches('#');
    let is_lead = ["", "option", "number", "no.", "no", "diagnosis", "choice", "item"].contains(&lead.trim());
    list.get(number.parse::<usize>().ok().filter(|_| is_lead)?.checked_sub(1)?)
}

/// A list without confidences may be the reasoning, and a sentence after it the answer.
pub(super) fn overruled(labels: &Labels, blocks: &[Block<'_>], list: &[Item]) -> Option<Answer> {
    if list.iter().any(|item| item.confidence.is_some()) {
        return None;
    }
    let after = blocks.iter().rposition(|block| matches!(block, Block::List(items) if standing(items) == list))?;
    let said = prose(&blocks[after..]);
    let listed = |phrase: &Phrase| {
        phrase
            .one()
            .is_some_and(|it| list.iter().any(|item| single(labels, &item.words) == Some(it)) || labels.is_wide(it))
    };
    let claim = last_claim(labels, &said)
        .or_else(|| last_led(labels, &said, firmly).filter(listed))
        .or_else(|| ending(labels, &said).filter(listed))
        .or_else(|| last_led(labels, &said, pointing).filter(listed))?;
    let claim = among(labels, claim, list);
    let one = claim.one()?;
    let first = list.first().and_then(|item| single(labels, &item.words));
    (first != Some(one)).then(|| of_phrase(&claim, ""))
}

/// A wide name said after the candidates means the one of them that it fits; where it fits several, or is one itself, it stays as wide as it was said.
pub(super) fn among(labels: &Labels, phrase: Phrase, list: &[Item]) -> Phrase {
    let Some(wide) = phrase.one().filter(|it| labels.is_wide(it)) else { return phrase };
    let mut fitting = Vec::new();
    for listed in list.iter().filter_map(|item| single(labels, &item.words)) {
        if (listed == wide || labels.is_within(wide, listed)) && !fitting.contains(&listed) {
            fitting.push(listed);
        }
    }
    match (fitting.as_slice(), &phrase) {
        ([one], Phrase::Names(names)) => {
            let meant = |name: &Name| Name { condition: Some((*one).clone()), ..name.clone() };
            Phrase::Names(names.iter().map(meant).collect())
        }
        _ => phrase,
    }
}

pub(super) fn of_list(labels: &Labels, list: &[Item]) -> Answer {
    if list.iter().all(|item| refusal::says_nothing(&item.words)) {
        return Answer::default();
    }
    let mut answer = Answer { listed: list.len() as u32, ..Answer::default() };
    for (item, rank) in list.iter().zip(1..) {
        // What is less likely is thought of all the same.
        let words = match denied(&item.words) {
            Some((name, Denial::Unlikely)) if rank > 1 => name,
            _ => &item.words,
        };
        let names = match Phrase::read(labels, words) {
            Phrase::Names(names) => names,
            _ => Vec::new(),
        };
        if rank == 1 {
            answer.said = if names.len() > 1 { Said::Open } else { Said::Choice };
            answer.first_words = Some(item.words.clone());
        }
        for Name { condition, .. } in names {
            answer.add(condition, rank, item.confidence);
        }
    }
    answer
}
