//! What an answer lists beside its diagnosis: alternatives, what is ruled out, what the patient had before.

use super::claim::heading;
use super::item::Item;
use super::list::Block;
use super::words::normalised;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aside {
    /// `Differential diagnosis:` may head the answer as well as what else was thought of.
    Differential,
    /// `Other possibilities:`, `Less likely:`
    Others,
    /// `Ruled out:`, `Past medical history:`: no diagnosis of this answer.
    Out,
}

const OUT: [&str; 33] = [
    "ruled out",
    "rule out",
    "excluded",
    "exclude",
    "rejected",
    "history",
    "past",
    "prior",
    "previous",
    "known",
    "comorbid",
    "comorbidities",
    "complication",
    "complications",
    "risk",
    "risks",
    "miss",
    "dangerous",
    "red flags",
    "watch for",
    "why not",
    "treatment",
    "management",
    "plan",
    "next steps",
    "tests",
    "workup",
    "work up",
    "unlikely",
    "wrong",
    "incorrect",
    "family",
    "against",
];
const OTHERS: [&str; 19] = [
    "options",
    "causes",
    "other",
    "others",
    "alternative",
    "alternatives",
    "less likely",
    "least likely",
    "also",
    "additional",
    "secondary",
    "possibilities",
    "runner up",
    "second",
    "third",
    "next",
    "possible",
    "considered",
    "consider",
];
const DIFFERENTIAL: [&str; 4] = ["differential", "differentials", "ddx", "candidates"];
/// What such headings say as well.
const BESIDE: [&str; 24] = [
    "diagnosis",
    "diagnoses",
    "conditions",
    "medical",
    "considerations",
    "factors",
    "to",
    "and",
    "for",
    "not",
    "the",
    "of",
    "more",
    "further",
    "key",
    "list",
    "pmh",
    "things",
    "must",
    "causes",
    "explanations",
    "problems",
    "likely",
    "were",
];
const LEADS: [&str; 19] = [
    "based",
    "given",
    "considering",
    "with",
    "because",
    "so",
    "therefore",
    "thus",
    "hence",
    "in",
    "from",
    "after",
    "as",
    "taking",
    "my",
    "i",
    "this",
    "it",
    "overall",
];
const VERBS: [&str; 14] = [
    "is",
    "are",
    "was",
    "points",
    "point",
    "suggests",
    "suggest",
    "fits",
    "indicates",
    "indicate",
    "supports",
    "support",
    "favours",
    "favors",
];
/// In words.
const LONGEST_HEAD: usize = 9;
const SHORT_LINE: usize = 6;

/// What a line heads, where it is a heading and what follows is no answer: `**Ruled out:**`, `DIFFERENTIAL DIAGNOSIS`.
pub(super) fn aside(line: &str) -> Option<Aside> {
    let bare = line.trim().trim_start_matches("- ");
    let plain = bare.replace(['*', '#', '_'], "");
    let plain = plain.trim();
    let letters = || plain.chars().filter(|c| c.is_alphabetic());
    let is_loud = letters().count() > 1 && letters().all(char::is_uppercase);
    let is_marked = bare.starts_with('#') || (bare.starts_with("**") && bare.ends_with("**"));
    let (head, words) = match plain.split_once(':') {
        Some((head, words)) => (normalised(head), words),
        None if plain.ends_with(['.', '!', '?']) && !is_marked => return None,
        None if is_loud || is_marked || plain.split_whitespace().count() <= 2 => (normalised(plain), ""),
        None => return None,
    };
    // A possible pulmonary embolism is a diagnosis, however boldly it is written.
    let is_bare = head.split(' ').all(|word| {
        let of = |all: &[&str]| all.iter().any(|it| it.split(' ').any(|part| part == word));
        of(&OUT) || of(&OTHERS) || of(&DIFFERENTIAL) || BESIDE.contains(&word)
    });
    if !plain.contains(':') && !is_bare {
        return None;
    }
    // `Based on the history: gout` leads to the answer.
    let leads = || {
        head.split(' ').next().is_some_and(|it| LEADS.contains(&it)) || head.split(' ').any(|it| VERBS.contains(&it))
    };
    if words.contains(char::is_alphanumeric) && leads() {
        return None;
    }
    let padded = format!(" {head} ");
    let holds = |all: &[&str]| all.iter().any(|it| padded.contains(&format!(" {it} ")));
    let is_final = holds(&["final", "most likely", "top", "ranked", "ranking", "answer", "likeliest", "best"]);
    if head.split(' ').count() > LONGEST_HEAD
        || (is_final && !holds(&["second", "third", "next", "second most likely"]))
    {
        return None;
    }
    if holds(&OUT) {
        return Some(Aside::Out);
    }
    if holds(&OTHERS) {
        return Some(Aside::Others);
    }
    holds(&DIFFERENTIAL).then_some(Aside::Differential)
}

/// An answer without its asides, and the lists in them.
pub(super) struct Parted<'t> {
    pub main: Vec<Block<'t>>,
    /// Those behind it: what was thought of before is no more.
    pub lists: Vec<(Aside, Vec<Item>)>,
    /// With everything but what is out.
    pub all: Vec<Block<'t>>,
}

pub(super) fn parted<'t>(blocks: &[Block<'t>]) -> Parted<'t> {
    let mut parted = Parted { main: Vec::new(), lists: Vec::new(), all: Vec::new() };
    let mut under: Option<Aside> = None;
    for block in blocks {
        match block {
            Block::Prose(line) => {
                let ends = |it: &Option<Aside>| it.is_some() && !is_short(line);
                // `This is gout. Others to consider are:`
                let (said, head) = headed_last(line);
                if let Some(said) = said.filter(|_| aside(head).is_some()) {
                    parted.main.push(Block::Prose(said));
                }
                if let Some(kind) = aside(head) {
                    let says_more =
                        head.split_once(':').is_some_and(|(_, words)| words.contains(char::is_alphanumeric));
                    // `Known diagnosis: asthma` heads nothing below it.
                    under = (!says_more).then_some(kind);
                    if kind != Aside::Out {
                        parted.all.push(block.clone());
                    }
                    continue;
                } else if ends(&under) {
                    under = None;
                }
                if under.is_none() {
                    if heading(line).is_some() {
                        parted.lists.clear();
                    }
                    parted.main.push(block.clone());
                }
                if under != Some(Aside::Out) {
                    parted.all.push(block.clone());
                }
            }
            Block::List(items) => {
                match under {
                    Some(kind) => parted.lists.push((kind, items.clone())),
                    None => {
                        parted.lists.clear();
                        parted.main.push(block.clone());
                    }
                }
                if under != Some(Aside::Out) {
                    parted.all.push(block.clone());
                }
            }
        }
    }
    parted
}

/// A line that ends with a heading, apart from what it says before.
fn headed_last(line: &str) -> (Option<&str>, &str) {
    if !line.trim_end_matches(['*', ' ']).ends_with(':') {
        return (None, line);
    }
    match line.rfind(". ") {
        Some(at) => (Some(&line[..=at]), &line[at + 2..]),
        None => (None, line),
    }
}

/// `- Cellulitis`, `Cellulitis`: an item of what was headed, and no sentence.
fn is_short(line: &str) -> bool {
    let is_item = line.starts_with(['-', '*', '•', '+', '=']) && !line.starts_with("**");
    let is_name =
        line.split_whitespace().count() <= SHORT_LINE && !line.contains([':', '*']) && !line.ends_with(['.', '!']);
    is_item || is_name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_tells_what_is_listed_under_it() {
        let check = |line: &str, expected: Option<Aside>| assert_eq!(aside(line), expected, "{line}");
        check("Differential diagnosis:", Some(Aside::Differential));
        check("**Other possibilities:**", Some(Aside::Others));
        check("Second most likely diagnosis: gout", Some(Aside::Others));
        check("## Ruled out", Some(Aside::Out));
        check("Past medical history:", Some(Aside::Out));
        check("DIFFERENTIAL", Some(Aside::Differential));
        check("Most likely:", None);
        check("Final ranking:", None);
        check("Ranked differential diagnosis:", None);
        check("The differential diagnosis is wide.", None);
        check("It is not known why.", None);
        check("Based on the history: gout", None);
        check("**Possible pulmonary embolism**", None);
        check("Known gout", None);
        check("**Why not the others?**", Some(Aside::Out));
    }
}
