#!/usr/bin/env python3
"""What answers are worth, as a reward: a client of `waterjar serve` in the standard library.

    WATERJAR_TOKEN=… python3 score_client.py http://127.0.0.1:8787 runs/quickstart/variants.jsonl einstellung
"""

import json
import os
import sys
import urllib.error
import urllib.request


class Scorer:
    """One answer with `score`, many with `scores`; a reward is a number from 0 to 1."""

    def __init__(self, address, token):
        self.address, self.token = address.rstrip("/"), token

    def score(self, **row):
        return self._post("/v1/score", row)

    def scores(self, rows, at_once=512):
        """In the order of the rows: a verdict, or what is wrong with the row."""
        for begin in range(0, len(rows), at_once):
            yield from self._post("/v1/score/batch", {"rows": rows[begin : begin + at_once]})["rows"]

    def _post(self, path, body):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as reply:
            error = json.load(reply)["error"]
            raise RuntimeError(f"{reply.code} {error['where']}: {error['what']}; {error['what_to_do']}") from None


def main(address, variants, suite):
    scorer = Scorer(address, os.environ["WATERJAR_TOKEN"])
    with open(variants) as lines:
        traps = [line for line in map(json.loads, lines) if line["id"].endswith("/trap")]
    # A policy that always says the same; yours goes here.
    rows = [{"suite": suite, "variant": trap["id"], "answer": "Pulmonary embolism"} for trap in traps]
    rewards = [row["verdict"]["score"] for row in scorer.scores(rows) if "verdict" in row]
    print(f"{len(rewards)} answers, mean reward {sum(rewards) / len(rewards):.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
