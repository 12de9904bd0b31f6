//! Reading an answer, judging by rule, statistics.
