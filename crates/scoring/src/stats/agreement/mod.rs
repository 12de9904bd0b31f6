//! Agreement between raters, in reading order: the table, the weights, the coefficients, the report.
//!
//! Ratings may be missing. An item with fewer than two says nothing about agreement; an item with one still says which
//! categories are used. These are the formulas of Gwet, "Handbook of Inter-Rater Reliability" (4th ed. 2014), as in his
//! irrCAC. A coefficient that divides by zero, because chance alone would agree fully, is `None`.

mod coefficient;
mod cohen;
mod krippendorff;
mod rated;
mod report;
mod table;
mod weights;

pub use coefficient::{
    brennan_prediger, brennan_prediger_chance, chance_corrected, fleiss, fleiss_chance, gwet, gwet_chance,
    raw_agreement,
};
pub use cohen::{cohen, cohen_of_counts, mean_pairwise};
pub use krippendorff::{Distance, krippendorff};
pub use rated::{AgreementFile, MOST_RESAMPLED, agreement_of};
pub use report::{AgreementReport, ScaleKind, Statistic, agreement_report, agreement_report_with_intervals};
pub use table::RatingTable;
pub use weights::Weights;
