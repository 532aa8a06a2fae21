"""lm-eval with local-chat-completions on a task of its own; results and samples saved as its command line saves them."""

from __future__ import annotations

import json
import os
import sys
from importlib.metadata import version
from pathlib import Path

from items import make, prompt
from measure import Measure

url, n, concurrency, out = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
os.environ.update(
    OPENAI_API_KEY="x", HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", HF_HOME=str(out / "hf"), TOKENIZERS_PARALLELISM="false"
)

rows = [{"text": prompt(item), "answer": item["answer"]} for item in make(n)]
(out / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
(out / "bench_mcq.yaml").write_text(
    f"""task: bench_mcq
dataset_path: json
dataset_kwargs:
  data_files:
    test: {out / "items.jsonl"}
test_split: test
output_type: generate_until
doc_to_text: "{{{{text}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs:
  until: ["</never>"]
  max_gen_toks: 32
filter_list:
  - name: answer
    filter:
      - function: regex
        regex_pattern: "<answer>([A-D])</answer>"
      - function: take_first
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
"""
)

import lm_eval  # noqa: E402
from lm_eval.loggers import EvaluationTracker  # noqa: E402
from lm_eval.tasks import TaskManager  # noqa: E402

manager = TaskManager(include_path=str(out), include_defaults=False)
arguments = f"model=mock,base_url={url}/chat/completions,num_concurrent={concurrency},max_retries=3,tokenized_requests=False"
tracker = EvaluationTracker(output_path=str(out / "results"))
with Measure() as measure:
    results = lm_eval.simple_evaluate(
        model="local-chat-completions", model_args=arguments, tasks=["bench_mcq"], task_manager=manager, apply_chat_template=True,
        log_samples=True, bootstrap_iters=0, evaluation_tracker=tracker,
    )  # fmt: skip
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    tracker.save_results_samples(task_name="bench_mcq", samples=samples["bench_mcq"])
right = [sample["exact_match"] for sample in samples["bench_mcq"]]
measure.report(n, f"lm_eval {version('lm_eval')}", len(right), sum(right) / max(1, len(right)))
