//! Is the key right? Stories of a benchmark for people who do not know what was changed in them, and what they say held against the key.

mod draw;
mod held;
mod pick;
mod sheet;

pub use draw::{Drawn, Place, draw};
pub use held::{Held, Part};
pub use pick::{Pick, bare};
pub use sheet::{ABOUT, Row, Sheet};

use waterjar_core::{ConditionId, Expectation, Seed, SuiteId, Variant};
use waterjar_engine::key::key_of;

/// A variant of a family whose diagnosis flips: its text and the two diagnoses, of which the key holds one to be right.
#[derive(Clone, Debug, PartialEq)]
pub struct Story<'a> {
    /// Tells neither role nor family.
    pub item: String,
    pub variant: &'a Variant,
    /// In an order drawn for every story, so that it tells nothing, not even beside another version of the family.
    pub diagnoses: [&'a ConditionId; 2],
    /// Every version of a family comes in another round: who reads two side by side sees what was changed.
    round: u32,
    /// Orders the stories of a round by chance.
    rank: i64,
}

/// The stories of a family; none where no diagnosis flips in it.
pub fn stories<'a>(seed: Seed, suite: &SuiteId, family: &'a [Variant]) -> Vec<Story<'a>> {
    let flip = |variant: &'a Variant| match &variant.expectation {
        Expectation::Flips { from, to } => Some([from, to]),
        _ => None,
    };
    let Some(pair) = family.iter().find_map(flip) else { return Vec::new() };
    let is_told = |variant: &&Variant| variant.expectation.condition().is_some_and(|it| pair.contains(&it));
    let mut told: Vec<Story<'a>> =
        family.iter().filter(is_told).map(|variant| Story::new(seed, suite, variant, pair)).collect();
    told.sort_by_key(|story| story.rank);
    for (round, story) in (0..).zip(&mut told) {
        story.round = round;
    }
    told
}

impl<'a> Story<'a> {
    fn new(seed: Seed, suite: &SuiteId, variant: &'a Variant, [from, to]: [&'a ConditionId; 2]) -> Self {
        // With the text: what people said of a story says nothing of one that was changed since.
        let hash = key_of(&("story", seed.0.to_string(), suite, &variant.id, &variant.text));
        // With a letter before it: a spreadsheet would take some codes for numbers, and round them.
        let item = format!("s{}", &hash[..15]);
        let swaps = seed.rank("diagnoses of a story", &item) % 2 == 1;
        let diagnoses = if swaps { [to, from] } else { [from, to] };
        let rank = seed.rank("order of stories", &item);
        Self { item, variant, diagnoses, round: 0, rank }
    }

    /// Which of the two is right.
    pub fn key(&self) -> Pick {
        if self.variant.expectation.condition() == Some(self.diagnoses[0]) { Pick::A } else { Pick::B }
    }

    /// Of its family, in the order by lot.
    fn is_first(&self) -> bool {
        self.round == 0
    }

    /// Its place among those that are read.
    fn order(&self) -> (u32, i64) {
        (self.round, self.rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use waterjar_core::{CaseId, FamilyId, Intervention, VariantId};

    fn variant(case: &str, role: &str, expectation: Expectation) -> Variant {
        Variant {
            id: VariantId::new(format!("{case}/{role}")),
            family: FamilyId::new(case),
            case: CaseId::new(case),
            text: format!("the story of {role}"),
            facts: None,
            intervention: (role != "control").then(|| Intervention { name: role.to_owned(), edits: Vec::new() }),
            expectation,
            strata: BTreeMap::new(),
            record: serde_json::Value::Null,
        }
    }

    fn family(case: &str) -> Vec<Variant> {
        let (old, new) = (ConditionId::from("gerd"), ConditionId::from("angina"));
        vec![
            variant(case, "control", Expectation::Names { condition: old.clone() }),
            variant(case, "trap", Expectation::Flips { from: old.clone(), to: new }),
            variant(case, "sham", Expectation::Holds { condition: old }),
        ]
    }

    fn told(seed: u64, family: &[Variant]) -> Vec<Story<'_>> {
        stories(Seed(seed), &SuiteId::from("einstellung"), family)
    }

    #[test]
    fn the_key_of_a_trap_is_the_new_diagnosis_and_of_the_others_the_old_one() {
        let family = family("p1");
        for story in told(7, &family) {
            let right = if story.variant.role() == "trap" { "angina" } else { "gerd" };
            let at = usize::from(story.key() == Pick::B);
            assert_eq!(story.diagnoses[at].as_str(), right, "{story:?}");
        }
    }

    #[test]
    fn every_version_of_a_family_has_a_round_of_its_own() {
        let family = family("p1");
        let rounds: Vec<u32> = told(7, &family).iter().map(|it| it.round).collect();
        assert_eq!(rounds, [0, 1, 2]);
    }

    #[test]
    fn neither_code_nor_round_nor_order_of_the_diagnoses_follows_the_role() {
        let families: Vec<Vec<Variant>> = (0..40).map(|at| family(&format!("p{at}"))).collect();
        let traps: Vec<Story<'_>> =
            families.iter().flat_map(|it| told(7, it)).filter(|it| it.variant.role() == "trap").collect();
        let count = |is: &dyn Fn(&Story<'_>) -> bool| traps.iter().filter(|it| is(it)).count();
        for round in 0..3 {
            assert!((4..=26).contains(&count(&|it| it.round == round)), "round {round}");
        }
        assert!((10..=30).contains(&count(&|it| it.key() == Pick::A)));
        assert!(traps.iter().all(|it| it.item.len() == 16 && !it.item.contains(it.variant.id.as_str())));
    }

    #[test]
    fn another_seed_gives_other_codes() {
        let family = family("p1");
        let items = |seed| told(seed, &family).into_iter().map(|it| it.item).collect::<Vec<_>>();
        assert_eq!(items(7), items(7));
        assert!(items(7).iter().all(|it| !items(8).contains(it)));
    }

    #[test]
    fn a_family_in_which_nothing_flips_has_no_stories() {
        let family = family("p1");
        assert!(told(7, &family[..1]).is_empty());
    }
}
