"""What an answer is worth, for reinforcement learning: what ``POST /v1/score`` does, without a server (docs/score.md)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Optional, TypedDict

from waterjar import _waterjar
from waterjar.likeness import model_folder


class Verdict(TypedDict):
    """What the rules of a suite say of an answer."""

    suite: str
    family: str
    variant: str
    role: str
    judge: str
    #: ``right``, ``partly``, ``trapped``, ``missed`` or ``missing``
    outcome: str
    #: From 0 to 1. ``None`` where there is nothing to rule on, or nothing to hold the answer against, which is no reward of 0.
    score: Optional[float]
    reason: str
    #: The condition the answer puts first, where one was recognised.
    named: Optional[str]
    parts: dict[str, float]


class Judge:
    """One suite of a run, opened for judging. No model is asked, nothing is stored, and the run is not changed.

    A rule can be pleased by what would not please a physician: look at what a policy learns to say.
    """

    def __init__(
        self,
        run: str | PathLike[str],
        suite: str | None = None,
        *,
        model: str | PathLike[str] | None = None,
    ) -> None:
        place = Path(run)
        study = place / "study.toml"
        if not study.is_file():
            raise FileNotFoundError(f"{place} is no run: it has no study.toml")
        kept = _kept(place)
        sources: dict[str, str] = json.loads(kept.get("sources") or "{}")
        # With its source's fingerprint a suite can do without its cases, which may be gone.
        source = sources.get(suite) if suite else next(iter(sources.values()), None)
        folder = Path(kept.get("study_folder") or place)
        text = study.read_text(encoding="utf-8")
        self._judge = _waterjar.Judge(text, suite, folder, place / "inputs", source, model_folder(model))
        self._families, self._of = _families(place / "variants.jsonl", self._judge.suite)

    @property
    def suite(self) -> str:
        """As the study calls it."""
        return self._judge.suite

    @property
    def variants(self) -> list[str]:
        """The ids of all variants that can be answered, in the order of the run."""
        return list(self._of)

    def score(
        self,
        variant: str,
        answer: str,
        *,
        reasoning: str | None = None,
        others: Mapping[str, str] | None = None,
        others_reasoning: Mapping[str, str] | None = None,
    ) -> Verdict:
        """The verdict on an answer to a variant.

        ``others`` are answers to other variants of the same family, by role. Verdicts are contrasts: ``parity``, and what
        ``sensitivity`` and ``consult`` say of a change, need the control's answer as ``{"control": "…"}``.

        ``others_reasoning`` is what was thought before these, by role, where it is apart from the answer as ``reasoning`` is:
        ``parity`` compares reasonings, and without it compares one that is told with none.
        """
        try:
            family = self._families[self._of[variant]]
        except KeyError:
            raise KeyError(f"the suite {self.suite} has no variant {variant}") from None
        told = self._judge.score(f"[{','.join(family)}]", variant, answer, reasoning, _others(others, others_reasoning))
        verdict: Verdict = json.loads(told)
        return verdict

    def reward(
        self,
        variant: str,
        answer: str,
        *,
        reasoning: str | None = None,
        others: Mapping[str, str] | None = None,
        others_reasoning: Mapping[str, str] | None = None,
    ) -> float | None:
        """The score alone: from 0 to 1, ``None`` where there is nothing to rule on or to hold the answer against."""
        found = self.score(variant, answer, reasoning=reasoning, others=others, others_reasoning=others_reasoning)
        return found["score"]


def reward(
    run: str | PathLike[str],
    variant: str,
    answer: str,
    *,
    suite: str | None = None,
    reasoning: str | None = None,
    others: Mapping[str, str] | None = None,
    others_reasoning: Mapping[str, str] | None = None,
) -> float | None:
    """What one answer is worth. Opens the run each time: keep a :class:`Judge` for more than a few."""
    judge = Judge(run, suite)
    return judge.reward(variant, answer, reasoning=reasoning, others=others, others_reasoning=others_reasoning)


def _others(
    answers: Mapping[str, str] | None, reasoning: Mapping[str, str] | None
) -> dict[str, tuple[str, Optional[str]]]:
    """By role, the answer and what was thought before it."""
    said: Mapping[str, str] = answers or {}
    thought: Mapping[str, str] = reasoning or {}
    for role in thought:
        if role not in said:
            raise ValueError(f"others_reasoning: others holds no answer of {role}")
    return {role: (answer, thought.get(role)) for role, answer in said.items()}


def _kept(run: Path) -> dict[str, str]:
    """What the run remembers of where its study lay; nothing where it is kept on a server."""
    database = run / "run.sqlite"
    if not database.is_file():
        return {}
    # Read only: whoever is at work on the run is not disturbed.
    held = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
    try:
        return dict(held.execute("SELECT key, value FROM meta WHERE key IN ('study_folder', 'sources')").fetchall())
    finally:
        held.close()


def _families(path: Path, suite: str) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The lines of each family, and the family of each variant."""
    families: dict[str, list[str]] = {}
    of: dict[str, str] = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            variant = json.loads(line)
            if variant["suite"] == suite:
                families.setdefault(variant["family"], []).append(line.strip())
                of[variant["id"]] = variant["family"]
    return families, of
