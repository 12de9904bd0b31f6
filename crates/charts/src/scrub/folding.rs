//! The spellings of one name: without its accents, with German umlauts written out, without its apostrophe.

/// A letter without its accent; one letter for one letter, in its case.
pub(super) fn plain(letter: char) -> char {
    const ACCENTED: [(char, &str); 24] = [
        ('a', "àáâãäåāăąǎạảấầẩẫậắằẳẵặ"),
        ('c', "çćĉċč"),
        ('d', "ďđ"),
        ('e', "èéêëēĕėęěẹẻẽếềểễệ"),
        ('g', "ĝğġģ"),
        ('h', "ĥħ"),
        ('i', "ìíîïĩīĭįıǐỉị"),
        ('j', "ĵ"),
        ('k', "ķ"),
        ('l', "ĺļľŀł"),
        ('n', "ñńņňǹ"),
        ('o', "òóôõöøōŏőơǒọỏốồổỗộớờởỡợ"),
        ('r', "ŕŗř"),
        ('s', "śŝşšș"),
        ('t', "ţťŧț"),
        ('u', "ùúûüũūŭůűųưǔụủứừửữự"),
        ('w', "ŵẁẃẅ"),
        ('y', "ýÿŷỳỵỷỹ"),
        ('z', "źżž"),
        // Letters that sound like one in names.
        ('d', "ð"),
        ('s', "ſ"),
        ('k', "ǩ"),
        ('g', "ǧ"),
        ('z', "ʒ"),
    ];
    if letter.is_ascii() {
        return letter;
    }
    let small = letter.to_lowercase().next().unwrap_or(letter);
    match ACCENTED.iter().find(|(_, accented)| accented.contains(small)) {
        Some((plain, _)) if letter.is_uppercase() => plain.to_ascii_uppercase(),
        Some((plain, _)) => *plain,
        None => letter,
    }
}

/// An accent that stands behind its letter as a sign of its own.
pub(super) fn is_accent(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

pub(super) fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’' | '‘' | 'ʼ' | '`' | '´')
}

/// Without accents: `Muller`, `Strauss`, `Soren`.
pub(super) fn without_accents(name: &str) -> String {
    let letters = name.chars().filter(|letter| !is_accent(*letter));
    letters.fold(String::new(), |out, letter| out + &double(letter).unwrap_or_else(|| plain(letter).to_string()))
}

/// What is always two letters.
fn double(letter: char) -> Option<String> {
    let two = match letter {
        'ß' => "ss",
        'ẞ' => "SS",
        'æ' => "ae",
        'Æ' => "Ae",
        'œ' => "oe",
        'Œ' => "Oe",
        'þ' => "th",
        'Þ' => "Th",
        _ => return None,
    };
    Some(two.to_owned())
}

const UMLAUTS: [(&str, &str); 6] = [("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("Ä", "Ae"), ("Ö", "Oe"), ("Ü", "Ue")];

/// The spellings of a name that are not its own: `Mueller` and `Muller` of Müller, `Müller` of Mueller, which is no Muller; `Strauß` of Strauss.
pub(super) fn others(name: &str) -> Vec<String> {
    let composed = name.replace("a\u{308}", "ä").replace("o\u{308}", "ö").replace("u\u{308}", "ü");
    let composed = composed.replace("A\u{308}", "Ä").replace("O\u{308}", "Ö").replace("U\u{308}", "Ü");
    let written_out = UMLAUTS.iter().fold(composed.clone(), |name, (umlaut, two)| name.replace(umlaut, two));
    let northern = written_out.replace('ø', "oe").replace('Ø', "Oe").replace('å', "aa").replace('Å', "Aa");
    let mut others = vec![without_accents(&written_out), without_accents(&northern), without_accents(&composed)];
    if name.is_ascii() {
        let umlauts = UMLAUTS.iter().fold(name.to_owned(), |name, (umlaut, two)| {
            name.replace(two, umlaut).replace(&two.to_uppercase(), &umlaut.to_uppercase())
        });
        others.push(umlauts.replace("ss", "ß"));
        others.push(umlauts);
    }
    others.sort();
    others.dedup();
    others.retain(|other| other != name);
    others
}
