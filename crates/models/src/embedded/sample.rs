//! Narratives made up for tests: telling sentences, shared ones, denials and options, in the layout of the real ones.

use super::Example;

pub(super) const NAMES: [&str; 4] = ["Migraine", "Pneumonia", "Pulmonary embolism", "Tension headache"];

pub(super) fn example(text: &str, label: &str) -> Example {
    Example { text: text.to_owned(), label: label.to_owned() }
}

/// So many patients of each condition.
pub(super) fn examples(patients: usize) -> Vec<Example> {
    let of = |condition| (0..patients).map(move |patient| example(&narrative(condition, patient), NAMES[condition]));
    (0..NAMES.len()).flat_map(of).collect()
}

/// Every patient leaves out one of the condition's symptoms and tells one that means nothing.
pub(super) fn narrative(condition: usize, patient: usize) -> String {
    let picture = &PICTURES[condition];
    let left_out = patient % picture.symptoms.len();
    let told = (picture.symptoms.iter().enumerate()).filter(|(place, _)| *place != left_out);
    let symptoms: String = told.map(|(_, symptom)| format!("- {symptom}\n")).collect();
    let noise = NOISE[patient / 3 % NOISE.len()];
    format!(
        "Sex: {}, Age: {}\nGeographical region: North America\nSymptoms:\n{symptoms}- {noise}\nAntecedents:\n- {}\n",
        if patient.is_multiple_of(2) { "M" } else { "F" },
        20 + patient % 60,
        picture.history,
    )
}

struct Picture {
    symptoms: [&'static str; 4],
    history: &'static str,
}

const NOISE: [&str; 3] = ["I feel tired.", "I have been sleeping badly.", "I do not have a rash."];

const PICTURES: [Picture; 4] = [
    Picture {
        symptoms: [
            "I have a headache.",
            "Light hurts my eyes.",
            "The pain is:\n  * throbbing",
            "I have been vomiting.",
        ],
        history: "My mother has migraines.",
    },
    Picture {
        symptoms: [
            "I have a fever.",
            "I cough up rust-coloured phlegm.",
            "The pain gets sharper every time I breathe in.",
            "I have shaking chills.",
        ],
        history: "I smoke.",
    },
    Picture {
        symptoms: [
            "I do not have a fever.",
            "I am suddenly short of breath.",
            "The pain gets sharper every time I breathe in.",
            "One of my calves is swollen.",
        ],
        history: "I had surgery two weeks ago.",
    },
    Picture {
        symptoms: [
            "I have a headache.",
            "Light does not hurt my eyes.",
            "The pain is:\n  * pressing or squeezing",
            "My neck and shoulders are tight.",
        ],
        history: "I have been under stress at work.",
    },
];
