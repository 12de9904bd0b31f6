//! `POST …/embeddings` in OpenAI's format: a vector per text, the same for the same text, nearer for texts that share words.

use super::ApiError;
use serde::Deserialize;
use serde_json::{Value, json};

const WIDTH: usize = 64;

#[derive(Deserialize)]
struct Asked {
    model: String,
    input: Input,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    One(String),
    Many(Vec<String>),
}

pub fn is_path(path: &str) -> bool {
    path.ends_with("/embeddings")
}

pub fn reply(body: &[u8]) -> Result<Value, ApiError> {
    let bad = |message: String| ApiError::invalid(message);
    let asked: Asked = serde_json::from_slice(body).map_err(|error| bad(error.to_string()))?;
    let texts = match asked.input {
        Input::One(text) => vec![text],
        Input::Many(texts) => texts,
    };
    if texts.is_empty() || texts.iter().any(|text| text.trim().is_empty()) {
        return Err(bad("'$.input' is invalid: an empty text".to_owned()));
    }
    let tokens: usize = texts.iter().map(|text| text.split_whitespace().count()).sum();
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| json!({ "object": "embedding", "index": index, "embedding": vector(text) }))
        .collect();
    Ok(json!({
        "object": "list",
        "data": data,
        "model": asked.model,
        "usage": { "prompt_tokens": tokens, "total_tokens": tokens },
    }))
}

/// Words, hashed to places.
fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0_f32; WIDTH];
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let hash = word
            .to_lowercase()
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        vector[(hash >> 7) as usize % WIDTH] += 1.0;
    }
    let length = vector.iter().map(|it| it * it).sum::<f32>().sqrt().max(1e-6);
    vector.iter().map(|it| it / length).collect()
}
