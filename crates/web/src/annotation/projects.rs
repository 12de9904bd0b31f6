//! The projects of a suite, and making one.

use crate::Site;
use crate::account::{millis, secret};
use crate::error::PageError;
use crate::index::Index;
use crate::pages::{Address, Choice, Frame, choice, count, html};
use crate::shelf::ServedRun;
use crate::texts;
use askama::Template;
use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use waterjar_annotation::{ADJUDICATOR, Allocation, JUDGE, MakeError, Mask, Material, Project, Wish, make};
use waterjar_core::Seed;
use waterjar_engine::PlannedSuite;
use waterjar_store::NewRater;

/// Every suite has these beside its own; the first is none.
const STRATA: [&str; 4] = ["", "subject", "outcome", "role"];

#[derive(Template)]
#[template(path = "projects.html")]
struct Projects {
    frame: Frame,
    here: String,
    rows: Vec<Row>,
    forms: Vec<(Choice, String)>,
    strata: Vec<Choice>,
    subjects: Vec<Choice>,
    allocations: Vec<Choice>,
    fields: Fields,
    problem: Option<String>,
    open_to_all: bool,
}

struct Row {
    name: String,
    address: String,
    form: String,
    items: String,
}

/// What was typed, to be typed no second time where something was wrong.
#[derive(Default)]
struct Fields {
    name: String,
    form: String,
    items: String,
    seed: String,
    stratify: String,
    allocation: String,
    raters: String,
    subjects: Vec<String>,
}

/// A project that was made, with the links of its raters, which are shown this once.
#[derive(Template)]
#[template(path = "project_made.html")]
struct Made {
    frame: Frame,
    address: String,
    name: String,
    items: String,
    population: String,
    links: Vec<(String, String)>,
}

pub fn address(run: &str, suite: &str) -> String {
    format!("{}/projects", Address::suite(run, suite))
}

pub async fn page(State(site): State<Site>, Path((run, suite)): Path<(String, String)>) -> Result<Response, PageError> {
    let run = site.shelf.run(&run).await?;
    let fields = Fields { items: "60".to_owned(), seed: run.opened.plan.seed.0.to_string(), ..Fields::default() };
    Ok(shown(&site, &run, run.suite(&suite)?, fields, None).await?.into_response())
}

/// What forms are held against.
fn material<'a>(planned: &'a PlannedSuite, index: &'a Index) -> Material<'a> {
    Material {
        suite: planned.id().as_str(),
        kind: planned.suite().card().kind,
        roles: &index.roles,
        subjects: planned.subjects.len(),
    }
}

async fn shown(
    site: &Site,
    run: &Arc<ServedRun>,
    planned: &PlannedSuite,
    mut fields: Fields,
    problem: Option<String>,
) -> Result<axum::response::Html<String>, PageError> {
    let here = address(&run.name, planned.id().as_str());
    let mut rows = Vec::new();
    if let Some(ratings) = site.shelf.slot(&run.name)?.ratings().await? {
        let projects: Vec<(String, Project)> = ratings.projects().await?;
        for (name, project) in projects.into_iter().filter(|(_, it)| it.suite == *planned.id()) {
            rows.push(Row {
                address: format!("{here}/{name}"),
                form: project.form.title.in_language(&texts::spoken().language).to_owned(),
                items: count(u64::from(ratings.items(&name).await?)),
                name,
            });
        }
    }
    let index = run.index(planned).await?;
    let fitting = material(planned, &index).fitting(&site.forms);
    if fields.form.is_empty()
        && let Some(first) = fitting.first()
    {
        fields.form.clone_from(&first.id);
    }
    let strata = STRATA.into_iter().chain(index.strata.keys().map(String::as_str));
    let strata = strata.map(|it| choice(it, if it.is_empty() { "no strata" } else { it }, &fields.stratify));
    let form = |it: &waterjar_annotation::Form| {
        (
            choice(&it.id, it.title.in_language(&texts::spoken().language), &fields.form),
            it.about.in_language(&texts::spoken().language).to_owned(),
        )
    };
    html(&Projects {
        frame: Frame::new(texts::spoken().ratings.as_str())
            .under_runs()
            .under(run.opened.plan.name.as_str(), Address::run(&run.name))
            .under(planned.suite().card().title, Address::suite(&run.name, planned.id().as_str())),
        rows,
        forms: fitting.into_iter().map(form).collect(),
        strata: strata.collect(),
        subjects: planned
            .subjects
            .iter()
            .map(|it| Choice {
                value: it.id.to_string(),
                name: it.id.to_string(),
                chosen: fields.subjects.contains(&it.id.to_string()),
            })
            .collect(),
        allocations: vec![
            choice("proportional", "as many as they have of the whole", &fields.allocation),
            choice("equal", "as many of each", &fields.allocation),
        ],
        here,
        fields,
        problem,
        open_to_all: !site.owner.has_password(),
    })
}

pub async fn new(
    State(site): State<Site>,
    Path((run, suite)): Path<(String, String)>,
    Form(sent): Form<Vec<(String, String)>>,
) -> Result<Response, PageError> {
    let run = site.shelf.run(&run).await?;
    let planned = run.suite(&suite)?;
    let fields = Fields::of(&sent);
    match made(&site, &run, planned, &fields).await {
        Ok(page) => Ok(page),
        Err(Refused::Wrong(problem)) => {
            let page = shown(&site, &run, planned, fields, Some(problem)).await?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
        }
        Err(Refused::Failed(error)) => Err(error),
    }
}

enum Refused {
    /// Something the owner can change on the page.
    Wrong(String),
    Failed(PageError),
}

impl<E: Into<PageError>> From<E> for Refused {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

fn wrong(problem: &str) -> Refused {
    Refused::Wrong(problem.to_owned())
}

async fn made(site: &Site, run: &Arc<ServedRun>, planned: &PlannedSuite, fields: &Fields) -> Result<Response, Refused> {
    let form = site.forms.iter().find(|it| it.id == fields.form).ok_or_else(|| wrong("Choose a form."))?;
    let index = run.index(planned).await?;
    if let Some(problem) = material(planned, &index).misfit(form, &site.forms) {
        return Err(Refused::Wrong(problem));
    }
    fields.check_name()?;
    let (items, seed) = (fields.items()?, fields.seed()?);
    let people = people(&fields.raters).map_err(Refused::Wrong)?;
    refuse_names_of_models(planned, &people).map_err(Refused::Wrong)?;
    let wish = Wish {
        items,
        seed,
        allocation: fields.allocation()?,
        stratify: fields.stratum(&index)?,
        subjects: planned.subjects.iter().map(|it| it.id.clone()).filter(|it| fields.names(it.as_str())).collect(),
    };
    let key = secret::token()[..16].to_owned();
    let (project, drawn) = match make(&run.opened.store, planned, form, &wish, millis(), key).await {
        Ok(made) => made,
        Err(MakeError::Nothing(problem)) => return Err(Refused::Wrong(problem)),
        Err(MakeError::Store(error)) => return Err(error.into()),
    };
    let (mut raters, mut links) = (Vec::new(), Vec::new());
    for (name, password) in people {
        let (rater, link) = invited(site, name, password).await;
        links.push((rater.name.clone(), link));
        raters.push(rater);
    }
    let ratings = site.shelf.slot(&run.name)?.ratings_to_write().await?;
    if !ratings.make(&fields.name, &project, &drawn, &raters).await? {
        // The list shows one suite's projects; the name may be another's.
        let taken: Option<Project> = ratings.project(&fields.name).await?;
        let of = taken.map_or_else(String::new, |it| format!(" in the suite “{}”", it.suite));
        let problem =
            format!("There is a project called “{}”{of}; names are unique in a run: take another.", fields.name);
        return Err(Refused::Wrong(problem));
    }
    let suite = planned.id().as_str();
    let page = Made {
        frame: Frame::new(fields.name.as_str())
            .under_runs()
            .under(run.opened.plan.name.as_str(), Address::run(&run.name))
            .under(texts::spoken().ratings.as_str(), address(&run.name, suite)),
        address: format!("{}/{}", address(&run.name, suite), fields.name),
        name: fields.name.clone(),
        items: count(drawn.len() as u64),
        population: count(project.population),
        links,
    };
    Ok(html(&page)?.into_response())
}

pub fn refuse_names_of_models(planned: &PlannedSuite, people: &[(String, Option<String>)]) -> Result<(), String> {
    refuse_hidden(&Mask::of(&planned.subjects), people)
}

/// Raters see their own names, and neither each other's nor a model's.
fn refuse_hidden(mask: &Mask, people: &[(String, Option<String>)]) -> Result<(), String> {
    match people.iter().find(|(name, _)| mask.hides(name)) {
        Some((name, _)) => {
            Err(format!("“{name}” is called after a model; raters see their own names, and no model's: take another."))
        }
        None => Ok(()),
    }
}

/// A rater with a personal link. Of the link only the digest is kept.
pub async fn invited(site: &Site, name: String, password: Option<String>) -> (NewRater, String) {
    let token = secret::token();
    let password = match password {
        Some(password) => Some(secret::hashed(password).await),
        None => None,
    };
    (NewRater { name, link: secret::digest(&token), password }, site.link(&token))
}

/// A line each: a name, or a name and a password with `=` between them.
pub fn people(lines: &str) -> Result<Vec<(String, Option<String>)>, String> {
    let mut people: Vec<(String, Option<String>)> = Vec::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (name, password) = match line.split_once('=') {
            Some((name, password)) => (name.trim(), Some(password.trim())),
            None => (line, None),
        };
        let problem = match name {
            "" => Some("A rater has a name.".to_owned()),
            _ if name.chars().count() > 60 => Some(format!("“{name}” is too long a name.")),
            // Names that look alike are told apart by nobody.
            _ if name.chars().any(|c| c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')) => {
                Some("A name holds a sign that nobody sees.".to_owned())
            }
            _ if [ADJUDICATOR, JUDGE].contains(&name.to_lowercase().as_str()) => Some(format!("“{name}” is a name the program uses itself.")),
            _ if people.iter().any(|(known, _)| known == name) => Some(format!("“{name}” is named twice.")),
            _ if password.is_some_and(|it| it.chars().count() < 8) => {
                Some(format!("The password of “{name}” is too short: at least 8 signs."))
            }
            _ => None,
        };
        if let Some(problem) = problem {
            return Err(problem);
        }
        people.push((name.to_owned(), password.map(str::to_owned)));
    }
    if people.is_empty() { Err("Name at least one rater.".to_owned()) } else { Ok(people) }
}

impl Fields {
    fn of(sent: &[(String, String)]) -> Self {
        let all =
            |name: &str| sent.iter().filter(|(key, _)| key == name).map(|(_, value)| value.trim().to_owned()).collect();
        let one = |name: &str| -> String { Vec::<String>::into_iter(all(name)).next().unwrap_or_default() };
        Self {
            name: one("name"),
            form: one("form"),
            items: one("items"),
            seed: one("seed"),
            stratify: one("stratify"),
            allocation: one("allocation"),
            raters: one("raters"),
            subjects: all("subject"),
        }
    }

    fn names(&self, subject: &str) -> bool {
        self.subjects.iter().any(|it| it == subject)
    }

    fn check_name(&self) -> Result<(), Refused> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.name.is_empty() || self.name.len() > 60 || !self.name.chars().all(plain) {
            return Err(wrong("A project's name is made of letters, digits, - and _ (at most 60)."));
        }
        Ok(())
    }

    fn items(&self) -> Result<u32, Refused> {
        let items = self.items.parse::<u32>().ok().filter(|it| (1..=100_000).contains(it));
        items.ok_or_else(|| wrong("How many items? From 1 to 100,000."))
    }

    fn seed(&self) -> Result<Seed, Refused> {
        self.seed.parse().map(Seed).map_err(|_| wrong("A seed is a whole number."))
    }

    fn allocation(&self) -> Result<Allocation, Refused> {
        match self.allocation.as_str() {
            "equal" => Ok(Allocation::Equal),
            "" | "proportional" => Ok(Allocation::Proportional),
            _ => Err(wrong("Shares of strata are proportional or equal.")),
        }
    }

    fn stratum(&self, index: &Index) -> Result<Option<String>, Refused> {
        if !STRATA.contains(&self.stratify.as_str()) && !index.strata.contains_key(&self.stratify) {
            return Err(Refused::Wrong(format!("The suite has no strata of “{}”.", self.stratify)));
        }
        Ok(Some(self.stratify.clone()).filter(|it| !it.is_empty()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raters_are_named_a_line_each() {
        let known = people("anna\n\n  ben = corridor seven \n").unwrap();
        assert_eq!(known, [("anna".to_owned(), None), ("ben".to_owned(), Some("corridor seven".to_owned()))]);
        for wrong in ["", "anna\nanna", "= secret123", "ben = short", "Adjudicator", "humans", "an\u{200b}na"] {
            assert!(people(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_rater_called_after_a_model_would_read_it_on_their_own_pages() {
        let refuse = |name: &str| refuse_hidden(&Mask::of(&[]), &people(name).unwrap());
        assert_eq!(refuse("anna"), Ok(()));
        let told = refuse("Claude").unwrap_err();
        assert!(told.contains("“Claude” is called after a model") && told.contains("their own names"), "{told}");
    }
}
