//! How close a call the differential is.

use waterjar_core::{Candidate, ConditionId};

/// The condition that comes nearest to the patient's own, and by how much the two differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    pub rival: ConditionId,
    /// |P(condition) − max P(other)|
    pub gap: f64,
}

/// None where the differential does not name the patient's condition, or nothing else: there is no call to be close.
pub fn gap(condition: &ConditionId, differential: &[Candidate]) -> Option<Gap> {
    let ranked = differential.iter().map(|it| (&it.condition, it.probability));
    let (rival, gap) = nearest(&condition, ranked)?;
    Some(Gap { rival: rival.clone(), gap })
}

/// The same for any way of naming conditions. Among equal rivals the first by name.
pub(crate) fn nearest<Id: Ord + Copy>(
    condition: &Id,
    differential: impl Iterator<Item = (Id, f64)>,
) -> Option<(Id, f64)> {
    let mut own = None;
    let mut rival: Option<(Id, f64)> = None;
    for (id, p) in differential {
        if id == *condition {
            own = Some(p);
        } else if rival.is_none_or(|(first, top)| p > top || (p == top && id < first)) {
            rival = Some((id, p));
        }
    }
    let (rival, top) = rival?;
    Some((rival, (own? - top).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(differential: &[(&str, f64)], expected: Option<(&str, f64)>) {
        let differential: Vec<_> = differential
            .iter()
            .map(|&(condition, probability)| Candidate { condition: ConditionId::from(condition), probability })
            .collect();
        let found = gap(&ConditionId::from("own"), &differential);
        let expected = expected.map(|(rival, gap)| Gap { rival: ConditionId::from(rival), gap });
        assert_eq!(found, expected);
    }

    #[test]
    fn the_rival_is_the_most_probable_other_condition() {
        check(&[("a", 0.25), ("own", 0.5), ("b", 0.125)], Some(("a", 0.25)));
        check(&[("a", 0.75), ("own", 0.25)], Some(("a", 0.5)));
    }

    #[test]
    fn equal_rivals_are_taken_by_name() {
        check(&[("own", 0.5), ("b", 0.25), ("a", 0.25)], Some(("a", 0.25)));
    }

    #[test]
    fn without_the_condition_or_a_rival_there_is_no_gap() {
        check(&[("a", 0.5)], None);
        check(&[("own", 1.0)], None);
        check(&[], None);
    }
}
