//! Which of the things an answer says is its answer.

use super::aside::{Aside, Parted, parted};
use super::claim::{early_heading, heading};
use super::headed::last_heading;
use super::item::confidence;
use super::labels::Labels;
use super::list::{Block, blocks};
use super::phrase::{Phrase, single};
use super::prose::{corrected, last_claim, narrowed, of_prose, prose};
use super::ranked::{among, by_number, last_list, of_any_list, of_list, overruled, standing};
use super::words::{plain, plain_marks};
use super::{Answer, Said};
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

pub(super) fn of_phrase(phrase: &Phrase, text: &str) -> Answer {
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
    pub(super) fn add(&mut self, condition: Option<ConditionId>, rank: u32, confidence: Option<f64>) {
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
