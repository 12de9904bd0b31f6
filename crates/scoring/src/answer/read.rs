//! Which of the things an answer says is its answer.

use super::aside::{Aside, Parted, parted};
use super::claim::{claimed, early_heading, heading, spoken_for};
use super::denied::{Denial, denied, grade, is_chosen, stated};
use super::item::{Item, confidence};
use super::labels::Labels;
use super::led::{self, firmly, pointing};
use super::list::{Block, blocks};
use super::phrase::{LONGEST_NAME, Name, Phrase, single};
use super::trailing::trailing;
use super::words::{plain, plain_marks};
use super::{Answer, Said};
use crate::refusal;
use std::cmp::Ordering;
use waterjar_core::{ConditionId, RankedLabel};

pub(super) fn read(labels: &Labels, text: &str) -> Answer {
    let text = &plain_marks(text);
    let blocks = blocks(text);
    let Parted { main, lists, all } = parted(&blocks);
    let answer = of_blocks(labels, &main, text);
    if answer.said == Said::Nothing {
        let answer = of_blocks(labels, &all, text);
        return if answer.said == Said::Nothing { of_any_list(labels, &all) } else { answer };
    }
    lists.iter().filter(|(kind, _)| *kind != Aside::Out).fold(answer, |answer, (kind, items)| {
        let items = standing(items);
        let listed = of_list(labels, &items);
        let first = answer.named().map(|it| it.condition.clone());
        let holds = listed.ranking.iter().any(|it| Some(&it.condition) == first.as_ref());
        let is_graded = items.iter().any(|item| item.confidence.is_some());
        // A diagnosis, and then all that was thought of with their chances.
        if *kind == Aside::Differential && holds && is_graded { listed } else { answer.followed_by(&listed) }
    })
}

fn of_blocks(labels: &Labels, blocks: &[Block<'_>], text: &str) -> Answer {
    let list = last_list(labels, blocks);
    let headed = last_heading(labels, blocks, heading)
        .or_else(|| last_heading(labels, blocks, early_heading).filter(|(_, phrase)| phrase.knows_any()));
    let formal = [list.as_ref().map(|it| it.0), headed.as_ref().map(|it| it.0)].into_iter().flatten().max();
    if let Some(phrase) = corrected(labels, &prose(&blocks[formal.unwrap_or(0)..])) {
        return of_phrase(&phrase, text);
    }
    if let Some((at, list)) = &list
        && let Some(chosen) = by_number(&blocks[at + 1..], list)
    {
        return of_phrase(&Phrase::read(labels, &chosen.words), "");
    }
    match (list, headed) {
        (Some((_, list)), None) => overruled(labels, blocks, &list).unwrap_or_else(|| of_list(labels, &list)),
        (Some((at, list)), Some((head, phrase))) => {
            let phrase = if at < head { among(labels, phrase, &list) } else { phrase };
            let graded = list.iter().any(|item| item.confidence.is_some());
            let listed = || list.iter().map(|item| single(labels, &item.words));
            let agrees = phrase.one().is_some_and(|named| listed().next().flatten() == Some(named));
            let holds = phrase.one().is_none_or(|named| listed().any(|it| it == Some(named)));
            match at > head {
                _ if agrees => of_list(labels, &list),
                true if graded && holds => of_list(labels, &list),
                // A diagnosis, and then the others that were thought of.
                true => of_phrase(&phrase, text).followed_by(&of_list(labels, &list)),
                false => of_phrase(&phrase, text),
            }
        }
        (None, Some((_, phrase))) => of_phrase(&narrowed(phrase, last_claim(labels, &prose(blocks))), text),
        (None, None) => of_prose(labels, blocks, text),
    }
}

/// A list of names where nothing else is said: whoever begins with one that is not known has named another disease.
fn of_any_list(labels: &Labels, blocks: &[Block<'_>]) -> Answer {
    let lists = || blocks.iter().filter(|block| matches!(block, Block::List(_)));
    let [Block::List(items)] = lists().collect::<Vec<_>>()[..] else { return Answer::default() };
    let is_name = |item: &Item| item.words.split_whitespace().count() <= LONGEST_NAME;
    let knows = |item: &Item| Phrase::read(labels, &item.words).knows_any();
    let is_answer = items.iter().all(is_name) && items.iter().any(knows);
    if is_answer { of_list(labels, &standing(items)) } else { Answer::default() }
}

/// The last list whose first item is known; a plan or a list of reasons is none.
fn last_list(labels: &Labels, blocks: &[Block<'_>]) -> Option<(usize, Vec<Item>)> {
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
fn standing(items: &[Item]) -> Vec<Item> {
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
fn by_number<'a>(after: &[Block<'_>], list: &'a [Item]) -> Option<&'a Item> {
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

/// What takes back what was said before it: `Correction: gout`, `Wait, this is gout`, `No, wait. Gout.`
fn corrected(labels: &Labels, sentences: &[&str]) -> Option<Phrase> {
    let (at, rest) = sentences.iter().enumerate().rev().find_map(|(at, it)| Some((at, led::corrected(it)?)))?;
    let rest = if rest.is_empty() { *sentences.get(at + 1)? } else { rest };
    let firm = firmly(rest).map(|words| Phrase::read(labels, words)).filter(Phrase::knows_any);
    firm.or_else(|| Some(Phrase::read(labels, rest)).filter(Phrase::knows_any))
}

/// The last known condition that such words lead to.
fn last_led(labels: &Labels, sentences: &[&str], to: fn(&str) -> Option<&str>) -> Option<Phrase> {
    let phrases = sentences.iter().rev().filter_map(|it| to(it)).map(|words| Phrase::read(labels, words));
    phrases.into_iter().find(Phrase::knows_any)
}

/// The last heading that is followed by something. `A`, then `OR`, then `B` are left open together.
fn last_heading(labels: &Labels, blocks: &[Block<'_>], heading: fn(&str) -> Option<String>) -> Option<(usize, Phrase)> {
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

/// What is said in sentences.
fn of_prose(labels: &Labels, blocks: &[Block<'_>], text: &str) -> Answer {
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
            of_phrase(&trailing(labels, line).unwrap_or_else(|| Phrase::read(labels, line)), text)
        }
        _ => Answer::default(),
    }
}

/// Scripts without spaces have two letters to a word.
fn is_short(line: &str) -> bool {
    let unspaced =
        line.chars().filter(|c| !c.is_ascii() && c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase());
    line.split_whitespace().count() <= LONGEST_NAME && unspaced.count() <= 2 * LONGEST_NAME
}

fn prose<'a>(blocks: &[Block<'a>]) -> Vec<&'a str> {
    let lines = blocks.iter().filter_map(|block| match block {
        Block::Prose(line) => Some(*line),
        Block::List(_) => None,
    });
    lines.flat_map(stated).collect()
}

/// `Therefore, gout.`, below a list.
fn ending(labels: &Labels, sentences: &[&str]) -> Option<Phrase> {
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
fn last_claim(labels: &Labels, sentences: &[&str]) -> Option<Phrase> {
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
fn narrowed(phrase: Phrase, claim: Option<Phrase>) -> Phrase {
    let among = |one: &ConditionId| matches!(&phrase, Phrase::Names(names) if names.iter().any(|name| name.condition.as_ref() == Some(one)));
    match claim {
        Some(claim) if claim.one().is_some_and(among) => claim,
        _ => phrase,
    }
}

/// A list without confidences may be the reasoning, and a sentence after it the answer.
fn overruled(labels: &Labels, blocks: &[Block<'_>], list: &[Item]) -> Option<Answer> {
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
fn among(labels: &Labels, phrase: Phrase, list: &[Item]) -> Phrase {
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

fn of_list(labels: &Labels, list: &[Item]) -> Answer {
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

fn of_phrase(phrase: &Phrase, text: &str) -> Answer {
    let names = match phrase {
        Phrase::Nothing => return Answer::default(),
        Phrase::NoneOfThem => return Answer { said: Said::NoneOfThem, ..Answer::default() },
        Phrase::Names(names) => names,
    };
    let words: Vec<&str> = names.iter().map(|name| name.words.as_str()).collect();
    let mut answer = Answer {
        said: if names.len() > 1 { Said::Open } else { Said::Choice },
        listed: names.len() as u32,
        first_words: Some(words.join(" or ")),
        ..Answer::default()
    };
    for name in names {
        let elsewhere = if names.len() == 1 { stated_confidence(text) } else { None };
        answer.add(name.condition.clone(), 1, name.confidence.or(elsewhere));
    }
    answer
}

/// `Confidence: 80%` on a line of its own.
fn stated_confidence(text: &str) -> Option<f64> {
    let line = text.lines().map(plain).find(|line| line.to_lowercase().starts_with("confidence"))?;
    confidence(&line)
}

impl Answer {
    /// Naming a condition twice gives it its better place.
    fn add(&mut self, condition: Option<ConditionId>, rank: u32, confidence: Option<f64>) {
        if let Some(condition) = condition
            && self.ranking.iter().all(|known| known.condition != condition)
        {
            self.ranking.push(RankedLabel { rank, condition, confidence });
        }
    }

    /// A name that fits several conditions is the one that was asked about; of several such, or of none, it leaves open which.
    pub(super) fn settled(mut self, labels: &Labels, asked: &[&ConditionId]) -> Self {
        for label in std::mem::take(&mut self.ranking) {
            let meant = labels.meant(&label.condition, asked);
            if label.rank == 1 && meant.len() > 1 {
                self.said = Said::Open;
            }
            for condition in meant {
                self.add(Some(condition.clone()), label.rank, label.confidence);
            }
        }
        self
    }

    fn followed_by(mut self, others: &Self) -> Self {
        let own = self.listed;
        for label in &others.ranking {
            self.add(Some(label.condition.clone()), own + label.rank, label.confidence);
        }
        self.listed += others.listed;
        self
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
