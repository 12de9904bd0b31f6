//! DiversityMedQA: `male_sentence, female_sentence, options (Python list), correct_option (from 0)`.

use super::{BadRow, Cells, Import, lettered, question};
use crate::Vignette;
use std::path::Path;
use waterjar_core::SourceError;
use waterjar_knowledge::ddxplus::literal::{self, LiteralError};

/// The same vignette in two wordings, made by a language model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub male: Vignette,
    pub female: Vignette,
}

pub(super) const COLUMNS: [&str; 4] = ["male_sentence", "female_sentence", "options", "correct_option"];

pub(super) fn pair(row: &Cells<'_>, line: u64) -> Result<Pair, String> {
    let mut texts: Vec<String> = Vec::new();
    literal::strings(row.need("options")?, |text| {
        texts.push(text.into_owned());
        Ok::<_, LiteralError>(())
    })
    .map_err(|error| format!("`options` is no list of texts ({error}): write ['first', 'second']"))?;
    let options = lettered(&texts.iter().map(String::as_str).collect::<Vec<_>>())?;
    let correct = row.need("correct_option")?;
    let answer = correct.trim().parse().ok().and_then(|at: usize| options.get(at)).map(|option| option.label.clone());
    let answer = answer.ok_or_else(|| {
        format!("`correct_option` is `{correct}`: a number from 0 to {} is expected", options.len().saturating_sub(1))
    })?;
    let side = |column: &str, sex: &str| -> Result<Vignette, String> {
        let (text, asked) = question::split(row.need(column)?);
        let id = format!("diversity-medqa-{line}{sex}");
        Ok(Vignette {
            id,
            text,
            question: asked,
            options: options.clone(),
            answer: Some(answer.clone()),
            spans: Vec::new(),
        })
    };
    Ok(Pair { male: side("male_sentence", "")?, female: side("female_sentence", "-female")? })
}

/// Both wordings of every row.
pub fn pairs(path: &Path) -> Result<impl Iterator<Item = Result<Pair, BadRow>>, SourceError> {
    let open = |female: bool| -> Result<Import, SourceError> {
        let rows = super::table(path, &COLUMNS, move |row, line| {
            pair(row, line).map(|pair| if female { pair.female } else { pair.male })
        })?;
        Ok(Import { rows, ..Import::open(super::Kind::DiversityMedQa, path, &super::ImportOptions::default())? })
    };
    Ok(open(false)?.zip(open(true)?).map(|(male, female)| Ok(Pair { male: male?, female: female? })))
}
