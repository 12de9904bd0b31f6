//! Bounds are about something that will be measured.

use super::{Plan, suggest};
use crate::EngineError;
use crate::study::StudyFile;

impl StudyFile {
    pub(super) fn check_bounds(&self, plan: &Plan) -> Result<(), EngineError> {
        for (key, bound) in &self.bounds {
            let bad =
                |problem: String| EngineError::study(self.place(bound.span()), format!("bound `{key}`: {problem}"));
            let Some((suite, metric)) = key.split_once('.') else {
                return Err(bad("it is written \"suite.metric\"".to_owned()));
            };
            let Some(planned) = plan.suites.iter().find(|planned| planned.id().as_str() == suite) else {
                let known: Vec<&str> = plan.suites.iter().map(|planned| planned.id().as_str()).collect();
                return Err(bad(format!("the study has no suite `{suite}`")).with_hint(suggest::hint(
                    suite,
                    "suites of this study",
                    known,
                )));
            };
            let columns = planned.suite().card().columns;
            let stem = metric.split('.').next().unwrap_or(metric);
            if columns.iter().all(|column| column.name != stem) {
                let known: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
                return Err(
                    bad(format!("`{suite}` has no metric `{stem}`")).with_hint(suggest::hint(stem, "metrics", known))
                );
            }
            let bound = bound.get_ref();
            if bound.max.is_none() && bound.min.is_none() {
                return Err(bad("it has neither `max` nor `min`".to_owned()));
            }
            // Every comparison with it is false, so it would let everything pass.
            if [bound.max, bound.min].into_iter().flatten().any(f64::is_nan) {
                return Err(bad("`nan` is not a number".to_owned()));
            }
            if bound.subject.is_none() && planned.subjects.iter().all(|known| known.reference) {
                return Err(bad("it concerns nobody: the study has no subject but references".to_owned())
                    .with_hint("name a `subject`"));
            }
            if let Some(subject) = &bound.subject
                && planned.subjects.iter().all(|known| known.id.as_str() != subject)
            {
                let known: Vec<&str> = planned.subjects.iter().map(|known| known.id.as_str()).collect();
                return Err(bad(format!("the study has no subject `{subject}`"))
                    .with_hint(suggest::hint(subject, "subjects", known)));
            }
        }
        Ok(())
    }
}
