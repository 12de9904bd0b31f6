//! Words that say he or she, and what they become.

use crate::words::WordList;
use std::collections::HashMap;
use std::sync::LazyLock;
use waterjar_core::Sex;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pronoun {
    /// he, she
    Subject,
    /// him
    Object,
    /// his: before a noun, or alone
    His,
    /// her: before a noun, or as an object
    Her,
    /// hers
    Alone,
    /// himself, herself
    Reflexive,
}

pub(crate) fn pronoun(word: &str) -> Option<(Pronoun, Sex)> {
    Some(match word {
        "he" | "he's" | "he'd" | "he'll" => (Pronoun::Subject, Sex::M),
        "she" | "she's" | "she'd" | "she'll" => (Pronoun::Subject, Sex::F),
        "him" => (Pronoun::Object, Sex::M),
        "his" => (Pronoun::His, Sex::M),
        "her" => (Pronoun::Her, Sex::F),
        "hers" => (Pronoun::Alone, Sex::F),
        "himself" => (Pronoun::Reflexive, Sex::M),
        "herself" => (Pronoun::Reflexive, Sex::F),
        _ => return None,
    })
}

/// What a noun says of somebody beside the sex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noun {
    /// man, woman, gentleman, lady: may be the patient
    Adult,
    /// boy, girl
    Child,
    /// male, female
    Adjective,
    /// mother, husband, son
    Kin,
    /// widow, widower
    Widowed,
    /// waiter, policewoman: the patient's where the text says that it is
    Job,
    /// Latino, Latina, Filipina: before a noun, or for a person
    Descent,
    /// men, women, boys, girls, males, females
    Plural,
}

pub(crate) struct Gendered {
    pub noun: Noun,
    pub sex: Sex,
    pub other: &'static str,
    /// For children the age decides; see `nouns`.
    pub neutral: &'static str,
}

/// (his word, her word, the neutral word). Where his is the neutral one it tells no sex: `a Filipino woman`.
const PAIRS: [(Noun, &str, &str, &str); 53] = [
    (Noun::Adult, "man", "woman", "person"),
    (Noun::Adult, "gentleman", "lady", "person"),
    (Noun::Child, "boy", "girl", "child"),
    (Noun::Adjective, "male", "female", "person"),
    (Noun::Plural, "men", "women", "people"),
    (Noun::Plural, "gentlemen", "ladies", "people"),
    (Noun::Plural, "boys", "girls", "children"),
    (Noun::Plural, "males", "females", "people"),
    (Noun::Descent, "latino", "latina", "Latin American"),
    (Noun::Descent, "chicano", "chicana", "Mexican American"),
    (Noun::Descent, "filipino", "filipina", "filipino"),
    (Noun::Widowed, "widower", "widow", "widowed person"),
    (Noun::Kin, "father", "mother", "parent"),
    (Noun::Kin, "fathers", "mothers", "parents"),
    (Noun::Kin, "dad", "mom", "parent"),
    (Noun::Kin, "dads", "moms", "parents"),
    (Noun::Kin, "daddy", "mommy", "parent"),
    (Noun::Kin, "stepfather", "stepmother", "stepparent"),
    (Noun::Kin, "grandfather", "grandmother", "grandparent"),
    (Noun::Kin, "grandfathers", "grandmothers", "grandparents"),
    (Noun::Kin, "grandpa", "grandma", "grandparent"),
    (Noun::Kin, "son", "daughter", "child"),
    (Noun::Kin, "sons", "daughters", "children"),
    (Noun::Kin, "stepson", "stepdaughter", "stepchild"),
    (Noun::Kin, "grandson", "granddaughter", "grandchild"),
    (Noun::Kin, "grandsons", "granddaughters", "grandchildren"),
    (Noun::Kin, "brother", "sister", "sibling"),
    (Noun::Kin, "brothers", "sisters", "siblings"),
    (Noun::Kin, "stepbrother", "stepsister", "stepsibling"),
    (Noun::Kin, "husband", "wife", "spouse"),
    (Noun::Kin, "husbands", "wives", "spouses"),
    (Noun::Kin, "boyfriend", "girlfriend", "partner"),
    (Noun::Kin, "boyfriends", "girlfriends", "partners"),
    (Noun::Kin, "uncle", "aunt", "relative"),
    (Noun::Kin, "uncles", "aunts", "relatives"),
    (Noun::Kin, "nephew", "niece", "relative"),
    (Noun::Kin, "nephews", "nieces", "relatives"),
    (Noun::Kin, "godfather", "godmother", "godparent"),
    (Noun::Kin, "fianc\u{e9}", "fianc\u{e9}e", "partner"),
    (Noun::Kin, "groom", "bride", "spouse"),
    (Noun::Kin, "fatherhood", "motherhood", "parenthood"),
    (Noun::Kin, "fatherly", "motherly", "parental"),
    (Noun::Job, "policeman", "policewoman", "officer"),
    (Noun::Job, "waiter", "waitress", "server"),
    (Noun::Job, "househusband", "housewife", "homemaker"),
    (Noun::Job, "businessman", "businesswoman", "businessperson"),
    (Noun::Job, "salesman", "saleswoman", "salesperson"),
    (Noun::Job, "fireman", "firewoman", "firefighter"),
    (Noun::Job, "fisherman", "fisherwoman", "fisher"),
    (Noun::Job, "actor", "actress", "performer"),
    (Noun::Job, "steward", "stewardess", "attendant"),
    (Noun::Job, "chairman", "chairwoman", "chairperson"),
    (Noun::Job, "sportsman", "sportswoman", "athlete"),
];

/// Tells a sex and is in no table: `Sir`, `nun`.
pub(crate) fn tells_a_sex(word: &str) -> bool {
    UNPAIRED.has(stem(word))
}

static UNPAIRED: WordList = WordList::new(
    "sir madam ma'am nun priest monk maid barmaid housemaid cowboy handyman foreman ballerina masseuse sorority \
     fraternity bachelor spinster mailman cameraman serviceman servicewoman guy lad lass bloke chap hubby \
     airman airwoman king queen heiress seamstress hostess",
);

/// Says what somebody is to somebody else: `mother`, `husband's`.
pub fn is_kin(word: &str) -> bool {
    gendered(&word.to_lowercase()).is_some_and(|found| found.noun == Noun::Kin)
}

/// Takes a possessive `'s` along: `boy's` is `boy`.
pub(crate) fn gendered(word: &str) -> Option<Gendered> {
    let &(row, sex) = ROWS.get(stem(word))?;
    let (noun, his, her, neutral) = PAIRS[row];
    Some(Gendered { noun, sex, other: if sex == Sex::M { her } else { his }, neutral })
}

/// Each word's row, and whose word it is.
static ROWS: LazyLock<HashMap<&'static str, (usize, Sex)>> = LazyLock::new(|| {
    let rows = PAIRS.iter().enumerate();
    let words = rows.flat_map(|(row, (_, his, her, neutral))| {
        let his = (his != neutral).then_some((*his, (row, Sex::M)));
        his.into_iter().chain([(*her, (row, Sex::F))])
    });
    words.collect()
});

pub(crate) fn stem(word: &str) -> &str {
    word.strip_suffix("'s").unwrap_or(word)
}

/// Other people whose sex the word does not tell.
pub(crate) fn is_acquaintance(word: &str) -> bool {
    ACQUAINTANCE.has(stem(word))
}

/// Staff: vignettes seldom call them he or she.
pub(crate) fn is_professional(word: &str) -> bool {
    PROFESSIONAL.has(stem(word))
}

static ACQUAINTANCE: WordList = WordList::new(
    "sibling parent parents partner spouse friend roommate neighbor neighbour coworker colleague caregiver caretaker \
     guardian cousin twin teacher boss babysitter classmate bystander child baby infant newborn supervisor teammate \
     coach relative grandparent cellmate stranger",
);

static PROFESSIONAL: WordList = WordList::new(
    "physician doctor nurse surgeon pediatrician paediatrician paramedic officer pharmacist therapist psychiatrist \
     dermatologist cardiologist neurologist gynecologist dentist researcher investigator dr counselor resident intern \
     midwife anesthesiologist orthopedist ophthalmologist",
);
