//! The main table and its strata for papers, spreadsheets and pull requests.

pub(crate) mod csv;
mod grid;
mod latex;
mod markdown;

pub use self::csv::csv;
pub use latex::latex;
pub use markdown::markdown;

use crate::{Leads, MetricColumn};
use waterjar_core::SubjectResult;

/// What the tables of one suite are made from.
#[derive(Clone, Copy)]
pub struct Tabled<'a> {
    pub results: &'a [SubjectResult],
    pub columns: &'a [MetricColumn],
    /// What strata divide by, a noun each.
    pub divides_by: &'a [String],
    /// What the best are marked by.
    pub leads: &'a Leads,
}

#[cfg(test)]
mod tests;
