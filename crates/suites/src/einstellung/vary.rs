//! case → control, trap and sham.

use super::{
    Einstellung,
    plausible::{is_plausible, tells_essentials},
    record::{Record, place_of},
    rival::{Rival, strongest_rival},
    settings::Ranking,
    sham::sham,
    swap::{Swap, edits},
    trap::{Contest, Trap},
};
use std::collections::BTreeMap;
use waterjar_core::{
    Case, Expectation, Facts, FamilyId, Intervention, Loss, Seed, Variant, VariantId, suite::SuiteError,
};
use waterjar_knowledge::{Differential, narrative};

impl Einstellung {
    /// The hard filter. The group is the condition, so that no common one fills the benchmark.
    pub(super) fn hard(&self, case: &Case) -> Result<(Rival, String), Loss> {
        let facts = case.facts.as_ref().ok_or_else(|| Loss::new("no_facts"))?;
        if self.base.condition(&facts.condition).is_none() {
            return Err(Loss::new("unknown_condition"));
        }
        let rival = strongest_rival(&self.base, facts, self.settings.ranking).ok_or_else(|| Loss::new("no_rival"))?;
        if self.settings.ranking != Ranking::Any && rival.gap >= self.settings.gap {
            return Err(Loss::new("not_hard"));
        }
        Ok((rival, facts.condition.to_string()))
    }

    /// The patient between the two conditions, if the control is beyond doubt.
    pub(super) fn contest<'a>(&'a self, case: &'a Case) -> Result<Result<(Contest<'a>, Rival), Loss>, SuiteError> {
        let (rival, _) = match self.hard(case) {
            Ok(hard) => hard,
            Err(loss) => return Ok(Err(loss)),
        };
        let facts = case.facts.as_ref().expect("a case without facts is not hard");
        let place = |id| {
            self.base.condition_index(id).ok_or_else(|| SuiteError::Case {
                case: case.id.to_string(),
                problem: format!("the knowledge base has no condition `{id}`"),
            })
        };
        let (truth_at, rival_at) = (place(&facts.condition)?, place(&rival.condition)?);
        let contest = Contest { base: &self.base, facts, truth: truth_at, rival: rival_at, judge: self.judge };
        if !self.judge.says(&self.base, facts, truth_at, rival_at) {
            return Ok(Err(Loss::new("control_not_clear")));
        }
        if !is_plausible(&self.base, self.judge, facts, truth_at, rival_at) {
            let lacks = !tells_essentials(&self.base, facts, truth_at);
            return Ok(Err(Loss::new(if lacks { "no_essential" } else { "control_not_clear" })));
        }
        Ok(Ok((contest, rival)))
    }

    pub(super) fn family(&self, seed: Seed, case: &Case) -> Result<Result<Vec<Variant>, Loss>, SuiteError> {
        let (contest, rival) = match self.contest(case)? {
            Ok(contest) => contest,
            Err(loss) => return Ok(Err(loss)),
        };
        let (facts, truth_at, rival_at) = (contest.facts, contest.truth, contest.rival);
        let trap = match self.trap(&contest, seed, case) {
            Ok(trap) => trap,
            Err(loss) => return Ok(Err(loss)),
        };
        let mut variants = vec![self.control(case, facts), self.trap_variant(case, &contest, &rival, &trap)];
        if self.settings.shams {
            match sham(&self.base, facts, (truth_at, rival_at), self.judge, &trap.swaps) {
                Some(sham) => variants.push(self.sham_variant(case, &contest, &rival, &sham.facts, &sham.swaps)),
                None => return Ok(Err(Loss::new("no_sham"))),
            }
        }
        Ok(Ok(variants))
    }

    /// Some cases, by lot, are tried as a pure pair first, so that both kinds are there in number.
    fn trap(&self, contest: &Contest<'_>, seed: Seed, case: &Case) -> Result<Trap, Loss> {
        let lot = seed.rank("pure first", case.id.as_str()) as f64 / i64::MAX as f64;
        let pure_first = lot < self.settings.pure;
        if pure_first && let Ok(trap) = contest.pure(self.settings.max_pure_edits) {
            return Ok(trap);
        }
        contest.minimal(self.settings.max_edits)
    }

    pub(super) fn control(&self, case: &Case, facts: &Facts) -> Variant {
        let expectation = Expectation::Names { condition: facts.condition.clone() };
        self.variant(case, facts.clone(), None, expectation)
    }

    pub(super) fn trap_variant(&self, case: &Case, contest: &Contest<'_>, rival: &Rival, trap: &Trap) -> Variant {
        let truth = &contest.facts.condition;
        let expectation = Expectation::Flips { from: truth.clone(), to: rival.condition.clone() };
        let mut facts = trap.facts.clone();
        // The patient now has the rival; the source's differential was of somebody else.
        facts.condition = rival.condition.clone();
        facts.differential.clear();
        let mut variant = self.variant(case, facts, Some(("trap", &trap.swaps)), expectation);
        let purity = if trap.residual.is_empty() { "pure" } else { "mixed" };
        variant.strata = BTreeMap::from([
            ("condition".to_owned(), truth.to_string()),
            ("edits".to_owned(), trap.swaps.len().to_string()),
            ("pair".to_owned(), format!("{truth} > {}", rival.condition)),
            ("place".to_owned(), place_of(&trap.swaps).to_owned()),
            ("purity".to_owned(), purity.to_owned()),
        ]);
        let record = Record {
            residual: trap.residual.clone(),
            ..self.record(contest, rival, &trap.facts, &trap.swaps, (contest.rival, contest.truth))
        };
        variant.record = json(&record);
        variant
    }

    pub(super) fn sham_variant(
        &self,
        case: &Case,
        contest: &Contest<'_>,
        rival: &Rival,
        facts: &Facts,
        swaps: &[Swap],
    ) -> Variant {
        let expectation = Expectation::Holds { condition: contest.facts.condition.clone() };
        let mut variant = self.variant(case, facts.clone(), Some(("sham", swaps)), expectation);
        variant.record = json(&self.record(contest, rival, facts, swaps, (contest.truth, contest.rival)));
        variant
    }

    fn variant(&self, case: &Case, facts: Facts, change: Option<(&str, &[Swap])>, expectation: Expectation) -> Variant {
        let role = change.map_or("control", |(name, _)| name);
        Variant {
            id: VariantId::new(format!("{}/{role}", case.id)),
            family: FamilyId::new(case.id.as_str()),
            case: case.id.clone(),
            text: narrative::tell(&self.base, &facts),
            facts: Some(facts),
            intervention: change
                .map(|(name, swaps)| Intervention { name: name.to_owned(), edits: edits(&self.base, swaps) }),
            expectation,
            strata: BTreeMap::new(),
            record: serde_json::Value::Null,
        }
    }

    fn record(
        &self,
        contest: &Contest<'_>,
        rival: &Rival,
        after: &Facts,
        swaps: &[Swap],
        is: (usize, usize),
    ) -> Record {
        let reading = &self.judge.reading;
        let before = Differential::of(&self.base, contest.facts, reading);
        let after = Differential::of(&self.base, after, reading);
        Record::new(&self.base, contest.facts, rival, self.judge, swaps).with_odds(
            &before,
            &after,
            (contest.truth, contest.rival),
            is,
        )
    }
}

fn json(record: &Record) -> serde_json::Value {
    serde_json::to_value(record).expect("a record holds nothing JSON cannot")
}
