//! Picks phrases so that the same thing is said in ever new words.

use super::bank::Bank;
use super::phrase::Values;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

pub(super) struct Writer<'a> {
    pub bank: &'a Bank,
    pub values: Values,
    rng: ChaCha8Rng,
    /// What is left to say under each key before it begins again.
    decks: HashMap<String, Vec<usize>>,
    /// Keys under which nothing fitted: a fault of the files.
    pub faults: Vec<String>,
}

impl<'a> Writer<'a> {
    pub fn new(bank: &'a Bank, values: Values, rng: ChaCha8Rng) -> Self {
        Self { bank, values, rng, decks: HashMap::new(), faults: Vec::new() }
    }

    /// The next phrase under a key that fits this patient.
    pub fn say(&mut self, key: &str) -> String {
        self.say_maybe(key).unwrap_or_else(|| {
            self.faults.push(key.to_owned());
            String::new()
        })
    }

    /// None where no phrase under the key fits.
    pub fn say_maybe(&mut self, key: &str) -> Option<String> {
        let phrases = self.bank.phrases(key);
        let fits = |index: &usize, values: &Values| phrases[*index].fits(values);
        let deck = self.decks.entry(key.to_owned()).or_default();
        let mut place = deck.iter().position(|index| fits(index, &self.values));
        if place.is_none() {
            *deck = (0..phrases.len()).collect();
            deck.shuffle(&mut self.rng);
            place = deck.iter().position(|index| fits(index, &self.values));
        }
        let index = deck.remove(place?);
        Some(phrases[index].fill(&self.values, &mut self.rng))
    }

    /// With values that hold for this phrase only.
    pub fn say_with(&mut self, key: &str, extra: &[(&str, &str)]) -> String {
        let before = self.values.clone();
        for (name, value) in extra {
            self.values.set_both(name, value);
        }
        let said = self.say(key);
        self.values = before;
        said
    }

    /// Several different phrases, as far as there are any, in the order of the file.
    pub fn some(&mut self, key: &str, count: usize) -> Vec<String> {
        let phrases = self.bank.phrases(key);
        let mut fitting: Vec<usize> = (0..phrases.len()).filter(|index| phrases[*index].fits(&self.values)).collect();
        fitting.shuffle(&mut self.rng);
        // What was not said lately comes first.
        let deck = self.decks.entry(key.to_owned()).or_default();
        fitting.sort_by_key(|index| !deck.contains(index));
        fitting.truncate(count);
        if fitting.iter().any(|index| !deck.contains(index)) {
            *deck = (0..phrases.len()).collect();
            deck.shuffle(&mut self.rng);
        }
        deck.retain(|index| !fitting.contains(index));
        fitting.sort_unstable();
        fitting.into_iter().map(|index| phrases[index].fill(&self.values, &mut self.rng)).collect()
    }

    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        self.rng.random_range(low..=high)
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.rng.random_bool(probability)
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        items.shuffle(&mut self.rng);
    }

    pub fn pick<'b, T>(&mut self, items: &'b [T]) -> &'b T {
        &items[self.rng.random_range(0..items.len())]
    }
}
