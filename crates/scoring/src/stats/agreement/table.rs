//! Who rated what how.

use crate::stats::StatsError;

/// Items × raters; a rating is a category of the scale or missing.
///
/// Declare the scale where there is one: Gwet's and Brennan and Prediger's coefficients count the categories a rater
/// could have chosen, not those somebody chose. A five-point scale of which four were used gives AC1 .0199, taken as a
/// four-point scale −.0532 (specs 10.4).
#[derive(Clone, Debug, PartialEq)]
pub struct RatingTable {
    scale: Vec<String>,
    /// The categories as numbers: what they say if all are numbers, else their places.
    values: Vec<f64>,
    raters: usize,
    items: Vec<Vec<Option<usize>>>,
}

impl RatingTable {
    /// On a scale given from one end to the other. One row per item, one entry per rater.
    pub fn declared<L: AsRef<str>, S: AsRef<str>>(scale: &[L], rows: &[Vec<Option<S>>]) -> Result<Self, StatsError> {
        let scale: Vec<String> = scale.iter().map(|label| label.as_ref().to_owned()).collect();
        for (place, label) in scale.iter().enumerate() {
            if scale[..place].contains(label) {
                return Err(StatsError::DoubledCategory { label: label.clone() });
            }
        }
        let raters = rows.first().map_or(0, Vec::len);
        let items = rows.iter().enumerate().map(|(item, row)| read_row(&scale, raters, item, row));
        let items = items.collect::<Result<_, _>>()?;
        if raters < 2 {
            return Err(StatsError::TooFewRaters { raters });
        }
        Ok(Self { values: values_of(&scale), scale, raters, items })
    }

    /// On the scale of the labels that occur, in numerical order if all are numbers, else in alphabetical order.
    pub fn observed<S: AsRef<str>>(rows: &[Vec<Option<S>>]) -> Result<Self, StatsError> {
        let labels = rows.iter().flatten().flatten().map(AsRef::as_ref);
        let mut scale: Vec<&str> = labels.collect();
        scale.sort_unstable();
        scale.dedup();
        if let Some(numbers) = numbers(&scale) {
            let mut order: Vec<_> = numbers.into_iter().zip(scale).collect();
            order.sort_by(|a, b| a.0.total_cmp(&b.0));
            scale = order.into_iter().map(|(_, label)| label).collect();
        }
        Self::declared(&scale, rows)
    }

    pub fn scale(&self) -> &[String] {
        &self.scale
    }

    pub fn raters(&self) -> usize {
        self.raters
    }

    pub fn items(&self) -> usize {
        self.items.len()
    }

    pub fn ratings(&self) -> usize {
        self.items.iter().flatten().flatten().count()
    }

    pub fn missing(&self) -> usize {
        self.items() * self.raters - self.ratings()
    }

    /// Items with at least two ratings: the ones that say something about agreement.
    pub fn shared_items(&self) -> usize {
        let shared = |row: &&Vec<Option<usize>>| row.iter().flatten().count() >= 2;
        self.items.iter().filter(shared).count()
    }

    /// The same items with two of the raters.
    pub fn pair(&self, first: usize, second: usize) -> Self {
        let items = self.items.iter().map(|row| vec![row[first], row[second]]);
        Self { items: items.collect(), raters: 2, ..self.clone() }
    }

    /// These items, as often as they are named, for resampling.
    pub(super) fn of_items(&self, items: &[u32]) -> Self {
        let items = items.iter().map(|item| self.items[*item as usize].clone());
        Self { items: items.collect(), scale: self.scale.clone(), values: self.values.clone(), raters: self.raters }
    }

    pub(super) fn rows(&self) -> &[Vec<Option<usize>>] {
        &self.items
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// For each item, how many raters chose each category.
    pub(super) fn counts(&self) -> impl Iterator<Item = Vec<f64>> {
        self.items.iter().map(|row| {
            let mut counts = vec![0.0; self.scale.len()];
            for category in row.iter().flatten() {
                counts[*category] += 1.0;
            }
            counts
        })
    }
}

fn read_row<S: AsRef<str>>(
    scale: &[String],
    raters: usize,
    item: usize,
    row: &[Option<S>],
) -> Result<Vec<Option<usize>>, StatsError> {
    if row.len() != raters {
        return Err(StatsError::RaggedRow { item: item + 1, given: row.len(), raters });
    }
    let place = |label: &str| {
        let place = scale.iter().position(|known| known == label);
        place.ok_or_else(|| StatsError::OffScale { item: item + 1, label: label.to_owned(), scale: scale.to_vec() })
    };
    row.iter().map(|rating| rating.as_ref().map(|label| place(label.as_ref())).transpose()).collect()
}

fn values_of(scale: &[String]) -> Vec<f64> {
    let places = || (0..scale.len()).map(|place| place as f64).collect();
    numbers(scale).unwrap_or_else(places)
}

fn numbers<S: AsRef<str>>(labels: &[S]) -> Option<Vec<f64>> {
    let number = |label: &S| label.as_ref().parse().ok().filter(|value: &f64| value.is_finite());
    labels.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows<'a>(table: &[&[&'a str]]) -> Vec<Vec<Option<&'a str>>> {
        let rating = |label: &&'a str| (!label.is_empty()).then_some(*label);
        table.iter().map(|row| row.iter().map(rating).collect()).collect()
    }

    #[test]
    fn numbers_are_ordered_as_numbers() {
        let table = RatingTable::observed(&rows(&[&["10", "9"], &["2", ""]])).unwrap();
        assert_eq!(table.scale(), ["2", "9", "10"]);
        assert_eq!(table.values(), [2.0, 9.0, 10.0]);
    }

    #[test]
    fn words_are_ordered_as_words_and_stand_for_their_places() {
        let table = RatingTable::observed(&rows(&[&["yes", "no"]])).unwrap();
        assert_eq!(table.scale(), ["no", "yes"]);
        assert_eq!(table.values(), [0.0, 1.0]);
    }

    #[test]
    fn missing_ratings_are_counted() {
        let table = RatingTable::observed(&rows(&[&["a", "b", ""], &["", "", "a"]])).unwrap();
        assert_eq!((table.items(), table.raters(), table.ratings(), table.missing()), (2, 3, 3, 3));
        assert_eq!(table.shared_items(), 1);
    }

    #[test]
    fn a_rating_off_the_scale_names_its_item() {
        let error = RatingTable::declared(&["1", "2"], &rows(&[&["1", "2"], &["1", "3"]])).unwrap_err();
        assert_eq!(error.to_string(), "`3` (item 2) is not on the declared scale: 1, 2");
    }

    #[test]
    fn a_short_row_is_not_taken_as_missing() {
        let short = RatingTable::observed(&rows(&[&["1", "2"], &["1"]]));
        assert_eq!(short, Err(StatsError::RaggedRow { item: 2, given: 1, raters: 2 }));
    }

    #[test]
    fn one_rater_agrees_with_nobody() {
        assert_eq!(RatingTable::observed(&rows(&[&["1"]])), Err(StatsError::TooFewRaters { raters: 1 }));
    }

    #[test]
    fn two_raters_of_three_are_two_raters() {
        let pair = RatingTable::observed(&rows(&[&["a", "b", ""], &["b", "", "a"]])).unwrap().pair(0, 2);
        assert_eq!((pair.items(), pair.raters(), pair.ratings(), pair.missing()), (2, 2, 3, 1));
    }

    #[test]
    fn a_scale_names_each_category_once() {
        let doubled = RatingTable::declared(&["1", "2", "1"], &rows(&[&["1", "2"]]));
        assert_eq!(doubled, Err(StatsError::DoubledCategory { label: "1".to_owned() }));
    }
}
