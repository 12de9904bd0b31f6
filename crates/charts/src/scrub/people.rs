//! Names of other people: behind a title, before a credential, behind a label.

use super::{relatives, words};
use regex::{Match, Regex};
use std::ops::Range;
use std::sync::LazyLock;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns are constants and the tests compile them all")
}

/// One or two capitalised words, an initial between them: `Jane Q. Doe`, `van den Berg`, `Seán Ó Briain`. A lone O behind the first is a blood group.
const PERSON: &str = r"(?P<name>(?:(?:van|von|der|den|de|del|da|di|dos|du|la|le|el|al|bin|ibn|ter|ten|[OÓ])[^\S\n]+){0,3}\p{Lu}[\w'’-]+(?:[^\S\n]+[A-Z]\.)?(?:[^\S\n]+(?:(?:van|von|der|den|de|del|da|di|dos|du|la|le|el|al|bin|ibn|ter|ten|Van|Von|De|Del|La|Al|El|Bin|Di|Da|Mac|Ní|Nic|Ó)[^\S\n]+){0,3}\p{Lu}[\w'’-]+)?)";

/// Between a title and a name: `Dr. med. Schmidt`, `Prof. Dr. med. von Humboldt`.
const DEGREES: &str = r"(?:(?:Dr|[Mm]ed|[Pp]hil|rer|nat|med|[Dd]ent|vet|habil|univ|h\.[^\S\n]?c)\.[^\S\n]*){1,5}";

/// `Dr. Miller`, `Mrs Jane Doe`; MR and MS are a scan and a disease, so those are not read in capitals. `Dr J Miller` needs its title in small letters.
static TITLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"\b(?:(?:[Dd]r|DR|Drs|Mr|Mrs|Ms|Miss|Prof|Doctor|Professor)\.?[^\S\n]+(?:{DEGREES})?(?:(?:\p{{Lu}}\.[^\S\n]*){{1,3}})?|(?:Dr|Mr|Mrs|Ms|Prof|Doctor|Professor)\.?[^\S\n]+(?:[\p{{Lu}}--[OÓ]][^\S\n]+){{1,2}}){PERSON}"
    ))
});

/// `MR. SMITH`, with its dot.
static IN_CAPITALS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bMRS?\.[^\S\n]+(?:[A-Z]\.[^\S\n]*)?(?P<name>\p{Lu}[\p{Lu}'’-]+)\b"));

/// `Drs. Smith, Miller and Jones`
static SEVERAL: LazyLock<Regex> = LazyLock::new(|| {
    let word = r"\p{Lu}[\w'’-]+";
    pattern(&format!(r"\bDrs\.?[^\S\n]+(?P<names>{word}(?:,[^\S\n]+{word}){{0,4}},?[^\S\n]+(?:and|&)[^\S\n]+{word})"))
});

/// `Olivia Davis, PA`, `Brian M. Harrison, RN`
static CLINICIAN: LazyLock<Regex> = LazyLock::new(|| {
    let clear = r"M\.?D|PA-C|PharmD|Ph\.?D|MBBS|FRCS|FRCR|FACS|LCSW|DPT";
    let nurse = r"C?NP|FNP(?:-BC)?|APRN|R\.?N|BSN|LPN";
    let unclear = r"D\.?O|PA|RD";
    let name = r"\p{Lu}[\w'’-]+(?:[^\S\n]+\p{Lu}\.?)?(?:[^\S\n]+\p{Lu}[\w'’-]+){1,2}";
    pattern(&format!(
        r"\b(?P<name>{name})(?:,[^\S\n]+(?:{clear}|{nurse}|{unclear})|[^\S\n]+(?:{clear}|(?P<nurse>{nurse})|(?P<bare>{unclear})))\b"
    ))
});

/// Behind PA and DO: `XR CHEST, PA AND LATERAL`, `DO NOT RESUSCITATE`.
static NO_CREDENTIAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^[^\S\n]*(?:,|and|&|/|or|\+)?[^\S\n]*(?:lat(?:eral)?|AP|views?|projections?|oblique|not|catheter|pressure)\b",
    )
});

/// `Signed by Jane Doe`, `Attending physician: Jane Doe`, `Resident Jane Doe`; a resident in small letters lives somewhere.
static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    let service = r"[a-z]+ology|surgery|medicine|nursing|nurse|practitioner|pharmacist|staff|chief|senior";
    let kin = words::kin();
    let by = format!(r"(?P<by>(?:signed|dictated|reviewed|authored)[^\S\n]+by(?:[^\S\n]+(?:{service}|{kin})){{0,2}})");
    let label = r"provider|attending|surgeon|pathologist|radiologist|referring physician";
    let ranks = r"resident|fellow|consultant|intern|registrar|house[^\S\n]+officer|hospitalist|intensivist|(?:physician|medical)[^\S\n]+assistant|nurse|midwife|pharmacist|dietiti[ac]n|therapist|technician|paramedic|social[^\S\n]+worker|case[^\S\n]+manager|medical[^\S\n]+student|chaplain";
    let rank = format!("(?P<rank>{ranks}|(?-i:C?RN|C?NP|PA(?:-C)?|LPN|CRNA|APRN|SHO))");
    let further = r"physician|provider|surgeon|doctor|md|name|attending|resident|fellow|consultant|intern|registrar|hospitalist|intensivist|practitioner|navigator|coordinator|manager|specialist|an(?:a)?esthetist|assistant|midwife|student|c?rn|c?np|pa(?:-c)?|lpn|crna|aprn|[a-z]+ologist";
    pattern(&format!(
        r"(?i:\b(?:{by}|{label}|{rank})(?:[^\S\n]+(?:{further})){{0,2}}\b)(?:[^\S\n]*(?P<colon>:)[^\S\n]*|[^\S\n]+)(?P<initials>(?:\p{{Lu}}\.[^\S\n]*){{1,3}})?{PERSON}"
    ))
});

static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\w'’-]+\.?"));

/// Where a text names people who are not the patient.
pub(super) fn named(text: &str) -> Vec<Range<usize>> {
    let mut people = relatives::named(text);
    for found in TITLED.captures_iter(text) {
        people.extend(found.name("name").and_then(|name| name_in(name.range(), text, words::is_untitled)));
    }
    for found in IN_CAPITALS.captures_iter(text) {
        // MR. is a scan at the end of a sentence too; MRS. is none.
        let is_scan = |name: &str| !found[0].starts_with("MRS") && words::is_word(name);
        let name = found.name("name").filter(|name| !is_scan(name.as_str()) && !is_no_name(name.as_str()));
        people.extend(name.map(|name| name.range()));
    }
    for names in SEVERAL.captures_iter(text).filter_map(|found| found.name("names")) {
        let words = WORD.find_iter(names.as_str()).filter(|word| word.as_str() != "and" && !is_no_name(word.as_str()));
        people.extend(words.map(|word| names.start() + word.start()..names.start() + word.end()));
    }
    for found in LABELLED.captures_iter(text) {
        let Some(name) = found.name("name") else { continue };
        if let Some(initials) = found.name("initials") {
            let is_person = !is_listed(initials.as_str(), name.as_str());
            people.extend(is_person.then(|| name_in(name.range(), text, is_no_name)).flatten());
            continue;
        }
        let said = found.name("by").is_some() || found.name("colon").is_some();
        let is_told = || found.name("colon").is_some() || is_told_of(text, found.get(0), name.end());
        // In small letters a resident lives somewhere, and a nurse is many.
        let is_small = |rank: Match<'_>| rank.as_str().starts_with(char::is_lowercase);
        let is_other = is_office(name.as_str(), &text[name.end()..])
            || (!said && may_be_other(name.as_str()))
            || found
                .name("rank")
                .is_some_and(|rank| !is_whole(name.as_str(), is_told) || (is_small(rank) && !is_told()));
        if !is_other {
            let is_no_name = if found.name("by").is_some() { is_no_signer } else { is_no_name };
            people.extend(name_in(name.range(), text, is_no_name));
        }
    }
    for found in CLINICIAN.captures_iter(text) {
        let end = found.get(0).map_or(0, |found| found.end());
        let Some(name) = found.name("name") else { continue };
        let unlike = |word: &str| words::is_word(word) || is_no_name(word) || !word.contains(char::is_lowercase);
        let is_view = NO_CREDENTIAL.is_match(&text[end..]);
        let words = || name.as_str().split_whitespace();
        let is_other = (found.name("bare").is_some() && words().any(unlike))
            || (found.name("nurse").is_some() && is_service(name.as_str()));
        if !is_view && !is_other {
            people.extend(name_in(name.range(), text, is_no_name));
        }
    }
    people
}

/// `Surgeon: A. Left breast`, `Attending A. Fibrillation`; `G. Young` is a person.
fn is_listed(initials: &str, name: &str) -> bool {
    let first = name.split_whitespace().next().unwrap_or_default();
    let is_item = initials.trim_end().len() == "A.".len() && initials.starts_with(|it| ('A'..='F').contains(&it));
    let is_clinical = words::is_of_findings(first) || words::is_of_science(first) || words::is_of_headings(first);
    let is_plain = words::is_word(first) || is_clinical || words::is_kin(first);
    is_no_surname(first) || is_clinical || (is_item && is_plain) || OF_BODIES.is_match(first)
}

/// Behind one letter: `R. Hip`, `T. Cell`, `E. Coli`.
static OF_BODIES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:hip|knee|shoulder|ankle|wrist|elbow|foot|hand|arm|leg|breast|lung|kidney|ovary|tube|lobe|colon|neck|chest|back|flank|groin|eye|ear|thigh|heel|cells?|lymph|nodes?|coli|aureus|pylori|albicans|fumigatus|f[ae]*calis|f[ae]*cium|difficile|diff|oxytoca|pneumoniae|aeruginosa|mirabilis|pyogenes|vulgaris|meningitidis|gonorrhoeae|burgdorferi|zoster|influenzae|flu|dimer|bili|tach|fib|fluids?|total|casei)$",
    )
});

/// From the first word that can be a name to the next that cannot. `Miller Ó` ends before its particle.
fn name_in(run: Range<usize>, text: &str, is_no_name_first: fn(&str) -> bool) -> Option<Range<usize>> {
    let words: Vec<_> = WORD.find_iter(&text[run.clone()]).collect();
    let first = words.iter().position(|word| !is_no_name_first(word.as_str()))?;
    let further = words[first + 1..].iter().take_while(|word| !is_no_name(word.as_str()));
    let is_rest = |word: &str| word.starts_with(char::is_lowercase) || word.chars().count() == 1;
    let last = std::iter::once(&words[first]).chain(further).filter(|word| !is_rest(word.as_str())).last()?;
    Some(run.start + words[first].start()..run.start + last.end())
}

/// `Wound Care RN` and `Night Shift RN` are no nurse's name; `Nurse Jane Baker RN` and `Jack White RN` are.
fn is_service(run: &str) -> bool {
    const SHIFTS: [&str; 6] = ["wound", "night", "day", "shift", "clinic", "charge"];
    let is_of_one = |word: &str| is_no_name(word) || SHIFTS.contains(&word.to_lowercase().as_str());
    run.split_whitespace().skip_while(|word| is_no_name(word)).any(is_of_one)
}

/// Behind a label without its colon: `Surgeon Case Review`; `Attending Jane Ward`, `Attending Grace Young` and `Surgeon Mark Ruiz` are people.
fn may_be_other(name: &str) -> bool {
    let is_plain = |word: &str| words::is_word(word) || is_no_name(word);
    let mut words = name.split_whitespace();
    match (words.next(), words.next()) {
        (Some(first), Some(second)) if words::is_given(first) && words::is_word(first) => is_no_surname(second),
        (Some(first), second) => is_no_name(first) || words::is_word(first) && second.is_none_or(is_plain),
        _ => true,
    }
}

/// Behind a rank stands much else in capitals: `Resident Interval History`, `Resident Influenza Vaccine`. A first name that we know is a
/// person's, another one only where a person must be meant.
fn is_whole(name: &str, is_person: impl Fn() -> bool) -> bool {
    let is_unlike = |word: &str| {
        let is_known = words::is_word(word) || words::is_eponym(word) || words::is_of_headings(word);
        is_no_name(word) || is_known || !word.contains(char::is_lowercase)
    };
    let is_service = |word: &str| {
        is_no_surname(word)
            || words::is_office(word)
            || words::is_of_headings(word)
            || !word.contains(char::is_lowercase)
    };
    let mut words = name.split_whitespace().filter(|word| !word.ends_with('.'));
    match (words.next(), words.next()) {
        (Some(first), Some(last)) if words::is_given(first) => !is_no_surname(last),
        // A surname may be an everyday word: `Kwame Baker`.
        (Some(first), Some(last)) => !is_unlike(first) && !is_service(last) && is_person(),
        _ => false,
    }
}

/// Before a rank: `seen with Resident Kwame Mensah`
static WITH: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:with|by|per|and|to|from)[^\S\n]+(?:the[^\S\n]+|our[^\S\n]+)?$"));

/// Behind a name: `Resident Kwame Mensah agrees`
static ACTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:,[^\S\n]*|[^\S\n]+)(?:who[^\S\n]+)?(?:agree[sd]?|presented|saw|sees|examined|evaluated|discussed|called|paged|notified|informed|aware|wrote|dictated|signed|performed|assisted|supervised|will[^\S\n]+(?:see|follow|review|discuss|call)|recommend(?:s|ed)|(?:is|was)[^\S\n]+(?:present|aware|notified|informed|paged|called))\b",
    )
});

fn is_told_of(text: &str, label: Option<Match<'_>>, end: usize) -> bool {
    let before = label.map_or("", |label| &text[..label.start()]);
    let near = before.char_indices().rev().nth(16).map_or(before, |(at, _)| &before[at..]);
    WITH.is_match(near) || ACTS.is_match(&text[end..])
}

/// `Attending Grace Hospital`; a Grace Ward is somebody.
fn is_no_surname(word: &str) -> bool {
    let is_ward = words::may_be_surname(word) && !words::is_opener(word);
    words::is_untitled(word) || words::is_of_science(word) || (words::is_never_a_name(word) && !is_ward)
}

/// `Quality Assurance`, `Blood Bank`, `Breast Cancer`, `Bone Marrow Service`; not `Jane Records`, nor `Olu Bank`.
fn is_office(name: &str, after: &str) -> bool {
    let is_never = |word: &str| words::is_untitled(word) || !words::may_be_surname(word);
    let is_plain = |word: &str| words::is_word(word) || is_no_name(word) || words::is_of_headings(word);
    let mut words = name.split_whitespace();
    match (words.next(), words.next()) {
        (Some(first), Some(second)) if !words::is_given(first) => {
            let ends_office = words::is_office(second) && (is_plain(first) || !words::is_word(second));
            let third = WORD.find(after).filter(|word| after[..word.start()].chars().all(|it| it == ' '));
            let goes_on = third.is_some_and(|word| words::is_office(word.as_str().trim_end_matches('.')));
            ends_office
                || (goes_on && is_plain(first))
                || words::is_deed(second)
                || (is_never(first) && is_never(second))
        }
        _ => false,
    }
}

/// `Signed by Daughter`
fn is_no_signer(word: &str) -> bool {
    is_no_name(word) || words::is_kin(word)
}

/// `Dr. Jane Ward` is one; a new patient is none of Dr. Miller's names.
fn is_no_name(word: &str) -> bool {
    words::is_untitled(word)
        || words::is_of_science(word)
        || (words::is_never_a_name(word) && (words::is_opener(word) || !words::is_word(word)))
}
