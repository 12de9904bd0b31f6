//! Verdicts that lack the word of somebody who was asked.

use crate::PlannedSuite;
use waterjar_core::{Failure, FailureState, FamilyVerdict, JudgeId};

/// How many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unheard {
    /// Of suites that have an auditor: what it was to look into.
    pub audits: u64,
    /// Of the others: what a judge was to say.
    pub words: u64,
}

impl Unheard {
    pub fn all(self) -> u64 {
        self.audits + self.words
    }

    pub(crate) fn add(&mut self, planned: &PlannedSuite, n: u64) {
        let has_auditor = planned.suite().roles().auditor.is_some();
        *(if has_auditor { &mut self.audits } else { &mut self.words }) += n;
    }
}

/// Auditors and judges that gave no usable word, and why.
pub(crate) fn unheard(verdict: &FamilyVerdict) -> impl Iterator<Item = (&JudgeId, &Failure)> {
    verdict.rulings.iter().flat_map(|ruling| {
        // Runs of earlier versions note a silent judge as an audit that failed.
        let audit = ruling.audit.as_ref().and_then(|audit| Some((&audit.auditor, audit.failure.as_ref()?)));
        audit.into_iter().chain(ruling.silent.iter().map(|it| (&it.judge, &it.failure)))
    })
}

/// Whether somebody was to judge an answer, or to look into it, and gave no usable word.
pub(crate) fn is_unheard(verdict: &FamilyVerdict) -> bool {
    unheard(verdict).any(|(_, failure)| failure.state != FailureState::NotApplicable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::{Audit, FailureMode, Outcome, Ruling, SilentJudge};

    fn check(change: impl FnOnce(&mut Ruling), who: Option<&str>) {
        let mut ruling = Ruling::new("v".into(), "trap", Outcome::Trapped, "");
        change(&mut ruling);
        let verdict = FamilyVerdict {
            family: "f".into(),
            subject: "plain@x".into(),
            repeat: 0,
            judge: "rules".into(),
            rulings: vec![ruling],
            strata: [].into(),
        };
        assert_eq!(is_unheard(&verdict), who.is_some());
        assert_eq!(unheard(&verdict).next().map(|(who, _)| who.as_str()), who);
    }

    #[test]
    fn whoever_was_asked_and_gave_no_word_is_named() {
        let failure = || Failure::new(FailureState::Refused, "no");
        check(|_| {}, None);
        check(|it| it.silent.push(SilentJudge { judge: "a/judge".into(), failure: failure() }), Some("a/judge"));
        let (mode, auditor) = (FailureMode::Unaudited, JudgeId::from("an/auditor"));
        let audit = Audit { mode, auditor, evidence: Vec::new(), quote: None, failure: Some(failure()) };
        check(|it| it.audit = Some(audit.clone()), Some("an/auditor"));
        check(|it| it.audit = Some(Audit { failure: None, ..audit.clone() }), None);
    }
}
