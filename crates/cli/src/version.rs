//! Which build this is: the version, and the commit where it was built from one. `build.rs` finds it.

pub const VERSION: &str = env!("WATERJAR_VERSION");
