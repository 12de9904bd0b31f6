//! A schema that only the prompt states: how structured output is asked for where a vendor has no field for it.

use serde_json::{Deserializer, Value};
use waterjar_core::{AnswerSchema, ChatRequest};

/// The last JSON schema of an object in the messages. Its name is its title, or a line `schema: NAME` of the prompt.
pub(super) fn find(request: &ChatRequest) -> Option<AnswerSchema> {
    let mut found = None;
    for message in &request.messages {
        let text = &message.content;
        if text.contains("\"properties\"")
            && let Some(schema) = schema_in(text)
        {
            let name = named(&schema).or_else(|| name_line(text)).unwrap_or_else(|| "answer".to_owned());
            found = Some(AnswerSchema { name, schema });
        }
    }
    found
}

pub(super) fn named(schema: &Value) -> Option<String> {
    schema.get("title").and_then(Value::as_str).map(str::to_owned)
}

/// `Schema: NAME`, in any case, alone on its line.
pub(super) fn name_line(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, name) = line.split_once(':')?;
        let key = key.trim().to_ascii_lowercase();
        let name = name.trim().trim_matches(['`', '"', '.']);
        let one_word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        let says_schema = key == "schema" || key == "schema name" || key == "answer schema";
        (says_schema && one_word).then(|| name.to_owned())
    })
}

fn schema_in(text: &str) -> Option<Value> {
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let mut values = Deserializer::from_str(&rest[at..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) if value.get("properties").is_some_and(Value::is_object) => return Some(value),
            Some(Ok(_)) => rest = &rest[at + values.byte_offset()..],
            _ => rest = &rest[at + 1..],
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(prompt: &str, expected: Option<&str>) {
        let found = find(&ChatRequest::new(prompt, "I cough.", 0));
        assert_eq!(found.map(|schema| schema.name).as_deref(), expected);
    }

    #[test]
    fn a_schema_in_the_prompt_is_found_by_its_title() {
        check(
            r#"Answer so: ```json {"title":"verdict","type":"object","properties":{"yes":{}}} ``` Thanks."#,
            Some("verdict"),
        );
    }

    #[test]
    fn or_by_a_line_that_names_it() {
        check("Schema: `rewrite`\n{\"type\":\"object\",\"properties\":{}}", Some("rewrite"));
    }

    #[test]
    fn an_example_is_not_a_schema() {
        check(r#"Like this: {"yes": true}, see "properties""#, None);
        check("Answer in {curly} words.", None);
    }
}
