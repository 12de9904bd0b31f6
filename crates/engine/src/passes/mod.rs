//! The passes of a run. Each finds out what is done already and does the rest.

pub mod answer;
pub mod judge;
pub mod measure;
pub mod vary;

mod screen;

use waterjar_core::SuiteContext;

/// Families or candidates read at a time: enough to keep the cores busy, little to hold in memory.
const PAGE: u32 = 128;

/// Units of work under way at once. Built-in subjects are bound by the processor; those that wait on a network get
/// limits of their own.
fn at_once() -> usize {
    2 * std::thread::available_parallelism().map_or(1, usize::from)
}

fn context(run: &crate::Run<'_>) -> SuiteContext {
    SuiteContext { seed: run.plan.seed }
}
