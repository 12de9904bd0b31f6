//! Which of these contents is that one? The same words, or vectors nearer than the threshold.

use super::lexicon::Lexicon;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use waterjar_core::{Embedder, ModelError, cosine};

pub struct Likeness {
    embedder: Arc<dyn Embedder>,
    lexicon: Arc<Lexicon>,
    threshold: f32,
    known: RwLock<HashMap<String, Arc<[f32]>>>,
}

/// Vectors kept for texts that come again and again; beyond this they are made anew.
const KEPT: usize = 20_000;

impl Likeness {
    pub fn new(embedder: Arc<dyn Embedder>, lexicon: Arc<Lexicon>, threshold: f32) -> Self {
        Self { embedder, lexicon, threshold, known: RwLock::new(HashMap::new()) }
    }

    /// Whether a content is a statement of the lexicon, which is the same as no other of them.
    pub fn is_settled(&self, content: &str) -> bool {
        self.lexicon.knows(content)
    }

    /// For each of `contents` the one of `among` that says the same.
    pub async fn same(&self, contents: &[&str], among: &[&str]) -> Result<Vec<Option<usize>>, ModelError> {
        let at: HashMap<&str, usize> = among.iter().enumerate().rev().map(|(at, content)| (*content, at)).collect();
        let mut found: Vec<Option<usize>> = contents.iter().map(|content| at.get(content).copied()).collect();
        // Two statements of the lexicon are two findings, however alike their words: the left side is not the right side.
        let open = |content: &str| !self.is_settled(content);
        let free: Vec<usize> = (0..among.len()).filter(|&at| open(among[at])).collect();
        for (place, content) in
            contents.iter().enumerate().filter(|(place, _)| found[*place].is_none()).collect::<Vec<_>>()
        {
            let all = open(content);
            let eligible: Vec<usize> = if all { (0..among.len()).collect() } else { free.clone() };
            found[place] = self.nearest(content, among, &eligible).await?;
        }
        Ok(found)
    }

    async fn nearest(&self, content: &str, among: &[&str], eligible: &[usize]) -> Result<Option<usize>, ModelError> {
        if eligible.is_empty() {
            return Ok(None);
        }
        let mine = self.vector(content).await?;
        let mut best = (self.threshold, None);
        for &at in eligible {
            let near = cosine(&mine, &self.vector(among[at]).await?);
            if near > best.0 {
                best = (near, Some(at));
            }
        }
        Ok(best.1)
    }

    pub async fn vector(&self, text: &str) -> Result<Arc<[f32]>, ModelError> {
        if let Some(vector) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Ok(Arc::clone(vector));
        }
        let vector: Arc<[f32]> = self.fresh(text).await?.into();
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < KEPT {
            known.insert(text.to_owned(), Arc::clone(&vector));
        }
        Ok(vector)
    }

    /// For texts that are seen once.
    pub async fn fresh(&self, text: &str) -> Result<Vec<f32>, ModelError> {
        let made = self.embedder.embed(&[text]).await?.pop();
        made.ok_or_else(|| ModelError::InvalidOutput(format!("{} gave no vector for a text", self.embedder.id())))
    }

    pub fn embedder(&self) -> String {
        self.embedder.id()
    }
}
