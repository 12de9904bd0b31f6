"""How alike texts are."""

import os
from pathlib import Path

import pytest
import waterjar


def has_model():
    try:
        waterjar.sts([("a", "a")])
    except FileNotFoundError:
        return False
    return True


needs_model = pytest.mark.skipif(not has_model(), reason="all-MiniLM-L6-v2 is not here: set WATERJAR_EMBEDDER")


@needs_model
def test_meaning_counts_and_not_letters():
    same, near, far, none = waterjar.sts(
        [
            ("He has a fever.", "He has a fever."),
            ("He has a fever.", "His temperature is raised."),
            ("He has a fever.", "The train leaves at noon."),
            ("", "He has a fever."),
        ]
    )
    assert same == pytest.approx(1.0, abs=1e-5)
    assert same > near > far
    assert none is None


@needs_model
def test_many_pairs_come_back_in_their_order():
    pairs = [(f"He has had a cough for {days} days.", "He has a cough.") for days in range(1100)]
    found = waterjar.sts(pairs)
    assert len(found) == 1100
    assert found[7] == pytest.approx(waterjar.sts([pairs[7]])[0], abs=1e-4)


def test_a_folder_without_the_model_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="model.safetensors"):
        waterjar.sts([("a", "b")], model=tmp_path)
