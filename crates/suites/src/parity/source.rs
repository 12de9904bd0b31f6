//! Where vignettes come from: ours, or a file that the importers read.

use super::settings::Settings;
use super::vary::case_id;
use std::path::Path;
use waterjar_core::{Case, CaseId, CaseSource, Seed, SourceError};
use waterjar_vignettes::{Vignette, tagged};

/// Vignettes, each with as many ablations as the study wants.
pub struct Vignettes {
    name: String,
    vignettes: Vec<Vignette>,
    settings: Settings,
    fingerprint: String,
}

impl Vignettes {
    /// Takes as many as the settings say, drawn by chance.
    pub fn new(mut vignettes: Vec<Vignette>, settings: &Settings, seed: Seed) -> Result<Self, SourceError> {
        let name = settings.source.clone();
        let mut ids: Vec<&str> = vignettes.iter().map(|it| it.id.as_str()).collect();
        ids.sort_unstable();
        if let Some(twice) = ids.windows(2).find(|two| two[0] == two[1]) {
            return Err(SourceError::new(name, format!("the vignette `{}` is there twice", twice[0]))
                .with_hint("give each an id of its own"));
        }
        if let Some(items) = settings.items.filter(|items| *items < vignettes.len()) {
            vignettes.sort_by_cached_key(|it| (seed.rank("draw vignettes", &it.id), it.id.clone()));
            vignettes.truncate(items);
        }
        if vignettes.is_empty() {
            return Err(SourceError::new(name, "holds no vignettes"));
        }
        let mut hasher = blake3::Hasher::new();
        for vignette in &vignettes {
            hasher.update(tagged::write(vignette).as_bytes());
        }
        let fingerprint = hasher.finalize().to_hex().to_string();
        Ok(Self { name, vignettes, settings: settings.clone(), fingerprint })
    }
}

impl CaseSource for Vignettes {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_> {
        Box::new(self.vignettes.iter().flat_map(|vignette| {
            let ablations = if self.settings.ablations { vignette.spans.len() } else { 0 };
            (0..=ablations).map(move |ablation| {
                Ok(Case {
                    id: CaseId::new(case_id(&vignette.id, ablation, &self.settings)),
                    source: self.name.clone(),
                    text: tagged::write(vignette),
                    facts: None,
                    made: Vec::new(),
                })
            })
        }))
    }
}

/// The vignettes of a source, all of them.
pub(crate) fn load(settings: &Settings, folder: &Path) -> Result<Vec<Vignette>, SourceError> {
    let (kind, path) = settings.source.split_once(':').unwrap_or((settings.source.as_str(), ""));
    let path = folder.join(path);
    match kind {
        "tagged" => of_tagged(&path),
        _ => Err(SourceError::new(settings.source.clone(), "is not a source")),
    }
}

/// Texts with marks: a file, or a folder of them.
fn of_tagged(path: &Path) -> Result<Vec<Vignette>, SourceError> {
    let unreadable = |error: std::io::Error| SourceError::new(path.display().to_string(), format!("cannot be read: {error}"));
    let mut files = Vec::new();
    if path.is_dir() {
        for entry in std::fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            files.extend(file.extension().is_some_and(|it| it == "txt").then_some(file));
        }
        files.sort();
    } else {
        files.push(path.to_owned());
    }
    let read = |file: &std::path::PathBuf| {
        let place = file.display().to_string();
        let text = std::fs::read_to_string(file).map_err(|error| SourceError::new(place.clone(), error.to_string()))?;
        let mut vignette = tagged::read(&text).map_err(|error| {
            SourceError::new(place, error.to_string()).with_hint("the form is described in crates/vignettes/README.md")
        })?;
        if vignette.id.is_empty() {
            vignette.id = file.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        }
        Ok(vignette)
    };
    files.iter().map(read).collect()
}
