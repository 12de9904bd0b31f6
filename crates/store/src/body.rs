//! A noun of `core` to the text of a `body` column and back.

use crate::StoreError;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) fn to_body<T: Serialize + ?Sized>(table: &'static str, id: &str, noun: &T) -> Result<String, StoreError> {
    serde_json::to_string(noun).map_err(|error| StoreError::Body {
        table,
        id: id.to_owned(),
        problem: format!("it cannot be written as JSON: {error}"),
    })
}

pub(crate) fn from_body<T: DeserializeOwned>(table: &'static str, id: &str, body: &str) -> Result<T, StoreError> {
    serde_json::from_str(body).map_err(|error| StoreError::Body {
        table,
        id: id.to_owned(),
        problem: format!("the stored JSON cannot be read: {error}"),
    })
}
