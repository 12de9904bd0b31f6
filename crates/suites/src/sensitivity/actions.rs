//! What is recommended and is no treatment: tests, plans, referrals, watching. It is known by what is asked for, in whatever words:
//! "EGFR testing" is also "await the EGFR result", and a plan for an anticoagulant is also "hold apixaban two days before".

use super::refused::refused;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

struct Action {
    /// As catalogs and the table of treatments call it.
    names: &'static [&'static str],
    /// All of them, in one thought, in any order.
    heard: Vec<Regex>,
    /// Something else in the same words.
    unless: Option<Regex>,
    /// To hold a drug is what is asked for, and not a word against it.
    holds: bool,
}

struct Cues {
    end: Regex,
    test: Regex,
    /// Somebody is to do it.
    order: Regex,
    /// It has been done: "based on EGFR testing", "HER2-positive by IHC".
    known: Regex,
    /// "no need to hold", "no bridging"
    cancelled: Regex,
}

static CUES: LazyLock<Cues> = LazyLock::new(|| Cues {
    end: pattern(r"[;\n]|[.?!](?:\s|$)"),
    test: pattern(
        r"\b(?:(?:re-?)?test(?:s|ed|ing)?|sequenc\w+|ngs|panel|assays?|genotyp\w+|profil\w+|immunohistochemistry|ihc|fish|d?ish|pcr|stain\w*|analys[ie]s|results?|status|await\w*|pending|(?:re-?)?biops\w+|ctdna|determin\w+|evaluat\w+|assess\w*|check\w*|confirm(?:ation)?|reflex|work-?up)\b",
    ),
    order: pattern(
        r"\b(?:await\w*|pending|obtain\w*|order\w*|send|request\w*|repeat\w*|follow[- ]?up|perform|complet\w+|expedit\w+|chase|re-?test\w*|re-?biops\w+|before|prior to|until)\b",
    ),
    known: pattern(
        r"\b(?:positive|negative|detected|mutated|mutant|confirmed|show(?:s|ed|n)|wild-?type|amplified|rearranged|deficient|proficient|based on|given|per|in view of|because of|guided by|due to|according to|already|was|were)\b",
    ),
    cancelled: pattern(
        r"\b(?:no need to|need not|do not|don['’]t|never|not|no|without)\s+(?:be\s+)?(?:hold\w*|held|interrupt\w*|stop\w*|paus\w+|bridg\w+|discontinu\w+)",
    ),
});

/// What a marker is called by whoever orders its test.
const MARKERS: &[(&str, &[&str])] = &[
    ("egfr", &["egfr", "epidermal growth factor receptor"]),
    ("alk", &["alk", "eml4-alk"]),
    ("her2", &["her2", "her-2", "her2/neu", "erbb2"]),
    ("braf", &["braf", "b-raf"]),
    ("kras", &["kras", "ras"]),
    ("mmr", &["mmr", "dmmr", "msi", "mismatch repair", "microsatellite", "microsatellite instability"]),
    ("msi", &["mmr", "dmmr", "msi", "mismatch repair", "microsatellite", "microsatellite instability"]),
    ("mismatch repair", &["mmr", "dmmr", "msi", "mismatch repair", "microsatellite", "microsatellite instability"]),
    ("brca", &["brca", "brca1", "brca2", "brca1/2", "brca1 and brca2", "hrr", "homologous recombination repair"]),
];

static ACTIONS: LazyLock<Vec<Action>> = LazyLock::new(|| {
    let anticoagulant = r"\b(?:apixaban|rivaroxaban|edoxaban|dabigatran|warfarin|enoxaparin|dalteparin|eliquis|xarelto|doacs?|noacs?|lmwh|heparin|anti-?coagul\w+|blood thinners?)\b";
    let action = |names: &'static [&'static str], heard: &[&str]| Action {
        names,
        heard: heard.iter().map(|text| pattern(text)).collect(),
        unless: None,
        holds: false,
    };
    vec![
        action(
            &[
                "molecular testing",
                "molecular profiling",
                "genomic profiling",
                "genomic testing",
                "next-generation sequencing",
            ],
            &[
                r"\b(?:ngs|cgp|liquid biops\w+|next[- ]generation sequencing|(?:molecular|genomic|mutation\w*|biomarker|somatic)\b[^.;]{0,40}\b(?:test\w*|profil\w+|sequenc\w+|panel|analys[ie]s|stud(?:y|ies)|work-?up|results?|diagnostics)|(?:tumou?r|tissue|plasma|ctdna)\b[^.;]{0,20}\b(?:sequencing|profiling|genotyping)|(?:sequencing|profiling|genotyping) of the (?:tumou?r|tissue|biopsy))\b",
            ],
        ),
        action(
            &["repeat biopsy"],
            &[
                r"\b(?:re-?biops\w+|(?:repeat|second|new|additional|further|fresh)\s+(?:core\s+|tissue\s+|tumou?r\s+)?biops\w+)\b",
            ],
        ),
        action(
            &["germline testing", "genetic counseling"],
            &[
                r"\b(?:germ-?line|genetics?|hereditary)\b[^.;]{0,40}\b(?:test\w*|panel|counsel\w+|referral|consult\w*|sequenc\w+|evaluation|results?|work-?up)\b",
            ],
        ),
        Action {
            holds: true,
            ..action(
                &["perioperative anticoagulation plan"],
                &[
                    anticoagulant,
                    r"\b(?:hold\w*|held|withh\w+|interrupt\w*|stop\w*|paus\w+|suspend\w*|discontinu\w+|bridg\w+|resum\w+|restart\w*|manage\w*|plan|protocol|strategy|last dose)\b",
                    r"\b(?:peri-?\s?op\w*|pre-?op\w*|surg\w+|operat\w+|procedure|resection|\w+ectomy|excision|hemostasis|haemostasis|\d+(?:\s*[-–]\s*\d+)?\s*(?:h|hours|days)\b)",
                ],
            )
        },
        Action {
            unless: Some(pattern(r"\bobstetric(?:al)? history\b")),
            ..action(
                &["obstetric co-management"],
                &[r"\b(?:obstetric\w*|ob[-/ ]?gyn\w*|maternal[-/ ]+fo?etal|mfm|perinatolog\w*|high-risk pregnancy)\b"],
            )
        },
        action(
            &["drug interaction review"],
            &[
                r"\b(?:interact\w+[^.;]{0,40}\b(?:review\w*|check\w*|screen\w*|manage\w*|monitor\w*|consult\w*)|(?:review|check|screen|monitor|manage)\w*\b[^.;]{0,40}\binteract\w+|pharmac(?:y|ist)\b[^.;]{0,30}\b(?:review|consult\w*|referral|input)|(?:medication|drug)s? (?:review|reconciliation)|(?:review|reconcil)\w*\b[^.;]{0,30}\b(?:medication|drug)s?)\b",
            ],
        ),
        action(
            &["INR monitoring"],
            &[r"\binr\b", r"\b(?:monitor\w*|check\w*|clos\w+|weekly|frequent\w*|adjust\w*|control\w*)\b"],
        ),
        Action {
            holds: true,
            ..action(
                &["change of anticoagulant"],
                &[
                    r"\b(?:switch\w*|chang\w+|convert\w*|replac\w+|transition\w*|substitut\w+)\b[^.;]{0,30}\b(?:warfarin|anti-?coagul\w+)\b|\bwarfarin\b[^.;]{0,30}(?:→|->|\bto\b)[^.;]{0,20}\b(?:lmwh|enoxaparin|dalteparin|apixaban|rivaroxaban|edoxaban|doac)\b|\b(?:lmwh|enoxaparin|dalteparin|apixaban|rivaroxaban|edoxaban|doac)\b[^.;]{0,30}\b(?:instead of|in place of|rather than)\b[^.;]{0,20}\bwarfarin\b",
                ],
            )
        },
        action(
            &["follow-up after the operation"],
            &[
                r"\bsurveil\w+\b|\bfollow[- ]?up\b[^.;]{0,40}\b(?:imaging|ct|scans?|cystoscop\w+|urethroscop\w+|cytolog\w+|visits?|every)\b|\b(?:imaging|ct|cytolog\w+|cystoscop\w+)\b[^.;]{0,40}\b(?:follow[- ]?up|every \d+)\b",
            ],
        ),
    ]
});

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant")
}

/// Whether a text, in lower case, asks for what is wanted; none where that is no action. `only_recommended`: not what is to be left out.
pub(super) fn asks_for(text: &str, wanted: &str, named_drug: bool, only_recommended: bool) -> Option<bool> {
    let by_name = |it: &&Action| it.names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
    let heard: Vec<Range<usize>> = match (ACTIONS.iter().find(by_name), tested(wanted)) {
        (Some(action), _) => thoughts(text).filter_map(|thought| action.place(text, thought)).collect(),
        (None, Some(markers)) => thoughts(text).filter_map(|it| test_of(text, it, &markers, named_drug)).collect(),
        (None, None) => return None,
    };
    let holds = ACTIONS.iter().find(by_name).is_some_and(|it| it.holds);
    Some(if only_recommended && !holds { refused(text, &heard).contains(&false) } else { !heard.is_empty() })
}

/// Whether it asks for anything that catalogs may want.
pub(super) fn asks_for_any(text: &str) -> bool {
    let known = ACTIONS.iter().map(|action| action.names[0].to_owned());
    let tests = MARKERS.iter().map(|(marker, _)| format!("{marker} testing"));
    known.chain(tests).any(|wanted| asks_for(text, &wanted, false, true) == Some(true))
}

/// `egfr testing` → its names.
fn tested(wanted: &str) -> Option<Vec<&str>> {
    let marker = wanted.strip_suffix(" testing").or_else(|| wanted.strip_suffix(" test"))?.trim();
    let known = MARKERS.iter().find(|(name, _)| *name == marker);
    Some(known.map_or_else(|| vec![marker], |(_, names)| names.to_vec()))
}

fn thoughts(text: &str) -> impl Iterator<Item = Range<usize>> {
    let ends = CUES.end.find_iter(text).map(|found| found.range()).chain(std::iter::once(text.len()..text.len()));
    ends.scan(0, |start, end| {
        let thought = *start..end.start;
        *start = end.end;
        Some(thought)
    })
}

impl Action {
    fn place(&self, text: &str, thought: Range<usize>) -> Option<Range<usize>> {
        let said = CUES.cancelled.replace_all(&text[thought.clone()], |found: &regex::Captures<'_>| match self.holds {
            true => " ".repeat(found[0].len()),
            false => found[0].to_owned(),
        });
        let is_other = self.unless.as_ref().is_some_and(|it| it.is_match(&said));
        let places: Option<Vec<Range<usize>>> =
            self.heard.iter().map(|it| it.find(&said).map(|it| it.range())).collect();
        let first = places.filter(|_| !is_other)?.into_iter().next()?;
        Some(thought.start + first.start..thought.start + first.end)
    }
}

/// A test of the marker that is to be made or waited for, and not one whose result is told.
fn test_of(text: &str, thought: Range<usize>, markers: &[&str], named_drug: bool) -> Option<Range<usize>> {
    let said = &text[thought.clone()];
    let place = markers
        .iter()
        .find_map(|name| super::treatments::names_at(said, name).into_iter().next().map(|at| at..at + name.len()))?;
    let is_ordered = CUES.order.is_match(said);
    let is_known = CUES.known.is_match(said) || named_drug;
    (CUES.test.is_match(said) && (is_ordered || !is_known))
        .then(|| thought.start + place.start..thought.start + place.end)
}
