//! What a reader makes of a vignette: age, sex, signs, options.

use super::Habit;
use super::scripts::{Script, Scripts};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sex {
    Man,
    Woman,
}

/// An option of the vignette, or a condition where there are none.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// `B`; empty without options.
    pub label: String,
    pub name: String,
    pub script: Option<&'a Script>,
    pub score: f64,
}

pub struct Reading<'a> {
    pub age: Option<String>,
    /// What the text says of it.
    pub sex: Option<Sex>,
    /// Signs in the order of the text, and whether they are denied.
    pub signs: Vec<(&'a str, bool)>,
    candidates: Vec<Candidate<'a>>,
}

/// How much a picture of who has a condition weighs against signs: as much as one rather telling sign, where nine of ten are pictured so.
const HABIT: f64 = 2.0;

impl<'a> Reading<'a> {
    pub fn of(text: &str, scripts: &'a Scripts) -> Self {
        let (story, options) = parts(text);
        let sentences: Vec<Vec<String>> = sentences(&story).map(words).collect();
        let mut found: Vec<(usize, &'a str, bool)> = Vec::new();
        for sign in scripts.signs() {
            let place = sentences.iter().enumerate().find_map(|(at, sentence)| Some((at, met(sentence, sign)?)));
            found.extend(place.map(|(at, (word, denied))| (at * 1000 + word, sign, denied)));
        }
        found.sort_unstable();
        let signs: Vec<(&str, bool)> = found.into_iter().map(|(_, sign, denied)| (sign, denied)).collect();
        let candidate = |label: &str, name: &str, script: Option<&'a Script>| Candidate {
            label: label.to_owned(),
            name: name.to_owned(),
            script,
            score: script.map_or(0.0, |script| score(script, &signs, scripts)),
        };
        let mut candidates: Vec<Candidate<'a>> =
            options.iter().map(|(label, name)| candidate(label, name, scripts.named(name))).collect();
        if candidates.is_empty() {
            candidates = scripts.all.iter().map(|script| candidate("", &script.name, Some(script))).collect();
        }
        Self { age: age(&story), sex: sex(&story), signs, candidates }
    }

    /// The most likely first; ties in the order of the options.
    pub fn ranked(&self, habit: Habit) -> Vec<Candidate<'a>> {
        let mut ranked = self.candidates.clone();
        if let (Habit::Stereotype, Some(sex)) = (habit, self.sex) {
            for it in &mut ranked {
                let Some(men) = it.script.and_then(|it| it.men) else { continue };
                let share = f64::from(if sex == Sex::Man { men } else { 10 - men });
                it.score += HABIT * (share / 5.0).ln();
            }
        }
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
        ranked.truncate(5);
        ranked
    }
}

/// What speaks for a condition, less half of what was denied.
fn score(script: &Script, signs: &[(&str, bool)], scripts: &Scripts) -> f64 {
    let mine = signs.iter().filter(|(sign, _)| script.signs.iter().any(|it| it == sign));
    mine.map(|(sign, denied)| if *denied { -0.5 * scripts.weight(sign) } else { scripts.weight(sign) }).sum()
}

/// The story and the question; the options with their labels.
fn parts(text: &str) -> (String, Vec<(String, String)>) {
    let mut story = Vec::new();
    let mut options = Vec::new();
    for line in text.lines() {
        let option = line.split_once(['.', ')']).filter(|(label, rest)| {
            let label = label.trim_start_matches('(');
            label.len() == 1 && label.starts_with(|c: char| c.is_ascii_uppercase()) && rest.starts_with(' ')
        });
        match option {
            Some((label, rest)) => options.push((label.trim_start_matches('(').to_owned(), rest.trim().to_owned())),
            None => story.push(line),
        }
    }
    (story.join("\n"), options)
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(". ").flat_map(str::lines).map(str::trim).filter(|it| !it.is_empty())
}

/// A comma is a word of its own: it parts what is said of one thing from what is said of the next.
fn words(text: &str) -> Vec<String> {
    let text = text.replace(", ", " , ");
    let parts = text.split(|c: char| !c.is_alphanumeric() && !"-',".contains(c)).map(|it| it.trim_matches(['-', '\'']));
    parts.filter(|it| !it.is_empty()).map(str::to_lowercase).collect()
}

/// Whether all words of a sign begin words of the sentence; where the first of them stands, and whether it is denied.
fn met(sentence: &[String], sign: &str) -> Option<(usize, bool)> {
    let place = |part: &str| sentence.iter().position(|word| word.starts_with(stem(part)));
    let places: Vec<usize> = sign.split(' ').map(place).collect::<Option<_>>()?;
    let first = places.into_iter().min()?;
    let before: Vec<&String> = sentence[..first].iter().filter(|word| *word != ",").collect();
    let before = &before[before.len().saturating_sub(5)..];
    let turn = before.iter().rposition(|word| matches!(word.as_str(), "but" | "and" | "with" | "which" | "after"));
    let denied = before[turn.map_or(0, |at| at + 1)..].iter().any(|word| denies(word));
    Some((first, denied || is_sound(sentence, first)))
}

fn denies(word: &str) -> bool {
    let by_verb = matches!(word, "deny" | "denies" | "denied" | "denying");
    by_verb || matches!(word, "no" | "not" | "without" | "never" | "neither" | "nor")
}

/// `D-dimer is normal`, `a normal chest radiograph`, `oxygen saturation is 99%`: looked for and not found. `ago normal` and `normally` are not it.
fn is_sound(sentence: &[String], at: usize) -> bool {
    let sound = |word: &str| {
        matches!(word, "normal" | "negative" | "clear" | "absent" | "unremarkable" | "supple" | "undetectable")
    };
    let before = at.checked_sub(1).is_some_and(|before| sound(&sentence[before]));
    let after = sentence[at + 1..]
        .iter()
        .take(5)
        .take_while(|word| !matches!(word.as_str(), "," | "and" | "but" | "with" | "which"));
    let saturated =
        sentence[at].starts_with("saturation") || sentence.get(at + 1).is_some_and(|it| it.starts_with("saturation"));
    let well = |word: &String| saturated && word.parse::<u32>().is_ok_and(|share| (95..=100).contains(&share));
    before || after.into_iter().any(|word| sound(word) || well(word))
}

/// Without the ending that he and she have and they has not: `sits`, `worries`.
fn stem(word: &str) -> &str {
    let plain = || word.strip_suffix('s').filter(|it| !it.ends_with('s'));
    let stem = word.strip_suffix("ies").or_else(|| word.strip_suffix('y')).or_else(plain);
    stem.filter(|it| it.len() > 2).unwrap_or(word)
}

/// `58-year-old`
fn age(story: &str) -> Option<String> {
    let at = story.find("-year-old").or_else(|| story.find("-month-old")).or_else(|| story.find("-week-old"))?;
    let number = story[..at].rsplit(|c: char| !c.is_ascii_digit()).next()?;
    let unit = story[at..].split(|c: char| !c.is_alphabetic() && c != '-').next()?;
    (!number.is_empty()).then(|| format!("{number}{unit}"))
}

/// What the first gendered word of the first sentence says: the patient is introduced there, and others later.
fn sex(story: &str) -> Option<Sex> {
    let first = sentences(story).next().unwrap_or_default();
    words(first).iter().find_map(|word| match word.as_str() {
        "he" | "him" | "his" | "man" | "boy" | "male" | "gentleman" | "mr" | "himself" => Some(Sex::Man),
        "she" | "her" | "hers" | "woman" | "girl" | "female" | "lady" | "mrs" | "ms" | "herself" => Some(Sex::Woman),
        _ => None,
    })
}
