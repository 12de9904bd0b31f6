//! What a run holds, as a reader sees it: a run and its plan in, what `report` and `web` show out.

pub mod comparison;
pub mod contenders;
mod contrasts;
mod exact;
mod families;
mod leads;
pub mod notes;
mod reasoning;
mod reasonings;
mod report;
mod same;
pub mod sides;
pub mod spending;
pub mod told;
mod words;

pub use families::{expected, family, in_full, views};
pub use leads::leads;
pub use reasoning::{Heading, graph_of, is_recorded, of_conclusion as reasoning};
pub use report::{bounds, report, results, section, study};
pub use same::{Common, refuse_other_cases};
pub use words::{audited, became, shifted};

use waterjar_engine::{Plan, RunDir};
use waterjar_store::Store;

/// A run that is looked at.
#[derive(Clone, Copy)]
pub struct OpenRun<'a> {
    pub plan: &'a Plan,
    pub dir: &'a RunDir,
    pub store: &'a Store,
}
