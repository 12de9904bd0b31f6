//! What an answer names only to say that it is not so: `PE – ruled out`, `PE? No.`, `not PE but pneumonia`.

use super::words::{begins, normalised, sentences};
use std::cmp::Reverse;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Denial {
    /// It stays among what is thought of.
    Unlikely,
    Out,
}

const UNLIKELY: [&str; 14] = [
    "unlikely",
    "very unlikely",
    "highly unlikely",
    "most unlikely",
    "less likely",
    "much less likely",
    "least likely",
    "not likely",
    "improbable",
    "low probability",
    "less probable",
    "not excluded",
    "to be ruled out",
    "to be excluded",
];
const OUT: [&str; 14] = [
    "ruled out",
    "excluded",
    "not present",
    "not supported",
    "not the case",
    "not this",
    "rejected",
    "effectively ruled out",
    "essentially ruled out",
    "already ruled out",
    "does not fit",
    "doesnt fit",
    "incorrect",
    "is wrong",
];
/// Alone: “no fever” denies a finding.
const NO: [&str; 4] = ["no", "nope", "not", "wrong"];
/// With one of these the reason follows.
const REASONS: [&str; 16] = [
    "because",
    "given",
    "by",
    "as",
    "since",
    "due",
    "with",
    "without",
    "in",
    "now",
    "here",
    "based",
    "after",
    "for",
    "considering",
    "than",
];
/// In bytes: no denial is longer, and what follows is its reason.
const LONGEST_DENIAL: usize = 60;

/// `ruled out`, `unlikely given the normal D-dimer`: nothing but a denial of the name before it.
pub(super) fn denial(words: &str) -> Option<Denial> {
    let clause = normalised(&words[..words.floor_char_boundary(LONGEST_DENIAL)]);
    let clause = verdict(&clause);
    let denies = |known: &&str| {
        let rest = clause.strip_prefix(*known);
        rest.is_some_and(|rest| {
            rest.is_empty() || REASONS.iter().any(|it| begins(rest.trim_start(), it) && rest.starts_with(' '))
        })
    };
    if OUT.iter().any(&denies) || NO.contains(&clause) {
        return Some(Denial::Out);
    }
    UNLIKELY.iter().any(denies).then_some(Denial::Unlikely)
}

/// Without what leads to a verdict: `so this is unlikely`, `making it the most likely`.
fn verdict(clause: &str) -> &str {
    const LEADS: [&str; 16] = [
        "so ",
        "therefore ",
        "thus ",
        "hence ",
        "and ",
        "making ",
        "makes ",
        "make ",
        "which makes ",
        "rendering ",
        "verdict ",
        "this is ",
        "it is ",
        "this ",
        "it ",
        "is ",
    ];
    let mut rest = clause;
    while let Some(lead) = LEADS.iter().find(|it| rest.starts_with(**it)) {
        rest = &rest[lead.len()..];
    }
    rest
}

const MARKS: [&str; 9] = [" – ", " — ", " - ", ": ", " (", ", ", "? ", "; ", " is "];

/// The name an item of a list denies: `PE – ruled out`, `Unlikely: PE`, `PE? No`.
pub(super) fn denied(item: &str) -> Option<(&str, Denial)> {
    for (head, denial) in [
        ("unlikely: ", Denial::Unlikely),
        ("less likely: ", Denial::Unlikely),
        ("ruled out: ", Denial::Out),
        ("excluded: ", Denial::Out),
        ("not ", Denial::Out),
        ("no ", Denial::Out),
    ] {
        if item.get(..head.len()).is_some_and(|it| it.eq_ignore_ascii_case(head)) {
            return Some((&item[head.len()..], denial));
        }
    }
    let crossed = item.find(['❌', '✗', '✘', '✖']).map(|at| (item[..at].trim(), Denial::Out));
    let told = || {
        let (name, rest) = cut(item, &MARKS)?;
        clauses(rest).find_map(denial).map(|denial| (name, denial))
    };
    crossed.or_else(told)
}

/// Whether an item says of itself that it is the one: `Gout – most likely`.
pub(super) fn is_chosen(item: &str) -> bool {
    const CHOSEN: [&str; 16] = [
        "the most likely",
        "best explanation",
        "the best explanation",
        "diagnosis",
        "most likely",
        "likeliest",
        "most probable",
        "my diagnosis",
        "my final diagnosis",
        "final diagnosis",
        "my answer",
        "final answer",
        "leading diagnosis",
        "favoured",
        "favored",
        "best fit",
    ];
    let says = |clause: &str| CHOSEN.iter().any(|it| begins(verdict(&normalised(clause)), it));
    item.contains(['✅', '✔', '✓'])
        || cut(item, &MARKS[..6])
            .is_some_and(|(head, rest)| CHOSEN.contains(&normalised(head).as_str()) || clauses(rest).any(says))
}

/// How likely an item says that it is, in words: `Gout – highly likely`. The likeliest is 0.
pub(super) fn grade(item: &str) -> Option<u8> {
    const GRADES: [(&str, u8); 19] = [
        ("most likely", 0),
        ("very high", 1),
        ("highly likely", 1),
        ("very likely", 1),
        ("almost certain", 1),
        ("certain", 1),
        ("high", 2),
        ("likely", 3),
        ("probable", 3),
        ("fits", 3),
        ("moderate", 4),
        ("medium", 4),
        ("possible", 5),
        ("less likely", 6),
        ("low", 7),
        ("unlikely", 7),
        ("very unlikely", 8),
        ("very low", 8),
        ("does not fit", 8),
    ];
    if is_chosen(item) {
        return Some(0);
    }
    let (_, rest) = cut(item, &MARKS)?;
    let told = clauses(rest).find_map(|clause| {
        let clause = normalised(clause);
        let clause = ["likelihood ", "probability ", "verdict "]
            .iter()
            .find_map(|it| clause.strip_prefix(it))
            .unwrap_or(&clause);
        GRADES.iter().find(|(words, _)| *words == verdict(clause)).map(|(_, grade)| *grade)
    });
    told.or_else(|| denied(item).map(|(_, denial)| if denial == Denial::Out { 9 } else { 7 }))
}

/// In bytes: what follows is a reason.
const LONGEST_ITEM: usize = 300;

/// The name, and what is said behind the first of these marks.
fn cut<'i>(item: &'i str, marks: &[&str]) -> Option<(&'i str, &'i str)> {
    let item = &item[..item.floor_char_boundary(LONGEST_ITEM)];
    let (at, length) = marks.iter().filter_map(|mark| Some((item.find(mark)?, mark.len()))).min()?;
    Some((&item[..at], &item[at + length..]))
}

fn clauses(words: &str) -> impl Iterator<Item = &str> {
    words.split([';', ',', '(', ')', '–', '—', '→', '.', ':']).map(str::trim).filter(|it| !it.is_empty())
}

/// The sentences of a text, without questions that the next sentence says no to: `PE? Unlikely. Pleurisy.`
pub(super) fn stated(text: &str) -> Vec<&str> {
    let all = sentences(text);
    let asks = |sentence: &str| {
        let end = sentence.as_ptr() as usize - text.as_ptr() as usize + sentence.len();
        text[end..].trim_start_matches(['*', '_', '"', '”']).starts_with('?')
    };
    let mut left = Vec::with_capacity(all.len());
    let mut rest = all.as_slice();
    while let [first, after @ ..] = rest {
        match after.first() {
            Some(next) if asks(first) && denial(next).is_some() => rest = &after[1..],
            _ => {
                left.push(*first);
                rest = after;
            }
        }
    }
    left
}

/// In bytes, behind what is denied: an answer that denies without end must not keep the reader busy.
const LONGEST_REST: usize = 200;

/// What is said in place of what is denied: `PE is unlikely; pneumonia`, `not PE but pneumonia`, `rather than PE, pneumonia`, `PE is less likely than
/// pneumonia`.
pub(super) fn instead(sentence: &str) -> Option<&str> {
    if sentence.len() > 2 * LONGEST_REST {
        return None;
    }
    // Only ASCII letters change, so places stay the same.
    let lower = sentence.to_ascii_lowercase();
    let behind = |marks: &[&str]| {
        let found = marks.iter().filter_map(|mark| Some((lower.find(mark)?, mark.len())));
        let (at, length) = found.min_by_key(|(at, length)| (*at, Reverse(*length)))?;
        Some((&lower[..at], &sentence[at + length..]))
    };
    // `PE vs pneumonia; favour PE`, `cellulitis... no, gout`
    let decided = [
        "; favor ",
        "; favour ",
        " – favor ",
        " – favour ",
        ", favor ",
        ", favour ",
        "; i lean towards ",
        "; i lean toward ",
        ", more likely ",
        "; more likely ",
        " – no, ",
        " - no, ",
        "... no, ",
        "… no, ",
        "... actually, ",
        "… actually, ",
        " – actually, ",
        ", no, ",
        ", or rather ",
        "; now ",
        ", now ",
        ", it's ",
        ", it is ",
    ];
    if let Some((_, rest)) = behind(&decided) {
        return Some(rest);
    }
    if let Some((_, rest)) = behind(&[" less likely than ", " less probable than ", " not as likely as "]) {
        return Some(rest);
    }
    let opens = |all: &[&str]| all.iter().any(|it| lower.starts_with(it));
    if opens(&["rather than ", "instead of ", "as opposed to "]) {
        return behind(&[", "]).map(|(_, rest)| rest);
    }
    if opens(&["not ", "no ", "it is not ", "it's not ", "this is not ", "this isn't "])
        && !opens(&["not only ", "not just "])
    {
        return behind(&[", but rather ", ", but ", " but rather ", " but ", "; ", ", ", " – ", " — ", " - ", ": "])
            .map(|(_, rest)| rest);
    }
    let (before, rest) = behind(&["; ", ", but ", " but ", ", "])?;
    let ends = [
        " is unlikely",
        " is less likely",
        " is not likely",
        " is ruled out",
        " is excluded",
        " can be ruled out",
        " can be excluded",
        " has been ruled out",
        " seems unlikely",
        " seems less likely",
        " unlikely",
        " ruled out",
        " excluded",
    ];
    ends.iter().any(|it| before.ends_with(it)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denial_may_have_a_reason() {
        let check = |words: &str, expected: Option<Denial>| assert_eq!(denial(words), expected, "{words}");
        check("ruled out by the D-dimer", Some(Denial::Out));
        check("unlikely given the age", Some(Denial::Unlikely));
        check("No.", Some(Denial::Out));
        check("no fever", None);
        check("cannot be excluded", None);
        check("unlikely presentation", None);
        check("most likely", None);
    }

    #[test]
    fn an_item_that_is_denied_is_told_by_its_clauses() {
        let check = |item: &str, expected: Option<&str>| assert_eq!(denied(item).map(|it| it.0), expected, "{item}");
        check("PE – ruled out", Some("PE"));
        check("PE (low D-dimer, ruled out)", Some("PE"));
        check("PE? No", Some("PE"));
        check("Unlikely: PE", Some("PE"));
        check("PE is unlikely", Some("PE"));
        check("Pneumonia: infarction ruled out", None);
        check("Pneumonia (fever, no cough)", None);
        check("Not-so-acute gout", None);
    }

    #[test]
    fn a_question_that_is_denied_is_not_stated() {
        assert_eq!(stated("PE? Unlikely. Pleurisy."), ["Pleurisy"]);
        assert_eq!(stated("PE? No, no cough. Pleurisy?"), ["PE", "No, no cough", "Pleurisy"]);
        assert_eq!(stated("**PE?** Ruled out by the D-dimer."), Vec::<&str>::new());
    }

    #[test]
    fn what_stands_in_place_of_it_is_found() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(instead(text), expected, "{text}");
        check("Not PE but pneumonia", Some("pneumonia"));
        check("Not PE, but rather pneumonia", Some("pneumonia"));
        check("Rather than PE, pneumonia", Some("pneumonia"));
        check("PE is less likely than pneumonia", Some("pneumonia"));
        check("PE ruled out; pneumonia", Some("pneumonia"));
        check("Not only PE but pneumonia", None);
        check("Pneumonia, no PE", None);
    }
}
