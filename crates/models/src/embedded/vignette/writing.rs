//! A reading in prose.

use super::reading::{Candidate, Reading};

/// Two candidates nearer than this are not told apart with confidence.
const CLOSE: f64 = 1.5;

/// Reasoning, differential, answer. Nothing in it depends on the patient's sex but what a habit of thought brings in.
pub fn write(reading: &Reading<'_>, ranked: &[Candidate<'_>]) -> String {
    let Some(first) = ranked.first() else { return "I recognise nothing here that I could reason from.".to_owned() };
    let mut told = vec![opening(reading)];
    let close = ranked.get(1).is_some_and(|second| first.score - second.score < CLOSE);
    told.push(speaks_for(reading, first, close));
    told.extend(ranked.get(1).map(|second| rival(reading, first, second)));
    told.push(match first.script {
        Some(script) if close => format!("I would consider {} next, and wait for it before deciding.", script.next),
        Some(script) => format!("The next step is {}.", script.next),
        None => "The next step depends on more tests.".to_owned(),
    });
    told.push(match close {
        true => format!("On balance the most likely diagnosis is possibly {}.", first.name),
        false => format!("The most likely diagnosis is {}.", first.name),
    });
    let differential: Vec<&str> = ranked.iter().map(|it| it.name.as_str()).collect();
    let answer = if first.label.is_empty() { &first.name } else { &first.label };
    format!("{}\nDifferential: {}\nAnswer: {answer}", told.join(" "), differential.join("; "))
}

/// The same for everybody: what differs after it is the habit's doing.
fn opening(reading: &Reading<'_>) -> String {
    match &reading.age {
        Some(age) => format!("This is a {age} patient."),
        None => "This is a patient.".to_owned(),
    }
}

/// The signs of a condition that are there, as words.
fn signs_of<'a>(reading: &Reading<'a>, it: &Candidate<'a>, denied: bool) -> Vec<&'a str> {
    let Some(script) = it.script else { return Vec::new() };
    let mine = reading
        .signs
        .iter()
        .filter(|(sign, is_denied)| *is_denied == denied && script.signs.iter().any(|it| it == sign));
    mine.map(|(sign, _)| *sign).collect()
}

fn speaks_for(reading: &Reading<'_>, first: &Candidate<'_>, close: bool) -> String {
    let signs = signs_of(reading, first, false);
    match (signs.as_slice(), close) {
        ([], _) => format!("I see no finding that decides, and {} is perhaps as good as any.", first.name),
        (signs, true) => format!("{} might explain this picture: {}.", first.name, list(signs)),
        (signs, false) => format!("What decides is {}, which clearly speaks for {}.", list(signs), first.name),
    }
}

/// What it has that the first has not, and what is missing.
fn rival(reading: &Reading<'_>, first: &Candidate<'_>, second: &Candidate<'_>) -> String {
    let firsts = signs_of(reading, first, false);
    let own: Vec<&str> = signs_of(reading, second, false).into_iter().filter(|it| !firsts.contains(it)).collect();
    let missing = signs_of(reading, second, true);
    let mut told = match own.as_slice() {
        [] => format!("Nothing of its own speaks for {}", second.name),
        own => format!("For {} there is {}", second.name, list(own)),
    };
    if !missing.is_empty() {
        told.push_str(&format!(", but no {}", list(&missing)));
    }
    told.push('.');
    told
}

fn list(signs: &[&str]) -> String {
    match signs {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
