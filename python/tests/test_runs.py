"""A run as tables."""

import json
import subprocess

import pytest
import waterjar

pyarrow = pytest.importorskip("pyarrow")


def test_every_line_of_a_run_is_a_row(run):
    tables = waterjar.read_run(run)
    count = lambda name: sum(1 for _ in (run / name).open(encoding="utf-8"))
    assert tables.variants.num_rows == count("variants.jsonl") > 0
    assert tables.responses.num_rows == count("responses.jsonl") > 0
    rulings = [len(json.loads(line)["rulings"]) for line in (run / "verdicts.jsonl").open(encoding="utf-8")]
    assert tables.verdicts.num_rows == sum(rulings) > 0
    assert set(tables.responses.column("state").to_pylist()) == {"ok"}
    assert None not in tables.responses.column("role").to_pylist()
    first = tables.variants.slice(0, 1).to_pylist()[0]
    assert first["is_control"] == (first["role"] == "control") and json.loads(first["expectation"])["kind"]


def test_figures_are_those_of_metrics_json(run):
    rows = waterjar.read_run(run).metrics.to_pylist()
    for result in json.loads((run / "metrics.json").read_text(encoding="utf-8"))["results"]:
        for name, metric in result["metrics"].items():
            (row,) = [
                it
                for it in rows
                if (it["suite"], it["subject"], it["metric"], it["by"]) == (result["suite"], result["subject"], name, None)
            ]
            assert (row["value"], row["low"], row["high"], row["n"]) == (metric["value"], metric["low"], metric["high"], metric["n"])


def test_the_tables_are_those_of_the_export(run, program, tmp_path):
    """Where a column has the same name as in the Parquet export, it says the same."""
    subprocess.run([program, "--quiet", "export", run, "--format", "hf", "--out", tmp_path / "set"], check=True, stdout=subprocess.DEVNULL)
    import pyarrow.parquet

    tables = waterjar.read_run(run)
    for ours, name in ((tables.variants, "benchmark"), (tables.responses, "responses"), (tables.verdicts, "verdicts")):
        (file,) = (tmp_path / "set" / "data").glob(f"{name}-*.parquet")
        theirs = pyarrow.parquet.read_table(file)
        assert theirs.num_rows == ours.num_rows
        shared = [it for it in ours.column_names if it in theirs.column_names and it not in ("text", "expectation")]
        assert len(shared) >= 10
        key = lambda row: tuple(str(row[it]) for it in ("suite", "variant", "subject", "repeat", "judge") if it in row)
        for a, b in zip(sorted(ours.to_pylist(), key=key), sorted(theirs.to_pylist(), key=key)):
            for column in shared:
                one, other = a[column], b[column]
                if isinstance(one, str) and one[:1] in "[{" and isinstance(other, str):
                    one, other = json.loads(one), json.loads(other)
                assert one == other, (name, column)


def test_frames_where_pandas_is_there(run):
    pytest.importorskip("pandas")
    frames = waterjar.read_run(run).to_pandas()
    assert set(frames) == {"variants", "responses", "verdicts", "metrics"}
    assert (frames["verdicts"].groupby("outcome").size() > 0).all()


def test_what_is_no_run_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="no variants.jsonl"):
        waterjar.read_run(tmp_path)
