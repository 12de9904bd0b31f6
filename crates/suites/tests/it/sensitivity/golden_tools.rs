//! The paper's tables on tool use: whether they can be true of the same answers, and that our figures print them.

use super::golden::{near, scored};
use std::fmt::Write;

/// One model's row in the tables, all on family D.
struct Tools {
    name: &'static str,
    /// Sums of scores in half points: in one shot, with tools.
    halves: [i64; 2],
    /// Answers with tools; 100 in one shot.
    n: i64,
    help: i64,
    hurt: i64,
    /// By how many points of a hundred fewer answers are wrong.
    drop: i64,
}

/// [G-CS-15] and -16, [G-CS-19]; help and hurt are those whose sign test is printed (`scoring/tests`, G-CS-18).
const TOOLS: [Tools; 6] = [
    Tools { name: "gpt-5", halves: [13, 47], n: 100, help: 33, hurt: 3, drop: 28 },
    Tools { name: "gpt-5.4", halves: [10, 10], n: 100, help: 9, hurt: 6, drop: 3 },
    Tools { name: "gpt-5.4-mini", halves: [27, 32], n: 100, help: 19, hurt: 13, drop: 6 },
    Tools { name: "claude-opus-4-7", halves: [23, 47], n: 100, help: 28, hurt: 6, drop: 18 },
    Tools { name: "claude-sonnet-4-6", halves: [14, 54], n: 99, help: 34, hurt: 1, drop: 30 },
    Tools { name: "grok-4.20-reasoning", halves: [34, 46], n: 100, help: 20, hurt: 7, drop: 12 },
];

/// How many answers were worth `before` half points in one shot and `after` with tools.
type Moves = [[i64; 3]; 3];

impl Tools {
    /// Wrong, partial and correct, if so many of `n` are wrong and the sum is as told.
    fn split(n: i64, wrong: i64, halves: i64) -> Option<[i64; 3]> {
        let correct = halves - (n - wrong);
        let partial = n - wrong - correct;
        (wrong >= 0 && partial >= 0 && correct >= 0).then_some([wrong, partial, correct])
    }

    /// Moves that meet every table at once, the first that are found. Where one answer with tools is missing, its fellow in one
    /// shot is compared with nothing.
    fn moves(&self) -> Option<(Moves, Option<usize>)> {
        let lost: Vec<Option<usize>> = if self.n == 100 { vec![None] } else { (0..3).map(Some).collect() };
        for wrong in 0..=100 {
            let Some(mut before) = Self::split(100, wrong, self.halves[0]) else { continue };
            for lost in &lost {
                let whole = before;
                if let Some(score) = lost {
                    before[*score] -= 1;
                }
                for wrong_after in 0..=self.n {
                    let drop = (wrong as f64 - 100.0 * wrong_after as f64 / self.n as f64).round() as i64;
                    if drop != self.drop {
                        continue;
                    }
                    let after = Self::split(self.n, wrong_after, self.halves[1]);
                    if let Some(moves) = after.and_then(|after| self.between(before, after)) {
                        return Some((moves, *lost));
                    }
                }
                before = whole;
            }
        }
        None
    }

    fn between(&self, before: [i64; 3], after: [i64; 3]) -> Option<Moves> {
        for down_10 in 0..=self.hurt {
            for down_20 in 0..=self.hurt - down_10 {
                let down_21 = self.hurt - down_10 - down_20;
                let from_wrong = before[0] - after[0] + down_10 + down_20;
                let up_12 = self.help - from_wrong;
                for up_02 in 0..=from_wrong.max(-1) {
                    let moves = [
                        [before[0] - from_wrong, from_wrong - up_02, up_02],
                        [down_10, before[1] - down_10 - up_12, up_12],
                        [down_20, down_21, before[2] - down_20 - down_21],
                    ];
                    let correct = moves.iter().map(|row| row[2]).sum::<i64>();
                    if correct == after[2] && moves.iter().flatten().all(|n| *n >= 0) {
                        return Some(moves);
                    }
                }
            }
        }
        None
    }

    fn rows(&self, moves: &Moves, lost: Option<usize>) -> String {
        let mut rows = String::new();
        let mut at = 0;
        let mut row = |agent: &str, at: i64, halves: usize| {
            let score = halves as f64 / 2.0;
            let name = self.name;
            writeln!(
                rows,
                r#"{{"case":"case-{at}","intervention":"D","family":"D","subject":"{agent}@{name}","score":{score}}}"#
            )
            .unwrap();
        };
        for (before, tos) in moves.iter().enumerate() {
            for (after, n) in tos.iter().enumerate() {
                for _ in 0..*n {
                    row("plain", at, before);
                    row("react", at, after);
                    at += 1;
                }
            }
        }
        if let Some(score) = lost {
            row("plain", at, score);
        }
        rows
    }
}

#[test]
fn the_tables_on_tool_use_can_be_true_of_the_same_answers_and_are_printed() {
    let one_shot = [0.065, 0.050, 0.135, 0.115, 0.070, 0.170];
    let with_tools = [0.235, 0.050, 0.160, 0.235, 0.273, 0.230];
    for ((tools, one_shot), with_tools) in TOOLS.iter().zip(one_shot).zip(with_tools) {
        let (moves, lost) = tools.moves().unwrap_or_else(|| panic!("{}: no answers meet all tables", tools.name));
        let measured = scored(&tools.rows(&moves, lost));
        let of = |agent: &str, metric: &str| measured[&format!("{agent}@{}", tools.name)].metrics[metric].clone();
        // [G-CS-15], [G-CS-16]
        near(of("plain", "css.D").value.unwrap(), one_shot, 1e-9);
        near(of("react", "css.D").value.unwrap(), with_tools, 5e-4);
        // [G-CS-17]: what both answered is helped, the same or hurt.
        let count = |metric: &str| {
            let share = of("react", metric);
            assert_eq!(share.n as i64, tools.n, "{}", tools.name);
            (share.value.unwrap() * share.n as f64).round() as i64
        };
        let (help, same, hurt) = (count("tools_help"), count("tools_same"), count("tools_hurt"));
        assert_eq!((help, hurt, help + same + hurt), (tools.help, tools.hurt, tools.n), "{}", tools.name);
        // [G-CS-18]: over what moved. Each chart has one tuple here, so that the test over charts is the one over tuples.
        let p = of("react", "tools_sign_p");
        assert_eq!(p.n as i64, tools.help + tools.hurt);
        assert_eq!(p.value.unwrap() < 0.05, !["gpt-5.4", "gpt-5.4-mini"].contains(&tools.name));
        // [G-CS-19]
        let wrong = |agent: &str| of(agent, "wrong_share").value.unwrap();
        near((100.0 * (wrong("plain") - wrong("react"))).round(), tools.drop as f64, 1e-9);
    }
}

#[test]
fn arithmetic_of_the_paper_no_mean_of_at_most_eight_calls_is_above_eight() {
    // [G-CS-24], a check of the paper and not of us: means of 7.0 to 8.3 are printed under a cap of eight. Six means with one decimal add up to tenths, so the mean of
    // means is right; the highest of them is not the mean of anything that the cap holds for.
    let (low, high, cap, mean_of_means) = (7.0, 8.3, 8.0, 7.6167);
    near(6.0 * mean_of_means, 45.7, 5e-4);
    let others = (45.7 - low - high) / 4.0;
    assert!(low <= others && others <= high, "{others}");
    let most = (0..100).map(|_| cap).sum::<f64>() / 100.0;
    assert!(high > most);
}
