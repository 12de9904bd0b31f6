//! The page as a whole: what must be on it, what must never be, and that equal data gives equal bytes.

#[path = "../examples/sample/mod.rs"]
mod sample;

use waterjar_core::{BoundCheck, Chart, Figure, figure::Cell};
use waterjar_report::{
    EdgeKind, GraphEdge, GraphNode, GraphView, Lead, Leads, MetricColumn, NodeKind, ReasoningView, ReportData,
    bounds_html, figure_svg, html,
};

const SCRIPT: &str = "<script>alert('x')</script>";

#[test]
fn text_from_outside_is_escaped_everywhere() {
    let mut data = sample::report();
    data.study.name = SCRIPT.to_owned();
    data.study.study_toml = format!("# {SCRIPT}");
    data.study.bounds = vec![bound(None), bound(Some(SCRIPT))];
    let suite = &mut data.suites[0];
    suite.results[0].subject = SCRIPT.into();
    suite.checks[0].reading = SCRIPT.to_owned();
    suite.benchmark.losses.insert(SCRIPT.to_owned(), 1);
    suite.figures[0].title = SCRIPT.to_owned();
    suite.figures[0].caption = SCRIPT.to_owned();
    if let Chart::Heatmap { rows, columns, .. } = &mut suite.figures[0].chart {
        rows[0] = SCRIPT.to_owned();
        columns[0] = SCRIPT.to_owned();
    }
    if let Chart::Scatter { points, .. } = &mut suite.figures[1].chart {
        points[0].label = SCRIPT.to_owned();
    }
    if let Chart::Lines { series, .. } = &mut suite.figures[2].chart {
        series[0].name = SCRIPT.to_owned();
    }
    if let Chart::Stacked { parts, bars } = &mut suite.figures[3].chart {
        parts[0] = SCRIPT.to_owned();
        bars[0].label = SCRIPT.to_owned();
    }
    let family = &mut suite.families[0];
    family.title = format!("{SCRIPT} → \" onclick=\"alert(1)");
    family.control_text = format!("{SCRIPT}\n- I cough.");
    family.variants[0].text = format!("<b>{SCRIPT}\n- I wheeze.");
    family.variants[0].edits[0].inserted = SCRIPT.to_owned();
    family.answers[0].subject = SCRIPT.into();
    family.answers[0].roles[0].named = SCRIPT.to_owned();
    family.answers[0].roles[0].text = format!("</blockquote>{SCRIPT}");
    family.answers[0].roles[0].ranking[0].0 = SCRIPT.to_owned();

    let page = page(&data);
    assert_eq!(page.matches("<script").count(), 1, "only our own script");
    assert!(!page.contains("\" onclick="));
    assert!(!page.contains("</blockquote><script"));
}

fn bound(broken: Option<&str>) -> BoundCheck {
    BoundCheck {
        figure: "einstellung.bias_trap_rate".to_owned(),
        subject: "plain@gestalt".into(),
        demand: "at most 0.4".to_owned(),
        broken: broken.map(str::to_owned),
    }
}

#[test]
fn bounds_are_told_together_and_one_by_one() {
    let mut data = sample::report();
    assert!(!page(&data).contains("<dt>Bounds</dt>"));
    data.study.bounds = vec![bound(None), bound(Some("no figure is called `trap`"))];
    let told = bounds_html(&data.study).unwrap();
    assert!(told.starts_with("1 of 2 broken"), "{told}");
    assert!(told.contains("<li>kept: einstellung.bias_trap_rate of plain@gestalt, at most 0.4</li>"), "{told}");
    assert!(told.contains("<strong>broken</strong>: no figure is called <code>trap</code></li>"), "{told}");
    assert!(page(&data).contains(&told), "the report has the part as it is");
}

#[test]
fn the_example_is_the_first_typical_family() {
    let mut data = sample::report();
    let titles: Vec<String> = data.suites[0].families.iter().map(|it| it.title.clone()).collect();
    assert_ne!(titles[0], titles[1]);
    let told = |data: &ReportData, title: &str| page(data).contains(&format!("For example: {title}"));
    assert!(told(&data, &titles[0]));
    data.suites[0].families[0].is_typical = false;
    assert!(told(&data, &titles[1]) && !told(&data, &titles[0]));
    data.suites[0].families.iter_mut().for_each(|it| it.is_typical = false);
    assert!(told(&data, &titles[0]), "one that is not typical is better than none");
}

#[test]
fn the_page_asks_nothing_of_the_network() {
    let page = page(&sample::report()).replace("http://www.w3.org/2000/svg", "");
    for reference in ["http:", "https:", "src=", "url(", "@import", "<link"] {
        assert!(!page.contains(reference), "{reference}");
    }
}

#[test]
fn every_part_of_the_report_is_on_the_page() {
    let data = sample::report();
    let page = page(&data);
    for figure in &data.suites[0].figures {
        let anchor = format!("<figure id=\"einstellung-{}\"", figure.id);
        assert_eq!(page.matches(&anchor).count(), 1, "{anchor}");
    }
    assert_eq!(page.matches("<details class=\"case\"").count(), 30);
    for part in [
        "Illustrative cases; not for patient care",
        &data.study.study_hash,
        &data.variants_hash,
        "No isomorph: the rival has no like finding",
        "Artefact probe pure pairs",
        "Edits: 3",
        "30 of 326",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn what_all_suites_ask_has_one_hash() {
    let mut data = sample::report();
    let mut other = data.suites[0].clone();
    other.id = "parity".into();
    data.suites.push(other);
    let page = page(&data);
    assert_eq!(page.matches("<dt>variants.jsonl</dt>").count(), 1);
    assert_eq!(page.matches(&data.variants_hash).count(), 1);
}

#[test]
fn missing_answers_are_named_and_counted() {
    let page = page(&sample::report());
    assert!(page.contains("counted neither as right nor as wrong: plain@neighbours in 3\u{a0}families."));
    assert!(page.contains("323 families, <b>3 missing</b>"));
    assert!(page.contains("no answer</span>"));
}

#[test]
fn the_reference_stands_apart_and_is_never_best() {
    let page = page(&sample::report());
    let (_, table) = page.split_once("<table class=\"results main\"").expect("a main table");
    let (table, _) = table.split_once("</table>").expect("its end");
    let (competitors, reference) = table.split_once("<tbody class=\"reference\">").expect("a reference part");
    assert!(!competitors.contains("plain@reference"));
    assert!(reference.contains("not ranked") && reference.contains("plain@reference"));
    assert!(competitors.contains("mark-best") && !reference.contains("mark-best"));
}

/// How often each mark is on the page, and what is said of them below the tables and above, in words.
#[test]
fn the_best_is_marked_with_whoever_cannot_be_told_from_it_and_the_page_says_so() {
    let check = |over: &[&str], best: usize, top: usize, says: &[&str]| {
        let mut data = sample::report();
        let suite = &mut data.suites[0];
        suite.headline.retain(|column| column.name == "bias_trap_rate");
        let over = over.iter().map(|it| (*it).into()).collect();
        suite.leads = Leads::from([("bias_trap_rate".to_owned(), Lead { of: "plain@gestalt".into(), over })]);
        let page = page(&data).replace('\u{a0}', " ");
        let marks = |mark: &str| page.matches(&format!("<span class=\"mark-best\">{mark}</span>")).count();
        assert_eq!((marks("best"), marks("top")), (best, top));
        says.iter().for_each(|it| assert!(page.contains(*it), "{it}"));
        assert!(page.contains("whoever the exact paired test of waterjar compare (5 %, "));
        assert!(!page.contains("overlaps"), "every column was tested pair by pair");
    };
    let all = ["plain@neighbours", "plain@logit", "plain@symptoms-only"];
    check(&all, 1, 0, &["Best, or top where they are several: the best of its column, and whoever"]);
    let care =
        "The paired test of waterjar compare does not tell plain@gestalt from plain@neighbours: read their order";
    check(&all[1..], 0, 2, &[care]);
    check(&[], 0, 0, &["A column in which that is everybody has no mark", "from plain@neighbours, plain@logit and"]);
}

#[test]
fn a_table_wider_than_a_page_comes_in_parts_that_all_name_the_subjects() {
    let mut data = sample::report();
    let suite = &mut data.suites[0];
    let column = suite.headline[0].clone();
    suite.headline = (0..12)
        .map(|place| MetricColumn { name: format!("m{place}"), title: format!("Metric {place}"), ..column.clone() })
        .collect();
    for result in &mut suite.results {
        let metric = result.metrics["bias_trap_rate"].clone();
        result.metrics = (0..12).map(|place| (format!("m{place}"), metric.clone())).collect();
    }
    let page = page(&data);
    let tables: Vec<&str> = page.split("<table class=\"results main\"").skip(1).collect();
    assert_eq!(tables.len(), 2);
    for (table, columns) in tables.iter().zip([0..6, 6..12]) {
        let (table, _) = table.split_once("</table>").expect("its end");
        for subject in data.suites[0].results.iter().map(|result| result.subject.as_str()) {
            assert_eq!(table.matches(&format!("<th scope=\"row\">{subject}<")).count(), 1, "{subject}");
        }
        let heads = (0..12).filter(|place| table.contains(&format!(">Metric {place},&nbsp;%")));
        assert!(heads.eq(columns));
    }
    assert!(page.contains("aria-label=\"Results, 2 of 2\""));
}

#[test]
fn the_summary_is_said_in_words() {
    let page = page(&sample::report()).replace('\u{a0}', " ");
    assert!(page.contains(
        "Best of 4 on the bias trap rate: plain@gestalt was right on 97 % of the controls and kept the old diagnosis in 42 % of the traps"
    ));
    let care = "The 95 % interval of plain@gestalt overlaps those of plain@neighbours and plain@logit: read their order with care.";
    assert!(page.contains(care), "nobody tested them pair by pair");
    assert!(page.contains("Not ranked: plain@prior (too few cases, 21)."), "the table has five and a reference");
}

#[test]
fn equal_data_gives_equal_bytes() {
    let data = sample::report();
    let text = serde_json::to_string(&data).expect("report data is plain");
    let again: ReportData = serde_json::from_str(&text).expect("and comes back");
    assert_eq!(page(&data), page(&again));
}

#[test]
fn a_study_without_results_still_gives_a_page() {
    let mut data = sample::report();
    let suite = &mut data.suites[0];
    suite.results.clear();
    suite.figures = vec![empty_heatmap()];
    suite.families.clear();
    suite.checks.clear();
    suite.benchmark.losses.clear();
    assert!(page(&data).contains("No case was lost."));
    data.suites.clear();
    assert!(page(&data).contains("not for patient care"));
}

#[test]
fn cases_of_ones_own_are_not_called_illustrative() {
    let mut data = sample::report();
    data.study.own_cases = true;
    let page = page(&data);
    assert!(page.contains("Cases of your own: they may hold patients' data. Keep this page where the charts may be."));
    assert!(!page.contains("Illustrative cases"));
}

#[test]
fn a_saved_drawing_brings_its_colours() {
    for figure in &sample::report().suites[0].figures {
        let svg = figure_svg(figure, "einstellung");
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>"));
        assert!(svg.contains("prefers-color-scheme"));
        assert!(svg.contains(&format!("<title>{}</title>", figure.title)));
        assert!(!svg.contains("NaN"));
    }
}

/// Paper neither scrolls nor grows: what is wide there takes the whole width or a second line.
#[test]
fn nothing_is_cut_on_paper() {
    let page = page(&sample::report());
    let (_, paper) = page.split_once("@media print").expect("the page has rules for paper");
    for rule in [
        ".scroll { overflow: visible;",
        "pre { white-space: pre-wrap; overflow: visible;",
        "blockquote { max-height: none; overflow: visible; }",
        "figure:has(.heatmap) { grid-column: 1 / -1; }",
        ".strata td.num { white-space: normal;",
        ".scroll:has(> .graph) { display: none; }",
        ".on-paper { display: block; }",
        ".graph-on-paper { break-inside: avoid;",
    ] {
        assert!(paper.contains(rule), "{rule}");
    }
}

/// Made for a screen it would be too small to read.
#[test]
fn the_graph_of_an_answer_has_drawings_of_its_own_on_paper() {
    let mut data = sample::report();
    let node = |kind: NodeKind, text: &str| GraphNode {
        kind,
        text: text.to_owned(),
        note: String::new(),
        link: String::new(),
    };
    let (toe, gout) = (node(NodeKind::Feature, "My toe is swollen."), node(NodeKind::Diagnosis, "Gout"));
    let edges = vec![GraphEdge { from: 0, to: 1, kind: EdgeKind::Support, strength: 0.5 }];
    data.suites[0].reasonings = vec![ReasoningView {
        title: "Gout → Pseudogout".to_owned(),
        subject: "ecr@rules".to_owned(),
        outcome: "right".to_owned(),
        one_liner: String::new(),
        first_impression: Vec::new(),
        streams: Vec::new(),
        verdict: "Gout".to_owned(),
        reasons: Vec::new(),
        tiers: Vec::new(),
        formula: String::new(),
        balance: Vec::new(),
        checklist: Vec::new(),
        notes: Vec::new(),
        graph: GraphView { nodes: vec![toe, gout], edges },
    }];
    let page = page(&data);
    let (screen, paper) = page.split_once("<div class=\"on-paper\">").expect("a part for paper");
    assert!(screen.contains("class=\"chart graph\"") && !screen.contains("class=\"chart graph-on-paper\""));
    assert_eq!(paper.matches("class=\"chart graph-on-paper\"").count(), 1);
    assert!(page.contains("\n.on-paper { display: none; }"), "and not on a screen");
}

/// Headings of closed cases would fill pages; what is open is read on paper too.
#[test]
fn closed_cases_are_not_on_paper_and_it_says_so() {
    let page = page(&sample::report());
    let (screen, paper) = page.split_once("@media print").expect("the page has rules for paper");
    assert!(paper.contains(".case:not([open]) { display: none !important; }"));
    assert!(!paper.contains(".case > :not(summary)"));
    assert!(screen.contains(".print-only { display: none; }") && paper.contains(".print-only { display: block;"));
    assert_eq!(page.matches("<p class=\"print-only\">On paper is what was open").count(), 1);
}

#[test]
fn figures_tell_how_many_cases_they_rest_on() {
    let data = sample::report();
    let page = page(&data).replace('\u{a0}', " ");
    let captions = page.split("<figcaption>").skip(1).filter_map(|it| it.split("</figcaption>").next());
    let captions: Vec<&str> = captions.collect();
    assert_eq!(captions.len(), data.suites[0].figures.len());
    for caption in captions {
        assert!(caption.contains("<small>") && caption.contains(" · n "), "{caption}");
    }
}

#[test]
fn what_was_missed_is_told_in_words_that_hold_for_control_trap_and_sham() {
    assert!(page(&sample::report()).contains(" missed: another answer</span>"));
}

fn page(data: &ReportData) -> String {
    html(data).expect("the template prints plain data")
}

fn empty_heatmap() -> Figure {
    Figure {
        id: "empty".to_owned(),
        title: "Empty".to_owned(),
        caption: String::new(),
        chart: Chart::Heatmap {
            value: "Bias trap rate".to_owned(),
            rows: Vec::new(),
            columns: Vec::new(),
            cells: Vec::<Vec<Option<Cell>>>::new(),
        },
    }
}
