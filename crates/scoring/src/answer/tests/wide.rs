//! Names that fit several conditions, and what stands beside them.

use crate::answer::{Answer, Labels, Said};
use waterjar_core::ConditionId;

/// Two of each kind, and others that are none of them.
fn labels() -> Labels {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let ids = |ids: &[&str]| ids.iter().map(|&id| ConditionId::from(id)).collect::<Vec<_>>();
    let conditions = [
        ("viral", names(&["Viral gastroenteritis", "norovirus infection", "A08.4"])),
        ("bacterial", names(&["Bacterial enteritis", "bacterial gastroenteritis"])),
        (
            "c_diff",
            names(&[
                "Clostridioides difficile colitis",
                "Clostridioides difficile infection",
                "C. difficile colitis",
                "A04.7",
            ]),
        ),
        ("strep", names(&["Streptococcal pharyngitis", "strep throat"])),
        ("common", names(&["Viral pharyngitis"])),
        ("mono", names(&["Infectious mononucleosis", "glandular fever"])),
        ("iron", names(&["Iron deficiency anaemia", "iron deficiency"])),
        ("b12", names(&["Vitamin B12 deficiency", "B12 deficiency"])),
        ("thyroid", names(&["Hypothyroidism"])),
        ("neuritis", names(&["Vestibular neuritis", "H81.2"])),
        ("bppv", names(&["Positional vertigo", "H81.1"])),
        ("anterior", names(&["Anterior circulation stroke", "I63.5"])),
        ("posterior", names(&["Posterior circulation stroke"])),
        ("fibrillation", names(&["Atrial fibrillation"])),
        ("pneumonia", names(&["Pneumonia"])),
        ("bronchitis", names(&["Acute bronchitis"])),
        ("crohn", names(&["Crohn's disease"])),
        ("colitis", names(&["Ulcerative colitis"])),
        ("cystitis", names(&["Acute cystitis"])),
        ("kidney", names(&["Pyelonephritis"])),
        ("vein", names(&["Deep vein thrombosis", "DVT"])),
    ];
    let umbrellas = [
        (names(&["Gastroenteritis", "infectious gastroenteritis"]), ids(&["viral", "bacterial"])),
        (names(&["Pharyngitis", "tonsillitis"]), ids(&["strep", "common"])),
        (names(&["Throat or chest infection"]), ids(&["strep", "common", "bronchitis"])),
        (names(&["Anaemia", "D64"]), ids(&["iron", "b12"])),
        (names(&["Peripheral vertigo", "H81", "H81.3"]), ids(&["neuritis", "bppv"])),
        (
            names(&["Stroke", "ischaemic stroke", "CVA", "stroke due to atrial fibrillation", "I63"]),
            ids(&["anterior", "posterior"]),
        ),
        (names(&["Respiratory infection", "chest infection"]), ids(&["pneumonia", "bronchitis"])),
        (names(&["Inflammatory bowel disease", "IBD"]), ids(&["crohn", "colitis"])),
        (names(&["Urinary tract infection", "UTI"]), ids(&["cystitis", "kidney"])),
        (names(&["Bowel inflammation"]), ids(&["crohn", "colitis", "c_diff"])),
    ];
    Labels::with_umbrellas(conditions.map(|(id, names)| (ConditionId::from(id), names)), umbrellas)
}

/// What is named where this condition is asked about, of each kind.
fn check(asked: &str, text: &str, named: Option<&str>) {
    let answer = Answer::read_about(&labels(), &[&ConditionId::from(asked)], text);
    assert_eq!(answer.named().map(|label| label.condition.as_str()), named, "{text}: {answer:?}");
}

#[test]
fn a_known_disease_beside_a_wide_name_is_what_was_said() {
    check("viral", "Gastroenteritis (Clostridioides difficile colitis)", Some("c_diff"));
    check("viral", "Gastroenteritis: Clostridioides difficile colitis", Some("c_diff"));
    check("viral", "Gastroenteritis (A04.7)", Some("c_diff"));
    check("viral", "Gastroenteritis (C. difficile colitis). The stool is tested.", Some("c_diff"));
    check("strep", "Tonsillitis, likely infectious mononucleosis", Some("mono"));
    check("strep", "1. Tonsillitis, most likely glandular fever\n2. Strep throat", Some("mono"));
    check("strep", "Tonsillitis likely infectious mononucleosis", Some("mono"));
    check("viral", "Gastroenteritis due to Clostridioides difficile", Some("c_diff"));
    check("viral", "Gastroenteritis (norovirus)", Some("viral"));
    check("bacterial", "Gastroenteritis, likely due to norovirus", Some("viral"));
    check("bacterial", "Gastroenteritis (viral or norovirus)", Some("viral"));
}

/// Only a model that goes round in circles writes it. It would not end if what is in brackets were read once for each name before it.
#[test]
fn a_long_answer_of_open_brackets_is_read() {
    let turns = ["pneumonia", "gastroenteritis", "stroke", "anaemia"].map(|name| format!("{name} (x: "));
    let text = format!("Pharyngitis: gastroenteritis (x: {}", turns.concat().repeat(20));
    Answer::read_about(&labels(), &[&ConditionId::from("strep")], &text);
}

#[test]
fn two_diseases_beside_each_other_are_not_the_wide_one() {
    check("strep", "Tonsillitis, infectious mononucleosis", None);
    check("strep", "Tonsillitis; infectious mononucleosis", None);
    check("strep", "Tonsillitis: infectious mononucleosis/glandular fever", None);
    check("strep", "Tonsillitis, likely infectious mononucleosis or strep throat", None);
    check("iron", "Anaemia due to hypothyroidism", None);
}

#[test]
fn a_kind_or_a_cause_that_is_not_known_is_another_disease() {
    for text in [
        "Anaemia due to chronic kidney disease",
        "Anaemia secondary to renal failure",
        "Anaemia in chronic kidney disease",
        "Anaemia (chronic kidney disease)",
        "Anaemia (due to chronic kidney disease)",
        "Anaemia, due to chronic kidney disease",
        "Anaemia, chronic, due to chronic kidney disease",
        "Anaemia, haemolytic",
        "Anaemia - sickle cell disease",
        "Anaemia (D63.1)",
        "Anaemia of chronic disease (D64.9)",
        "Anaemia of chronic disease (anaemia)",
        "D64.1",
        "Anaemia (beta thalassaemia)",
        "Anaemia (thalassaemia trait)",
        "Anaemia: leukaemia",
        "Anaemia (sickle cell)",
        "Thalassaemia (anaemia)",
    ] {
        check("iron", text, None);
        assert_eq!(Answer::read(&labels(), text).said, Said::Choice, "{text}: it is an answer all the same");
    }
    for text in [
        "Stroke (haemorrhagic)",
        "Stroke, haemorrhagic",
        "Stroke: haemorrhagic",
        "Stroke, likely haemorrhagic",
        "Acute stroke (likely haemorrhagic)",
        "Stroke (left-sided, haemorrhagic)",
        "Haemorrhagic stroke (CVA)",
        "Stroke – intracerebral haemorrhage",
        "Stroke (I61.9)",
        "Stroke (TIA)",
        "Stroke, TIA",
        "Stroke, likely TIA",
        "Stroke (possible TIA)",
        "Stroke (transient ischaemic attack, resolved)",
        "TIA (stroke)",
        "Crescendo TIA (possible stroke)",
        "Transient ischaemic attack (stroke)",
        "Stroke (ICH)",
        "Stroke – subdural haematoma",
        "1. Stroke (haemorrhagic) 0.8\n2. Positional vertigo 0.1",
    ] {
        check("anterior", text, None);
    }
    for text in ["Central vertigo (H81.4)", "H81.4", "Peripheral vertigo (H81.4)", "Peripheral vertigo, cervicogenic"] {
        check("neuritis", text, None);
    }
}

#[test]
fn the_words_of_another_disease_are_told() {
    let answer = Answer::read(&labels(), "Final diagnosis: Anaemia due to chronic kidney disease");
    assert_eq!(answer.first_words.as_deref(), Some("Anaemia due to chronic kidney disease"));
}

#[test]
fn words_that_change_nothing_leave_a_wide_name_as_it_is() {
    for text in [
        "Acute stroke",
        "Stroke (acute)",
        "Stroke, likely",
        "Stroke, severe, right-sided",
        "Stroke (left)",
        "Stroke (CVA)",
        "Stroke (likely ischaemic)",
        "Stroke (ischaemic, not haemorrhagic)",
        "Stroke (I63.9)",
        "Stroke, I63.9",
        "ICD-10-CM: I63.9",
        "I63.512",
        "Stroke (70% confidence)",
        "Stroke due to atrial fibrillation",
        "Stroke with atrial fibrillation",
        "Stroke – sudden weakness, arrhythmia and a past of hypertension",
        "Stroke (sudden weakness, facial droop)",
        "Stroke: weakness began suddenly, likely embolic",
        "Stroke in a young woman",
        "Stroke rather than positional vertigo",
        "Stroke rather than posterior circulation stroke",
        "Stroke, less likely positional vertigo",
        "Stroke (positional vertigo unlikely)",
        "Cerebral apoplexy (also known as stroke)",
    ] {
        check("anterior", text, Some("anterior"));
    }
    check("neuritis", "Peripheral vertigo (H81.3)", Some("neuritis"));
    check("iron", "Anaemia (e.g. thalassaemia)", Some("iron"));
    check("iron", "Anaemia (low probability of thalassaemia)", Some("iron"));
    check("viral", "Gastroenteritis (viral or bacterial)", Some("viral"));
    check("strep", "Throat or chest infection (tonsillitis)", Some("strep"));
    check("bronchitis", "Throat or chest infection (chest infection)", Some("bronchitis"));
}

#[test]
fn what_is_known_of_the_kind_or_cause_tells_which_is_meant() {
    check("b12", "Anaemia due to iron deficiency", Some("iron"));
    check("bronchitis", "Chest infection (right lower lobe pneumonia)", Some("pneumonia"));
    check("bronchitis", "Chest infection, likely left upper lobe pneumonia", Some("pneumonia"));
    check("bronchitis", "Right lower lobe pneumonia (chest infection)", Some("pneumonia"));
    check("iron", "Anaemia (B12)", Some("b12"));
    check("anterior", "Stroke with ataxia, likely of the posterior circulation", Some("posterior"));
    check("anterior", "Stroke (likely posterior circulation, given the ataxia)", Some("posterior"));
    check("neuritis", "Peripheral vertigo (H81.1)", Some("bppv"));
}

#[test]
fn a_wide_name_after_candidates_is_the_one_of_them_it_fits() {
    let after = |list: &str| format!("{list}\n\nThe most likely diagnosis is respiratory infection.");
    check("bronchitis", &after("1. Pneumonia: fever\n2. Atrial fibrillation: no"), Some("pneumonia"));
    check("bronchitis", &after("1. Atrial fibrillation\n2. Pneumonia"), Some("pneumonia"));
    check("bronchitis", "1. Pneumonia\n2. Hypothyroidism\n\nFinal diagnosis: chest infection", Some("pneumonia"));
    // Of two candidates it fits it leaves open which, as if there were no list.
    check("bronchitis", &after("1. Pneumonia\n2. Acute bronchitis"), Some("bronchitis"));
    let both = [&ConditionId::from("pneumonia"), &ConditionId::from("bronchitis")];
    assert_eq!(Answer::read_about(&labels(), &both, &after("1. Pneumonia\n2. Acute bronchitis")).said, Said::Open);
    // A diagnosis, and then the others that were thought of.
    check("bronchitis", "Final diagnosis: Chest infection\n\n1. Pneumonia\n2. Hypothyroidism", Some("bronchitis"));
}

#[test]
fn words_that_name_nothing_known_leave_a_wide_name_as_it_is() {
    for text in [
        "Stroke (left MCA territory)",
        "Stroke (large vessel occlusion)",
        "Stroke (AIS)",
        "Stroke (facial droop)",
        "Stroke, likely left MCA territory",
        "Stroke (high risk)",
        "Stroke: likely left MCA",
    ] {
        check("anterior", text, Some("anterior"));
    }
    check("viral", "Gastroenteritis (mild dehydration)", Some("viral"));
    check("viral", "Gastroenteritis (food poisoning)", Some("viral"));
    check("strep", "Pharyngitis (group A)", Some("strep"));
    check("pneumonia", "Chest infection (bacterial pneumonia)", Some("pneumonia"));
    for text in ["Anaemia, symptomatic", "Anaemia (symptomatic)", "Anaemia, chronic", "Anaemia (low B12)"] {
        check("b12", text, Some("b12"));
    }
}

#[test]
fn harmless_words_around_a_kind_leave_it_what_it_is() {
    check("kidney", "UTI (uncomplicated cystitis)", Some("cystitis"));
    check("bacterial", "Gastroenteritis (viral etiology)", Some("viral"));
    check("bacterial", "Gastroenteritis, likely of viral origin", Some("viral"));
    check("b12", "Anaemia (iron deficiency type)", Some("iron"));
    check("colitis", "IBD, likely Crohn's", Some("crohn"));
    check("colitis", "IBD (Crohn's)", Some("crohn"));
    // A chronic disease is not the acute one.
    check("pneumonia", "Chest infection (chronic bronchitis)", None);
}

#[test]
fn a_finding_after_a_wide_name_is_not_the_diagnosis() {
    for text in [
        "Stroke: atrial fibrillation with sudden hemiparesis",
        "Stroke – atrial fibrillation, sudden hemiparesis",
        "Stroke (atrial fibrillation)",
        "Stroke (ischaemic, atrial fibrillation)",
        "Stroke: hypothyroidism, diabetes and migraine excluded",
        "Stroke (hypothyroidism and migraine excluded)",
        "Stroke (hypothyroidism, migraine excluded)",
        "Stroke (differential: positional vertigo)",
        "Stroke (consider positional vertigo)",
        "Stroke (low probability of positional vertigo)",
        "Stroke (10% positional vertigo)",
        "Stroke (positional vertigo possible)",
        "Stroke (prior TIA)",
        "Stroke, previous TIA",
        "Stroke (PMH of TIA)",
        "Stroke (preceded by TIA)",
        "Stroke with TIA",
        "Stroke (TIA ruled out)",
        "Stroke – TIA less likely",
        "Stroke (more likely than haemorrhage)",
        "Stroke (MRI excludes haemorrhage)",
        "Stroke (CT argues against haemorrhage)",
        "Stroke (previous intracranial bleed)",
        "Stroke (history of heart failure)",
        "Stroke (history of migraine or positional vertigo)",
    ] {
        check("anterior", text, Some("anterior"));
    }
    check("viral", "Gastroenteritis: Clostridioides difficile colitis (A04.7)", Some("c_diff"));
    check("viral", "Gastroenteritis – likely Clostridioides difficile colitis, fever", Some("c_diff"));
    check("bronchitis", "Chest infection (lower lobe pneumonia excluded)", Some("bronchitis"));
    check("bronchitis", "Chest infection (previous lower lobe pneumonia)", Some("bronchitis"));
    check("anterior", "Stroke (lower lobe pneumonia)", Some("anterior"));
}

#[test]
fn another_disease_that_is_only_possible_is_not_what_was_said() {
    for text in [
        "Stroke, possibly positional vertigo",
        "Stroke, possibly positional vertigo, given the nausea",
        "Stroke possibly positional vertigo",
        "Stroke, perhaps positional vertigo",
        "Stroke (possible positional vertigo)",
        "Stroke (possibly haemorrhagic)",
    ] {
        check("anterior", text, None);
        check("bppv", text, None);
    }
    check("anterior", "Stroke (possibly posterior circulation)", Some("posterior"));
    check("anterior", "Stroke, possibly posterior circulation", Some("posterior"));
    check("anterior", "Stroke with possible haemorrhage", Some("anterior"));
}

#[test]
fn an_example_or_a_denied_one_is_not_what_was_said() {
    for text in [
        "Stroke (e.g., posterior circulation)",
        "Stroke (e.g. posterior circulation)",
        "Stroke, e.g., posterior circulation",
        "Stroke, such as posterior circulation stroke",
        "Stroke (such as posterior circulation stroke)",
        "Stroke (less likely: posterior circulation)",
        "Stroke (vs. positional vertigo)",
        "Stroke (r/o haemorrhage)",
        "Stroke (CT negative for haemorrhage)",
        "Stroke (ischaemic vs haemorrhagic)",
    ] {
        check("anterior", text, Some("anterior"));
    }
    check(
        "anterior",
        "Stroke (less likely: anterior circulation; most likely posterior circulation)",
        Some("posterior"),
    );
    check("anterior", "Stroke (posterior circulation or positional vertigo)", None);
}

#[test]
fn a_cause_that_makes_it_what_it_is_changes_nothing() {
    check("crohn", "IBD due to bowel inflammation", Some("crohn"));
    check("bacterial", "Gastroenteritis due to viral infection", Some("viral"));
    check("bacterial", "Gastroenteritis, likely due to a viral infection", Some("viral"));
    check("common", "Pharyngitis due to streptococcal infection", Some("strep"));
    check("common", "Pharyngitis due to Group A Streptococcus", Some("strep"));
    check("common", "Pharyngitis (group A streptococci)", Some("strep"));
    check("common", "Pharyngitis (Streptococcus negative)", Some("common"));
    check("common", "Pharyngitis with streptococcus", Some("common"));
    check("strep", "Pharyngitis due to group B streptococcus", None);
    check("bacterial", "Gastroenteritis due to a virus", Some("viral"));
    check("viral", "Gastroenteritis due to bacteria", Some("bacterial"));
    check("viral", "Gastroenteritis due to bacteria or a virus", Some("viral"));
    check("bacterial", "Gastroenteritis (viral illness)", Some("viral"));
    check("anterior", "Stroke due to new-onset atrial fibrillation", Some("anterior"));
    check("anterior", "Stroke triggered by atrial fibrillation", Some("anterior"));
    check("iron", "Anaemia precipitated by chronic kidney disease", None);
}

#[test]
fn a_wide_name_in_brackets_says_the_same_in_other_words() {
    check("anterior", "Left MCA territory infarction (stroke)", Some("anterior"));
    check("anterior", "Brain attack (stroke)", Some("anterior"));
    check("viral", "Food poisoning (gastroenteritis)", Some("viral"));
    check("kidney", "Acute uncomplicated cystitis (UTI)", Some("cystitis"));
    for text in ["Haemorrhagic stroke (stroke)", "Haemorrhagic CVA (stroke)", "Intracerebral haemorrhage (stroke)"] {
        check("anterior", text, None);
    }
    check("iron", "Sickle cell disease (anaemia)", None);
}

#[test]
fn a_place_after_a_name_leaves_it_what_it_is() {
    check("vein", "Deep vein thrombosis (DVT) of the left leg", Some("vein"));
    check("vein", "Acute deep vein thrombosis of the right lower extremity", Some("vein"));
    check("pneumonia", "Acute bronchitis triggered by a common cold", Some("bronchitis"));
    check("anterior", "Stroke of the left hemisphere", Some("anterior"));
}

#[test]
fn both_sides_of_a_slash_name_one_condition_or_leave_it_open() {
    for text in [
        "Stroke/CVA",
        "1. CVA / ischaemic stroke (0.8)\n2. Positional vertigo",
        "Stroke/CVA due to atrial fibrillation",
        "Stroke/CVA (left MCA)",
        "Stroke/anterior circulation stroke",
        "Stroke with nausea/vomiting",
        "Stroke – less likely pneumonia/bronchitis",
    ] {
        check("anterior", text, Some("anterior"));
    }
    check("posterior", "Stroke/CVA/anterior circulation stroke", Some("anterior"));
    check("kidney", "Acute cystitis/UTI, uncomplicated", Some("cystitis"));
    for text in ["Acute cystitis/pyelonephritis", "UTI/pyelonephritis/cystitis", "Cystitis/urethritis"] {
        check("cystitis", text, None);
    }
    for text in
        ["Stroke/TIA", "TIA/stroke", "Stroke/pneumonia", "Stroke/CVA (haemorrhagic)", "Anterior/posterior stroke"]
    {
        check("anterior", text, None);
    }
}
