"""Rewards are the verdicts of the run."""

import json
import subprocess
from collections import defaultdict

import pytest
import waterjar

SUITES = ["einstellung", "parity", "sensitivity", "consult"]


def lines(path, suite):
    with path.open(encoding="utf-8") as file:
        return [it for it in map(json.loads, file) if it["suite"] == suite]


@pytest.mark.parametrize("suite", SUITES)
def test_the_answers_of_a_run_are_worth_what_the_run_says(run, suite):
    judge = waterjar.Judge(run, suite)
    assert judge.suite == suite
    variants = {it["id"]: it for it in lines(run / "variants.jsonl", suite)}
    assert judge.variants == list(variants)
    said = defaultdict(dict)
    for response in lines(run / "responses.jsonl", suite):
        said[variants[response["variant"]]["family"]][response["variant"]] = response["ending"]["ok"]
    worth = {"right": 1.0, "partly": 0.5, "trapped": 0.0, "missed": 0.0, "missing": None}
    checked = 0
    for verdict in lines(run / "verdicts.jsonl", suite)[:12]:
        answers = said[verdict["family"]]
        roles = {ruling["variant"]: ruling["role"] for ruling in verdict["rulings"]}
        for ruling in verdict["rulings"]:
            answer = answers[ruling["variant"]]
            others = {roles[it]: answers[it]["text"] for it in roles if it != ruling["variant"]}
            thought = {roles[it]: answers[it]["reasoning"] for it in roles if it != ruling["variant"] and answers[it].get("reasoning")}
            found = judge.score(
                ruling["variant"], answer["text"], reasoning=answer.get("reasoning"), others=others, others_reasoning=thought
            )
            assert found["outcome"] == ruling["outcome"], (ruling, found)
            expected = ruling.get("score", worth[ruling["outcome"]])
            assert found["score"] == pytest.approx(expected), (ruling, found)
            assert found["role"] == ruling["role"] and found["judge"] == "rules"
            checked += 1
    assert checked >= 12


def test_the_right_answer_is_worth_more_than_the_old_one(run):
    judge = waterjar.Judge(run, "einstellung")
    verdicts = lines(run / "verdicts.jsonl", "einstellung")
    traps = [it for verdict in verdicts for it in verdict["rulings"] if it["role"] == "trap" and it["outcome"] == "right"]
    names = {it["variant"]: judge.score(it["variant"], "x")["reason"] for it in traps}
    variant, reason = next(iter(names.items()))
    right = reason.rsplit("; ", 1)[-1].removesuffix(" is right")
    assert judge.reward(variant, right) == 1.0
    assert judge.reward(variant, "Haemorrhoids of the moon") == 0.0
    assert judge.reward(variant, "") is None, "nothing said is no reward of 0"
    assert waterjar.reward(run, variant, right, suite="einstellung") == 1.0


def test_a_list_that_nothing_can_be_held_against_earns_nothing(program, run, tmp_path):
    charts = tmp_path / "charts"
    charts.mkdir()
    # Not to every chart an intervention applies.
    controls = [it for it in lines(run / "variants.jsonl", "sensitivity") if it["expectation"]["kind"] == "recommends"]
    for at, control in enumerate(controls):
        (charts / f"{at}.txt").write_text(control["text"], encoding="utf-8")
    study = tmp_path / "charts.toml"
    study.write_text(
        f"""
[study]
name = "charts"
seed = 7

[[suite]]
kind = "sensitivity"
source = "charts:{charts}"
scrub = false

[[subject]]
agent = "plain"
model = "guideline"
""",
        encoding="utf-8",
    )
    out = tmp_path / "out"
    subprocess.run([program, "--quiet", "run", study, "--out", out], check=True, stdout=subprocess.DEVNULL)
    judge = waterjar.Judge(out)
    said = {it["variant"]: it for it in lines(out / "responses.jsonl", "sensitivity")}
    mine = next(it["id"] for it in lines(out / "variants.jsonl", "sensitivity") if it["expectation"]["kind"] == "recommends")
    found = judge.score(mine, said[mine]["ending"]["ok"]["text"])
    assert (found["outcome"], found["score"]) == ("right", None), found


def test_what_is_wrong_is_told(run, tmp_path):
    with pytest.raises(FileNotFoundError, match="no study.toml"):
        waterjar.Judge(tmp_path)
    with pytest.raises(ValueError, match="several suites, name one: einstellung, parity, sensitivity, consult"):
        waterjar.Judge(run)
    with pytest.raises(KeyError, match="no suite bias"):
        waterjar.Judge(run, "bias")
    judge = waterjar.Judge(run, "einstellung")
    with pytest.raises(KeyError, match="no variant x/trap"):
        judge.score("x/trap", "Gout")
    with pytest.raises(ValueError, match="its roles are control"):
        judge.score(judge.variants[0], "Gout", others={"swapped": "x"})
    with pytest.raises(ValueError, match="others holds no answer of control"):
        judge.score(judge.variants[1], "Gout", others_reasoning={"control": "The toe is red."})
