//! The embedder: texts to pieces, pieces to packs, packs over all cores.

use crate::encoder::{Scratch, encode};
use crate::lanes::to_length_one;
use crate::pack::packs;
use crate::tokens::{Pieces, Tokens};
use crate::weights::{WIDTH, Weights};
use crate::{EmbeddingError, ModelFiles};
use async_trait::async_trait;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
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

/// The fingerprint of the published files ([`crate::FILES`] has their SHA-256).
const PUBLISHED: &str = "b78aee1e2d73f831";

/// How alike the model's makers' code finds these, to a hundredth.
const KNOWN: [(&str, &str, f64); 2] = [
    ("The patient has a fever.", "The patient is febrile.", 0.641),
    (
        "A man of sixty has crushing chest pain and sweats.",
        "A woman of sixty has crushing chest pain and sweats.",
        0.792,
    ),
];

impl MiniLm {
    /// Refuses files that can be read and hold something else: weights that were damaged on their way, or another model's.
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
        let model = Self { inner: Arc::new(inner) };
        if !model.hears_as_it_should()? {
            let problem =
                "does not hear texts as all-MiniLM-L6-v2 does: it or its tokenizer.json is damaged, or another model's";
            return Err(EmbeddingError::file(&files.weights, problem));
        }
        Ok(model)
    }

    fn hears_as_it_should(&self) -> Result<bool, EmbeddingError> {
        let likeness = self.likeness(&KNOWN.map(|(a, b, _)| (a, b)))?;
        // These are nobody's texts.
        self.inner.texts.store(0, Ordering::Relaxed);
        Ok(likeness.iter().zip(KNOWN).all(|(found, (.., known))| found.is_some_and(|it| (it - known).abs() < 0.01)))
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
            [a, b] if has_words(a) && has_words(b) => Some(f64::from(cosine(a, b)).clamp(-1.0, 1.0)),
            _ => None,
        };
        Ok(vectors.chunks(2).map(alike).collect())
    }

    /// Whether most of what it reads of a text are words it knows. Of others it hears only that something is there, or their letters, so that
    /// two texts of unknown words are alike to it, whatever they say.
    pub fn knows(&self, text: &str) -> bool {
        self.inner.tokens.knows(text, self.inner.length).unwrap_or(true)
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
        let fingerprint = &self.inner.fingerprint;
        // It hears what it is tried on as it should, and may hear other words otherwise: damaged in part, or saved anew.
        let whose = if fingerprint == PUBLISHED { "" } else { "changed files of " };
        format!("{whose}all-MiniLM-L6-v2/{fingerprint} {length}")
    }

    fn cuts(&self, text: &str) -> bool {
        self.inner.tokens.pieces(text, self.inner.length).is_ok_and(|it| it.cut)
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let (send, done) = tokio::sync::oneshot::channel();
        let (engine, texts) = (Arc::clone(&self.inner), texts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        rayon::spawn(move || {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            // A panic would end the whole program here; caught, it closes the channel. Nothing that it leaves half done is read again.
            if let Ok(told) = catch_unwind(AssertUnwindSafe(|| engine.vectors(&texts))) {
                // Whoever asked may have gone.
                let _ = send.send(told);
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_embedder_that_breaks_ends_the_question_and_not_the_program() {
        let files = match ModelFiles::find() {
            Ok(files) => files,
            Err(missing) => {
                eprintln!("skipped: {missing}");
                return;
            }
        };
        let mut model = MiniLm::open(&files, Length::First).unwrap();
        Arc::get_mut(&mut model.inner).unwrap().weights.words.clear();
        let told = model.embed(&["fever"]).await.unwrap_err().to_string();
        assert!(told.contains("the embedder broke"), "{told}");
    }

    /// The second half of them is nothing: the file can still be read.
    #[test]
    fn weights_that_can_be_read_and_are_damaged_are_refused() {
        let files = match ModelFiles::find() {
            Ok(files) => files,
            Err(missing) => {
                eprintln!("skipped: {missing}");
                return;
            }
        };
        let dir = tempfile::tempdir().unwrap();
        let mut bytes = std::fs::read(&files.weights).unwrap();
        let half = bytes.len() / 2;
        bytes[half..].fill(0);
        std::fs::write(dir.path().join("model.safetensors"), bytes).unwrap();
        std::fs::copy(&files.tokenizer, dir.path().join("tokenizer.json")).unwrap();
        let damaged = ModelFiles::in_folder(dir.path()).unwrap();
        let told = MiniLm::open(&damaged, Length::First).err().unwrap().to_string();
        assert!(told.contains("is damaged, or another model's"), "{told}");
    }

    #[test]
    fn files_that_were_changed_are_not_called_the_published_ones() {
        let files = match ModelFiles::find() {
            Ok(files) => files,
            Err(missing) => {
                eprintln!("skipped: {missing}");
                return;
            }
        };
        let published = MiniLm::open(&files, Length::First).unwrap();
        assert_eq!(published.id(), "all-MiniLM-L6-v2/b78aee1e2d73f831 256 tokens");
        let dir = tempfile::tempdir().unwrap();
        std::fs::copy(&files.weights, dir.path().join("model.safetensors")).unwrap();
        let tokenizer = std::fs::read_to_string(&files.tokenizer).unwrap();
        std::fs::write(dir.path().join("tokenizer.json"), tokenizer.replace("\"severe\"", "\"sevare\"")).unwrap();
        let changed = MiniLm::open(&ModelFiles::in_folder(dir.path()).unwrap(), Length::First).unwrap();
        assert!(changed.id().starts_with("changed files of all-MiniLM-L6-v2/"), "{}", changed.id());
    }
}
