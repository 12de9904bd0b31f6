//! People rate a run blind: what they are asked, what they are shown, how far they agree, and their ratings as verdicts.
//!
//! A project is a sample of a run with a form. What raters see is written down when it is made, apart from where it comes from, so that no
//! page for raters can tell them.

mod agreement;
mod answers;
mod corrected;
mod estimates;
mod export;
mod fit;
mod form;
mod forms;
mod humans;
mod item;
mod mask;
mod project;
mod sample;
mod settled;
pub mod stories;
mod tally;
mod text;

pub use agreement::{AgainstJudge, Agreement, Pairwise, against_judge, agreements};
pub use answers::Given;
pub use corrected::{Corrected, FEWEST, corrected};
pub use estimates::{Estimates, estimates};
pub use export::{Exported, csv, jsonl, results_csv, rows};
pub use fit::Material;
pub use form::{Choice, FIRST, Form, FormError, Kind, Question, Rule, SECOND, Side, TIE, Unit};
pub use forms::forms;
pub use humans::{Humans, JUDGE, humans};
pub use item::{Judged, Shown, Source};
pub use mask::Mask;
pub use project::{Allocation, MakeError, Project, Wish, make};
pub use settled::{ADJUDICATOR, Disagreement, Settled, disagreements};
pub use tally::{Answered, Tally, tallies};
pub use text::Text;
