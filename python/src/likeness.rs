//! How alike texts are.

use pyo3::exceptions::{PyFileNotFoundError, PyValueError};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use waterjar_agents::ecr::Lexical;
use waterjar_core::Embedder as _;
use waterjar_embedding::{EmbeddingError, Length, MiniLm, ModelFiles};

/// all-MiniLM-L6-v2, opened once.
#[pyclass(frozen)]
pub struct Embedder(MiniLm);

/// Pairs embedded together: enough to keep all cores busy, few enough to hold in memory.
const AT_ONCE: usize = 512;

#[pymethods]
impl Embedder {
    #[new]
    fn new(py: Python<'_>, model: Option<PathBuf>, windows: bool) -> PyResult<Self> {
        let length = if windows { Length::Windows } else { Length::First };
        py.detach(|| minilm(model.as_deref(), length)).map(Self)
    }

    #[getter]
    fn id(&self) -> String {
        self.0.id()
    }

    /// `None` where a text has no words.
    fn likeness(&self, py: Python<'_>, pairs: Vec<(String, String)>) -> PyResult<Vec<Option<f64>>> {
        py.detach(|| {
            let mut found = Vec::with_capacity(pairs.len());
            for chunk in pairs.chunks(AT_ONCE) {
                let texts: Vec<(&str, &str)> = chunk.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
                found.extend(self.0.likeness(&texts).map_err(|error| told(&error))?);
            }
            Ok(found)
        })
    }
}

/// What a suite compares texts by.
pub fn open(name: &str, model: Option<&Path>) -> PyResult<Arc<dyn waterjar_core::Embedder>> {
    match name {
        "lexical" => Ok(Arc::new(Lexical)),
        "minilm" => Ok(Arc::new(minilm(model, Length::First)?)),
        "minilm-windows" => Ok(Arc::new(minilm(model, Length::Windows)?)),
        "auto" => match files(model) {
            Ok(files) => Ok(Arc::new(MiniLm::open(&files, Length::First).map_err(|error| told(&error))?)),
            // Nobody has to have it.
            Err(EmbeddingError::Missing { .. }) => Ok(Arc::new(Lexical)),
            Err(error) => Err(told(&error)),
        },
        other => Err(PyValueError::new_err(format!(
            "no embedder is called {other:?}: auto, minilm, minilm-windows or lexical"
        ))),
    }
}

fn minilm(model: Option<&Path>, length: Length) -> PyResult<MiniLm> {
    files(model).and_then(|files| MiniLm::open(&files, length)).map_err(|error| told(&error))
}

fn files(model: Option<&Path>) -> Result<ModelFiles, EmbeddingError> {
    model.map_or_else(ModelFiles::find, ModelFiles::in_folder)
}

fn told(error: &EmbeddingError) -> PyErr {
    let hint = error.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
    let told = format!("{error}{hint}");
    match error {
        EmbeddingError::Missing { .. } => PyFileNotFoundError::new_err(told),
        EmbeddingError::File { path, .. } if !path.exists() => PyFileNotFoundError::new_err(told),
        _ => PyValueError::new_err(told),
    }
}
