//! A gate as JUnit XML, which every build server shows: a test per bound and subject, and one per subject for answers that are missing.

use crate::figure::escape;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One thing that was demanded of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct GateCase {
    pub suite: String,
    /// `bias_trap_rate of ecr@rules: at most 0.4`
    pub name: String,
    pub verdict: GateVerdict,
}

#[derive(Clone, Debug, PartialEq)]
pub enum GateVerdict {
    Kept,
    /// A bound that does not hold, and how.
    Broken(String),
    /// Something is missing, so that a bound that holds may not be the whole truth.
    Incomplete(String),
}

pub fn junit(study: &str, cases: &[GateCase]) -> String {
    let mut suites: BTreeMap<&str, Vec<&GateCase>> = BTreeMap::new();
    for case in cases {
        suites.entry(&case.suite).or_default().push(case);
    }
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let all: Vec<&GateCase> = cases.iter().collect();
    let _ = writeln!(xml, "<testsuites name=\"{}\" {}>", escape(study), counts(&all));
    for (suite, cases) in suites {
        let _ = writeln!(xml, "  <testsuite name=\"{}\" {}>", escape(suite), counts(&cases));
        for case in cases {
            let head = format!("<testcase classname=\"{}\" name=\"{}\"", escape(suite), escape(&case.name));
            let _ = match &case.verdict {
                GateVerdict::Kept => writeln!(xml, "    {head}/>"),
                GateVerdict::Broken(how) => {
                    writeln!(xml, "    {head}><failure message=\"{}\"/></testcase>", escape(how))
                }
                GateVerdict::Incomplete(what) => {
                    writeln!(xml, "    {head}><error message=\"{}\"/></testcase>", escape(what))
                }
            };
        }
        xml.push_str("  </testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn counts(cases: &[&GateCase]) -> String {
    let of = |wanted: fn(&GateVerdict) -> bool| cases.iter().filter(|case| wanted(&case.verdict)).count();
    let failures = of(|it| matches!(it, GateVerdict::Broken(_)));
    let errors = of(|it| matches!(it, GateVerdict::Incomplete(_)));
    format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"", cases.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, verdict: GateVerdict) -> GateCase {
        GateCase { suite: "einstellung".to_owned(), name: name.to_owned(), verdict }
    }

    #[test]
    fn broken_bounds_are_failures_and_missing_answers_errors() {
        let cases = [
            case("a", GateVerdict::Kept),
            case("b <\"x\">", GateVerdict::Broken("0.5 > 0.4".to_owned())),
            case("c", GateVerdict::Incomplete("3 families".to_owned())),
        ];
        assert_eq!(
            junit("night & day", &cases),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuites name=\"night &amp; day\" tests=\"3\" failures=\"1\" errors=\"1\">\n  \
             <testsuite name=\"einstellung\" tests=\"3\" failures=\"1\" errors=\"1\">\n    \
             <testcase classname=\"einstellung\" name=\"a\"/>\n    \
             <testcase classname=\"einstellung\" name=\"b &lt;&quot;x&quot;&gt;\"><failure message=\"0.5 &gt; 0.4\"/></testcase>\n    \
             <testcase classname=\"einstellung\" name=\"c\"><error message=\"3 families\"/></testcase>\n  \
             </testsuite>\n</testsuites>\n"
        );
    }
}
