//! The embedder: texts to pieces, pieces to packs, packs over all cores.

use crate::encoder::{Scratch, encode};
use crate::lanes::to_length_one;
use crate::pack::packs;
use crate::tokens::{Pieces, Tokens};
use crate::weights::{WIDTH, Weights};
use crate::{EmbeddingError, ModelFiles};
use async_trait::async_trait;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use waterjar_core::{Embedder, ModelError, cosine};

/// all-MiniLM-L6-v2, mean pooling, length 1. Clones share it.
#[derive(Clone)]
pub struct MiniLm {
    inner: Arc<Inner>,
}

struct Inner {
    weights: Weights,
    tokens: Tokens,
    length: Length,
    fingerprint: String,
    texts: AtomicU64,
    cut: AtomicU64,
}

/// What becomes of a text longer than the model takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Length {
    /// The first 256 tokens count, as published.
    #[default]
    First,
    /// All of it, in windows of 256 tokens; the vector is their mean, each weighted by its length.
    Windows,
}

/// How many of the texts embedded so far were longer than the model takes, and so cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub texts: u64,
    pub cut: u64,
}

impl MiniLm {
    pub fn open(files: &ModelFiles, length: Length) -> Result<Self, EmbeddingError> {
        let weights = Weights::read(&files.weights)?;
        let tokens = Tokens::read(&files.tokenizer)?;
        let mut hash = blake3::Hasher::new();
        for path in [&files.weights, &files.tokenizer] {
            let file = std::fs::File::open(path).map_err(|error| EmbeddingError::file(path, error))?;
            hash.update_reader(file).map_err(|error| EmbeddingError::file(path, error))?;
        }
        let fingerprint = hash.finalize().to_hex()[..16].to_owned();
        let inner = Inner { weights, tokens, length, fingerprint, texts: AtomicU64::new(0), cut: AtomicU64::new(0) };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// In the order of the texts; on as many threads as rayon has.
    pub fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        self.inner.vectors(texts)
    }

    /// How alike two texts are, pair by pair, from -1 to 1. A text without words has no direction, so nothing is like or unlike it.
    pub fn likeness(&self, pairs: &[(&str, &str)]) -> Result<Vec<Option<f64>>, EmbeddingError> {
        let texts: Vec<&str> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let vectors = self.vectors(&texts)?;
        let has_words = |vector: &[f32]| vector.iter().any(|it| *it != 0.0);
        let alike = |pair: &[Vec<f32>]| match pair {
            [a, b] if has_words(a) && has_words(b) => Some(f64::from(cosine(a, b))),
            _ => None,
        };
        Ok(vectors.chunks(2).map(alike).collect())
    }

    pub fn share(&self) -> Share {
        Share { texts: self.inner.texts.load(Ordering::Relaxed), cut: self.inner.cut.load(Ordering::Relaxed) }
    }
}

#[async_trait]
impl Embedder for MiniLm {
    fn id(&self) -> String {
        let length = match self.inner.length {
            Length::First => "256 tokens",
            Length::Windows => "windows",
        };
        format!("all-MiniLM-L6-v2/{} {length}", self.inner.fingerprint)
    }

    fn cuts(&self, text: &str) -> bool {
        self.inner.tokens.pieces(text, self.inner.length).is_ok_and(|it| it.cut)
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let (send, done) = tokio::sync::oneshot::channel();
        let (engine, texts) = (Arc::clone(&self.inner), texts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        rayon::spawn(move || {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            // Whoever asked may have gone.
            let _ = send.send(engine.vectors(&texts));
        });
        let told = done.await.map_err(|_| ModelError::InvalidOutput("the embedder broke".to_owned()))?;
        told.map_err(|error| ModelError::InvalidOutput(error.to_string()))
    }
}

impl Inner {
    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let cut_up = |text: &&str| self.tokens.pieces(text, self.length);
        let of_texts: Vec<Pieces> = texts.par_iter().map(cut_up).collect::<Result<_, _>>()?;
        self.texts.fetch_add(texts.len() as u64, Ordering::Relaxed);
        self.cut.fetch_add(of_texts.iter().filter(|it| it.cut).count() as u64, Ordering::Relaxed);
        let mut pieces = Vec::new();
        let mut owners = Vec::new();
        for (text, of_text) in of_texts.into_iter().enumerate() {
            owners.extend(std::iter::repeat_n(text, of_text.pieces.len()));
            pieces.extend(of_text.pieces);
        }
        let encoded = packs(&pieces).into_par_iter().map_init(Scratch::default, |scratch, pack| {
            let vectors = encode(&self.weights, &pack, scratch);
            pack.pieces.into_iter().map(|piece| piece.number).zip(vectors).collect::<Vec<_>>()
        });
        let mut encoded: Vec<(usize, Vec<f32>)> = encoded.flatten_iter().collect();
        // In the order of the texts, so that sums of windows round the same however packs fell.
        encoded.sort_unstable_by_key(|(piece, _)| *piece);
        let mut vectors = vec![vec![0.0; WIDTH]; texts.len()];
        for (piece, vector) in encoded {
            let weight = pieces[piece].len() as f32;
            let sum = &mut vectors[owners[piece]];
            sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += weight * value);
        }
        vectors.iter_mut().for_each(|vector| to_length_one(vector));
        Ok(vectors)
    }
}
