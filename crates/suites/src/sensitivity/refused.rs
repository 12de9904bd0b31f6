//! Which of the treatments that a recommendation names are named to be left out: "capecitabine instead of trastuzumab".

use super::cues::CUES;
use std::ops::Range;

/// For each of the places, in their order, whether it is one to leave out. `text` is in lower case.
pub(super) fn refused(text: &str, places: &[Range<usize>]) -> Vec<bool> {
    let cues = &*CUES;
    // Of the same length, so that places stay where they are.
    let text = text.replace(['*', '_'], " ");
    let text = cues.cancelled.replace_all(&text, |found: &regex::Captures<'_>| " ".repeat(found[0].len()));
    let mut refused = vec![false; places.len()];
    let mut start = 0;
    let mut refused_before = false;
    let ends = cues.end.find_iter(&text).map(|found| (found.start(), found.end())).chain([(text.len(), text.len())]);
    for (end, next) in ends {
        let thought = Thought { text: &text[start..end], at: start };
        let within: Vec<usize> =
            (0..places.len()).filter(|it| start <= places[*it].start && places[*it].end <= end).collect();
        let back = thought.look_back(places, &within, &mut refused);
        thought.look_ahead(places, &within, &back, &mut refused);
        if refused_before && cues.too.is_match(thought.text) {
            within.iter().for_each(|it| refused[*it] = true);
        }
        refused_before = !back.is_empty();
        start = next;
    }
    refused
}

struct Thought<'a> {
    text: &'a str,
    /// Where it begins in the whole.
    at: usize,
}

impl Thought<'_> {
    fn between(&self, from: usize, to: usize) -> &str {
        &self.text[from - self.at..to - self.at]
    }

    /// "stop A, B and C, then give D". `used` are words that were against what stands before them.
    fn look_ahead(&self, places: &[Range<usize>], within: &[usize], used: &[Range<usize>], refused: &mut [bool]) {
        for cue in CUES.before.find_iter(self.text) {
            if used.iter().any(|it| it.start < cue.end() && cue.start() < it.end) {
                continue;
            }
            let word = cue.as_str().trim_matches([' ', ',', '(', ':', '–', '—', '-']);
            let in_brackets = cue.as_str().starts_with('(');
            let excepts = CUES.except.is_match(word);
            let told = self.text[..cue.start()].trim_end_matches([',', ' ']);
            if excepts && CUES.nothing.is_match(told.rsplit(',').next().unwrap_or(told)) {
                continue;
            }
            let spares = word == "not" && CUES.ending.is_match(self.text);
            let in_reason = CUES.reason.is_match(self.text) && !self.text[..cue.end()].contains(',');
            let is_near = CUES.near.is_match(word) && word != "rather than";
            // "as an alternative to A, B"
            let is_row = |gap: &str| CUES.joined.is_match(gap) && (excepts || !gap.contains(','));
            let mut from = self.at + cue.end();
            let mut named = false;
            for it in within.iter().copied().filter(|it| places[*it].start >= self.at + cue.end()) {
                let gap = self.between(from, places[it].start);
                if (named && (turns(word, gap, cue.start() == 0) || (is_near && !is_row(gap))))
                    || (named && in_reason && gap.contains(','))
                    || CUES.meanwhile.is_match(gap)
                    || CUES.instead.is_match(gap)
                    || (in_brackets && gap.contains(')'))
                    || CUES.except.is_match(gap)
                    || (is_ending(word) && gap.trim_end().ends_with(", not"))
                {
                    break;
                }
                if !named
                    && (is_of_another(word, gap)
                        || (is_near && !adjoins(gap))
                        || (is_swap(word) && !self.is_swapped(places, within, it))
                        || (spares && adjoins(gap))
                        || self.keeps(word, places, within, it))
                {
                    break;
                }
                refused[it] = true;
                named = true;
                from = places[it].end;
                if is_swap(word) {
                    break;
                }
            }
        }
    }

    /// "switch A to B"
    fn is_swapped(&self, places: &[Range<usize>], within: &[usize], first: usize) -> bool {
        let next = within.iter().find(|it| **it > first);
        next.is_some_and(|it| CUES.swap.is_match(self.between(places[first].end, places[*it].start)))
    }

    /// Whether the word is against a change of the treatment, or of a row that it begins, or is meant for later: it goes on.
    fn keeps(&self, word: &str, places: &[Range<usize>], within: &[usize], first: usize) -> bool {
        let mut last = first;
        for next in within.iter().copied().filter(|it| *it > first) {
            if !CUES.joined.is_match(self.between(places[last].end, places[next].start)) {
                break;
            }
            last = next;
        }
        let rest = &self.text[places[last].end - self.at..];
        match is_ending(word) {
            true => CUES.dose.is_match(rest) || is_later(rest),
            false => CUES.change.is_match(rest),
        }
    }

    /// "A, B and C are contraindicated"; gives the words that were against something.
    fn look_back(&self, places: &[Range<usize>], within: &[usize], refused: &mut [bool]) -> Vec<Range<usize>> {
        let mut used = Vec::new();
        for found in CUES.after.captures_iter(self.text) {
            let (Some(cue), bare) = (found.get(0), found.name("bare")) else { continue };
            let mut commas = cue.as_str().starts_with(':');
            // "surgery deferred" is said of surgery alone, and "held if …" of another day.
            let after = self.text[cue.end()..].trim_start();
            let nearest = within.iter().rev().find(|it| places[**it].end <= self.at + cue.start());
            let between = nearest.map(|it| self.between(places[*it].end, self.at + cue.start()));
            let adjoins = between.is_some_and(|it| ["", "therapy", "treatment"].contains(&it.trim()));
            let is_if = |it: &str| matches!(it.split_whitespace().last(), Some("if" | "unless" | "where"));
            if between.is_some_and(is_of_change) || between.is_some_and(is_if) {
                continue;
            }
            let starts = |words: &[&str]| words.iter().any(|it| after.starts_with(it));
            let said_of_it = adjoins && !starts(&["if", "when", "until", "only"]);
            // "A: hold, if …"
            let is_later = cue.as_str().starts_with([':', '(', '|', '–', '—', '-']) && starts(&["if ", "unless "]);
            if is_later || (bare.is_some() && !said_of_it) {
                continue;
            }
            let is_denied = || CUES.nothing.is_match(&self.text[..cue.start()]) || CUES.nothing.is_match(after);
            if found.name("noun").is_some() && (!said_of_it || is_denied()) {
                continue;
            }
            // "A is not indicated after B": B was given before.
            if let Some(next) = within.iter().find(|it| places[**it].start >= self.at + cue.end()) {
                let gap = self.between(self.at + cue.end(), places[*next].start);
                let is_drug = !CUES.operation.is_match(self.between(places[*next].start, places[*next].end));
                refused[*next] |= is_drug && CUES.after_all.is_match(gap);
            }
            // A list in brackets goes as one.
            commas |= between.is_some_and(|it| it.contains(')'));
            let mut to = None;
            for it in within.iter().copied().rev().filter(|it| places[*it].end <= self.at + cue.start()) {
                if let Some(to) = to {
                    let gap = self.between(places[it].end, to);
                    let Some(joined) = CUES.joined.captures(gap) else { break };
                    // What is said in brackets is not said of what stands before them.
                    if gap.contains('(') && !self.between(to, self.at + cue.start()).contains(')') {
                        break;
                    }
                    commas &= !gap.contains('(');
                    // In "A, B contraindicated" A may well be recommended; in "A, B and C" the comma says "and".
                    commas |= joined.name("word").is_some();
                    if joined.name("comma").is_some() && !commas {
                        break;
                    }
                }
                refused[it] = true;
                to = Some(places[it].start);
            }
            used.extend(to.map(|_| cue.range()));
        }
        used
    }
}

/// A condition that may come; "if possible" and "if on warfarin" are none.
fn is_later(rest: &str) -> bool {
    const NOW: [&str; 10] =
        ["possible", "feasible", "on", "taking", "still", "not", "already", "pregnant", "pregnancy", "appropriate"];
    let found = CUES.later.captures(rest);
    found.is_some_and(|it| it.name("what").is_none_or(|what| !NOW.contains(&what.as_str())))
}

fn is_swap(word: &str) -> bool {
    let swaps = ["switch", "chang", "convert", "transition"].iter().any(|it| word.starts_with(it));
    swaps && !word.ends_with("from")
}

/// Words against a treatment that is given now. They end it, and what follows may say when.
fn is_ending(word: &str) -> bool {
    const ENDING: [&str; 13] = [
        "stop",
        "hold",
        "withhold",
        "discontinu",
        "withdraw",
        "ceas",
        "omit",
        "drop",
        "defer",
        "remov",
        "suspend",
        "paus",
        "interrupt",
    ];
    ENDING.iter().any(|it| word.starts_with(it))
}

/// "A interruption is not recommended"
fn is_of_change(between: &str) -> bool {
    let change = CUES.change.find(between);
    change.is_some_and(|it| ["", "is", "are", "was", "were"].contains(&between[it.end()..].trim()))
}

/// Whether nothing but articles stands between a word and a treatment.
fn adjoins(gap: &str) -> bool {
    gap.split_whitespace().all(|it| ["for", "the", "of", "any", "all", "a", "an"].contains(&it))
}

/// Whether what stands between two treatments ends what the word said against the first.
fn turns(word: &str, gap: &str, begins: bool) -> bool {
    let says = |wanted: &[&str]| gap.split(|c: char| !c.is_alphanumeric()).any(|it| wanted.contains(&it));
    let swaps = ["instead of", "rather than", "in place of", "in lieu of"].contains(&word);
    CUES.turn.is_match(gap)
        || (word.ends_with("from") && says(&["to"]))
        || ((word.starts_with("replac") || word == "without" || word.starts_with("avoid")) && says(&["with", "by"]))
        || (begins && swaps && gap.contains(','))
}

/// Whether the word is against something that is named in no table: "replace lapatinib by A", "not a surgical candidate: A".
fn is_of_another(word: &str, gap: &str) -> bool {
    /// Words that belong to the one against.
    const OWN: [&str; 16] = [
        "recommended",
        "indicated",
        "advised",
        "appropriate",
        "suitable",
        "for",
        "to",
        "be",
        "given",
        "give",
        "the",
        "use",
        "following",
        "these",
        "any",
        "of",
    ];
    let words: Vec<&str> = gap.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let says = |wanted: &[&str]| words.iter().any(|it| wanted.contains(it));
    if word.starts_with("replac") {
        return says(&["with", "by"]);
    }
    if word.ends_with("from") {
        return says(&["to"]);
    }
    if word.starts_with("avoid") && CUES.harm.is_match(gap) {
        return true;
    }
    if word.starts_with("not a") {
        return !words.is_empty();
    }
    let before = gap.split_once(':').map(|(before, _)| before);
    let before = before.or_else(|| CUES.dash.find(gap).map(|dash| &gap[..dash.start()]));
    before.is_some_and(|it| it.split_whitespace().any(|it| !OWN.contains(&it)))
}

#[cfg(test)]
mod tests {
    use super::super::treatments::tests::check_left_out;

    const ONE: &[&str] = &["trastuzumab"];

    #[test]
    fn a_word_against_a_change_of_a_treatment_leaves_it_recommended() {
        for text in [
            "Proceed without trastuzumab dose reduction",
            "Continue without trastuzumab interruption",
            "No trastuzumab dose modification needed",
            "No docetaxel or trastuzumab dose changes",
            "Avoid trastuzumab discontinuation",
            "Trastuzumab interruption is not recommended",
            "Hold trastuzumab dose increase",
            "No need to stop trastuzumab",
            "No indication to stop trastuzumab",
            "It is not necessary to hold trastuzumab",
            "Trastuzumab does not have to be stopped",
            "Without modification of trastuzumab",
            "Without skipping trastuzumab",
            "Stopping trastuzumab is not required",
            "Discontinuation of trastuzumab is not recommended",
            "Rather than stopping trastuzumab, go on as before",
            "Advise against stopping trastuzumab",
            "Avoid abrupt discontinuation of trastuzumab",
            "No alternative to trastuzumab",
            "Stop pertuzumab, not trastuzumab",
        ] {
            check_left_out(text, &[], ONE);
        }
        for text in [
            "No reason to continue trastuzumab",
            "Capecitabine, no need for trastuzumab",
            "No indication for dose-dense trastuzumab",
            "Stop trastuzumab - change to capecitabine",
            "No trastuzumab, change to capecitabine",
            "Stop trastuzumab dosing",
            "No further dosing of trastuzumab",
            "Hold trastuzumab dose on day 1",
            "Without reducing capecitabine, stop trastuzumab",
            "Stopping trastuzumab is recommended",
            "Hold surgery, not a candidate for trastuzumab",
            "Trastuzumab maintenance is not indicated",
            "Withdraw trastuzumab",
            "Trastuzumab withdrawn",
        ] {
            check_left_out(text, ONE, &[]);
        }
    }

    #[test]
    fn what_is_to_be_stopped_if_something_happens_goes_on() {
        for text in [
            "Hold trastuzumab if diarrhea",
            "Hold trastuzumab if the INR rises above 4",
            "Hold trastuzumab for grade ≥3 diarrhea",
            "Discontinue trastuzumab only on progression",
            "Stop trastuzumab at progression",
            "Stop trastuzumab in case of bleeding",
            "Hold trastuzumab if LVEF <45%",
            "Consider stopping trastuzumab",
        ] {
            check_left_out(text, &[], ONE);
        }
        for text in [
            "Stop trastuzumab and give capecitabine, reduce if toxicity",
            "Stop trastuzumab; if diarrhea, loperamide",
            "Stop trastuzumab for grade 3 diarrhea",
            "Stop trastuzumab if possible",
            "Hold trastuzumab given the recent bleed",
            "Hold trastuzumab until delivery",
        ] {
            check_left_out(text, ONE, &[]);
        }
    }

    #[test]
    fn an_exception_is_left_out_and_of_nothing_it_is_what_is_given() {
        for text in [
            "Continue all agents except trastuzumab",
            "Current regimen minus trastuzumab",
            "Everything with the exception of trastuzumab",
            "Any antibody other than trastuzumab",
        ] {
            check_left_out(text, ONE, &[]);
        }
        for text in [
            "Nothing except trastuzumab",
            "Stop all agents except trastuzumab",
            "No systemic therapy other than trastuzumab",
            "No HER2-directed therapy except trastuzumab",
        ] {
            check_left_out(text, &[], ONE);
        }
        check_left_out("Capecitabine except on days of radiotherapy", &[], &["capecitabine", "radiotherapy"]);
    }

    #[test]
    fn a_word_against_harm_is_neither_for_nor_against_the_treatment() {
        for text in
            ["Avoid trastuzumab toxicity", "No trastuzumab-related toxicity", "No trastuzumab-warfarin interaction"]
        {
            check_left_out(text, ONE, &[]);
        }
        check_left_out("Capecitabine to avoid trastuzumab toxicity", ONE, &["capecitabine"]);
    }
}
