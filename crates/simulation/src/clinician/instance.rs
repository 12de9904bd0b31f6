//! JSON Schema → an instance of it. Also reads the capitals of Gemini's `responseSchema`.

use serde_json::{Map, Value, json};

/// Something to say for a field. What does not fit the schema is not used.
pub trait Fill {
    fn value(&mut self, _key: &str, _schema: &Value) -> Option<Value> {
        None
    }

    /// Whether the other fields of an object depend on this one.
    fn leads(&self, _key: &str) -> bool {
        false
    }

    /// How many items a list should have, where its limits allow.
    fn items(&mut self, _key: &str, _items: &Value) -> usize {
        0
    }
}

/// A schema that refers to itself ends here at the latest.
const DEEPEST: usize = 24;

pub fn instance(schema: &Value, fill: &mut dyn Fill) -> Value {
    Builder { root: schema, fill }.build("", schema, 0)
}

struct Builder<'a> {
    root: &'a Value,
    fill: &'a mut dyn Fill,
}

impl<'a> Builder<'a> {
    fn build(&mut self, key: &str, schema: &'a Value, depth: usize) -> Value {
        let schema = self.resolved(schema);
        if depth > DEEPEST {
            return Value::Null;
        }
        if let Some(fixed) = schema.get("const") {
            return fixed.clone();
        }
        if let Some(value) = self.fill.value(key, schema).filter(|value| fits(schema, value)) {
            return value;
        }
        if let Some(first) = schema.get("enum").and_then(Value::as_array).and_then(|values| values.first()) {
            return first.clone();
        }
        if let Some(options) = ["anyOf", "oneOf"].iter().find_map(|it| schema.get(it)).and_then(Value::as_array) {
            return self.one_of(key, schema, options, depth);
        }
        match type_of(schema).as_deref() {
            Some("object") => self.object(schema, depth),
            Some("array") => self.array(key, schema, depth),
            Some("string") => string(schema),
            Some("integer") => integer(schema),
            Some("number") => number(schema),
            Some("boolean") => Value::Bool(false),
            Some(_) => Value::Null,
            None => self.merged(key, schema, depth),
        }
    }

    /// The first option that is not null; where the schema runs deep, null where there is one.
    fn one_of(&mut self, key: &str, schema: &'a Value, options: &'a [Value], depth: usize) -> Value {
        let is_null = |option: &&Value| type_of(option).as_deref() == Some("null");
        let null = options.iter().find(is_null);
        let other = options.iter().find(|option| !is_null(option));
        let chosen = if depth > DEEPEST / 2 { null.or(other) } else { other.or(null) };
        let value = chosen.map_or(Value::Null, |option| self.build(key, option, depth + 1));
        match (value, schema.get("properties")) {
            // Options beside properties of their own: both hold.
            (Value::Object(mut own), Some(_)) => {
                if let Value::Object(outer) = self.object(schema, depth) {
                    own.extend(outer);
                }
                Value::Object(own)
            }
            (value, _) => value,
        }
    }

    /// `allOf`, or nothing that says what it is.
    fn merged(&mut self, key: &str, schema: &'a Value, depth: usize) -> Value {
        let Some(parts) = schema.get("allOf").and_then(Value::as_array) else {
            return json!("");
        };
        let mut merged = Map::new();
        for part in parts {
            match self.build(key, part, depth + 1) {
                Value::Object(object) => merged.extend(object),
                other => return other,
            }
        }
        Value::Object(merged)
    }

    fn object(&mut self, schema: &'a Value, depth: usize) -> Value {
        let mut object = Map::new();
        let required = schema.get("required").and_then(Value::as_array);
        let properties = schema.get("properties").and_then(Value::as_object);
        let is_required = |key: &String| required.is_some_and(|keys| keys.iter().any(|it| it == key));
        let mut wanted: Vec<_> = properties.into_iter().flatten().filter(|(key, _)| is_required(key)).collect();
        wanted.sort_by_key(|(key, _)| !self.fill.leads(key));
        for (key, property) in wanted {
            let value = self.build(key, property, depth + 1);
            object.insert(key.clone(), value);
        }
        for key in required.into_iter().flatten().filter_map(Value::as_str) {
            object.entry(key).or_insert(json!(""));
        }
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            if let Value::Object(more) = self.build("", part, depth + 1) {
                object.extend(more);
            }
        }
        let least = whole(schema, "minProperties").unwrap_or(0);
        let others = schema.get("additionalProperties").filter(|it| it.is_object());
        while object.len() < least {
            let value = others.map_or(Value::Null, |it| self.build("", it, depth + 1));
            object.insert(format!("key_{}", object.len()), value);
        }
        Value::Object(object)
    }

    fn array(&mut self, key: &str, schema: &'a Value, depth: usize) -> Value {
        let mut items: Vec<Value> = Vec::new();
        for item in schema.get("prefixItems").and_then(Value::as_array).into_iter().flatten() {
            items.push(self.build(key, item, depth + 1));
        }
        let Some(item) = schema.get("items").filter(|item| item.is_object()) else {
            let least = whole(schema, "minItems").unwrap_or(0);
            items.resize(items.len().max(least), json!(""));
            return Value::Array(items);
        };
        let resolved = self.resolved(item);
        let wanted = if depth > DEEPEST / 2 { 0 } else { self.fill.items(key, resolved) };
        let most = whole(schema, "maxItems").unwrap_or(usize::MAX);
        let count = wanted.max(whole(schema, "minItems").unwrap_or(0)).min(most);
        let unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
        while items.len() < count {
            let mut value = self.build(key, item, depth + 1);
            if unique && items.contains(&value) {
                value = another(resolved, &value, items.len());
            }
            items.push(value);
        }
        Value::Array(items)
    }

    fn resolved(&self, mut schema: &'a Value) -> &'a Value {
        for _ in 0..DEEPEST {
            let Some(path) = schema.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix('#')) else {
                break;
            };
            match self.root.pointer(path) {
                Some(target) => schema = target,
                None => break,
            }
        }
        schema
    }
}

/// The type in small letters; of several the first that is not null.
pub(crate) fn type_of(schema: &Value) -> Option<String> {
    let written = match schema.get("type") {
        Some(Value::String(one)) => Some(one.as_str()),
        Some(Value::Array(several)) => {
            let names = || several.iter().filter_map(Value::as_str);
            names().find(|name| *name != "null").or_else(|| names().next())
        }
        _ => None,
    };
    let implied = || {
        let has = |key: &str| schema.get(key).is_some();
        if has("properties") || has("required") {
            Some("object")
        } else if has("items") || has("prefixItems") {
            Some("array")
        } else {
            None
        }
    };
    written.or_else(implied).map(str::to_ascii_lowercase)
}

fn string(schema: &Value) -> Value {
    let text = match schema.get("format").and_then(Value::as_str) {
        Some("date") => "2025-11-15",
        Some("date-time") => "2025-11-15T00:00:00Z",
        Some("time") => "00:00:00Z",
        Some("email") => "nobody@example.org",
        Some("uri") => "https://example.org",
        Some("uuid") => "00000000-0000-4000-8000-000000000000",
        _ => "unknown",
    };
    let least = whole(schema, "minLength").unwrap_or(0);
    let most = whole(schema, "maxLength").unwrap_or(usize::MAX);
    let padded = text.chars().chain(std::iter::repeat('.'));
    Value::String(padded.take(least.max(text.chars().count()).min(most)).collect())
}

fn integer(schema: &Value) -> Value {
    let (low, high) = range(schema);
    let step = schema.get("multipleOf").and_then(Value::as_f64).filter(|step| *step > 0.0).unwrap_or(1.0);
    let from_low = low.map(|low| (low / step).ceil() * step);
    let value = from_low.unwrap_or_else(|| high.map_or(0.0, |high| (high.min(0.0) / step).floor() * step));
    Value::from(value as i64)
}

fn number(schema: &Value) -> Value {
    let (low, high) = range(schema);
    json!(low.unwrap_or_else(|| high.map_or(0.0, |high| high.min(0.0))))
}

/// Both ends allowed. What is excluded is stepped over by one, or by less where there is less room.
fn range(schema: &Value) -> (Option<f64>, Option<f64>) {
    let get = |key: &str| schema.get(key).and_then(Value::as_f64);
    let whole = type_of(schema).as_deref() == Some("integer");
    let step = match (get("exclusiveMinimum"), get("exclusiveMaximum").or(get("maximum"))) {
        (Some(low), Some(high)) if !whole && high - low <= 1.0 => (high - low) / 2.0,
        _ => 1.0,
    };
    let low = get("minimum").or(get("exclusiveMinimum").map(|low| low + step));
    let high = get("maximum").or(get("exclusiveMaximum").map(|high| high - step));
    (low, high)
}

fn whole(schema: &Value, key: &str) -> Option<usize> {
    // Gemini writes its counts as strings.
    let value = schema.get(key)?;
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
    usize::try_from(number).ok()
}

/// Another instance than the one before, for lists whose items must differ.
fn another(schema: &Value, value: &Value, number: usize) -> Value {
    let choices = schema.get("enum").and_then(Value::as_array);
    match (choices.and_then(|choices| choices.get(number)), value) {
        (Some(choice), _) => choice.clone(),
        (None, Value::String(text)) => json!(format!("{text}{number}")),
        (None, Value::Number(n)) => n.as_i64().map_or_else(|| value.clone(), |n| json!(n + number as i64)),
        _ => value.clone(),
    }
}

/// Whether a plain value keeps type, enum, range and length. Objects and lists are built, never filled in whole.
fn fits(schema: &Value, value: &Value) -> bool {
    if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
        return choices.contains(value);
    }
    let (low, high) = range(schema);
    let in_range = |x: f64| low.is_none_or(|low| x >= low) && high.is_none_or(|high| x <= high);
    match (type_of(schema).as_deref(), value) {
        (Some("string"), Value::String(text)) => {
            let letters = text.chars().count();
            whole(schema, "minLength").is_none_or(|least| letters >= least)
                && whole(schema, "maxLength").is_none_or(|most| letters <= most)
                && schema.get("format").is_none()
                && schema.get("pattern").is_none()
        }
        (Some("integer"), Value::Number(n)) => n.is_i64() && n.as_f64().is_some_and(in_range),
        (Some("number"), Value::Number(n)) => n.as_f64().is_some_and(in_range),
        (Some("boolean"), Value::Bool(_)) => true,
        _ => false,
    }
}
