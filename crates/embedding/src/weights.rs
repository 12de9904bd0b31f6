//! The model's numbers, read from `model.safetensors`.

use crate::EmbeddingError;
use crate::dense::Dense;
use safetensors::{Dtype, SafeTensors};
use std::path::Path;

pub const WIDTH: usize = 384;
pub const HEADS: usize = 12;
pub const HEAD: usize = WIDTH / HEADS;
pub const INNER: usize = 1536;
const LAYERS: usize = 6;
pub const VOCABULARY: usize = 30522;
const POSITIONS: usize = 512;

pub struct Weights {
    pub words: Vec<f32>,
    /// With the vector of the one kind of sentence added, as every token has it.
    pub positions: Vec<f32>,
    pub norm: Norm,
    pub layers: Vec<Layer>,
}

pub struct Layer {
    /// Query, key and value one after the other; the query scaled by 1/√32, so that scores need no scaling.
    pub attend: Dense,
    pub join: Dense,
    pub after_attention: Norm,
    pub widen: Dense,
    pub narrow: Dense,
    pub after_inner: Norm,
}

pub struct Norm {
    pub gain: Vec<f32>,
    pub shift: Vec<f32>,
}

impl Weights {
    pub fn read(path: &Path) -> Result<Self, EmbeddingError> {
        let bytes = std::fs::read(path).map_err(|error| EmbeddingError::file(path, error))?;
        let tensors = SafeTensors::deserialize(&bytes).map_err(|error| EmbeddingError::file(path, error))?;
        let file = File { path, tensors };
        let kind = file.tensor("embeddings.token_type_embeddings.weight", &[2, WIDTH])?;
        let mut positions = file.tensor("embeddings.position_embeddings.weight", &[POSITIONS, WIDTH])?;
        for row in positions.chunks_exact_mut(WIDTH) {
            row.iter_mut().zip(&kind).for_each(|(value, kind)| *value += kind);
        }
        Ok(Self {
            words: file.tensor("embeddings.word_embeddings.weight", &[VOCABULARY, WIDTH])?,
            positions,
            norm: file.norm("embeddings")?,
            layers: (0..LAYERS).map(|n| file.layer(&format!("encoder.layer.{n}"))).collect::<Result<_, _>>()?,
        })
    }
}

struct File<'a> {
    path: &'a Path,
    tensors: SafeTensors<'a>,
}

impl File<'_> {
    fn layer(&self, name: &str) -> Result<Layer, EmbeddingError> {
        let (mut weight, mut bias) = (Vec::new(), Vec::new());
        for part in ["query", "key", "value"] {
            let (its_weight, its_bias) = self.linear(&format!("{name}.attention.self.{part}"), WIDTH, WIDTH)?;
            let scale = if part == "query" { 1.0 / (HEAD as f32).sqrt() } else { 1.0 };
            weight.extend(its_weight.iter().map(|value| value * scale));
            bias.extend(its_bias.iter().map(|value| value * scale));
        }
        let attend = Dense::new(&weight, bias);
        Ok(Layer {
            attend,
            join: self.dense(&format!("{name}.attention.output.dense"), WIDTH, WIDTH)?,
            after_attention: self.norm(&format!("{name}.attention.output"))?,
            widen: self.dense(&format!("{name}.intermediate.dense"), INNER, WIDTH)?,
            narrow: self.dense(&format!("{name}.output.dense"), WIDTH, INNER)?,
            after_inner: self.norm(&format!("{name}.output"))?,
        })
    }

    fn dense(&self, name: &str, outputs: usize, inputs: usize) -> Result<Dense, EmbeddingError> {
        let (weight, bias) = self.linear(name, outputs, inputs)?;
        Ok(Dense::new(&weight, bias))
    }

    fn linear(&self, name: &str, outputs: usize, inputs: usize) -> Result<(Vec<f32>, Vec<f32>), EmbeddingError> {
        let weight = self.tensor(&format!("{name}.weight"), &[outputs, inputs])?;
        Ok((weight, self.tensor(&format!("{name}.bias"), &[outputs])?))
    }

    fn norm(&self, name: &str) -> Result<Norm, EmbeddingError> {
        Ok(Norm {
            gain: self.tensor(&format!("{name}.LayerNorm.weight"), &[WIDTH])?,
            shift: self.tensor(&format!("{name}.LayerNorm.bias"), &[WIDTH])?,
        })
    }

    fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EmbeddingError> {
        let wrong = |problem: String| {
            EmbeddingError::file(self.path, format!("{name}: {problem}; this is no all-MiniLM-L6-v2"))
        };
        let found = self.tensors.tensor(name).map_err(|error| wrong(error.to_string()))?;
        if found.dtype() != Dtype::F32 || found.shape() != shape {
            return Err(wrong(format!("is {:?} {:?} instead of F32 {shape:?}", found.dtype(), found.shape())));
        }
        let numbers = found.data().chunks_exact(4);
        let values: Vec<f32> = numbers.map(|it| f32::from_le_bytes([it[0], it[1], it[2], it[3]])).collect();
        match values.iter().all(|value| value.is_finite()) {
            true => Ok(values),
            false => Err(wrong("holds a number that is none".to_owned())),
        }
    }
}
