//! Three tiers, in this order: who is excluded, whose pivots are verified, who explains more.

use crate::ecr::audit::Audited;
use crate::ecr::reasoner::Auditing;
use crate::ecr::reasoner::stages::{Opinion, Verdict};

pub fn audit(about: &Auditing<'_>) -> Opinion {
    let first = about.streams.intuition as usize;
    let sheet = about.sheet;
    if sheet.says_nothing() {
        let reasons =
            vec![format!("Nothing is known of {}: the first impression stands unexamined.", about.candidates[first])];
        return Opinion { verdict: Verdict::Keep, diagnosis: first as u32, also: None, reasons };
    }
    let ranking = sheet.ranking();
    let all = &sheet.candidates;
    let mut reasons = Vec::new();
    // Tier 1. If all are excluded, none is.
    let sound: Vec<usize> = ranking.iter().copied().filter(|&at| all[at].fatal.is_empty()).collect();
    let in_play = if sound.is_empty() { &ranking } else { &sound };
    for &at in ranking.iter().filter(|at| !in_play.contains(at)) {
        reasons.push(format!("{} is excluded: the patient denies {}.", all[at].candidate, quoted(&all[at].fatal[0])));
    }
    let leader = in_play[0];
    let lead = all[leader].score.total - all[first].score.total;
    // Little knowledge must lead by more.
    let needed = about.doubt / all[leader].cases.min(all[first].cases).max(1.0);
    let keeps = leader == first || (in_play.contains(&first) && lead <= needed);
    if keeps && leader != first {
        reasons.push(format!(
            "{} leads by {lead:.2}, which is too little for how little is known ({needed:.2} would do).",
            all[leader].candidate
        ));
    }
    let diagnosis = if keeps { first } else { leader };
    let rival = if keeps { ranking.iter().copied().find(|&at| at != first) } else { Some(first) };
    // Tier 2.
    if let Some(rival) = rival {
        reasons.push(pivots(&all[diagnosis], &all[rival]));
    }
    // Tier 3.
    let chosen = &all[diagnosis];
    reasons.push(format!(
        "{} explains {:.0} % of the facts; {} expected features are not mentioned.",
        chosen.candidate,
        chosen.coverage * 100.0,
        chosen.shadows.len()
    ));
    let verdict = if keeps { Verdict::Keep } else { Verdict::Overturn };
    let also = composed(about, diagnosis);
    if let Some(also) = also {
        reasons.push(format!(
            "Pivots of {} are verified as well, and they explain facts {} does not: the patient may have both.",
            all[also].candidate, chosen.candidate
        ));
    }
    Opinion { verdict, diagnosis: diagnosis as u32, also: also.map(|at| at as u32), reasons }
}

fn pivots(chosen: &Audited, rival: &Audited) -> String {
    let between = |one: &Audited, other: &Audited| -> Vec<String> {
        let tells = |it: &&(String, f64)| other.lost.iter().any(|(lost, _)| *lost == it.0);
        one.won.iter().filter(tells).map(|(content, _)| quoted(content)).collect()
    };
    let (own, theirs) = (between(chosen, rival), between(rival, chosen));
    let told = |name: &str, pivots: &[String]| match pivots {
        [] => format!("none for {name}"),
        [only] => format!("{only} for {name}"),
        [best, rest @ ..] => format!("{best} and {} more for {name}", rest.len()),
    };
    format!("Verified pivots between the two: {}; {}.", told(&chosen.candidate, &own), told(&rival.candidate, &theirs))
}

fn quoted(content: &str) -> String {
    format!("“{}”", content.trim_end_matches('.'))
}

/// A second condition: nothing excludes it, at least two of its pivots are verified, and it explains as many facts the first leaves open.
fn composed(about: &Auditing<'_>, diagnosis: usize) -> Option<usize> {
    const ENOUGH: usize = 2;
    let chosen = &about.sheet.candidates[diagnosis];
    let second = about.sheet.ranking().into_iter().filter(|&at| at != diagnosis).find(|&at| {
        let other = &about.sheet.candidates[at];
        let own = |it: &&(String, f64)| chosen.unexplained.contains(&it.0);
        let kept = |it: &&(String, f64)| other.unexplained.contains(&it.0);
        other.fatal.is_empty()
            && chosen.fatal.is_empty()
            && other.won.iter().filter(own).count() >= ENOUGH
            && chosen.won.iter().filter(kept).count() >= ENOUGH
            && other.score.total > 0.0
    })?;
    Some(second)
}
