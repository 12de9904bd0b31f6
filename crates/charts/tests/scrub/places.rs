//! Streets, states, phones, mail and machines.

use super::sample::{check, each, scrubbed, stay};

#[test]
fn sentences_nodes_and_counts_are_no_addresses_and_phones() {
    for text in [
        "The nurse will see the patient address her pain of 7 with us today",
        "pT2 N1 3LN positive",
        "White cell 4.12 5.30 6.41",
        "White cell 412 530 610",
        "Temp 99F, T 101 F",
        "90Y microspheres",
        "survival of 0.95 years",
    ] {
        stay(&[text]);
    }
    check(&["Cell: 555 8821 902, mobile phone 5558821902"], &["Cell: [PHONE], mobile phone [PHONE]"]);
    check(&["from N1 3LA today"], &["from [ADDRESS] today"]);
}

#[test]
fn addresses_without_a_number_go_behind_their_label() {
    check(&["Home address: Rose Cottage, St. Mary's Lane, Ambleside. Well."], &["Home address: [ADDRESS]. Well."]);
    check(&["Address: Rose Cottage, Mill Lane"], &["Address: [ADDRESS]"]);
    check(&["Patient address 14 High Street, Leeds"], &["Patient address [ADDRESS]"]);
    stay(&["Home address: not told"]);
}

#[test]
fn streets_go_and_sentences_stay() {
    stay(&["K 3.1 Low. Dr. and nurse aware", "patient address 3 goals: pain, sleep"]);
    each(&[
        ("K 3.1 Low. Dr. Patel aware", "K 3.1 Low. Dr. [NAME] aware"),
        ("at 350 5th Avenue today", "at [ADDRESS] today"),
        ("at 12a High Street today", "at [ADDRESS] today"),
        ("at 12 N. Oak Street, at 4 St. Mary's Road", "at [ADDRESS], at [ADDRESS]"),
    ]);
}

#[test]
fn phones_go_whole_and_alone() {
    each(&[
        ("mobile 07700900123", "mobile [PHONE]"),
        ("Cell 6175550199", "Cell [PHONE]"),
        ("(555)201-7788", "[PHONE]"),
        ("FAX: 617-555-0199 99/99/2023", "FAX: [PHONE] 99/99/2023"),
    ]);
    stay(&["Cell count 412 530"]);
}

#[test]
fn a_state_alone_is_no_address_elsewhere() {
    for (home, text, expected) in [
        ("CT", "CT chest, CT", "CT chest, CT"),
        ("Springfield", "in Springfield", "in [ADDRESS]"),
        ("Hartford, CT", "CT; Hartford, CT", "CT; [ADDRESS]"),
    ] {
        assert_eq!(scrubbed(&format!("Address: {home}"), &[text]), [expected]);
    }
}

#[test]
fn streets_abroad_go_behind_their_label_and_what_is_addressed_stays() {
    each(&[
        ("Address: Calle Mayor 5, 28013 Madrid.", "Address: [ADDRESS]."),
        ("Address: Hauptstraße 12, Berlin. Well", "Address: [ADDRESS]. Well"),
        ("Address: Am Markt 3, 10115 Berlin", "Address: [ADDRESS]"),
        ("Address: 12 rue de la Paix, 75002 Paris", "Address: [ADDRESS]"),
    ]);
    stay(&[
        "Address: pain control and nausea",
        "Address code status",
        "Address: Code status, pain 7",
        "Address: Pain 7, nausea 3",
        "Address: Pain score 7, 5000 Units heparin",
    ]);
}

#[test]
fn machines_and_hidden_mail_go_and_versions_and_doses_stay() {
    each(&[
        ("IP 10.0.0.5, from 192.168.1.10", "IP [LINK], from [LINK]"),
        ("jane.doe(at)example.org; jane [at] example [dot] org", "[EMAIL]; [EMAIL]"),
    ]);
    stay(&[
        "version 120.0.60.109, v10.2.3.4",
        "OID 2.16.840.1",
        "10.5.2.1 mg; 1.2.3.4; 120.80.60.40.20",
        "mass (at) 3.5 cm",
        "seen (at) home",
    ]);
}
