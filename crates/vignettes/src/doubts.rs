//! What is odd about vignettes that can be asked all the same: whoever brings them should know before anybody answers.

use crate::import::times_told;
use crate::{Choice, Vignette};
use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};
use waterjar_core::counted;

/// So many are named, enough to see what they have in common.
const NAMED: usize = 3;

/// Looks at vignettes one by one.
#[derive(Debug, Default)]
pub struct Doubts {
    vignettes: u64,
    unmarked: u64,
    /// Who told a story first, by its words.
    stories: HashMap<u64, String>,
    same_story: Named,
    told_again: Named,
    alike: Named,
}

impl Doubts {
    pub fn look(&mut self, vignette: &Vignette) {
        self.vignettes += 1;
        self.unmarked += u64::from(vignette.spans.is_empty());
        match self.stories.entry(words_of(&vignette.text)) {
            Entry::Vacant(new) => drop(new.insert(vignette.id.clone())),
            Entry::Occupied(first) => self.same_story.add(|| format!("`{}` that of `{}`", vignette.id, first.get())),
        }
        let again = vignette.spans.iter().map(|span| span.of(&vignette.text));
        if let Some((finding, times)) =
            again.map(|finding| (finding, times_told(&vignette.text, finding))).find(|(_, times)| *times > 1)
        {
            self.told_again.add(|| format!("“{finding}” of `{}` ({times} times)", vignette.id));
        }
        if let Some((one, other)) = alike(&vignette.options) {
            self.alike.add(|| format!("{} and {} of `{}`", one.label, other.label, vignette.id));
        }
    }

    /// `ablations` are asked, too.
    pub fn told(&self, ablations: bool) -> Vec<String> {
        let mut told = Vec::new();
        let Self { vignettes, unmarked, .. } = self;
        if ablations && unmarked == vignettes {
            told.push(
                "`ablations = true`, but no vignette has a finding marked, so there are none: name the column of findings under [spans] in the \
                 mapping, or mark them with `waterjar suggest`"
                    .to_owned(),
            );
        } else if ablations && *unmarked > 0 {
            let have = if *unmarked == 1 { "has" } else { "have" };
            told.push(format!("{unmarked} of {vignettes} vignettes {have} no finding marked, and so no ablations"));
        }
        if self.same_story.n > 0 {
            let who = counted(self.same_story.n, "vignette tells", "vignettes tell");
            told.push(format!(
                "{who} the story of another, and would count as independent of it: {}; take one of the two out",
                self.same_story.all()
            ));
        }
        if self.told_again.n > 0 {
            let who = counted(self.told_again.n, "vignette", "vignettes");
            told.push(format!(
                "in {who} a finding stands more than once: {}; only the marked place is left out of an ablation, which still tells it: mark it with \
                 more of the words around it, or tell it once",
                self.told_again.all()
            ));
        }
        if self.alike.n > 0 {
            let who = counted(self.alike.n, "vignette has", "vignettes have");
            told.push(format!("{who} two options that are the same: {}; only one counts as right", self.alike.all()));
        }
        told
    }
}

#[derive(Debug, Default)]
struct Named {
    n: u64,
    first: Vec<String>,
}

impl Named {
    fn add(&mut self, name: impl FnOnce() -> String) {
        self.n += 1;
        if self.first.len() < NAMED {
            self.first.push(name());
        }
    }

    fn all(&self) -> String {
        let named = self.first.join(", ");
        match self.n - self.first.len() as u64 {
            0 => named,
            more => format!("{named} and {more} more"),
        }
    }
}

/// The first two options of the same words. Capitals may make a difference: `Aa` and `AA`.
pub(crate) fn alike(options: &[Choice]) -> Option<(&Choice, &Choice)> {
    let twin = |at: usize| options[..at].iter().find(|first| first.text.trim() == options[at].text.trim());
    (1..options.len()).find_map(|at| Some((twin(at)?, &options[at])))
}

/// The same for the same words, however they are spaced.
fn words_of(story: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    story.split_whitespace().for_each(|word| word.to_lowercase().hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tagged;

    /// What is told of vignettes in our text form, with ablations.
    fn told(vignettes: &str) -> Vec<String> {
        let mut doubts = Doubts::default();
        vignettes.split("----\n").for_each(|block| doubts.look(&tagged::read(block).unwrap()));
        doubts.told(true)
    }

    const ONE: &str =
        "Id: one\n\nA man has <CSC_start>a cough<CSC_end>.\n\nQuestion: What?\nA. Flu\nB. Gout\nAnswer: A\n";

    #[test]
    fn nothing_is_told_of_vignettes_that_differ() {
        assert_eq!(told(ONE), Vec::<String>::new());
        assert_eq!(told(&format!("{ONE}----\n{}", ONE.replace("one", "two").replace("man", "woman"))), [""; 0]);
    }

    #[test]
    fn a_story_that_is_told_twice_is_told_with_both_ids() {
        let told = told(&format!("{ONE}----\n{}", ONE.replace("one", "two").replace("A man", "A  man")));
        assert_eq!(told.len(), 1);
        assert!(
            told[0].starts_with("1 vignette tells the story of another, ") && told[0].contains("`two` that of `one`"),
            "{told:?}"
        );
    }

    #[test]
    fn a_finding_that_stands_elsewhere_too_is_told() {
        let told = told(&ONE.replace("a cough<CSC_end>.", "a cough<CSC_end>, and (a Cough) a coughing father."));
        assert!(
            told[0].starts_with("in 1 vignette a finding stands more than once: “a cough” of `one` (2 times);"),
            "{told:?}"
        );
    }

    #[test]
    fn ablations_of_vignettes_without_findings_are_none() {
        let plain = ONE.replace("<CSC_start>", "").replace("<CSC_end>", "");
        assert!(told(&plain)[0].starts_with("`ablations = true`, but no vignette has a finding marked"));
        let both = format!("{ONE}----\n{}", plain.replace("one", "two").replace("man", "woman"));
        assert_eq!(told(&both), ["1 of 2 vignettes has no finding marked, and so no ablations"]);
    }

    #[test]
    fn options_of_the_same_words_are_told() {
        let told = told(&ONE.replace("Gout", "Flu"));
        assert_eq!(told, ["1 vignette has two options that are the same: A and B of `one`; only one counts as right"]);
    }
}
