//! Where a text names diseases.

use crate::words::is_cjk;
use std::ops::Range;
use waterjar_core::ConditionId;

/// All names of many diseases.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// In lower case but for abbreviations, the longest first.
    names: Vec<(String, ConditionId)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    pub condition: ConditionId,
    pub place: Range<usize>,
}

/// An abbreviation this short is only one in capitals: PE is no `pe`.
const ABBREVIATION: usize = 4;
/// How far before a name a word that rules it out may stand, in bytes.
const NEAR: usize = 30;

/// Words around a name that rule it out.
#[derive(Clone, Copy, Debug)]
pub struct Rejecting<'a> {
    pub before: &'a [String],
    pub after: &'a [String],
    /// They only sound like one of those before: "cannot rule out".
    pub open: &'a [String],
}

impl Rejecting<'_> {
    fn rejects(&self, before: &str, after: &str) -> bool {
        let before = self.open.iter().fold(before.to_owned(), |text, cue| text.replace(cue.as_str(), " "));
        let holds = |text: &str, cues: &[String]| cues.iter().any(|cue| crate::words::holds(text, cue));
        holds(&before, self.before) || holds(after, self.after)
    }
}

impl Names {
    pub fn new(conditions: impl IntoIterator<Item = (ConditionId, Vec<String>)>) -> Self {
        let mut names: Vec<(String, ConditionId)> = conditions
            .into_iter()
            .flat_map(|(id, names)| names.into_iter().map(move |name| (written(&name), id.clone())))
            .filter(|(name, _)| !name.is_empty())
            .collect();
        names.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        names.dedup_by(|a, b| a.0 == b.0);
        Self { names }
    }

    /// In the order of the text; of names that overlap, the longest.
    pub fn mentions(&self, text: &str) -> Vec<Mention> {
        // Places in the lower-case text are those of the text where no letter changes its length.
        let lower = text.to_lowercase();
        let lower = if lower.len() == text.len() { lower } else { text.to_owned() };
        let mut found: Vec<Mention> = Vec::new();
        for (name, condition) in &self.names {
            let within = if is_abbreviation(name) { text } else { &lower };
            for (at, _) in within.match_indices(name.as_str()) {
                let place = at..at + name.len();
                let overlaps = found.iter().any(|it| it.place.start < place.end && place.start < it.place.end);
                if !overlaps && stands_alone(within, &place) {
                    found.push(Mention { condition: condition.clone(), place });
                }
            }
        }
        found.sort_by_key(|it| it.place.start);
        found
    }

    /// The diseases a text is for, in order: those it rules out in so many words are left out, and so are repetitions.
    pub fn considered(&self, text: &str, rejecting: Rejecting<'_>) -> Vec<ConditionId> {
        let mut found = Vec::new();
        // "Not A but B" is for B.
        let mut last = 0;
        let mentions = self.mentions(text);
        for (nth, mention) in mentions.iter().enumerate() {
            let place = mention.place.clone();
            let stops = |c: char| "\n.;,!?。；，！？".contains(c);
            let near = |(at, c): &(usize, char)| place.start - last - at <= NEAR && !stops(*c);
            let from = text[last..place.start].char_indices().rev().take_while(near).last();
            let before = text[from.map_or(place.start, |(at, _)| last + at)..place.start].to_lowercase();
            let next = mentions.get(nth + 1).map_or(text.len(), |it| it.place.start);
            let after = text[place.end..next].split(stops).next().unwrap_or_default().to_lowercase();
            last = place.end;
            if !rejecting.rejects(&before, &after) && !found.contains(&mention.condition) {
                found.push(mention.condition.clone());
            }
        }
        found
    }
}

fn written(name: &str) -> String {
    let name = name.trim();
    if is_abbreviation(name) { name.to_owned() } else { name.to_lowercase() }
}

fn is_abbreviation(name: &str) -> bool {
    name.len() <= ABBREVIATION && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
}

/// Scripts without spaces have no words to stand apart from.
fn stands_alone(text: &str, place: &Range<usize>) -> bool {
    let letter = |c: char| c.is_alphanumeric() && !is_cjk(c);
    let inside = &text[place.clone()];
    let begins = !inside.starts_with(letter) || !text[..place.start].ends_with(letter);
    let ends = !inside.ends_with(letter) || !text[place.end..].starts_with(letter);
    begins && ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let entry = |id: &str, names: &[&str]| (id.into(), names.iter().map(|it| (*it).to_owned()).collect());
        Names::new([
            entry("pe", &["Pulmonary embolism", "PE", "肺栓塞"]),
            entry("angina", &["Stable angina", "稳定型心绞痛"]),
            entry("unstable", &["Unstable angina", "不稳定型心绞痛"]),
        ])
    }

    fn check(text: &str, expected: &[&str]) {
        let words = |of: &[&str]| of.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let before = words(&["not", "rather than", "rule out", "you think", "不是", "排除", "您怀疑"]);
        let (after, open) =
            (words(&["is unlikely", "可能性不大", "可以排除"]), words(&["cannot rule out", "不能排除"]));
        let found = names().considered(text, Rejecting { before: &before, after: &after, open: &open });
        assert_eq!(found.iter().map(ConditionId::as_str).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn diseases_are_found_in_the_order_of_the_text() {
        check("Unstable angina, or a PE. A pulmonary embolism!", &["unstable", "pe"]);
        check("考虑不稳定型心绞痛，其次肺栓塞。", &["unstable", "pe"]);
    }

    #[test]
    fn what_is_ruled_out_is_not_considered() {
        check("This is not a pulmonary embolism but stable angina.", &["angina"]);
        check("不是肺栓塞，是稳定型心绞痛", &["angina"]);
    }

    #[test]
    fn what_stands_behind_a_name_rules_it_out_too() {
        check("A PE is unlikely here. Stable angina fits better.", &["angina"]);
        check("You think it is a PE, but I believe it is stable angina.", &["angina"]);
        check("肺栓塞的可能性不大，首先考虑稳定型心绞痛。", &["angina"]);
        check("肺栓塞基本可以排除，考虑稳定型心绞痛。", &["angina"]);
        check("您怀疑肺栓塞，但我更倾向于稳定型心绞痛。", &["angina"]);
        check("稳定型心绞痛，肺栓塞的可能性不大。", &["angina"]);
        check("We cannot rule out a PE. 不能排除稳定型心绞痛。", &["pe", "angina"]);
    }

    #[test]
    fn a_part_of_a_word_is_no_name() {
        check("hope, PEople, instable anginas", &[]);
    }
}
