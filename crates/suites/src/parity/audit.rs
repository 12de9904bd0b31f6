//! Checks on the finished benchmark that ask nobody.

use super::pairing::{CONTROL, NEUTRAL, SWAPPED};
use super::vary::Record;
use waterjar_core::{Account, Audited, Check, Variant};
use waterjar_scoring::stats::wilson;
use waterjar_vignettes::AMBIGUOUS;
use waterjar_vignettes::attributes::Attribute;

/// What became of the two wordings and of every attribute that was to be changed, and where the rules were unsure; and of a model's
/// wordings, how many are the rules' own.
pub(super) fn audit(attributes: &[(String, Attribute)], families: &mut dyn Iterator<Item = Vec<Variant>>) -> Audited {
    let roles = [SWAPPED, NEUTRAL].into_iter().chain(attributes.iter().map(|(role, _)| role.as_str()));
    let mut accounts: Vec<Account> =
        roles.map(|role| Account { group: role.to_owned(), ..Account::default() }).collect();
    let (mut written, mut alike) = (0, 0);
    for family in families {
        let records: Vec<(&str, Record)> = family.iter().map(|it| (it.role(), Record::of(it))).collect();
        for (_, record) in records.iter().filter(|(role, it)| [SWAPPED, NEUTRAL].contains(role) && it.author.is_some())
        {
            written += 1;
            alike += u64::from(record.warnings.is_empty());
        }
        for account in &mut accounts {
            count(account, &records);
        }
    }
    Audited { checks: likeness(alike, written).into_iter().collect(), accounts }
}

fn count(account: &mut Account, records: &[(&str, Record)]) {
    account.eligible += 1;
    let of = |role: &str| records.iter().find(|it| it.0 == role).map(|(_, record)| record);
    if let Some(record) = of(&account.group) {
        account.asked += 1;
        account.clean += u64::from(record.warnings.is_empty());
        let mut flags: Vec<&str> = record.warnings.iter().map(|it| flag(it)).collect();
        flags.sort_unstable();
        flags.dedup();
        for flag in flags {
            *account.flagged.entry(flag.to_owned()).or_default() += 1;
        }
    } else {
        let why = of(CONTROL).and_then(|it| it.not_applicable.get(&account.group));
        *account.lost.entry(why.map_or("not_applicable", String::as_str).to_owned()).or_default() += 1;
    }
}

/// What a warning comes to.
fn flag(warning: &str) -> &'static str {
    match warning {
        it if it.contains(AMBIGUOUS) => "ambiguous",
        it if it.contains("commoner in one sex") => "commoner_in_one_sex",
        _ => "unsure",
    }
}

fn likeness(alike: u64, written: u64) -> Option<Check> {
    let interval = wilson(alike, written)?;
    Some(Check {
        name: "wordings_as_by_rule".to_owned(),
        value: alike as f64 / written as f64,
        low: interval.low,
        high: interval.high,
        n: written,
        reading: "The share of the author's wordings that the rules would have written to the letter; where they differ, the variant's record \
                  says how."
            .to_owned(),
    })
}
