//! The published figures of MedEinst, from counts, through the same path as `waterjar score einstellung`.
//! Counts and ids are those of specs.md 10.2 and 10.3.

use std::collections::BTreeMap;
use std::io::Write;
use waterjar_core::{Measured, Metric, Seed};
use waterjar_suites::einstellung::score;

/// Pairs; of these with a right control; of these with the trap right, kept at the old diagnosis, or neither.
#[derive(Clone, Copy)]
struct Counts {
    model: &'static str,
    n: u64,
    control: u64,
    robust: u64,
    rigid: u64,
    stochastic: u64,
}

const fn counts(model: &'static str, n: u64, control: u64, robust: u64, rigid: u64, stochastic: u64) -> Counts {
    Counts { model, n, control, robust, rigid, stochastic }
}

const GPT_5: Counts = counts("GPT-5", 5379, 2921, 849, 1515, 557);
const GEMINI: Counts = counts("Gemini-2.5-pro", 5379, 2882, 590, 1755, 537);
const DEEPSEEK: Counts = counts("DeepSeek-R1", 5379, 2270, 609, 1047, 614);
/// The three whose counts the paper prints, in its order.
const PRINTED: [Counts; 3] = [GPT_5, GEMINI, DEEPSEEK];

/// Table 1: counts → base, robust, trap, rigidity in percent.
const TABLE: [(Counts, [&str; 4]); 19] = [
    (counts("Kimi-k2", 5379, 2572, 670, 1212, 690), ["47.82", "12.46", "47.12", "63.72"]),
    (DEEPSEEK, ["42.20", "11.32", "46.12", "63.03"]),
    (counts("GLM-4.6", 5379, 2133, 605, 1016, 512), ["39.65", "11.25", "47.63", "66.49"]),
    (counts("Qwen3-14B", 5379, 2373, 607, 1286, 480), ["44.12", "11.28", "54.19", "72.82"]),
    (counts("QwQ-32B", 5379, 2208, 599, 991, 618), ["41.05", "11.14", "44.88", "61.59"]),
    (counts("Qwen3-32B", 5379, 2165, 638, 941, 586), ["40.25", "11.86", "43.46", "61.62"]),
    (counts("Qwen3-235B-A22B", 5379, 2179, 613, 944, 622), ["40.51", "11.40", "43.32", "60.28"]),
    (GPT_5, ["54.30", "15.78", "51.87", "73.12"]),
    (GEMINI, ["53.58", "10.97", "60.90", "76.57"]),
    (counts("Claude-Sonnet-4.5", 5379, 2264, 665, 973, 626), ["42.09", "12.36", "42.98", "60.85"]),
    (counts("Lingshu-7B", 5379, 803, 172, 295, 336), ["14.93", "3.20", "36.74", "46.75"]),
    (counts("Llama3-Med42-8B", 5379, 350, 64, 154, 132), ["6.51", "1.19", "44.00", "53.85"]),
    (counts("MedGemma-27B", 5379, 2201, 628, 1186, 387), ["40.92", "11.68", "53.88", "75.40"]),
    (counts("Baichuan-M2-32B", 5379, 2422, 386, 1601, 435), ["45.03", "7.18", "66.10", "78.63"]),
    (counts("Lingshu-32B", 5379, 1489, 332, 807, 350), ["27.68", "6.17", "54.20", "69.75"]),
    (counts("DyLAN", 5379, 1727, 436, 720, 571), ["32.11", "8.11", "41.69", "55.77"]),
    (counts("MDAgent", 5367, 1594, 555, 643, 396), ["29.70", "10.34", "40.34", "61.89"]),
    (counts("ECR-Agent", 5381, 3739, 1303, 1262, 1174), ["69.49", "24.21", "33.75", "51.81"]),
    (counts("DCI only", 5376, 2983, 1072, 1143, 768), ["55.49", "19.94", "38.32", "59.81"]),
];

/// The outcomes as rows somebody else's program would write, read and measured.
fn scored(subjects: &[Counts]) -> BTreeMap<String, Measured> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("outputs.jsonl");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
    for subject in subjects {
        for pair in 0..subject.n {
            let (control, trap) = answers(subject, pair);
            let model = subject.model;
            writeln!(
                file,
                r#"{{"pair":"p{pair:05}","subject":"{model}","gt":"Angina","bias":"GERD","control":"{control}","trap":"{trap}"}}"#
            )
            .unwrap();
        }
    }
    file.flush().unwrap();
    score(Seed(0), &[&path]).unwrap().subjects.into_iter().collect()
}

/// What the subject says to control and trap of a pair. After a wrong control the trap's answer counts for nothing.
fn answers(subject: &Counts, pair: u64) -> (&'static str, &'static str) {
    let (robust, rigid) = (subject.robust, subject.robust + subject.rigid);
    assert_eq!(rigid + subject.stochastic, subject.control, "{}", subject.model);
    match pair {
        pair if pair < robust => ("Angina", "GERD"),
        pair if pair < rigid => ("Angina", "Angina"),
        pair if pair < subject.control => ("Angina", "Pericarditis"),
        pair if pair % 2 == 0 => ("Pericarditis", "Angina"),
        _ => ("GERD", "GERD"),
    }
}

fn metric(subject: &Counts, name: &str) -> Metric {
    scored(&[*subject])[subject.model].metrics[name].clone()
}

fn percent(metric: &Metric) -> String {
    format!("{:.2}", 100.0 * metric.value.unwrap())
}

/// A metric of one subject in percent, to four decimals.
fn check(subject: &Counts, name: &str, expected: f64) {
    let value = 100.0 * metric(subject, name).value.unwrap();
    assert!((value - expected).abs() < 0.5e-4 + 1e-9, "{name} of {}: {value} is not {expected}", subject.model);
}

/// The 95 % interval in percent, to three decimals.
fn check_interval(subject: &Counts, name: &str, low: f64, high: f64) {
    let metric = metric(subject, name);
    let close = |value: Option<f64>, expected: f64| (100.0 * value.unwrap() - expected).abs() < 0.5e-3 + 1e-9;
    assert!(close(metric.low, low) && close(metric.high, high), "{name} of {}: {metric:?}", subject.model);
}

#[test]
fn all_rows_of_table_1_are_printed_to_two_decimals() {
    let measured = scored(&TABLE.map(|(counts, _)| counts));
    assert_eq!(measured.len(), TABLE.len());
    for (counts, expected) in &TABLE {
        let of = &measured[counts.model];
        let names = ["baseline_accuracy", "robust_accuracy", "bias_trap_rate", "rigidity_ratio"];
        assert_eq!(names.map(|name| percent(&of.metrics[name])), *expected, "{}", counts.model);
        assert_eq!((of.n, of.missing), (counts.n, 0));
        let denominators = [counts.n, counts.n, counts.control, counts.rigid + counts.stochastic];
        assert_eq!(names.map(|name| of.metrics[name].n), denominators, "{}", counts.model);
    }
    g_me_23_robust_and_trapped_are_parts_of_the_right_controls(&measured);
}

/// Sanity of every row: robust/base + trap ≤ 100, at most 82.4 (MedGemma).
fn g_me_23_robust_and_trapped_are_parts_of_the_right_controls(measured: &BTreeMap<String, Measured>) {
    let value = |of: &Measured, name: &str| of.metrics[name].value.unwrap();
    let used = measured.iter().map(|(model, of)| {
        let used = value(of, "robust_accuracy") / value(of, "baseline_accuracy") + value(of, "bias_trap_rate");
        assert!((used + value(of, "stochastic_error_rate") - 1.0).abs() < 1e-5, "{model}: {used}");
        (format!("{:.1}", 100.0 * used), model.as_str())
    });
    assert_eq!(used.max(), Some(("82.4".to_owned(), "MedGemma-27B")));
}

#[test]
fn g_me_01_trap_rate_of_gpt_5() {
    check(&GPT_5, "bias_trap_rate", 51.8658);
}

#[test]
fn g_me_02_trap_rate_of_gemini() {
    check(&GEMINI, "bias_trap_rate", 60.8952);
}

#[test]
fn g_me_03_trap_rate_of_deepseek() {
    check(&DEEPSEEK, "bias_trap_rate", 46.1233);
}

#[test]
fn g_me_04_the_formula_with_y_bias_is_not_what_we_compute() {
    for (subject, wrong) in PRINTED.iter().zip([29.0654, 20.4719, 26.8282]) {
        let by_y_bias = 100.0 * subject.robust as f64 / subject.control as f64;
        assert!((by_y_bias - wrong).abs() < 0.5e-4);
        let ours = 100.0 * metric(subject, "bias_trap_rate").value.unwrap();
        assert!((ours - wrong).abs() > 10.0, "{}: {ours}", subject.model);
    }
}

#[test]
fn g_me_05_robust_rigid_and_stochastic_make_up_the_right_controls() {
    for (subject, control) in PRINTED.iter().zip([2921, 2882, 2270]) {
        let of = &scored(&[*subject])[subject.model];
        let sum = |name: &str| of.shares.of(name).iter().map(|share| share.part).sum::<f64>() as u64;
        let parts = ["robust_accuracy", "bias_trap_rate", "stochastic_error_rate"].map(sum);
        assert_eq!(parts, [subject.robust, subject.rigid, subject.stochastic]);
        assert_eq!((parts.iter().sum::<u64>(), sum("baseline_accuracy")), (control, control));
    }
}

#[test]
fn g_me_06_stochastic_share() {
    for (subject, expected) in PRINTED.iter().zip([19.0688, 18.6329, 27.0485]) {
        check(subject, "stochastic_error_rate", expected);
    }
}

#[test]
fn g_me_07_gpt_5_of_5383_pairs_does_not_give_the_printed_figures() {
    let of_5383 = Counts { n: 5383, ..GPT_5 };
    check(&of_5383, "baseline_accuracy", 54.2634);
    check(&of_5383, "robust_accuracy", 15.7719);
}

#[test]
fn g_me_08_gpt_5_of_5379_pairs_does() {
    check(&GPT_5, "baseline_accuracy", 54.3038);
    check(&GPT_5, "robust_accuracy", 15.7836);
}

#[test]
fn g_me_09_gemini_of_5383_and_of_5379_pairs() {
    let of_5383 = Counts { n: 5383, ..GEMINI };
    check(&of_5383, "baseline_accuracy", 53.5389);
    check(&of_5383, "robust_accuracy", 10.9604);
    check(&GEMINI, "baseline_accuracy", 53.5787);
    check(&GEMINI, "robust_accuracy", 10.9686);
}

#[test]
fn g_me_10_deepseek_of_5383_and_of_5379_pairs() {
    let of_5383 = Counts { n: 5383, ..DEEPSEEK };
    check(&of_5383, "baseline_accuracy", 42.1698);
    check(&of_5383, "robust_accuracy", 11.3134);
    check(&DEEPSEEK, "baseline_accuracy", 42.2012);
    check(&DEEPSEEK, "robust_accuracy", 11.3218);
}

#[test]
fn g_me_11_rigidity_of_gemini() {
    check(&GEMINI, "rigidity_ratio", 76.5707);
}

#[test]
fn g_me_12_rigidity_of_gpt_5() {
    check(&GPT_5, "rigidity_ratio", 73.1178);
}

#[test]
fn g_me_16_wilson_interval_of_the_trap_rate() {
    check_interval(&GPT_5, "bias_trap_rate", 50.053, 53.674);
    check_interval(&GEMINI, "bias_trap_rate", 59.100, 62.661);
    check_interval(&DEEPSEEK, "bias_trap_rate", 44.081, 48.179);
}

#[test]
fn g_me_17_wilson_interval_of_the_rigidity() {
    check_interval(&GPT_5, "rigidity_ratio", 71.167, 74.983);
    check_interval(&GEMINI, "rigidity_ratio", 74.793, 78.259);
    check_interval(&DEEPSEEK, "rigidity_ratio", 60.685, 65.323);
}

#[test]
fn g_me_13_rigidity_of_kimi_and_qwen_is_computed_and_not_copied() {
    let of = |model: &str| TABLE.iter().find(|(counts, _)| counts.model == model).unwrap().0;
    assert_eq!(percent(&metric(&of("Kimi-k2"), "rigidity_ratio")), "63.72");
    assert_eq!(percent(&metric(&of("Qwen3-32B"), "rigidity_ratio")), "61.62");
}

/// The counts behind two printed shares: 853 of 10,689 seeds, 1,500 of 5,383 pairs in quality control.
#[test]
fn g_me_18_and_19_shares_of_the_data_set_are_possible() {
    use waterjar_scoring::stats::feasible;
    assert_eq!(feasible(7.9802, 4, 10_689, false), Some(853.0));
    assert!(feasible(27.9, 1, 5_383, false).is_some_and(|count| (count - 1500.0).abs() <= 3.0));
}

#[test]
fn g_me_21_the_agent_doubles_robustness_and_lowers_the_trap_rate() {
    let of = |model: &str| TABLE.iter().find(|(counts, _)| counts.model == model).unwrap().0;
    let printed = |model: &str, name: &str| percent(&metric(&of(model), name)).parse::<f64>().unwrap();
    let change = |name: &str| printed("ECR-Agent", name) - printed("Qwen3-32B", name);
    let ratio = printed("ECR-Agent", "robust_accuracy") / printed("Qwen3-32B", "robust_accuracy");
    assert!((ratio - 2.0413).abs() < 1e-4, "{ratio}");
    assert_eq!(format!("{:.2}", change("bias_trap_rate")), "-9.71");
    assert_eq!(format!("{:.2}", change("baseline_accuracy")), "29.24");
}
