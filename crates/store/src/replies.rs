//! Replies by content: what was asked before is not asked again.

use crate::body::{from_body, to_body};
use crate::insert::{Insert, Places, Row};
use crate::sql::{Value, sql};
use crate::{Store, StoreError};
use std::collections::HashMap;
use waterjar_core::{ChatReply, ChatRequest, ModelId};

const INSERT: Insert = Insert {
    into: "INSERT INTO replies (key, model, request, reply) VALUES",
    columns: 4,
    // The first reply stays: others may have read it already.
    conflict: "ON CONFLICT DO NOTHING",
};

const KEYS: &str = "SELECT key FROM replies WHERE key > $1 ORDER BY key LIMIT $2";

/// Keys looked up in one statement.
const MOST_KEYS: usize = 64;

#[derive(Clone, Copy, Debug)]
pub struct NewReply<'a> {
    /// A hash of all that decides the reply.
    pub key: &'a str,
    pub model: &'a ModelId,
    pub request: &'a ChatRequest,
    pub reply: &'a ChatReply,
}

impl Store {
    /// The replies that are there, by key. What a writer was given counts once it is committed.
    pub async fn replies(&self, keys: &[String]) -> Result<HashMap<String, ChatReply>, StoreError> {
        let mut found = HashMap::with_capacity(keys.len());
        for some in keys.chunks(MOST_KEYS) {
            for (key, body) in self.reply_bodies(some).await? {
                let reply = from_body("replies", &key, &body)?;
                found.insert(key, reply);
            }
        }
        Ok(found)
    }

    /// All keys after one (the empty string to begin), in their order.
    pub async fn reply_keys(&self, after: &str, limit: u32) -> Result<Vec<String>, StoreError> {
        let keys: Vec<(String,)> = self.database.rows(sql(KEYS).bind(after).bind(limit)).await?;
        Ok(keys.into_iter().map(|(key,)| key).collect())
    }

    async fn reply_bodies(&self, keys: &[String]) -> Result<Vec<(String, String)>, StoreError> {
        // Powers of two, so that few statements are prepared; a key given twice is found once.
        let places = keys.len().next_power_of_two();
        let places_of = if self.is_shared() { Places::Numbered } else { Places::Unnumbered };
        let mut query = sql(lookup(places, places_of));
        for place in 0..places {
            query = query.bind(&keys[place.min(keys.len() - 1)]);
        }
        self.database.rows(query).await
    }
}

fn lookup(places: usize, written: Places) -> String {
    let mut sql = "SELECT key, reply FROM replies WHERE key IN (".to_owned();
    for place in 1..=places {
        if place > 1 {
            sql.push_str(", ");
        }
        written.push(place, &mut sql);
    }
    sql.push(')');
    sql
}

#[derive(Debug)]
pub(crate) struct ReplyRow {
    key: String,
    model: String,
    request: String,
    reply: String,
}

impl ReplyRow {
    pub fn of(new: &NewReply<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            key: new.key.to_owned(),
            model: new.model.as_str().to_owned(),
            request: to_body("replies", new.key, new.request)?,
            reply: to_body("replies", new.key, new.reply)?,
        })
    }
}

impl Row for ReplyRow {
    const INSERT: Insert = INSERT;

    fn long(&self) -> usize {
        self.request.len() + self.reply.len()
    }

    fn values(self, into: &mut Vec<Value>) {
        into.extend([self.key.into(), self.model.into(), self.request.into(), self.reply.into()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::new_run;

    #[tokio::test]
    async fn a_reply_is_found_by_its_key_and_the_first_one_stays() {
        let run = new_run().await;
        let writer = run.store.writer();
        for (key, text) in [("a", "first"), ("a", "second"), ("b", "other")] {
            writer.reply(&new_reply(key, &ChatReply::text(text))).await.unwrap();
        }
        writer.flush().await.unwrap();
        let keys: Vec<String> = ["a", "b", "c", "a", "a"].map(str::to_owned).into();
        let found = run.store.replies(&keys).await.unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found["a"], ChatReply::text("first"));
        assert_eq!(found["b"], ChatReply::text("other"));
        assert!(run.store.replies(&[]).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn any_number_of_keys_may_be_asked_for() {
        let run = new_run().await;
        let writer = run.store.writer();
        let keys: Vec<String> = (0..150).map(|n| format!("key{n}")).collect();
        for key in &keys {
            writer.reply(&new_reply(key, &ChatReply::text(key))).await.unwrap();
        }
        writer.flush().await.unwrap();
        let found = run.store.replies(&keys).await.unwrap();
        assert!(keys.iter().all(|key| found[key].text == *key));
        let mut listed = Vec::new();
        loop {
            let some = run.store.reply_keys(listed.last().map_or("", String::as_str), 100).await.unwrap();
            if some.is_empty() {
                break;
            }
            listed.extend(some);
        }
        let mut sorted = keys;
        sorted.sort();
        assert_eq!(listed, sorted);
    }

    fn new_reply<'a>(key: &'a str, reply: &'a ChatReply) -> NewReply<'a> {
        NewReply { key, model: Box::leak(Box::new("m".into())), request: Box::leak(Box::default()), reply }
    }
}
