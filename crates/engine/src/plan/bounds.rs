//! Bounds and rules of stopping are about something that will be measured.

use super::{Asks, Plan, PlannedSuite, suggest};
use crate::EngineError;
use crate::study::StudyFile;
use std::ops::Range;
use waterjar_core::{MetricKind, Strata};

impl StudyFile {
    pub(super) fn check_bounds(&self, plan: &Plan, asks: Asks) -> Result<(), EngineError> {
        for (key, bound) in &self.bounds {
            let figure = Figure { file: self, what: "bound", key, span: bound.span() };
            let planned = figure.measured_by(plan, asks)?;
            let bound = bound.get_ref();
            if bound.max.is_none() && bound.min.is_none() {
                return Err(figure.bad("it has neither `max` nor `min`"));
            }
            // Every comparison with it is false, so it would let everything pass.
            if [bound.max, bound.min].into_iter().flatten().any(f64::is_nan) {
                return Err(figure.bad("`nan` is not a number"));
            }
            if let Some((min, max)) = bound.min.zip(bound.max).filter(|(min, max)| min > max) {
                return Err(figure.bad(format!("nothing is at least {min} and at most {max}")));
            }
            // Tables print percent, so this is what somebody types first, and it would let everything pass.
            let beyond = |it: &f64| figure.is_share(planned) && !(0.0..=1.0).contains(it);
            if let Some(value) = [bound.max, bound.min].into_iter().flatten().find(beyond) {
                let error =
                    figure.bad(format!("{value} is no share: they are 0 to 1, also where tables print percent"));
                return Err(error.with_hint(format!("{} percent are {}", value, value / 100.0)));
            }
            if bound.subject.is_none() && planned.subjects.iter().all(|known| known.reference) {
                return Err(figure
                    .bad("it concerns nobody: the study has no subject but references")
                    .with_hint("name a `subject`"));
            }
            if let Some(subject) = &bound.subject {
                figure.check_subject(planned, subject)?;
            }
        }
        Ok(())
    }

    pub(super) fn check_stopping(&self, plan: &Plan, asks: Asks) -> Result<(), EngineError> {
        for (key, rule) in &self.stopping {
            let figure = Figure { file: self, what: "stopping", key, span: rule.span() };
            let planned = figure.measured_by(plan, asks)?;
            let rule = rule.get_ref();
            if !(rule.half_width.is_finite() && rule.half_width > 0.0) {
                return Err(figure.bad("`half_width` must be more than 0"));
            }
            if rule.every == 0 {
                return Err(figure.bad("`every` must be 1 or more"));
            }
            if let Some(subject) = &rule.subject {
                figure.check_subject(planned, subject)?;
            }
        }
        Ok(())
    }
}

/// What somebody demands something of.
struct Figure<'a> {
    file: &'a StudyFile,
    what: &'static str,
    key: &'a str,
    span: Range<usize>,
}

impl Figure<'_> {
    fn bad(&self, problem: impl std::fmt::Display) -> EngineError {
        EngineError::study(self.file.place(self.span.clone()), format!("{} `{}`: {problem}", self.what, self.key))
    }

    fn measured_by<'p>(&self, plan: &'p Plan, asks: Asks) -> Result<&'p PlannedSuite, EngineError> {
        let Some((suite, metric)) = self.key.split_once('.') else {
            return Err(self.bad("it is written \"suite.metric\""));
        };
        let Some(planned) = plan.suites.iter().find(|planned| planned.id().as_str() == suite) else {
            let known: Vec<&str> = plan.suites.iter().map(|planned| planned.id().as_str()).collect();
            let hint = suggest::hint(suite, "suites of this study", known);
            return Err(self.bad(format!("the study has no suite `{suite}`")).with_hint(hint));
        };
        let columns = planned.suite().card().columns;
        let stem = metric.split('.').next().unwrap_or(metric);
        if columns.iter().all(|column| column.name != stem) {
            let known: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            let hint = suggest::hint(stem, "metrics", known);
            return Err(self.bad(format!("`{suite}` has no metric `{stem}`")).with_hint(hint));
        }
        // Where everybody was asked already, the figures themselves tell, and a run that was made stays readable.
        if ![Asks::Judges, Asks::Nobody].contains(&asks)
            && let Some(strata) = planned.suite().strata(stem)
        {
            self.check_stratum(&strata, stem, metric.split_once('.').map(|(_, stratum)| stratum))?;
        }
        Ok(planned)
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
                let meant = meant(strata, stratum).map(|meant| format!("did you mean `{meant}`?"));
                Err(error.with_hint(meant.unwrap_or_else(list)))
            }
        }
    }

    fn is_share(&self, planned: &PlannedSuite) -> bool {
        let stem = self.key.split('.').nth(1);
        let columns = planned.suite().card().columns;
        columns.iter().any(|column| Some(column.name.as_str()) == stem && column.kind == MetricKind::Share)
    }

    fn check_subject(&self, planned: &PlannedSuite, subject: &str) -> Result<(), EngineError> {
        if planned.subjects.iter().any(|known| known.id.as_str() == subject) {
            return Ok(());
        }
        let known: Vec<&str> = planned.subjects.iter().map(|known| known.id.as_str()).collect();
        let hint = suggest::hint(subject, "subjects", known);
        Err(self.bad(format!("the study has no subject `{subject}`")).with_hint(hint))
    }
}

/// The nearest name, or the nearest key with the value that was written.
fn meant(strata: &Strata, stratum: &str) -> Option<String> {
    let with_value = |key: &&str| {
        let words = key.split('_').count();
        let value = stratum.splitn(words + 1, '_').nth(words).filter(|value| !value.is_empty())?;
        Some(format!("{key}_{value}"))
    };
    let known: Vec<String> = strata.names.iter().cloned().chain(strata.keys.iter().filter_map(with_value)).collect();
    suggest::nearest(stratum, known.iter().map(String::as_str)).map(str::to_owned)
}
