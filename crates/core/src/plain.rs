//! What serde and TOML say is wrong, in words for whoever wrote the file.

/// Names of Rust's types, and what is to be written for them.
const TYPES: [(&[&str], &str); 6] = [
    (&["u8", "u16", "u32", "u64", "u128", "usize"], "a whole number, 0 or more"),
    (&["i8", "i16", "i32", "i64", "i128", "isize"], "a whole number"),
    (&["a nonzero u8", "a nonzero u16", "a nonzero u32", "a nonzero u64", "a nonzero usize"], "a whole number above 0"),
    (&["f32", "f64"], "a number"),
    (&["a boolean"], "true or false"),
    (&["a sequence"], "a list: [one, other]"),
];

/// ``invalid type: string "many", expected u64`` → `…, expected a whole number, 0 or more`. All other words are left as they are.
pub fn in_plain_words(message: &str) -> String {
    if message.starts_with("string values must be quoted") {
        return "a text stands in straight quotes (\"…\"), not in curly ones, and not without".to_owned();
    }
    let message = message.replace("` as i128", "`, which is too large").replace("` as u128", "`, which is too large");
    let Some((found, expected)) = message.rsplit_once("expected ") else { return message };
    // What stands behind the type is where it is: ` at line 3`, or the next line.
    let is_type = |name: &&&str| {
        expected.strip_prefix(**name).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    };
    let plain = TYPES.iter().find_map(|(names, plain)| names.iter().find(is_type).map(|name| (name.len(), plain)));
    match plain {
        Some((length, plain)) => format!("{found}expected {plain}{}", &expected[length..]),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(message: &str, told: &str) {
        assert_eq!(in_plain_words(message), told);
    }

    #[test]
    fn types_are_told_by_what_is_to_be_written() {
        check(
            "invalid type: string \"many\", expected u64",
            "invalid type: string \"many\", expected a whole number, 0 or more",
        );
        check(
            "invalid value: integer `0`, expected a nonzero u32",
            "invalid value: integer `0`, expected a whole number above 0",
        );
        check(
            "invalid type: boolean `true`, expected f64\nin `gap`\n",
            "invalid type: boolean `true`, expected a number\nin `gap`\n",
        );
        check(
            "invalid value: integer `99` as i128, expected u64",
            "invalid value: integer `99`, which is too large, expected a whole number, 0 or more",
        );
    }

    #[test]
    fn a_text_without_its_quotes_is_asked_for_them() {
        let told = "a text stands in straight quotes (\"…\"), not in curly ones, and not without";
        check("string values must be quoted, expected literal string", told);
    }

    #[test]
    fn other_messages_stay_as_they_are() {
        for message in
            ["unknown field `pears`, expected one of `pairs`, `gap`", "missing field `name`", "expected u64s"]
        {
            check(message, message);
        }
    }
}
