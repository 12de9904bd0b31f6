//! What makes a statistic impossible to compute.

/// Says what was asked and what to change, because a statistic that quietly returns something is worse than none.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StatsError {
    #[error(
        "family `{family}` adds {part} of {whole} to `{ratio}`; both must be finite and below 1e12, the second not negative"
    )]
    NotANumber { family: String, ratio: String, part: f64, whole: f64 },
    #[error("`{first}` and `{second}` have no family in common; compare subjects that answered the same cases")]
    NothingInCommon { first: String, second: String },
    #[error("`{ratio}` has no value: no family counts towards its denominator")]
    NoDenominator { ratio: String },
    #[error("the two samples must be of the same length, but have {first} and {second} values")]
    DifferentLengths { first: usize, second: usize },
    #[error("{what} needs at least {needed} values, but has {given}")]
    TooFew { what: &'static str, needed: usize, given: usize },
    #[error("{what} is not defined when a sample does not vary")]
    NoVariation { what: &'static str },
    #[error("{what} needs finite numbers")]
    NotFinite { what: &'static str },
    #[error("item {item} has {given} ratings, but there are {raters} raters; leave a missing rating empty")]
    RaggedRow { item: usize, given: usize, raters: usize },
    #[error("`{label}` (item {item}) is not on the declared scale: {}", scale.join(", "))]
    OffScale { item: usize, label: String, scale: Vec<String> },
    #[error("`{label}` is not a number")]
    NotANumberLabel { label: String },
    #[error("the scale names `{label}` twice")]
    DoubledCategory { label: String },
    #[error("agreement needs at least two raters, but the table has {raters}")]
    TooFewRaters { raters: usize },
}
