//! Canonical JSON (RFC 8785), for hashing: the same content has the same bytes, whatever the order of its fields.

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use std::cmp::Ordering;
use std::io;

/// Every question is hashed twice, once for its response and once for its reply, so this is worth being quick: it writes the bytes that
/// `serde_jcs` writes, several times as fast, and leaves numbers that are not small and whole to it.
///
/// A number that JSON does not have (NaN, infinity) is written as `null`, as `serde_json` does it.
pub fn canonical<T: Serialize + ?Sized>(content: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut written = Written { bytes: Vec::with_capacity(4096), ..Written::default() };
    content.serialize(&mut Serializer::with_formatter(io::sink(), &mut written))?;
    Ok(written.bytes)
}

/// Objects are written in the order in which they come, and put in order when they end.
#[derive(Default)]
struct Written {
    bytes: Vec<u8>,
    /// Of each object that is not ended: where its members begin, in `bytes` and in `members`.
    open: Vec<(usize, usize)>,
    members: Vec<Member>,
    aside: Vec<u8>,
}

/// The places in `bytes` of a key with its quotes, and of the key with its value.
#[derive(Clone, Copy, Default)]
struct Member {
    begin: usize,
    key_end: usize,
    end: usize,
}

/// Larger whole numbers are not all numbers in JavaScript, which the standard follows.
const LARGEST: u64 = 1 << 53;

impl Written {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn whole(&mut self, negative: bool, size: u64) -> io::Result<()> {
        let sign = if negative { -1.0 } else { 1.0 };
        if size > LARGEST {
            return self.number(sign * size as f64);
        }
        if negative {
            self.bytes.push(b'-');
        }
        CompactFormatter.write_u64(&mut self.bytes, size)
    }

    fn number(&mut self, number: f64) -> io::Result<()> {
        self.put(&serde_jcs::to_vec(&number)?)
    }

    fn end_object(&mut self) {
        let Some((begin, first)) = self.open.pop() else { return };
        let key = |member: &Member| &self.bytes[member.begin + 1..member.key_end - 1];
        let members = &mut self.members[first..];
        if !members.is_sorted_by(|a, b| compare(key(a), key(b)) != Ordering::Greater) {
            members.sort_by(|a, b| compare(key(a), key(b)));
            self.aside.clear();
            for member in members {
                if !self.aside.is_empty() {
                    self.aside.push(b',');
                }
                self.aside.extend_from_slice(&self.bytes[member.begin..member.end]);
            }
            // The same members and commas as before, so as long as before.
            self.bytes.truncate(begin);
            self.bytes.extend_from_slice(&self.aside);
        }
        self.members.truncate(first);
        self.bytes.push(b'}');
    }
}

/// By code units of UTF-16, as the standard has it; for plain ASCII that is by bytes.
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let plain = |key: &[u8]| key.is_ascii() && !key.contains(&b'\\');
    if plain(a) && plain(b) { a.cmp(b) } else { units(a).cmp(&units(b)) }
}

fn units(key: &[u8]) -> Vec<u16> {
    let quoted = [b"\"", key, b"\""].concat();
    let key: String = serde_json::from_slice(&quoted).expect("it was written as a JSON string");
    key.encode_utf16().collect()
}

/// Nothing goes to the writer: what is written may still move.
impl Formatter for &mut Written {
    fn write_null<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.put(b"null")
    }

    fn write_bool<W: io::Write + ?Sized>(&mut self, _: &mut W, value: bool) -> io::Result<()> {
        self.put(if value { b"true" } else { b"false" })
    }

    fn write_i8<W: io::Write + ?Sized>(&mut self, _: &mut W, value: i8) -> io::Result<()> {
        self.whole(value < 0, value.unsigned_abs().into())
    }

    fn write_i16<W: io::Write + ?Sized>(&mut self, _: &mut W, value: i16) -> io::Result<()> {
        self.whole(value < 0, value.unsigned_abs().into())
    }

    fn write_i32<W: io::Write + ?Sized>(&mut self, _: &mut W, value: i32) -> io::Result<()> {
        self.whole(value < 0, value.unsigned_abs().into())
    }

    fn write_i64<W: io::Write + ?Sized>(&mut self, _: &mut W, value: i64) -> io::Result<()> {
        self.whole(value < 0, value.unsigned_abs())
    }

    fn write_i128<W: io::Write + ?Sized>(&mut self, _: &mut W, value: i128) -> io::Result<()> {
        self.number(value as f64)
    }

    fn write_u8<W: io::Write + ?Sized>(&mut self, _: &mut W, value: u8) -> io::Result<()> {
        self.whole(false, value.into())
    }

    fn write_u16<W: io::Write + ?Sized>(&mut self, _: &mut W, value: u16) -> io::Result<()> {
        self.whole(false, value.into())
    }

    fn write_u32<W: io::Write + ?Sized>(&mut self, _: &mut W, value: u32) -> io::Result<()> {
        self.whole(false, value.into())
    }

    fn write_u64<W: io::Write + ?Sized>(&mut self, _: &mut W, value: u64) -> io::Result<()> {
        self.whole(false, value)
    }

    fn write_u128<W: io::Write + ?Sized>(&mut self, _: &mut W, value: u128) -> io::Result<()> {
        self.number(value as f64)
    }

    fn write_f32<W: io::Write + ?Sized>(&mut self, _: &mut W, value: f32) -> io::Result<()> {
        self.number(value.into())
    }

    fn write_f64<W: io::Write + ?Sized>(&mut self, _: &mut W, value: f64) -> io::Result<()> {
        self.number(value)
    }

    fn begin_string<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.put(b"\"")
    }

    fn end_string<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.put(b"\"")
    }

    fn write_string_fragment<W: io::Write + ?Sized>(&mut self, _: &mut W, fragment: &str) -> io::Result<()> {
        self.put(fragment.as_bytes())
    }

    fn write_char_escape<W: io::Write + ?Sized>(
        &mut self,
        _: &mut W,
        escape: serde_json::ser::CharEscape,
    ) -> io::Result<()> {
        CompactFormatter.write_char_escape(&mut self.bytes, escape)
    }

    fn begin_array<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.put(b"[")
    }

    fn end_array<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.put(b"]")
    }

    fn begin_array_value<W: io::Write + ?Sized>(&mut self, _: &mut W, first: bool) -> io::Result<()> {
        self.put(if first { b"" } else { b"," })
    }

    fn begin_object<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.bytes.push(b'{');
        self.open.push((self.bytes.len(), self.members.len()));
        Ok(())
    }

    fn end_object<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        Written::end_object(self);
        Ok(())
    }

    fn begin_object_key<W: io::Write + ?Sized>(&mut self, _: &mut W, first: bool) -> io::Result<()> {
        if !first {
            self.bytes.push(b',');
        }
        let begin = self.bytes.len();
        self.members.push(Member { begin, ..Member::default() });
        Ok(())
    }

    fn end_object_key<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        let end = self.bytes.len();
        if let Some(member) = self.members.last_mut() {
            member.key_end = end;
        }
        Ok(())
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.put(b":")
    }

    fn end_object_value<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        let end = self.bytes.len();
        // Those of the objects inside are gone by now: the last one is ours.
        if let Some(member) = self.members.last_mut() {
            member.end = end;
        }
        Ok(())
    }

    fn write_raw_fragment<W: io::Write + ?Sized>(&mut self, _: &mut W, fragment: &str) -> io::Result<()> {
        let value: serde_json::Value = serde_json::from_str(fragment)?;
        self.put(&canonical(&value)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn check(value: &impl Serialize) {
        let ours = canonical(value).unwrap();
        assert_eq!(String::from_utf8_lossy(&ours), serde_jcs::to_string(value).unwrap());
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let text = prop_oneof![any::<String>(), "[a-e\"\\\\\n€😀\u{1}]{0,6}", "[a-c]{1,2}"];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-9i64..9).prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            text.prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            let key = prop_oneof![any::<String>(), "[a-e\"\\\\\n€😀\u{1}]{0,6}", "[a-c]{1,2}"];
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
                prop::collection::vec((key, inner), 0..8).prop_map(|members| members.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_bytes_are_those_of_the_reference(value in any_value()) {
            check(&value);
        }
    }

    #[test]
    fn whole_numbers_at_the_edges_are_those_of_the_reference() {
        check(&json!([0, -1, u64::MAX, i64::MIN, i64::MAX, LARGEST, LARGEST + 1, LARGEST - 1, -(LARGEST as i64) - 1]));
        check(&json!([0.0, -0.0, 1.0, 1e21, 1e-7, 0.1, f64::MAX, f64::MIN_POSITIVE]));
        check(&(u8::MAX, i8::MIN, u16::MAX, i16::MIN, u32::MAX, i32::MIN, 1.5f32, u128::MAX, i128::MIN));
    }

    #[test]
    fn objects_within_objects_are_put_in_order() {
        check(
            &json!({ "b": { "z": 1, "y": [{ "d": 1, "c": 2 }] }, "a": {}, "€": 1, "\u{e000}": 2, "😀": 3, "a\"": 4 }),
        );
        assert_eq!(canonical(&json!({ "b": { "d": 1, "c": 2 }, "a": 3 })).unwrap(), br#"{"a":3,"b":{"c":2,"d":1}}"#);
    }
}
