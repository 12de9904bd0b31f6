"""Lets Inspect AI list, open and score again what `waterjar export --format inspect` wrote; tells what it saw as JSON."""

import json
import subprocess
import sys
from pathlib import Path

from inspect_ai import score
from jsonschema import Draft202012Validator
from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample, read_eval_log_sample_summaries, write_eval_log

folder, log_file, examples = sys.argv[1:]
sys.path.insert(0, examples)
from inspect_task import named_first  # noqa: E402

inspect = str(Path(sys.executable).parent / "inspect")


def run(*words):
    return subprocess.run([inspect, *words], check=True, capture_output=True).stdout


log = read_eval_log(log_file)
first = log.samples[0]
again = score(log, named_first(), action="append", display="none")
write_eval_log(again, log_file + ".again.eval")
# Starting the program takes seconds: once is enough.
by_program = {}
if log_file.endswith(".eval"):
    scored = log_file + ".scored.eval"
    run("score", log_file, "--scorer", str(Path(examples) / "inspect_task.py") + "@named_first", "--action", "append", "--output-file", scored, "--display", "none")
    by_program = {
        "listed": len(json.loads(run("log", "list", "--log-dir", folder, "--json"))),
        "dumped": len(json.loads(run("log", "dump", log_file))["samples"]),
        "scored": [it.name for it in read_eval_log(scored).results.scores],
    }
else:
    schema = Draft202012Validator(json.loads(run("log", "schema")))
    wrong = [error.message for error in schema.iter_errors(json.loads(Path(log_file).read_text()))]
    assert not wrong, wrong[:3]
print(
    json.dumps(
        {
            "by_program": by_program,
            "by_api": len(list_eval_logs(folder)),
            "status": log.status,
            "model": log.eval.model,
            "samples": len(log.samples),
            "errors": sum(it.error is not None for it in log.samples),
            "total": log.results.total_samples,
            "completed": log.results.completed_samples,
            "summaries": len(read_eval_log_sample_summaries(log_file)),
            "one": read_eval_log_sample(log_file, first.id, 1).id == first.id,
            "headline": log.results.headline.metric,
            "ours": {name: it.value for name, it in log.results.scores[0].metrics.items()},
            "mean": sum(it.scores["waterjar"].value for it in log.samples if it.scores) / len(log.samples),
            "again": again.results.scores[-1].metrics["accuracy"].value,
            "kept": [it.name for it in read_eval_log(log_file + ".again.eval").results.scores],
            "metadata": first.metadata,
        }
    )
)
