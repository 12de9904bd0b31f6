//! One family: texts side by side, what should follow, what each subject said, what every judge made of it.

use super::{Address, Frame, Page, count, html};
use crate::Site;
use crate::error::PageError;
use crate::filter::{Filter, encoded};
use crate::texts;
use askama::Template;
use axum::extract::{Path, Query, State};
use std::collections::BTreeSet;
use waterjar_core::{FamilyVerdict, SubjectId};
use waterjar_engine::PlannedSuite;
use waterjar_report::FamilyView;
use waterjar_store::{Bench, Store};
use waterjar_views::became;

#[derive(Template)]
#[template(path = "family_page.html")]
struct OneFamily {
    frame: Frame,
    view: FamilyView,
    /// Of its title, which names conditions as its texts do.
    language: String,
    body: String,
    earlier: Option<String>,
    later: Option<String>,
    back: String,
    place: String,
    records: Vec<(String, String)>,
    transcripts: Vec<(String, String)>,
    verdicts: Vec<VerdictRow>,
}

struct VerdictRow {
    subject: String,
    judge: String,
    role: String,
    outcome: &'static str,
    score: String,
    reason: String,
}

pub async fn page(
    State(site): State<Site>,
    Path((run, suite, family)): Path<(String, String, String)>,
    Query(query): Query<Vec<(String, String)>>,
) -> Page {
    let run = site.shelf.run(&run).await?;
    let planned = run.suite(&suite)?;
    let index = run.index(planned).await?;
    let unknown = || PageError::NotFound(format!("No family of “{suite}” is called “{family}”."));
    let place = index.place(&family).ok_or_else(unknown)?;
    let position = index.families[place].position;
    let store = &run.opened.store;
    let view = waterjar_views::family(store, planned, position).await?.ok_or_else(unknown)?;
    let filter = Filter::of(&query);
    let places = filter.places(&index);
    let among = places.binary_search(&place).ok();
    let beside = |step: isize| {
        let at = among?.checked_add_signed(step)?;
        let entry = &index.families[*places.get(at)?];
        Some(format!("{}{}", Address::family(&run.name, &suite, entry.id.as_str()), filter.query()))
    };
    let references: BTreeSet<SubjectId> =
        planned.subjects.iter().filter(|it| it.reference).map(|it| it.id.clone()).collect();
    let here = Address::family(&run.name, &suite, &family);
    html(&OneFamily {
        frame: Frame::new(view.title.as_str())
            .under_runs()
            .under(run.opened.plan.name.as_str(), Address::run(&run.name))
            .under(planned.suite().card().title, Address::suite(&run.name, &suite))
            .under(
                texts::spoken().cases.as_str(),
                format!("{}{}", Address::families(&run.name, &suite), filter.query()),
            ),
        body: waterjar_report::family_html(&view, planned.suite().failing(), &references)?,
        earlier: beside(-1),
        later: beside(1),
        back: format!("{}{}", Address::families(&run.name, &suite), filter.query()),
        place: among.map_or_else(
            || "not among the cases chosen".to_owned(),
            |at| format!("{} of {}", count(at as u64 + 1), count(places.len() as u64)),
        ),
        records: records(store, planned, position, &here).await?,
        transcripts: transcripts(planned, &view, &here),
        verdicts: verdicts(store, planned, position).await?,
        language: planned.suite().language().to_owned(),
        view,
    })
}

/// Answers that leave a record of how they came about.
async fn records(
    store: &Store,
    planned: &PlannedSuite,
    position: i64,
    here: &str,
) -> Result<Vec<(String, String)>, PageError> {
    let judge = planned.suite().judge_id();
    let mut records = Vec::new();
    for subject in &planned.subjects {
        let bench = Bench { suite: planned.id(), subject: &subject.id, repeat: 0, judge: &judge };
        let page = store.judging_page(bench, position - 1, 1).await?;
        for member in page.items.iter().flat_map(|it| &it.family.members) {
            if member.conclusion().is_some_and(waterjar_views::is_recorded) {
                let role = member.variant.role();
                let of = format!("subject={}&variant={}", encoded(subject.id.as_str()), encoded(role));
                records.push((format!("{}, {role}", subject.id), format!("{here}/reasoning?{of}")));
            }
        }
    }
    Ok(records)
}

fn transcripts(planned: &PlannedSuite, view: &FamilyView, here: &str) -> Vec<(String, String)> {
    let answered = |subject: &SubjectId| view.answers.iter().any(|answer| answer.subject == *subject);
    let subjects = planned.subjects.iter().filter(|it| answered(&it.id));
    let link = |it: &waterjar_engine::PlannedSubject| {
        (it.id.to_string(), format!("{here}/transcript?subject={}", encoded(it.id.as_str())))
    };
    subjects.map(link).collect()
}

async fn verdicts(store: &Store, planned: &PlannedSuite, position: i64) -> Result<Vec<VerdictRow>, PageError> {
    let page = store.verdicts_page(planned.id(), position - 1, 1).await?;
    let rows = page.items.iter().flat_map(|stored| rows(&stored.verdict));
    Ok(rows.collect())
}

fn rows(verdict: &FamilyVerdict) -> impl Iterator<Item = VerdictRow> + '_ {
    let repeat = if verdict.repeat > 0 { format!(" (repeat {})", verdict.repeat) } else { String::new() };
    verdict.rulings.iter().map(move |ruling| VerdictRow {
        subject: format!("{}{repeat}", verdict.subject),
        judge: verdict.judge.to_string(),
        role: ruling.role.replace('_', " "),
        outcome: became(ruling),
        score: ruling.score.map_or_else(String::new, |score| format!("{score:.2}")),
        reason: ruling.reason.clone(),
    })
}
