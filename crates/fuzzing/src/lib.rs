//! Every reader of outside text, as a function from bytes that panics where a promise is broken.

mod answers;
mod cases;
mod catalog;
mod charts;
mod evidence;
mod file;
mod form;
mod records;
mod replies;
mod rewrite;
mod score;
mod stories;
mod structured;
mod study;
mod vignettes;

pub struct Target {
    /// Of the fuzz target and of its folder of seeds.
    pub name: &'static str,
    /// Panics where a promise is broken.
    pub check: fn(&[u8]),
}

/// Every target. A new one is a function and a line here.
pub fn all() -> Vec<Target> {
    let target = |name, check| Target { name, check };
    vec![
        target("study", study::check),
        target("catalog", catalog::check),
        target("form", form::check),
        target("chart_notes", charts::notes),
        target("chart_tables", charts::tables),
        target("chart_packet", charts::packet),
        target("fhir", charts::fhir),
        target("ddxplus_patients", cases::ddxplus_patients),
        target("ddxplus_release", cases::ddxplus_release),
        target("case_lines", cases::lines),
        target("dx", cases::dx),
        target("vignette_rows", vignettes::rows),
        target("tagged", vignettes::tagged),
        target("rewrite", rewrite::check),
        target("openai", replies::openai),
        target("anthropic", replies::anthropic),
        target("gemini", replies::gemini),
        target("program", replies::program),
        target("structured", structured::check),
        target("answer", answers::check),
        target("inspect", records::inspect),
        target("lm_eval", records::lm_eval),
        target("promptfoo", records::promptfoo),
        target("score_rows", score::check),
        target("stories_sheet", stories::check),
        target("evidence", evidence::check),
    ]
}

/// For a fuzz target, which knows its own name.
pub fn check(name: &str, data: &[u8]) {
    let target = all().into_iter().find(|target| target.name == name).expect("a test holds names and targets together");
    (target.check)(data);
}

/// Most readers take text only; what is no UTF-8 is refused before them.
fn text(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}

/// What is wrong is told, and in words that fit on a screen however long the input is.
fn told(error: &impl std::fmt::Display) {
    assert!(!error.to_string().trim().is_empty(), "an error that says nothing");
}
