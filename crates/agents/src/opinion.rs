//! A ranked list with its reasons: what a member of a team answers, and what a team concludes.

use crate::asking::line;
use crate::names::Names;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt::Write;
use waterjar_core::Conclusion;

/// The name of the schema, the same wherever a ranked list is asked for.
pub(crate) const OPINION: &str = "expert_opinion";

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Opinion {
    /// What speaks for and against the conditions considered.
    pub reasoning: String,
    /// The most likely condition first.
    #[schemars(length(min = 1, max = 5))]
    pub ranked: Vec<Candidate>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Candidate {
    /// The usual name of the condition and nothing else.
    pub condition: String,
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
}

impl Opinion {
    /// As many as the single question of `plain` asks for.
    pub const LISTED: usize = 5;

    pub fn check(&self) -> Result<(), String> {
        check_ranked(&self.ranked)
    }

    /// The first choice, by its proper name.
    pub fn choice(&self, names: &Names) -> String {
        self.ranked.first().map(|first| names.proper(&first.condition)).unwrap_or_default()
    }

    /// For a colleague: the list on one line, and the reasons.
    pub fn told(&self) -> String {
        let list: Vec<String> =
            self.ranked.iter().map(|it| format!("{} ({:.2})", line(&it.condition), it.confidence)).collect();
        format!("{}. {}", list.join(", "), line(&self.reasoning))
    }

    /// As `plain` asks for it: reasons, then the numbered list and nothing after it.
    pub fn conclude(&self, record: serde_json::Value) -> Conclusion {
        let mut text = line(&self.reasoning);
        for (place, it) in (1..).zip(&self.ranked) {
            let gap = if place == 1 && !text.is_empty() { "\n\n" } else { "\n" };
            let gap = if text.is_empty() { "" } else { gap };
            write!(text, "{gap}{place}. {} ({:.2})", line(&it.condition), it.confidence)
                .expect("writing to a String cannot fail");
        }
        Conclusion { text, reasoning: None, record: Some(record) }
    }
}

pub(crate) fn check_ranked(ranked: &[Candidate]) -> Result<(), String> {
    let named = |it: &Candidate| it.condition.contains(char::is_alphanumeric);
    if ranked.iter().all(named) { Ok(()) } else { Err("ranked: a condition has no name".to_owned()) }
}

/// A first choice and who holds it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    pub name: String,
    /// Places in the list of opinions.
    pub by: Vec<usize>,
}

/// The first choices, the most frequent first; of equally frequent ones the first that was named.
pub(crate) fn choices(names: &[String]) -> Vec<Choice> {
    let mut choices: Vec<Choice> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        match choices.iter_mut().find(|choice| choice.name == *name) {
            Some(choice) => choice.by.push(at),
            None => choices.push(Choice { name: name.clone(), by: vec![at] }),
        }
    }
    choices.sort_by_key(|choice| std::cmp::Reverse(choice.by.len()));
    choices
}

/// What those who share a first choice conclude together: that choice first, then the others by their mean confidence, a
/// condition somebody does not list counting as 0. The reasons are those of the surest of them.
pub(crate) fn together(names: &Names, agreeing: &[&Opinion]) -> Opinion {
    let mut pooled: Vec<(String, Candidate)> = Vec::new();
    for opinion in agreeing {
        let mut seen: Vec<String> = Vec::new();
        for it in &opinion.ranked {
            let name = names.proper(&it.condition);
            if seen.contains(&name) {
                continue;
            }
            match pooled.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => known.confidence += it.confidence,
                None => pooled.push((name.clone(), it.clone())),
            }
            seen.push(name);
        }
    }
    for (_, it) in &mut pooled {
        it.confidence /= agreeing.len() as f64;
    }
    // The shared choice was pooled first and stays there; the sort is stable.
    if let Some((_, others)) = pooled.split_first_mut() {
        others.sort_by(|(_, a), (_, b)| b.confidence.total_cmp(&a.confidence));
    }
    let mut ranked: Vec<Candidate> = pooled.into_iter().map(|(_, it)| it).collect();
    ranked.truncate(Opinion::LISTED);
    let sure = |opinion: &Opinion| opinion.ranked.first().map_or(0.0, |first| first.confidence);
    let surest = agreeing.iter().rev().max_by(|a, b| sure(a).total_cmp(&sure(b)));
    Opinion { reasoning: surest.map(|it| it.reasoning.clone()).unwrap_or_default(), ranked }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opinion(reasoning: &str, ranked: &[(&str, f64)]) -> Opinion {
        let ranked = ranked.iter().map(|&(name, confidence)| Candidate { condition: name.to_owned(), confidence });
        Opinion { reasoning: reasoning.to_owned(), ranked: ranked.collect() }
    }

    fn names() -> Names {
        Names::of(&waterjar_knowledge::starter::base().unwrap())
    }

    #[test]
    fn a_conclusion_reads_as_plain_asks_for_it() {
        let said = opinion("Swollen calf.\n1. Not a list.", &[("Pulmonary\nembolism", 0.6), ("Pneumonia", 0.255)]);
        let concluded = said.conclude(serde_json::Value::Null);
        assert_eq!(concluded.text, "Swollen calf. 1. Not a list.\n\n1. Pulmonary embolism (0.60)\n2. Pneumonia (0.26)");
        let bare = opinion(" ", &[("Gout", 1.0)]).conclude(serde_json::Value::Null);
        assert_eq!(bare.text, "1. Gout (1.00)");
    }

    #[test]
    fn the_reasons_are_asked_for_before_the_list() {
        let schema = waterjar_structured::schema_of::<Opinion>();
        let fields: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(fields, ["reasoning", "ranked"], "models fill in a schema in its order");
    }

    #[test]
    fn a_condition_without_a_name_is_no_answer() {
        assert!(opinion("", &[("Gout", 0.5), (" - ", 0.1)]).check().is_err());
        assert!(opinion("", &[("Gout", 0.5)]).check().is_ok());
    }

    #[test]
    fn the_most_frequent_choice_leads_and_the_first_named_wins_a_tie() {
        let said = ["b", "a", "a", "c", "c"].map(str::to_owned);
        let counted = choices(&said);
        let counted: Vec<(&str, &[usize])> = counted.iter().map(|it| (it.name.as_str(), it.by.as_slice())).collect();
        assert_eq!(counted, [("a", &[1, 2][..]), ("c", &[3, 4]), ("b", &[0])]);
    }

    #[test]
    fn those_who_agree_pool_their_lists() {
        let one = opinion("one", &[("Pulmonary embolism", 0.6), ("Pneumonia", 0.2)]);
        let two = opinion("two", &[("PE", 0.8), ("Asthma", 0.1), ("Pneumonia", 0.1)]);
        let both = together(&names(), &[&one, &two]);
        assert_eq!(both.reasoning, "two");
        let list: Vec<(&str, f64)> = both.ranked.iter().map(|it| (it.condition.as_str(), it.confidence)).collect();
        assert_eq!(list.len(), 3);
        assert_eq!((list[0].0, list[1].0, list[2].0), ("Pulmonary embolism", "Pneumonia", "Asthma"));
        for (got, wanted) in list.iter().map(|it| it.1).zip([0.7, 0.15, 0.05]) {
            assert!((got - wanted).abs() < 1e-12, "{list:?}");
        }
    }
}
