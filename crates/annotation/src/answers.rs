//! What a rater gave, held against the form.

use crate::form::{FIRST, Form, Kind, Question, SECOND};
use std::collections::BTreeMap;

/// By question, in the form's values.
pub type Given = BTreeMap<String, Vec<String>>;

/// Longer words of one's own are cut nowhere, but refused.
const LONGEST: usize = 4_000;

impl Form {
    /// Fields of a page to answers. What the form does not offer is refused; what is still open is refused when `complete`.
    /// Where sides are swapped, left is the second.
    pub fn accept(&self, fields: &[(String, String)], swapped: bool, complete: bool) -> Result<Given, String> {
        let mut given = Given::new();
        for question in &self.questions {
            let of = fields.iter().filter(|(key, value)| *key == question.id && !value.trim().is_empty());
            let values: Vec<String> = of.map(|(_, value)| value.trim().to_owned()).collect();
            let values = values.iter().map(|value| question.kept(value, swapped)).collect::<Result<Vec<_>, _>>()?;
            question.fits(&values)?;
            if !values.is_empty() {
                given.insert(question.id.clone(), values);
            } else if complete && !question.optional && question.kind != Kind::Words {
                return Err(format!("the question “{}” is still open", question.id));
            }
        }
        Ok(given)
    }
}

impl Question {
    fn kept(&self, value: &str, swapped: bool) -> Result<String, String> {
        let value = match (self.kind, value, swapped) {
            (Kind::Side, "left", false) | (Kind::Side, "right", true) => FIRST,
            (Kind::Side, "right", false) | (Kind::Side, "left", true) => SECOND,
            (_, value, _) => value,
        };
        match self.kind {
            Kind::Words if value.len() > LONGEST => Err(format!("“{}” takes at most {LONGEST} bytes", self.id)),
            Kind::Words => Ok(value.to_owned()),
            _ if self.values().iter().any(|it| it == value) => Ok(value.to_owned()),
            _ => Err(format!("“{}” does not offer “{value}”", self.id)),
        }
    }

    fn fits(&self, values: &[String]) -> Result<(), String> {
        let none = values.iter().any(|value| value == "none");
        match self.kind {
            Kind::Several if none && values.len() > 1 => Err(format!("“{}”: “none” does not go with others", self.id)),
            Kind::Several => Ok(()),
            _ if values.len() > 1 => Err(format!("“{}” takes one answer", self.id)),
            _ => Ok(()),
        }
    }
}
