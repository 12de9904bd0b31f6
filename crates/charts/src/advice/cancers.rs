//! Which cancer a text is about.

use crate::boards::Cancer;
use regex::Regex;
use std::sync::LazyLock;

/// Cancers nobody here knows. A chart about one of them may still name ours, in the family history or among others.
static ELSEWHERE: LazyLock<Regex> = LazyLock::new(|| {
    let text = r"(?i)(?:endometrial|uterine|cervical|thyroid|hepatocellular|renal cell) (?:adeno)?(?:carcinoma|cancer)|neoplasm of (?:the )?(?:endometrium|cervix|uterus)|glioblastoma|sarcoma";
    Regex::new(text).expect("a constant")
});

static CANCERS: LazyLock<Vec<(Cancer, Regex)>> = LazyLock::new(|| {
    let pattern = |text: &str| Regex::new(&format!("(?i){text}")).expect("a constant");
    vec![
        (
            Cancer::Breast,
            pattern(
                r"breast cancer|cancer of the breast|ductal carcinoma of the breast|breast carcinoma|invasive ductal carcinoma",
            ),
        ),
        (Cancer::Lung, pattern(r"lung cancer|lung adenocarcinoma|NSCLC|carcinoma of the lung")),
        (Cancer::Colorectal, pattern(r"colorectal cancer|colon cancer|rectal cancer|colon adenocarcinoma")),
        (Cancer::Prostate, pattern(r"prostate cancer|prostatic adenocarcinoma|acinar adenocarcinoma")),
        (Cancer::Melanoma, pattern(r"melanoma")),
        (Cancer::Ovarian, pattern(r"ovarian cancer|ovarian carcinoma|serous carcinoma")),
        (Cancer::Gastric, pattern(r"gastric cancer|stomach cancer|gastroesophageal cancer|gastric adenocarcinoma")),
        (Cancer::Pancreatic, pattern(r"pancreatic cancer|pancreatic (?:ductal )?adenocarcinoma")),
        (Cancer::Bladder, pattern(r"bladder cancer|urothelial carcinoma")),
        (
            Cancer::HeadNeck,
            pattern(
                r"head and neck cancer|head and neck squamous|oropharyn\w+ cancer|laryn\w+ cancer|cancer of the (?:larynx|tongue|oropharynx)",
            ),
        ),
        (Cancer::Lymphoma, pattern(r"lymphoma")),
        (Cancer::Cll, pattern(r"chronic lymphocytic leukemia|\bCLL\b")),
    ]
});

pub(super) fn cancer_of(text: &str) -> Option<Cancer> {
    let counted = CANCERS.iter().map(|(cancer, words)| (words.find_iter(text).count(), *cancer));
    let (times, cancer) = counted.max_by_key(|(times, _)| *times)?;
    (times > ELSEWHERE.find_iter(text).count()).then_some(cancer)
}
