//! The fuzz targets without a fuzzer: every seed as it is, and mutations of it that are the same on every machine.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use waterjar_fuzzing::{Target, all};

/// Each target is mutated for so many rounds, or for so long: some readers take a millisecond, some a microsecond.
const ROUNDS: u32 = 3000;
const PATIENCE: Duration = Duration::from_secs(4);
/// No input as small as ours may take so long, on a loaded machine and without optimisation.
const TOO_LONG: Duration = Duration::from_secs(20);

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = fuzz().join("seeds").join(target);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

fn check(name: &str) {
    let Target { name, check } = all().into_iter().find(|it| it.name == name).unwrap();
    let seeds = seeds(name);
    let mut chance = ChaCha8Rng::seed_from_u64(name.bytes().map(u64::from).sum());
    let began = Instant::now();
    let each = |data: &[u8]| {
        let before = Instant::now();
        check(data);
        assert!(
            before.elapsed() < TOO_LONG,
            "{name} took {:?} for {:?}",
            before.elapsed(),
            String::from_utf8_lossy(data)
        );
    };
    seeds.iter().for_each(|seed| each(seed));
    for _ in 0..ROUNDS {
        if began.elapsed() > PATIENCE {
            break;
        }
        let mut data = seeds[chance.random_range(0..seeds.len())].clone();
        for _ in 0..chance.random_range(1..6) {
            mutate(&mut data, &seeds, &mut chance);
        }
        each(&data);
    }
}

/// One small change: a byte, a piece gone, doubled or moved, a piece of another seed, or something that readers trip over.
fn mutate(data: &mut Vec<u8>, seeds: &[Vec<u8>], chance: &mut impl Rng) {
    const ODD: [&str; 24] = [
        "",
        "\0",
        "\u{feff}",
        "\r\n",
        "\n----\n",
        "\"",
        "'",
        "\\",
        "{",
        "}",
        "[",
        "null",
        "NaN",
        "-1",
        "1e999",
        "18446744073709551616",
        "é",
        "\u{202e}",
        "<CSC_end>",
        "<CSC_start>",
        "\u{1F9B6}",
        "her",
        ": ",
        "\t",
    ];
    let place = |data: &[u8], chance: &mut dyn FnMut(usize) -> usize| {
        let from = chance(data.len() + 1);
        let to = (from + chance(16)).min(data.len());
        from..to
    };
    let mut below = |most: usize| if most == 0 { 0 } else { chance.random_range(0..most) };
    let at = place(data, &mut below);
    match below(7) {
        0 if !at.is_empty() => data[at.start] = below(256) as u8,
        1 => drop(data.splice(at, [])),
        2 => {
            let piece = data[at.clone()].to_vec();
            data.splice(at.end..at.end, piece);
        }
        3 => {
            let other = &seeds[below(seeds.len())];
            let piece = other[place(other, &mut below)].to_vec();
            data.splice(at, piece);
        }
        4 => data.truncate(at.start),
        5 => {
            let piece = data[at.clone()].to_vec();
            let to = place(data, &mut below).start;
            data.splice(to..to, piece);
        }
        _ => {
            let odd = ODD[below(ODD.len())];
            data.splice(at, odd.bytes());
        }
    }
    data.truncate(1 << 14);
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check(stringify!($name)) })*

        const TESTED: &[&str] = &[$(stringify!($name)),*];
    };
}

targets! {
    study catalog form chart_notes chart_tables chart_packet fhir ddxplus_patients ddxplus_release case_lines dx vignette_rows tagged rewrite
    openai anthropic gemini program structured answer inspect lm_eval promptfoo score_rows stories_sheet evidence
}

#[test]
fn every_target_is_tested_here_and_built_for_the_fuzzer() {
    let names: BTreeSet<&str> = all().iter().map(|target| target.name).collect();
    assert_eq!(names, TESTED.iter().copied().collect());
    let manifest = std::fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    let listed = |folder: &str| -> BTreeSet<String> {
        let paths = std::fs::read_dir(fuzz().join(folder)).unwrap().map(|it| it.unwrap().path());
        paths.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect()
    };
    let wanted: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(listed("fuzz_targets"), wanted);
    assert_eq!(listed("seeds"), wanted);
    for name in names {
        assert!(
            manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")),
            "fuzz/Cargo.toml does not build {name}"
        );
        assert!(!seeds(name).is_empty(), "{name} has no seed");
    }
}
