//! One patient's chart: its sections and dated entries, its packet, where charts come from, and our synthetic tumor boards.

pub mod advice;
pub mod boards;
pub mod chart;
pub mod date;
pub mod import;
pub mod packet;
pub mod scrub;
pub mod section;

pub use chart::{Chart, Entry, Tag};
pub use date::Date;
pub use import::{Import, ImportOptions};
pub use packet::{Packet, Part, Span, read, render};
pub use scrub::{ScrubOptions, Scrubbed, scrub, scrubbed_id};
pub use section::Section;
