//! A list within one large JSON object, item by item: the object is never held whole.

use crate::python_json::PythonJson;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::marker::PhantomData;
use std::path::Path;
use waterjar_core::SourceError;

pub(crate) type Json = serde_json::Deserializer<serde_json::de::IoRead<BufReader<PythonJson<File>>>>;

pub(crate) fn open(path: &Path) -> Result<Json, SourceError> {
    let file = File::open(path).map_err(|error| SourceError::unreadable(path, &error))?;
    Ok(serde_json::Deserializer::from_reader(BufReader::new(PythonJson::new(file))))
}

/// `keys` lead to the list. Stops at the first error of whoever takes the items.
pub(crate) fn each<T: DeserializeOwned>(
    path: &Path,
    keys: &[&str],
    each: &mut dyn FnMut(T) -> Result<(), SourceError>,
) -> Result<(), SourceError> {
    let mut told = None;
    let seed = At { keys, each, told: &mut told, of: PhantomData };
    let read = seed.deserialize(&mut open(path)?);
    match told {
        Some(error) => Err(error),
        None => read.map_err(|error| SourceError::at(path, error.to_string())),
    }
}

struct At<'a, T> {
    keys: &'a [&'a str],
    each: &'a mut dyn FnMut(T) -> Result<(), SourceError>,
    told: &'a mut Option<SourceError>,
    of: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for At<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        if self.keys.is_empty() { from.deserialize_any(self) } else { from.deserialize_map(self) }
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for At<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.keys.first() {
            Some(key) => write!(f, "an object with `{key}`"),
            None => f.write_str("a list"),
        }
    }

    /// `null` in place of a list.
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { keys, each, told, .. } = self;
        while let Some(key) = map.next_key::<String>()? {
            match keys.split_first() {
                Some((wanted, rest)) if key == *wanted => {
                    map.next_value_seed(At { keys: rest, each: &mut *each, told: &mut *told, of: PhantomData })?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(item) = list.next_element::<T>()? {
            if let Err(error) = (self.each)(item) {
                *self.told = Some(error);
                return Err(serde::de::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}
