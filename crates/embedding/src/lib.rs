//! Sentence embeddings: all-MiniLM-L6-v2 on the processor.
//!
//! ```text
//! files     where the model lies
//! tokens    text → token ids, cut at 256 or in windows
//! pack      texts back to back, without padding
//! encoder   six layers over a pack, on one core
//! dense     products with the weights, by matrix, the kernels
//! minilm    packs over all cores; the `Embedder`
//! ```

mod dense;
mod encoder;
mod error;
mod files;
mod kept;
mod lanes;
mod matrix;
mod minilm;
mod pack;
mod tokens;
mod weights;

pub use error::EmbeddingError;
pub use files::{FILES, ModelFiles, ORIGIN, PYTHON_PACKAGE, VARIABLE};
pub use kept::Kept;
pub use minilm::{Length, MiniLm, Share};
