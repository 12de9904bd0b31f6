//! Prompts as text.

use askama::Template;

pub(crate) fn rendered(prompt: &impl Template) -> String {
    prompt.render().expect("writing to a String cannot fail")
}
