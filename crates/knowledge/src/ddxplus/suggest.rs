//! The known name that an unknown one was probably meant to be.

/// None where nothing is near: a wrong guess helps less than none.
pub(super) fn nearest<'a>(asked: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let asked: Vec<char> = asked.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
    let limit = (asked.len() / 3).max(1);
    known
        .map(|name| (distance(&asked, name), name))
        .filter(|&(distance, _)| distance <= limit)
        // By name among equals, because a hash table has no order.
        .min()
        .map(|(_, name)| name)
}

/// As the hint of an error.
pub(super) fn hint<'a>(asked: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    nearest(asked, known).map(|name| format!("did you mean `{name}`?"))
}

/// The work grows with the square of the length, and a broken file can hold anything.
const LONGEST: usize = 200;

/// Levenshtein's: letters to insert, delete or change.
fn distance(asked: &[char], name: &str) -> usize {
    let mut above: Vec<usize> = (0..=asked.len()).collect();
    for (row, theirs) in name.chars().take(LONGEST).flat_map(char::to_lowercase).enumerate() {
        let mut diagonal = above[0];
        above[0] = row + 1;
        for (column, &ours) in asked.iter().enumerate() {
            let changed = diagonal + usize::from(ours != theirs);
            diagonal = above[column + 1];
            above[column + 1] = changed.min(diagonal + 1).min(above[column] + 1);
        }
    }
    above[asked.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_recognised_and_a_stranger_is_not() {
        let known = ["Bronchitis", "Bronchiolitis", "GERD"];
        let check = |asked, expected| assert_eq!(nearest(asked, known.into_iter()), expected);
        check("Bronchitus", Some("Bronchitis"));
        check("gerd", Some("GERD"));
        check("Sarcoidosis", None);
        check("", None);
    }
}
