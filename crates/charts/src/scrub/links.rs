//! What stands between the days of a range or a list, and how a day without its year is found beside it.

use regex::{Captures, Regex};
use std::sync::LazyLock;

const SPACE: &str = r"[ \t\u{a0}\u{2009}\u{202f}]";
const MONTH: &str = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const WEEKDAY: &str = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?";

/// What stands between the ends of a range or the days of a list, weekdays included.
pub(super) fn link() -> String {
    let gap = r"[ \t\n\u{a0}\u{2009}\u{202f}]{1,3}";
    // A dash that begins a line is the mark of a list.
    let dash = format!(r"{SPACE}*(?:[-‐‑‒–—−]{{1,2}}>?|→|~|～){SPACE}*\n?{SPACE}*");
    let word = format!(r"{gap}(?:to|through|thru|thr|until|till?|['’]till?|up{SPACE}to|bis){gap}");
    let and = format!(r"{SPACE}*,?{SPACE}*[&+]{SPACE}*|{SPACE}*,?{gap}(?:and|or|vs\.?|then|plus){gap}");
    // `Admitted Mar 9, discharged Mar 12, 2024`
    let turn = format!(
        r"[,;.]?{gap}(?:(?:and|then|was|he|she|pt|patient){gap}){{0,3}}(?:discharged?|d/c['’]?d?|dc['’]?d|readmitted|transferred|died|extubated|completed|ended|stopped|resolved|finished|returned)(?:{gap}(?:home|date))?:?{gap}"
    );
    let lead =
        format!(r"(?:(?:again|on|the|about|around|approximately){SPACE}+){{0,3}}(?:{WEEKDAY}[.,]{{0,2}}{SPACE}+)?");
    let aside = format!(
        r"(?:,?{SPACE}*\(?\b{WEEKDAY}\b\.?\)?|{SPACE}*\((?:adm[a-z]*|disch[a-z]*|d/c|start[a-z]*|onset|e[dr])\))?"
    );
    format!(
        "(?i:{aside}(?:(?P<dash>{dash})|(?P<word>{word}|{turn})|(?P<and>{and})|(?P<comma>{SPACE}*[,;]{SPACE}*)|(?P<slash>{SPACE}?/{SPACE}?)){lead})"
    )
}

fn clock() -> String {
    let half = format!(r"{SPACE}*[ap]\.?m\b\.?");
    format!(
        r"(?:,?{SPACE}*\(?(?:at{SPACE}+|@{SPACE}*)?(?:(?:[01]?[0-9]|2[0-3])(?::[0-5][0-9]){{1,2}}(?:{half})?|(?:1[0-2]|0?[1-9]){half})\)?|,?{SPACE}+(?:at{SPACE}+)?(?:[01][0-9]|2[0-3])[0-5][0-9](?:{SPACE}*h(?:rs?|ours)?)?)?"
    )
}

/// A day without its year, or a month.
fn partial() -> String {
    let day = "(?:0?[1-9]|[12][0-9]|3[01])";
    let nth = "(?:st|nd|rd|th)";
    format!(
        r"(?:\b(?P<m1>{MONTH})(?P<g1>\.?{SPACE}+(?:the{SPACE}+)?|\.?[-/])(?P<d1>{day})(?P<o1>{nth})?\b(?:(?P<r1>{SPACE}?[-–—]{SPACE}?)(?P<e1>{day})\b)?|\b(?P<d2>{day})(?P<o2>{nth})?(?P<g2>{SPACE}+of{SPACE}+|{SPACE}*[-./]?{SPACE}*)(?P<m2>{MONTH})\b(?P<p2>\.?)|\b(?P<a>[0-9]{{1,2}})(?P<s>[-./])(?P<b>[0-9]{{1,2}})\b(?:(?P<r2>[-–—])(?P<e2>{day})\b|(?P<p>\.?))|\b(?P<d3>{day})(?P<o3>{nth})?\b(?:(?P<r3>[-–—])(?P<e3>{day})\b|(?P<p3>\.?))|\b(?P<m4>{MONTH})\b(?P<p4>\.?))"
    )
}

pub(super) static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!("(?i){}{}{}$", partial(), clock(), link()))
        .expect("made of constants, and the tests compile it")
});

pub(super) static AFTER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!("(?i)^{}{}{}", clock(), link(), partial()))
        .expect("made of constants, and the tests compile it")
});

/// Behind a day that has a year of its own, or is part of something longer.
pub(super) static GOES_ON: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:\.?(?:,?[^\S\n]*|[^\S\n]+of[^\S\n]+)(?:(?:1[89]|2[01])\d\d\b|['’]\d\d\b)|\w|[-/.:,]\d|%)")
        .expect("a constant")
});

pub(super) static ENDS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[^\S\n]*(?:$|[\n.,;:)\]])").expect("a constant"));

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// `-`; tight without spaces.
    Dash {
        is_tight: bool,
    },
    /// `to`, `through`, `until`
    Word,
    /// `and`, `&`, `or`
    And,
    Comma,
    Slash,
}

impl Link {
    pub fn of(found: &Captures<'_>) -> Self {
        if let Some(dash) = found.name("dash") {
            return Self::Dash { is_tight: !dash.as_str().contains(char::is_whitespace) };
        }
        let is = |name| found.name(name).is_some();
        match (is("word"), is("and"), is("comma")) {
            (true, ..) => Self::Word,
            (_, true, _) => Self::And,
            (_, _, true) => Self::Comma,
            _ => Self::Slash,
        }
    }

    pub fn is_tight(self) -> bool {
        self == Self::Dash { is_tight: true }
    }

    pub fn is_of_range(self) -> bool {
        matches!(self, Self::Dash { .. } | Self::Word)
    }
}
