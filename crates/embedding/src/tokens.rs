//! Text to token ids.

use crate::EmbeddingError;
use crate::minilm::Length;
use crate::weights::VOCABULARY;
use std::path::Path;
use tokenizers::Tokenizer;

/// As the model's configuration says; the tokenizer's own file says 128, and pads.
const MOST: usize = 256;
const BEGIN: u32 = 101;
const END: u32 = 102;
const ROOM: usize = MOST - 2;

pub struct Tokens {
    tokenizer: Tokenizer,
    /// What stands for every word that the vocabulary has not, nor its parts.
    unknown: Option<u32>,
}

/// A text in pieces the model can take: none where it has no words, one, or several windows.
pub struct Pieces {
    pub pieces: Vec<Vec<u32>>,
    pub cut: bool,
}

impl Tokens {
    pub fn read(path: &Path) -> Result<Self, EmbeddingError> {
        let wrong = |error: tokenizers::Error| EmbeddingError::file(path, error);
        let mut tokenizer = Tokenizer::from_file(path).map_err(wrong)?;
        tokenizer.with_padding(None).with_truncation(None).map_err(wrong)?;
        let begin = tokenizer.token_to_id("[CLS]");
        let end = tokenizer.token_to_id("[SEP]");
        if (begin, end) != (Some(BEGIN), Some(END)) {
            return Err(EmbeddingError::file(path, "has other marks than BERT's; this is no all-MiniLM-L6-v2"));
        }
        // Multilingual BERT has the same marks and four times the words: a word without a row in the weights would be found out only in a text.
        let largest = tokenizer.get_vocab(true).into_values().max();
        if largest.is_some_and(|id| id as usize >= VOCABULARY) {
            let problem = format!("has words beyond the model's {VOCABULARY}; this is no all-MiniLM-L6-v2");
            return Err(EmbeddingError::file(path, problem));
        }
        let unknown = tokenizer.token_to_id("[UNK]");
        Ok(Self { tokenizer, unknown })
    }

    /// Whether most words that are read of a text are known. Nothing is no unknown word.
    pub fn knows(&self, text: &str, length: Length) -> Result<bool, EmbeddingError> {
        let encoding = self.tokenizer.encode(text, false).map_err(|error| EmbeddingError::Tokens(error.to_string()))?;
        let read = match length {
            Length::First => encoding.len().min(ROOM),
            Length::Windows => encoding.len(),
        };
        let pieces: Vec<_> =
            encoding.get_word_ids().iter().zip(encoding.get_ids()).zip(encoding.get_tokens()).collect();
        let (mut words, mut unknown) = (0, 0);
        for word in pieces[..read].chunk_by(|((a, _), _), ((b, _), _)| a == b) {
            let parts = || word.iter().map(|(_, piece)| piece.trim_start_matches("##"));
            let is_gap = word.iter().any(|((_, id), _)| Some(**id) == self.unknown);
            let has_letters = parts().any(|part| part.contains(char::is_alphabetic));
            // The vocabulary has the letters of many alphabets and some of their syllables, and of those languages no words.
            let letters: usize = parts().map(|part| part.chars().count()).sum();
            let is_spelt = word.len() >= 3 && has_letters && 2 * letters < 3 * word.len();
            words += usize::from(is_gap || has_letters);
            unknown += usize::from(is_gap || is_spelt);
        }
        Ok(2 * unknown <= words)
    }

    pub fn pieces(&self, text: &str, length: Length) -> Result<Pieces, EmbeddingError> {
        let encoding =
            self.tokenizer.encode_fast(text, false).map_err(|error| EmbeddingError::Tokens(error.to_string()))?;
        let ids = encoding.get_ids();
        let windows = ids.chunks(ROOM).take(match length {
            Length::First => 1,
            Length::Windows => usize::MAX,
        });
        let framed = |ids: &[u32]| [&[BEGIN], ids, &[END]].concat();
        Ok(Pieces { pieces: windows.map(framed).collect(), cut: ids.len() > ROOM && length == Length::First })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A tokenizer of four words, of which the last has the given number.
    fn tokens(last: usize) -> Result<Tokens, EmbeddingError> {
        let model = json!({
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {
                "[UNK]": 100, "[CLS]": BEGIN, "[SEP]": END, "fever": last, "б": 110, "##о": 111, "##л": 112, "##ь": 113, ".": 114,
            },
        });
        let split = json!({ "type": "WhitespaceSplit" });
        let whole = json!({ "version": "1.0", "added_tokens": [], "pre_tokenizer": split, "model": model });
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tokenizer.json");
        std::fs::write(&path, whole.to_string()).unwrap();
        Tokens::read(&path)
    }

    fn problem(last: usize) -> Option<String> {
        tokens(last).err().map(|error| error.to_string())
    }

    #[test]
    fn a_text_is_known_where_at_least_half_of_what_is_read_of_it_is() {
        let tokens = tokens(103).unwrap();
        let known = |text: &str, length| tokens.knows(text, length).unwrap();
        let known_or_not = [("", true), ("fever", true), ("fever x", true), ("x", false), ("x fever y", false)];
        // Words that are only spelt, and marks that are no words.
        let spelt = [("боль", false), ("fever боль", true), ("x .", false), ("fever . x y", false), (".", true)];
        for (text, is_known) in known_or_not.into_iter().chain(spelt) {
            assert_eq!(known(text, Length::First), is_known, "{text}");
        }
        let late = format!("{}{}", "x ".repeat(ROOM), "fever ".repeat(2 * ROOM));
        assert!(!known(&late, Length::First) && known(&late, Length::Windows));
    }

    #[test]
    fn a_tokenizer_with_words_the_model_has_not_is_refused() {
        assert_eq!(problem(VOCABULARY - 1), None);
        let told = problem(VOCABULARY).unwrap();
        assert!(told.ends_with("has words beyond the model's 30522; this is no all-MiniLM-L6-v2"), "{told}");
    }
}
