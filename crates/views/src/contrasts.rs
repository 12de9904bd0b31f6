//! The pairs of answers that should be alike and are least so, side by side.

use waterjar_core::{Family, Likeness};
use waterjar_engine::{EngineError, PlannedSuite};
use waterjar_report::ContrastView;
use waterjar_store::{Bench, Store};

/// Of each subject.
const SHOWN: usize = 3;
const PAGE: u32 = 200;

/// Of every subject the least alike pairs, the least alike first; of one family only one.
pub async fn worst(store: &Store, planned: &PlannedSuite) -> Result<Vec<ContrastView>, EngineError> {
    let suite = planned.suite();
    let judge = suite.judge_id();
    let mut views = Vec::new();
    for subject in &planned.subjects {
        let mut worst: Vec<(i64, u32, Likeness)> = Vec::new();
        let mut after = 0;
        loop {
            let page = store.verdicts_on(suite.id(), &subject.id, &judge, after, PAGE).await?;
            for stored in page.items {
                worst.extend(
                    least(suite.likenesses(&stored.verdict)).map(|it| (stored.position, stored.verdict.repeat, it)),
                );
            }
            worst.sort_by(|a, b| a.2.value.total_cmp(&b.2.value).then(a.0.cmp(&b.0)).then(a.1.cmp(&b.1)));
            worst.truncate(SHOWN);
            match page.next {
                Some(next) => after = next,
                None => break,
            }
        }
        for (position, repeat, likeness) in worst {
            let bench = Bench { suite: suite.id(), subject: &subject.id, repeat, judge: &judge };
            let page = store.judging_page(bench, position - 1, 1).await?;
            let Some(to_judge) = page.items.into_iter().next() else { continue };
            let variants: Vec<_> = to_judge.family.members.iter().map(|it| it.variant.clone()).collect();
            let title = format!("{}: {}", suite.title_of(&variants), likeness.title);
            views.extend(view(&to_judge.family, title, &likeness));
        }
    }
    Ok(views)
}

/// Pairs that are the same to the letter show nothing.
fn least(likenesses: Vec<Likeness>) -> Option<Likeness> {
    likenesses.into_iter().filter(|it| it.value < 1.0).min_by(|a, b| a.value.total_cmp(&b.value))
}

fn view(family: &Family, title: String, likeness: &Likeness) -> Option<ContrastView> {
    let said = |role: &str| {
        let member = family.members.iter().find(|it| it.variant.role() == role)?;
        Some(member.conclusion()?.text.clone())
    };
    Some(ContrastView {
        title,
        subject: family.subject.clone(),
        likeness: likeness.value,
        names: (likeness.a.clone(), likeness.b.clone()),
        texts: (said(&likeness.a)?, said(&likeness.b)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_same_to_the_letter_is_no_contrast() {
        let of = |value: f64| Likeness { a: "control".into(), b: "swapped".into(), title: String::new(), value };
        assert_eq!(least(vec![of(1.0), of(0.8), of(0.9)]).map(|it| it.value), Some(0.8));
        assert_eq!(least(vec![of(1.0)]), None);
    }
}
