"""A small run, made once by the program where there is one: WATERJAR_PROGRAM, or target/debug/waterjar."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

STUDY = """
[study]
name = "small"
seed = 7

[[suite]]
kind = "einstellung"
source = "starter"
patients = 3600
pairs = 6
gap = 0.7

[[suite]]
kind = "parity"
source = "starter"
embedder = "lexical"

[[suite]]
kind = "sensitivity"
source = "boards"
cases = 6

[[suite]]
kind = "consult"
source = "starter"
items = 6

[[subject]]
agent = "plain"
model = "logit"
suites = ["einstellung"]

[[subject]]
agent = "plain"
model = "stereotype"
suites = ["parity"]

[[subject]]
agent = "plain"
model = "guideline"
suites = ["sensitivity"]

[[subject]]
agent = "plain"
model = "credulous"
suites = ["consult"]
"""


@pytest.fixture(scope="session")
def program():
    named = os.environ.get("WATERJAR_PROGRAM")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    for path in [Path(named)] if named else [target / "debug" / "waterjar", target / "release" / "waterjar"]:
        if path.is_file():
            return path
    pytest.skip("the program is not built: set WATERJAR_PROGRAM")


@pytest.fixture(scope="session")
def run(program, tmp_path_factory):
    place = tmp_path_factory.mktemp("run")
    (place / "small.toml").write_text(STUDY, encoding="utf-8")
    subprocess.run([program, "--quiet", "run", place / "small.toml", "--out", place / "out"], check=True, stdout=subprocess.DEVNULL)
    return place / "out"
