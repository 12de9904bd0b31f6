//! variant → prompt.

use super::pairing::AGAIN;
use super::vary::Record;
use crate::prompts::rendered;
use askama::Template;
use waterjar_core::{Form, Prompt, Variant};

#[derive(Template)]
#[template(path = "parity/prompts/reason.md", escape = "none")]
struct Reason {
    options: bool,
}

pub(super) fn prompt(variant: &Variant) -> Prompt {
    let options = !Record::of(variant).options.is_empty();
    Prompt {
        task: rendered(&Reason { options }),
        text: variant.text.clone(),
        form: Form::Reasoned,
        again: u32::from(variant.role() == AGAIN),
    }
}
