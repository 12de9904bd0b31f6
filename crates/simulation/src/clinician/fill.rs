//! What the clinician puts into the fields of a schema nobody registered a stage for.

use super::instance::{Fill, instance, type_of};
use super::{Clinician, Consultation, wording};
use crate::format::Asked;
use serde_json::{Value, json};

/// The smallest valid instance: required fields, first values, fewest items.
pub fn minimal(schema: &Value) -> Value {
    struct Nothing;
    impl Fill for Nothing {}
    instance(schema, &mut Nothing)
}

/// A valid instance; fields whose name says what they are for get what the clinician thinks.
pub(super) fn plausible(clinician: &Clinician, asked: &Asked, schema: &Value) -> Value {
    let consultation = clinician.consult(asked.text());
    let seed = clinician.seed();
    let lot = move |key: &str| seed.rank(key, asked.text()) as f64 / i64::MAX as f64;
    instance(schema, &mut Thoughts { consultation, lot, named: 0 })
}

/// The same words in every field, or the words themselves where they are an answer.
pub(super) fn said(text: &str, schema: &Value) -> Value {
    struct Same<'a>(&'a str);
    impl Fill for Same<'_> {
        fn value(&mut self, _: &str, schema: &Value) -> Option<Value> {
            (type_of(schema).as_deref() == Some("string") && schema.get("enum").is_none()).then(|| json!(self.0))
        }

        fn items(&mut self, _: &str, _: &Value) -> usize {
            1
        }
    }
    let whole = serde_json::from_str::<Value>(text).ok().filter(Value::is_object);
    whole.unwrap_or_else(|| instance(schema, &mut Same(text)))
}

struct Thoughts<Lot> {
    consultation: Option<Consultation>,
    /// Between 0 and 1, by request and field.
    lot: Lot,
    /// How many conditions were named so far.
    named: usize,
}

impl<Lot: Fn(&str) -> f64> Fill for Thoughts<Lot> {
    fn value(&mut self, key: &str, schema: &Value) -> Option<Value> {
        let key = key.to_ascii_lowercase();
        match type_of(schema).as_deref()? {
            "string" => self.words(&key),
            "number" if is_confidence(&key) => {
                let ranked = &self.consultation.as_ref()?.ranked;
                let (_, p) = ranked.get(self.named.saturating_sub(1))?;
                Some(json!((p * 100.0).floor() / 100.0))
            }
            "integer" | "number" => self.grade(&key, schema),
            "boolean" => Some(Value::Bool(true)),
            _ => None,
        }
    }

    fn leads(&self, key: &str) -> bool {
        is_name(key)
    }

    fn items(&mut self, key: &str, items: &Value) -> usize {
        let Some(consultation) = &self.consultation else { return 0 };
        let names_one = |schema: &Value| {
            schema.get("properties").and_then(Value::as_object).is_some_and(|it| it.keys().any(|key| is_name(key)))
        };
        if is_name(&key.to_ascii_lowercase()) || names_one(items) { consultation.ranked.len() } else { 1 }
    }
}

impl<Lot: Fn(&str) -> f64> Thoughts<Lot> {
    fn words(&mut self, key: &str) -> Option<Value> {
        let consultation = self.consultation.as_ref()?;
        if is_name(key) {
            let (name, _) = consultation.ranked.get(self.named)?;
            self.named += 1;
            return Some(json!(name));
        }
        let says = |words: &[&str]| words.iter().any(|word| key.contains(word));
        if says(&["reason", "rational", "explan", "thought", "justif"]) {
            Some(json!(wording::thoughts(consultation)))
        } else if says(&["quote", "phrase", "evidence", "finding", "sentence", "feature"]) {
            Some(json!(consultation.evidence.first()?))
        } else {
            None
        }
    }

    /// A kind judge: the upper third of the scale.
    fn grade(&self, key: &str, schema: &Value) -> Option<Value> {
        let (low, high) = (schema.get("minimum")?.as_f64()?, schema.get("maximum")?.as_f64()?);
        let grade = high - (high - low) / 3.0 * (self.lot)(key);
        let whole = type_of(schema).as_deref() == Some("integer");
        Some(if whole { json!(grade.round() as i64) } else { json!((grade * 100.0).round() / 100.0) })
    }
}

fn is_name(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    key == "name"
        || key == "label"
        || key.contains("diagnos")
        || key.contains("condition")
        || key.contains("differential")
}

fn is_confidence(key: &str) -> bool {
    key.contains("confidence") || key.contains("probab")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{AnswerForm, Format, ToolChoice};
    use crate::{Persona, sample_cases};
    use waterjar_core::{ChatRequest, Seed};

    /// Valid by an independent judge, minimal and plausible alike.
    fn check(schema: Value) -> Value {
        let validator = jsonschema::validator_for(&schema).unwrap();
        let asked = Asked {
            format: Format::OpenAi,
            model: String::new(),
            request: ChatRequest::new("", sample_cases()[0].text.as_str(), 0),
            form: AnswerForm::JsonSchema,
            choice: ToolChoice::Auto,
        };
        let filled = plausible(&Clinician::new(Persona::default(), Seed(7)), &asked, &schema);
        for value in [minimal(&schema), filled.clone()] {
            let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{errors:?}\n{value}\n{schema}");
        }
        filled
    }

    #[test]
    fn plain_types_ranges_and_lengths_are_kept() {
        check(json!({"type": "string", "minLength": 12}));
        check(json!({"type": "string", "maxLength": 3}));
        check(json!({"type": "string", "format": "date-time"}));
        check(json!({"type": "integer", "minimum": 3, "maximum": 9}));
        check(json!({"type": "integer", "exclusiveMinimum": 3, "multipleOf": 5}));
        check(json!({"type": "integer", "maximum": -2}));
        check(json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}));
        check(json!({"type": ["null", "integer"]}));
        check(json!({"enum": ["trapped", "missed"]}));
        check(json!({"const": 7}));
        check(json!({}));
    }

    #[test]
    fn objects_lists_and_options_are_kept() {
        check(json!({"type": "object", "required": ["a", "b"], "additionalProperties": false,
            "properties": {"a": {"type": "boolean"}, "b": {"type": "array", "minItems": 2, "items": {"type": "integer"}}, "c": {}}}));
        check(json!({"type": "array", "minItems": 3, "uniqueItems": true, "items": {"enum": ["a", "b", "c"]}}));
        check(
            json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false, "minItems": 2}),
        );
        check(
            json!({"anyOf": [{"type": "null"}, {"type": "object", "required": ["x"], "properties": {"x": {"const": 1}}}]}),
        );
        check(
            json!({"allOf": [{"type": "object", "required": ["x"]}, {"properties": {"y": {"type": "null"}}, "required": ["y"]}]}),
        );
        check(json!({"type": "object", "minProperties": 2, "additionalProperties": {"type": "integer"}}));
        check(
            json!({"oneOf": [{"type": "object", "required": ["Yes"], "properties": {"Yes": {"type": "object"}}, "additionalProperties": false}]}),
        );
    }

    #[test]
    fn references_are_followed_and_a_schema_of_itself_ends() {
        check(json!({"$ref": "#/$defs/Vote", "$defs": {"Vote": {"type": "object", "required": ["yes", "why"],
            "properties": {"yes": {"type": "boolean"}, "why": {"$ref": "#/$defs/Why"}}}, "Why": {"type": "string"}}}));
        check(json!({"$ref": "#/$defs/Tree", "$defs": {"Tree": {"type": "object", "required": ["name", "left"],
            "properties": {"name": {"type": "string"}, "left": {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]}}}}}));
    }

    #[test]
    fn a_list_of_conditions_is_the_clinicians_list() {
        let candidate = json!({"type": "object", "required": ["confidence", "name"],
            "properties": {"name": {"type": "string"}, "confidence": {"type": "number", "minimum": 0, "maximum": 1}}});
        let filled = check(json!({"type": "object", "required": ["candidates", "reasoning"], "properties":
            {"candidates": {"type": "array", "maxItems": 3, "items": candidate}, "reasoning": {"type": "string"}}}));
        let candidates = filled["candidates"].as_array().unwrap();
        assert_eq!(candidates.len(), 3);
        assert!(candidates[0]["confidence"].as_f64() >= candidates[1]["confidence"].as_f64());
        assert_ne!(candidates[0]["name"], candidates[1]["name"]);
        assert!(filled["reasoning"].as_str().unwrap().contains(candidates[0]["name"].as_str().unwrap()));
    }

    #[test]
    fn a_grade_lies_in_the_upper_third() {
        let filled = check(json!({"type": "object", "required": ["fluency"],
            "properties": {"fluency": {"type": "integer", "minimum": 1, "maximum": 10}}}));
        assert!(filled["fluency"].as_i64().unwrap() >= 7);
    }

    #[test]
    fn geminis_capitals_are_read() {
        let schema = json!({"type": "OBJECT", "required": ["vote"], "properties": {"vote": {"type": "STRING", "enum": ["yes", "no"]}}});
        assert_eq!(minimal(&schema), json!({"vote": "yes"}));
    }
}
