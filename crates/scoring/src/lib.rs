//! Reading an answer, judging by rule, statistics.

pub mod answer;
pub mod refusal;
pub mod stats;
