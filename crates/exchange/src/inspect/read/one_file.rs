//! `.json`: a log in one object. Its samples are read one by one.

use super::head::Head;
use super::not_a_log;
use super::sample::Sample;
use crate::python_json::PythonJson;
use crate::recorded::Each;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use waterjar_core::SourceError;

type Json = serde_json::Deserializer<serde_json::de::IoRead<BufReader<PythonJson<File>>>>;

fn open(path: &Path) -> Result<Json, SourceError> {
    let cannot = |error| SourceError::new(path.display().to_string(), format!("cannot be read: {error}"));
    let file = File::open(path).map_err(cannot)?;
    Ok(serde_json::Deserializer::from_reader(BufReader::new(PythonJson::new(file))))
}

/// Goes through all of it, so that a log that is cut off is told before anything is made of it.
pub(super) fn head(path: &Path) -> Result<Head, SourceError> {
    serde::Deserialize::deserialize(&mut open(path)?).map_err(|error: serde_json::Error| match error.classify() {
        serde_json::error::Category::Eof => {
            SourceError::new(path.display().to_string(), format!("is cut off: {error}")).with_hint("copy it again")
        }
        _ => not_a_log(path, &error.to_string()),
    })
}

pub(super) fn each(path: &Path, each: Each<'_>) -> Result<(), SourceError> {
    let mut told = None;
    let samples = Samples { path, each, told: &mut told };
    let read = (&mut open(path)?).deserialize_map(samples);
    match told {
        Some(error) => Err(error),
        None => read.map_err(|error| SourceError::new(path.display().to_string(), error.to_string())),
    }
}

/// Stops at the first error of whoever takes the samples, which is kept in `told`.
struct Samples<'a, 'b> {
    path: &'a Path,
    each: Each<'b>,
    told: &'a mut Option<SourceError>,
}

impl<'de> Visitor<'de> for Samples<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a log of Inspect")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "samples" {
                map.next_value_seed(List(&mut self))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

struct List<'x, 'a, 'b>(&'x mut Samples<'a, 'b>);

impl<'de> DeserializeSeed<'de> for List<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for List<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of samples")
    }

    /// `null` in a log without samples.
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Self(samples) = self;
        while let Some(sample) = list.next_element::<Sample>()? {
            let taken = sample.recorded(samples.path).and_then(|it| (samples.each)(it));
            if let Err(error) = taken {
                *samples.told = Some(error);
                return Err(serde::de::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}
