//! A chart as text and back.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use waterjar_charts::{Chart, Date, Entry, Part, Section, Tag, read, render};

fn chart() -> Chart {
    let mut chart = Chart::new("breast-01");
    chart.notice = Some("Synthetic, not for patient care.".to_owned());
    chart.blocks.insert(Section::Diagnoses, "Invasive carcinoma\n\nHypertension".to_owned());
    chart.blocks.insert(Section::Allergies, String::new());
    chart.entries = vec![
        Entry::new("2023".parse().ok(), "Condition", "Hypertension"),
        Entry::new("2024-03-09".parse().ok(), "Procedure", "Left mastectomy.\nEstimated blood loss 150 mL.\n"),
        Entry::new("2024-03-12".parse().ok(), "Observation", "HER2: positive").in_section(Section::Biomarkers),
        Entry::new(None, "Note", ""),
    ];
    chart
}

#[test]
fn a_packet_shows_blocks_then_entries_with_date_and_tag() {
    let expected = "PACKET breast-01\nNOTICE Synthetic, not for patient care.\n\n== Diagnoses ==\nInvasive carcinoma\n\nHypertension\n\
        \n== Allergies ==\n\n\n== Chronology ==\n2023 [Condition] Hypertension\n2024-03-09 [Procedure] Left mastectomy.\n\
        Estimated blood loss 150 mL.\n\n2024-03-12 {biomarkers} [Observation] HER2: positive\nundated [Note]\n";
    assert_eq!(render(&chart()).text, expected);
}

#[test]
fn what_looks_like_a_heading_or_an_entry_inside_a_text_is_read_back_as_text() {
    for text in [
        "== Diagnoses ==",
        "a\n== Labs ==\nb",
        "a\n2024-01-01 [Note] quoted\nb",
        "a\n\\2024-01-01 {labs} [Note] quoted",
        "a\n\\\\== Labs ==\n\\no head",
        "\n\nundated [x] y\n",
        "2024-01-01 [Note] first line",
        "\\== Labs ==",
        "windows\r\nlines\r\n",
    ] {
        let mut written = chart();
        written.entries[1].text = text.to_owned();
        written.blocks.insert(Section::Overview, text.to_owned());
        assert_eq!(read(&render(&written).text).unwrap().0, written, "{text:?}");
    }
}

#[test]
fn every_byte_of_a_part_leads_back_to_its_entry_and_section() {
    let packet = render(&chart());
    let at = |needle: &str| packet.at(packet.text.find(needle).unwrap()).map(|span| (span.part, span.section));
    assert_eq!(at("Invasive"), Some((Part::Block, Section::Diagnoses)));
    assert_eq!(at("blood loss"), Some((Part::Entry(1), Section::Procedures)));
    assert_eq!(at("HER2"), Some((Part::Entry(2), Section::Biomarkers)));
    assert_eq!(at("breast-01"), None);
    assert_eq!(at("== Chronology"), None);
    assert_eq!(packet.at(packet.text.len()), None);
    assert_eq!(
        packet.section_text(Section::Diagnoses),
        "== Diagnoses ==\nInvasive carcinoma\n\nHypertension\n2023 [Condition] Hypertension\n"
    );
}

#[test]
fn an_edited_packet_still_tells_where_the_edit_lies() {
    let text = render(&chart()).text.replace("HER2: positive", "HER2: negative by IHC, confirmed by FISH");
    let (edited, packet) = read(&text).unwrap();
    assert_eq!(edited.entries[2].text, "HER2: negative by IHC, confirmed by FISH");
    assert_eq!(packet.at(text.find("FISH").unwrap()).unwrap().part, Part::Entry(2));
    assert_eq!(packet, render(&edited));
}

#[test]
fn a_text_that_is_no_packet_is_refused_with_its_line() {
    let check = |text: &str, line: usize| assert_eq!(read(text).unwrap_err().line, line, "{text}");
    check("", 1);
    check("Dear colleague", 1);
    check("PACKET x\nloose text", 2);
    check("PACKET x\n\n== Horoscope ==\n", 3);
    check("PACKET x\n\n== Labs ==\na\n\n== Labs ==\nb\n", 6);
}

#[test]
fn tags_lose_what_would_break_a_line() {
    assert_eq!(Tag::new(" Discharge [final]\nsummary ").as_str(), "Discharge (final) summary");
    assert_eq!(Tag::new("").as_str(), "Note");
}

fn any_date() -> impl Strategy<Value = Option<Date>> {
    let day = (1900i16..2100, 1u8..=12, 1u8..=28);
    prop_oneof![
        Just(None),
        (1i16..=9999).prop_map(Date::from_year),
        (1900i16..2100, 1u8..=12).prop_map(|(year, month)| Date::from_month(year, month)),
        day.prop_map(|(year, month, day)| Date::from_day(year, month, day)),
    ]
}

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n".to_owned()),
        Just("\n== Labs ==\n".to_owned()),
        Just("\n\\".to_owned()),
        Just("2024-01-01 [Note] x".to_owned()),
        Just("undated {labs} [y]".to_owned()),
        "[a-z ={}\\[\\]\\\\0-9\r-]{0,12}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn any_chart() -> impl Strategy<Value = Chart> {
    let section = prop::sample::select(Section::ALL.to_vec());
    let entry = (any_date(), "[A-Za-z \\[\\]]{0,9}", section.clone(), any_text())
        .prop_map(|(date, tag, section, text)| Entry::new(date, &tag, text).in_section(section));
    let blocks = prop::collection::btree_map(section, any_text(), 0..4);
    let notice = prop::option::of("[a-z]{1,9}");
    ("[a-z0-9 ]{0,8}", notice, blocks, prop::collection::vec(entry, 0..6)).prop_map(|(id, notice, blocks, entries)| {
        let mut chart = Chart::new(id);
        (chart.notice, chart.blocks, chart.entries) = (notice, blocks, entries);
        chart
    })
}

proptest! {
    #[test]
    fn any_chart_is_read_back_exactly(chart in any_chart()) {
        let packet = render(&chart);
        let (again, located) = read(&packet.text).unwrap();
        prop_assert_eq!(&again, &chart);
        prop_assert_eq!(located, packet);
    }

    #[test]
    fn reading_never_panics(text in any_text()) {
        let _ = read(&format!("PACKET x\n{text}"));
    }
}
