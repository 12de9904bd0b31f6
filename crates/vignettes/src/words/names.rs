//! Given names in threes: his, hers, and one that tells nothing. Each name stands in one row only, so that a swap can be undone.

use waterjar_core::Sex;

const NAMES: [(&str, &str, &str); 48] = [
    ("John", "Joan", "Jo"),
    ("James", "Jane", "Jamie"),
    ("Robert", "Roberta", "Robin"),
    ("Michael", "Michelle", "Micah"),
    ("William", "Wilma", "Wynn"),
    ("David", "Davina", "Devin"),
    ("Richard", "Rachel", "Reese"),
    ("Joseph", "Josephine", "Joey"),
    ("Thomas", "Tamara", "Taylor"),
    ("Charles", "Charlotte", "Charlie"),
    ("Christopher", "Christina", "Chris"),
    ("Daniel", "Danielle", "Danny"),
    ("Matthew", "Martha", "Marley"),
    ("Anthony", "Antonia", "Ainsley"),
    ("Mark", "Mary", "Morgan"),
    ("Donald", "Donna", "Dana"),
    ("Steven", "Stephanie", "Stevie"),
    ("Paul", "Paula", "Parker"),
    ("Andrew", "Andrea", "Andy"),
    ("Joshua", "Jessica", "Jesse"),
    ("Kenneth", "Karen", "Kendall"),
    ("Kevin", "Katherine", "Kelly"),
    ("Brian", "Brenda", "Blair"),
    ("George", "Georgia", "Gale"),
    ("Edward", "Edith", "Eden"),
    ("Ronald", "Rhonda", "Rowan"),
    ("Timothy", "Tina", "Toby"),
    ("Jason", "Janet", "Jules"),
    ("Jeffrey", "Jennifer", "Jordan"),
    ("Ryan", "Rebecca", "River"),
    ("Jacob", "Julia", "Jude"),
    ("Gary", "Gloria", "Gray"),
    ("Nicholas", "Nicole", "Nicky"),
    ("Eric", "Erica", "Emerson"),
    ("Stephen", "Susan", "Sage"),
    ("Larry", "Laura", "Lane"),
    ("Samuel", "Samantha", "Sam"),
    ("Patrick", "Patricia", "Pat"),
    ("Alexander", "Alexandra", "Alex"),
    ("Carlos", "Carla", "Casey"),
    ("Juan", "Juana", "Jai"),
    ("Mario", "Maria", "Marion"),
    ("Luis", "Luisa", "Lee"),
    ("Ahmed", "Aisha", "Ari"),
    ("Peter", "Petra", "Peyton"),
    ("Henry", "Helen", "Harper"),
    ("Frank", "Frances", "Frankie"),
    ("Victor", "Victoria", "Vic"),
];

pub(crate) struct Name {
    pub sex: Sex,
    pub other: &'static str,
    pub neutral: &'static str,
}

/// As written: `Frank` is a name and `frank` is not.
pub(crate) fn name(written: &str) -> Option<Name> {
    if !written.starts_with(char::is_uppercase) {
        return None;
    }
    NAMES.iter().find_map(|&(his, her, neutral)| {
        let (sex, other) = if written == his {
            (Sex::M, her)
        } else if written == her {
            (Sex::F, his)
        } else {
            return None;
        };
        Some(Name { sex, other, neutral })
    })
}

/// `Jamie`: of either sex.
pub(crate) fn tells_no_sex(written: &str) -> bool {
    NAMES.iter().any(|&(_, _, neutral)| neutral == written)
}
