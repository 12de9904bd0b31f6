//! variant → prompt: the letter alone, and what to do with it in its own language.

use super::Consult;
use waterjar_core::{Form, Prompt, Variant};

impl Consult {
    pub(super) fn prompt(&self, variant: &Variant) -> Prompt {
        Prompt { task: self.language.task.clone(), text: variant.text.clone(), form: Form::Advice, again: 0 }
    }
}
