//! Tells the fraction before a date from the first day of a range: `nodes 3/9 - 3/12/2024` and `admitted 3/9 - 3/12/2024`.

use super::codes::end_of;
use super::links::Link;
use regex::Regex;
use std::sync::LazyLock;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns are constants and the tests compile them all")
}

/// What is counted as a part of any whole: `nodes 3/9-3/12/2024` holds one date.
static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:nodes?|s?lns?|sln?b|stage|involved|cores?|blocks?|margins?|fragments?|cycles?|fractions?|fx|sessions?|doses?|criteria|questions?|points?|items?|recall|ratio|scor(?:e[ds]?|ing)|tit(?:er|re)s?|visus|vision|acuity|cps|tps|bi-?rads|mitos[ei]s|mmse|moca|phq(?:-9)?|gad(?:-7)?|fields|positive|sections?|specimens?|weeks?|phase|part)\b[^\d\n.;]{0,24}$",
    )
});

/// What is told on a scale.
static GRADED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:strength|power|motor|tone|reflex(?:es)?|pulses?|murmurs?|pain|scale|rat(?:ed|ing)|grad(?:e[ds]?|ing)|ecog|ctcae|nrs|vas|mrc|gcs|apgar|a&o|aox?|mood|severity|intensity|extremit(?:y|ies)|quad(?:riceps)?|biceps|triceps|delt(?:oid)?s?|grip|[a-z]*flexion|extension|abduction|adduction|[blr][ul]e|bilaterally|throughout|edema|distress|fatigue|gleason|allred|er|pr|tanner|mallampati|nyha|orientation|oriented|asthenia|nausea)\b[^\d\n.;]{0,24}$",
    )
});

/// Where such scales end.
const SCALES: &[u8] = &[2, 3, 4, 5, 6, 8, 10, 15, 30];

/// No fraction stands behind it: `from 3/9 to 3/12/2024`.
static FROM: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:from|between|dates?(?:[^\S\n]+of[^\S\n]+service)?:?|dos:?)[^\S\n]*$"));

/// Where days without a year stand: `admitted 3/9 - 3/12/2024`.
static DURING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:(?:^|\n)[-•*]?|\(|\b(?:admi(?:t(?:ted)?|ssions?)|hospitali[sz](?:ed|ations?)|inpatient|stay(?:ed)?|stays|icu|micu|sicu|rehab|from|on|between|during|dates?|los|period|course|treated|radiation|xrt|rt|chemo(?:therapy)?|received|given|travel(?:l?ed)?|vacation|away|leave|off work|episode|encounter|service|seen|visits?|dos)\b:?)[^\S\n]*$",
    )
});

/// `3/5 to 4/5 - 3/12/2024`
static OF_A_PAIR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\d/(?P<whole>\d{1,2})[^\S\n]*(?:to|and|,|->|→)[^\S\n]*$"));

/// Before the last of a list: `3/9, 3/12, 3/20/2024`
static LISTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:\b\d{1,2}/\d{1,2}(?:[-–—]\d{1,2})?(?:[^\S\n]*[,;&][^\S\n]*(?:and[^\S\n]+)?|[-–—]|[^\S\n]+and[^\S\n]+))+$",
    )
});

/// Behind a fraction: `3/9/2024 - 3/12 nodes`
static COUNTED_BEHIND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:st|nd|rd|th)?[^\S\n]+(?:[a-z]+[^\S\n]+){0,2}?(?:nodes?|s?lns?|strength|murmurs?|pain|positive|involved|cores?|blocks?|margins?|cycles?|fractions?|sessions?|criteria|points?|items?|scores?|power|pulses?|reflex(?:es)?|edema|doses?)\b",
    )
});

/// As long as a range can be where nothing but its two days tells that it is one, and where a word or a dash without spaces tells it.
const SHORT: i32 = 62;
const LONG: i32 = 183;
const YEAR: i32 = 366;

pub(super) fn is_counted(before: &str) -> bool {
    COUNTED.is_match(end_of(before))
}

pub(super) fn is_from(before: &str) -> bool {
    FROM.is_match(end_of(before))
}

pub(super) fn is_during(before: &str) -> bool {
    DURING.is_match(end_of(before))
}

/// Whether days of a list go before.
pub(super) fn is_listed(before: &str) -> bool {
    LISTED.is_match(far(before))
}

/// Whether something is often told as a part of this number.
pub(super) fn is_scale(whole: u8) -> bool {
    SCALES.contains(&whole)
}

pub(super) fn is_counted_behind(after: &str) -> bool {
    COUNTED_BEHIND.is_match(after)
}

/// How many days a range that begins with `part/whole` can have.
#[derive(Clone, Copy)]
pub(super) struct Longest {
    pub sure: i32,
    /// A longer one may be a range or a fraction and a date, up to this length.
    pub doubtful: i32,
}

impl Longest {
    pub const YEAR: Self = Self { sure: YEAR, doubtful: YEAR };
    pub const LONG: Self = Self { sure: LONG, doubtful: YEAR };
    const SHORT: Self = Self { sure: SHORT, doubtful: LONG };
}

/// None where `part/whole` is a fraction.
pub(super) fn longest_range(before: &str, part: &str, whole: &str, link: Link) -> Option<Longest> {
    let list = LISTED.find(far(before)).map_or(0, |list| list.len());
    let near = end_of(before);
    // What stands before a list tells what it is a list of.
    let head = end_of(&before[..before.len() - list]);
    let end: u8 = whole.parse().ok()?;
    if head.ends_with(|it: char| "/-–—.".contains(it) || it.is_alphanumeric()) {
        return None;
    }
    if FROM.is_match(head) || part.starts_with('0') || whole.starts_with('0') {
        return Some(Longest::YEAR);
    }
    let of_a_pair = OF_A_PAIR.captures(near).is_some_and(|pair| SCALES.contains(&end) && &pair["whole"] == whole);
    if of_a_pair || COUNTED.is_match(head) || (GRADED.is_match(head) && SCALES.contains(&end)) {
        return None;
    }
    match link {
        Link::Dash { is_tight: true } | Link::Word => Some(Longest::LONG),
        _ if DURING.is_match(head) => Some(Longest::LONG),
        Link::Dash { .. } | Link::And => Some(Longest::SHORT),
        Link::Comma if list > 0 => Some(Longest::SHORT),
        Link::Comma | Link::Slash => None,
    }
}

/// Enough of a text for a list of days.
fn far(before: &str) -> &str {
    const FAR: usize = 128;
    let start = before.len().saturating_sub(FAR);
    let start = (start..=before.len()).find(|at| before.is_char_boundary(*at)).unwrap_or(before.len());
    &before[start..]
}
