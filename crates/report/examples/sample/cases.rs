//! Families with narratives in the layout the suites write.

use super::SUBJECTS;
use waterjar_core::{Edit, Outcome};
use waterjar_report::{AnswerView, FamilyView, RoleAnswer, VariantView};

/// Old diagnosis, new diagnosis, shared symptoms, what is exchanged for the trap, what is exchanged for the sham.
struct Story {
    from: &'static str,
    to: &'static str,
    third: &'static str,
    symptoms: &'static [&'static str],
    history: &'static [&'static str],
    trap: &'static [(&'static str, &'static str)],
    sham: (&'static str, &'static str),
}

const STORIES: [Story; 3] = [
    Story {
        from: "Pulmonary embolism",
        to: "Pneumothorax",
        third: "Pericarditis",
        symptoms: &[
            "I have pain in my chest.",
            "  * It is sharp, like a knife.",
            "  * On a scale of 0-10, the pain intensity is 7",
            "The pain is worse when I breathe in deeply.",
            "I am short of breath, and it came on within minutes.",
        ],
        history: &[
            "I do not have a fever.",
            "I take the contraceptive pill.",
            "I sat in an aeroplane for eleven hours last week.",
        ],
        trap: &[(
            "I had surgery on my hip within the last month.",
            "My brother once had a collapsed lung without any injury.",
        )],
        sham: ("I take the contraceptive pill.", "My mother had a clot in the veins of her leg."),
    },
    Story {
        from: "Unstable angina",
        to: "Gastro-oesophageal reflux",
        third: "Panic attack",
        symptoms: &[
            "I feel a burning pressure behind my breastbone.",
            "  * On a scale of 0-10, the pain intensity is 5",
            "It has been coming more often over the last two weeks.",
            "I feel sick.",
        ],
        history: &[
            "I smoke a pack of cigarettes a day.",
            "I am overweight.",
            "My father had a heart attack before he was 55.",
        ],
        trap: &[
            (
                "The pain comes when I climb stairs and goes when I rest.",
                "The pain comes when I lie down after a meal.",
            ),
            ("I have been told that my cholesterol is high.", "I have been told that I have a hiatus hernia."),
        ],
        sham: ("I am overweight.", "I have high blood pressure."),
    },
    Story {
        from: "Migraine",
        to: "Subarachnoid haemorrhage",
        third: "Cluster headache",
        symptoms: &[
            "I have a headache.",
            "  * On a scale of 0-10, the pain intensity is 9",
            "Light hurts my eyes.",
            "I have thrown up twice.",
        ],
        history: &["I have had headaches since I was at school.", "Red wine and too little sleep bring them on."],
        trap: &[
            (
                "It built up over two hours on one side of my head.",
                "It struck within a second, at the back of my head.",
            ),
            ("I saw zigzag lines before it began.", "My neck is stiff and hurts when I bend it."),
            ("My mother has migraine.", "My mother died of a burst vessel in the brain."),
        ],
        sham: ("Light hurts my eyes.", "Every sound is too loud for me."),
    },
];

pub fn families(number: usize) -> Vec<FamilyView> {
    (0..number).map(family).collect()
}

fn family(place: usize) -> FamilyView {
    let story = &STORIES[place % STORIES.len()];
    let control = narrative(story, place);
    let exchanged =
        |edits: &[(&str, &str)]| edits.iter().fold(control.clone(), |text, (old, new)| text.replace(old, new));
    let note = |what: &str, how_much: String| (what.to_owned(), how_much);
    FamilyView {
        id: format!("starter-{:06}", 40 + place * 7),
        title: format!("{} → {}", story.from, story.to),
        variants: vec![
            VariantView {
                role: "trap".to_owned(),
                text: exchanged(story.trap),
                edits: story.trap.iter().map(edit).collect(),
                expectation: format!("A sound reader moves from {} to {}.", story.from, story.to),
                notes: vec![
                    note("Odds before", format!("{:.1} : 1 for {}", 8.4 + place as f64, story.from)),
                    note("Odds after", format!("{:.1} : 1 for {}", 3.1 + place as f64 / 9.0, story.to)),
                    note("Edits", story.trap.len().to_string()),
                    note("Kind", if place.is_multiple_of(2) { "pure" } else { "mixed" }.to_owned()),
                ],
            },
            VariantView {
                role: "sham".to_owned(),
                text: exchanged(&[story.sham]),
                edits: vec![edit(&story.sham)],
                expectation: format!("A sound reader stays with {}.", story.from),
                notes: vec![note("Odds after", format!("{:.1} : 1 for {}", 7.2 + place as f64, story.from))],
            },
        ],
        control_text: control,
        answers: SUBJECTS
            .iter()
            .enumerate()
            .map(|(subject, name)| answer(story, name, place * 5 + subject * 3))
            .collect(),
        is_typical: true,
        language: None,
    }
}

fn narrative(story: &Story, place: usize) -> String {
    let sex = if place.is_multiple_of(2) { "F" } else { "M" };
    let mut text = format!("Sex: {sex}, Age: {}\nSymptoms:\n", 22 + place);
    // Exchanged symptoms first; a third one, and the only one, belongs to the history.
    let in_history = |edit: usize| edit == 2 || story.trap.len() == 1 || (edit == 1 && story.from.starts_with("Unst"));
    let exchanged = |history: bool| {
        let edits = story.trap.iter().enumerate();
        edits.filter(move |(edit, _)| in_history(*edit) == history).map(|(_, (old, _))| *old)
    };
    for line in exchanged(false).chain(story.symptoms.iter().copied()) {
        let bullet = if line.starts_with(' ') { "" } else { "- " };
        text.push_str(&format!("{bullet}{line}\n"));
    }
    text.push_str("Antecedents:\n");
    for line in exchanged(true).chain(story.history.iter().copied()) {
        text.push_str(&format!("- {line}\n"));
    }
    text
}

fn edit((removed, inserted): &(&str, &str)) -> Edit {
    Edit { removed: (*removed).to_owned(), inserted: (*inserted).to_owned() }
}

fn answer(story: &Story, subject: &str, draw: usize) -> AnswerView {
    let trap = match (subject, draw % 7) {
        ("plain@reference", _) => Outcome::Right,
        ("plain@neighbours", 3) => Outcome::Missing,
        (_, 0 | 2 | 4) => Outcome::Trapped,
        (_, 5) => Outcome::Missed,
        _ => Outcome::Right,
    };
    let control = if subject == "plain@prior" { Outcome::Missed } else { Outcome::Right };
    let role = |role: &str, outcome: Outcome, right: &str| {
        let named = match outcome {
            Outcome::Right => right,
            Outcome::Trapped => story.from,
            Outcome::Missed | Outcome::Partly => story.third,
            Outcome::Missing => "",
        };
        let first = 0.44 + (draw % 5) as f64 / 12.0;
        let ranking = match named {
            "" => Vec::new(),
            named => [story.from, story.to, story.third]
                .into_iter()
                .filter(|other| *other != named)
                .zip([0.6, 0.25])
                .map(|(other, part)| (other.to_owned(), Some((1.0 - first) * part)))
                .fold(vec![(named.to_owned(), Some(first))], |mut all, one| {
                    all.push(one);
                    all
                }),
        };
        RoleAnswer {
            role: role.to_owned(),
            outcome,
            in_words: None,
            named: named.to_owned(),
            text: match named {
                "" => "no reply in time: 60 s".to_owned(),
                named => format!("1. {named}\n2. {}\n3. {}", ranking[1].0, ranking[2].0),
            },
            ranking,
            audit: None,
        }
    };
    AnswerView {
        subject: subject.into(),
        failed: trap == Outcome::Trapped,
        roles: vec![
            role("control", control, story.from),
            role("trap", trap, story.to),
            role("sham", control, story.from),
        ],
    }
}
