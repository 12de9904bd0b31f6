//! Text to terms: lower case, without accents, one spelling, no function words, English stems.

use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, StopWordFilter, TextAnalyzer,
    Token, TokenFilter, TokenStream, Tokenizer,
};

/// What the analyzer is called in a schema. The number is part of every index: another way of cutting words is another index.
pub(crate) const ANALYZER: &str = "waterjar-en-1";
const LONGEST_WORD: usize = 40;

/// Words that say nothing of a disease. Patients speak of themselves, so pronouns and auxiliaries are among them.
const STOP_WORDS: &str = "a am an and are as at be been but by can could did do does for from had has have he her him his i if \
    in into is it its me mine my no not of on or our she so such than that the their then there these they this to was we \
    were what when which who will with would you your";

pub(crate) fn analyzer() -> TextAnalyzer {
    let stop_words = StopWordFilter::remove(STOP_WORDS.split_whitespace().map(str::to_owned));
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(LONGEST_WORD))
        .filter(AsciiFoldingFilter)
        .filter(LowerCaser)
        .filter(stop_words)
        .filter(OneSpelling)
        .filter(Stemmer::new(Language::English))
        .build()
}

pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.split_whitespace().any(|stop| stop == word)
}

/// The different terms of a text, in the order in which they first occur.
pub(crate) fn terms(analyzer: &mut TextAnalyzer, text: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut stream = analyzer.token_stream(text);
    while stream.advance() {
        if seen.insert(stream.token().text.clone()) {
            terms.push(stream.token().text.clone());
        }
    }
    terms
}

/// *Anaemia* and *anemia*, *diarrhoea* and *diarrhea*: texts come from both sides of the ocean.
#[derive(Clone)]
struct OneSpelling;

#[derive(Clone)]
struct OneSpellingTokenizer<T>(T);

struct OneSpellingStream<T>(T);

impl TokenFilter for OneSpelling {
    type Tokenizer<T: Tokenizer> = OneSpellingTokenizer<T>;

    fn transform<T: Tokenizer>(self, tokenizer: T) -> Self::Tokenizer<T> {
        OneSpellingTokenizer(tokenizer)
    }
}

impl<T: Tokenizer> Tokenizer for OneSpellingTokenizer<T> {
    type TokenStream<'a> = OneSpellingStream<T::TokenStream<'a>>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Self::TokenStream<'a> {
        OneSpellingStream(self.0.token_stream(text))
    }
}

impl<T: TokenStream> TokenStream for OneSpellingStream<T> {
    fn advance(&mut self) -> bool {
        if !self.0.advance() {
            return false;
        }
        let text = &mut self.0.token_mut().text;
        if text.contains("ae") || text.contains("oe") {
            *text = text.replace("ae", "e").replace("oe", "e");
        }
        true
    }

    fn token(&self) -> &Token {
        self.0.token()
    }

    fn token_mut(&mut self) -> &mut Token {
        self.0.token_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str) {
        let mut analyzer = analyzer();
        assert_eq!(terms(&mut analyzer, a), terms(&mut analyzer, b), "{a} / {b}");
    }

    #[test]
    fn words_are_compared_by_their_stem() {
        check("swollen ankles", "swollen ankle");
        check("coughing", "coughs");
    }

    #[test]
    fn spelling_case_and_accents_do_not_matter() {
        check("Diarrhoea, ANAEMIA and oedema", "diarrhea anemia edema");
        check("Ménière", "meniere");
    }

    #[test]
    fn function_words_are_left_out_and_the_rest_is_counted_once() {
        assert_eq!(terms(&mut analyzer(), "the pain and the pain of it"), ["pain"]);
    }
}
