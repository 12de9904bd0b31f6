//! Dates move together; fractions and numbers stay.

use super::sample::{each, scrubbed, stay};

#[test]
fn both_days_of_a_range_move_alike_and_fractions_stay() {
    let moved = scrubbed("", &["3/9/2024", "3/12/2024"]);
    let without_year = |text: &str| text.rsplit_once('/').unwrap().0.to_owned();
    let (start, end) = (without_year(&moved[0]), &moved[1]);
    for (text, expected) in [
        ("Admitted 3/9-3/12/2024.", format!("Admitted {start}-{end}.")),
        ("Admitted 3/9 - 3/12/2024.", format!("Admitted {start} - {end}.")),
        ("RT 3/9–3/12/2024.", format!("RT {start}–{end}.")),
        ("RT 3/9/2024-3/12/2024.", format!("RT {}-{end}.", moved[0])),
        ("FOLFOX 3/9 to 3/12/2024", format!("FOLFOX {start} to {end}")),
        ("Pain from 3/9 to 3/12/2024", format!("Pain from {start} to {end}")),
        ("Nodes 3/9 - 3/12/2024", format!("Nodes 3/9 - {end}")),
        ("Strength 5/5-3/12/2024", format!("Strength 5/5-{end}")),
    ] {
        assert_eq!(scrubbed("", &[text]), [expected]);
    }
    stay(&["3/9 lymph nodes", "2/6 murmur", "5/5 strength", "4/5-5/5 throughout"]);
}

#[test]
fn dates_without_signs_and_with_short_years_move_and_numbers_stay() {
    let moved = scrubbed("", &["2024-03-12", "12MAR24", "2024-03"]);
    let (day, short) = (moved[0].replace('-', ""), &moved[1]);
    let (number, month) = short[..short.len() - 2].split_at(short.len() - 5);
    let year = &short[short.len() - 2..];
    let name = format!("{}{}", &month[..1], month[1..].to_lowercase());
    for (text, expected) in [
        ("seen 20240312.", format!("seen {day}.")),
        ("visit 20240312, 20240312T1000", format!("visit {day}, {day}T1000")),
        ("12 MAR 24, 12 Mar 24", format!("{number} {month} {year}, {number} {name} {year}")),
        ("Mar 12 '24; 12 Mar '24", format!("{name} {number} '{year}; {number} {name} '{year}")),
    ] {
        assert_eq!(scrubbed("", &[text]), [expected]);
    }
    for text in ["Mar-24", "MAR-24", "Mar '24", "20240312-20240315"] {
        assert_ne!(scrubbed("", &[text]), [text]);
    }
    each(&[
        ("MRN 20240312, accession 20240313", "MRN [NUMBER], accession [NUMBER]"),
        ("lab number: 20240312", "lab number: [NUMBER]"),
    ]);
    stay(&[
        "PMID 20240312, lot 20240312, SNOMED 20240312",
        "HBV DNA 20190312 IU/mL, 20240312 copies",
        "20241312, 20240001, 20450312, 1.2.840.20240312.1",
        "12 MAR 24 doses; take 2 May 24 hours later; X 2 MAY 24 HOURS",
        "31 FEB 24, 2 may 24, 6 MAR 20 mg",
        "Oct-4, MARCH-10, mar-24, Jan-Mar-24",
    ]);
}
