//! Which of the treatments that a recommendation names it is not, or were given before: "platinum-resistant", "after progression on A and B".

use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// For each of the places, in their order, whether it is one of those. `text` is in lower case.
pub(super) fn past(text: &str, places: &[Range<usize>]) -> Vec<bool> {
    let mut past: Vec<bool> = places.iter().map(|at| is_qualified(text, at)).collect();
    for it in 0..places.len() {
        let before = &text[..places[it].start];
        if is_told_before(before) {
            let leads = (0..it).any(|other| !past[other]);
            past[it..=last_of_row(text, places, it, leads)].fill(true);
        }
        if is_told_behind(text, &places[it]) {
            past[first_of_row(text, places, it)..=it].fill(true);
        }
    }
    past
}

/// "anthracycline-free", "cisplatin-ineligible", "non-platinum": what it is not.
fn is_qualified(text: &str, at: &Range<usize>) -> bool {
    const AFTER: [&str; 9] =
        ["free", "sparing", "resistant", "refractory", "naive", "ineligible", "unfit", "intolerant", "pretreated"];
    let rest = text[at.end..].trim_start_matches(['-', ' ']);
    text[..at.start].ends_with("non-") || AFTER.iter().any(|word| rest.starts_with(word))
}

/// "after progression on", "prior", "post-"; not "continue the prior".
fn is_told_before(before: &str) -> bool {
    static PAST: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?x) \b (?: (?:progress\w*|relaps\w*|fail\w*)\s+(?:on|of|after|under) | (?:refractory|resistan\w+)\s+to | failed | failing | (?P<was>prior|previous) )
                \s+ (?:(?:prior|previous|first-line|both|the|an?)\s+)* $
            | \b post[-\ ] $",
        )
    });
    static GOES_ON: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:continu\w*|resum\w*|re-?start\w*|re-?challeng\w*|re-?introduc\w*|maint\w+|keep\w*)\s+(?:(?:with|on|to|the|an?|his|her|their)\s+)*$",
        )
    });
    PAST.captures(before)
        .is_some_and(|found| found.name("was").is_none_or(|was| !GOES_ON.is_match(&before[..was.start()])))
}

/// "abiraterone failure"; not "until abiraterone failure".
fn is_told_behind(text: &str, at: &Range<usize>) -> bool {
    // One sign only: behind a dash between blanks stands the reason, "docetaxel - progression on abiraterone".
    let rest = text[at.end..].strip_prefix(['-', ' ']).unwrap_or_default();
    let rest = rest.strip_prefix("has ").unwrap_or(rest);
    let fails = ["fail", "progression", "progressed"].iter().any(|word| rest.starts_with(word));
    fails && !text[..at.start].trim_end().ends_with("until")
}

/// Between treatments that failed together.
static JOINED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^[\s)]*(?:(?:therapy|treatment)\b)?[\s(]*(?:[/+&-]|(?P<comma>,)|,?\s*(?:and|or|nor|plus|such as|including|like|(?P<with>with))\b)?\s*(?:(?:both|the|prior|previous)\s+)?$",
    )
});

/// "on A, B and C". What stands behind a comma or "with" is what is to be given, where nothing is recommended before: "after progression
/// on A, B and C".
fn last_of_row(text: &str, places: &[Range<usize>], first: usize, leads: bool) -> usize {
    let mut last = first;
    for next in first + 1..places.len() {
        let gap = &text[places[next - 1].end..places[next].start];
        let Some(joined) = JOINED.captures(gap) else { break };
        // "post-mastectomy radiotherapy", "after progression on osimertinib - carboplatin"
        if gap.trim().is_empty() || gap.contains(" - ") {
            break;
        }
        // A bracket that was open before the row ends it.
        let row = &text[places[first].end..places[next].start];
        if row.matches(')').count() > row.matches('(').count() {
            break;
        }
        let is_loose = joined.name("comma").or(joined.name("with")).is_some();
        if is_loose && !leads {
            break;
        }
        if joined.name("comma").is_none() {
            last = next;
        }
    }
    last
}

/// "after A and B failure"; without that word only B failed.
fn first_of_row(text: &str, places: &[Range<usize>], last: usize) -> usize {
    static AFTER: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"\b(?:after|following|upon|despite|given)\s+(?:both\s+)?$"));
    let mut first = last;
    while first > 0 && JOINED.is_match(&text[places[first - 1].end..places[first].start]) {
        first -= 1;
        if AFTER.is_match(&text[..places[first].start]) {
            return first;
        }
    }
    last
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant")
}

#[cfg(test)]
mod tests {
    use super::super::treatments::tests::check_left_out;

    #[test]
    fn what_failed_is_left_out_with_all_that_failed_with_it() {
        const BOTH: [&str; 2] = ["abiraterone", "enzalutamide"];
        for text in [
            "Docetaxel after progression on enzalutamide and abiraterone",
            "Docetaxel after progression on both abiraterone and enzalutamide",
            "Docetaxel (prior abiraterone/enzalutamide)",
            "Docetaxel, refractory to abiraterone + enzalutamide",
            "After progression on enzalutamide and abiraterone, docetaxel",
            "After abiraterone and enzalutamide failure: docetaxel",
            "Failed abiraterone and enzalutamide; docetaxel",
        ] {
            check_left_out(text, &BOTH, &["docetaxel"]);
        }
        for text in [
            "Ramucirumab-paclitaxel after progression on FOLFOX plus trastuzumab",
            "Ramucirumab and paclitaxel after progression on FOLFOX with trastuzumab",
            "Paclitaxel/ramucirumab (prior FOLFOX-trastuzumab)",
        ] {
            check_left_out(text, &["FOLFOX", "trastuzumab"], &["paclitaxel", "ramucirumab"]);
        }
        check_left_out(
            "Cabazitaxel after progression on abiraterone, enzalutamide and docetaxel",
            &["abiraterone", "enzalutamide", "docetaxel"],
            &["cabazitaxel"],
        );
        for text in [
            "After abiraterone failure docetaxel",
            "Docetaxel post-abiraterone",
            "Docetaxel after failed abiraterone",
            "Abiraterone progression: docetaxel",
        ] {
            check_left_out(text, &["abiraterone"], &["docetaxel"]);
        }
    }

    #[test]
    fn what_is_given_for_what_failed_is_recommended() {
        const NEW: [&str; 2] = ["carboplatin", "pemetrexed"];
        check_left_out("After progression on osimertinib, carboplatin and pemetrexed", &["osimertinib"], &NEW);
        check_left_out("Carboplatin (prior osimertinib) and pemetrexed", &["osimertinib"], &NEW);
        check_left_out("After osimertinib failure: carboplatin, pemetrexed", &["osimertinib"], &NEW);
        check_left_out("Carboplatin after progression on osimertinib, add pemetrexed", &["osimertinib"], &NEW);
        check_left_out("Abiraterone until progression", &[], &["abiraterone"]);
    }

    #[test]
    fn what_stands_behind_an_operation_or_a_dash_is_recommended() {
        check_left_out("Post-ASCT lenalidomide maintenance", &[], &["lenalidomide"]);
        check_left_out("Post-cystectomy nivolumab", &[], &["nivolumab"]);
        check_left_out(
            "After progression on osimertinib - carboplatin and pemetrexed",
            &["osimertinib"],
            &["carboplatin", "pemetrexed"],
        );
        check_left_out("Docetaxel - progression on abiraterone", &["abiraterone"], &["docetaxel"]);
        check_left_out("Second-line FOLFIRI - failed FOLFOX", &["FOLFOX"], &["FOLFIRI"]);
        check_left_out("Treat with docetaxel, abiraterone failed", &["abiraterone"], &["docetaxel"]);
    }

    #[test]
    fn what_goes_on_is_recommended_though_it_was_given_before() {
        for (text, drug) in [
            ("Continue previous osimertinib", "osimertinib"),
            ("Resume prior apixaban", "apixaban"),
            ("Continue prior capecitabine", "fluoropyrimidine"),
            ("Rechallenge with prior capecitabine", "capecitabine"),
            ("Maintain the previous trastuzumab", "trastuzumab"),
            ("Restart his previous apixaban", "apixaban"),
        ] {
            check_left_out(text, &[], &[drug]);
        }
        for text in ["Discontinue prior capecitabine", "Do not continue prior capecitabine", "Prior capecitabine"] {
            check_left_out(text, &["capecitabine", "fluoropyrimidine"], &[]);
        }
    }
}
