#!/usr/bin/env python3
"""How long a fit takes with each graph model.

    cargo build --release
    python3 benches/models.py cora citeseer --threads 1

The models run in turns, so a slow minute of the machine slows them all; `seconds.train` of `bgcn fit --json`, best
(median).
"""

import argparse
import json
import statistics
import subprocess

GIVEN = ["--set=average.evidence=0", "--set=copying.weight=0.7", "--set=mmsbm.weight=0.3"]
MODELS = {
    "copying": ["--graph-model", "copying"],
    "mmsbm": ["--graph-model", "mmsbm"],
    "weights given": ["--graph-model", "copying+mmsbm", *GIVEN],
    "auto": ["--graph-model", "auto"],
}


def seconds(binary, dataset, options, threads):
    command = [binary, "fit", dataset, "--split", "random", "--json", "--jobs", str(threads), *options]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(printed.splitlines()[-1])["seconds"]["train"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--binary", default="target/release/bgcn")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--models", default=",".join(MODELS))
    asked = parser.parse_args()
    models = asked.models.split(",")
    print("| | threads |", " | ".join(f"`{model}`" for model in models), "|")
    print("|---" * (2 + len(models)) + "|")
    for dataset in asked.datasets:
        took = {model: [] for model in models}
        for _ in range(asked.runs):
            for model in models:
                took[model].append(seconds(asked.binary, dataset, MODELS[model], asked.threads))
        first = min(took[models[0]])
        cells = [f"{min(t):.3f} s ({statistics.median(t):.3f}), {min(t) / first:.2f} ×" for t in took.values()]
        print(f"| {dataset} | {asked.threads} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
