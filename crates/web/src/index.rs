//! What families can be found by, held in memory: a filter over a hundred thousand of them must not read the run again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;
use waterjar_core::{FamilyId, FamilyVerdict, Interval, Outcome, SubjectId};
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
    /// By the filter whose families they are of.
    drawn: Mutex<HashMap<String, Arc<OnceCell<Intervals>>>>,
}

/// Of each subject.
pub type Intervals = Vec<Option<Interval>>;

/// Filters whose intervals are held; then all are forgotten, and drawn again when somebody asks for them.
const FILTERS: usize = 256;

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
            drawn: Mutex::default(),
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

    /// To draw among many families takes seconds, and every page of a list shows the same: it is done once for each filter, until the run changes and
    /// is read again.
    pub async fn intervals(&self, filter: &str, draw: impl Future<Output = Intervals>) -> Intervals {
        let cell = {
            let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
            if drawn.len() >= FILTERS && !drawn.contains_key(filter) {
                drawn.clear();
            }
            Arc::clone(drawn.entry(filter.to_owned()).or_default())
        };
        cell.get_or_init(|| draw).await.clone()
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn empty() -> Index {
        Index {
            families: Vec::new(),
            subjects: Vec::new(),
            strata: BTreeMap::new(),
            roles: BTreeSet::new(),
            places: HashMap::new(),
            drawn: Mutex::default(),
        }
    }

    #[tokio::test]
    async fn intervals_are_drawn_once_for_each_filter() {
        let (index, times) = (empty(), AtomicUsize::new(0));
        let draw = async || {
            times.fetch_add(1, Ordering::SeqCst);
            vec![Some(Interval { low: 0.1, high: 0.2 })]
        };
        let first = index.intervals("", draw()).await;
        assert_eq!(index.intervals("", draw()).await, first);
        assert_eq!(times.load(Ordering::SeqCst), 1);
        tokio::join!(index.intervals("?shows=failed", draw()), index.intervals("?shows=failed", draw()));
        assert_eq!(times.load(Ordering::SeqCst), 2);
        for n in 0..2 * FILTERS {
            index.intervals(&n.to_string(), draw()).await;
        }
        assert!(index.drawn.lock().unwrap().len() <= FILTERS);
    }
}
