//! Tells the fraction before a date from the first day of a range: `nodes 3/9 - 3/12/2024` and `admitted 3/9 - 3/12/2024`.

use super::dates::end_of;
use regex::Regex;
use std::sync::LazyLock;

/// What is told as a part of a whole: `nodes 3/9-3/12/2024` holds one date.
static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:strength|power|motor|tone|reflex(?:es)?|pulses?|murmurs?|pain|scor(?:e[ds]?|ing)|scale|rat(?:ed|ing)|nodes?|s?lns?|sln?b|grad(?:e[ds]?|ing)|stage|ecog|nrs|vas|mrc|gcs|apgar|a&o|aox?|mood|severity|intensity|involved|cores?|blocks?|margins?|fragments?|cycles?|fractions?|sessions?|criteria|questions?|points?|items?|recall|ratio|tit(?:er|re)s?|visus|vision|acuity|extremit(?:y|ies)|quad(?:riceps)?|biceps|triceps|delt(?:oid)?s?|grip|flexion|extension|dorsiflexion|[blr][ul]e|bilaterally|throughout|edema|distress|fatigue|cps|tps|bi-?rads|gleason|allred|mitos[ei]s|mmse|moca|phq(?:-9)?|gad(?:-7)?|fields)\b[^\d\n.;]{0,24}$",
    )
    .expect("a constant")
});

/// Where days without a year stand: `admitted 3/9 - 3/12/2024`.
static DURING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:(?:^|\n)[-•*]?|\(|\b(?:admi(?:t(?:ted)?|ssions?)|hospitali[sz](?:ed|ations?)|inpatient|stay(?:ed)?|stays|icu|micu|sicu|rehab|from|on|between|during|dates?|los|period|course|treated|radiation|xrt|rt|chemo(?:therapy)?|received|given|travel(?:l?ed)?|vacation|away|leave|off work|episode|encounter|service)\b:?)[^\S\n]*$",
    )
    .expect("a constant")
});

/// What stands between its two numbers and those of a date may be `-`, or ` to `.
pub(super) fn is_one(before: &str, between: &str) -> bool {
    let before = end_of(before);
    let is_longer = before.ends_with(|it: char| "/-–—.".contains(it) || it.is_alphanumeric());
    // Where no space is, and with a word, only a range is written so.
    let is_dash = between.starts_with(char::is_whitespace) && !between.contains(char::is_alphabetic);
    is_longer || COUNTED.is_match(before) || (is_dash && !DURING.is_match(before))
}
