//! The disk: is there room for the run?

use super::Check;
use super::place::ground;
use std::collections::HashMap;
use waterjar_core::{SuiteContext, Varied};
use waterjar_engine::{Plan, PlannedSuite, RunDir};

/// Cases of a source that are looked at: enough to know what the others are like.
const LOOKED_AT: usize = 20_000;
/// Families that are made to see how long they are.
const TRIED: usize = 8;

// Bytes as measured on the quickstart, database and JSON lines together, rounded up.
/// Of each byte of a case or variant: its row with the slack of pages, and its line.
const COPIES: f64 = 2.6;
/// An answer of a built-in model.
const SHORT_ANSWER: f64 = 800.0;
/// An answer of 800 tokens: in the reply with its question, in the response, in its line, and its transcript.
const LONG_ANSWER: f64 = 12_000.0;
/// The verdict on one family of one subject, with its shares.
const VERDICT: f64 = 4_200.0;
/// What an author and a committee say about one case.
const AUTHORED: f64 = 50_000.0;
/// The report, the figures and what SQLite keeps beside.
const BESIDE: f64 = 10_000_000.0;

pub async fn check(dir: &RunDir, plan: &Plan) -> Check {
    let ground = ground(dir.path());
    let of = ground.display().to_string();
    let mut bytes = BESIDE;
    let mut at_least = false;
    for planned in &plan.suites {
        let sample = Sample::of(planned, plan).await;
        bytes += sample.bytes(planned, plan);
        at_least |= !sample.is_whole && planned.suite().quota().families.is_none();
    }
    let about = if at_least { "at least" } else { "about" };
    let needs = format!("the run takes {about} {}", size(bytes));
    match free(&ground) {
        None => Check::warn("disk", of, needs, "look yourself whether there is room: this system does not tell"),
        Some(free) => {
            let found = format!("{} free; {needs}", size(free));
            if free < bytes {
                Check::fail("disk", of, found, "make room, or choose another disk with --out")
            } else if free < 2.0 * bytes {
                Check::warn("disk", of, found, "it may be enough; answers longer than usual would fill it")
            } else {
                Check::ok("disk", of, found)
            }
        }
    }
}

/// What a suite's cases and variants are like.
struct Sample {
    eligible: u64,
    /// At most, by what is eligible and how many of a group are wanted.
    families: u64,
    variants_per_family: f64,
    case_bytes: f64,
    variant_bytes: f64,
    /// The source ended before we stopped looking.
    is_whole: bool,
}

impl Sample {
    async fn of(planned: &PlannedSuite, plan: &Plan) -> Self {
        let suite = planned.suite();
        let ctx = SuiteContext::new(plan.seed);
        let mut groups: HashMap<String, u64> = HashMap::new();
        let (mut looked_at, mut case_bytes) = (0, 0.0);
        let mut made: Vec<(usize, f64)> = Vec::new();
        for case in planned.opened.source.cases().take(LOOKED_AT).flatten() {
            looked_at += 1;
            let Ok(group) = suite.screen(&case) else { continue };
            *groups.entry(group).or_default() += 1;
            case_bytes += length(&case);
            // A suite that cannot vary without its author leaves us with the defaults below.
            if made.len() < TRIED
                && let Ok(Varied::Family(variants)) = suite.vary(&ctx, &case).await
            {
                made.push((variants.len(), variants.iter().map(length).sum()));
            }
        }
        let eligible: u64 = groups.values().sum();
        let per_group = suite.quota().per_group.unwrap_or(u64::MAX);
        let variants: usize = made.iter().map(|(variants, _)| variants).sum();
        let (n, bytes) = (made.len().max(1) as f64, made.iter().map(|(_, bytes)| bytes).sum::<f64>());
        Self {
            eligible,
            families: groups.values().map(|&group| group.min(per_group)).sum(),
            variants_per_family: if made.is_empty() { 3.0 } else { variants as f64 / n },
            case_bytes: case_bytes / eligible.max(1) as f64,
            variant_bytes: if variants == 0 { 2_500.0 } else { bytes / variants as f64 },
            is_whole: looked_at < LOOKED_AT,
        }
    }

    fn bytes(&self, planned: &PlannedSuite, plan: &Plan) -> f64 {
        let wanted = planned.suite().quota().families;
        // A source that was not read to its end may hold as many as are wanted.
        let families = match wanted {
            Some(wanted) if self.is_whole => wanted.min(self.families),
            Some(wanted) => wanted,
            None => self.families,
        } as f64;
        let variants = families * self.variants_per_family;
        let is_asked = |model: &str| plan.vendors.contains_key(model);
        let answers: f64 = planned
            .subjects
            .iter()
            .map(|subject| if is_asked(&subject.model) { LONG_ANSWER } else { SHORT_ANSWER })
            .sum();
        let repeats = f64::from(plan.repeats);
        let authored = if planned.suite().roles().author.is_some() { families * AUTHORED } else { 0.0 };
        self.eligible as f64 * self.case_bytes * COPIES
            + variants * self.variant_bytes * COPIES
            + variants * repeats * answers
            + families * repeats * planned.subjects.len() as f64 * VERDICT
            + authored
    }
}

fn length(thing: &impl serde::Serialize) -> f64 {
    serde_json::to_vec(thing).map_or(0.0, |json| json.len() as f64)
}

#[cfg(unix)]
fn free(at: &std::path::Path) -> Option<f64> {
    let disk = rustix::fs::statvfs(at).ok()?;
    Some(disk.f_bavail as f64 * disk.f_frsize as f64)
}

#[cfg(not(unix))]
fn free(_: &std::path::Path) -> Option<f64> {
    None
}

/// `38 MB`, `1.2 GB`
fn size(bytes: f64) -> String {
    if bytes < 1e9 { format!("{:.0} MB", (bytes / 1e6).ceil()) } else { format!("{:.1} GB", bytes / 1e9) }
}
