"""The questions of a Waterjar benchmark for Inspect AI.

    waterjar export RUN --format inspect-dataset --suite einstellung --out questions.jsonl
    inspect eval docs/examples/inspect_task.py -T questions=questions.jsonl --model openai/gpt-5
    waterjar import inspect logs/*.eval --into RUN

Put your own solver in place of generate(). What `named_first` says is a first look; Waterjar judges whole families.
"""

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState, generate


@task
def waterjar(questions: str = "questions.jsonl") -> Task:
    return Task(dataset=json_dataset(questions), solver=generate(), scorer=named_first())


@scorer(metrics=[accuracy(), stderr()])
def named_first() -> Scorer:
    """Whether what is expected stands in the first line of a ranked list. An answer that is not there has no score."""

    async def score(state: TaskState, target: Target) -> Score:
        ranked = [line for line in state.output.completion.splitlines() if line.lstrip().startswith("1.")]
        if not state.output.completion.strip() or not target.text:
            return Score.unscored()
        first = ranked[-1] if ranked else state.output.completion
        return Score(value=1 if target.text.lower() in first.lower() else 0, answer=first.strip())

    return score
