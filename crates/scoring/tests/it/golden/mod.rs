//! Golden values, by where they come from. Names in brackets in the tests are rows of the golden table (specs 10.3).

mod agreement;
mod dyreme;
mod feasible;
mod stats;
