//! The finished benchmark, looked over: what became of every letter, and how varied the letters are (specs 3.3 to 3.5).

use super::Consult;
use super::record::Record;
use std::collections::{BTreeMap, BTreeSet};
use waterjar_consultations::words::words;
use waterjar_consultations::{State, Style};
use waterjar_core::{Account, Audited, Check, Variant, metric::rounded};
use waterjar_scoring::stats::{SELF_BLEU_ORDER, entropy_bits, self_bleu, wilson};

/// Followed by how many letters of a patient are compared.
pub(super) const UNLIKE: &str = "one_minus_self_bleu_";

#[derive(Default)]
struct Seen {
    /// How often each level of each dimension of style occurs.
    styles: [BTreeMap<String, u64>; 3],
    gold: BTreeSet<String>,
    named: BTreeSet<String>,
    /// By how many letters of a patient are compared: the sum of 1 − Self-BLEU, and of patients.
    unlike: BTreeMap<usize, (f64, u64)>,
    letters: u64,
    /// Of what a model was to tell, how much the rules hear.
    heard: [usize; 2],
    /// How often a validator looked, and how often the rules then found what it had not.
    looked: [u64; 2],
}

impl Consult {
    pub(super) fn look_over(&self, families: &mut dyn Iterator<Item = Vec<Variant>>) -> Audited {
        let group = |role: &str| Account { group: role.to_owned(), ..Account::default() };
        let mut accounts: Vec<Account> = self.settings.roles().into_iter().map(group).collect();
        let mut seen = Seen::default();
        for family in families {
            let control = family.iter().find(|it| it.is_control()).map(Record::of).unwrap_or_default();
            for account in &mut accounts {
                let letter = family.iter().find(|it| it.role() == account.group).map(Record::of);
                enter(account, letter.as_ref(), &control);
            }
            self.see(&family, &mut seen);
        }
        Audited { checks: seen.checks(&accounts), accounts }
    }

    fn see(&self, family: &[Variant], seen: &mut Seen) {
        let letters: Vec<&Variant> = family.iter().filter(|it| !it.is_control()).collect();
        for letter in &letters {
            seen.letters += 1;
            seen.gold.extend(letter.expectation.condition().map(ToString::to_string));
            seen.named.extend(self.names.mentions(&letter.text).into_iter().map(|it| it.condition.to_string()));
            let record = Record::of(letter);
            let heard = record.heard.unwrap_or_default();
            seen.heard = [seen.heard[0] + heard[0], seen.heard[1] + heard[1]];
            for round in &record.checked {
                let missed = round.by_rules.iter().any(|it| !round.by_validator.contains(it));
                seen.looked = [seen.looked[0] + u64::from(missed), seen.looked[1] + 1];
            }
            if let Some(Style { medical_knowledge, clarity, communication }) = record.brief.map(|it| it.style) {
                let levels = [medical_knowledge.as_str(), clarity.as_str(), communication.as_str()];
                for (counts, level) in seen.styles.iter_mut().zip(levels) {
                    *counts.entry(level.to_owned()).or_default() += 1;
                }
            }
        }
        let texts: Vec<Vec<String>> = letters.iter().map(|it| words(&it.text)).collect();
        for letters in 2..=texts.len() {
            if let Some(alike) = self_bleu(&texts[..letters], SELF_BLEU_ORDER) {
                let group = seen.unlike.entry(letters).or_default();
                *group = (group.0 + 1.0 - alike, group.1 + 1);
            }
        }
    }
}

fn enter(account: &mut Account, letter: Option<&Record>, control: &Record) {
    account.eligible += 1;
    match letter.map(|it| &it.state) {
        Some(Some(State::Exhausted { failed })) => {
            account.asked += 1;
            for criterion in failed {
                *account.flagged.entry(criterion.as_str().to_owned()).or_default() += 1;
            }
        }
        Some(Some(State::Drafted)) => {
            account.asked += 1;
            *account.flagged.entry("not_validated".to_owned()).or_default() += 1;
        }
        Some(_) => {
            account.asked += 1;
            account.clean += 1;
        }
        None => {
            let why = control.not_made.get(&account.group).map_or("not_made", String::as_str);
            *account.lost.entry(why.to_owned()).or_default() += 1;
        }
    }
}

impl Seen {
    fn checks(&self, accounts: &[Account]) -> Vec<Check> {
        let mut checks: Vec<Check> = valid(&Account::total(accounts)).into_iter().collect();
        if self.letters > 0 {
            checks.extend(self.hearing());
            checks.push(self.expression());
            checks.extend(self.diagnoses());
            checks.extend(self.repetition());
        }
        checks
    }

    /// How much the rules hear, and the validator does not.
    fn hearing(&self) -> Vec<Check> {
        let shares = [
            (
                "told_in_known_words",
                self.heard.map(|it| it as u64),
                "Share of what is told of the patients that the rules hear in the model's letters. What is worded otherwise they do not \
                 hear: for that the validator's quotes stand.",
            ),
            (
                "validator_missed",
                self.looked,
                "Share of the validator's readings in which the rules found something surely wrong that it had passed.",
            ),
        ];
        let share = |(name, [part, whole], reading): (&str, [u64; 2], &str)| {
            let interval = wilson(part, whole)?;
            Some(check(name, part as f64 / whole as f64, (interval.low, interval.high), whole, reading))
        };
        shares.into_iter().filter_map(share).collect()
    }

    fn expression(&self) -> Check {
        let bits = |counts: &BTreeMap<String, u64>| entropy_bits(&counts.values().copied().collect::<Vec<_>>());
        let mean = self.styles.iter().map(bits).sum::<f64>() / 3.0;
        let reading = "Mean entropy of medical knowledge, clarity and communication, in bits, of the styles the letters were written \
                       in; 0 to 1.58.";
        check("expression_diversity_drawn", mean, (mean, mean), self.letters, reading)
    }

    fn diagnoses(&self) -> [Check; 3] {
        let different = "Different diseases that the letters name, after normalisation of names.";
        [
            ("diagnosis_diversity_gold", self.gold.len(), "Different right diagnoses."),
            ("diagnosis_diversity_texts", self.named.len(), different),
            ("diagnosis_diversity_union", self.gold.union(&self.named).count(), "Both together."),
        ]
        .map(|(name, count, reading)| {
            let value = count as f64;
            check(name, value, (value, value), self.letters, reading)
        })
    }

    /// How little the letters of a patient repeat each other, by how many are compared.
    fn repetition(&self) -> Vec<Check> {
        let unlike = |(letters, (sum, patients)): (&usize, &(f64, u64))| {
            let reading = format!(
                "1 − Self-BLEU of the first {letters} letters of a patient, by NLTK's rules (three words at a time, smoothing 1); \
                 characters are the words of Chinese. 0 would be the same letter {letters} times."
            );
            let mean = sum / *patients as f64;
            check(&format!("{UNLIKE}{letters}"), mean, (mean, mean), *patients, &reading)
        };
        self.unlike.iter().map(unlike).collect()
    }
}

fn valid(total: &Account) -> Option<Check> {
    let interval = wilson(total.clean, total.eligible)?;
    let value = total.clean as f64 / total.eligible as f64;
    let reading = "Share of all letters that were to be written, also for patients of whom none is left, that could be made and passed \
                   every check: what is told of the patient reads back exactly, the trap and the rumor are there, and the answer is not \
                   given away.";
    Some(check("letters_valid", value, (interval.low, interval.high), total.eligible, reading))
}

/// Both ends are the value itself where no interval was worked out: what a figure can be is no interval, and is said in the reading.
fn check(name: &str, value: f64, (low, high): (f64, f64), n: u64, reading: &str) -> Check {
    Check {
        name: name.to_owned(),
        value: rounded(value),
        low: rounded(low),
        high: rounded(high),
        n,
        reading: reading.to_owned(),
    }
}
