//! What was said to a model and by it, for every variant of a family, and by the judges of it.

use super::{Address, Frame, Page, asked, count, html, named};
use crate::Site;
use crate::error::PageError;
use crate::texts;
use askama::Template;
use axum::extract::{Path, Query, State};
use waterjar_engine::passes::{answer, judge};
use waterjar_store::{CallRole, StoredCall};

struct Wanted<'a> {
    subject: &'a str,
    repeat: u32,
}

impl<'a> Wanted<'a> {
    fn of(query: &'a [(String, String)]) -> Result<Self, PageError> {
        let repeat = match asked(query, "repeat") {
            "" => Ok(0),
            said => said.parse::<u32>().map_err(|_| PageError::NotFound(format!("There is no repeat “{said}”."))),
        };
        Ok(Self { subject: named(query, "subject")?, repeat: repeat? })
    }
}

#[derive(Template)]
#[template(path = "transcript.html")]
struct Transcript {
    frame: Frame,
    subject: String,
    works: Vec<Work>,
}

/// The calls of one piece of work.
struct Work {
    title: String,
    calls: Vec<Call>,
}

struct Call {
    model: String,
    course: String,
    messages: Vec<(&'static str, String)>,
    reasoning: Option<String>,
    reply: Result<String, String>,
    tools: Vec<String>,
}

pub async fn page(
    State(site): State<Site>,
    Path((run, suite, family)): Path<(String, String, String)>,
    Query(query): Query<Vec<(String, String)>>,
) -> Page {
    let wanted = Wanted::of(&query)?;
    let run = site.shelf.run(&run).await?;
    let planned = run.suite(&suite)?;
    let index = run.index(planned).await?;
    let unknown = || PageError::NotFound(format!("Nobody called “{}” was asked about “{family}”.", wanted.subject));
    let entry = &index.families[index.place(&family).ok_or_else(unknown)?];
    let subject = planned.subjects.iter().find(|it| it.id.as_str() == wanted.subject).ok_or_else(unknown)?;
    let store = &run.opened.store;
    let stored = store.families_page(planned.id(), entry.position - 1, 1).await?;
    let variants = stored.items.first().map(|it| it.variants.as_slice()).unwrap_or_default();
    let mut works = Vec::new();
    for (ord, variant) in (0..).zip(variants) {
        let item = answer::item_of(planned.id(), entry.position, ord, &subject.id, wanted.repeat);
        let calls = store.transcript(CallRole::Subject, &item).await?;
        works.push(Work { title: variant.role().replace('_', " "), calls: calls.iter().map(call).collect() });
    }
    let item = judge::item_of(planned.id(), entry.position, &subject.id, wanted.repeat);
    let judged = store.transcript(CallRole::Judge, &item).await?;
    if !judged.is_empty() {
        works.push(Work { title: "judging".to_owned(), calls: judged.iter().map(call).collect() });
    }
    html(&Transcript {
        frame: Frame::new(texts::spoken().transcript.as_str())
            .under_runs()
            .under(run.opened.plan.name.as_str(), Address::run(&run.name))
            .under(planned.suite().card().title, Address::suite(&run.name, &suite))
            .under(entry.title.as_str(), Address::family(&run.name, &suite, &family)),
        subject: wanted.subject.to_owned(),
        works,
    })
}

fn call(stored: &StoredCall) -> Call {
    let course = &stored.course;
    let mut told = vec![
        if course.cached { "from the cache".to_owned() } else { format!("{} ms", count(course.took)) },
        format!("{} + {} tokens", count(course.usage.input), count(course.usage.output)),
    ];
    if course.attempts > 1 {
        told.push(format!("{} attempts", course.attempts));
    }
    if let Some(cost) = course.picodollars.filter(|cost| *cost > 0) {
        told.push(format!("${:.4}", cost as f64 / 1e12));
    }
    let said = stored.request.messages.iter().map(|message| (message.role.as_str(), message.content.clone()));
    let reply = stored.outcome.as_ref();
    Call {
        model: stored.model.to_string(),
        course: told.join(", "),
        messages: said.collect(),
        reasoning: reply.ok().and_then(|it| it.reasoning.clone()),
        tools: reply.ok().map(|it| it.tool_calls.iter().map(|tool| format!("{tool:?}")).collect()).unwrap_or_default(),
        reply: reply.map(|it| it.text.clone()).map_err(Clone::clone),
    }
}
