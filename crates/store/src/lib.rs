//! Keeping and finding runs.
