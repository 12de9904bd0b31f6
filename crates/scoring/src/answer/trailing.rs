//! A short sentence that ends with the name: `the findings are highly suspicious for gout`, `Condition: gout`.

use super::labels::Labels;
use super::phrase::Phrase;
use super::words::plain;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// All that may stand before the name: words that lead to a diagnosis and name nothing of their own. With any other (a symptom, another disease, a
/// denial, who thinks so) the sentence says more than the name.
static LEADING: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    "a an the this that these those it its it's is are be i i'm im i'd we we're you you're your she he they her his all everything what there here and \
     am as at on of for to towards toward with in then so by far quite pretty very highly strongly most more mostly clearly almost surely really \
     has have having had may might could would must can will patient patient's woman man case picture presentation presentations findings finding symptoms \
     signs features labs evidence clinical classic classical typical textbook consistent compatible suggestive suggesting suggests suggest indicative \
     indicating indicates suspicious suspicion index high good strong chance chances odds likelihood concerning concern worrisome diagnosis diagnostic \
     diagnose diagnosed diagnosing attack episode first new probable probably likely presumably presumptive sounds looks like seems experiencing dealing \
     presents presenting suffering suffered developed confirm confirms confirmed points point pointing leads leading meets criteria treat make made makes \
     arrive thinking think believe going go vote money bet sure certain confident answer condition disease name label prediction predicted cause result \
     output response assistant solution conclusion conclude summary bottom line tl;dr opinion interpretation problem decision identified number one top \
     list says say spells adds up keeping"
        .split_whitespace()
        .collect()
});
/// In words: longer ones are prose, and a question is none.
const LONGEST: usize = 20;
/// No name has more words.
const MOST: usize = 6;

pub(super) fn trailing(labels: &Labels, sentence: &str) -> Option<Phrase> {
    let sentence = plain(sentence);
    let words: Vec<&str> = sentence.split_whitespace().collect();
    if words.len() < 2 || words.len() > LONGEST {
        return None;
    }
    let bare = |word: &str| {
        let word = word.to_lowercase().replace('’', "'");
        word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
    };
    let asks = ["is", "are", "could", "can", "might", "may", "would", "what"].contains(&bare(words[0]).as_str());
    let leads = words.iter().take_while(|word| LEADING.contains(bare(word).as_str()) || bare(word).is_empty()).count();
    let starts = (1..=leads.min(words.len() - 1)).filter(|at| words.len() - at <= MOST);
    let mut names = starts.map(|at| words[at..].join(" ")).filter(|name| labels.find(name).is_some());
    names.next().filter(|_| !asks).map(|name| Phrase::read(labels, &name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::ConditionId;

    #[test]
    fn nothing_but_what_leads_to_it_may_stand_before_the_name() {
        let labels = Labels::new([(ConditionId::from("gout"), vec!["Gout".to_owned()])]);
        let check = |text: &str, expected: bool| assert_eq!(trailing(&labels, text).is_some(), expected, "{text}");
        check("The findings are highly suspicious for gout.", true);
        check("Condition: gout", true);
        check("It all adds up to gout", true);
        check("She has gout", true);
        check("Cellulitis with symptoms of gout", false);
        check("The patient fears that this is gout", false);
        check("Is this gout", false);
        check("No sign of gout", false);
        check("Gout", false);
    }
}
