//! Subjects pair by pair, as aligned text.

use super::{screen, table::aligned};
use waterjar_core::{MetricKind, counted};
use waterjar_scoring::stats::ENOUGH_FAMILIES;
use waterjar_views::comparison::{Comparison, Signs};
use waterjar_views::told::Told;

/// Shares in percent, as all tables in a terminal. `kind_of` says which figures are shares.
pub fn comparisons(comparisons: &[Comparison], kind_of: impl Fn(&Comparison) -> MetricKind) -> String {
    let several = comparisons.windows(2).any(|pair| pair[0].suite != pair[1].suite);
    let mixed = comparisons.windows(2).any(|pair| pair[0].metric != pair[1].metric);
    let of = |it: &Comparison| {
        several.then(|| if mixed { format!("{} {}", it.suite, it.metric) } else { it.suite.to_string() })
    };
    let head = ["first", "second", "first − second", "95 % interval", "p", "exact p", "Holm p"];
    let head = several.then_some("suite").into_iter().chain(head);
    let mut rows = vec![head.map(str::to_owned).collect::<Vec<_>>()];
    for it in comparisons {
        let told = Told::new(it, kind_of(it));
        rows.push(
            of(it)
                .into_iter()
                .chain([
                    format!("{} {} (n {})", it.first, told.first, it.first_n),
                    format!("{} {} (n {})", it.second, told.second, it.second_n),
                    told.difference,
                    told.interval,
                    told.p,
                    told.exact,
                    told.holm,
                ])
                .collect(),
        );
    }
    let metric = match comparisons.first() {
        Some(_) if mixed => "each suite by what it is about",
        Some(it) => it.metric.as_str(),
        None => "",
    };
    let signs: String = comparisons
        .iter()
        .filter_map(|it| Some((it, it.signs.as_ref()?)))
        .map(|(it, signs)| {
            let of = of(it).map(|suite| format!("{suite}: ")).unwrap_or_default();
            format!("{of}{} against {}: {}\n", it.first, it.second, told(signs, it.families_within))
        })
        .collect();
    let counted = comparisons.iter().any(|it| it.mcnemar_p.is_some());
    let test = match (counted, signs.is_empty()) {
        (_, true) => "McNemar",
        (false, false) => "the sign test",
        (true, false) => "McNemar or, where scores are graded, the sign test",
    };
    let unit = if comparisons.iter().any(|it| kind_of(it) == MetricKind::Share) { ", shares in percent" } else { "" };
    let few = if comparisons.iter().any(|it| it.p.is_none()) { too_few() } else { String::new() };
    let head = format!("{metric}{unit}: paired bootstrap p, exact p by {test}, Holm over the exact ones");
    let apart = |it: &Comparison| (kind_of(it) == MetricKind::Number).then(|| own_cases(it)).flatten();
    let apart: String = comparisons.iter().filter_map(apart).collect();
    let below = format!("{signs}{apart}{few}");
    format!("{}\n{}{}", screen::among_data(&head), aligned(&rows), screen::among_data(&below))
}

/// `higher in 3 families, the same in 4, lower in 0`. Where families are drawn together (`within`), the sign test counts what they are told of.
fn told(signs: &Signs, within: Option<u64>) -> String {
    let Signs { higher, same, lower, .. } = signs;
    let rest = format!("the same in {same}, lower in {lower}");
    match within {
        None => format!("higher in {}, {rest}", counted(*higher, "family", "families")),
        Some(families) => {
            let (stories, families) = (counted(*higher, "story", "stories"), counted(families, "family", "families"));
            format!("higher in {stories}, {rest} ({families}; those of one story or chart count as one)")
        }
    }
}

/// Why the two p of a mean may disagree that is not over the same cases: confidence where trapped.
fn own_cases(it: &Comparison) -> Option<String> {
    let Signs { higher, same, lower, .. } = it.signs.as_ref().filter(|_| it.families_within.is_none())?;
    let shared = higher + same + lower;
    (2 * shared < it.first_n.min(it.second_n)).then(|| {
        format!(
            "{} and {} are means over each one's own cases, of which both have {shared}: the bootstrap compares the two means, the exact \
             test those {shared} alone, so that the two p may disagree\n",
            it.first, it.second
        )
    })
}

/// Neither is shown; `--json` has the interval.
fn too_few() -> String {
    format!(
        "no bootstrap p and no interval where a figure rests on fewer than {ENOUGH_FAMILIES} families or stories: a bootstrap of so few \
         is too sure of itself, and its interval too narrow; read the exact p\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::{FamilyId, Seed, SuiteId, metric::Share};
    use waterjar_views::comparison::{Side, compare};

    /// Graded scores, as (family, what it is drawn with, score).
    fn side(name: &str, scores: &[(&str, Option<&str>, f64)]) -> Side {
        let share = |(family, within, score): &(&str, Option<&str>, f64)| Share {
            within: within.map(FamilyId::from),
            ..Share::new(FamilyId::from(*family), *score, 1.0)
        };
        Side { suite: SuiteId::from("parity"), name: name.to_owned(), shares: scores.iter().map(share).collect() }
    }

    fn check(first: &[(&str, Option<&str>, f64)], second: &[(&str, Option<&str>, f64)], line: &str) {
        let compared = compare("css", Seed(7), &side("a", first), &side("b", second)).unwrap();
        let table = comparisons(&[compared], |_| MetricKind::Share);
        assert!(table.contains(&format!("\na against b: {line}\n")), "{table}");
    }

    #[test]
    fn the_p_of_a_bootstrap_of_few_is_not_shown_and_the_exact_one_is() {
        let table = |families: usize| {
            let names: Vec<String> = (0..families).map(|at| format!("{at:02}")).collect();
            let scores = |score: f64| names.iter().map(|it| (it.as_str(), None::<&str>, score)).collect::<Vec<_>>();
            let (first, second) = (side("a", &scores(1.0)), side("b", &scores(0.0)));
            comparisons(&[compare("accuracy", Seed(7), &first, &second).unwrap()], |_| MetricKind::Share)
        };
        let (few, many) = (table(6), table(20));
        let row = few.lines().find(|line| line.starts_with("a 100.0 (n 6)")).unwrap();
        let cells: Vec<&str> = row.split_whitespace().rev().take(5).collect();
        assert_eq!(cells, ["1.000", "0.031", "–", "–", "+100.0"], "uncorrected so far, no p and no interval: {few}");
        let told = "\nno bootstrap p and no interval where a figure rests on fewer than 20 families or stories: ";
        assert!(few.contains(told), "{few}");
        assert!(many.contains("< 0.001") && many.contains("+100.0 to +100.0"), "{many}");
        assert!(!many.contains("no bootstrap p"), "{many}");
        assert!(many.starts_with("accuracy, shares in percent: "), "{many}");
    }

    #[test]
    fn what_is_counted_is_named() {
        check(
            &[("x", None, 0.5), ("y", None, 0.0)],
            &[("x", None, 0.0), ("y", None, 0.0)],
            "higher in 1 family, the same in 1, lower in 0",
        );
        let (x, y) = (Some("x"), Some("y"));
        check(
            &[("x~0", x, 0.5), ("x~1", x, 1.0), ("y~0", y, 1.0)],
            &[("x~0", x, 0.5), ("x~1", x, 0.5), ("y~0", y, 0.5)],
            "higher in 2 stories, the same in 0, lower in 0 (3 families; those of one story or chart count as one)",
        );
    }
}
