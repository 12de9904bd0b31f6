//! Where vignettes come from: ours, or a file that the importers read.

use super::vary::case_id;
use super::{STARTER, settings::Settings};
use crate::OpenError;
use std::path::Path;
use waterjar_core::{Case, CaseId, CaseSource, Seed, SourceError};
use waterjar_vignettes::import::{BadRow, Kind};
use waterjar_vignettes::{Import, ImportOptions, Vignette, starter, tagged};

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
        Box::new(self.vignettes.iter().flat_map(move |vignette| {
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

/// The vignettes of a source, all of them. A row that is no vignette is an error: leaving it out would change the benchmark silently.
pub fn load(settings: &Settings, folder: &Path) -> Result<Vec<Vignette>, OpenError> {
    if settings.source == STARTER {
        return Ok(starter().into_iter().map(|it| it.with_at_most(settings.spans)).collect());
    }
    let known = settings.source.split_once(':').and_then(|(kind, path)| Some((Kind::named(kind)?, folder.join(path))));
    let Some((kind, path)) = known else {
        let kinds: Vec<String> = Kind::ALL.iter().map(|(name, _)| format!("\"{name}:FILE\"")).collect();
        let problem = format!(
            "source: `{}` is not a source; write \"{STARTER}\" or one of {}",
            settings.source,
            kinds.join(", ")
        );
        return Err(OpenError::Settings(problem));
    };
    let options =
        ImportOptions { mapping: settings.mapping.as_ref().map(|it| folder.join(it)), max_spans: settings.spans };
    let place = path.display().to_string();
    let import =
        Import::open(kind, &path, &options).map_err(|error| SourceError::new(place.clone(), error.to_string()))?;
    let bad = |row: BadRow| SourceError::new(format!("{place}, line {}", row.line), row.problem);
    Ok(import.collect::<Result<_, _>>().map_err(bad)?)
}
