//! Clinicians rate a run blind, and its owner watches. Pages for raters are made from what a project shows and from nothing else of the run.

pub mod adjudicate;
pub mod desk;
pub mod enter;
mod error;
pub mod export;
pub mod project;
pub mod projects;
pub mod rate;
mod sheet;
