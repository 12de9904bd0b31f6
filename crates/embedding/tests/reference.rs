//! Our own forward pass against sentence-transformers on the same texts (`reference/make` made the vectors).
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot go on should stop, and one that is skipped says so"
)]

use waterjar_core::{Embedder, cosine};
use waterjar_embedding::{Length, MiniLm, ModelFiles, Share};

const TEXTS: &str = include_str!("reference/texts.json");
const VECTORS: &[u8] = include_bytes!("reference/vectors.f32");

fn texts() -> Vec<String> {
    serde_json::from_str(TEXTS).unwrap()
}

fn reference() -> Vec<Vec<f32>> {
    let numbers: Vec<f32> = VECTORS.chunks_exact(4).map(|it| f32::from_le_bytes(it.try_into().unwrap())).collect();
    numbers.chunks_exact(384).map(<[f32]>::to_vec).collect()
}

fn model(length: Length) -> Option<MiniLm> {
    match ModelFiles::find() {
        Ok(files) => Some(MiniLm::open(&files, length).unwrap()),
        Err(missing) => {
            eprintln!("skipped: {missing}");
            None
        }
    }
}

#[tokio::test]
async fn vectors_are_those_of_sentence_transformers() {
    let Some(model) = model(Length::First) else { return };
    let texts = texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = model.embed(&texts).await.unwrap();
    let reference = reference();
    assert_eq!((vectors.len(), reference.len()), (texts.len(), texts.len()));
    for ((text, found), expected) in texts.iter().zip(&vectors).zip(&reference) {
        assert_eq!(found.len(), expected.len(), "{text}");
        assert!(cosine(found, expected) >= 0.9999, "{}: {text}", cosine(found, expected));
        let farthest = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(farthest < 1e-4, "{farthest}: {text}");
    }
    assert_eq!(model.share(), Share { texts: texts.len() as u64, cut: 1 });
}

#[test]
fn a_text_has_the_same_vector_alone_and_among_others() {
    let Some(model) = model(Length::First) else { return };
    let texts = texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = model.vectors(&texts).unwrap();
    assert_eq!(together.len(), texts.len());
    for (text, vector) in texts.iter().zip(together) {
        let alone = model.vectors(&[text]).unwrap().remove(0);
        assert_eq!(alone, vector, "to the last bit: {text}");
    }
}

#[test]
fn a_text_without_words_has_no_direction() {
    let Some(model) = model(Length::First) else { return };
    assert_eq!(model.vectors(&["", "  \n"]).unwrap(), vec![vec![0.0; 384]; 2]);
    assert!(model.vectors(&[]).unwrap().is_empty());
}

#[test]
fn what_comes_after_the_cut_counts_only_in_windows() {
    let (Some(first), Some(windows)) = (model(Length::First), model(Length::Windows)) else { return };
    let long = texts().remove(5);
    let longer =
        format!("{long} {}", "The skin of one side of the chest burns, and blisters stand in a band. ".repeat(12));
    let same = |model: &MiniLm| {
        let vectors = model.vectors(&[&long, &longer]).unwrap();
        cosine(&vectors[0], &vectors[1])
    };
    assert!(same(&first) > 0.999_999);
    assert!(same(&windows) < 0.999);
    assert_eq!((first.share().cut, windows.share().cut), (2, 0));
    assert_ne!(first.id(), windows.id());
}
