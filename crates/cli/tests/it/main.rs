//! The program as a user meets it: commands, files, exit codes, messages.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stderr, reason = "a test says when it is skipped")]

mod agree;
mod annotation;
mod bad_input;
mod batches;
mod chart_reading;
mod chart_sources;
mod charts;
mod compare;
mod consult;
mod consult_breaks;
mod consult_editions;
mod consult_models;
mod ddxplus;
mod doctor;
mod documents;
mod ecr_evolve;
mod ecr_models;
mod evidence;
mod evolve;
mod exchange;
mod failures;
mod full_disk;
mod gate;
mod import;
mod kill;
mod language_models;
mod moves;
mod odd_servers;
mod order;
mod outages;
mod parity;
mod parity_authors;
mod parity_unsexed;
mod passes;
mod planning;
mod programs;
mod published;
mod registration;
mod rehearse;
mod report;
mod run;
mod sample;
mod score;
mod serve;
mod serve_score;
mod served;
mod show;
mod sts;
mod tables;
mod tools;
mod vary;
mod what_breaks;
mod workers;
