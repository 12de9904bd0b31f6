//! Whether a value follows a schema. Choices and names that differ only in case, width or punctuation are put right on the way.
//!
//! Only what schemars writes is known. Another keyword that would restrict the value is an error, not something overlooked.

use crate::relaxed::narrow;
use serde_json::{Map, Value};

/// Whether anything was put right, or what is wrong.
pub(crate) fn fit(value: &mut Value, schema: &Value) -> Result<bool, String> {
    let mut fitting = Fitting { root: schema, faults: Vec::new(), changed: false, depth: 0 };
    fitting.fit(value, schema, "");
    // Three are enough to be told at once.
    fitting.faults.truncate(3);
    if fitting.faults.is_empty() { Ok(fitting.changed) } else { Err(fitting.faults.join("; ")) }
}

/// Say something about the value without restricting it, or are seen to together with another keyword.
const KNOWN: [&str; 35] = [
    "$schema",
    "$id",
    "$defs",
    "$comment",
    "$ref",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "format",
    "type",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "allOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "properties",
    "required",
    "additionalProperties",
    "minProperties",
    "maxProperties",
];

/// A schema that refers to itself without end is a slip.
const DEEPEST: usize = 200;

struct Fitting<'a> {
    root: &'a Value,
    faults: Vec<String>,
    changed: bool,
    depth: usize,
}

impl<'a> Fitting<'a> {
    fn fit(&mut self, value: &mut Value, schema: &'a Value, path: &str) {
        let schema = match schema {
            Value::Object(schema) => schema,
            Value::Bool(false) => return self.fault(path, "nothing is allowed here"),
            _ => return,
        };
        if let Some(unknown) = schema.keys().find(|key| !KNOWN.contains(&key.as_str()) && !key.starts_with("x-")) {
            return self.fault(path, &format!("the schema says `{unknown}`, which is not supported"));
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            self.fault(path, "it is nested too deeply");
        } else {
            self.fit_keywords(value, schema, path);
        }
        self.depth -= 1;
    }

    fn fit_keywords(&mut self, value: &mut Value, schema: &'a Map<String, Value>, path: &str) {
        if let Some(Value::String(reference)) = schema.get("$ref") {
            match reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer)) {
                Some(target) => self.fit(value, target, path),
                None => self.fault(path, &format!("the schema refers to `{reference}`, which is not there")),
            }
        }
        if let Some(options) = choices(schema) {
            return self.choose(value, &options, path);
        }
        if !self.fit_type(value, schema, path) {
            return;
        }
        for part in list(schema, "allOf") {
            self.fit(value, part, path);
        }
        for key in ["anyOf", "oneOf"] {
            if schema.contains_key(key) {
                self.fit_one_of(value, list(schema, key), path);
            }
        }
        match value {
            Value::Object(fields) => self.fit_object(fields, schema, path),
            Value::Array(items) => self.fit_array(items, schema, path),
            Value::String(text) => {
                let length = text.chars().count() as f64;
                self.within(length, schema, ["minLength", "maxLength"], path, "letters");
            }
            Value::Number(_) => self.fit_number(value, schema, path),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// The one among the options that means the same.
    fn choose(&mut self, value: &mut Value, options: &[&Value], path: &str) {
        if options.contains(&&*value) {
            return;
        }
        if let Value::String(said) = &*value {
            let meant = plain(said);
            let mut alike =
                options.iter().filter(|option| option.as_str().is_some_and(|option| plain(option) == meant));
            if let (Some(option), None) = (alike.next(), alike.next()) {
                *value = Value::clone(option);
                self.changed = true;
                return;
            }
        }
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        self.fault(path, &format!("{} is none of {}", shown(value), options.join(", ")));
    }

    fn fit_type(&mut self, value: &mut Value, schema: &Map<String, Value>, path: &str) -> bool {
        let types: Vec<&str> = match schema.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ => return true,
        };
        // 8.0 is a whole number in JSON Schema, but not to serde.
        if types.contains(&"integer")
            && !types.contains(&"number")
            && let Some(whole) =
                value.as_f64().filter(|number| value.is_f64() && number.fract() == 0.0 && number.abs() < 9e15)
        {
            *value = Value::from(whole as i64);
        }
        let fits = |name: &&str| match *name {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            _ => false,
        };
        let ok = types.iter().any(fits);
        if !ok {
            let wanted: Vec<&str> = types.iter().map(|name| in_words(name)).collect();
            self.fault(path, &format!("{} is not {}", shown(value), wanted.join(" or ")));
        }
        ok
    }

    /// The first that fits as it is, or else the first that fits when put right.
    fn fit_one_of(&mut self, value: &mut Value, branches: &'a [Value], path: &str) {
        let mut repaired = None;
        let mut closest: Option<Vec<String>> = None;
        for branch in branches {
            let mut tried = value.clone();
            let mut fitting = Fitting { root: self.root, faults: Vec::new(), changed: false, depth: self.depth };
            fitting.fit(&mut tried, branch, path);
            if fitting.faults.is_empty() && !fitting.changed {
                *value = tried;
                return;
            }
            if fitting.faults.is_empty() {
                repaired.get_or_insert(tried);
            } else if !is_null(branch) && closest.as_ref().is_none_or(|faults| fitting.faults.len() < faults.len()) {
                closest = Some(fitting.faults);
            }
        }
        match (repaired, closest) {
            (Some(tried), _) => {
                *value = tried;
                self.changed = true;
            }
            (None, Some(faults)) => self.faults.extend(faults),
            (None, None) => self.fault(path, &format!("{} is none of what is allowed", shown(value))),
        }
    }

    fn fit_object(&mut self, fields: &mut Map<String, Value>, schema: &'a Map<String, Value>, path: &str) {
        let none = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object);
        for name in properties.unwrap_or(&none).keys() {
            self.rename_to(fields, name, properties.unwrap_or(&none));
        }
        for name in list(schema, "required").iter().filter_map(Value::as_str) {
            if !fields.contains_key(name) {
                self.fault(path, &format!("`{name}` is missing"));
            }
        }
        let others = schema.get("additionalProperties");
        for (name, value) in fields.iter_mut() {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            match (properties.and_then(|properties| properties.get(name)), others) {
                (Some(schema), _) => self.fit(value, schema, &path),
                (None, Some(Value::Bool(false))) => self.fault(&path, "it was not asked for"),
                (None, Some(schema)) => self.fit(value, schema, &path),
                (None, None) => {}
            }
        }
        self.within(fields.len() as f64, schema, ["minProperties", "maxProperties"], path, "fields");
    }

    /// `Diagnosis` for `diagnosis`, where it can mean nothing else.
    fn rename_to(&mut self, fields: &mut Map<String, Value>, name: &str, properties: &Map<String, Value>) {
        if fields.contains_key(name) {
            return;
        }
        let meant = plain(name);
        let mut alike = fields.keys().filter(|key| !properties.contains_key(*key) && plain(key) == meant);
        if let (Some(key), None) = (alike.next().cloned(), alike.next()) {
            if let Some(value) = fields.remove(&key) {
                fields.insert(name.to_owned(), value);
            }
            self.changed = true;
        }
    }

    fn fit_array(&mut self, items: &mut [Value], schema: &'a Map<String, Value>, path: &str) {
        let first = list(schema, "prefixItems");
        for (n, item) in items.iter_mut().enumerate() {
            if let Some(schema) = first.get(n).or_else(|| schema.get("items")) {
                self.fit(item, schema, &format!("{path}[{n}]"));
            }
        }
        if schema.get("uniqueItems") == Some(&Value::Bool(true))
            && (1..items.len()).any(|n| items[..n].contains(&items[n]))
        {
            self.fault(path, "something is in it twice");
        }
        self.within(items.len() as f64, schema, ["minItems", "maxItems"], path, "items");
    }

    fn fit_number(&mut self, value: &Value, schema: &Map<String, Value>, path: &str) {
        let number = value.as_f64().unwrap_or(f64::NAN);
        let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
        if let Some(most) = bound("maximum").filter(|most| number > *most) {
            self.fault(path, &format!("{value} is more than {most}"));
        }
        if let Some(least) = bound("minimum").filter(|least| number < *least) {
            self.fault(path, &format!("{value} is less than {least}"));
        }
        if let Some(most) = bound("exclusiveMaximum").filter(|most| number >= *most) {
            self.fault(path, &format!("{value} is not less than {most}"));
        }
        if let Some(least) = bound("exclusiveMinimum").filter(|least| number <= *least) {
            self.fault(path, &format!("{value} is not more than {least}"));
        }
    }

    fn within(&mut self, n: f64, schema: &Map<String, Value>, keys: [&str; 2], path: &str, what: &str) {
        let [least, most] = keys.map(|key| schema.get(key).and_then(Value::as_f64));
        if let Some(least) = least.filter(|least| n < *least) {
            self.fault(path, &format!("{n} {what} are fewer than {least}"));
        }
        if let Some(most) = most.filter(|most| n > *most) {
            self.fault(path, &format!("{n} {what} are more than {most}"));
        }
    }

    fn fault(&mut self, path: &str, problem: &str) {
        self.faults.push(if path.is_empty() { problem.to_owned() } else { format!("{path}: {problem}") });
    }
}

/// Of `enum`, `const`, or a `oneOf` with one `const` in each, which is how schemars writes choices that have descriptions.
fn choices(schema: &Map<String, Value>) -> Option<Vec<&Value>> {
    if let Some(Value::Array(options)) = schema.get("enum") {
        return Some(options.iter().collect());
    }
    if let Some(only) = schema.get("const") {
        return Some(vec![only]);
    }
    let mut options = Vec::new();
    for branch in list(schema, "oneOf") {
        let branch = branch.as_object()?;
        if branch.contains_key("properties") {
            return None;
        }
        options.extend(choices(branch)?);
    }
    (!options.is_empty()).then_some(options)
}

fn list<'a>(schema: &'a Map<String, Value>, key: &str) -> &'a [Value] {
    schema.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("null")
}

/// Without what does not change the meaning of a choice: case, width, spaces, and punctuation around it.
fn plain(text: &str) -> String {
    let text: String = text.chars().map(narrow).collect();
    let text = text.trim_matches(|c: char| c.is_whitespace() || ".,;:!?\"'`*()[]。，、；：！？“”‘’「」".contains(c));
    let joined = text.to_lowercase().replace(['-', ' '], "_");
    joined.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 60 { text } else { text.chars().take(60).chain(['…']).collect() }
}

fn in_words(name: &str) -> &str {
    match name {
        "object" => "an object",
        "array" => "a list",
        "string" => "a string",
        "boolean" => "true or false",
        "number" => "a number",
        "integer" => "a whole number",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::{JsonSchema, schema_for};
    use serde_json::json;
    use std::collections::BTreeMap;

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is used")]
    #[schemars(deny_unknown_fields)]
    struct Report {
        ranked: Vec<Ranked>,
        note: Option<String>,
        judged: Option<Judgement>,
        #[schemars(length(min = 1, max = 3))]
        tags: Option<Vec<Tag>>,
        counts: Option<BTreeMap<String, u32>>,
        nested: Option<Box<Report>>,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is used")]
    struct Ranked {
        #[schemars(length(min = 1))]
        label: String,
        rank: u8,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is used")]
    enum Tag {
        /// Can be seen.
        Plausible,
        /// Cannot.
        Absurd,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is used")]
    #[schemars(tag = "kind", rename_all = "snake_case")]
    enum Judgement {
        Kept { why: String },
        Dropped { score: f64 },
    }

    fn check(mut value: Value, expected: Result<Value, &str>) {
        let before = value.clone();
        let outcome = fit(&mut value, &schema_for!(Report).to_value());
        match (outcome, expected) {
            (Ok(changed), Ok(expected)) => {
                assert_eq!(value, expected);
                assert_eq!(changed, before != expected);
            }
            (Err(told), Err(expected)) => assert_eq!(told, expected),
            (outcome, _) => panic!("{before}: {outcome:?}"),
        }
    }

    fn same(value: Value) {
        check(value.clone(), Ok(value));
    }

    #[test]
    fn what_follows_the_schema_is_left_alone() {
        same(json!({"ranked": []}));
        same(json!({"ranked": [{"label": "PE", "rank": 1}], "note": null, "tags": ["Absurd"], "counts": {"a": 1}}));
        same(json!({"ranked": [], "judged": {"kind": "kept", "why": "x"}, "nested": {"ranked": []}}));
    }

    #[test]
    fn choices_and_names_are_put_right_at_any_depth() {
        check(
            json!({"Ranked": [], "tags": ["plausible."], "judged": {"kind": "Dropped", "score": 1}, "nested": {"RANKED": []}}),
            Ok(
                json!({"ranked": [], "tags": ["Plausible"], "judged": {"kind": "dropped", "score": 1}, "nested": {"ranked": []}}),
            ),
        );
    }

    #[test]
    fn everything_else_is_a_fault_with_its_place() {
        check(json!([]), Err("[] is not an object"));
        check(json!({}), Err("`ranked` is missing"));
        check(json!({"ranked": [], "extra": 1}), Err("extra: it was not asked for"));
        check(json!({"ranked": [{"label": "", "rank": 1}]}), Err("ranked[0].label: 0 letters are fewer than 1"));
        check(json!({"ranked": [{"label": "x", "rank": 256}]}), Err("ranked[0].rank: 256 is more than 255"));
        check(json!({"ranked": [{"label": "x", "rank": 1.5}]}), Err("ranked[0].rank: 1.5 is not a whole number"));
        check(json!({"ranked": [], "tags": []}), Err("tags: 0 items are fewer than 1"));
        check(json!({"ranked": [], "tags": ["odd"]}), Err("tags[0]: \"odd\" is none of \"Plausible\", \"Absurd\""));
        check(json!({"ranked": [], "counts": {"a": -1}}), Err("counts.a: -1 is less than 0"));
        check(json!({"ranked": [], "judged": {"kind": "kept"}}), Err("judged: `why` is missing"));
        check(json!({"ranked": [], "nested": {"ranked": 3}}), Err("nested.ranked: 3 is not a list"));
    }

    #[test]
    fn eight_point_zero_is_a_whole_number() {
        let mut value = json!({"ranked": [{"label": "x", "rank": 8.0}]});
        fit(&mut value, &schema_for!(Report).to_value()).unwrap();
        assert_eq!(value["ranked"][0]["rank"], json!(8));
    }

    #[test]
    fn a_choice_that_could_be_two_is_none() {
        let mut value = json!("yes!");
        let told = fit(&mut value, &json!({"enum": ["Yes", "YES"]})).unwrap_err();
        assert_eq!(told, "\"yes!\" is none of \"Yes\", \"YES\"");
    }

    #[test]
    fn a_keyword_nobody_checks_is_told_and_not_overlooked() {
        let told = fit(&mut json!("x"), &json!({"type": "string", "pattern": "^a"})).unwrap_err();
        assert_eq!(told, "the schema says `pattern`, which is not supported");
    }
}
