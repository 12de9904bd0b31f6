//! The label-free probe on pairs as they are made.

use crate::sample::{CTX, make, quickstart};
use waterjar_core::{Check, Suite};
use waterjar_suites::einstellung::{Ranking, Settings};

async fn probed(settings: Settings, patients: u64) -> Vec<Check> {
    let made = make(settings, patients).await;
    let mut families = made.families.into_iter().map(crate::sample::Pair::into_variants);
    made.suite.audit(&CTX, &mut families).checks
}

fn named<'a>(checks: &'a [Check], name: &str) -> &'a Check {
    checks.iter().find(|check| check.name == name).unwrap()
}

#[tokio::test]
async fn a_pure_trap_cannot_be_told_from_a_control_by_its_form() {
    let checks = probed(Settings { ranking: Ranking::Any, pure: 1.0, ..quickstart() }, 5000).await;
    let pure = named(&checks, "artefact_probe_pure");
    assert!(pure.n >= 200, "{pure:?}");
    assert!(pure.low <= 0.5 && 0.5 <= pure.high, "{pure:?}");
}

#[tokio::test]
async fn a_trap_that_keeps_old_evidence_gives_itself_away() {
    // Said in the report rather than hidden: no condition explains all of a mixed trap.
    let checks = probed(Settings { pure: 0.0, ..quickstart() }, 5000).await;
    let mixed = named(&checks, "artefact_probe_mixed");
    assert!(mixed.low > 0.5, "{mixed:?}");
}

#[tokio::test]
async fn without_families_there_is_nothing_to_probe() {
    let checks = probed(quickstart(), 0).await;
    assert_eq!(checks, []);
}
