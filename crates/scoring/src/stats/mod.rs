//! Statistics: intervals, tests and agreement, each checked against a published or independently computed value.
//!
//! A suite pushes what each family adds to each metric into a [`Tally`]; [`Bootstrap`] turns the tally into intervals,
//! paired differences and intervals on rank. The variants of one case are not independent, so families are what is resampled.
//! The rest are functions from numbers to numbers. What cannot be computed is `None` or an error, never NaN or zero.

pub mod agreement;

mod bleu;
mod bootstrap;
mod change;
mod chi_square;
mod columns;
mod correlation;
mod draw;
mod entropy;
mod error;
mod feasible;
mod flags;
mod holm;
mod interval;
mod paired;
pub mod power;
pub mod printed;
mod quantile;
mod rank;
mod sign_test;
mod spread;
mod subsample;
mod t_test;
mod tally;

pub use agreement::{AgreementReport, RatingTable, ScaleKind, agreement_report};
pub use bleu::{SELF_BLEU_ORDER, bleu, self_bleu};
pub use bootstrap::{Bootstrap, RatioEstimate, Resampled};
pub use change::{relative_change, weighted_mean};
pub use chi_square::{ChiSquare, chi_square_homogeneity};
pub use correlation::{Correlation, PMethod, kendall_tau_b, pearson, spearman};
pub use entropy::{consistency, consistency_against, entropy_bits};
pub use error::StatsError;
pub use feasible::feasible;
pub use holm::holm;
pub use interval::{Interval, Z95, mean_interval, wald, wilson, wilson_of_share};
pub use paired::{Difference, ENOUGH_FAMILIES};
pub use quantile::quantile;
pub use rank::{Direction, RankEstimate, mid_ranks};
pub use sign_test::{mcnemar_exact, sign_test};
pub use spread::{Estimate, Spreads};
pub use subsample::{Spread, subsample_means, subsample_spread, subsample_spread_expected};
pub use t_test::{Alternative, TTest, paired_t, student_t, welch_t};
pub use tally::{Ratio, Tally};
