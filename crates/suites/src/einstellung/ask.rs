//! variant → prompt.

use super::settings::Ask;
use crate::prompts::rendered;
use askama::Template;
use waterjar_core::{Form, Prompt, Variant};

#[derive(Template)]
#[template(path = "einstellung/prompts/diagnose.md", escape = "none")]
struct Diagnose {
    /// Whether the patient's text has the headings of our own narratives; a story has none.
    headed: bool,
    ranked: bool,
}

pub(super) fn prompt(ask: Ask, variant: &Variant) -> Prompt {
    let ranked = ask == Ask::Top5;
    let headed = variant.text.lines().any(|line| line == "Symptoms:");
    Prompt {
        task: rendered(&Diagnose { headed, ranked }),
        text: variant.text.clone(),
        form: if ranked { Form::Ranked } else { Form::One },
        again: 0,
    }
}
