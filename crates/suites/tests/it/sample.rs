//! Families made of simulated patients, and what a judge outside the suite says of them.

use std::sync::{Arc, LazyLock};
use waterjar_core::{
    Case, CaseSource, ConditionId, Facts, FindingId, FindingState, Loss, Observation, Seed, Suite, SuiteContext,
    Variant, Varied,
};
use waterjar_knowledge::simulate::Simulated;
use waterjar_knowledge::{Condition, Differential, Kind, KnowledgeBase, Reading, Scope, narrative, starter};
use waterjar_suites::einstellung::{Einstellung, Settings};

pub const SEED: Seed = Seed(7);
pub const CTX: SuiteContext = SuiteContext::new(SEED);
/// The judge's margin where a study says nothing.
pub const MARGIN: f64 = 3.0;

pub fn base() -> Arc<KnowledgeBase> {
    static BASE: LazyLock<Arc<KnowledgeBase>> = LazyLock::new(|| Arc::new(starter::base().unwrap()));
    Arc::clone(&BASE)
}

pub fn cases(count: u64) -> Vec<Case> {
    Simulated::for_test(base(), SEED, count).cases().map(|case| case.unwrap()).collect()
}

/// As in the quickstart: a rival that the symptoms alone do not rule out, one or two swaps.
pub fn quickstart() -> Settings {
    Settings { gap: 0.7, max_edits: 2, ..Settings::default() }
}

pub struct Made {
    pub suite: Einstellung,
    pub families: Vec<Pair>,
    pub losses: Vec<Loss>,
}

/// The variants of one case.
pub struct Pair {
    pub control: Variant,
    pub trap: Variant,
    pub sham: Option<Variant>,
}

impl Pair {
    pub fn of(variants: Vec<Variant>) -> Self {
        let with = |role: &str| variants.iter().find(|it| it.role() == role).cloned();
        Self { control: with("control").unwrap(), trap: with("trap").unwrap(), sham: with("sham") }
    }

    pub fn id(&self) -> &str {
        self.control.family.as_str()
    }

    pub fn truth(&self) -> ConditionId {
        self.control.expectation.condition().expect("this suite is about conditions").clone()
    }

    pub fn rival(&self) -> ConditionId {
        self.trap.expectation.condition().expect("this suite is about conditions").clone()
    }

    pub fn is_pure(&self) -> bool {
        self.trap.strata["purity"] == "pure"
    }

    /// Trap and sham: what was changed.
    pub fn changed(&self) -> impl Iterator<Item = &Variant> {
        [Some(&self.trap), self.sham.as_ref()].into_iter().flatten()
    }

    pub fn into_variants(self) -> Vec<Variant> {
        [Some(self.control), Some(self.trap), self.sham].into_iter().flatten().collect()
    }
}

pub async fn make(settings: Settings, patients: u64) -> Made {
    let suite = Einstellung::new(settings, base());
    let mut made = Made { suite, families: Vec::new(), losses: Vec::new() };
    for case in cases(patients) {
        match made.suite.vary(&CTX, &case).await.unwrap() {
            Varied::Family(variants) => made.families.push(Pair::of(variants)),
            Varied::Lost(loss) | Varied::Rejected(loss, _) => made.losses.push(loss),
        }
    }
    made
}

pub fn facts(variant: &Variant) -> &Facts {
    variant.facts.as_ref().unwrap()
}

/// What was exchanged, as the record says: (removed, inserted).
pub fn swaps(variant: &Variant) -> Vec<(FindingId, FindingId)> {
    let id = |swap: &serde_json::Value, key: &str| FindingId::from(swap[key].as_str().unwrap());
    let swaps = variant.record["swaps"].as_array().unwrap();
    swaps.iter().map(|swap| (id(swap, "removed"), id(swap, "inserted"))).collect()
}

pub fn exchanged(control: &Facts, swaps: &[(FindingId, FindingId)]) -> Facts {
    let mut facts = control.clone();
    for (removed, inserted) in swaps {
        let seen = facts.findings.iter_mut().find(|seen| seen.finding == *removed).unwrap();
        *seen = Observation { finding: inserted.clone(), state: FindingState::Present, values: Vec::new() };
    }
    facts
}

/// The odds of one condition over the other where it comes first.
pub fn leads(facts: &Facts, condition: &ConditionId, over: &ConditionId) -> Option<f64> {
    let base = base();
    let at = |id| base.condition_index(id).unwrap();
    let differential = Differential::of(&base, facts, &Reading::JUDGE);
    (differential.first() == Some(at(condition))).then(|| differential.odds(at(condition), at(over)))
}

/// Whether a physician could say so: nothing that the condition is hardly thinkable without is denied or left out, and nothing of the kind,
/// nor anything told a hundred times as often of the other as by anybody else, that the other has and it has not is told. With history
/// at half its weight it still leads.
pub fn is_plausible(facts: &Facts, condition: &ConditionId, other: &ConditionId) -> bool {
    let base = base();
    let (condition, other) = (base.condition(condition).unwrap(), base.condition(other).unwrap());
    let told = |id: &FindingId| facts.present().any(|seen| seen.finding == *id);
    let fits = |id: &FindingId| base.finding(id).unwrap().fits(facts.sex, facts.age);
    let essential = condition.findings.iter().filter(|(id, it)| it.essential && fits(id));
    let is_hallmark = |id: &FindingId, p: f64| {
        let finding = base.finding(id).unwrap();
        let others = finding.background;
        others > 0.0 && finding.kind != Kind::FamilyHistory && p / others >= 100.0
    };
    let marked = other.findings.iter().filter(|(id, it)| it.essential || it.pathognomonic || is_hallmark(id, it.p));
    let at = |it: &Condition| base.condition_index(&it.id).unwrap();
    let reading = Reading { floor: 0.02, scope: Scope::HalfHistory, ..Reading::JUDGE };
    let sceptic = Differential::of(&base, facts, &reading).odds(at(condition), at(other));
    sceptic >= MARGIN
        && essential.map(|(id, _)| id).all(told)
        && !marked.map(|(id, _)| id).any(|id| told(id) && !condition.lists(id))
}

/// What the text alone says, read back into findings.
pub fn told(variant: &Variant) -> Facts {
    static READER: LazyLock<narrative::Reader> = LazyLock::new(|| narrative::Reader::new(&base()));
    let read = READER.read(&variant.text);
    assert_eq!(read.unread, Vec::<String>::new(), "{}", variant.id);
    Facts { sex: read.sex.unwrap(), age: read.age.unwrap(), findings: read.findings, ..facts(variant).clone() }
}
