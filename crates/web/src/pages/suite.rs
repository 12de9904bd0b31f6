//! The tables and figures of a suite, of all subjects or of some.

use super::{Address, Choice, Frame, Page, html};
use crate::Site;
use crate::annotation::projects;
use askama::Template;
use axum::extract::{Path, Query, State};
use waterjar_report::SuiteSection;

#[derive(Template)]
#[template(path = "suite_page.html")]
struct Suite {
    frame: Frame,
    cases: String,
    /// Where there is anybody to compare.
    compare: Option<String>,
    ratings: String,
    subjects: Vec<Choice>,
    body: String,
}

pub async fn page(
    State(site): State<Site>,
    Path((run, suite)): Path<(String, String)>,
    Query(query): Query<Vec<(String, String)>>,
) -> Page {
    let run = site.shelf.run(&run).await?;
    let planned = run.suite(&suite)?;
    let section = run.section(planned).await?;
    let chosen: Vec<&str> = query.iter().filter(|(key, _)| key == "subject").map(|(_, value)| value.as_str()).collect();
    let is_chosen = |name: &str| chosen.is_empty() || chosen.contains(&name);
    let subjects = section.results.iter().map(|result| {
        let name = result.subject.to_string();
        Choice { value: name.clone(), chosen: is_chosen(&name), name }
    });
    let subjects: Vec<Choice> = subjects.collect();
    let body = if subjects.iter().all(|subject| subject.chosen) {
        waterjar_report::suite_html(&section)?
    } else {
        let results: Vec<_> =
            section.results.iter().filter(|result| is_chosen(result.subject.as_str())).cloned().collect();
        let figures = planned.suite().figures(&results, &section.checks);
        // Among some of them another may be the best.
        let leads = waterjar_views::leads(&run.opened.store, &results, &section.headline).await?;
        waterjar_report::suite_html(&SuiteSection { results, leads, figures, ..section.as_ref().clone() })?
    };
    html(&Suite {
        frame: Frame::new(section.title.as_str())
            .under_runs()
            .under(run.opened.plan.name.as_str(), Address::run(&run.name)),
        cases: Address::families(&run.name, &suite),
        compare: (subjects.len() > 1).then(|| Address::compare(&run.name, &suite)),
        ratings: projects::address(&run.name, &suite),
        subjects,
        body,
    })
}
