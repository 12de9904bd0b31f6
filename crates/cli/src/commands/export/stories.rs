//! `waterjar export --stories`: stories for people who say, without knowing what was changed, which of two diagnoses each tells.

use super::sheet::{Sheet, as_text};
use crate::output::Output;
use crate::target::Target;
use anyhow::Result;
use std::path::Path;
use waterjar_annotation::stories::{Place, draw, stories};
use waterjar_core::counted;
use waterjar_engine::EngineError;
use waterjar_store::Store;

/// The columns that are not raters; `agree` knows them.
pub const ABOUT: [&str; 4] = ["item", "story", "diagnosis_a", "diagnosis_b"];

/// Where the first rater writes, under whatever name.
const FIRST_RATER: &str = "rater_1";

pub async fn write(target: &Target, store: &Store, path: &Path, sample: Option<u64>, out: &Output) -> Result<()> {
    let wanted = sample.map(|it| usize::try_from(it).unwrap_or(usize::MAX / 2));
    let places = draw(store, &target.plan, wanted).await.map_err(EngineError::from)?;
    if places.is_empty() {
        return Err(no_stories(target).into());
    }
    let sheet = Sheet::at(path, &ABOUT, &[])?;
    sheet.settle(rows(target, store, &places, &sheet.aside).await)?;
    let (path, run) = (path.display(), target.dir.path().display());
    out.say(&format!("{} → {path}", counted(places.len() as u64, "story", "stories")));
    out.say(&format!(
        "raters write a or b into a column of their own (or the diagnosis); then: `waterjar agree {path} --key {run}`"
    ));
    Ok(())
}

/// Nothing flips, so there is no key.
pub fn no_stories(target: &Target) -> EngineError {
    let error = EngineError::file(target.dir.path(), "has no families whose diagnosis flips");
    error.with_hint(
        "stories are those of the suite `einstellung`: pairs made by rule or by a model, or finished ones \
         (source = \"medeinst:FILE\"), once `waterjar vary` or `waterjar run` has made them",
    )
}

/// Texts are read when it is their turn, so that memory does not grow with them.
async fn rows(target: &Target, store: &Store, places: &[Place], path: &Path) -> Result<()> {
    let mut csv = csv::Writer::from_path(path)?;
    csv.write_record(ABOUT.into_iter().chain([FIRST_RATER]))?;
    for place in places {
        let suite = target.plan.suites[place.suite].suite();
        // The page that begins right before the family and holds one.
        let page = store.told_page(suite.id(), place.position - 1, 1).await.map_err(EngineError::from)?;
        let told = page.items.iter().flat_map(|family| stories(target.plan.seed, suite.id(), &family.variants));
        for story in told.filter(|it| it.variant.id == place.variant) {
            let [a, b] = story.diagnoses.map(|it| as_text(suite.name_of(it)));
            csv.write_record([story.item, as_text(story.variant.text.clone()), a, b, String::new()])?;
        }
    }
    Ok(csv.flush()?)
}
