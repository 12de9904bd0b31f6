//! The stages of a model that words vignettes for he, she and they, mends them, marks what decides them, and compares two reasonings.

use super::{Clinician, trap_author::prompt};
use serde_json::{Value, json};
use waterjar_vignettes::import::locate;
use waterjar_vignettes::{Vignette, Who, Wording, ablate, rewrite, suggest_spans, tagged};

impl Clinician {
    /// Also words vignettes by the book: what is asked for, and nothing else.
    #[must_use]
    pub fn telling_vignettes(self) -> Self {
        self.on("rewording", |_, asked| json!({ "text": reworded(prompt(asked)) }))
            .on("mended_story", |_, asked| json!({ "text": mended(prompt(asked)) }))
            .on("critical_findings", |clinician, asked| {
                let text = text(prompt(asked));
                let found = suggest_spans(text, clinician.base());
                let findings: Vec<&str> = found.iter().take(12).map(|it| it.span.of(text)).collect();
                json!({ "findings": findings })
            })
            .on("divergence_labels", |_, asked| labels(prompt(asked)))
    }
}

fn text(prompt: &str) -> &str {
    prompt.rsplit_once("Text:\n").map_or("", |(_, text)| text.trim_end())
}

fn reworded(prompt: &str) -> String {
    let text = text(prompt);
    let wording = if prompt.contains("they, them, their") { Wording::Neutral } else { Wording::Swapped };
    let who = if prompt.contains("everybody in it") { Who::Everyone } else { Who::Patient };
    rewrite(text, &[], wording, who).map_or_else(|_| text.to_owned(), |it| it.text)
}

fn mended(prompt: &str) -> String {
    let Ok((text, marked)) = tagged::unmark(text(prompt)) else { return text(prompt).to_owned() };
    let stay: Vec<&str> = prompt.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let (mut spans, _) = locate(&text, &stay);
    spans.retain(|it| marked.iter().all(|hole| it.end <= hole.start || hole.end <= it.start));
    spans.extend(&marked);
    spans.sort();
    let hole = spans.iter().position(|it| marked.contains(it));
    let vignette = Vignette { text, spans, ..Vignette::default() };
    hole.map_or_else(|| vignette.text.clone(), |n| ablate(&vignette, n).vignette.text)
}

/// Two reasonings differ in what their last sentences name, and in the findings of the others.
fn labels(prompt: &str) -> Value {
    let part = |head: &str, end: &str| {
        let rest = prompt.split_once(head).map_or("", |(_, rest)| rest);
        rest.split(end).next().unwrap_or_default().trim().to_owned()
    };
    let (a, b) = (part("First reasoning:\n", "\n\nSecond reasoning:"), part("Second reasoning:\n", "\n\nSay for each"));
    let ends = |text: &str| text.trim_end_matches('.').rsplit(". ").next().unwrap_or_default().to_lowercase();
    let begins = |text: &str| text.split(". ").next().unwrap_or_default().to_lowercase();
    let elsewhere = ends(&a) != ends(&b);
    json!({
        "reason": if elsewhere { "They end in different conclusions." } else { "They end alike." },
        "factor_shift": begins(&a) != begins(&b),
        "differential_reordering": elsewhere,
        "management_rationale": false,
        "tonal_shift": false,
        "conclusion_changed": elsewhere,
    })
}
