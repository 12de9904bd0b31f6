//! variant → prompt.

use crate::prompts::rendered;
use askama::Template;
use waterjar_core::{Form, Prompt, Variant};

#[derive(Template)]
#[template(path = "sensitivity/prompts/recommend.md", escape = "none")]
struct Recommend;

pub(super) fn prompt(variant: &Variant) -> Prompt {
    Prompt { task: rendered(&Recommend), text: variant.text.clone(), form: Form::Treatments, again: 0 }
}
