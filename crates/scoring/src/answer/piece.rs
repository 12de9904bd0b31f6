//! What is said after a name, from mark to mark: `anaemia, likely due to kidney disease` → what is likely, and what it is due to.

/// How the words are joined to the name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Joint {
    /// Brackets, a colon or a dash: the same in other words, or a reason.
    Apposition {
        brackets: bool,
    },
    Comma,
    /// `Likely a stroke`
    Hedge,
    /// `Possibly a stroke`: not firm enough to name another disease.
    Perhaps,
    Cause,
    /// `Anaemia in chronic kidney disease`, `stroke in a young woman`
    In,
    Reason,
    /// What it is not.
    Not,
}

/// The words up to the next mark.
pub(super) struct Piece<'t> {
    pub joint: Joint,
    pub words: &'t str,
    /// These words and all that follows them.
    pub rest: &'t str,
}

/// Marks that begin another clause, beside brackets.
const MARKS: [(&str, Joint); 33] = [
    (" – ", Joint::Apposition { brackets: false }),
    (" — ", Joint::Apposition { brackets: false }),
    (" - ", Joint::Apposition { brackets: false }),
    (": ", Joint::Apposition { brackets: false }),
    ("; ", Joint::Comma),
    (", ", Joint::Comma),
    (" due to ", Joint::Cause),
    (" secondary to ", Joint::Cause),
    (" caused by ", Joint::Cause),
    (" related to ", Joint::Cause),
    (" associated with ", Joint::Cause),
    (" from ", Joint::Cause),
    (" triggered by ", Joint::Cause),
    (" precipitated by ", Joint::Cause),
    (" in ", Joint::In),
    (" of the left ", Joint::In),
    (" of the right ", Joint::In),
    (" because ", Joint::Reason),
    (" given ", Joint::Reason),
    (" based on ", Joint::Reason),
    (" with ", Joint::Reason),
    (" without ", Joint::Not),
    (" during ", Joint::Reason),
    (" on ", Joint::Reason),
    (" which ", Joint::Reason),
    (" that ", Joint::Reason),
    (" as ", Joint::Reason),
    (" rather than ", Joint::Not),
    (" after ", Joint::Reason),
    (" following ", Joint::Reason),
    (" requiring ", Joint::Reason),
    (" though ", Joint::Reason),
    (" (", Joint::Apposition { brackets: true }),
];

/// What a clause may open with before it says something. The first ones say that a diagnosis follows.
const HEDGES: [&str; 10] = [
    "likely",
    "most likely",
    "more likely",
    "probably",
    "presumably",
    "specifically",
    "more specifically",
    "particularly",
    "namely",
    "suspected",
];
const PERHAPS: [&str; 3] = ["possibly", "possible", "perhaps"];
const OPENINGS: [&str; 13] = [
    "i.e.",
    "ie",
    "of",
    "in",
    "the",
    "an",
    "a",
    "involving",
    "affecting",
    "consistent with",
    "suggestive of",
    "type",
    "-",
];

/// What is said after a mark, from mark to mark.
pub(super) fn pieces<'t>(mark: &str, more: &'t str) -> Vec<Piece<'t>> {
    const ENDS: [char; 4] = [' ', ')', '(', '.'];
    let mut found = Vec::new();
    let (mut joint, mut rest) = (joint_of(mark), more);
    loop {
        let next =
            MARKS.iter().filter_map(|(mark, joint)| Some((rest.find(mark)?, mark.len(), *joint))).min_by_key(|it| it.0);
        let end = next.map_or(rest.len(), |(at, ..)| at);
        let words = rest[..end].trim_matches(ENDS);
        let (joined, words) = joined(words).unwrap_or((joint, words));
        found.push(Piece { joint: joined, words, rest: rest.trim_matches(ENDS) });
        let Some((at, length, following)) = next else { return found };
        (joint, rest) = (following, &rest[at + length..]);
    }
}

/// The words without what they open with, and how surely a diagnosis follows, where they say that one does.
pub(super) fn opened(words: &str) -> (&str, Option<Joint>) {
    let mut rest = words.trim();
    let mut hedge = None;
    loop {
        let starts = |opening: &&&str| {
            let head = rest.get(..opening.len()).is_some_and(|head| head.eq_ignore_ascii_case(opening));
            head && rest[opening.len()..].starts_with([' ', ','])
        };
        let likely = HEDGES.iter().find(starts).map(|it| (it, Some(Joint::Hedge)));
        let perhaps = || PERHAPS.iter().find(starts).map(|it| (it, Some(Joint::Perhaps)));
        let plain = || OPENINGS.iter().find(starts).map(|it| (it, None));
        let Some((opening, how)) = likely.or_else(perhaps).or_else(plain) else { return (rest, hedge) };
        hedge = how.or(hedge);
        rest = rest[opening.len()..].trim_start_matches([' ', ',']);
    }
}

/// `Anaemia (due to kidney disease)`, `anaemia, due to kidney disease`
fn joined(words: &str) -> Option<(Joint, &str)> {
    let worded = MARKS.iter().filter(|(mark, _)| mark.trim().starts_with(char::is_alphabetic));
    worded.into_iter().find_map(|(mark, joint)| Some((*joint, words.strip_prefix(mark.trim_start())?)))
}

fn joint_of(mark: &str) -> Joint {
    match mark {
        "(" => Joint::Apposition { brackets: true },
        " likely " => Joint::Hedge,
        " possibly " => Joint::Perhaps,
        _ => MARKS.iter().find(|(known, _)| *known == mark).map_or(Joint::Reason, |(_, joint)| *joint),
    }
}
