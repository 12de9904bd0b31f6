//! Vectors by content, so that no text is embedded twice by the same embedder: in files, or for as long as the program runs. A vector tells
//! much of the text it was made of, so the files belong where the text is.

use async_trait::async_trait;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use waterjar_core::{Embedder, ModelError, Payer};

/// Shards of one embedder; a vector is in the one its hash begins with.
const SHARDS: usize = 256;
/// Vectors also held in memory, 1.5 kB each; beyond this they are read again.
const HELD: usize = 4_000;

/// An embedder that remembers.
pub struct Kept<E> {
    inner: E,
    /// Without one, nothing is written.
    folder: Option<PathBuf>,
    /// What others know of it.
    held: Mutex<HashMap<[u8; 32], Vec<f32>>>,
}

impl<E: Embedder> Kept<E> {
    /// Below `folder`, by the embedder's id.
    pub fn at(folder: PathBuf, inner: E) -> Self {
        let id = blake3::hash(inner.id().as_bytes()).to_hex();
        Self { inner, folder: Some(folder.join(&id[..16])), held: Mutex::default() }
    }

    /// Gone with the program: nothing is written anywhere.
    pub fn in_memory(inner: E) -> Self {
        Self { inner, folder: None, held: Mutex::default() }
    }

    fn file(&self, hash: &[u8; 32]) -> Option<PathBuf> {
        let name = blake3::Hash::from_bytes(*hash).to_hex();
        let shard = format!("{:02x}", usize::from(hash[0]) % SHARDS);
        Some(self.folder.as_ref()?.join(shard).join(name.as_str()))
    }

    fn known(&self, hash: &[u8; 32]) -> Option<Vec<f32>> {
        if let Some(vector) = self.held.lock().unwrap_or_else(PoisonError::into_inner).get(hash) {
            return Some(vector.clone());
        }
        let vector = decoded(&std::fs::read(self.file(hash)?).ok()?)?;
        self.hold(*hash, &vector);
        Some(vector)
    }

    fn hold(&self, hash: [u8; 32], vector: &[f32]) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.len() < HELD {
            held.insert(hash, vector.to_vec());
        }
    }

    /// What is known is sent nowhere and costs nothing.
    async fn found_or_made(&self, texts: &[&str], payer: Option<&dyn Payer>) -> Result<Vec<Vec<f32>>, ModelError> {
        let hashes: Vec<[u8; 32]> = texts.iter().map(|text| *blake3::hash(text.as_bytes()).as_bytes()).collect();
        let mut found: HashMap<[u8; 32], Vec<f32>> = HashMap::new();
        let mut open: Vec<(&[u8; 32], &str)> = Vec::new();
        for (hash, text) in hashes.iter().zip(texts) {
            if found.contains_key(hash) || open.iter().any(|(it, _)| *it == hash) {
                continue;
            }
            match self.known(hash) {
                Some(vector) => _ = found.insert(*hash, vector),
                None => open.push((hash, text)),
            }
        }
        // What came is kept before more is asked for: where that fails, nothing of it is paid for again.
        for some in open.chunks(self.inner.at_once().get()) {
            for ((hash, _), vector) in some.iter().zip(self.made(some, payer).await?) {
                if let Some(file) = self.file(hash) {
                    // A full disk costs time later, never a result.
                    let _ = write(&file, &encoded(&vector));
                }
                self.hold(**hash, &vector);
                found.insert(**hash, vector);
            }
        }
        let width = self.width(&found)?;
        let of_text = |hash: &[u8; 32]| {
            let mut vector = found.get(hash).cloned().unwrap_or_default();
            // Of a text without words there may be a shorter one, made where no other told how wide it is.
            vector.resize(width, 0.0);
            vector
        };
        Ok(hashes.iter().map(of_text).collect())
    }

    async fn made(&self, open: &[(&[u8; 32], &str)], payer: Option<&dyn Payer>) -> Result<Vec<Vec<f32>>, ModelError> {
        let asked: Vec<&str> = open.iter().map(|(_, text)| *text).collect();
        let made = match payer {
            Some(payer) => self.inner.embed_paid(&asked, payer).await?,
            None => self.inner.embed(&asked).await?,
        };
        if made.len() != open.len() {
            let told = format!("{} gave {} vectors for {} texts", self.inner.id(), made.len(), open.len());
            return Err(ModelError::InvalidOutput(told));
        }
        Ok(made)
    }

    /// Of all that have a direction: between two widths there is no likeness.
    fn width(&self, found: &HashMap<[u8; 32], Vec<f32>>) -> Result<usize, ModelError> {
        let width = found.values().map(Vec::len).max().unwrap_or(0);
        let is_other = |vector: &Vec<f32>| vector.len() != width && vector.iter().any(|it| *it != 0.0);
        if !found.values().any(is_other) {
            return Ok(width);
        }
        let kept = self.folder.as_ref().map_or_else(String::new, |folder| {
            format!("; where it is another model now under the same name, delete {}", folder.display())
        });
        Err(ModelError::InvalidOutput(format!("{} gave vectors of different lengths{kept}", self.inner.id())))
    }
}

#[async_trait]
impl<E: Embedder> Embedder for Kept<E> {
    fn id(&self) -> String {
        self.inner.id()
    }

    fn at_once(&self) -> NonZeroUsize {
        self.inner.at_once()
    }

    fn cuts(&self, text: &str) -> bool {
        self.inner.cuts(text)
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.found_or_made(texts, None).await
    }

    async fn embed_paid(&self, texts: &[&str], payer: &dyn Payer) -> Result<Vec<Vec<f32>>, ModelError> {
        self.found_or_made(texts, Some(payer)).await
    }
}

/// The numbers and a checksum: half a file is no vector.
fn encoded(vector: &[f32]) -> Vec<u8> {
    let mut bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
    let sum = blake3::hash(&bytes);
    bytes.extend_from_slice(&sum.as_bytes()[..8]);
    bytes
}

fn decoded(bytes: &[u8]) -> Option<Vec<f32>> {
    let (numbers, sum) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
    (blake3::hash(numbers).as_bytes()[..8] == *sum && numbers.len() % 4 == 0)
        .then(|| numbers.chunks_exact(4).map(|it| f32::from_le_bytes(it.try_into().expect("chunks of four"))).collect())
}

/// Others may write the same at the same time: each writes aside, and the last to finish has the name.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)?;
    let aside = folder.join(format!(".{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    std::fs::write(&aside, bytes)?;
    std::fs::rename(&aside, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// Counts what it is asked.
    #[derive(Default)]
    struct Counting(Arc<AtomicU64>);

    #[async_trait]
    impl Embedder for Counting {
        fn id(&self) -> String {
            "counting".to_owned()
        }

        async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
            self.0.fetch_add(texts.len() as u64, Ordering::Relaxed);
            Ok(texts.iter().map(|text| vec![text.len() as f32, 1.0]).collect())
        }
    }

    #[tokio::test]
    async fn a_text_is_embedded_once_also_by_the_next_program() {
        let dir = tempfile::tempdir().expect("a folder");
        let asked = Arc::new(AtomicU64::new(0));
        for _ in 0..2 {
            let kept = Kept::at(dir.path().to_owned(), Counting(Arc::clone(&asked)));
            let found = kept.embed(&["fever", "cough and rash", "fever"]).await.expect("vectors");
            assert_eq!(found, [[5.0, 1.0], [14.0, 1.0], [5.0, 1.0]]);
        }
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn half_a_file_is_no_vector() {
        let dir = tempfile::tempdir().expect("a folder");
        let asked = Arc::new(AtomicU64::new(0));
        let kept = || Kept::at(dir.path().to_owned(), Counting(Arc::clone(&asked)));
        kept().embed(&["fever"]).await.expect("a vector");
        let file = kept().file(blake3::hash(b"fever").as_bytes()).expect("it has a folder");
        let bytes = std::fs::read(&file).expect("it is kept");
        std::fs::write(&file, &bytes[..bytes.len() / 2]).expect("a folder to write in");
        assert_eq!(kept().embed(&["fever"]).await.expect("a vector"), [[5.0, 1.0]]);
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn in_memory_a_text_is_embedded_once_and_nothing_is_written() {
        let asked = Arc::new(AtomicU64::new(0));
        let kept = Kept::in_memory(Counting(Arc::clone(&asked)));
        for _ in 0..2 {
            assert_eq!(kept.embed(&["fever"]).await.expect("a vector"), [[5.0, 1.0]]);
        }
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        assert_eq!(kept.file(blake3::hash(b"fever").as_bytes()), None);
    }

    /// Gives as many numbers as the text has letters.
    struct Uneven;

    #[async_trait]
    impl Embedder for Uneven {
        fn id(&self) -> String {
            "uneven".to_owned()
        }

        async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
            Ok(texts.iter().map(|text| vec![1.0; text.len()]).collect())
        }
    }

    #[tokio::test]
    async fn vectors_of_two_lengths_are_refused_with_what_to_delete() {
        let dir = tempfile::tempdir().expect("a folder");
        let kept = Kept::at(dir.path().to_owned(), Uneven);
        kept.embed(&["fever"]).await.expect("a vector");
        let told = kept.embed(&["fever", "cough and rash"]).await.expect_err("two lengths").to_string();
        let folder = kept.folder.as_ref().expect("it has a folder").display().to_string();
        assert!(told.contains("uneven gave vectors of different lengths") && told.contains(&folder), "{told}");
        assert_eq!(kept.embed(&["", "fever"]).await.expect("vectors"), [[0.0; 5], [1.0; 5]], "nothing is as wide");
    }
}
