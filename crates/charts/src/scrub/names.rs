//! Names of the patient behind a label, and words that are names and medicine at once.

use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Surnames that medicine uses for other things.
const EPONYMS: &[&str] = &[
    "barrett",
    "bethesda",
    "binet",
    "breslow",
    "burkitt",
    "child",
    "clark",
    "crohn",
    "ewing",
    "foley",
    "fuhrman",
    "gleason",
    "graves",
    "hartmann",
    "hodgkin",
    "kaposi",
    "karnofsky",
    "lynch",
    "merkel",
    "mohs",
    "nottingham",
    "paget",
    "pancoast",
    "parkinson",
    "port",
    "pugh",
    "rai",
    "raynaud",
    "sister",
    "virchow",
    "whipple",
    "wilms",
];

/// Names that are words as well: written small they stay.
const WORDS: &[&str] = &[
    "alba",
    "amber",
    "april",
    "art",
    "ash",
    "august",
    "autumn",
    "back",
    "bacon",
    "baker",
    "banks",
    "bay",
    "bean",
    "bell",
    "berry",
    "best",
    "bill",
    "bird",
    "bishop",
    "black",
    "blue",
    "bone",
    "bones",
    "book",
    "bowel",
    "boy",
    "brook",
    "brown",
    "bud",
    "burns",
    "burn",
    "bush",
    "butcher",
    "butler",
    "bypass",
    "cancer",
    "carol",
    "carter",
    "case",
    "cash",
    "cell",
    "chance",
    "charity",
    "chase",
    "cherry",
    "chin",
    "christian",
    "church",
    "cliff",
    "colon",
    "constant",
    "cook",
    "cord",
    "cough",
    "cross",
    "crystal",
    "dale",
    "daisy",
    "dawn",
    "day",
    "days",
    "dean",
    "del",
    "don",
    "dose",
    "drew",
    "drinkwater",
    "dusty",
    "dye",
    "early",
    "english",
    "eve",
    "faith",
    "farmer",
    "field",
    "fields",
    "fish",
    "fisher",
    "flower",
    "flowers",
    "foot",
    "forest",
    "fox",
    "frank",
    "free",
    "french",
    "frost",
    "gale",
    "gene",
    "german",
    "ginger",
    "glen",
    "gold",
    "good",
    "grace",
    "grant",
    "gray",
    "green",
    "grey",
    "guy",
    "hall",
    "hand",
    "hands",
    "hardy",
    "hazel",
    "head",
    "heart",
    "heath",
    "herb",
    "high",
    "hill",
    "hills",
    "holiday",
    "hope",
    "house",
    "hunt",
    "hunter",
    "iris",
    "ivy",
    "jade",
    "joy",
    "june",
    "king",
    "kidney",
    "knee",
    "knight",
    "lake",
    "lamb",
    "lane",
    "large",
    "law",
    "legg",
    "lily",
    "little",
    "liver",
    "long",
    "love",
    "low",
    "lung",
    "major",
    "marina",
    "mark",
    "marks",
    "marrow",
    "marsh",
    "mason",
    "max",
    "may",
    "mild",
    "miles",
    "min",
    "minor",
    "mole",
    "moles",
    "moody",
    "moon",
    "neck",
    "new",
    "nurse",
    "noble",
    "nose",
    "olive",
    "page",
    "pain",
    "palm",
    "park",
    "parks",
    "pat",
    "patch",
    "patience",
    "pearl",
    "penny",
    "pepper",
    "plan",
    "pool",
    "pope",
    "potter",
    "power",
    "price",
    "prime",
    "race",
    "rash",
    "ray",
    "read",
    "reason",
    "reed",
    "rice",
    "rich",
    "rivers",
    "robin",
    "rock",
    "rod",
    "root",
    "rose",
    "ruby",
    "rusty",
    "sage",
    "salt",
    "sandy",
    "savage",
    "scan",
    "self",
    "sharp",
    "shin",
    "short",
    "shy",
    "silver",
    "skin",
    "small",
    "snow",
    "sores",
    "spring",
    "stage",
    "stamp",
    "sterling",
    "stone",
    "storm",
    "street",
    "strong",
    "sue",
    "summer",
    "summers",
    "swift",
    "tan",
    "taylor",
    "thin",
    "town",
    "tumor",
    "vein",
    "victor",
    "violet",
    "wall",
    "walls",
    "ward",
    "waters",
    "weaver",
    "weeks",
    "well",
    "wells",
    "white",
    "wild",
    "will",
    "wing",
    "winter",
    "winters",
    "wise",
    "wolf",
    "wood",
    "woods",
    "worth",
    "young",
];

/// What stands between the names of one person and is none of them.
const PARTICLES: &[&str] = &["van", "von", "der", "den", "del", "dos", "bin", "ibn", "abu", "ter", "ten", "the", "and"];

/// What follows a name on its line, or a label that no name follows.
const AFTER: &[&str] = &[
    "acute",
    "adenocarcinoma",
    "admission",
    "admits",
    "admitted",
    "address",
    "advanced",
    "advised",
    "age",
    "aged",
    "agreed",
    "agrees",
    "alert",
    "allergies",
    "and",
    "at",
    "account",
    "attending",
    "awake",
    "birth",
    "born",
    "breast",
    "cancer",
    "carcinoma",
    "chest",
    "chronic",
    "clinic",
    "colorectal",
    "complains",
    "complaint",
    "confirmed",
    "consultant",
    "continue",
    "continues",
    "currently",
    "date",
    "deceased",
    "denied",
    "denies",
    "diagnosis",
    "discharge",
    "discharged",
    "dob",
    "doctor",
    "doing",
    "education",
    "email",
    "e-mail",
    "encounter",
    "ethnicity",
    "feels",
    "female",
    "first",
    "for",
    "gender",
    "has",
    "height",
    "here",
    "history",
    "hosp",
    "hospital",
    "id",
    "in",
    "informed",
    "instructed",
    "instructions",
    "is",
    "known",
    "language",
    "last",
    "leukemia",
    "lung",
    "lymphoma",
    "male",
    "md",
    "medical",
    "medications",
    "melanoma",
    "metastatic",
    "mobile",
    "mrn",
    "myeloma",
    "name",
    "new",
    "nhs",
    "no",
    "not",
    "number",
    "of",
    "on",
    "oncology",
    "oriented",
    "ovarian",
    "pancreatic",
    "patient",
    "phone",
    "physician",
    "plan",
    "please",
    "presented",
    "presents",
    "prostate",
    "provider",
    "race",
    "record",
    "recurrent",
    "referred",
    "referring",
    "relapsed",
    "renal",
    "report",
    "reported",
    "reports",
    "resting",
    "results",
    "return",
    "rn",
    "see",
    "seen",
    "sex",
    "ssn",
    "stable",
    "stage",
    "stated",
    "states",
    "status",
    "surgery",
    "tel",
    "the",
    "today",
    "tolerated",
    "understands",
    "unit",
    "unknown",
    "verbalized",
    "verified",
    "visit",
    "ward",
    "was",
    "weight",
    "with",
];

/// `Patient name: Hargrove, Eleanor M.`, `PATIENT: HARGROVE,ELEANOR M`, `Pt: Eleanor Hargrove`; PT is physiotherapy and a clotting time.
static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    let patient =
        r"patient(?:['’]?s)?[^\S\n]+(?:full[^\S\n]+|legal[^\S\n]+)?name|name[^\S\n]+of[^\S\n]+(?:the[^\S\n]+)?patient";
    let sure = r"(?:full|legal|former|maiden|preferred|first|last|middle|family|given)[^\S\n]+names?|surname|forenames?|next[^\S\n]+of[^\S\n]+kin";
    let label = format!(
        r"(?:\b(?i:{patient})[^\S\n]*[:=]?|(?:\b(?i:{sure})|(?:^|[.;|,(])[^\S\n]*(?i:name)|\b(?P<loose>(?i:patient)|[Pp]t))[^\S\n]*(?:\([^)\n]{{0,40}}\)[^\S\n]*)?[:=])"
    );
    let word = r"(?:(?:van|von|der|den|de|del|da|di|dos|du|la|le|el|al|bin|ibn|ter|ten)[^\S\n]+){0,2}(?:\p{Lu}\.|\p{Lu}[\w'’-]*)";
    let title = r"(?:(?i:mrs|mr|ms|miss|mx|dr|prof)\b\.?[^\S\n]+)?";
    let text = format!(r"(?m){label}[^\S\n]*{title}(?P<name>{word}(?:(?:[^\S\n]*,[^\S\n]*|[^\S\n]+){word}){{0,4}})");
    Regex::new(&text).expect("a constant")
});

static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\p{L}[\w'’-]*\.?").expect("a constant"));

/// What makes a term of the name before it: `Graves' disease`, `White blood cells`, `Child-Pugh`, `Gleason 7`.
static TERM: LazyLock<Regex> = LazyLock::new(|| {
    let nouns = r"disease|syndrome|sign|score|grade|grading|stage|staging|level|index|scale|criteria|classification|system|lymphoma|sarcoma|carcinoma|adenocarcinoma|cancer|tumou?r|polyps?|nodes?|nodules?|blood|cells?|count|matter|ophthalmopathy|orbitopathy|dermopathy|thyrotoxicosis|hyperthyroidism|procedure|operation|resection|catheter|o?esophagus|ulcer|contracture|thickness|pouch|adults?|wom[ae]n|m[ae]n|males?|females?|patient|race|british|american|skin|tissue|bone|pain|fever|lung|days?|dose|term|acting|standing|rays?|mutations?|panel|expression|test(?:ing)?";
    Regex::new(&format!(r"^(?:['’]s?)?(?:-|[^\S\n]+(?:(?i:{nouns})\b|\d|[A-D]\b))")).expect("a constant")
});

/// `White 03/09/2024` is signed; `Gleason 7` and `May 12` are terms.
static SIGNED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[^\S\n]+\d{1,4}[-/.]\d{1,2}[-/.]\d").expect("a constant"));

/// Where the texts name the patient behind a label, surname first or last.
pub(super) fn labelled(text: &str) -> Vec<Range<usize>> {
    let named = LABELLED.captures_iter(text).filter_map(|found| {
        let name = found.name("name")?;
        let length = length_of_name(name.as_str(), found.name("loose").is_some())?;
        Some(name.start()..name.start() + length)
    });
    named.collect()
}

/// How much of a run of capitalised words is one name. Behind `Patient:` stands much else, so there one word alone is none.
fn length_of_name(run: &str, loose: bool) -> Option<usize> {
    let (mut length, mut words, mut commas) = (0, 0, 0);
    for word in WORD.find_iter(run) {
        let comma = run[length..word.start()].contains(',');
        commas += usize::from(comma);
        // One comma divides the surname from the rest; behind a whole name comes something else.
        let over = commas > 1 || (comma && words > if loose { 1 } else { 2 });
        let plain = word.as_str().trim_end_matches('.').to_lowercase();
        if over || AFTER.contains(&plain.as_str()) {
            break;
        }
        length = word.end();
        words += usize::from(word.as_str().starts_with(char::is_uppercase));
    }
    (words > usize::from(loose)).then_some(length)
}

pub(super) fn is_eponym(word: &str) -> bool {
    EPONYMS.contains(&word.to_lowercase().as_str())
}

/// Whether a name is to be looked for with a capital only.
pub(super) fn is_word(word: &str) -> bool {
    WORDS.contains(&word.to_lowercase().as_str())
}

pub(super) fn is_particle(word: &str) -> bool {
    PARTICLES.contains(&word.to_lowercase().as_str())
}

/// Whether a name that is a word as well is a word here: part of a term, or the answer to a question of race.
pub(super) fn is_term(text: &str, range: &Range<usize>) -> bool {
    let is_space = |letter: char| letter != '\n' && letter.is_whitespace();
    let asked = text[..range.start].trim_end_matches(is_space).trim_end_matches(':');
    let after = &text[range.end..];
    let is_part = TERM.is_match(after) && !SIGNED.is_match(after);
    is_part || ends_with_word(asked, "race") || ends_with_word(asked, "ethnicity")
}

/// In any case. Grace is no question of race.
fn ends_with_word(text: &str, word: &str) -> bool {
    let Some(start) = text.len().checked_sub(word.len()) else { return false };
    let is_there = text.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(word));
    is_there && !text[..start].ends_with(char::is_alphanumeric)
}

/// `Graves` and `GRAVES`.
pub(super) fn capitalised(word: &str) -> [String; 2] {
    let mut letters = word.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    [first + &letters.as_str().to_lowercase(), word.to_uppercase()]
}
