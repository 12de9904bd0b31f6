//! A condition said in two ways: `pulmonary embolism (PE)`, `STEMI/NSTEMI`.

use super::beside::other_name;
use super::harmless::{bared, is_harmless, unplaced};
use super::kind::is_another_disease;
use super::labels::Labels;
use super::words::normalised;
use std::collections::BTreeSet;
use waterjar_core::ConditionId;

impl Labels {
    /// `Pulmonary embolism (PE)`: the words before the bracket, those in it, or those around it.
    pub(super) fn in_brackets(&self, words: &str) -> Option<&ConditionId> {
        let (before, rest) = words.split_once('(')?;
        let (inside, after) = rest.split_once(')').unwrap_or((rest, ""));
        if after.chars().any(char::is_alphanumeric) {
            return self.exact(&format!("{before} {after}"));
        }
        let several = [" or ", " and ", ","].iter().any(|mark| before.contains(mark));
        let other = other_name(inside);
        match self.exact(before).or_else(|| self.slashed(before)) {
            Some(found) => self.qualified(found, "(", inside),
            None => {
                let it = self.exact(other)?;
                let is_wide = self.is_wide(it);
                // Uncomplicated cystitis (UTI), inferior STEMI (ACS)
                let bare = self.exact(bared(before)).or_else(|| self.exact(unplaced(before)));
                let narrower = bare.filter(|narrow| is_wide && self.is_within(it, narrow));
                let explains = !is_wide || other != inside || is_harmless(before) || !self.is_other(it, before);
                narrower.or((explains && !several).then_some(it))
            }
        }
    }

    /// Whether words that name nothing known are another disease than the wide name in brackets after them: haemorrhagic stroke (stroke) is one of
    /// another kind, and brain attack (stroke) the same in other words.
    fn is_other(&self, wide: &ConditionId, words: &str) -> bool {
        let name = format!(" {} ", normalised(words));
        let holds = |known: &str| name.contains(&format!(" {known} "));
        self.by_name.iter().any(|(known, it)| it == wide && holds(known)) || is_another_disease(words)
    }

    /// `STEMI/NSTEMI`, `ACS/NSTEMI`: what all sides name, some perhaps by a wider name. Two conditions leave it open, and so does one beside a
    /// disease that is not known.
    pub(super) fn slashed(&self, words: &str) -> Option<&ConditionId> {
        let sides: Option<BTreeSet<&ConditionId>> = words.split('/').map(|side| self.exact(side)).collect();
        let sides = sides?;
        let fits = |side: &ConditionId, it: &ConditionId| side == it || self.is_wide(side) && self.is_within(side, it);
        sides.iter().copied().find(|it| sides.iter().all(|side| fits(side, it)))
    }
}
