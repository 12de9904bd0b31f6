//! Vignettes: others' rows, and our own text form.

use crate::file::with_file;
use crate::{text, told};
use waterjar_vignettes::import::Kind;
use waterjar_vignettes::{Import, ImportOptions, Vignette, ablate, tagged};

const MAPPING: &[u8] = b"id = 'id'\ntext = 'text'\nquestion = 'question'\noptions = ['a', 'b']\nanswer = 'answer'\n\
    [spans]\nby = 'offsets'\ncolumn = 'spans'\n";

pub fn rows(data: &[u8]) {
    let kinds = [
        (Kind::MedQa, "rows.jsonl"),
        (Kind::MediQ, "rows.jsonl"),
        (Kind::AgentClinic, "rows.jsonl"),
        (Kind::DiversityMedQa, "rows.csv"),
        (Kind::CraftMd, "rows.csv"),
        (Kind::Csv, "rows.csv"),
        (Kind::Tagged, "rows.txt"),
    ];
    with_file("mapping.toml", MAPPING, |mapping| {
        for (kind, name) in kinds {
            let options = ImportOptions { mapping: Some(mapping.to_owned()), max_spans: Some(3) };
            with_file(name, data, |path| match Import::open(kind, path, &options) {
                Err(error) => told(&error),
                Ok(import) => {
                    for row in import {
                        match row {
                            Ok(vignette) => holds_together(&vignette),
                            Err(error) => told(&error),
                        }
                    }
                }
            });
        }
    });
}

/// What `waterjar import vignettes` writes is what a study reads.
fn holds_together(vignette: &Vignette) {
    in_order(vignette);
    assert!(vignette.spans.len() <= 3, "no more were wanted");
    if let Some(answer) = vignette.answer.as_ref().filter(|_| !vignette.options.is_empty()) {
        assert!(vignette.options.iter().any(|option| option.label == *answer), "{answer} is none of the options");
    }
    reads_back(vignette);
    for at in 0..vignette.spans.len() {
        in_order(&ablate(vignette, at).vignette);
    }
}

fn in_order(vignette: &Vignette) {
    let mut end = 0;
    for span in &vignette.spans {
        assert!(span.start >= end && span.end > span.start, "{span:?} after {end}");
        assert!(vignette.text.get(span.start..span.end).is_some(), "{span:?} of {}", vignette.text.len());
        end = span.end;
    }
}

fn reads_back(vignette: &Vignette) {
    let written = tagged::write(vignette);
    match tagged::read(&written) {
        Ok(again) => assert_eq!(again, *vignette, "{written}"),
        Err(error) => panic!("{error} in {written}"),
    }
}

pub fn tagged(data: &[u8]) {
    let Some(text) = text(data) else { return };
    match tagged::unmark(text) {
        Ok((bare, spans)) => assert_eq!(tagged::mark(&bare, &spans), text),
        Err(error) => assert!(text.is_char_boundary(error.at), "{error}"),
    }
    match tagged::read(text) {
        Ok(vignette) => {
            in_order(&vignette);
            reads_back(&vignette);
        }
        Err(error) => {
            told(&error);
            assert!(error.at <= text.len(), "{error} of {}", text.len());
        }
    }
}
