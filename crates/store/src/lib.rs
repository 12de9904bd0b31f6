//! Keeping and finding runs. One database is one run, and another beside it what people said of it; this is the only crate with SQL.
//!
//! Rows go in through a [`Writer`], which gathers them into transactions. They come out in pages, so memory does not grow with the run.

mod batch;
mod body;
mod cases;
mod copy;
mod counts;
mod database;
mod error;
mod failed;
mod families;
mod family_rows;
mod insert;
mod judging;
mod lock;
mod meta;
mod notes;
mod page;
mod place;
mod postgres;
mod queue;
mod ratings;
mod replies;
mod responses;
mod results;
mod schema;
mod spend;
mod sql;
mod sqlite;
mod stages;
mod store;
mod transaction;
mod transcripts;
mod verdicts;
mod writer;

pub use cases::{CandidateCase, NewCase};
pub use copy::{copy_ratings, copy_run, settle_ratings, settle_run};
pub use counts::{Counts, SubjectCounts};
pub use error::StoreError;
pub use failed::FailedResponse;
pub use families::{FamilyOutcome, FamilyState, NewFamily, NewVariant, Settled, StoredFamily};
pub use judging::{Bench, FamilyToJudge, MemberKeys};
pub use meta::Identity;
pub use notes::AnswerNote;
pub use page::Page;
pub use postgres::Server;
pub use queue::{Begun, Calls, Leave, Left, Queue, Shard, Taken, Trouble, Wanted, WorkSettings};
pub use ratings::{NewRater, Rating, RatingBody, RatingState, Ratings, Session, StoredItem, StoredRater};
pub use replies::NewReply;
pub use responses::{NewResponse, StoredResponse};
pub use results::NewShares;
pub use spend::Spend;
pub use stages::Stage;
pub use store::{Mode, Store};
pub use transcripts::{CallRole, Course, NewCall, StoredCall};
pub use verdicts::{NewVerdict, StoredVerdict};
pub use writer::Writer;

#[cfg(test)]
extern crate self as waterjar_store;
#[cfg(test)]
mod full_disk;
#[cfg(test)]
#[path = "../tests/it/sample.rs"]
#[expect(dead_code, reason = "shared with the tests outside, which use all of it")]
mod sample;
