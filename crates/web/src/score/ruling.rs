//! A variant and an answer → what the suite's own rules say of it.

use super::error::ScoreError;
use super::wire::{Outcome, Scored, Wanted};
use crate::Site;
use crate::shelf::ServedRun;
use axum::http::StatusCode;
use std::sync::Arc;
use tokio::sync::Semaphore;
use waterjar_core::{Case, Conclusion, Family, FamilyVerdict, SubjectId, SuiteContext, Variant, VariantId, Varied};
use waterjar_engine::PlannedSuite;

const RULES: &str = "rules";
/// Whose answer it is: nobody the study knows.
const ELSEWHERE: &str = "answer@elsewhere";

pub async fn score(site: &Site, wanted: Wanted) -> Result<Scored, ScoreError> {
    let run = run(site, &wanted).await?;
    let planned = suite(&run, &wanted)?;
    let judge = planned.suite().judge_id();
    if judge.as_str() != RULES {
        let what = format!("{} judges this suite, and no model is asked here", judge.as_str());
        let hint = "serve a run whose suite has judge = [\"rules\"]";
        return Err(ScoreError::new(StatusCode::CONFLICT, what, "suite", hint));
    }
    let ctx = context(&run, planned).await?;
    let variants = match (&wanted.variant, &wanted.case) {
        (Some(variant), None) => stored(&run, planned, variant).await?,
        (None, Some(case)) => made(planned, ctx.clone(), case).await?,
        _ => {
            let hint = "name a `variant` of the run; or send a `case` with a `role`";
            return Err(ScoreError::unscorable("either a variant or a case is answered", "variant", hint));
        }
    };
    let asked = asked(&variants, &wanted)?;
    let family = family(planned, variants, &asked, &wanted)?;
    let (name, suite) = (family.id.to_string(), Arc::clone(&planned.opened.suite));
    let judged = apart(async move { suite.judge(&ctx, &family).await }).await;
    let verdict =
        judged.map_err(|_| ScoreError::unscorable("the rules stumble over this answer", "answer", STUMBLED))?;
    let verdict = verdict.map_err(|error| ScoreError::unscorable(error.to_string(), "answer", STUMBLED))?;
    scored(&run, planned, &name, &asked, verdict)
}

/// Rules are work for a processor: so many at once, and on threads of their own, so that pages are not kept waiting by a long answer. Apart,
/// too, so that a rule that stumbles over an answer takes nothing else with it.
async fn apart<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Result<T, tokio::task::JoinError> {
    static AT_ONCE: Semaphore = Semaphore::const_new(4);
    let _permit = AT_ONCE.acquire().await.expect("nobody closes it");
    let here = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || here.block_on(work)).await
}

const STUMBLED: &str = "please report it with the answer; other answers can be scored";

async fn run(site: &Site, wanted: &Wanted) -> Result<Arc<ServedRun>, ScoreError> {
    let name = match (&wanted.run, site.shelf.slots().as_slice()) {
        (Some(name), _) => name.clone(),
        (None, [only]) => only.name.clone(),
        _ => return Err(ScoreError::unscorable("several runs are served", "run", "name one; the page / lists them")),
    };
    Ok(site.shelf.run(&name).await?)
}

fn suite<'a>(run: &'a ServedRun, wanted: &Wanted) -> Result<&'a PlannedSuite, ScoreError> {
    let suites = &run.opened.plan.suites;
    let names: Vec<&str> = suites.iter().map(|it| it.id().as_str()).collect();
    match (&wanted.suite, suites.as_slice()) {
        (Some(name), _) => suites.iter().find(|it| it.id().as_str() == name).ok_or_else(|| {
            let what = format!("the run {} has no suite {name}", run.name);
            ScoreError::not_found(what, "suite", format!("it has {}", names.join(", ")))
        }),
        (None, [only]) => Ok(only),
        (None, _) => {
            let what = format!("the run {} has several suites", run.name);
            Err(ScoreError::unscorable(what, "suite", format!("name one: {}", names.join(", "))))
        }
    }
}

/// Without any model; with an embedder where the suite compares texts.
async fn context(run: &ServedRun, planned: &PlannedSuite) -> Result<SuiteContext, ScoreError> {
    let embedder = match planned.suite().roles().embedder {
        Some(name) => Some(run.embedder(&name).await?),
        None => None,
    };
    Ok(SuiteContext { embedder, ..SuiteContext::new(run.opened.plan.seed) })
}

async fn stored(run: &ServedRun, planned: &PlannedSuite, variant: &str) -> Result<Vec<Variant>, ScoreError> {
    let unknown = || {
        let what = format!("the suite {} of {} has no variant {variant}", planned.id(), run.name);
        ScoreError::not_found(what, "variant", "their ids are in the run's variants.jsonl")
    };
    let position = run.places(planned).await?.of(variant).ok_or_else(unknown)?;
    let page = run.opened.store.families_page(planned.id(), position - 1, 1).await;
    let page = page.map_err(crate::error::PageError::from)?;
    let family = page.items.into_iter().next().filter(|it| it.position == position).ok_or_else(unknown)?;
    Ok(family.variants)
}

/// What the suite makes of a case by rule.
async fn made(planned: &PlannedSuite, ctx: SuiteContext, case: &serde_json::Value) -> Result<Vec<Variant>, ScoreError> {
    let shape = "a case has id, source and text, and facts where the suite needs them, as waterjar import writes them";
    if planned.suite().roles().author.is_some() {
        let what = "a model words the variants of this suite, and no model is asked here";
        return Err(ScoreError::new(StatusCode::CONFLICT, what, "case", "name a `variant` of the run"));
    }
    let case: Case = serde_json::from_value(case.clone())
        .map_err(|error| ScoreError::unscorable(error.to_string(), "case", shape))?;
    let suite = Arc::clone(&planned.opened.suite);
    let made = apart(async move {
        suite.screen(&case).map_err(|loss| loss.reason)?;
        match suite.vary(&ctx, &case).await {
            Ok(Varied::Family(variants)) => Ok(variants),
            Ok(Varied::Lost(loss) | Varied::Rejected(loss, _)) => Err(loss.reason),
            Err(error) => Err(error.to_string()),
        }
    });
    let made = made.await.unwrap_or_else(|_| Err("the rules stumble over it".to_owned()));
    made.map_err(|why| ScoreError::unscorable(format!("no variant can be made of this case: {why}"), "case", shape))
}

/// The variant that is answered.
fn asked(variants: &[Variant], wanted: &Wanted) -> Result<VariantId, ScoreError> {
    let roles = || variants.iter().map(Variant::role).collect::<Vec<_>>().join(", ");
    let found = match (&wanted.variant, &wanted.role) {
        (Some(id), None) => variants.iter().find(|it| it.id.as_str() == id),
        (Some(id), Some(role)) => variants.iter().find(|it| it.id.as_str() == id && it.role() == role),
        (None, Some(role)) => variants.iter().find(|it| it.role() == role),
        (None, None) => None,
    };
    found.map(|it| it.id.clone()).ok_or_else(|| {
        ScoreError::unscorable("the family has no such variant", "role", format!("its roles are {}", roles()))
    })
}

fn family(
    planned: &PlannedSuite,
    variants: Vec<Variant>,
    asked: &VariantId,
    wanted: &Wanted,
) -> Result<Family, ScoreError> {
    let subject = SubjectId::from(ELSEWHERE);
    let unknown = wanted.others.keys().find(|role| !variants.iter().any(|it| it.role() == role.as_str()));
    if let Some(role) = unknown {
        let roles = variants.iter().map(Variant::role).collect::<Vec<_>>().join(", ");
        let what = format!("the family has no {role}");
        return Err(ScoreError::unscorable(what, "others", format!("its roles are {roles}")));
    }
    // A thought without an answer would be dropped in silence.
    if let Some(role) = wanted.others_reasoning.keys().find(|role| !wanted.others.contains_key(*role)) {
        let what = format!("others holds no answer of {role}");
        return Err(ScoreError::unscorable(what, "others_reasoning", "send its answer in `others`"));
    }
    let said = |text: &String, reasoning| Conclusion { text: text.clone(), reasoning, record: None };
    let thought = |variant: &Variant| wanted.others_reasoning.get(variant.role()).cloned();
    let answers = variants.iter().filter_map(|variant| match variant.id == *asked {
        true => Some((variant.id.clone(), said(&wanted.answer, wanted.reasoning.clone()))),
        false => wanted.others.get(variant.role()).map(|text| (variant.id.clone(), said(text, thought(variant)))),
    });
    let answers = answers.collect();
    Family::answered(planned.id(), &subject, variants, answers)
        .ok_or_else(|| ScoreError::unscorable("the family has no variants", "variant", "name another"))
}

fn scored(
    run: &ServedRun,
    planned: &PlannedSuite,
    family: &str,
    asked: &VariantId,
    verdict: FamilyVerdict,
) -> Result<Scored, ScoreError> {
    let judge = verdict.judge.as_str().to_owned();
    let ruling = verdict.rulings.into_iter().find(|it| it.variant == *asked).ok_or_else(|| {
        ScoreError::unscorable("the suite does not rule on this variant", "variant", "name another of its family")
    })?;
    let score = ruling.worth();
    Ok(Scored {
        run: run.name.clone(),
        suite: planned.id().to_string(),
        family: family.to_owned(),
        variant: ruling.variant.to_string(),
        role: ruling.role,
        judge,
        outcome: Outcome::from(ruling.outcome),
        score,
        reason: ruling.reason,
        named: ruling.named.map(|it| planned.suite().name_of(&it)),
        parts: ruling.parts,
    })
}
