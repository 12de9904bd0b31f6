//! How many families each figure needs, for people.

use super::{screen, table};
use crate::commands::Need;

/// A row for each figure; where all need the same, as guessed ones do, one line and which they are.
pub fn needs(needs: &[&Need]) -> String {
    within(needs, screen::width_of_stdout())
}

fn within(needs: &[&Need], most: usize) -> String {
    let is_guessed = |need: &&Need| need.subject.is_none();
    let alike = needs.windows(2).all(|two| two[0].families == two[1].families);
    if needs.len() < 2 || !alike || !needs.iter().all(is_guessed) {
        return table::within(&rows(needs), most);
    }
    let mut text = format!("all {} figures: {}\n", needs.len(), families(needs[0]));
    for of_suite in needs.chunk_by(|one, other| one.suite == other.suite) {
        let names: Vec<&str> = of_suite.iter().map(|need| need.metric.as_str()).collect();
        text.push_str(&format!("  {}: {}\n", of_suite[0].suite, names.join(", ")));
    }
    screen::wrapped(&text, most)
}

fn families(need: &Need) -> String {
    need.families.map_or_else(|| "–".to_owned(), |n| n.to_string())
}

fn rows(needs: &[&Need]) -> Vec<Vec<String>> {
    let head = ["figure", "families", "now", "±", "of"].map(str::to_owned).to_vec();
    let row = |need: &&Need| {
        let of = match (&need.subject, &need.against) {
            (Some(one), Some(other)) => format!("{one} and {other}"),
            (one, _) => one.clone().unwrap_or_default(),
        };
        vec![
            format!("{}.{}", need.suite, need.metric),
            families(need),
            need.families_now.map_or_else(String::new, |n| n.to_string()),
            need.half_width_now.map_or_else(String::new, |it| format!("{it:.3}")),
            of,
        ]
    };
    std::iter::once(head).chain(needs.iter().map(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(metric: &str, subject: Option<&str>) -> Need {
        Need {
            suite: "einstellung".to_owned(),
            metric: metric.to_owned(),
            subject: subject.map(str::to_owned),
            against: None,
            families_now: subject.map(|_| 40),
            half_width_now: subject.map(|_| 0.12),
            families: Some(1064),
            planned_at: None,
            is_share: true,
        }
    }

    fn check(subject: Option<&str>, most: usize, told: &str) {
        let all = ["baseline_accuracy", "robust_accuracy", "bias_trap_rate"].map(|metric| need(metric, subject));
        assert_eq!(within(&all.iter().collect::<Vec<_>>(), most), told);
    }

    #[test]
    fn in_a_terminal_the_names_of_figures_are_never_broken() {
        check(
            None,
            40,
            "all 3 figures: 1064\n\
             \u{20} einstellung: baseline_accuracy,\n\
             \u{20} robust_accuracy, bias_trap_rate\n",
        );
    }

    #[test]
    fn files_and_pipes_get_whole_lines() {
        check(
            None,
            usize::MAX,
            "all 3 figures: 1064\n  einstellung: baseline_accuracy, robust_accuracy, bias_trap_rate\n",
        );
    }

    #[test]
    fn what_is_measured_is_a_table_whatever_the_terminal() {
        check(
            Some("plain@gestalt"),
            51,
            "figure                         families  now      ±\n\
             einstellung.baseline_accuracy      1064   40  0.120\n\
             einstellung.robust_accuracy        1064   40  0.120\n\
             einstellung.bias_trap_rate         1064   40  0.120\n\
             \n\
             figure                                    of\n\
             einstellung.baseline_accuracy  plain@gestalt\n\
             einstellung.robust_accuracy    plain@gestalt\n\
             einstellung.bias_trap_rate     plain@gestalt\n",
        );
    }

    #[test]
    fn two_subjects_that_do_not_fit_beside_their_figure_stand_below_it() {
        let pair =
            Need { against: Some("plain@symptoms-only".to_owned()), ..need("robust_accuracy", Some("plain@gestalt")) };
        assert_eq!(
            within(&[&pair], 60),
            "figure                       families  now      ±\n\
             einstellung.robust_accuracy      1064   40  0.120\n\
             \n\
             figure\n\
             \u{20} of\n\
             einstellung.robust_accuracy\n\
             \u{20} plain@gestalt and plain@symptoms-only\n",
        );
    }
}
