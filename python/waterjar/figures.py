"""Figures from outputs made elsewhere, and agreement of raters."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Union

from waterjar import _waterjar
from waterjar.likeness import model_folder

#: Rows as dictionaries, a pandas frame, a pyarrow table, a file, or files.
Rows = Union[str, "PathLike[str]", Sequence["str | PathLike[str]"], Iterable[Mapping[str, Any]], Any]


def score(
    suite: str,
    rows: Rows,
    *,
    seed: int = 0,
    embedder: str = "auto",
    model: str | PathLike[str] | None = None,
) -> dict[str, Any]:
    """Figures of a suite from outputs made elsewhere, in the shape of ``metrics.json``.

    ``rows`` are what ``waterjar score`` reads (docs/formats.md): dictionaries, a pandas frame, a pyarrow table, or the
    name of a JSON Lines, CSV or Parquet file. A missing answer is ``None`` and never a zero: it is counted in
    ``missing`` beside every figure.

    ``embedder`` is for ``parity``, which compares texts: ``minilm``, ``minilm-windows``, ``lexical``, or ``auto`` for
    MiniLM where its files are found. ``model`` is their folder.

    >>> rows = [{"pair": "1", "gt": "Gout", "bias": "Sepsis", "control": "Gout", "trap": "Gout"}]
    >>> score("einstellung", rows)["results"][0]["metrics"]["bias_trap_rate"]["value"]
    1.0
    """
    folder = model_folder(model)
    files = _files(rows)
    if files is not None:
        return _read(_waterjar.score(suite, files, seed, embedder, folder))
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "rows.jsonl"
        with file.open("w", encoding="utf-8") as out:
            for row in _dicts(rows):
                json.dump({key: _plain(value) for key, value in row.items()}, out, allow_nan=False)
                out.write("\n")
        try:
            return _read(_waterjar.score(suite, [file], seed, embedder, folder))
        except ValueError as error:
            # Nobody knows the file; rows are counted from 1, as its lines are.
            raise ValueError(str(error).replace(f"{file}, line ", "row ").replace(f"{file}", "rows")) from None


def agree(
    table: Any,
    *,
    scale: str = "nominal",
    categories: Sequence[object] = (),
    seed: int = 0,
) -> dict[str, Any]:
    """How far raters agree: every coefficient that fits the scale, with intervals, in the shape of ``metrics.json``.

    ``table`` has a row per item and a place per rater; ``None`` and ``nan`` are no rating. A pandas frame or a pyarrow
    table has a column per rater, and no other columns. ``scale`` is ``nominal``, ``ordinal`` or ``interval``;
    ``categories`` is the scale in its order, where it is known: some coefficients count what could have been chosen.
    Neither case nor white space around a rating makes another category; those that were told apart are in
    ``categories``.

    >>> found = agree([["yes", "yes"], ["no", "no"], ["yes", "no"], ["no", "no"]])
    >>> found["results"][0]["metrics"]["raw_agreement"]["value"]
    0.75
    """
    rows = [[_label(rating) for rating in row] for row in _lists(table)]
    names = [str(_label(category)) for category in categories]
    return _read(_waterjar.agree(rows, scale, names, seed))


def _read(text: str) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads(text)
    return figures


def _files(rows: Rows) -> list[Path] | None:
    if isinstance(rows, (str, PathLike)):
        return [Path(fspath(rows))]
    if isinstance(rows, (list, tuple)) and rows and all(isinstance(it, (str, PathLike)) for it in rows):
        return [Path(fspath(it)) for it in rows]
    return None


def _dicts(rows: Any) -> Any:
    if hasattr(rows, "to_pylist"):
        return rows.to_pylist()  # pyarrow
    if hasattr(rows, "to_dict") and hasattr(rows, "columns"):
        return rows.to_dict(orient="records")  # pandas
    return rows


def _lists(table: Any) -> Any:
    if hasattr(table, "to_pylist"):
        return [list(row.values()) for row in table.to_pylist()]  # pyarrow
    if hasattr(table, "itertuples"):
        return table.itertuples(index=False)  # pandas
    if hasattr(table, "rows") and hasattr(table, "columns"):
        return table.rows()  # polars
    if isinstance(table, (str, Mapping)):
        raise ValueError("a table has a row per item and a place per rater: a list of lists, a frame or a pyarrow table")
    return [_places(row) for row in table]


def _places(row: Any) -> Any:
    """A text has letters and a dictionary has names, and neither are ratings."""
    if isinstance(row, (str, Mapping)):
        raise ValueError(f"{row!r} is no row of ratings: write a list with a place per rater")
    return row


def _plain(value: Any) -> Any:
    """As JSON has it; pandas writes ``nan``, ``<NA>`` and ``NaT`` for nothing."""
    if hasattr(value, "item"):
        value = value.item()  # numpy
    is_nothing = isinstance(value, float) and math.isnan(value) or type(value).__name__ in ("NAType", "NaTType")
    return None if is_nothing else value


def _label(rating: Any) -> str | None:
    rating = _plain(rating)
    if rating is None or rating == "":
        return None
    # Whole numbers with one missing are 1.0, 2.0 in a frame.
    return str(int(rating)) if isinstance(rating, float) and rating.is_integer() else str(rating)
