//! One project as its owner sees it: how far each rater is, how far they agree, what is left to decide, what it says of the judge.

use super::sheet::said;
use super::{adjudicate, projects};
use crate::Site;
use crate::account::owner::to;
use crate::account::secret;
use crate::error::PageError;
use crate::filter::encoded;
use crate::pages::{Address, Frame, html};
use crate::shelf::ServedRun;
use crate::texts;
use askama::Template;
use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use waterjar_annotation::{
    ADJUDICATOR, Agreement, Answered, Corrected, Estimates, Form as RatingForm, Pairwise, Project, Settled, Source,
    Tally, against_judge, agreements, disagreements, estimates, tallies,
};
use waterjar_store::{Rating, RatingState, Ratings};

/// A project with everything that was said in it.
pub struct Open {
    pub run: Arc<ServedRun>,
    pub ratings: Ratings,
    pub id: String,
    pub project: Project,
    pub said: Vec<Rating>,
    pub sources: Vec<Source>,
}

impl Open {
    pub async fn find(site: &Site, run: &str, suite: &str, id: &str) -> Result<Self, PageError> {
        let unknown = || PageError::NotFound(format!("No project of “{suite}” is called “{id}”."));
        let run = site.shelf.run(run).await?;
        let ratings = site.shelf.slot(&run.name)?.ratings().await?.ok_or_else(unknown)?;
        let project: Option<Project> = ratings.project(id).await?;
        let project = project.filter(|it| it.suite.as_str() == suite).ok_or_else(unknown)?;
        let (said, sources) = (ratings.of_all(id).await?, ratings.sources(id).await?);
        Ok(Self { run, ratings, id: id.to_owned(), project, said, sources })
    }

    pub fn address(&self) -> String {
        format!("{}/{}", projects::address(&self.run.name, self.project.suite.as_str()), encoded(&self.id))
    }

    pub fn frame(&self, title: &str) -> Frame {
        let suite = self.project.suite.as_str();
        Frame::new(title)
            .under_runs()
            .under(self.run.opened.plan.name.as_str(), Address::run(&self.run.name))
            .under(suite, Address::suite(&self.run.name, suite))
            .under(texts::spoken().ratings.as_str(), projects::address(&self.run.name, suite))
    }
}

#[derive(Template)]
#[template(path = "project.html")]
struct ProjectPage {
    frame: Frame,
    here: String,
    name: String,
    form: String,
    sampled: String,
    rate_at: String,
    raters: Vec<Progress>,
    agreements: Vec<AgreementRow>,
    pairs: Vec<[String; 4]>,
    /// Question, role, answer, how many of how many, share.
    tallied: Vec<[String; 5]>,
    /// Nothing else is told of what people say.
    only_tallied: bool,
    judge: String,
    against: Vec<[String; 5]>,
    corrected: Vec<[String; 6]>,
    /// Items to decide, counted from 1, with what was said of them.
    open: Vec<(u32, String)>,
    nobody_rated: bool,
    /// Nobody has said anything yet, so that nothing is lost with it.
    may_go: bool,
    open_to_all: bool,
    new_link: Option<(String, String)>,
    problem: Option<String>,
}

struct Progress {
    name: String,
    rated: usize,
    skipped: usize,
    all: usize,
    minutes: String,
    blocked: bool,
}

struct AgreementRow {
    question: String,
    items: usize,
    /// A cell for each coefficient.
    cells: Vec<String>,
}

/// What a reader looks for first, in the order of the page's columns. Those that weigh by distance stand beside those that do not, and say so:
/// they take a near miss for half an agreement, and only scales have them.
const SHOWN: [&str; 8] = [
    "raw_agreement",
    "cohen_kappa",
    "cohen_kappa_quadratic",
    "fleiss_kappa",
    "gwet_ac1",
    "gwet_ac2_quadratic",
    "krippendorff_nominal",
    "krippendorff_interval",
];

pub async fn page(
    State(site): State<Site>,
    Path((run, suite, id)): Path<(String, String, String)>,
) -> Result<Response, PageError> {
    let open = Open::find(&site, &run, &suite, &id).await?;
    shown(&site, open, None, None).await
}

async fn shown(
    site: &Site,
    open: Open,
    new_link: Option<(String, String)>,
    problem: Option<String>,
) -> Result<Response, PageError> {
    let form = &open.project.form;
    let plan = &open.run.opened.plan;
    let settled = Settled::of(form, &open.said);
    let planned = open.run.suite(open.project.suite.as_str())?;
    let told = if form.verdicts.is_empty() {
        Vec::new()
    } else {
        estimates(&open.ratings, &open.run.opened.store, planned, plan.seed).await?
    };
    let agreed = agreements(form, &open.said, plan.seed);
    let raters = open.ratings.raters(&open.id).await?;
    let progress = |name: &str, blocked: bool| {
        let of = || open.said.iter().filter(|it| it.rater == name);
        let count = |state: RatingState| of().filter(|it| it.state == state).count();
        Progress {
            rated: count(RatingState::Rated),
            skipped: count(RatingState::Skipped),
            all: open.sources.len(),
            minutes: format!("{:.1}", of().fold(0.0, |sum, it| sum + it.body.seconds) / 60.0),
            name: name.to_owned(),
            blocked,
        }
    };
    let wish = &open.project.wish;
    let strata = wish.stratify.as_deref().map_or_else(String::new, |key| format!(", in strata of {key}"));
    let page = ProjectPage {
        frame: open.frame(&open.id),
        here: open.address(),
        name: open.id.clone(),
        form: form.title.in_language(&texts::spoken().language).to_owned(),
        sampled: format!(
            "{} of {} drawn with seed {}{strata}",
            open.sources.len(),
            open.project.population,
            wish.seed.0
        ),
        rate_at: site.absolute(&format!("/rate/{}", open.project.key)),
        raters: raters.iter().map(|it| progress(&it.name, it.blocked)).collect(),
        agreements: agreed.iter().map(|it| agreement_row(form, it)).collect(),
        pairs: agreed.iter().flat_map(|it| pair_rows(form, it)).collect(),
        tallied: tallies(form, &settled, &open.sources).iter().flat_map(|it| tally_rows(form, it)).collect(),
        only_tallied: form.verdicts.is_empty(),
        judge: open.project.judge.to_string(),
        against: against_judge(form, &settled, &open.sources)
            .into_iter()
            .map(|it| {
                let share = format!("{:.0} %", 100.0 * it.same as f64 / it.items.max(1) as f64);
                let stratum = it.stratum.unwrap_or_else(|| "all".to_owned());
                [asked(form, &it.question, None), stratum, it.items.to_string(), share, value(it.kappa)]
            })
            .collect(),
        corrected: told.iter().flat_map(corrected_rows).collect(),
        open: disagreements(form, &open.said)
            .into_iter()
            .map(|it| (adjudicate::place(it.item), adjudicate::told(form, &it, texts::spoken())))
            .collect(),
        nobody_rated: !open.said.iter().any(|it| it.state == RatingState::Rated && !is_adjudicator(it)),
        may_go: open.said.is_empty(),
        open_to_all: !site.owner.has_password(),
        new_link,
        problem,
    };
    Ok(html(&page)?.into_response())
}

/// What raters were asked, in the reader's language: `What differs? Other findings are relied on`
fn asked(form: &RatingForm, question: &str, option: Option<&str>) -> String {
    let language = &texts::spoken().language;
    let Some(found) = form.question(question) else { return question.to_owned() };
    let ask = found.ask.in_language(language);
    let Some(option) = option else { return ask.to_owned() };
    let chosen = found.options.iter().find(|it| it.id == option);
    format!("{ask} {}", chosen.map_or(option, |it| it.label.in_language(language)))
}

fn agreement_row(form: &RatingForm, agreement: &Agreement) -> AgreementRow {
    let statistic = |name: &&str| {
        let found = agreement.report.statistics.iter().find(|it| it.name == *name);
        let Some(found) = found.filter(|it| it.value.is_some()) else { return "–".to_owned() };
        let interval = found.interval.map(|it| format!(" [{:.2}, {:.2}]", it.low, it.high)).unwrap_or_default();
        format!("{}{interval}", value(found.value))
    };
    AgreementRow {
        question: asked(form, &agreement.question, agreement.option.as_deref()),
        items: agreement.report.shared_items,
        cells: SHOWN.iter().map(statistic).collect(),
    }
}

fn pair_rows(form: &RatingForm, agreement: &Agreement) -> Vec<[String; 4]> {
    let question = asked(form, &agreement.question, agreement.option.as_deref());
    let row = |pair: &Pairwise| {
        let names = format!("{} and {}", pair.raters.0, pair.raters.1);
        [question.clone(), names, pair.items.to_string(), value(pair.kappa)]
    };
    agreement.pairs.iter().map(row).collect()
}

fn tally_rows(form: &RatingForm, tally: &Tally) -> Vec<[String; 5]> {
    let question = form.question(&tally.question);
    let percent = |share: f64| format!("{:.0}", 100.0 * share);
    let row = |it: &Answered| {
        let values = std::slice::from_ref(&it.answer);
        let answer = question.map_or_else(|| it.answer.clone(), |question| said(question, values, texts::spoken()));
        let interval =
            it.interval.map(|it| format!(" [{}, {}]", percent(it.low), percent(it.high))).unwrap_or_default();
        [
            asked(form, &tally.question, None),
            tally.role.as_deref().map_or_else(|| "all".to_owned(), |role| role.replace('_', " ")),
            answer,
            format!("{} / {}", it.items, tally.items),
            format!("{} %{interval}", percent(it.share)),
        ]
    };
    tally.answers.iter().map(row).collect()
}

fn corrected_rows(of_subject: &Estimates) -> impl Iterator<Item = [String; 6]> + '_ {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    of_subject.corrected.iter().map(move |it: &Corrected| {
        let interval =
            it.interval.map(|it| format!(" [{}, {}]", percent(it.low), percent(it.high))).unwrap_or_default();
        [
            of_subject.subject.to_string(),
            it.metric.replace('_', " "),
            percent(it.judge),
            format!("{} / {}", percent(it.judge_on_part), percent(it.people)),
            it.families.to_string(),
            it.corrected
                .map_or_else(|| texts::spoken().too_few.clone(), |share| format!("{}{interval}", percent(share))),
        ]
    })
}

fn value(of: Option<f64>) -> String {
    of.map_or_else(|| "–".to_owned(), |it| format!("{it:.2}"))
}

/// Adds, blocks or lets in a rater, gives one another link, or deletes a project of which nobody has said anything.
pub async fn change(
    State(site): State<Site>,
    Path((run, suite, id)): Path<(String, String, String)>,
    Form(sent): Form<Vec<(String, String)>>,
) -> Result<Response, PageError> {
    let open = Open::find(&site, &run, &suite, &id).await?;
    let field = |name: &str| sent.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str());
    let rater = field("rater");
    match field("action") {
        "block" => open.ratings.block(&id, rater, true).await?,
        "let_in" => open.ratings.block(&id, rater, false).await?,
        "link" => {
            if !open.ratings.raters(&id).await?.iter().any(|it| it.name == rater) {
                return shown(&site, open, None, Some(format!("Nobody called “{rater}” rates here."))).await;
            }
            let token = secret::token();
            open.ratings.relink(&id, rater, &secret::digest(&token)).await?;
            let link = (rater.to_owned(), site.link(&token));
            return shown(&site, open, Some(link), None).await;
        }
        "add" => return add(&site, open, rater).await,
        "delete" => return delete(&site, open, field("sure") == "yes").await,
        _ => {}
    }
    Ok(to(&open.address()))
}

async fn delete(site: &Site, open: Open, is_sure: bool) -> Result<Response, PageError> {
    if !is_sure {
        return kept(site, open, "Nothing was deleted: tick the box to say that the project shall go.").await;
    }
    if !open.ratings.delete(&open.id).await? {
        return kept(site, open, "Nothing was deleted: somebody has rated here already, and what was said is kept.")
            .await;
    }
    site.desks.forget(&open.project.key).await;
    Ok(to(&projects::address(&open.run.name, open.project.suite.as_str())))
}

/// The page of a project that was not deleted.
async fn kept(site: &Site, open: Open, problem: &str) -> Result<Response, PageError> {
    let mut page = shown(site, open, None, Some(problem.to_owned())).await?;
    *page.status_mut() = StatusCode::CONFLICT;
    Ok(page)
}

async fn add(site: &Site, open: Open, line: &str) -> Result<Response, PageError> {
    let people = match projects::people(line) {
        Ok(people) => people,
        Err(problem) => return shown(site, open, None, Some(problem)).await,
    };
    let planned = open.run.suite(open.project.suite.as_str())?;
    let [(name, password)] = people.as_slice() else {
        return shown(site, open, None, Some("Add one rater at a time: each link is shown once.".to_owned())).await;
    };
    if let Err(problem) = projects::refuse_names_of_models(planned, &people) {
        return shown(site, open, None, Some(problem)).await;
    }
    let (rater, link) = projects::invited(site, name.clone(), password.clone()).await;
    if !open.ratings.add_rater(&open.id, &rater).await? {
        return shown(site, open, None, Some(format!("“{name}” rates here already."))).await;
    }
    shown(site, open, Some((rater.name, link)), None).await
}

/// Whose rating it is not: the adjudicator's is the owner's.
pub fn is_adjudicator(rating: &Rating) -> bool {
    rating.rater == ADJUDICATOR
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::Seed;
    use waterjar_store::RatingBody;

    fn rating(rater: &str, item: u32, score: &str) -> Rating {
        let answers = [("score".to_owned(), vec![score.to_owned()])].into();
        let body = RatingBody { answers, ..RatingBody::default() };
        Rating { item, rater: rater.to_owned(), state: RatingState::Rated, body }
    }

    #[test]
    fn the_share_agreed_counts_who_said_the_same_and_what_weighs_by_distance_stands_apart() {
        let form =
            waterjar_annotation::forms(None).unwrap().into_iter().find(|it| it.id == "causal_sensitivity").unwrap();
        let said = ["0 0", "0 0", "0.5 0.5", "1 1", "1 1", "0 0.5", "0.5 1", "0 0.5"];
        let of = |(item, said): (u32, &str)| {
            let (anna, ben) = said.split_once(' ').unwrap();
            [rating("anna", item, anna), rating("ben", item, ben)]
        };
        let ratings: Vec<Rating> = (0..).zip(said).flat_map(of).collect();
        let row = agreement_row(&form, &agreements(&form, &ratings, Seed(1))[0]);
        assert_eq!((row.items, row.cells.len()), (8, SHOWN.len()));
        // 5 of 8. By distance the three near misses would count three quarters each: 0.91.
        let figure = |at: usize| row.cells[at].parse::<f64>().unwrap();
        assert!((figure(0) - 0.625).abs() < 0.006 && figure(1) < figure(2), "{:?}", row.cells);
    }
}
