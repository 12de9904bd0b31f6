//! Planning and running a study, resuming, events.
