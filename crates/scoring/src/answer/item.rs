//! One line of a list → a diagnosis as the answer words it, with its confidence.

use super::words::plain;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub words: String,
    /// 0..1 where the answer gives one.
    pub confidence: Option<f64>,
}

impl Item {
    /// `Pulmonary embolism (0.62)`, `**PE** - 80%: the calf is swollen`, `Pneumonia 0.2`.
    pub fn read(line: &str) -> Option<Self> {
        let line = plain(line);
        let (words, confidence) = in_brackets(&line)
            .or_else(|| after_a_dash(&line))
            .or_else(|| at_the_end(&line))
            .map_or((line.as_str(), None), |(words, confidence)| (words, Some(confidence)));
        let words = words.trim().trim_end_matches([':', '–', '—', '-', ',', '|']).trim();
        words.chars().any(char::is_alphabetic).then(|| Self { words: words.to_owned(), confidence })
    }
}

/// In bytes.
const LONGEST_CONFIDENCE: usize = 60;

/// The first bracket with a confidence in it. What follows is the reason.
fn in_brackets(line: &str) -> Option<(&str, f64)> {
    let opened = line.match_indices(['(', '[']).find_map(|(at, _)| {
        let near = &line[at + 1..line.floor_char_boundary(at + 1 + LONGEST_CONFIDENCE)];
        Some((&line[..at], confidence(near.split([')', ']']).next()?)?))
    });
    opened.filter(|(words, _)| !words.trim().is_empty())
}

fn after_a_dash(line: &str) -> Option<(&str, f64)> {
    line.match_indices([':', '–', '—', '-', '|']).find_map(|(at, mark)| {
        let rest = &line[at + mark.len()..line.floor_char_boundary(at + mark.len() + LONGEST_CONFIDENCE)];
        let rest = rest.trim_start();
        let end = rest.find([':', ';', '–', '—', ',', '|']).unwrap_or(rest.len());
        Some((&line[..at], confidence(&rest[..end])?))
    })
}

/// A number that can be nothing but a confidence: a percentage, or a fraction with a point.
fn at_the_end(line: &str) -> Option<(&str, f64)> {
    let (words, number) = line.rsplit_once(' ')?;
    let telling = number.ends_with('%') || number.starts_with("0.");
    Some((words, confidence(number)?)).filter(|_| telling)
}

/// `0.62`, `62%`, `confidence: 0.62`, `~60 percent`, `62/100`; anything with other words in it is no confidence.
pub(super) fn confidence(text: &str) -> Option<f64> {
    let text = text.trim().to_lowercase();
    let mut number = text.as_str();
    let mut named = false;
    for name in ["confidence", "probability", "likelihood", "p"] {
        if let Some(rest) = number.strip_prefix(name) {
            number = rest;
            named = true;
            break;
        }
    }
    for name in ["confidence", "confident", "probability", "likelihood"] {
        if let Some(rest) = number.trim_end().strip_suffix(name) {
            number = rest;
            named = true;
        }
    }
    let number = number.trim_start_matches([':', '=', '~', '≈', '<', '>', ' ']).trim();
    for (unit, whole) in [("%", 100.0), ("percent", 100.0), ("per cent", 100.0), ("/100", 100.0), ("/10", 10.0)] {
        if let Some(number) = number.strip_suffix(unit) {
            return share(number.trim().parse::<f64>().ok()? / whole);
        }
    }
    let value = number.parse::<f64>().ok()?;
    // `confidence: 85` is in percent; a bare 85 could be anything.
    if named && value > 1.0 { share(value / 100.0) } else { share(value) }
}

fn share(value: f64) -> Option<f64> {
    (0.0..=1.0).contains(&value).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confidence_is_found_wherever_it_stands() {
        let check = |line: &str, confidence: f64| {
            assert_eq!(Item::read(line), Some(Item { words: "Pneumonia".to_owned(), confidence: Some(confidence) }));
        };
        check("Pneumonia (0.62)", 0.62);
        check("**Pneumonia** (confidence: 62%)", 0.62);
        check("Pneumonia (62% confidence): fever, cough", 0.62);
        check("**Pneumonia**: 0.62", 0.62);
        check("Pneumonia - 62 %, fever", 0.62);
        check("Pneumonia – confidence 62", 0.62);
        check("Pneumonia [62/100]", 0.62);
        check("Pneumonia 0.62", 0.62);
        check("Pneumonia | 0.62 |", 0.62);
        check("Pneumonia (1.0)", 1.0);
        check("Pneumonia (confidence: 1.0)", 1.0);
    }

    #[test]
    fn a_number_that_is_none_is_left_in_the_name() {
        let check = |line: &str| {
            assert_eq!(Item::read(line), Some(Item { words: line.to_owned(), confidence: None }));
        };
        check("Type 2 diabetes");
        check("Pneumonia (85)");
        check("Trisomy 21");
        check("COVID-19");
        check("Pneumonia (3 days)");
    }

    #[test]
    fn nothing_but_a_number_is_no_diagnosis() {
        assert_eq!(Item::read("0.62"), None);
        assert_eq!(Item::read(" ** "), None);
    }
}
