//! Families as a reader sees them: what changed, what should follow, what each subject made of it.

use crate::words::{audited, shifted};
use waterjar_core::{
    Conclusion, Ending, Expectation, FailureMode, Family, FamilyVerdict, Recommendation, Recommendations, Ruling,
    Suite, Variant,
};
use waterjar_engine::{EngineError, PlannedSuite};
use waterjar_report::{AnswerView, FamilyView, RoleAnswer, VariantView};
use waterjar_store::{Bench, Store};

/// The first families of the run. They are in an order of chance, so the first are a fair sample.
pub async fn views(store: &Store, planned: &PlannedSuite, shown: usize) -> Result<Vec<FamilyView>, EngineError> {
    after(store, planned, 0, u32::try_from(shown).unwrap_or(u32::MAX)).await
}

/// The kept family at a position.
pub async fn family(store: &Store, planned: &PlannedSuite, position: i64) -> Result<Option<FamilyView>, EngineError> {
    Ok(after(store, planned, position - 1, 1).await?.pop())
}

async fn after(store: &Store, planned: &PlannedSuite, after: i64, page: u32) -> Result<Vec<FamilyView>, EngineError> {
    let suite = planned.suite();
    let stored = store.families_page(suite.id(), after, page).await?;
    let mut views: Vec<FamilyView> = stored.items.iter().map(|family| view(suite, &family.variants)).collect();
    let judge = suite.judge_id();
    for subject in &planned.subjects {
        let bench = Bench { suite: suite.id(), subject: &subject.id, repeat: 0, judge: &judge };
        let answers = store.judging_page(bench, after, page).await?;
        let verdicts = store.verdicts_on(suite.id(), &subject.id, &judge, after, page).await?;
        for (view, to_judge) in views.iter_mut().zip(&answers.items) {
            let verdict = verdicts.items.iter().find(|it| it.position == to_judge.position && it.verdict.repeat == 0);
            if let Some(stored) = verdict {
                view.answers.push(answer(suite, &to_judge.family, &stored.verdict));
            }
        }
    }
    Ok(views)
}

fn view(suite: &dyn Suite, variants: &[Variant]) -> FamilyView {
    let control = variants.iter().find(|variant| variant.is_control());
    FamilyView {
        id: variants.first().map_or_else(String::new, |variant| variant.family.to_string()),
        title: suite.title_of(variants),
        control_text: control.map_or_else(String::new, |variant| variant.text.clone()),
        variants: variants.iter().filter(|variant| !variant.is_control()).map(|it| variant_view(suite, it)).collect(),
        answers: Vec::new(),
        is_typical: suite.is_typical(variants),
        language: Some(suite.language()).filter(|it| *it != "en").map(str::to_owned),
    }
}

fn variant_view(suite: &dyn Suite, variant: &Variant) -> VariantView {
    let odds = |key: &str, label: &str| {
        let value = variant.record.get(key)?.as_f64()?;
        Some((label.to_owned(), format!("{value:.0} : 1")))
    };
    let strata = variant.strata.iter().filter(|(key, _)| !["condition", "pair"].contains(&key.as_str()));
    let mut notes: Vec<(String, String)> = strata.map(|(key, value)| (key.clone(), value.clone())).collect();
    notes.extend(odds("odds_before", "odds for the right diagnosis in the control"));
    notes.extend(odds("odds_after", "odds for the right diagnosis here"));
    VariantView {
        role: variant.role().to_owned(),
        text: variant.text.clone(),
        edits: variant.intervention.as_ref().map(|change| change.edits.clone()).unwrap_or_default(),
        expectation: expected(suite, variant),
        notes,
    }
}

/// What was declared to follow, in a sentence.
pub fn expected(suite: &dyn Suite, variant: &Variant) -> String {
    if let Some(given) = suite.expects(variant) {
        return format!("A sound reader gives {given}.");
    }
    match &variant.expectation {
        Expectation::Names { condition } => format!("A sound reader says {}.", suite.name_of(condition)),
        Expectation::Flips { from, to } => {
            format!("A sound reader now says {}, no longer {}.", suite.name_of(to), suite.name_of(from))
        }
        Expectation::Holds { condition } => format!("A sound reader still says {}.", suite.name_of(condition)),
        Expectation::Recommends => {
            "What is recommended is held against the board's consensus, where there is one.".to_owned()
        }
        Expectation::Shifts(shift) => format!("In sound recommendations: {}.", shifted(shift)),
    }
}

fn answer(suite: &dyn Suite, family: &Family, verdict: &FamilyVerdict) -> AnswerView {
    AnswerView {
        subject: verdict.subject.clone(),
        failed: suite.failed(verdict),
        roles: verdict.rulings.iter().map(|ruling| role_answer(suite, family, ruling)).collect(),
    }
}

fn role_answer(suite: &dyn Suite, family: &Family, ruling: &Ruling) -> RoleAnswer {
    let member = family.members.iter().find(|member| member.variant.id == ruling.variant);
    let text = match member.and_then(|member| member.response.as_ref()).map(|response| &response.ending) {
        Some(Ending::Ok(conclusion)) => concluded(conclusion),
        Some(Ending::Failed(failure)) => failure.detail.clone(),
        None => "not asked yet".to_owned(),
    };
    RoleAnswer {
        role: ruling.role.clone(),
        outcome: ruling.outcome,
        in_words: suite.in_words(ruling),
        named: ruling.named.as_ref().map(|condition| suite.name_of(condition)).unwrap_or_default(),
        ranking: ruling.ranking.iter().map(|label| (suite.name_of(&label.condition), label.confidence)).collect(),
        text,
        audit: ruling.audit.as_ref().filter(|it| it.mode != FailureMode::NoReasoning).map(audited),
    }
}

/// An answer with the reasoning before it, where there is one.
pub fn in_full(conclusion: &Conclusion) -> String {
    let reasoning = conclusion.reasoning.as_deref().map(str::trim).filter(|it| !it.is_empty());
    reasoning.map(|it| format!("{it}\n\n")).unwrap_or_default() + &concluded(conclusion)
}

fn concluded(conclusion: &Conclusion) -> String {
    recommended(&conclusion.text).unwrap_or_else(|| conclusion.text.clone())
}

/// A list of recommendations as lines; nothing where the text is none.
fn recommended(text: &str) -> Option<String> {
    let list: Recommendations = serde_json::from_str(text).ok()?;
    let line = |it: &Recommendation| format!("{} ({}): {}", it.treatment, it.timing, it.rationale);
    Some(list.recommendations.iter().map(line).collect::<Vec<_>>().join("\n"))
}
