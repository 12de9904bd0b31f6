//! Days that have their year from another one move with it, so that none tells by how many days; values beside a date stay.
//! The chart of these notes moves by 163 days into the past, from March over the turn of a month.

use super::sample::{each, stay};

#[test]
fn both_ends_of_a_range_of_named_months_move_alike() {
    each(&[
        ("Mar 9 - Mar 12, 2024", "Sep 28 - Oct 1, 2023"),
        ("Mar 25 – Mar 28, 2024", "Oct 14 – Oct 17, 2023"),
        ("9-12 March 2024", "28 September 2023 - 1 October 2023"),
        ("25-28 March 2024", "14-17 October 2023"),
        ("9 to 12 March 2024", "28 September 2023 to 1 October 2023"),
        ("9th to the 12th of March 2024", "28th of September 2023 to the 1st of October 2023"),
        ("25th to the 28th of March 2024", "14th to the 17th of October 2023"),
        ("9 March - 12 March 2024", "28 September - 1 October 2023"),
        ("March 9-12, 2024", "September 28, 2023 - October 1, 2023"),
        ("MARCH 25-28, 2024", "OCTOBER 14-17, 2023"),
        ("March 25—28, 2024", "October 14—17, 2023"),
        ("March 9 through 12, 2024", "September 28, 2023 through October 1, 2023"),
        ("March 25 thru 28, 2024", "October 14 thru 17, 2023"),
        ("from March 25 until March 28, 2024", "from October 14 until October 17, 2023"),
        ("March 25 till 28, 2024", "October 14 till 17, 2023"),
        ("between March 9 and 12, 2024", "between September 28, 2023 and October 1, 2023"),
        ("between March 25 and 28, 2024", "between October 14 and 17, 2023"),
        ("March 9 and 12, 2024", "September 28, 2023 and October 1, 2023"),
        ("Mar 25 & 28, 2024", "Oct 14 & 17, 2023"),
        ("Dec 30 - Jan 2, 2025", "Jul 20 - Jul 23, 2024"),
        ("30 Dec - 2 Jan 2025", "20 Jul - 23 Jul 2024"),
        ("Dec 31, 2024 - Jan 2", "Jul 21, 2024 - Jul 23"),
        ("9-12 MAR 24", "28 SEP 23 - 1 OCT 23"),
        ("09-12MAR24", "28SEP23-1OCT23"),
        ("9-Mar - 12-Mar-24", "28-Sep - 1-Oct-23"),
        ("March 25-28 '24", "October 14-17 '23"),
        ("Mon 25th - Thu 28th March 2024", "Mon 14th - Thu 17th October 2023"),
        ("Sat, March 9 - Tue, March 12, 2024", "Sat, September 28 - Tue, October 1, 2023"),
        ("Mar 25 at 10:00 to Mar 28, 2024", "Oct 14 at 10:00 to Oct 17, 2023"),
        ("from March 25 to\nMarch 28, 2024", "from October 14 to\nOctober 17, 2023"),
        ("Admitted Mar 25, discharged Mar 28, 2024", "Admitted Oct 14, discharged Oct 17, 2023"),
        ("March 25, 2024 - March 28", "October 14, 2023 - October 17"),
        ("25 March 2024 to 28 March", "14 October 2023 to 17 October"),
        ("March to April 2024", "October to November 2023"),
        ("Nov-Dec 2024", "Jun-Jul 2024"),
        ("12th of March 2024, March 9 of 2024", "1st of October 2023, September 28 of 2023"),
        ("Feb 30 - Mar 5, 2024", "[DATE]"),
        ("30-2 March 2024", "[DATE]"),
    ]);
}

#[test]
fn both_ends_of_a_range_of_numbers_move_alike() {
    each(&[
        ("3/9-12/2024", "9/28/2023-10/1/2023"),
        ("3/25-28/2024", "10/14-17/2023"),
        ("3/9-3/12/2024", "9/28-10/1/2023"),
        ("LVEF 3/9-3/12/2024", "LVEF 9/28-10/1/2023"),
        ("03/09 - 03/12/24", "9/28 - 10/1/23"),
        ("3/25 & 3/28/24", "10/14 & 10/17/23"),
        ("3/25 until 3/28/24", "10/14 until 10/17/23"),
        ("9.-12.3.2024", "28.9.2023-1.10.2023"),
        ("25.-28.3.2024", "14.-17.10.2023"),
        ("25.3.-28.3.2024", "14.10.-17.10.2023"),
        ("25.3.2024-28.3.", "14.10.2023-17.10."),
        ("2024-03-09/12", "2023-09-28/2023-10-01"),
        ("2024-03-25/28", "2023-10-14/17"),
        ("2024-03-25 to 03-28", "2023-10-14 to 10-17"),
        ("2024/03/25-28", "2023/10/14-17"),
        ("3-25 to 3-28-2024", "10-14 to 10-17-2023"),
        ("3/25/2024-3/28", "10/14/2023-10/17"),
        ("3/25 10:00 - 3/28/2024 14:00", "10/14 10:00 - 10/17/2023 14:00"),
        ("3/25 - March 28, 2024", "10/14 - October 17, 2023"),
        ("03/2023-12/2024", "10/2022-07/2024"),
        ("Admission date: 3/25 Discharge date: 3/28/2024", "Admission date: 10/14 Discharge date: 10/17/2023"),
        ("9-12/3/2024", "[DATE]"),
        ("3/9 - 12/2024", "[DATE]"),
        ("5/20-3/12/2024", "[DATE]"),
        ("2/30-3/5/2024", "[DATE]"),
    ]);
}

#[test]
fn all_days_of_a_list_move() {
    each(&[
        ("March 25, 26 and 28, 2024", "October 14, 15 and 17, 2023"),
        ("25, 26 and 28 March 2024", "14, 15 and 17 October 2023"),
        ("March 9, 10 and 12, 2024", "September 28, 2023, September 29, 2023 and October 1, 2023"),
        ("3/25, 3/26, 3/28/2024", "10/14, 10/15, 10/17/2023"),
        ("on 3/25, 3/26, and 3/28/2024", "on 10/14, 10/15, and 10/17/2023"),
        ("Mar 25-27 and Apr 1-5, 2024", "Oct 14-16 and Oct 21-25, 2023"),
        ("3/9-3/12, 4/1-4/5/2024", "9/28-10/1, 10/21-10/25/2023"),
        ("15-16 and 18-19 March 2024", "4-5 and 7-8 October 2023"),
    ]);
}

#[test]
fn values_beside_a_date_are_no_days() {
    each(&[
        ("nodes 3/9 - 3/12/2024", "nodes 3/9 - 10/1/2023"),
        ("nodes 3/9, 3/12 and 3/20/2024", "nodes 3/9, 3/12 and 10/9/2023"),
        ("Strength 4/5, 5/5, 3/12/2024", "Strength 4/5, 5/5, 10/1/2023"),
        ("3/9/2024 - 3/12 nodes positive", "9/28/2023 - 3/12 nodes positive"),
        ("grade 2-3 March 2024", "grade 2-3 October 2023"),
        ("LVEF 25-30 March 2024", "LVEF 25-30 October 2023"),
        ("Hb 9-12 March 2024", "Hb 9-12 October 2023"),
        ("Room 9 - 12 March 2024", "Room 9 - 1 October 2023"),
        ("K 4, 12 March 2024", "K 4, 1 October 2023"),
        ("K 3.5 - 12.3.2024", "K 3.5 - 1.10.2023"),
        ("INR 2.3-12.3.2024", "INR 2.3-1.10.2023"),
        ("EF 25-30 3/12/2024", "EF 25-30 10/1/2023"),
        ("2024-03-09 - 12 mg", "2023-09-28 - 12 mg"),
        ("on March 9, 2024 and 12 days later", "on September 28, 2023 and 12 days later"),
        ("SEPT-9 and 12 March 2024", "SEPT-9 and 1 October 2023"),
        ("she may - June 2024", "she may - Jan 2024"),
    ]);
}

#[test]
fn ranges_without_a_year_stay() {
    stay(&[
        "days 9-12",
        "9-12 mg",
        "stage 3/9",
        "cycle 3/9",
        "LVEF 55-60",
        "Mar 9-12",
        "MARCH9-12 and SEPT9",
        "BP 120/80-130/90",
        "3/9-3/12, 3/9-12/24",
        "pain 3/10 to 5/10",
        "9/12-10/12 cores",
        "1/2-2/3 of a tablet",
        "weeks 9-12, grade 3/4 - 12",
        "nodes 3/9-12/2024",
        "5-10 mg, 2-3 times",
        "May 9-12 units be given",
        "ratio 1/2-3/20",
        "C1D8-15, DEC1-12, OCT-4",
    ]);
}

/// A number of eight digits that can be a day moves: an accession number that moves is still a number, a day that stayed would be the patient's.
#[test]
fn a_compact_date_behind_a_test_moves_and_one_behind_the_label_of_a_number_goes_or_stays() {
    each(&[
        ("PCR 20240312", "PCR 20231001"),
        ("PCR accession 20240312", "PCR accession [NUMBER]"),
        ("LVEF 55-60 on 20240312", "LVEF 55-60 on 20231001"),
    ]);
    stay(&["PCR 20243112, PCR 20540312", "PCR lot 20240312", "PCR 20240312 copies"]);
}

#[test]
fn text_of_a_megabyte_is_read_in_step_with_its_length() {
    for piece in ["Mar 9 - ", "3/9-", "9-", "3/9, "] {
        let text = piece.repeat(1_000_000 / piece.len());
        stay(&[&text]);
    }
    let many = "3/25-3/28/2024 ".repeat(20_000);
    each(&[(&many, &"10/14-10/17/2023 ".repeat(20_000))]);
}

/// A patient may be called as a month is.
#[test]
fn a_month_within_a_range_is_no_name() {
    each(&[("Patient: Long, May\n9 May - 12 May 2024", "Patient: [NAME]\n28 Nov - 1 Dec 2023")]);
}
