//! All the outside hears of a run. Progress bars, JSON lines and pages listen to the same events.

use crate::Tell;
use crate::gateway::{GatewayEvent, GatewayEvents};
use waterjar_core::{BenchmarkSummary, SuiteId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    Screen,
    Vary,
    Answer,
    Judge,
    Measure,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RunEvent {
    /// `total` is `None` where nobody can know it before.
    Started {
        suite: SuiteId,
        pass: Pass,
        total: Option<u64>,
    },
    /// How many units of work are done, those found done included.
    Progress {
        pass: Pass,
        done: u64,
    },
    Finished {
        pass: Pass,
    },
    Benchmark(BenchmarkSummary),
    /// Before models judge: how much there is for them.
    ToJudge(ToJudge),
    /// A model is being made ready, which may take a moment.
    Preparing {
        model: String,
    },
    /// Something whoever waits should know.
    Notice(String),
    /// On the way to models that are not built in.
    Gateway(GatewayEvent),
}

/// The verdicts that models are to make. Each is on one family of one subject and may take several calls, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToJudge {
    pub suite: SuiteId,
    /// By whom, all of them together on each; by rules where there is nobody.
    pub judges: Vec<String>,
    /// Looks into what went wrong in some of them.
    pub auditor: Option<String>,
    pub open: u64,
    /// Whether there may be fewer: the study stops when it knows enough.
    pub at_most: bool,
    /// Of the open ones, those that were made before of something else: other answers, another version of the suite.
    pub anew: u64,
    pub stored: u64,
}

impl Pass {
    /// What is being done, for people.
    pub fn doing(self) -> &'static str {
        match self {
            Self::Screen => "screening cases",
            Self::Vary => "making variants",
            Self::Answer => "asking subjects",
            Self::Judge => "judging answers",
            Self::Measure => "measuring",
        }
    }
}

/// What the gateway tells is part of what the run tells.
pub struct Telling {
    pub tell: Tell,
    /// Whether every call of a model is told, with what was said.
    pub calls: bool,
}

impl GatewayEvents for Telling {
    fn on(&self, event: GatewayEvent) {
        (self.tell)(RunEvent::Gateway(event));
    }

    fn hears_calls(&self) -> bool {
        self.calls
    }
}
