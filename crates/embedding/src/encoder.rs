//! Six layers of attention over one pack, on one core.

use crate::lanes::{add_to_rows, fill_rows, gelu, layer_norm, mean_direction, softmax};
use crate::matrix::{Target, View, multiply};
use crate::pack::Pack;
use crate::weights::{Dense, HEAD, HEADS, INNER, Layer, Norm, WIDTH, Weights};
use std::ops::Range;

/// Memory that is used again from pack to pack.
#[derive(Default)]
pub struct Scratch {
    tokens: Vec<f32>,
    attend: Vec<f32>,
    context: Vec<f32>,
    inner: Vec<f32>,
    scores: Vec<f32>,
}

/// A vector of length 1 for each piece, in the order of the pack.
pub fn encode(weights: &Weights, pack: &Pack, scratch: &mut Scratch) -> Vec<Vec<f32>> {
    look_up(weights, pack, &mut scratch.tokens);
    for layer in &weights.layers {
        run(layer, pack, scratch);
    }
    pack.pieces.iter().map(|(_, place)| mean_direction(rows(&scratch.tokens, place, WIDTH), WIDTH)).collect()
}

fn look_up(weights: &Weights, pack: &Pack, tokens: &mut Vec<f32>) {
    tokens.clear();
    for (_, place) in &pack.pieces {
        for (position, id) in pack.ids[place.clone()].iter().enumerate() {
            let word = row(&weights.words, *id as usize);
            tokens.extend(word.iter().zip(row(&weights.positions, position)).map(|(word, position)| word + position));
        }
    }
    norm(tokens, &weights.norm);
}

fn run(layer: &Layer, pack: &Pack, scratch: &mut Scratch) {
    let Scratch { tokens, attend, context, inner, scores } = scratch;
    let n = pack.ids.len();
    attend.resize(n * 3 * WIDTH, 0.0);
    dense(tokens, n, &layer.attend, attend);
    context.resize(n * WIDTH, 0.0);
    for (_, place) in &pack.pieces {
        attention(attend, place, scores, context);
    }
    add_to_rows(tokens, &layer.join.bias);
    product(context, n, &layer.join, tokens, Target::AddTo);
    norm(tokens, &layer.after_attention);

    inner.resize(n * INNER, 0.0);
    dense(tokens, n, &layer.widen, inner);
    gelu(inner);
    add_to_rows(tokens, &layer.narrow.bias);
    product(inner, n, &layer.narrow, tokens, Target::AddTo);
    norm(tokens, &layer.after_inner);
}

/// The tokens of one piece look at each other, in each head apart.
fn attention(attend: &[f32], place: &Range<usize>, scores: &mut Vec<f32>, context: &mut [f32]) {
    let n = place.len();
    let attend = rows(attend, place, 3 * WIDTH);
    let context = &mut context[place.start * WIDTH..place.end * WIDTH];
    scores.resize(n * n, 0.0);
    for head in (0..HEADS).map(|head| head * HEAD) {
        let part = |offset: usize| View::new(&attend[offset + head..], n, HEAD, 3 * WIDTH);
        multiply(part(0), part(WIDTH).transposed(), scores, n, Target::Overwrite);
        softmax(scores, n);
        let scores = View::new(scores, n, n, n);
        multiply(scores, part(2 * WIDTH), &mut context[head..], WIDTH, Target::Overwrite);
    }
}

fn dense(input: &[f32], n: usize, dense: &Dense, output: &mut [f32]) {
    fill_rows(output, &dense.bias);
    product(input, n, dense, output, Target::AddTo);
}

fn product(input: &[f32], n: usize, dense: &Dense, output: &mut [f32], mode: Target) {
    let outputs = dense.bias.len();
    let inputs = dense.weight.len() / outputs;
    let input = View::new(input, n, inputs, inputs);
    multiply(input, View::new(&dense.weight, outputs, inputs, inputs).transposed(), output, outputs, mode);
}

fn norm(tokens: &mut [f32], norm: &Norm) {
    layer_norm(tokens, &norm.gain, &norm.shift);
}

fn row(table: &[f32], n: usize) -> &[f32] {
    &table[n * WIDTH..(n + 1) * WIDTH]
}

fn rows<'a>(table: &'a [f32], place: &Range<usize>, width: usize) -> &'a [f32] {
    &table[place.start * width..place.end * width]
}
