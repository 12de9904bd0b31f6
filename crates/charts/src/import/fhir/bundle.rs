//! The resources of a bundle, streamed.

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use waterjar_core::SourceError;

/// Where a resource stands (`file, entry 12`), its full URL, and itself.
pub(super) type EachResource<'a> = dyn FnMut(&dyn Fn() -> String, Option<&str>, &Value) -> Result<(), SourceError> + 'a;

pub(super) fn each_resource(path: &Path, each: &mut EachResource<'_>) -> Result<(), SourceError> {
    let file = File::open(path).map_err(|error| SourceError::unreadable(path, &error))?;
    let mut reader = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 16, file));
    let mut state = State { path, each, failure: None, kind: None, entries: 0 };
    let read = Bundle(&mut state).deserialize(&mut reader);
    if let Some(error) = state.failure {
        return Err(error);
    }
    read.map_err(|error| {
        let problem = format!("the bundle breaks off or is no JSON: {error}");
        SourceError::new(format!("{}, after entry {}", path.display(), state.entries), problem)
            .with_hint("export the bundle again")
    })?;
    match state.kind.as_deref() {
        Some("Bundle") => Ok(()),
        Some(kind) => Err(SourceError::at(path, format!("is a {kind}, not a Bundle"))
            .with_hint("put it into a Bundle, or all resources a line each into an .ndjson file")),
        None => Err(SourceError::at(path, "has no resourceType, so it is no FHIR bundle")),
    }
}

struct State<'a, 'b> {
    path: &'a Path,
    each: &'a mut EachResource<'b>,
    failure: Option<SourceError>,
    kind: Option<String>,
    entries: u64,
}

#[derive(Deserialize)]
struct BundleEntry {
    #[serde(rename = "fullUrl")]
    full_url: Option<String>,
    resource: Option<Value>,
}

struct Bundle<'a, 'b, 'c>(&'a mut State<'b, 'c>);
struct Entries<'a, 'b, 'c>(&'a mut State<'b, 'c>);

impl<'de> DeserializeSeed<'de> for Bundle<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Bundle<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a FHIR bundle")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "resourceType" => self.0.kind = Some(map.next_value()?),
                "entry" => map.next_value_seed(Entries(self.0))?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Entries<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Entries<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the entries of a bundle")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let state = self.0;
        while let Some(entry) = entries.next_element::<BundleEntry>()? {
            state.entries += 1;
            let Some(resource) = entry.resource else { continue };
            let (path, number) = (state.path, state.entries);
            let place = || format!("{}, entry {number}", path.display());
            if let Err(error) = (state.each)(&place, entry.full_url.as_deref(), &resource) {
                state.failure = Some(error);
                return Err(serde::de::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}
