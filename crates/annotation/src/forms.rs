//! The forms there are: ours, and those of a folder.

use crate::form::{Form, FormError};
use std::path::Path;

const OWN: &[(&str, &str)] = &[
    ("trap_pair_quality", include_str!("../forms/trap_pair_quality.toml")),
    ("diagnosis_followed", include_str!("../forms/diagnosis_followed.toml")),
    ("causal_sensitivity", include_str!("../forms/causal_sensitivity.toml")),
    ("question_quality", include_str!("../forms/question_quality.toml")),
    ("preference", include_str!("../forms/preference.toml")),
    ("failure_mode", include_str!("../forms/failure_mode.toml")),
    ("divergence", include_str!("../forms/divergence.toml")),
    ("key_right", include_str!("../forms/key_right.toml")),
];

/// Ours, then those of the folder in the order of their names. A form in the folder stands in for ours of the same id.
pub fn forms(folder: Option<&Path>) -> Result<Vec<Form>, FormError> {
    let mut forms = OWN.iter().map(|(name, text)| Form::read(name, text)).collect::<Result<Vec<_>, _>>()?;
    for path in folder.map(files).transpose()?.unwrap_or_default() {
        let name = path.display().to_string();
        let unreadable = |error: std::io::Error| FormError { form: name.clone(), problem: error.to_string() };
        let form = Form::read(&name, &std::fs::read_to_string(&path).map_err(unreadable)?)?;
        match forms.iter_mut().find(|it| it.id == form.id) {
            Some(own) => *own = form,
            None => forms.push(form),
        }
    }
    Ok(forms)
}

fn files(folder: &Path) -> Result<Vec<std::path::PathBuf>, FormError> {
    let unreadable =
        |error: std::io::Error| FormError { form: folder.display().to_string(), problem: format!("{error}") };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|it| it == "toml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
