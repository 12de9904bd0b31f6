//! Texts → vectors: the nearer two texts are in meaning, the nearer their vectors.

use crate::{ModelError, Usage};
use async_trait::async_trait;
use std::num::NonZeroUsize;
use std::sync::Arc;

#[async_trait]
pub trait Embedder: Send + Sync {
    /// Its name with whatever changes its vectors: weights, version, width. Part of every key and manifest.
    fn id(&self) -> String;

    /// A vector per text, in the order of the texts, all of one width. A text without words is a vector of zeros.
    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError>;

    /// The same where somebody pays. An embedder at an address gives them every request, and one around another passes them on; what runs
    /// here sends nothing.
    async fn embed_paid(&self, texts: &[&str], payer: &dyn Payer) -> Result<Vec<Vec<f32>>, ModelError> {
        let _ = payer;
        self.embed(texts).await
    }

    /// How many texts go into one request. A later one may fail, so whoever keeps vectors asks for no more at a time.
    fn at_once(&self) -> NonZeroUsize {
        NonZeroUsize::MAX
    }

    /// Whether the text is longer than it takes, so that the rest of it counts for nothing.
    fn cuts(&self, text: &str) -> bool {
        let _ = text;
        false
    }
}

/// Who pays for what an embedder at an address is sent.
#[async_trait]
pub trait Payer: Send + Sync {
    /// Sends the request if there is money for it, and books what it used. The error is one that nobody is charged for any more.
    async fn pay(&self, request: &dyn VectorRequest) -> Result<Vec<Vec<f32>>, ModelError>;
}

/// One request for vectors. It may be sent again where that failed.
#[async_trait]
pub trait VectorRequest: Send + Sync {
    fn texts(&self) -> &[&str];

    /// The vectors, and what the endpoint says they used: nothing, where it does not say.
    async fn send(&self) -> Result<(Vec<Vec<f32>>, Usage), ModelError>;
}

#[async_trait]
impl<E: Embedder + ?Sized> Embedder for Arc<E> {
    fn id(&self) -> String {
        (**self).id()
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        (**self).embed(texts).await
    }

    async fn embed_paid(&self, texts: &[&str], payer: &dyn Payer) -> Result<Vec<Vec<f32>>, ModelError> {
        (**self).embed_paid(texts, payer).await
    }

    fn at_once(&self) -> NonZeroUsize {
        (**self).at_once()
    }

    fn cuts(&self, text: &str) -> bool {
        (**self).cuts(text)
    }
}

/// From -1 to 1. What has no direction is like nothing.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    if lengths > 0.0 { dot(a, b) / lengths } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &[f32], b: &[f32], expected: f32) {
        let found = cosine(a, b);
        assert!((found - expected).abs() < 1e-6, "{found}");
    }

    #[test]
    fn only_the_direction_counts() {
        check(&[1.0, 2.0], &[10.0, 20.0], 1.0);
        check(&[1.0, 0.0], &[0.0, 3.0], 0.0);
        check(&[1.0, 0.0], &[-2.0, 0.0], -1.0);
    }

    #[test]
    fn what_has_no_direction_is_like_nothing() {
        check(&[0.0, 0.0], &[1.0, 1.0], 0.0);
        check(&[], &[], 0.0);
    }
}
