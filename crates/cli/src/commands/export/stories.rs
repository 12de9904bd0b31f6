//! `waterjar export --stories`: stories for people who say, without knowing what was changed, which of two diagnoses each tells.

use super::sheet::Sheet;
use crate::output::Output;
use crate::target::Target;
use anyhow::Result;
use std::path::Path;
use waterjar_annotation::stories::{ABOUT, Drawn, Place, draw, stories};
use waterjar_core::counted;
use waterjar_engine::EngineError;
use waterjar_store::Store;

/// Where the first rater writes, under whatever name.
const FIRST_RATER: &str = "rater_1";

pub async fn write(target: &Target, store: &Store, path: &Path, sample: Option<u64>, out: &Output) -> Result<()> {
    let wanted = sample.map(|it| usize::try_from(it).unwrap_or(usize::MAX / 2));
    let drawn = draw(store, &target.plan, wanted).await.map_err(EngineError::from)?;
    if drawn.places.is_empty() {
        return Err(no_stories(target).into());
    }
    let sheet = Sheet::at(path, &ABOUT, &[])?;
    sheet.settle(rows(target, store, &drawn.places, &sheet).await)?;
    let (path, run) = (path.display(), target.dir.path().display());
    out.say(&format!("{} → {path}", counted(drawn.places.len() as u64, "story", "stories")));
    tell_again(&drawn, out);
    out.say(&format!(
        "raters write a or b into a column of their own (or the diagnosis); then: `waterjar agree {path} --key {run}`"
    ));
    Ok(())
}

/// Who reads two versions of a patient may see what was changed.
fn tell_again(drawn: &Drawn, out: &Output) {
    let n: u64 = drawn.again.iter().map(|(_, n)| n).sum();
    if n == 0 {
        return;
    }
    let kinds: Vec<String> = drawn.again.iter().map(|(kind, n)| format!("{kind}: {n}")).collect();
    let versions = counted(
        n,
        "story is a further version of a patient who is",
        "stories are further versions of patients who are",
    );
    out.warn(&format!("{versions} on the sheet already: too few have such stories ({})", kinds.join("; ")));
    out.hint(
        "with a smaller --sample nobody is there twice; where somebody is, `waterjar agree` gives no interval over all stories",
    );
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
async fn rows(target: &Target, store: &Store, places: &[Place], sheet: &Sheet) -> Result<()> {
    let mut rows = sheet.rows()?;
    rows.put(ABOUT.into_iter().chain([FIRST_RATER]))?;
    for place in places {
        let suite = target.plan.suites[place.suite].suite();
        // The page that begins right before the family and holds one.
        let page = store.told_page(suite.id(), place.position - 1, 1).await.map_err(EngineError::from)?;
        let told = page.items.iter().flat_map(|family| stories(target.plan.seed, suite.id(), &family.variants));
        for story in told.filter(|it| it.variant.id == place.variant) {
            let [a, b] = story.diagnoses.map(|it| suite.name_of(it));
            rows.put([story.item.as_str(), &story.variant.text, &a, &b, ""])?;
        }
    }
    rows.finish()
}
