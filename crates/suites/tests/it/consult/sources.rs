//! Patients from elsewhere: what of them cannot be asked, and the published cases where they are at hand.

use super::*;
use std::path::PathBuf;
use waterjar_consultations::Trap;

#[tokio::test]
async fn what_cannot_be_asked_is_lost_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cases.json");
    let case = |id: &str, symptoms: &str, candidates: &str| {
        format!(
            "{{\"id\":\"{id}\",\"explicit_symptoms\":[{symptoms}],\"candidate_diseases\":[{candidates}],\"disease\":\"小儿肺炎\"}}"
        )
    };
    let cases = [
        case("empty", "", "\"哮喘\""),
        case("denied", "[\"咳嗽\",\"False\"]", "\"哮喘\""),
        case("both", "[\"咳嗽\",\"True\"],[\"咳嗽\",\"False\"]", "\"哮喘\""),
        case("unheard", "[\"某某某\",\"True\"]", "\"哮喘\""),
        case("alone", "[\"咳嗽\",\"True\"]", "\"肺炎\",\"急性肺炎\""),
    ];
    std::fs::write(&path, format!("[{}]", cases.join(","))).unwrap();
    let source = Dx::open("dx:cases.json", &path).unwrap();
    let suite = Consult::of_names(
        in_language("zh"),
        Arc::new(Language::named("zh").unwrap()),
        source.diseases(&Language::named("zh").unwrap()),
    );
    let mut told = Vec::new();
    for case in source.cases() {
        let case = case.unwrap();
        let screened = suite.screen(&case).map_err(|loss| loss.reason);
        told.push(match screened {
            Err(reason) => reason,
            Ok(_) => family(&suite, &case)
                .await
                .map_or_else(|reason| reason, |made| format!("{:?}", Record::of(&made[0]).not_made)),
        });
    }
    let left = "{\"history\": \"no_differential\", \"misplaced\": \"too_few_symptoms\", \"self_diagnosis\": \"no_differential\"}";
    assert_eq!(told, ["no_symptoms", "no_symptoms", "contradictory_symptoms", "no_rumor", left]);
}

#[tokio::test]
async fn the_share_of_valid_letters_is_of_all_that_were_to_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cases.json");
    let case = |id: &str, symptom: &str| {
        format!(
            "{{\"id\":\"{id}\",\"explicit_symptoms\":[[\"{symptom}\",\"True\"]],\"candidate_diseases\":[\"哮喘\"],\"disease\":\"小儿肺炎\"}}"
        )
    };
    std::fs::write(&path, format!("[{},{}]", case("heard", "咳嗽"), case("unheard", "某某某"))).unwrap();
    let source = Dx::open("dx:cases.json", &path).unwrap();
    let suite = Consult::of_names(
        in_language("zh"),
        Arc::new(Language::named("zh").unwrap()),
        source.diseases(&Language::named("zh").unwrap()),
    );
    let mut all = Vec::new();
    for case in source.cases() {
        match suite.vary(&SuiteContext::new(Seed(7)), &case.unwrap()).await.unwrap() {
            Varied::Family(it) | Varied::Rejected(_, it) => all.push(it),
            Varied::Lost(loss) => panic!("{loss:?}"),
        }
    }
    let audited = suite.audit(&SuiteContext::new(Seed(7)), &mut all.into_iter());
    let valid = audited.checks.iter().find(|it| it.name == "letters_valid").unwrap();
    // Three of the first, who has nothing to misplace; none of the second, about whose complaint nobody knows a rumor.
    assert_eq!((valid.value, valid.n), (0.375, 8), "{:?}", audited.accounts);
}

fn test_data(what: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("WATERJAR_TEST_DATA") else {
        eprintln!("skipped: WATERJAR_TEST_DATA does not name the folder with {what}");
        return None;
    };
    Some(PathBuf::from(folder).join(what))
}

#[tokio::test]
async fn every_published_case_gives_four_letters_or_a_named_reason_and_what_is_denied_stays_denied() {
    let Some(folder) = test_data("dx-zh") else { return };
    let language = Arc::new(Language::named("zh").unwrap());
    for (file, cases, denied, ambiguous) in
        [("DxBench_zh.json", 800, DENIED_DXBENCH, 6), ("Dxy_zh.json", 70, DENIED_DXY, 0)]
    {
        let source = Dx::open("dx:file", &folder.join(file)).unwrap();
        let suite = Consult::of_names(in_language("zh"), Arc::clone(&language), source.diseases(&language));
        let (mut seen, mut letters, mut whole, mut kept) = (0, 0, 0, 0);
        let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
        for case in source.cases() {
            let case = case.unwrap();
            seen += 1;
            let negated: Vec<&str> = case.text.lines().filter_map(|line| line.strip_prefix("- ")).collect();
            let lost = suite.screen(&case).err().map(|it| it.reason);
            let made = match lost {
                Some(reason) => Varied::Lost(waterjar_core::Loss::new(&reason)),
                None => suite.vary(&SuiteContext::new(Seed(7)), &case).await.unwrap(),
            };
            // Also where there is no letter, there may be a raw question.
            let (made, lost) = match made {
                Varied::Family(made) => (made, None),
                Varied::Rejected(loss, made) => (made, Some(loss)),
                Varied::Lost(loss) => (Vec::new(), Some(loss)),
            };
            lost.iter().for_each(|it| *reasons.entry(it.reason.clone()).or_default() += 1);
            let Some(record) = made.first().filter(|it| !it.text.is_empty()).map(Record::of) else { continue };
            let names = &record.names;
            assert!(made.iter().all(|it| names.iter().all(|name| !it.text.contains(name.as_str()))), "{}", case.id);
            record.not_made.values().for_each(|why| *reasons.entry(format!("letter: {why}")).or_default() += 1);
            assert_eq!(made.len() - 1 + record.not_made.len(), Trap::ALL.len(), "{}", case.id);
            letters += made.len() - 1;
            whole += usize::from(made.len() == 5);
            kept += negated.len();
            let turned = |text: &&&str| text.starts_with(['不', '无', '没', '未']) || text.contains("正常");
            assert_eq!(negated.iter().find(turned), None, "{}: denied twice over", case.id);
            for (variant, text) in made.iter().flat_map(|it| negated.iter().map(move |text| (it, *text))) {
                assert!(variant.text.contains(&format!("没有{text}。")), "{} {text}: {}", variant.id, variant.text);
            }
        }
        assert_eq!(seen, cases);
        assert_eq!(kept, denied, "{file}: {reasons:?}");
        assert_eq!(reasons.get("ambiguous_denial").copied().unwrap_or(0), ambiguous, "{file}: {reasons:?}");
        eprintln!(
            "{file}: {seen} cases, {letters} letters, {whole} with all four; {reasons:?}; {kept} denied findings kept"
        );
    }
}

#[test]
fn no_candidate_of_the_published_file_is_the_disease_itself() {
    let Some(folder) = test_data("dx-zh") else { return };
    let language = Language::named("zh").unwrap();
    let mut passed: BTreeSet<(String, String)> = BTreeSet::new();
    for case in waterjar_consultations::dx::open(&folder.join("DxBench_zh.json")).unwrap() {
        let told: Vec<String> = case.symptoms.iter().filter(|(_, there)| *there).map(|(it, _)| it.clone()).collect();
        let found =
            waterjar_consultations::author::distractors_of_names(&language, &case.disease, &told, &case.candidates);
        passed.extend(found.into_iter().map(|it| (case.disease.clone(), it.name)));
    }
    assert!(passed.len() > 800, "most may distract: {}", passed.len());
    // Seen by a reader in an earlier version: one disease under two names, a form of it, what the other sex has, an operation.
    for pair in [
        "肩周炎/肩关节周围炎 脑梗塞/脑梗死 月经不调/月经失调 植物神经紊乱/植物神经功能紊乱 更年期综合征/围绝经期综合征 面瘫/面神经麻痹",
        "面神经炎/面神经麻痹 复发性口腔溃疡/复发性阿弗他溃疡 不孕不育/不孕症 性功能障碍/勃起功能障碍 肺癌/肺腺癌 肺癌/肺鳞癌",
        "腰椎间盘突出/腰椎病 腰椎间盘突出症/腰椎病 脊柱关节炎/强直性脊柱炎 胃食管反流病/反流性食管炎 膝关节损伤/膝关节半月板损伤",
        "外阴炎/前列腺炎 子宫肌瘤/前列腺癌 前列腺炎/盆腔炎 上睑下垂/双眼皮手术",
    ]
    .into_iter()
    .flat_map(|it| it.split(' '))
    {
        let (a, b) = pair.split_once('/').unwrap();
        let is_operation = b == "双眼皮手术";
        for (a, b) in [(a, b), (b, a)].into_iter().take(if is_operation { 1 } else { 2 }) {
            assert!(!passed.contains(&(a.to_owned(), b.to_owned())), "{a} is taken for {b}");
        }
    }
}

/// In the part of the published files that we have. Nine more of DxBench (不痒, 睡眠正常, 身高175厘米) are denials themselves, normal or
/// measured: what it means that they are denied nobody can say, and their six cases are lost by that name.
const DENIED_DXBENCH: usize = 8;
const DENIED_DXY: usize = 38;

#[tokio::test]
async fn patients_of_ddxplus_write_letters_in_english() {
    let Some(data) = test_data("ddxplus-patients") else { return };
    let knowledge = data.with_file_name("ddxplus-kb");
    let source = waterjar_suites::ddxplus_source(&data.join("patients_balanced_98_fr.csv"), Some(&knowledge)).unwrap();
    let suite = Consult::new(Settings::default(), Arc::new(Language::named("en").unwrap()), Arc::clone(source.base()));
    let (mut letters, mut lost): (u64, BTreeMap<String, u64>) = (0, BTreeMap::new());
    let (mut untold, mut own) = (0, 0);
    for case in source.cases() {
        let case = case.unwrap();
        match family(&suite, &case).await {
            Ok(made) => {
                let record = Record::of(&made[0]);
                for text in made.iter().map(|it| &it.text) {
                    assert!(!text.contains(|c: char| c.is_ascii_digit()), "a figure: {text}");
                    let lower = format!(" {} ", text.to_lowercase().replace(['.', ',', ';'], " "));
                    let named = |name: &&String| lower.contains(&format!(" {} ", name.to_lowercase()));
                    assert_eq!(record.names.iter().find(named), None, "{text}");
                }
                untold += record.left_out.len();
                let distractor = made.iter().find_map(|it| Record::of(it).brief?.distractor);
                let listed = &case.facts.as_ref().unwrap().differential;
                own +=
                    u64::from(distractor.is_some_and(|it| listed.iter().any(|known| known.condition == it.condition)));
                letters += made.len() as u64 - 1;
                Record::of(&made[0]).not_made.into_values().for_each(|why| *lost.entry(why).or_default() += 1);
            }
            Err(why) => *lost.entry(format!("patient: {why}")).or_default() += 1,
        }
    }
    eprintln!(
        "ddxplus: {letters} letters; {lost:?}; {untold} findings name the disease; {own} distractors of the patient's own list"
    );
    assert!(letters > 350 && untold > 20, "{letters}, {untold}: {lost:?}");
    assert!(own > 90, "what patients are taken to have is what the source says they could have: {own}");
}
