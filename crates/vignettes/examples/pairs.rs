//! The rewriter beside the pairs of DiversityMedQA: `cargo run -p waterjar-vignettes --example pairs -- FILE [show]`
//!
//! The pairs were made by a language model: where we differ, the table says in which words.
#![expect(clippy::print_stdout, reason = "an example speaks")]

use std::collections::BTreeMap;
use std::path::Path;
use waterjar_vignettes::import::pairs;
use waterjar_vignettes::{NotApplicable, Vignette, Who, Wording, only_gendered_words_differ, rewrite};

#[derive(Default)]
struct Tally {
    who: Who,
    rows: usize,
    refused: usize,
    exact: usize,
    tokens: usize,
    agree: usize,
    outside: usize,
    no_way_back: usize,
    unwarned: usize,
    warned: usize,
    causes: BTreeMap<&'static str, usize>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name the file gender_pairs_620.csv")?;
    let show = arguments.next();
    let of = |who| (Tally { who, ..Tally::default() }, Tally { who, ..Tally::default() });
    for (who, mut tallies) in [("the patient", of(Who::Patient)), ("everyone", of(Who::Everyone))] {
        for pair in pairs(Path::new(&path))? {
            let pair = pair?;
            tallies.0.compare(&whole(&pair.male), &whole(&pair.female), show.as_deref());
            tallies.1.compare(&whole(&pair.female), &whole(&pair.male), show.as_deref());
        }
        tallies.0.print(&format!("he → she, {who}"));
        tallies.1.print(&format!("she → he, {who}"));
    }
    Ok(())
}

fn whole(vignette: &Vignette) -> String {
    format!("{} {}", vignette.text, vignette.question).trim_end().to_owned()
}

impl Tally {
    fn compare(&mut self, from: &str, theirs: &str, show: Option<&str>) {
        self.rows += 1;
        let ours = match rewrite(from, &[], Wording::Swapped, self.who) {
            Ok(ours) => ours,
            Err(NotApplicable { why, .. }) => {
                self.refused += 1;
                if show == Some("refused") {
                    println!("{why}\n    {from}\n");
                }
                return;
            }
        };
        self.warned += usize::from(!ours.warnings.is_empty());
        if let Err(at) = only_gendered_words_differ(from, &ours.text) {
            self.outside += 1;
            println!("OUTSIDE {:?} in {from}", at.of(from));
        }
        let back = rewrite(&ours.text, &[], Wording::Swapped, self.who).map(|back| back.text);
        if back.as_deref() != Ok(from) {
            self.no_way_back += 1;
            self.unwarned += usize::from(!ours.warnings.iter().any(|warning| warning.why.starts_with("swapped back")));
            if show == Some("back") {
                println!(
                    "NO WAY BACK {:?}\n    {from}\n    {}\n",
                    back.as_deref().map(|back| differences(back, from)),
                    ours.text
                );
            }
        }
        let (ours_words, theirs_words) = (words(&ours.text), words(theirs));
        let differs = differences(&ours.text, theirs);
        self.exact += usize::from(ours_words == theirs_words);
        self.tokens += ours_words.len().max(theirs_words.len());
        self.agree += ours_words.len().max(theirs_words.len()) - differs.len();
        let flips_relative = differs.iter().any(|(our, their)| is_kin(our) && is_kin(their));
        for (our, their) in differs {
            let cause = match cause(&our, &their) {
                "he or she: whose it is" | "his, him or her: whose it is" if flips_relative => {
                    "a relative's he, she, his or her: the data flips the relative"
                }
                cause => cause,
            };
            *self.causes.entry(cause).or_default() += 1;
            if show.is_some_and(|show| cause.contains(show)) {
                println!("{cause}: ours {our:?}, theirs {their:?}\n    {from}\n");
            }
        }
    }

    fn print(&self, name: &str) {
        println!("\n{name}: {} pairs", self.rows);
        println!("  refused, with their terms or because no sex is told    {}", self.refused);
        println!("  rewritten                                              {}", self.rows - self.refused);
        println!(
            "  words as in the data's own rewriting                   {:.2} %",
            100.0 * self.agree as f64 / self.tokens as f64
        );
        println!("  whole texts as in the data                             {}", self.exact);
        println!("  texts with a change outside gendered words             {}", self.outside);
        println!("  swapped back not the original (of these not warned of) {} ({})", self.no_way_back, self.unwarned);
        println!("  texts with a warning                                   {}", self.warned);
        println!("  differing words by cause");
        for (cause, count) in &self.causes {
            println!("    {count:5}  {cause}");
        }
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect()
}

/// Words that differ, by the longest common subsequence; a lone word stands beside nothing.
fn differences(a: &str, b: &str) -> Vec<(String, String)> {
    let (a, b) = (words(a), words(b));
    let mut longest = vec![vec![0_usize; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i][j] =
                if a[i] == b[j] { longest[i + 1][j + 1] + 1 } else { longest[i + 1][j].max(longest[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            (i, j) = (i + 1, j + 1);
        } else if i < a.len() && j < b.len() && longest[i][j] == longest[i + 1][j + 1] {
            out.push((a[i].clone(), b[j].clone()));
            (i, j) = (i + 1, j + 1);
        } else if j >= b.len() || (i < a.len() && longest[i + 1][j] >= longest[i][j + 1]) {
            out.push((a[i].clone(), String::new()));
            i += 1;
        } else {
            out.push((String::new(), b[j].clone()));
            j += 1;
        }
    }
    out
}

fn cause(ours: &str, theirs: &str) -> &'static str {
    let subject = |word: &str| ["he", "she", "himself", "herself"].contains(&word);
    let case = |word: &str| ["him", "his", "her", "hers"].contains(&word);
    let person = |word: &str| {
        let word = word.trim_end_matches("'s").trim_end_matches("\u{2019}s");
        [
            "man",
            "woman",
            "boy",
            "girl",
            "male",
            "female",
            "gentleman",
            "lady",
            "men",
            "women",
            "boys",
            "girls",
            "males",
            "females",
        ]
        .contains(&word)
    };
    if is_kin(ours) || is_kin(theirs) {
        "a relative: the data flips relatives too, we leave them"
    } else if subject(ours) && subject(theirs) {
        "he or she: whose it is"
    } else if case(ours) && case(theirs) {
        if [ours, theirs].contains(&"her") { "his, him or her: whose it is" } else { "her read as him or his" }
    } else if person(ours) && person(theirs) {
        "man, woman, male, female: whom it means"
    } else if subject(ours) || subject(theirs) || case(ours) || case(theirs) || person(ours) || person(theirs) {
        "a gendered word beside another word: the data reworded"
    } else {
        "other words: the data reworded"
    }
}

fn is_kin(word: &str) -> bool {
    let word = word.trim_end_matches("'s").trim_end_matches("\u{2019}s").trim_end_matches('s');
    [
        "mother",
        "father",
        "mom",
        "dad",
        "wife",
        "wive",
        "husband",
        "son",
        "daughter",
        "brother",
        "sister",
        "aunt",
        "uncle",
        "girlfriend",
        "boyfriend",
        "grandmother",
        "grandfather",
        "nephew",
        "niece",
    ]
    .contains(&word)
}
