//! Structured answers, spoilt or dressed up as models do it.

use super::Fault;
use crate::clinician::type_of;
use crate::format::Asked;
use serde_json::{Value, json};
use waterjar_core::{ChatReply, Finish};

/// Changes the answer as the fault says. The caller has checked that it can.
pub(super) fn dress(fault: Fault, asked: &Asked, reply: &mut ChatReply) {
    let text = &reply.text;
    let dressed = match fault {
        Fault::Empty => {
            reply.tool_calls.clear();
            reply.finish = Finish::Stop;
            String::new()
        }
        Fault::Length => {
            reply.tool_calls.clear();
            reply.finish = Finish::Length;
            half(text).to_owned()
        }
        Fault::BrokenAnswer => half(text).to_owned(),
        Fault::WrongSchema => return spoil(asked, reply),
        Fault::Fenced => format!("```json\n{text}\n```"),
        Fault::ProseAround => {
            format!("Here is the answer you asked for:\n\n{text}\n\nLet me know if anything else is needed.")
        }
        Fault::TrailingCommas => trailing_commas(text),
        Fault::FullWidth => outside_strings(text, |c| match c {
            ':' => '：',
            ',' => '，',
            c => c,
        }),
        _ => return,
    };
    reply.text = dressed;
    reply.logprobs = None;
}

fn half(text: &str) -> &str {
    let end = (0..=text.len() / 2).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    &text[..end]
}

fn spoil(asked: &Asked, reply: &mut ChatReply) {
    match (reply.tool_calls.first_mut(), asked.forced_tool(), asked.text_schema()) {
        (Some(call), Some(tool), _) => call.arguments = violating(&tool.parameters, &call.arguments),
        (None, _, Some(schema)) => {
            let answer = serde_json::from_str(&reply.text).unwrap_or(Value::Null);
            reply.text = violating(&schema.schema, &answer).to_string();
        }
        _ => {}
    }
}

/// Without a field that is required, or of another type.
fn violating(schema: &Value, answer: &Value) -> Value {
    let root = schema.get("$ref").and_then(Value::as_str).and_then(|it| schema.pointer(it.strip_prefix('#')?));
    let schema = root.unwrap_or(schema);
    let required = schema.get("required").and_then(Value::as_array).and_then(|keys| keys.first()?.as_str());
    match (answer, required) {
        (Value::Object(object), Some(key)) => {
            let mut object = object.clone();
            object.remove(key);
            Value::Object(object)
        }
        _ if type_of(schema).as_deref() == Some("string") => json!(7),
        _ => json!("not what was asked for"),
    }
}

fn trailing_commas(json: &str) -> String {
    let mut out = String::new();
    let mut last = ' ';
    each_outside_strings(json, |c, outside| {
        // Nothing to follow in an empty object or list.
        if outside && matches!(c, '}' | ']') && !matches!(last, '{' | '[') {
            out.push(',');
        }
        out.push(c);
        last = c;
    });
    out
}

fn outside_strings(json: &str, change: impl Fn(char) -> char) -> String {
    let mut out = String::new();
    each_outside_strings(json, |c, outside| out.push(if outside { change(c) } else { c }));
    out
}

fn each_outside_strings(json: &str, mut visit: impl FnMut(char, bool)) {
    let (mut inside, mut escaped) = (false, false);
    for c in json.chars() {
        visit(c, !inside);
        match c {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_trail_only_where_something_is_before_them() {
        let json = r#"{"a":[1,2],"b":{},"c":"x,]}\"]"}"#;
        assert_eq!(trailing_commas(json), r#"{"a":[1,2,],"b":{},"c":"x,]}\"]",}"#);
    }

    #[test]
    fn strings_keep_their_punctuation() {
        let wide = outside_strings(r#"{"a: b":1,"c":"d,e"}"#, |c| if c == ':' { '：' } else { c });
        assert_eq!(wide, r#"{"a: b"：1,"c"："d,e"}"#);
    }

    #[test]
    fn a_violation_is_one_for_every_kind_of_schema() {
        for schema in [
            json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}),
            json!({"type": "string"}),
            json!({"type": "array", "items": {"type": "string"}}),
            json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": "object", "required": ["a"]}}}),
        ] {
            let answer = crate::clinician::minimal(&schema);
            assert!(jsonschema::is_valid(&schema, &answer));
            assert!(!jsonschema::is_valid(&schema, &violating(&schema, &answer)), "{schema}");
        }
    }
}
