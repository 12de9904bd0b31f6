//! What only all subjects tell: their ranks, and what tools change for a model.

use std::collections::BTreeMap;
use waterjar_core::metric::rounded;
use waterjar_core::{FamilyId, Measured, Metric, Seed, SubjectId, Together, shares::SharesOf};
use waterjar_scoring::stats::{Bootstrap, Direction, Tally, sign_test};

/// The score of every tuple by itself, for pairing.
pub(super) const TUPLES: &str = "css_tuples";

const RANKED: [&str; 3] = ["css", "css_clean", "cms"];
/// Who asks in one shot, and who looks things up or is given what somebody looked up.
const ONE_SHOT: &str = "plain";
const WITH_TOOLS: [&str; 2] = ["react", "retrieved"];

pub(super) const TOGETHER: Together = Together { reads: &[RANKED[0], RANKED[1], RANKED[2], TUPLES], add };

pub(super) fn add(seed: Seed, subjects: &mut [(SubjectId, Measured)]) {
    for metric in RANKED {
        rank(seed, metric, subjects);
    }
    let changes: Vec<_> = subjects.iter().map(|(subject, _)| ToolUse::of(subject, subjects)).collect();
    for ((_, measured), change) in subjects.iter_mut().zip(changes) {
        measured.metrics.extend(change.map(ToolUse::metrics).into_iter().flatten());
    }
}

/// `css_rank` and so on: 1 is best, ties share their middle; the interval is over cases, the same ones for all subjects.
fn rank(seed: Seed, metric: &str, subjects: &mut [(SubjectId, Measured)]) {
    // Who has no figure has no place, and takes none from the others.
    let mut ranked: Vec<&mut (SubjectId, Measured)> =
        subjects.iter_mut().filter(|(_, it)| it.metrics.get(metric).is_some_and(|it| it.value.is_some())).collect();
    if ranked.len() < 2 {
        return;
    }
    let mut tally = Tally::new();
    let mut ratios = Vec::new();
    for (subject, measured) in ranked.iter().map(|it| &**it) {
        let ratio = tally.ratio(subject.as_str());
        for share in measured.shares.of(metric).iter() {
            let pushed = tally.push(share.family.as_str(), ratio, share.part, share.whole);
            pushed.expect("scores are small finite numbers");
        }
        ratios.push(ratio);
    }
    let Some(ranks) = Bootstrap::new(seed).resample(&tally).ranks(&ratios, Direction::HigherIsBetter) else { return };
    for ((_, measured), found) in ranked.iter_mut().map(|it| &mut **it).zip(ranks) {
        let rank = Metric {
            value: Some(found.rank),
            low: found.interval.map(|it| it.low),
            high: found.interval.map(|it| it.high),
            n: tally.families() as u64,
            ..Metric::default()
        };
        measured.metrics.insert(format!("{metric}_rank"), rank);
    }
}

/// What the same model answered in one shot and with tools.
#[derive(Clone, Copy, Default)]
struct ToolUse {
    tuples: Moves,
    /// Each by the sum over its tuples: the changes of one chart are not independent, and a coin tossed for every one would be too sure.
    charts: Moves,
}

/// How many score higher with tools, the same, or lower.
#[derive(Clone, Copy, Default)]
struct Moves {
    help: u64,
    same: u64,
    hurt: u64,
}

impl Moves {
    fn add(&mut self, change: f64) {
        // What rounding leaves of nothing is nothing.
        match rounded(change) {
            up if up > 0.0 => self.help += 1,
            down if down < 0.0 => self.hurt += 1,
            _ => self.same += 1,
        }
    }

    fn all(self) -> u64 {
        self.help + self.same + self.hurt
    }
}

impl ToolUse {
    /// `None` for who uses no tools, and where the same model was not asked in one shot.
    fn of(subject: &SubjectId, subjects: &[(SubjectId, Measured)]) -> Option<Self> {
        let (agent, model) = subject.as_str().split_once('@')?;
        WITH_TOOLS.contains(&agent).then_some(())?;
        let tuples = |agent: &str| {
            let named = format!("{agent}@{model}");
            let (_, measured) = subjects.iter().find(|(subject, _)| subject.as_str() == named)?;
            Some(measured.shares.of(TUPLES)).filter(|it| !it.is_empty()).map(by_tuple)
        };
        let (alone, tools) = (tuples(ONE_SHOT)?, tuples(agent)?);
        let mut found = Self::default();
        let mut charts: BTreeMap<FamilyId, f64> = BTreeMap::new();
        for (tuple, (chart, with)) in tools {
            let Some((_, without)) = alone.get(&tuple) else { continue };
            found.tuples.add(with - without);
            *charts.entry(chart).or_default() += with - without;
        }
        charts.into_values().for_each(|change| found.charts.add(change));
        (found.tuples.all() > 0).then_some(found)
    }

    fn metrics(self) -> Vec<(String, Metric)> {
        let Self { tuples, charts } = self;
        let n = tuples.all();
        let share = |count: u64| Metric { value: Some(rounded(count as f64 / n as f64)), n, ..Metric::default() };
        let moved = charts.help + charts.hurt;
        let p = Metric { value: Some(rounded(sign_test(charts.help, charts.hurt))), n: moved, ..Metric::default() };
        let named = [
            ("tools_help", share(tuples.help)),
            ("tools_same", share(tuples.same)),
            ("tools_hurt", share(tuples.hurt)),
            ("tools_sign_p", p),
        ];
        named.map(|(name, metric)| (name.to_owned(), metric)).into()
    }
}

/// The chart and the mean over repeats.
fn by_tuple(shares: SharesOf<'_>) -> BTreeMap<FamilyId, (FamilyId, f64)> {
    let mut sums: BTreeMap<FamilyId, (FamilyId, f64, f64)> = BTreeMap::new();
    for share in shares.iter() {
        let chart = share.cluster().clone();
        let (_, part, whole) = sums.entry(share.family).or_insert((chart, 0.0, 0.0));
        *part += share.part;
        *whole += share.whole;
    }
    sums.into_iter().map(|(tuple, (chart, part, whole))| (tuple, (chart, part / whole))).collect()
}
