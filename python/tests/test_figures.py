"""Scores and agreement."""

import json
import math

import pytest
import waterjar

ROWS = [
    {"pair": "1", "gt": "Gout", "bias": "Sepsis", "control": "gout", "trap": "Sepsis"},
    {"pair": "2", "gt": "Gout", "bias": "Sepsis", "control": "Gout", "trap": "Gout"},
    {"pair": "3", "gt": "Gout", "bias": "Sepsis", "control": "Gout", "trap": None},
]


def metrics(figures, subject="outputs"):
    (result,) = [it for it in figures["results"] if it["subject"] == subject]
    return result["metrics"]


def test_rows_become_the_figures_of_the_suite():
    figures = waterjar.score("einstellung", ROWS)
    assert figures["schema"] == "waterjar.metrics/1"
    assert figures["results"][0]["n"] == 3 and figures["results"][0]["missing"] == 1
    found = metrics(figures)
    assert found["baseline_accuracy"]["value"] == 1.0
    assert (found["bias_trap_rate"]["value"], found["bias_trap_rate"]["n"]) == (0.5, 2)
    assert found["bias_trap_rate"]["low"] < 0.5 < found["bias_trap_rate"]["high"]


def test_a_file_and_a_frame_say_the_same_as_rows(tmp_path):
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    expected = waterjar.score("einstellung", ROWS, seed=7)
    assert waterjar.score("einstellung", file, seed=7) == expected
    assert waterjar.score("einstellung", [str(file)], seed=7) == expected
    pyarrow = pytest.importorskip("pyarrow")
    assert waterjar.score("einstellung", pyarrow.Table.from_pylist(ROWS), seed=7) == expected
    pandas = pytest.importorskip("pandas")
    assert waterjar.score("einstellung", pandas.DataFrame(ROWS), seed=7) == expected


def test_the_order_of_rows_changes_nothing():
    assert waterjar.score("einstellung", ROWS) == waterjar.score("einstellung", ROWS[::-1])


def test_parity_compares_texts():
    said = {"original": "The toe is red, so it is gout.", "swapped": "The toe is red, so it is gout.", "neutral": "It may be infected."}
    rows = [{"item": "1", "variant": name, "reasoning": text, "answer": "A"} for name, text in said.items()]
    found = metrics(waterjar.score("parity", rows, embedder="lexical"))
    assert found["sts_mean.original_swapped"]["value"] == pytest.approx(1.0, abs=1e-6)
    assert found["sts_mean.neutral_original"]["value"] < 0.9


@pytest.mark.parametrize(
    ("suite", "rows", "told"),
    [
        ("medicine", ROWS, "einstellung, sensitivity, parity, consult"),
        ("einstellung", [{**ROWS[0], "bias": "Gout"}], "two different labels"),
        ("einstellung", [ROWS[0], ROWS[0]], "row 2: pair `1`"),
        ("einstellung", [{"item": 1}], "the columns are"),
        ("einstellung", [], "no rows"),
        ("einstellung", "no.jsonl", "no.jsonl"),
    ],
)
def test_what_is_wrong_is_told(suite, rows, told):
    with pytest.raises(ValueError, match=told):
        waterjar.score(suite, rows)


def test_agreement_is_that_of_the_books():
    # Two raters, ten items; by hand: Cohen's kappa is (0.7 - 0.5) / (1 - 0.5).
    one = ["a", "a", "a", "a", "a", "b", "b", "b", "b", "b"]
    two = ["a", "a", "a", "b", "b", "a", "b", "b", "b", "b"]
    figures = waterjar.agree(list(zip(one, two)))
    found = figures["results"][0]["metrics"]
    values = [it["value"] for name, it in found.items() if name.startswith("cohen")]
    assert values and values[0] == pytest.approx(0.4)


def test_no_rating_is_no_category():
    rows = [["1", "1"], ["2", None], [2.0, 2], [3, math.nan], ["", 1]]
    figures = waterjar.agree(rows, scale="ordinal")
    assert (figures["results"][0]["n"], figures["results"][0]["missing"]) == (5, 3)


def test_capitals_and_white_space_are_no_categories():
    figures = waterjar.agree([["Yes", "yes"], ["yes ", "yes"], ["no", "No"]])
    raw = figures["results"][0]["metrics"]["raw_agreement"]
    assert (figures["categories"], raw["value"], raw["low"]) == (["no", "yes"], 1.0, None)


def test_words_have_no_order_until_it_is_declared():
    rows = [["low", "low"], ["high", "medium"], ["medium", "medium"]]
    with pytest.raises(ValueError, match="`low` is not a number"):
        waterjar.agree(rows, scale="ordinal")
    assert waterjar.agree(rows, scale="ordinal", categories=["low", "medium", "high"])["results"][0]["n"] == 3
    with pytest.raises(ValueError, match="nominal, ordinal or interval"):
        waterjar.agree(rows, scale="rational")


def test_a_frame_has_a_column_per_rater():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"anna": [1, 2, 3, None], "ben": [1, 2, 2, 1]})
    assert waterjar.agree(frame, scale="interval") == waterjar.agree([[1.0, 1], [2.0, 2], [3.0, 2], [None, 1]], scale="interval")


def test_a_missing_rating_makes_no_other_categories():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"anna": [1, 2, 3, None, 2], "ben": [1, 2, 2, 1, 2]})
    rows = [["1", "1"], ["2", "2"], ["3", "2"], [None, "1"], ["2", "2"]]
    assert waterjar.agree(frame) == waterjar.agree(rows)
    assert waterjar.agree(frame, categories=[1, 2, 3]) == waterjar.agree(rows, categories=["1", "2", "3"])


def test_nothing_of_pandas_is_a_missing_answer():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS).astype("string")
    frame.loc[0, "trap"] = pandas.NA
    before = waterjar.score("einstellung", ROWS)["results"][0]["missing"]
    assert waterjar.score("einstellung", frame)["results"][0]["missing"] == before + 1


@pytest.mark.parametrize("table", [{"anna": [1, 2], "ben": [1, 2]}, ["ab", "cd"], "ab", [{"anna": 1, "ben": 2}]])
def test_what_is_no_table_is_told(table):
    with pytest.raises(ValueError, match="a place per rater"):
        waterjar.agree(table)
