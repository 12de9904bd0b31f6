//! How much the texts of a group repeat each other: BLEU by NLTK's rules, and Self-BLEU (specs 3.5).

use std::collections::HashMap;

/// Texygen's order, with equal weights.
pub const SELF_BLEU_ORDER: usize = 3;
/// NLTK's smoothing method 1: a count of zero counts as this.
const EPSILON: f64 = 0.1;

/// BLEU of one text against references, up to `order` words at a time. 0 where not even a word is shared, smoothed or not. `None` without
/// references.
pub fn bleu<T: AsRef<str>>(text: &[T], references: &[&[T]], order: usize) -> Option<f64> {
    let closest = references.iter().map(|it| it.len()).min_by_key(|length| (length.abs_diff(text.len()), *length))?;
    let mut logs = 0.0;
    for n in 1..=order.max(1) {
        let counts = grams(text, n);
        let mut most: HashMap<Vec<&str>, u64> = HashMap::new();
        for reference in references {
            for (gram, count) in grams(reference, n) {
                let known = most.entry(gram).or_default();
                *known = count.max(*known);
            }
        }
        let shared: u64 = counts.iter().map(|(gram, count)| *count.min(most.get(gram).unwrap_or(&0))).sum();
        if n == 1 && shared == 0 {
            return Some(0.0);
        }
        let all = counts.values().sum::<u64>().max(1) as f64;
        let shared = if shared == 0 { EPSILON } else { shared as f64 };
        logs += (shared / all).ln() / order.max(1) as f64;
    }
    // Only what is shorter than its closest reference is punished for it.
    let brevity = (1.0 - closest as f64 / text.len() as f64).min(0.0);
    Some(brevity.exp() * logs.exp())
}

/// The mean BLEU of each text against the others. `None` for fewer than two.
pub fn self_bleu<T: AsRef<str>>(texts: &[Vec<T>], order: usize) -> Option<f64> {
    if texts.len() < 2 {
        return None;
    }
    let mut sum = 0.0;
    for (at, text) in texts.iter().enumerate() {
        let others: Vec<&[T]> =
            texts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, it)| it.as_slice()).collect();
        sum += bleu(text, &others, order)?;
    }
    Some(sum / texts.len() as f64)
}

fn grams<T: AsRef<str>>(words: &[T], n: usize) -> HashMap<Vec<&str>, u64> {
    let mut counts: HashMap<Vec<&str>, u64> = HashMap::new();
    for gram in words.windows(n) {
        *counts.entry(gram.iter().map(AsRef::as_ref).collect()).or_default() += 1;
    }
    counts
}
