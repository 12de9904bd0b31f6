//! Finds identifiers in a text.

use super::codes::end_of;
use super::dates::{self, Shift};
use super::identity::Identity;
use super::known::Known;
use super::{Find, Identifier, names, people, temperatures};
use crate::Date;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

pub(super) struct Finders {
    /// Values known from the chart.
    known: Known,
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns are constants and the tests compile them all")
}

/// A number after its label, in groups of digits or in one.
pub(super) static LABELLED_NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    let no = r"[^\S\n]*(?:(?:number|num|no|nr|id)\b\.?|#)";
    // These say alone that a number follows; of the others a number is one thing among many.
    let alone = r"U?MRN|UHID|EMPI|CSN|SSN|NPI|NHS|accession|med(?:ical)?\.? rec(?:ord)?\.?|social security";
    let kinds = r"hosp(?:ital)?\.?|unit|patient|pt|chart|case|account|acct\.?|encounter|visit|admission|episode|file|record|registration|specimen|sample|lab(?:oratory)?|requisition|order|claim|policy|insurance|member(?:ship)?|group|subscriber|beneficiary|certificate|licen[cs]e|passport|medicare|medicaid|health card|health insurance|national insurance|CHI|device|serial";
    let label = format!(r"(?:{alone})(?:{no})?|(?:{kinds})(?:{no})|(?:account|acct\.?|policy)[^\S\n]*:");
    let grouped = r"\d{3}[ -]\d{3}[ -]\d{4}|\d{3}[ -]\d{2}[ -]\d{4}|\d{4}[ -]\d{4}[ -]\d{4}(?:[ -]\d{4})?";
    let plain = r"(?:(?-i:[A-Z]{1,6})[-: ]?|[a-z]{1,2})?\d[A-Z0-9/-]{2,}";
    let national = r"[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b";
    pattern(&format!(r"(?i)\b(?:{label})\s*[:#=]?\s*(?P<value>{grouped}|{national}|{plain})"))
});

static GENERAL: LazyLock<Vec<(Identifier, Regex)>> = LazyLock::new(|| {
    let street = "Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Court|Ct|Boulevard|Blvd|Way|Place|Pl|Terrace|Square|Sq|Parkway|Pkwy|Highway|Hwy|Close|Crescent|Row";
    // CT, ST and DR in capitals are a scan, a segment of an ECG and a title.
    let capitals = "STREET|AVENUE|ROAD|LANE|DRIVE|COURT|BOULEVARD|TERRACE|SQUARE|PARKWAY|HIGHWAY|CRESCENT";
    let rest = r"(?:\b(?:St|Mt|Ft|Rd|Ave|Dr|No|Apt|Ste|P|O)\.|[^\n;.]){3,100}";
    let rest_or_none = r"(?:\b(?:St|Mt|Ft|No|Apt|P|O)\.|[^\n;.]){0,100}";
    let abroad = r"(?:Calle|Avenida|Avda|Paseo|Plaza|Rue|Piazza|Viale|Rua)\b|\p{Lu}[\p{L}-]*[^\S\n]?(?:stra(?:ß|ss)e|Stra(?:ß|ss)e|str\.|Str\.|gasse|platz|laan|straat)";
    // A word that ends a sentence is of no street.
    let word =
        r"(?:(?:[A-Z]\.){1,2}|(?:St|Ste|Mt|Ft|Jr|Sr|So|Gen|Col)\.|[A-Z][\w'’-]+|\d{1,3}(?:st|nd|rd|th|ST|ND|RD|TH))";
    let house = r"\d{1,5}[A-Za-z]?,?[^\S\n]+(?:[A-Z]|\d{1,3}(?:st|nd|rd|th)\b)";
    let postcode = r"[A-Z]{1,2}\d[A-Z\d]?[^\S\n]?\d[ABD-HJLNP-UW-Z]{2}";
    let in_words = "(?:ninety(?:[- ]?(?:one|two|three|four|five|six|seven|eight|nine))?|(?:one[- ])?hundred(?:[- ](?:and[- ])?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))?)";
    let octet = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)";
    let private = r"(?:192\.168|172\.(?:1[6-9]|2\d|3[01]))";
    let old = r"(?:9\d|1[0-2]\d)";
    vec![
        (Identifier::Email, pattern(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")),
        (
            Identifier::Email,
            pattern(
                r"(?i)\b[\w.+-]*\w ?[(\[] ?at ?[)\]] ?[\w-]+(?:(?:\.| ?[(\[] ?dot ?[)\]] ?)[a-z][\w-]*){0,3}(?:\.| ?[(\[] ?dot ?[)\]] ?)(?-i:org|com|net|edu|gov|mil|info|eu|uk|de|fr|es|ch|nl|io|ie|ca|au|se|dk|pl|pt|br|mx|ORG|COM|NET|EDU)\b",
            ),
        ),
        // A version, a chapter and a dose are written so, too: what is no private address says that it is one.
        (
            Identifier::Url,
            pattern(&format!(
                r"\b(?:(?i:IP(?:v4)?(?:[^\S\n]+addr(?:ess)?)?)[^\S\n]*[:=]?[^\S\n]*(?P<value>{octet}(?:\.{octet}){{3}})|(?P<told>{private}\.{octet}\.{octet}))\b"
            )),
        ),
        (Identifier::Url, pattern(r"(?i)\b(?:https?://|www\.)[^\s<>()]+[^\s<>().,;]")),
        (Identifier::RecordNumber, LABELLED_NUMBER.clone()),
        (Identifier::RecordNumber, pattern(r"\b\d{3}-\d{2}-\d{4}\b")),
        (Identifier::RecordNumber, pattern(r"(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")),
        (
            Identifier::Address,
            pattern(&format!(
                r"\b\d{{1,5}}[A-Ea-e]?[^\S\n]+(?:{word}[^\S\n]+){{1,4}}(?:{street}|{capitals})\b\.?(?:,?[^\S\n]*(?:Apt|Apartment|Suite|Ste|Unit|Floor|#)\.?[^\S\n]*[\w-]+)?(?:,[^\S\n]*[A-Z][\w'’ -]+){{0,2}}(?:,?[^\S\n]+[A-Z]{{2}})?(?:[^\S\n]+\d{{5}}(?:-\d{{4}})?)?"
            )),
        ),
        (
            Identifier::Address,
            pattern(r"\b\d{1,5}[^\S\n]+(?:[A-Z][\w'’-]+[^\S\n]+){1,4}(?:Apt|Suite|Unit)[^\S\n]+\d+\b"),
        ),
        (Identifier::Address, pattern(r"\b[A-Z]{2}[^\S\n]+\d{5}(?:-\d{4})?\b")),
        (Identifier::Address, pattern(r"\bP\.?O\.? Box \d+\b")),
        // Areas of one letter are these; T4 is no place.
        (Identifier::Address, pattern(r"\b(?:[BEGLMNSW]|[A-Z]{2})\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}\b")),
        (
            Identifier::Address,
            pattern(&format!(
                r"(?i)\b(?:post ?code|zip(?: code)?)[^\S\n]*:?[^\S\n]*(?P<value>{postcode}|\d{{5}}(?:-\d{{4}})?)\b"
            )),
        ),
        (
            Identifier::Address,
            pattern(
                // Without a colon it may be a sentence: patient and nurse address her pain of 7.
                &format!(
                    r"(?i:\b(?:home|postal|mailing|street|patient(?:'s)?)[^\S\n]+address)(?:[^\S\n]*:[^\S\n]*(?P<value>[A-Z\d]{rest})|[^\S\n]+(?P<told>(?:[A-Z][^\n;.\d]{{0,40}})?{house}{rest}))"
                ),
            ),
        ),
        (
            Identifier::Address,
            pattern(&format!(
                r"(?i:\baddress)[^\S\n]*:[^\S\n]*(?P<value>(?:{house}|[A-Z][\w'’-]+(?:[^\S\n][A-Z][\w'’-]+)+,){rest})"
            )),
        ),
        // Streets whose number stands behind them, or whose town has its code before it: `Calle Mayor 5, 28013 Madrid`.
        (
            Identifier::Address,
            pattern(&format!(
                r"(?i:\baddress)[^\S\n]*:[^\S\n]*(?P<value>(?:(?:{abroad})[^\n;:\d]{{0,40}}[^\S\n]\d{{1,4}}|\d{{1,4}},?[^\S\n](?:rue|avenue|boulevard|place|chemin|via|calle)[^\S\n]|\p{{Lu}}[^\n;:.\d,]{{2,40}}[^\S\n]\d{{1,4}}[A-Za-z]?,[^\S\n]*(?:[A-Z]{{1,2}}-)?\d{{5}}[^\S\n]+\p{{Lu}}\p{{Ll}}){rest_or_none})"
            )),
        ),
        (Identifier::Phone, pattern(r"\b0\d{2,4}[ -]\d{3,4}[ -]?\d{3,4}\b")),
        (
            Identifier::Phone,
            pattern(r"(?:\+?1[ .-])?\(?\b\d{3}(?:\)[ .-]?|[ .-])\d{3}[ .-]\d{4}\b(?:[^\S\n]*(?:x|ext\.?)[^\S\n]*\d+)?"),
        ),
        (Identifier::Phone, pattern(r"\+\d{1,3}(?:[ .-]?\(?\d{1,4}\)?){2,5}\b")),
        (
            Identifier::Phone,
            pattern(
                // White cells are counted: a cell phone has a colon or says that it is a number. No group has one digit.
                r"(?i)\b(?:(?:phone|tel|telephone|fax|pager|bleep|contact (?:number|no))\b\.?\s*(?:number|no\.?)?\s*[:#]?|(?:cell|mobile)\b(?:[^\S\n]*(?:phone|number|no\.?))?[^\S\n]*[:#]|(?:cell|mobile)[^\S\n]*(?:phone|number|no\.?))\s*(?P<value>\+?(?:1[ .-])?(?:[(]?\d{2,}[)]?[ -]{0,2}){1,5}\d{2,}|\d{2,5}(?:\.\d{2,4}){2,4})",
            ),
        ),
        // No count of cells is so long.
        (Identifier::Phone, pattern(r"(?i)\b(?:cell|mobile)[^\S\n]+(?P<value>\+?\d{10,13})\b")),
        (
            Identifier::Age,
            // Nothing else lasts so many years. 90Y is yttrium.
            pattern(&format!(
                r"\b(?P<value>{old})(?:[- ]?(?:[Yy]ears?|YEARS?|[Yy]rs?|YRS?|[Yy]\.?/?[Oo]|Y/?O|y)\b|[- ]?y\.o\.)"
            )),
        ),
        (
            Identifier::Age,
            pattern(&format!(
                r"(?i)\bage[d]?(?:[^\S\n]+(?:of|is|was|at[^\S\n]+\w+)|[^\S\n]*\(\w+\))?[^\S\n]*[:=]?[^\S\n]*(?P<value>{old})\b"
            )),
        ),
        (
            Identifier::Age,
            pattern(&format!(
                r"\b(?P<value>{old})(?: ?/ ?[MF]\b|M\b| ?F\b| (?:[a-z]+ )?(?i:male|female|man|woman|lady|gentleman)\b)"
            )),
        ),
        (
            Identifier::Age,
            pattern(&format!(
                r"(?i)\b(?:(?P<value>{in_words})(?:[- ]years?[- ]olds?|[- ]years? of age|[- ]?(?:y\.?/?o|yrs?[- ]old))\b|age[d]?(?: of| is|:)? (?P<told>{in_words})\b)"
            )),
        ),
        // Nobody walks 91 metres; many walk 100 M.
        (Identifier::Age, pattern(r"\b(?P<value>9\d) M\b")),
    ]
});

/// `N1 3LN` are lymph nodes.
static LYMPH_NODES: LazyLock<Regex> = LazyLock::new(|| pattern(r"^N\d[a-c]? \dLN$"));

/// Before four numbers that are no address of a machine.
static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:\b(?:v|ver|versions?|release|build|firmware|software|sw|fw|oid|doses?|urn:oid:|ratio)\.?[^\S\n]*[:=]?[^\S\n]*|[\d][./-]|[.v:-])$",
    )
});

/// Behind them: further numbers, or a unit.
static MORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)^(?:[./-]\d|[^\S\n]*(?:mg|mcg|µg|ug|g|ml|cc|units?|iu|meq|mmol|mm|cm|%|kg|gy|cgy)\b|[^\S\n]*%)")
});

/// `aged ninety minutes`, `age ninety percent`
static SHORT_TIME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^[- ]?(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|minutes?|mins?|seconds?|hours?|days?|weeks?|months?|percent|per[^\S\n]cent|%|thousand|hundred)\b|^%",
    )
});

static PROTECTED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[\*\*.*?\*\*\]|_{3,}"));

/// Marks of a former de-identification, `___` and `[** **]`.
pub(super) fn protected(text: &str) -> Vec<Range<usize>> {
    PROTECTED.find_iter(text).map(|found| found.range()).collect()
}

impl Finders {
    pub fn new(identity: &Identity) -> Self {
        Self { known: Known::new(&identity.values) }
    }

    pub fn find(&self, text: &str, shift: &Shift) -> Vec<Find> {
        let mut finds = Vec::new();
        let mut push = |range: Range<usize>, kind: Identifier| {
            finds.push(Find { range, kind, with: kind.token().to_owned() });
        };
        for (range, value) in self.known.find(text) {
            if !value.doubtful || names::is_meant(text, &range) {
                push(range, value.kind);
            }
        }
        for (kind, pattern) in &*GENERAL {
            for found in pattern.captures_iter(text) {
                // Where a label leads to the value, only the value goes.
                let value = found.name("value").or_else(|| found.name("told")).or_else(|| found.get(0));
                let range = value.map(|found| found.range()).unwrap_or_default();
                let range = if *kind == Identifier::Phone { without_a_date(text, range) } else { range };
                if !is_something_else(*kind, text, &range) {
                    push(range, *kind);
                }
            }
        }
        for range in names::labelled(text).into_iter().map(|it| it.range).chain(people::named(text)) {
            push(range, Identifier::Name);
        }
        let dates = dates::find(text, shift);
        // May is a month in `9 May - 12 May 2024`, whoever is called so.
        let within = Within::new(&dates);
        finds.retain(|find| find.kind != Identifier::Name || !within.has(&find.range));
        finds.extend(dates);
        finds
    }
}

/// By their starts, how far the stretches reach that begin there or before.
struct Within(Vec<(usize, usize)>);

impl Within {
    fn new(finds: &[Find]) -> Self {
        let mut reach: Vec<_> = finds.iter().map(|find| (find.range.start, find.range.end)).collect();
        reach.sort_unstable();
        let mut furthest = 0;
        for (_, end) in &mut reach {
            furthest = furthest.max(*end);
            *end = furthest;
        }
        Self(reach)
    }

    fn has(&self, range: &Range<usize>) -> bool {
        let before = self.0.partition_point(|(start, _)| *start <= range.start);
        before > 0 && self.0[before - 1].1 >= range.end
    }
}

/// With what stands between its groups; shorter ones are extensions.
const SHORTEST_PHONE: usize = 7;

fn is_something_else(kind: Identifier, text: &str, range: &Range<usize>) -> bool {
    match kind {
        Identifier::Phone => range.len() < SHORTEST_PHONE || begins_with_a_date(&text[range.clone()]),
        Identifier::Address => LYMPH_NODES.is_match(&text[range.clone()]),
        Identifier::Url if !text[range.clone()].contains(char::is_alphabetic) => {
            VERSION.is_match(end_of(&text[..range.start])) || MORE.is_match(&text[range.end..])
        }
        Identifier::Age if text[range.clone()].starts_with(char::is_alphabetic) => {
            SHORT_TIME.is_match(&text[range.end..])
        }
        Identifier::Age => {
            let before = &text[..range.start];
            // `118/92`, but `F/92`
            let shared = before.strip_suffix('/').unwrap_or(before);
            temperatures::is_one(text, range)
                || before.ends_with('.')
                || shared.ends_with(|end: char| end.is_ascii_digit())
        }
        _ => false,
    }
}

/// `617-555-0199 12/05/2023`: the month is no group of the number, which has more digits.
fn without_a_date(text: &str, range: Range<usize>) -> Range<usize> {
    let mut after = text[range.end..].chars();
    let goes_on =
        after.next().is_some_and(|sign| "/.".contains(sign)) && after.next().is_some_and(|it| it.is_ascii_digit());
    match text[range.clone()].rfind(' ') {
        Some(at) if goes_on && range.len() - at <= "12".len() + 1 => {
            range.start..range.start + text[range.start..range.start + at].trim_end().len()
        }
        _ => range,
    }
}

/// `Phone (2022-05-31)` is an answer and its date.
fn begins_with_a_date(value: &str) -> bool {
    value.trim_start_matches('(').get(..10).is_some_and(|start| start.parse::<Date>().is_ok())
}
