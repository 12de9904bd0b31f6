//! Dates inside texts, moved and written the way they were.

use super::{Find, Identifier, OLDEST, fractions};
use crate::Date;
use crate::date::MONTHS;
use crate::import::DateOrder;
use regex::{Captures, Regex};
use std::ops::Range;
use std::sync::LazyLock;

pub(super) struct Shift {
    pub days: i32,
    pub order: DateOrder,
    /// The last day of the chart: what is too long before it would tell an age above the limit.
    pub last: Option<Date>,
}

impl Shift {
    /// None where the date itself may not be told.
    pub fn moved(&self, date: Date) -> Option<Date> {
        if self.last.is_some_and(|last| date.years_until(last) > OLDEST) {
            return None;
        }
        date.plus_days(self.days)
    }
}

/// One spelling: how to find it, and the order of its parts.
struct Spelling {
    pattern: Regex,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// 2024-03-09, 2024/3/9, 2024-03
    YearFirst,
    /// 20240309
    Unbroken,
    /// 3/9/2024, 09.03.2024, 3-9-24
    Numbers,
    /// 3/9-3/12/2024
    Range,
    /// 03/2024, 3/2024, 03-2024
    MonthYear,
    /// 9 March 2024, 09-Mar-2024
    DayMonth,
    /// March 9, 2024, March 2024
    MonthFirst,
    /// 9 MAR 24, Mar 9 '24, Mar-24
    ShortYear,
}

static SPELLINGS: LazyLock<Vec<Spelling>> = LazyLock::new(|| {
    let month = r"(?P<m>(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?))";
    let short_month = r"(?P<m>(?i:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec))";
    let year = r"(?P<y>(?:1[89]|2[01])\d\d)";
    let spell = |kind, text: String| Spelling {
        pattern: Regex::new(&text).expect("the spellings are constants and the tests compile them all"),
        kind,
    };
    let numbers_with = |sign: &str| {
        let text = r"\b(?P<a>\d{1,2})(?P<s>@)(?P<b>\d{1,2})@(?P<y>(?:1[89]|2[01])\d\d|\d\d)\b";
        spell(Kind::Numbers, text.replace('@', sign))
    };
    vec![
        spell(Kind::YearFirst, format!(r"\b{year}(?P<s>[-/])(?P<m>\d{{1,2}})(?:(?P<t>[-/])(?P<d>\d{{1,2}}))?(?:\b|T)")),
        spell(
            Kind::Unbroken,
            r"\b(?P<y>19[2-9]\d|20[0-3]\d)(?P<s>)(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])(?:\b|T)".to_owned(),
        ),
        spell(
            Kind::Range,
            r"\b(?P<c>\d{1,2})/(?P<e>\d{1,2})(?P<t>[-–—]|[^\S\n]+(?:[-–—]|(?i:to|through|thru))[^\S\n]+)(?P<a>\d{1,2})(?P<s>/)(?P<b>\d{1,2})/(?P<y>(?:1[89]|2[01])\d\d|\d\d)\b".to_owned(),
        ),
        // One sign in one date: 3/9-3/12/2024 is none of 9-3-12.
        numbers_with("-"),
        numbers_with("/"),
        numbers_with(r"\."),
        spell(Kind::MonthYear, format!(r"\b(?P<m>\d\d?)(?P<s>/){year}\b")),
        // With one digit these are numbers: 3-2024, 3.2024.
        spell(Kind::MonthYear, format!(r"\b(?P<m>\d\d)(?P<s>[-.]){year}\b")),
        spell(
            Kind::DayMonth,
            format!(r"\b(?P<d>\d{{1,2}})(?P<s>(?:st|nd|rd|th)?[ ./-]+){month}(?P<t>\.?,?[ /-]+){year}\b"),
        ),
        // 12MAR2024, 12MAR24, 09-MAR-24
        spell(Kind::DayMonth, format!(r"\b(?P<d>\d{{1,2}})(?P<s>){month}(?P<t>){year}\b")),
        spell(Kind::DayMonth, format!(r"\b(?P<d>\d{{1,2}})(?P<s>){short_month}(?P<t>)(?P<y>\d\d)\b")),
        spell(Kind::DayMonth, format!(r"\b(?P<d>\d{{1,2}})(?P<s>[-/]){month}(?P<t>[-/])(?P<y>\d\d)\b")),
        spell(
            Kind::MonthFirst,
            format!(r"\b{month}(?P<s>\.?[ /-]+)(?:(?P<d>\d{{1,2}})(?P<t>(?:st|nd|rd|th)?(?:,[ ]*|[ /-]+)))?{year}\b"),
        ),
        // Only an apostrophe, two capitals or a dash tell a year of two digits.
        spell(
            Kind::MonthFirst,
            format!(r"\b{month}(?P<s>\.?[ ]+)(?:(?P<d>\d{{1,2}})(?P<t>(?:st|nd|rd|th)?,?[ ]*))?(?P<q>['’])(?P<y>\d\d)\b"),
        ),
        spell(Kind::DayMonth, format!(r"\b(?P<d>\d{{1,2}})(?P<s>[ ]+){month}(?P<t>\.?,?[ ]+['’])(?P<y>\d\d)\b")),
        spell(
            Kind::ShortYear,
            r"\b(?P<d>0?[1-9]|[12]\d|3[01])(?P<s>[ ])(?P<m>JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEPT?|OCT|NOV|DEC|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?P<t>[ ])(?P<y>[0-3]\d|[4-9]\d)\b".to_owned(),
        ),
        spell(
            Kind::MonthFirst,
            r"\b(?P<m>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|JAN|FEB|MAR|JUL|AUG|NOV)(?P<s>-)(?P<y>[0-3]\d|[4-9]\d)\b".to_owned(),
        ),
    ]
});

pub(super) fn find(text: &str, shift: &Shift) -> Vec<Find> {
    // Most short entries have no digit behind which a date could hide.
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let mut finds = Vec::new();
    for spelling in &*SPELLINGS {
        for found in spelling.pattern.captures_iter(text) {
            let whole = found.get(0).map(|found| found.range()).unwrap_or_default();
            if is_code(text, &whole, spelling.kind, &found) {
                continue;
            }
            let Some((date, rewrite)) = spelling.kind.read(&found, shift.order) else { continue };
            // The T of a timestamp stays with its clock.
            let range = if text[whole.clone()].ends_with('T') { whole.start..whole.end - 1 } else { whole };
            finds.push(match shift.moved(date) {
                Some(moved) => Find { range, kind: Identifier::Date, with: rewrite(moved) },
                None => Find { range, kind: Identifier::Age, with: Identifier::Date.token().to_owned() },
            });
        }
    }
    finds
}

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
fn is_code(text: &str, found: &Range<usize>, kind: Kind, parts: &Captures<'_>) -> bool {
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
            ends || goes_on(after, "/-.") || is_titre || is_coded(before, after)
        }
        Kind::Range => {
            fractions::is_one(before, parts.name("t").map_or("", |sign| sign.as_str())) || goes_on(after, ".")
        }
        Kind::Numbers => {
            goes_on(after, ".")
                || before.ends_with('.') && before[..before.len() - 1].ends_with(|it: char| it.is_ascii_digit())
        }
        Kind::Unbroken => {
            let number = |text: &str| text.ends_with(|it: char| it.is_ascii_digit());
            let is_inside = before.ends_with('.') || before.ends_with(['-', '/']) && !UNBROKEN_BEFORE.is_match(before);
            let is_range = UNBROKEN_AFTER.is_match(after);
            is_inside
                || (goes_on(after, "./-") && !is_range)
                || number(before)
                || is_coded(before, after)
                || NUMBER_OF.is_match(end_of(before))
                || COUNTED.is_match(after)
        }
        // `take 2 May 24 hours later`; `8 MAR 24 doses`
        Kind::ShortYear => {
            before.ends_with(['.', '/', '-'])
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

static UNBROKEN_BEFORE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b(?:19|20)\d{6}[-/]$").expect("a constant"));

static UNBROKEN_AFTER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[-/](?:19|20)\d{6}\b").expect("a constant"));

/// Labels of a number of eight digits that is no day. A visit or a study may be dated; its number has a word for it.
static NUMBER_OF: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:\b(?:u?mrn|accession|acc|lot|batch|serial|s/?n|pmid|pmcid|ref(?:erence)?|ids?|no|nr|num(?:ber)?s?|claim|policy|account|acct|csn|phone|tel(?:ephone)?|fax|pager|mobile|cell|model|udi|gtin|isbn|doi|nct|npi|device|patent|order|requisition|catalog(?:ue)?|barcode|case|vl|quant|hcg|ferritin|platelets?|plt|wbc|cd4|clinicaltrials|loads?|counts?|rna|dna|titers?|titres?|copies)\b\.?[^\S\n]*(?:(?:no|number|nr|id|of|is|was)\b\.?[^\S\n]*)?|[#<>=≥≤~$€£])[^\S\n]*[:#=<>(-]*[^\S\n]*$",
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
fn goes_on(after: &str, signs: &str) -> bool {
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

type Rewrite<'t> = Box<dyn Fn(Date) -> String + 't>;

impl Kind {
    fn read<'t>(self, found: &Captures<'t>, order: DateOrder) -> Option<(Date, Rewrite<'t>)> {
        let parts = Parts(found);
        match self {
            Self::YearFirst => year_first(&parts),
            Self::Numbers => numbers(&parts, order),
            Self::Range => range(&parts, order),
            Self::MonthYear => month_year(&parts),
            Self::DayMonth => day_month(&parts),
            Self::MonthFirst => month_first(&parts),
            Self::Unbroken => unbroken(&parts),
            Self::ShortYear => day_month(&parts),
        }
    }
}

/// What was found, by the names the spellings give.
struct Parts<'a, 't>(&'a Captures<'t>);

impl<'t> Parts<'_, 't> {
    fn text(&self, name: &str) -> Option<&'t str> {
        self.0.name(name).map(|part| part.as_str())
    }

    fn number(&self, name: &str) -> Option<u8> {
        self.text(name)?.parse().ok()
    }

    /// Two digits are of this century unless that were the future.
    fn year(&self) -> Option<i16> {
        match self.text("y")?.parse().ok()? {
            year if !self.is_short() => Some(year),
            year if year <= 30 => Some(2000 + year),
            year => Some(1900 + year),
        }
    }

    fn is_short(&self) -> bool {
        self.text("y").is_some_and(|year| year.len() == 2)
    }

    /// A year as this one is written.
    fn like_the_year(&self) -> impl Fn(Date) -> String + use<> {
        let short = self.is_short();
        move |moved| if short { format!("{:02}", moved.year() % 100) } else { moved.year().to_string() }
    }

    fn separator(&self) -> &'t str {
        self.text("s").unwrap_or_default()
    }

    /// To the day, or to the month where no day is told.
    fn date(&self, month: u8) -> Option<Date> {
        match self.number("d") {
            Some(day) => Date::from_day(self.year()?, month, day),
            None => Date::from_month(self.year()?, month),
        }
    }
}

fn year_first<'t>(parts: &Parts<'_, 't>) -> Option<(Date, Rewrite<'t>)> {
    let separator = parts.separator();
    let date = parts.date(parts.number("m")?)?;
    Some((date, Box::new(move |moved| moved.to_string().replace('-', separator))))
}

fn unbroken<'t>(parts: &Parts<'_, 't>) -> Option<(Date, Rewrite<'t>)> {
    let date = parts.date(parts.number("m")?)?;
    Some((date, Box::new(|moved| moved.to_string().replace('-', ""))))
}

fn numbers<'t>(parts: &Parts<'_, 't>, order: DateOrder) -> Option<(Date, Rewrite<'t>)> {
    let separator = parts.separator();
    let (first, second) = (parts.number("a")?, parts.number("b")?);
    let day_first = order == DateOrder::Dmy || separator == ".";
    let (month, day) = if day_first { (second, first) } else { (first, second) };
    let year = parts.like_the_year();
    let date = Date::from_day(parts.year()?, month, day)?;
    let write = move |moved: Date| {
        let (month, day) = (moved.month().unwrap_or_default(), moved.day().unwrap_or_default());
        let (first, second) = if day_first { (day, month) } else { (month, day) };
        format!("{first}{separator}{second}{separator}{}", year(moved))
    };
    Some((date, Box::new(write)))
}

/// Of two days of which one has a year. A longer one is rather a fraction and a date.
const LONGEST_RANGE: i32 = 183;

/// As many days before the end as before. The start has the year of the end, or the one before: 12/28-1/3/2024.
fn range<'t>(parts: &Parts<'_, 't>, order: DateOrder) -> Option<(Date, Rewrite<'t>)> {
    let (first, second, between) = (parts.number("c")?, parts.number("e")?, parts.text("t")?);
    let day_first = order == DateOrder::Dmy;
    let (month, day) = if day_first { (second, first) } else { (first, second) };
    let (end, write_end) = numbers(parts, order)?;
    let of_year = Date::from_day(end.year(), month, day)?;
    let start = if of_year <= end { of_year } else { Date::from_day(end.year() - 1, month, day)? };
    let length = end.number() - start.number();
    let write = move |moved: Date| {
        let start = moved.plus_days(-length).unwrap_or(moved);
        let (month, day) = (start.month().unwrap_or_default(), start.day().unwrap_or_default());
        let (first, second) = if day_first { (day, month) } else { (month, day) };
        format!("{first}/{second}{between}{}", write_end(moved))
    };
    (length <= LONGEST_RANGE).then_some((end, Box::new(write) as Rewrite<'t>))
}

fn month_year<'t>(parts: &Parts<'_, 't>) -> Option<(Date, Rewrite<'t>)> {
    let (month, separator) = (parts.text("m")?, parts.separator());
    let date = Date::from_month(parts.year()?, parts.number("m")?)?;
    let width = month.len();
    let write = move |moved: Date| format!("{:0width$}{separator}{}", moved.month().unwrap_or_default(), moved.year());
    Some((date, Box::new(write)))
}

fn day_month<'t>(parts: &Parts<'_, 't>) -> Option<(Date, Rewrite<'t>)> {
    let name = parts.text("m")?;
    let date = Date::from_day(parts.year()?, month_number(name)?, parts.number("d")?)?;
    let between = parts.separator().trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let (second, year) = (parts.text("t").unwrap_or_default(), parts.like_the_year());
    let write = move |moved: Date| {
        let (day, month) = (moved.day().unwrap_or_default(), month_like(moved, name));
        format!("{day}{between}{month}{second}{}", year(moved))
    };
    Some((date, Box::new(write)))
}

fn month_first<'t>(parts: &Parts<'_, 't>) -> Option<(Date, Rewrite<'t>)> {
    let (name, separator) = (parts.text("m")?, parts.separator());
    let date = parts.date(month_number(name)?)?;
    let (apostrophe, year) = (parts.text("q").unwrap_or_default(), parts.like_the_year());
    let plain = if apostrophe.is_empty() { ", " } else { " " };
    let second = parts.text("t").filter(|sign| sign.contains(['-', '/'])).unwrap_or(plain);
    let write = move |moved: Date| match moved.day() {
        Some(day) => format!("{}{separator}{day}{second}{apostrophe}{}", month_like(moved, name), year(moved)),
        None => format!("{}{separator}{apostrophe}{}", month_like(moved, name), year(moved)),
    };
    Some((date, Box::new(write)))
}

fn month_number(name: &str) -> Option<u8> {
    let start = name.get(..3)?.to_ascii_lowercase();
    MONTHS.iter().zip(1..).find(|(month, _)| month.to_ascii_lowercase().starts_with(&start)).map(|(_, number)| number)
}

/// The new month, short where the old one was, in its case.
fn month_like(date: Date, written: &str) -> String {
    let name = MONTHS[usize::from(date.month().unwrap_or(1)) - 1];
    let name = if written.len() <= 4 && written.len() < name.len() { &name[..3] } else { name };
    if written.chars().all(|letter| letter.is_ascii_uppercase()) { name.to_ascii_uppercase() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shift = Shift { days: 40, order: DateOrder::Mdy, last: Date::from_day(2024, 6, 1) };
        let place = super::super::Place { section: crate::Section::Encounters, part: crate::Part::Block };
        assert_eq!(super::super::replace(text, find(text, &shift), &place, &mut Vec::new()), expected);
    }

    #[test]
    fn every_spelling_moves_and_stays_what_it_was() {
        check("on 2024-03-09.", "on 2024-04-18.");
        check("at 2024-03-09T10:00:00Z", "at 2024-04-18T10:00:00Z");
        check("since 2024-03 only", "since 2024-04 only");
        check("since 2024-3, code 2024-03-09", "since 2024-04, code 2024-04-18");
        check("3/9/2024 and 3/9/24", "4/18/2024 and 4/18/24");
        check("am 09.03.2024", "am 18.4.2024");
        check("03/2024, 3/2024, (12/2023); 03-2024, 11.2023.", "04/2024, 4/2024, (01/2024); 04-2024, 12.2023.");
        check("9 March 2024, 09-Mar-2024, 9th March 2024", "18 April 2024, 18-Apr-2024, 18 April 2024");
        check("09-MAR-24, 12MAR2024, 9/Mar/2024", "18-APR-24, 21APR2024, 18/Apr/2024");
        check("March 9,2024; Mar-09-2024", "April 18, 2024; Apr-18-2024");
        check("12MAR24, 9mar24, 12-Mar-24", "21APR24, 18Apr24, 21-Apr-24");
        check("March 9, 2024; MAR 9, 2024; Sept. 2023", "April 18, 2024; APR 18, 2024; Oct. 2023");
    }

    #[test]
    fn both_ends_of_a_range_move_and_fractions_stay() {
        check("3/9-3/12/2024, 3/9–3/12/24", "4/18-4/21/2024, 4/18–4/21/24");
        check(
            "Admitted 3/9 - 3/12/24; away from 3/9 to 3/12/2024",
            "Admitted 4/18 - 4/21/24; away from 4/18 to 4/21/2024",
        );
        check("12/28-1/3/2024, 11/20-11/25/2023", "2/6-2/12/2024, 12/30-1/4/2024");
        check("3/9/2024-3/12/2024, 3/9/24 - 3/12/24", "4/18/2024-4/21/2024, 4/18/24 - 4/21/24");
        check("3/9 - 3/12/24", "4/18 - 4/21/24");
        for fraction in [
            "nodes 3/9 - ",
            "nodes 3/9-",
            "Strength 5/5 - ",
            "strength was 5/5-",
            "2/6 murmur - ",
            "pain from 3/10 to ",
            "Cycle 3/6 - ",
            "ER 3/8 - ",
            "cores positive 3/12 - ",
            "T 1/3/9-",
            "13/5-",
            "5/20-",
        ] {
            check(&format!("{fraction}3/12/2024"), &format!("{fraction}4/21/2024"));
        }
        check("DOB 2/9-3/12/1930", "DOB [DATE]");
    }

    #[test]
    fn what_is_no_date_stays() {
        for text in [
            "pain 3/10",
            "3/9 lymph nodes, 2/6 murmur, 5/5 strength",
            "3/9-3/12, 5/5-4/5, 3/9-3/12/2",
            "5/5 - 45/12/24",
            "12MAR, 32MAR24, 12MAR241, A12MAR24",
            "titer 1/2048",
            "BP 120/80",
            "13/45/2024",
            "13/5/2024",
            "13/2024, 3.2024, 4-2024",
            "SNOMED 10-2024",
            "10.2015.7",
            "dose 2.5.",
            "1-2 weeks",
            "2024",
            "LOINC 21908-9",
            "T4N3",
            "May 12",
            "LOINC 1975-2, 1920-8; race 2106-3",
            "LOINC 1975-10, 2106-03 (LOINC), code: \"1988-05\"",
            "ISO 2019-1, room 2024-2, c.1961-12T>C",
            "urn:oid:2.16.84.1",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn a_birth_long_ago_is_not_moved_but_removed() {
        check("DOB 1/2/1930", "DOB [DATE]");
    }
}
