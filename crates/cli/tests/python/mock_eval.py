"""Lets Inspect's mock model answer the questions that `waterjar export --format inspect-dataset` wrote.

It names what is expected, but: fails at every tenth question, is cut off at every seventh, is withheld at every fifth.
"""

import sys

questions, logs, examples = sys.argv[1:]
sys.path.insert(0, examples)
from inspect_ai import eval  # noqa: E402
from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402
from inspect_task import waterjar  # noqa: E402

task = waterjar(questions)
targets = {sample.input[-1].text: (at, sample.target) for at, sample in enumerate(task.dataset)}


def say(input, tools, tool_choice, config):
    at, target = targets[input[-1].text]
    if at % 10 == 9:
        raise ConnectionError("the line is dead")
    stop = "max_tokens" if at % 7 == 6 else "content_filter" if at % 5 == 3 else "stop"
    output = ModelOutput.from_content("mockllm/model", f"I have thought about it.\n\n1. {target} (0.9)", stop_reason=stop)
    # Without it the mock model counts tokens, for which it wants the network.
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


log = eval(task, model=get_model("mockllm/model", custom_outputs=say), log_dir=logs, display="none", fail_on_error=False)[0]
assert log.status == "success", log.error
