//! Bounds and rules of stopping are about something that will be measured.

use super::{Asks, Demanded, Plan, PlannedSuite, suggest};
use crate::EngineError;
use crate::study::StudyFile;
use std::ops::Range;
use waterjar_core::{MetricKind, Strata, slip};

impl StudyFile {
    pub(super) fn check_bounds(&self, plan: &Plan, asks: Asks) -> Result<(), EngineError> {
        for (key, bound) in &self.bounds {
            let figure = Figure::bound(self, key, bound.span());
            let planned = figure.measured_by(plan, asks)?;
            let bound = bound.get_ref();
            if bound.max.is_none() && bound.min.is_none() {
                return Err(figure.bad("it has neither `max` nor `min`"));
            }
            // Every comparison with it is false, so it would let everything pass.
            let sides = [("max", bound.max), ("min", bound.min)];
            if let Some((side, _)) = sides.into_iter().find(|(_, value)| value.is_some_and(f64::is_nan)) {
                return Err(figure.bad_at(&[side], "`nan` is not a number"));
            }
            if let Some((min, max)) = bound.min.zip(bound.max).filter(|(min, max)| min > max) {
                let problem = format!("nothing is at least {min} and at most {max}");
                return Err(figure.bad_at(&["max", "min"], problem));
            }
            // Tables print percent, so this is what somebody types first, and it would let everything pass.
            for (side, value) in sides {
                let beyond = |it: &f64| figure.is_share(planned) && !(0.0..=1.0).contains(it);
                let Some(value) = value.filter(beyond) else { continue };
                let problem = format!("{value} is no share: they are 0 to 1, also where tables print percent");
                return Err(figure.bad_at(&[side], problem).with_hint(percent(value)));
            }
            if bound.subject.is_none() && planned.subjects.iter().all(|known| known.reference) {
                return Err(figure
                    .bad("it concerns nobody: the study has no subject but references")
                    .with_hint("name a `subject`"));
            }
            if let Some(subject) = &bound.subject {
                figure.check_subject(plan, planned, subject)?;
            }
        }
        Ok(())
    }

    pub(super) fn check_stopping(&self, plan: &Plan, asks: Asks) -> Result<(), EngineError> {
        for (key, rule) in &self.stopping {
            let figure = Figure::stopping(self, key, rule.span());
            let planned = figure.measured_by(plan, asks)?;
            let rule = rule.get_ref();
            if !(rule.half_width.is_finite() && rule.half_width > 0.0) {
                return Err(figure.bad_at(&["half_width"], "`half_width` must be more than 0"));
            }
            // Percent again: it would stop at the first look.
            if before_answers(asks) && figure.is_share(planned) && rule.half_width >= 0.5 {
                let problem = "every share is known to ±0.5 before anybody is asked: shares are 0 to 1, also where tables print percent";
                return Err(figure.bad_at(&["half_width"], problem).with_hint(percent(rule.half_width)));
            }
            if rule.every == 0 {
                return Err(figure.bad_at(&["every"], "`every` must be 1 or more"));
            }
            if let Some(subject) = &rule.subject {
                figure.check_subject(plan, planned, subject)?;
            }
        }
        Ok(())
    }

    pub(super) fn demanded(&self) -> Vec<Demanded> {
        let bounds = self.bounds.iter().map(|(key, bound)| Figure::bound(self, key, bound.span()));
        let stopping = self.stopping.iter().map(|(key, rule)| Figure::stopping(self, key, rule.span()));
        let demanded = |it: Figure<'_>| Demanded { figure: it.key.to_owned(), what: it.what, place: it.place() };
        bounds.chain(stopping).map(demanded).collect()
    }
}

/// Where everybody was asked already, a run that was made stays readable.
fn before_answers(asks: Asks) -> bool {
    ![Asks::Judges, Asks::Nobody].contains(&asks)
}

fn percent(value: f64) -> String {
    format!("{value} percent are {}", value / 100.0)
}

/// What somebody demands something of.
struct Figure<'a> {
    file: &'a StudyFile,
    what: &'static str,
    /// Of the study file.
    section: &'static str,
    key: &'a str,
    span: Range<usize>,
}

impl<'a> Figure<'a> {
    fn bound(file: &'a StudyFile, key: &'a str, span: Range<usize>) -> Self {
        Self { file, what: "bound", section: "bounds", key, span }
    }

    fn stopping(file: &'a StudyFile, key: &'a str, span: Range<usize>) -> Self {
        Self { file, what: "stopping", section: "stopping", key, span }
    }

    fn place(&self) -> String {
        self.file.place_of(self.span.clone(), &[self.section, self.key])
    }

    fn bad(&self, problem: impl std::fmt::Display) -> EngineError {
        EngineError::study(self.place(), format!("{} `{}`: {problem}", self.what, self.key))
    }

    /// About these of its fields: where one of them was set from the command line, that is the place.
    fn bad_at(&self, fields: &[&str], problem: impl std::fmt::Display) -> EngineError {
        let set = fields.iter().find_map(|field| self.file.set_of(&[self.section, self.key, *field]));
        let error = self.bad(problem);
        set.into_iter().fold(error, EngineError::placed)
    }

    fn measured_by<'p>(&self, plan: &'p Plan, asks: Asks) -> Result<&'p PlannedSuite, EngineError> {
        let Some((suite, metric)) = self.key.split_once('.') else {
            return Err(self.without_suite(plan, self.bad("it is written \"suite.metric\"")));
        };
        let Some(planned) = plan.suites.iter().find(|planned| planned.id().as_str() == suite) else {
            let known: Vec<&str> = plan.suites.iter().map(|planned| planned.id().as_str()).collect();
            let hint = suggest::hint(suite, "suites of this study", known);
            let error = self.bad(format!("the study has no suite `{suite}`")).with_hint(hint);
            return Err(self.without_suite(plan, error));
        };
        let columns = planned.suite().card().columns;
        let stem = metric.split('.').next().unwrap_or(metric);
        if columns.iter().all(|column| column.name != stem) {
            let known: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            let hint = suggest::hint(stem, "metrics", known);
            return Err(self.bad(format!("`{suite}` has no metric `{stem}`")).with_hint(hint));
        }
        // Later the figures themselves tell.
        if before_answers(asks)
            && let Some(strata) = planned.suite().strata(stem)
        {
            self.check_stratum(&strata, stem, metric.split_once('.').map(|(_, stratum)| stratum))?;
        }
        Ok(planned)
    }

    /// A metric alone is told with the suites that have it.
    fn without_suite(&self, plan: &Plan, error: EngineError) -> EngineError {
        let stem = self.key.split('.').next();
        let has_it = |planned: &&PlannedSuite| {
            planned.suite().card().columns.iter().any(|column| Some(column.name.as_str()) == stem)
        };
        let having = plan.suites.iter().filter(has_it).map(|planned| format!("\"{}.{}\"", planned.id(), self.key));
        let having: Vec<String> = having.collect();
        if having.is_empty() { error } else { error.with_hint(format!("write {}", having.join(" or "))) }
    }

    /// What no case can bring is told before anybody is asked. What only some bring is looked at when they are there.
    fn check_stratum(&self, strata: &Strata, stem: &str, stratum: Option<&str>) -> Result<(), EngineError> {
        let open = |key: &&str| format!("{key}_…");
        let known: Vec<String> = strata.names.iter().cloned().chain(strata.keys.iter().map(open)).collect();
        let list = || format!("the strata of `{stem}` are: {}", known.join(", "));
        match stratum {
            None if strata.whole => Ok(()),
            None => Err(self.bad(format!("`{stem}` has a figure for each of its strata only")).with_hint(list())),
            Some(stratum) if strata.holds(stratum) => Ok(()),
            Some(_) if known.is_empty() => Err(self.bad(format!("`{stem}` has no strata"))),
            Some(stratum) => {
                let error = self.bad(format!("`{stem}` has no stratum `{stratum}`"));
                Err(error.with_hint(meant(strata, stratum).unwrap_or_else(list)))
            }
        }
    }

    fn is_share(&self, planned: &PlannedSuite) -> bool {
        let stem = self.key.split('.').nth(1);
        let columns = planned.suite().card().columns;
        columns.iter().any(|column| Some(column.name.as_str()) == stem && column.kind == MetricKind::Share)
    }

    fn check_subject(&self, plan: &Plan, planned: &PlannedSuite, subject: &str) -> Result<(), EngineError> {
        let answers = |planned: &PlannedSuite| planned.subjects.iter().any(|known| known.id.as_str() == subject);
        if answers(planned) {
            return Ok(());
        }
        let known: Vec<&str> = planned.subjects.iter().map(|known| known.id.as_str()).collect();
        let (problem, hint) = match plan.suites.iter().any(answers) {
            true => (
                format!("`{subject}` does not answer `{}`", planned.id()),
                format!("those who do are: {}", known.join(", ")),
            ),
            false => (format!("the study has no subject `{subject}`"), suggest::hint(subject, "subjects", known)),
        };
        Err(self.bad_at(&["subject"], problem).with_hint(hint))
    }
}

/// The nearest name, or the nearest key with the value that was written, as a hint.
fn meant(strata: &Strata, stratum: &str) -> Option<String> {
    let with_value = |key: &&str| {
        let words = key.split('_').count();
        let value = stratum.splitn(words + 1, '_').nth(words).filter(|value| !value.is_empty())?;
        Some(format!("{key}_{value}"))
    };
    let known: Vec<String> = strata.names.iter().cloned().chain(strata.keys.iter().filter_map(with_value)).collect();
    slip::did_you_mean(stratum, known.iter().map(String::as_str))
}
