"""Waterjar from Python: score outputs, compare texts, agreement of raters, rewards, and runs as tables.

Clinical content is illustrative and not for patient care.
"""

from waterjar._waterjar import SUITES, __version__
from waterjar.figures import agree, score
from waterjar.likeness import sts
from waterjar.rewards import Judge, Verdict, reward
from waterjar.runs import Run, read_run

__all__ = ["SUITES", "Judge", "Run", "Verdict", "__version__", "agree", "read_run", "reward", "score", "sts"]
