//! Text to token ids.

use crate::EmbeddingError;
use crate::minilm::Length;
use std::path::Path;
use tokenizers::Tokenizer;

/// As the model's configuration says; the tokenizer's own file says 128, and pads.
const MOST: usize = 256;
const BEGIN: u32 = 101;
const END: u32 = 102;
const ROOM: usize = MOST - 2;

pub struct Tokens {
    tokenizer: Tokenizer,
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
        Ok(Self { tokenizer })
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
