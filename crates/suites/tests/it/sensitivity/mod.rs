//! The suite `sensitivity`: its catalog, its audit, its figures.

mod audits;
pub mod boards;
mod catalogs;
mod golden;
mod golden_tools;
mod keys;
mod phrases;
mod real;
mod rows;
