"""A run as tables: what was asked, what was answered, what was judged, and the figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import pyarrow

_VARIANTS = {
    "suite": "string",
    "family": "string",
    "variant": "string",
    "case": "string",
    "role": "string",
    "is_control": "bool",
    "text": "string",
    "expectation": "json",
    "intervention": "json",
    "facts": "json",
    "strata": "json",
    "record": "json",
}
_RESPONSES = {
    "suite": "string",
    "family": "string",
    "variant": "string",
    "role": "string",
    "subject": "string",
    "repeat": "int32",
    "state": "string",
    "answer": "string",
    "reasoning": "string",
    "failure": "string",
    "record": "json",
}
_VERDICTS = {
    "suite": "string",
    "family": "string",
    "variant": "string",
    "role": "string",
    "subject": "string",
    "repeat": "int32",
    "judge": "string",
    "outcome": "string",
    "score": "float64",
    "named": "string",
    "listed": "int32",
    "reason": "string",
    "failure_mode": "string",
    "ranking": "json",
    "parts": "json",
    "audit": "json",
    "strata": "json",
}
_METRICS = {
    "suite": "string",
    "subject": "string",
    "reference": "bool",
    "by": "string",
    "key": "string",
    "metric": "string",
    "value": "float64",
    "low": "float64",
    "high": "float64",
    "n": "int64",
    "missing": "int64",
    "absent": "string",
}


@dataclass(frozen=True)
class Run:
    """The tables of a run. What people filter by is a column; the rest is JSON as text, as in ``waterjar export --format hf``."""

    path: Path
    #: A row per variant.
    variants: pyarrow.Table
    #: A row per answer, or why there is none: ``state`` is ``ok`` or says what went wrong.
    responses: pyarrow.Table
    #: A row per ruling on an answer.
    verdicts: pyarrow.Table
    #: A row per figure. ``by`` and ``key`` name the part of the families it is about; all of them where they are null.
    metrics: pyarrow.Table

    def to_pandas(self) -> dict[str, pandas.DataFrame]:
        """The same as frames, by name."""
        names = ("variants", "responses", "verdicts", "metrics")
        return {name: getattr(self, name).to_pandas() for name in names}


def read_run(path: str | PathLike[str]) -> Run:
    """Reads the files of a run directory into pyarrow tables (``pip install waterjar[tables]``).

    A run that was only varied has no answers yet: tables whose file is not there are empty.
    """
    place = Path(path)
    if not (place / "variants.jsonl").is_file():
        raise FileNotFoundError(f"{place} is no run: it has no variants.jsonl")
    roles: dict[tuple[str, str], tuple[str, str]] = {}
    variants = [_variant(line, roles) for line in _lines(place / "variants.jsonl")]
    responses = [_response(line, roles) for line in _lines(place / "responses.jsonl")]
    verdicts = [row for line in _lines(place / "verdicts.jsonl") for row in _rulings(line)]
    return Run(
        path=place,
        variants=_table(_VARIANTS, variants),
        responses=_table(_RESPONSES, responses),
        verdicts=_table(_VERDICTS, verdicts),
        metrics=_table(_METRICS, list(_figures(place / "metrics.json"))),
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.is_file():
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)


def _variant(line: dict[str, Any], roles: dict[tuple[str, str], tuple[str, str]]) -> dict[str, Any]:
    change = line.get("intervention")
    role = change["name"] if change else "control"
    roles[line["suite"], line["id"]] = (line["family"], role)
    return {**line, "variant": line["id"], "role": role, "is_control": change is None, "strata": line.get("strata", {})}


def _response(line: dict[str, Any], roles: dict[tuple[str, str], tuple[str, str]]) -> dict[str, Any]:
    family, role = roles.get((line["suite"], line["variant"]), (None, None))
    said = line["ending"].get("ok") or {}
    failed = line["ending"].get("failed") or {}
    return {
        **line,
        "family": family,
        "role": role,
        "state": failed.get("state", "ok"),
        "answer": said.get("text"),
        "reasoning": said.get("reasoning"),
        "failure": failed.get("detail"),
        "record": said.get("record"),
    }


def _rulings(line: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for ruling in line["rulings"]:
        yield {
            **{key: line[key] for key in ("suite", "family", "subject", "repeat", "judge")},
            **ruling,
            "failure_mode": (ruling.get("audit") or {}).get("mode"),
            "ranking": ruling.get("ranking", []),
            "parts": ruling.get("parts", {}),
            "strata": ruling.get("strata") or line.get("strata", {}),
        }


def _figures(path: Path) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        return
    for result in json.loads(path.read_text(encoding="utf-8"))["results"]:
        about = {key: result.get(key) for key in ("suite", "subject", "missing")}
        about["reference"] = result.get("reference", False)
        for name, metric in result["metrics"].items():
            yield {**about, **metric, "metric": name}
        for part in result.get("breakdown", []):
            for name, metric in part["metrics"].items():
                yield {**about, **metric, "metric": name, "by": part["by"], "key": part["key"]}


def _table(columns: dict[str, str], rows: list[dict[str, Any]]) -> pyarrow.Table:
    import pyarrow

    def cell(value: Any, kind: str) -> Any:
        return json.dumps(value, ensure_ascii=False) if kind == "json" and value is not None else value

    types = {"string": pyarrow.string(), "json": pyarrow.string(), "bool": pyarrow.bool_(), "int32": pyarrow.int32()}
    types |= {"int64": pyarrow.int64(), "float64": pyarrow.float64()}
    arrays = [pyarrow.array([cell(row.get(name), kind) for row in rows], types[kind]) for name, kind in columns.items()]
    return pyarrow.table(arrays, names=list(columns))
