//! Six layers of attention over one pack, on one core.

use crate::lanes::{gelu, layer_norm, mean_direction, softmax};
use crate::matrix::{Panels, Rows, multiply};
use crate::pack::Pack;
use crate::weights::{HEAD, HEADS, INNER, Layer, Norm, WIDTH, Weights};
use std::ops::Range;

/// Memory that is used again from pack to pack.
#[derive(Default)]
pub struct Scratch {
    tokens: Vec<f32>,
    attend: Vec<f32>,
    context: Vec<f32>,
    inner: Vec<f32>,
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
    let tokens = |place: &Range<usize>| &scratch.tokens[place.start * WIDTH..place.end * WIDTH];
    pack.pieces.iter().map(|(_, place)| mean_direction(tokens(place), WIDTH)).collect()
}

fn look_up(weights: &Weights, pack: &Pack, tokens: &mut Vec<f32>) {
    tokens.clear();
    for (_, place) in &pack.pieces {
        for (position, id) in pack.ids[place.clone()].iter().enumerate() {
            let word = row(&weights.words, *id as usize);
            tokens.extend(word.iter().zip(row(&weights.positions, position)).map(|(word, place)| word + place));
        }
    }
    norm(tokens, &weights.norm);
}

fn run(layer: &Layer, pack: &Pack, scratch: &mut Scratch) {
    let Scratch { tokens, attend, context, inner, head } = scratch;
    let count = pack.ids.len();
    attend.resize(count * 3 * WIDTH, 0.0);
    multiply(
        Rows { data: tokens, count, step: WIDTH },
        &layer.attend.weight,
        attend,
        3 * WIDTH,
        false,
        with_bias(&layer.attend.bias),
    );
    context.resize(count * WIDTH, 0.0);
    for (_, place) in &pack.pieces {
        let attend = &attend[place.start * 3 * WIDTH..place.end * 3 * WIDTH];
        attention(attend, place.len(), head, &mut context[place.start * WIDTH..place.end * WIDTH]);
    }
    multiply(
        Rows { data: context, count, step: WIDTH },
        &layer.join.weight,
        tokens,
        WIDTH,
        true,
        with_bias(&layer.join.bias),
    );
    norm(tokens, &layer.after_attention);

    inner.resize(count * INNER, 0.0);
    let widen = with_bias(&layer.widen.bias);
    multiply(
        Rows { data: tokens, count, step: WIDTH },
        &layer.widen.weight,
        inner,
        INNER,
        false,
        #[inline(always)]
        |first, strip| {
            widen(first, strip);
            strip.iter_mut().for_each(|value| *value = gelu(*value));
        },
    );
    multiply(
        Rows { data: inner, count, step: INNER },
        &layer.narrow.weight,
        tokens,
        WIDTH,
        true,
        with_bias(&layer.narrow.bias),
    );
    norm(tokens, &layer.after_inner);
}

/// The tokens of one piece look at each other, in each head apart.
fn attention(attend: &[f32], count: usize, head: &mut Head, context: &mut [f32]) {
    const STEP: usize = 3 * WIDTH;
    for first in (0..HEADS).map(|head| head * HEAD) {
        head.keys.lay(HEAD, count, usize::MAX, |input, token| attend[token * STEP + WIDTH + first + input]);
        head.values.lay(count, HEAD, HEAD, |token, output| attend[token * STEP + 2 * WIDTH + first + output]);
        let step = head.keys.step();
        head.scores.resize(count * step, 0.0);
        let queries = Rows { data: &attend[first..], count, step: STEP };
        multiply(queries, &head.keys, &mut head.scores, step, false, |_, _| {});
        softmax(&mut head.scores, count, step);
        let shares = Rows { data: &head.scores, count, step };
        multiply(shares, &head.values, &mut context[first..], WIDTH, false, |_, _| {});
    }
}

#[inline(always)]
fn with_bias(bias: &[f32]) -> impl Fn(usize, &mut [f32]) {
    #[inline(always)]
    move |first, strip| strip.iter_mut().zip(&bias[first..]).for_each(|(value, bias)| *value += bias)
}

fn norm(tokens: &mut [f32], norm: &Norm) {
    layer_norm(tokens, &norm.gain, &norm.shift);
}

fn row(table: &[f32], n: usize) -> &[f32] {
    &table[n * WIDTH..(n + 1) * WIDTH]
}
