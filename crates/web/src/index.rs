//! What families can be found by, held in memory: a filter over a hundred thousand of them must not read the run again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use waterjar_core::{FamilyId, FamilyVerdict, Outcome, SubjectId};
use waterjar_engine::PlannedSuite;
use waterjar_store::{Store, StoreError, StoredFamily};

pub struct Index {
    /// In the order of the run, which is one of chance.
    pub families: Vec<Entry>,
    /// In the order of the study.
    pub subjects: Vec<SubjectId>,
    /// Every stratum with its values, each with its number.
    pub strata: BTreeMap<String, BTreeMap<String, u32>>,
    /// Of the variants.
    pub roles: BTreeSet<String>,
    places: HashMap<FamilyId, usize>,
}

pub struct Entry {
    pub position: i64,
    pub id: FamilyId,
    pub title: String,
    /// What it is a version of, as other families are.
    pub cluster: Option<String>,
    /// The numbers of the values its variants have.
    strata: BTreeSet<u32>,
    /// Of every subject, in their order.
    pub states: Vec<State>,
}

/// What became of a family, for one subject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub judged: bool,
    pub failed: bool,
    /// A bit for every outcome that occurs.
    outcomes: u8,
}

/// Families read at a time.
const PAGE: u32 = 256;

impl Index {
    pub async fn read(store: &Store, planned: &PlannedSuite) -> Result<Self, StoreError> {
        let subjects: Vec<SubjectId> = planned.subjects.iter().map(|it| it.id.clone()).collect();
        let mut index = Self {
            families: Vec::new(),
            subjects,
            strata: BTreeMap::new(),
            roles: BTreeSet::new(),
            places: HashMap::new(),
        };
        let mut after = Some(0);
        while let Some(position) = after {
            let page = store.families_page(planned.id(), position, PAGE).await?;
            for family in page.items {
                index.add(planned, family);
            }
            after = page.next;
        }
        let judge = planned.suite().judge_id();
        let mut after = Some(0);
        while let Some(position) = after {
            let page = store.verdicts_page(planned.id(), position, PAGE).await?;
            for stored in page.items.iter().filter(|it| it.verdict.judge == judge) {
                index.judge(&stored.verdict, planned.suite().failed(&stored.verdict));
            }
            after = page.next;
        }
        Ok(index)
    }

    fn add(&mut self, planned: &PlannedSuite, family: StoredFamily) {
        let StoredFamily { position, id, variants, .. } = family;
        let (title, cluster) = (planned.suite().title_of(&variants), planned.suite().cluster_of(&variants));
        for variant in &variants {
            if !self.roles.contains(variant.role()) {
                self.roles.insert(variant.role().to_owned());
            }
        }
        let mut values = BTreeSet::new();
        for (key, value) in variants.iter().flat_map(|variant| &variant.strata) {
            let next = self.strata.values().map(BTreeMap::len).sum::<usize>() as u32;
            let of_key = self.strata.entry(key.clone()).or_default();
            values.insert(*of_key.entry(value.clone()).or_insert(next));
        }
        let states = vec![State::default(); self.subjects.len()];
        self.places.insert(id.clone(), self.families.len());
        self.families.push(Entry { position, id, title, cluster, strata: values, states });
    }

    fn judge(&mut self, verdict: &FamilyVerdict, failed: bool) {
        let subject = self.subjects.iter().position(|subject| *subject == verdict.subject);
        let place = self.places.get(&verdict.family);
        let (Some(subject), Some(place)) = (subject, place) else { return };
        let state = &mut self.families[*place].states[subject];
        state.judged = true;
        state.failed |= failed;
        state.outcomes |= verdict.rulings.iter().fold(0, |bits, ruling| bits | bit(ruling.outcome));
    }

    pub fn place(&self, id: &str) -> Option<usize> {
        self.places.get(&FamilyId::new(id)).copied()
    }

    /// The number of a value, where any family has it.
    pub fn value(&self, key: &str, value: &str) -> Option<u32> {
        self.strata.get(key)?.get(value).copied()
    }
}

impl Entry {
    pub fn has(&self, value: u32) -> bool {
        self.strata.contains(&value)
    }
}

impl State {
    pub fn saw(self, outcome: Outcome) -> bool {
        self.outcomes & bit(outcome) != 0
    }
}

fn bit(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Right => 1,
        Outcome::Partly => 2,
        Outcome::Trapped => 4,
        Outcome::Missed => 8,
        Outcome::Missing => 16,
    }
}
