//! Numbers as a reader meets them: whole percents in sentences, one decimal in tables, a dash where there is nothing.

use crate::MetricKind;
use waterjar_core::Metric;

/// Keeps a number and its sign on one line.
pub(crate) const NO_BREAK: char = '\u{a0}';
pub(crate) const DASH: &str = "–";

/// A metric ready to print. Share and interval are in percent, without the sign.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Printed {
    pub value: String,
    pub interval: Option<(String, String)>,
    pub n: u64,
    /// Those of them that are independent.
    pub cases: u64,
}

/// `None` where there are no cases: nothing is not a number.
pub(crate) fn printed(metric: Option<&Metric>, kind: MetricKind) -> Option<Printed> {
    let metric = metric?;
    let value = metric.value.filter(|value| value.is_finite())?;
    let in_table = |value: f64| match kind {
        MetricKind::Share => fixed(value * 100.0, 1),
        MetricKind::Number => fixed(value, 2),
    };
    Some(Printed {
        value: in_table(value),
        interval: metric.low.zip(metric.high).map(|(low, high)| (in_table(low), in_table(high))),
        n: metric.n,
        cases: metric.cases(),
    })
}

impl Printed {
    /// `41.9–52.8`; with `to` where a minus sign would meet the dash.
    pub(crate) fn range(&self) -> Option<String> {
        let (low, high) = self.interval.as_ref()?;
        let joint = if low.contains('-') || high.contains('-') { " to " } else { "–" };
        Some(format!("{}{joint}{}", minus(low), minus(high)))
    }

    pub(crate) fn text(&self) -> String {
        minus(&self.value)
    }
}

/// For sentences. The ends are reserved for none and all.
pub(crate) fn in_words(value: f64, kind: MetricKind) -> String {
    let percent = value * 100.0;
    match kind {
        MetricKind::Number => minus(&fixed(value, 2)),
        MetricKind::Share if value > 0.0 && percent < 0.5 => format!("less than 1{NO_BREAK}%"),
        MetricKind::Share if value < 1.0 && percent >= 99.5 => format!("more than 99{NO_BREAK}%"),
        MetricKind::Share => format!("{}{NO_BREAK}%", fixed(percent, 0)),
    }
}

/// `5,383`
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 family`, `2,000 families`
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{}{NO_BREAK}{noun}", count(number))
}

/// Plain digits, without a minus in front of zero.
pub(crate) fn fixed(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|digit| matches!(digit, '0' | '.')) => rest.to_owned(),
        _ => text,
    }
}

/// `no_isomorph` → `No isomorph`
pub(crate) fn words(snake: &str) -> String {
    let mut letters = snake.chars().map(|c| if c == '_' { ' ' } else { c });
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

fn minus(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_all_is_not_all_and_nearly_none_is_not_none() {
        let share = |value| in_words(value, MetricKind::Share).replace(NO_BREAK, " ");
        assert_eq!(share(0.0), "0 %");
        assert_eq!(share(0.001), "less than 1 %");
        assert_eq!(share(0.474), "47 %");
        assert_eq!(share(0.997), "more than 99 %");
        assert_eq!(share(1.0), "100 %");
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(count(7), "7");
        assert_eq!(count(5383), "5,383");
        assert_eq!(count(1_345_290), "1,345,290");
    }

    #[test]
    fn a_metric_without_cases_prints_nothing() {
        assert_eq!(printed(Some(&Metric::default()), MetricKind::Share), None);
        assert_eq!(printed(None, MetricKind::Share), None);
    }

    #[test]
    fn an_interval_across_zero_is_written_with_to() {
        let metric = Metric { value: Some(-0.0001), low: Some(-1.5), high: Some(0.25), n: 9, ..Metric::default() };
        let printed = printed(Some(&metric), MetricKind::Number).expect("the metric has a value");
        assert_eq!(printed.text(), "0.00");
        assert_eq!(printed.range().as_deref(), Some("−1.50 to 0.25"));
    }

    #[test]
    fn snake_case_becomes_words() {
        assert_eq!(words("no_isomorph"), "No isomorph");
        assert_eq!(words(""), "");
    }
}
