//! The main table and its strata for papers, spreadsheets and pull requests.

pub(crate) mod csv;
mod grid;
mod latex;
mod markdown;

pub use self::csv::csv;
pub use latex::latex;
pub use markdown::markdown;

#[cfg(test)]
mod tests;
