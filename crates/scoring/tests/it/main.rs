//! The statistics against golden values, and diagnoses read from recorded answers.

mod golden;
mod reading;
