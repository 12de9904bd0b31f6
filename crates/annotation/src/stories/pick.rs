//! What a rater writes down: `a`, `b`, or the diagnosis in full.

/// One of the two diagnoses of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    A,
    B,
}

impl Pick {
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
        }
    }

    /// `a`, `B)`, or one of the names.
    pub fn read(said: &str, names: &[String; 2]) -> Option<Self> {
        let said = bare(said);
        let is_letter = |pick: &Self| said == pick.as_str();
        let is_name = |pick: &Self| !said.is_empty() && said == bare(&names[*pick as usize]);
        Self::ALL.into_iter().find(is_letter).or_else(|| Self::ALL.into_iter().find(is_name))
    }
}

/// Letters and digits alone, without accents: programs that people write in change quotes, hyphens and spaces, and few type an é.
pub fn bare(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).map(unaccented).collect()
}

fn unaccented(letter: char) -> char {
    match letter {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(said: &str, pick: Option<Pick>) {
        let names = ["Crohn's disease", "Ménière disease"].map(str::to_owned);
        assert_eq!(Pick::read(said, &names), pick, "{said}");
    }

    #[test]
    fn a_letter_or_a_name_is_a_choice_however_it_is_written() {
        for said in ["a", "A", " a) ", "Crohn's disease", "crohn’s  DISEASE"] {
            check(said, Some(Pick::A));
        }
        for said in ["b", "B.", "meniere disease ", "Ménière disease"] {
            check(said, Some(Pick::B));
        }
    }

    #[test]
    fn anything_else_is_none() {
        for said in ["", "?", "c", "a or b", "disease", "Appendicitis"] {
            check(said, None);
        }
    }
}
