//! Where vignettes come from: ours, or a file that the importers read.

use super::vary::case_id;
use super::{STARTER, bad_rows, settings::Settings};
use crate::OpenError;
use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use waterjar_core::{Case, CaseId, CaseSource, Seed, SourceError};
use waterjar_vignettes::import::Kind;
use waterjar_vignettes::{Doubts, Import, ImportOptions, Vignette, starter, tagged};

/// Vignettes, each with as many ablations as the study wants.
pub struct Vignettes {
    name: String,
    vignettes: Whence,
    settings: Settings,
    fingerprint: String,
}

enum Whence {
    Held(Vec<Vignette>),
    /// Read again for every pass, so that a large file is never held.
    File {
        file: VignetteFile,
        chosen: Option<HashSet<String>>,
    },
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
        Ok(Self { name, vignettes: Whence::Held(vignettes), settings: settings.clone(), fingerprint })
    }

    /// Those of the study's source, as many as it says, drawn by chance.
    pub fn open(settings: &Settings, folder: &Path, seed: Seed) -> Result<Self, OpenError> {
        if settings.source == STARTER {
            return Ok(Self::new(load(settings, folder)?, settings, seed)?);
        }
        let file = VignetteFile::of(settings, folder)?;
        let mut hasher = blake3::Hasher::new();
        let (mut ids, mut is_empty) = (Vec::new(), true);
        for vignette in file.read()? {
            let vignette = vignette?;
            hasher.update(tagged::write(&vignette).as_bytes());
            is_empty = false;
            // Only to draw among them.
            if settings.items.is_some() {
                ids.push(vignette.id);
            }
        }
        if is_empty {
            return Err(file.empty().into());
        }
        let chosen = settings.items.filter(|items| *items < ids.len()).map(|items| {
            ids.sort_by_cached_key(|id| (seed.rank("draw vignettes", id), id.clone()));
            ids.into_iter().take(items).collect()
        });
        Ok(Self {
            name: settings.source.clone(),
            vignettes: Whence::File { file, chosen },
            settings: settings.clone(),
            fingerprint: hasher.finalize().to_hex().to_string(),
        })
    }

    fn each(&self) -> Each<'_> {
        match &self.vignettes {
            Whence::Held(vignettes) => Box::new(vignettes.iter().map(|it| Ok(Cow::Borrowed(it)))),
            Whence::File { file, chosen } => {
                let is_chosen = move |it: &Result<Vignette, SourceError>| match (it, chosen) {
                    (Ok(vignette), Some(chosen)) => chosen.contains(&vignette.id),
                    _ => true,
                };
                match file.read() {
                    Ok(read) => Box::new(read.filter(is_chosen).map(|it| it.map(Cow::Owned))),
                    Err(error) => Box::new(std::iter::once(Err(error))),
                }
            }
        }
    }

    /// The vignette and, where the study wants them, each of its ablations.
    fn cases_of<'a>(&'a self, vignette: &Vignette) -> impl Iterator<Item = Case> + Send + use<'a> {
        let ablations = if self.settings.ablations { vignette.spans.len() } else { 0 };
        let (id, text) = (vignette.id.clone(), tagged::write(vignette));
        (0..=ablations).map(move |ablation| Case {
            id: CaseId::new(case_id(&id, ablation, &self.settings)),
            source: self.name.clone(),
            text: text.clone(),
            facts: None,
            made: Vec::new(),
        })
    }
}

type Each<'a> = Box<dyn Iterator<Item = Result<Cow<'a, Vignette>, SourceError>> + Send + 'a>;

impl CaseSource for Vignettes {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    fn doubts(&self) -> Vec<String> {
        let mut doubts = Doubts::default();
        // One that cannot be read is told of where it is asked for.
        self.each().flatten().for_each(|it| doubts.look(&it));
        doubts.told(self.settings.ablations)
    }

    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_> {
        Box::new(self.each().flat_map(move |vignette| {
            // One after the other: each is the whole story again.
            let (cases, error) = match vignette {
                Ok(vignette) => (Some(self.cases_of(&vignette)), None),
                Err(error) => (None, Some(Err(error))),
            };
            cases.into_iter().flatten().map(Ok).chain(error)
        }))
    }
}

/// A file that the importers read.
struct VignetteFile {
    kind: Kind,
    path: PathBuf,
    options: ImportOptions,
}

impl VignetteFile {
    fn of(settings: &Settings, folder: &Path) -> Result<Self, OpenError> {
        let known = settings.source.split_once(':');
        let known = known.and_then(|(kind, path)| Some((Kind::named(kind)?, folder.join(path))));
        let Some((kind, path)) = known else {
            let kinds: Vec<String> = Kind::ALL.iter().map(|(name, _)| format!("\"{name}:FILE\"")).collect();
            let problem = format!(
                "source: `{}` is not a source; write \"{STARTER}\" or one of {}",
                settings.source,
                kinds.join(", ")
            );
            return Err(OpenError::Settings(problem));
        };
        let mapping = settings.mapping.as_ref().map(|it| folder.join(it));
        Ok(Self { kind, path, options: ImportOptions { mapping, max_spans: settings.spans } })
    }

    fn empty(&self) -> SourceError {
        SourceError::at(&self.path, "holds no rows, and so no vignettes").with_hint("is it the right file, and saved?")
    }

    /// A row that is no vignette is an error, told with those after it: leaving it out would change the benchmark silently.
    fn read(&self) -> Result<impl Iterator<Item = Result<Vignette, SourceError>> + Send + use<>, SourceError> {
        let place = self.path.display().to_string();
        let mut import = Import::open(self.kind, &self.path, &self.options)?;
        Ok(std::iter::from_fn(move || {
            let row = import.next()?;
            Some(row.map_err(|first| bad_rows::told(&place, first, import.by_ref().filter_map(Result::err))))
        }))
    }
}

/// Those that the study draws of its source, in the order they have there.
pub fn load_drawn(settings: &Settings, folder: &Path, seed: Seed) -> Result<Vec<Vignette>, OpenError> {
    let mut vignettes = load(settings, folder)?;
    if let Some(items) = settings.items.filter(|items| *items < vignettes.len()) {
        let mut ids: Vec<String> = vignettes.iter().map(|it| it.id.clone()).collect();
        ids.sort_by_cached_key(|id| (seed.rank("draw vignettes", id), id.clone()));
        let chosen: HashSet<String> = ids.into_iter().take(items).collect();
        vignettes.retain(|it| chosen.contains(&it.id));
    }
    Ok(vignettes)
}

/// The vignettes of a source, all of them.
pub fn load(settings: &Settings, folder: &Path) -> Result<Vec<Vignette>, OpenError> {
    if settings.source == STARTER {
        return Ok(starter().into_iter().map(|it| it.with_at_most(settings.spans)).collect());
    }
    let file = VignetteFile::of(settings, folder)?;
    let vignettes: Vec<Vignette> = file.read()?.collect::<Result<_, _>>()?;
    if vignettes.is_empty() {
        return Err(file.empty().into());
    }
    Ok(vignettes)
}
