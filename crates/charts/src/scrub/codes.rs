//! Tells what looks like a date and is none: codes, counts, doses, measured ranges.

use super::dates::Kind;
use super::fractions;
use regex::{Captures, Regex};
use std::ops::Range;
use std::sync::LazyLock;

/// Words before a month written with one digit: without one of them, 1975-2 is a code.
static OF_TIME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:since|until|till|from|in|dated|date:)[^\S\n]+$").expect("a constant"));

static CODED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?i)(?:\b(?:LOINC|SNOMED(?:[ -]?CT)?|ICD(?:-?(?:9|10|O))?(?:-?CM)?|RxNorm|CPT|HCPCS|NDC|codes?)\b(?:[^\S\n]+codes?\b)?["')\]]*[^\S\n]*[:=#(]*[^\S\n]*["']?|\b[cgmnp]\.)$"#,
    )
    .expect("a constant")
});

static NAMED_CODE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)^[^\S\n]*[(\[,]?[^\S\n]*(?:LOINC|SNOMED)\b").expect("a constant"));

/// How much of a text before a number can tell what it is.
const BEFORE: usize = 32;

/// A year and a month without a day look like codes: LOINC 1975-2, race 2106-3. A number with further parts (2.16.84.1) is no day.
pub(super) fn is_one(text: &str, found: &Range<usize>, kind: Kind, parts: &Captures<'_>) -> bool {
    let (before, after) = (&text[..found.start], &text[found.end..]);
    match kind {
        Kind::YearFirst if parts.name("d").is_none() => {
            let one_digit = parts.name("m").is_some_and(|month| month.len() == 1);
            // A clock stands behind a day only: 1961-12T is a change in a gene.
            text[found.clone()].ends_with('T')
                || is_coded(before, after)
                || (one_digit && !OF_TIME.is_match(end_of(before)))
        }
        // 3/9/2024-3/12/2024 holds no 2024-3-12.
        Kind::YearFirst => parts.name("s").map(|sign| sign.as_str()) != parts.name("t").map(|sign| sign.as_str()),
        Kind::MonthYear => {
            // The end of a whole day, or of a longer number.
            let ends = before.ends_with(|it: char| "/-.".contains(it))
                && before[..before.len() - 1].ends_with(|it: char| it.is_ascii_digit());
            // Diluted eleven times.
            let is_titre = &text[found.clone()] == "1/2048";
            let is_inside = (ends && !MONTH_BEFORE.is_match(end_of(before)))
                || (goes_on(after, "/-.") && !MONTH_AFTER.is_match(after));
            is_inside || is_titre || is_coded(before, after)
        }
        Kind::Numbers => {
            goes_on(after, ".")
                || before.ends_with('.') && before[..before.len() - 1].ends_with(|it: char| it.is_ascii_digit())
        }
        Kind::Unbroken => {
            let number = |text: &str| text.ends_with(|it: char| it.is_ascii_digit());
            let is_inside =
                before.ends_with('.') || before.ends_with(['-', '/']) && !UNBROKEN_BEFORE.is_match(end_of(before));
            let is_range = UNBROKEN_AFTER.is_match(after);
            is_inside
                || (goes_on(after, "./-") && !is_range)
                || number(before)
                || is_coded(before, after)
                || NUMBER_OF.is_match(end_of(before))
                || COUNTED.is_match(after)
        }
        // `grade 2-3 March 2024`: the month moves without them.
        Kind::DayMonth => is_end_of_measured(before),
        Kind::DaysOfMonth => OF_COUNTS.is_match(end_of(before)) && COUNTED.is_match(after),
        Kind::DaysOfNumber => {
            let is_short = parts.name("y").is_some_and(|year| year.len() == 2);
            before.ends_with(['/', '-', '.', '–', '—'])
                || goes_on(after, "/-.")
                || fractions::is_counted(before)
                || fractions::is_counted_behind(after)
                // 3/9-12/24 alone may be two fractions.
                || (is_short && (!fractions::is_during(before) || before.trim_end().ends_with(['\n', '-', '('])))
                || (is_short && before.trim().is_empty())
        }
        // `take 2 May 24 hours later`; `8 MAR 24 doses`
        Kind::ShortYear => {
            (before.ends_with(['.', '/', '-']) && !DAY_BEFORE.is_match(end_of(before)))
                || is_end_of_measured(before)
                || goes_on(after, "./-:,")
                || COUNTED.is_match(after)
                || OF_COUNTS.is_match(end_of(before))
        }
        // `Mar-24-2024`, `12-Mar-24`
        Kind::MonthFirst if parts.name("d").is_none() && parts.name("y").is_some_and(|year| year.len() == 2) => {
            before.ends_with(['-', '/', '.']) || goes_on(after, "-/.:") || COUNTED.is_match(after)
        }
        _ => false,
    }
}

/// `03/2023-12/2024` are two months.
static MONTH_BEFORE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[^\d/.-])\d\d?/(?:19|20)\d\d-$").expect("a constant"));

static MONTH_AFTER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^-\d\d?/(?:19|20)\d\d(?:$|[^\d/-])").expect("a constant"));

/// `9-12 MAR 24`
static DAY_BEFORE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?:^|[^\d/.-])\d\d?[-/]$").expect("a constant"));

/// What a number is of that no day is.
static MEASURED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:\b(?:(?:lv|rv)?ef|ejection[^\S\n]+fraction|grades?|stages?|scores?|gleason|ecog|kps|nyha|ctcae|gcs|apgar|mmse|moca|nihss|meld|hb|hgb|hct|wbc|plt|anc|inr|ptt?|k|na|cr|creat(?:inine)?|bun|glucose|a1c|hba1c|psa|cea|ca|mg|tsh|crp|esr|lactate|troponin|bnp|bili(?:rubin)?|alt|ast|alb(?:umin)?|bp|hr|rr|sats?|spo2|temp|fio2|peep|weight|wt|height|ht|bmi|ki-?67|tps|cps|pain|age[ds]?|days?|pod|hd|dol|weeks?|wks?|months?|mos?|years?|hours?|hrs?|cycles?|doses?|fractions?|sessions?|rooms?|beds?|wards?|levels?|types?|phases?|lines?|arms?|class|category|exons?|codons?|chr(?:omosome)?|nodes?|lns?|lesions?|x|q|every|no|number|items?|figure|table|case|chapter|version|part|lot|takes?|gives?|gave|size|measur(?:es|ing)|mets)\b[.:=#]*|[#~<>≥≤×±$€£%])[^\S\n]*(?:(?:of|is|was|at|about)[^\S\n]+)?$",
    )
    .expect("a constant")
});

/// Whether a number behind a text is a value and no day.
pub(super) fn is_measured(before: &str) -> bool {
    let before = end_of(before);
    MEASURED.is_match(before) || OF_COUNTS.is_match(before)
}

/// `grade 2-` before `3 March 2024`, `nodes 3/` before `9 March 2024`
fn is_end_of_measured(before: &str) -> bool {
    let Some(number) = before.strip_suffix(['-', '–', '—', '/']) else { return false };
    let rest = number.trim_end_matches(|it: char| it.is_ascii_digit());
    let is_number = (1..=2).contains(&(number.len() - rest.len()));
    is_number && (is_measured(rest) || (before.ends_with('/') && fractions::is_counted(rest)))
}

/// Whether a unit or what is counted stands behind a number.
pub(super) fn is_counted(after: &str) -> bool {
    COUNTED.is_match(after)
}

static UNBROKEN_BEFORE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b(?:19|20)\d{6}[-/]$").expect("a constant"));

static UNBROKEN_AFTER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[-/](?:19|20)\d{6}\b").expect("a constant"));

/// Labels of a number of eight digits that is no day. A visit or a study may be dated; its number has a word for it.
static NUMBER_OF: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:\b(?:u?mrn|accession|acc|lot|batch|serial|s/?n|pmid|pmcid|ref(?:erence)?|ids?|no|nr|num(?:ber)?s?|claim|policy|account|acct|csn|phone|tel(?:ephone)?|fax|pager|mobile|cell|model|udi|gtin|isbn|doi|nct|npi|device|patent|order|requisition|catalog|catalogue|barcode|case|vl|quant|hcg|ferritin|platelets?|plt|wbc|cd4|clinicaltrials|loads?|counts?|rna|dna|titers?|titres?|copies)\b\.?[^\S\n]*(?:(?:no|number|nr|id|of|is|was)\b\.?[^\S\n]*)?|[#<>=≥≤~$€£])[^\S\n]*[:#=<>(-]*[^\S\n]*$",
    )
    .expect("a constant")
});

/// Behind a number that counts something.
static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^(?:[^\S\n]*%|[^\S\n]*(?:copies|cells|iu|u|units?|mg|mcg|µg|ug|g|ml|l|meq|mmol|cfu|tabs?|tablets?|caps(?:ules)?|puffs?|drops|doses?|hours?|hrs?|h|days?|weeks?|wks?|months?|mos?|minutes?|mins?|years?|yrs?|yo|times|cycles|fractions|fx|gy|cgy|cm|mm|bpm|x|hz|db|um|µm|microns?)\b|[^\S\n]*[A-Za-zµ]{1,5}/[A-Za-z])",
    )
    .expect("a constant")
});

/// Before a number that is a dose or a count, and no day: `x 2 MAR 24`, `on the 8 MAR 24`.
static OF_COUNTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:\b(?:x|take|takes|give|gave|given|times|grade|stage|score|scored|pain|level|dose|doses|q|every|no|room|bed|cycle|type)\b|[#×])[^\S\n]*$").expect("a constant")
});

/// As a longer number does behind one of these signs.
pub(super) fn goes_on(after: &str, signs: &str) -> bool {
    let rest = after.strip_prefix(|letter: char| signs.contains(letter));
    rest.is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
}

fn is_coded(before: &str, after: &str) -> bool {
    CODED.is_match(end_of(before)) || NAMED_CODE.is_match(after)
}

pub(super) fn end_of(before: &str) -> &str {
    let start = before.char_indices().rev().nth(BEFORE).map_or(0, |(at, _)| at);
    &before[start..]
}
