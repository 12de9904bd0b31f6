//! Six layers of attention over one pack, on one core.

use crate::dense::Then;
use crate::lanes::{layer_norm, mean_direction, softmax};
use crate::matrix::{Panels, Rows, To, multiply};
use crate::pack::{Pack, Piece};
use crate::weights::{HEAD, HEADS, INNER, Layer, Norm, WIDTH, Weights};

/// Memory that is used again from pack to pack.
#[derive(Default)]
pub struct Scratch {
    tokens: Vec<f32>,
    attend: Vec<f32>,
    context: Vec<f32>,
    inner: Vec<f32>,
    sums: Vec<f32>,
    head: Head,
}

/// Of one head of one piece.
#[derive(Default)]
struct Head {
    keys: Panels,
    values: Panels,
    scores: Vec<f32>,
}

/// A vector of length 1 for each piece, in the order of the pack.
pub fn encode(weights: &Weights, pack: &Pack, scratch: &mut Scratch) -> Vec<Vec<f32>> {
    look_up(weights, pack, &mut scratch.tokens);
    for layer in &weights.layers {
        run(layer, pack, scratch);
    }
    let tokens = |piece: &Piece| {
        let rows = piece.runs.iter().cloned().flatten();
        mean_direction(rows.map(|at| row(&scratch.tokens, at)), WIDTH)
    };
    pack.pieces.iter().map(tokens).collect()
}

/// A row without a token is zeros.
fn look_up(weights: &Weights, pack: &Pack, tokens: &mut Vec<f32>) {
    tokens.clear();
    tokens.resize(pack.rows.len() * WIDTH, 0.0);
    for (place, token) in tokens.chunks_exact_mut(WIDTH).zip(&pack.rows) {
        let Some((id, position)) = token else { continue };
        let sum = row(&weights.words, *id as usize).iter().zip(row(&weights.positions, *position));
        place.iter_mut().zip(sum).for_each(|(place, (word, position))| *place = word + position);
    }
    norm(tokens, &weights.norm);
}

fn run(layer: &Layer, pack: &Pack, scratch: &mut Scratch) {
    let Scratch { tokens, attend, context, inner, sums, head } = scratch;
    let count = pack.rows.len();
    attend.resize(count * 3 * WIDTH, 0.0);
    layer.attend.apply(tokens, attend, Then::Replaces, sums);
    // Rows without a token are zeros, so that nothing of an earlier pack is in them.
    context.clear();
    context.resize(count * WIDTH, 0.0);
    for piece in &pack.pieces {
        attention(attend, piece, head, context);
    }
    layer.join.apply(context, tokens, Then::Joins, sums);
    norm(tokens, &layer.after_attention);

    inner.resize(count * INNER, 0.0);
    layer.widen.apply(tokens, inner, Then::Bends, sums);
    layer.narrow.apply(inner, tokens, Then::Joins, sums);
    norm(tokens, &layer.after_inner);
}

/// The tokens of one piece look at each other, in each head apart.
fn attention(attend: &[f32], piece: &Piece, head: &mut Head, context: &mut [f32]) {
    const STEP: usize = 3 * WIDTH;
    let [upper, lower] = &piece.runs;
    let count = upper.len() + lower.len();
    let row = |token: usize| token.checked_sub(upper.len()).map_or(upper.start + token, |below| lower.start + below);
    for first in (0..HEADS).map(|head| head * HEAD) {
        head.keys.lay(HEAD, count, usize::MAX, |input, token| attend[row(token) * STEP + WIDTH + first + input]);
        head.values.lay(count, HEAD, HEAD, |token, output| attend[row(token) * STEP + 2 * WIDTH + first + output]);
        let step = head.keys.step();
        head.scores.resize(upper.len() * step, 0.0);
        for run in &piece.runs {
            let scores = &mut head.scores[..run.len() * step];
            let queries = Rows { data: &attend[run.start * STEP + first..], count: run.len(), step: STEP };
            multiply(queries, &head.keys, scores, step, &To::ALL);
            softmax(scores, count, step);
            let shares = Rows { data: scores, count: run.len(), step };
            multiply(shares, &head.values, &mut context[run.start * WIDTH + first..], WIDTH, &To::ALL);
        }
    }
}

fn norm(tokens: &mut [f32], norm: &Norm) {
    layer_norm(tokens, &norm.gain, &norm.shift);
}

fn row(table: &[f32], n: usize) -> &[f32] {
    &table[n * WIDTH..(n + 1) * WIDTH]
}
