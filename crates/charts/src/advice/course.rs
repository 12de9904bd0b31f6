//! How earlier treatments went, and what was not tolerated: the drugs in the statements that tell it.

use crate::boards::Formulary;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

#[derive(Default)]
pub(super) struct Course {
    pub failed: BTreeSet<String>,
    pub completed: BTreeSet<String>,
    pub responding: BTreeSet<String>,
    pub allergies: BTreeSet<String>,
}

/// The disease grew, the treatment was completed, it helps, it was not tolerated.
static COURSES: LazyLock<[Regex; 4]> = LazyLock::new(|| {
    let words = [
        r"(?i)progressed|(?:^|[^o]) progression|[(>]\s*progression|\bfailed\b",
        r"(?i)\bcompleted\b",
        r"(?i)responding|response (?:maintained|that|holds)|shrinking",
        r"(?i)allerg",
    ];
    words.map(|text| Regex::new(text).expect("a constant"))
});

/// Drugs in the statements that tell how a treatment went, or of an allergy.
pub(super) fn drugs_by_course(text: &str) -> Course {
    let names = &*NAMES;
    let mut course = Course::default();
    for statement in statements(text) {
        let told = COURSES.each_ref().map(|it| it.is_match(statement));
        if told == [false; 4] {
            continue;
        }
        let drugs = names.in_text(statement);
        let into = match told {
            [_, _, _, true] => &mut course.allergies,
            [true, ..] => &mut course.failed,
            [_, true, ..] => &mut course.completed,
            _ => &mut course.responding,
        };
        into.extend(drugs);
    }
    // A drug the disease later grew on is not one that helps.
    course.responding = &course.responding - &course.failed;
    course
}

/// Lines, and the sentences in them.
fn statements(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split(". "))
}

struct Names {
    pattern: Regex,
    drugs: BTreeMap<String, Vec<String>>,
}

impl Names {
    /// Every drug named, the parts of a regimen included.
    fn in_text(&self, text: &str) -> BTreeSet<String> {
        let named = self.pattern.find_iter(text).filter_map(|found| self.drugs.get(&found.as_str().to_lowercase()));
        named.flatten().cloned().collect()
    }
}

/// Words of an allergy that are no drug of the formulary.
const SUBSTANCES: [&str; 2] = ["polyoxyl castor oil", "alpha-gal"];

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let mut drugs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    if let Ok(formulary) = Formulary::get() {
        let regimens = formulary.treatments().filter(|(_, it)| !it.drugs.is_empty()).map(|(name, _)| name);
        for name in formulary.drugs().map(|(name, _)| name).chain(regimens) {
            let parts: Vec<String> = formulary.drugs_of(name).into_iter().map(str::to_owned).collect();
            for called in formulary.names(name) {
                drugs.entry(called.to_lowercase()).or_insert_with(|| parts.clone());
            }
        }
    }
    for substance in SUBSTANCES {
        drugs.insert(substance.to_owned(), vec![substance.to_owned()]);
    }
    let mut called: Vec<String> = drugs.keys().map(|name| regex::escape(name)).collect();
    // The longest first, so that trastuzumab deruxtecan is not read as trastuzumab.
    called.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let pattern = Regex::new(&format!(r"(?i)\b(?:{})\b", called.join("|"))).expect("the names are escaped");
    Names { pattern, drugs }
});
