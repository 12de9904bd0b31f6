//! Forms for raters.

use crate::{text, told};
use waterjar_annotation::Form;

pub fn check(data: &[u8]) {
    let Some(text) = text(data) else { return };
    match Form::read("form.toml", text) {
        Err(error) => told(&error),
        Ok(form) => {
            let written = toml::to_string(&form).expect("a form can be written");
            assert_eq!(Form::read("form.toml", &written).expect("what is written reads back"), form);
            for question in &form.questions {
                assert_eq!(form.question(&question.id), Some(question), "names tell questions apart");
            }
        }
    }
}
