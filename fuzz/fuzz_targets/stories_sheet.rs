#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| waterjar_fuzzing::check("stories_sheet", data));
