#!/usr/bin/env python3
"""Whether one build of the command is as fast as another: epochs of each network and whole fits, in turns.

    python3 benches/turns.py OLD/target/release/bgcn target/release/bgcn

Best of several runs of each case, and the ratio of the second build to the first. An epoch is the training of the plain
network divided by its steps. Generated graphs are read from CSV files. Needs Cora and Pubmed (`bgcn data fetch`).
"""

import argparse
import json
import subprocess
import tempfile

EPOCHS = 300
PLAIN = ["--graph-model", "observed", "--no-baseline", "--no-files", "--epochs", str(EPOCHS)]
NETWORKS = ["gcn", "chebnet", "gat"]
CASES = {
    **{f"epoch of {network}, cora": ["cora", "--network", network, *PLAIN] for network in NETWORKS},
    "fit of cora": ["cora", "--no-files"],
    "fit of pubmed": ["pubmed", "--no-files"],
}


def seconds(binary, options, jobs):
    command = [binary, "fit", *options, "--json", "--quiet", "--jobs", jobs]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    took = json.loads(printed.splitlines()[-1])["seconds"]
    return took["train"] / EPOCHS if "--epochs" in options else took["total"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builds", nargs=2)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--jobs", default="1")
    parser.add_argument("--nodes", default="100000", help="of the generated graph, read and fitted")
    parser.add_argument("--large-runs", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        generate = ["data", "generate", "--out", f"{folder}/graph", "--nodes", asked.nodes, "--mean-degree", "10"]
        subprocess.run([asked.builds[0], *generate], check=True, capture_output=True)
        cases = CASES | {f"{asked.nodes} nodes": [f"{folder}/graph", "--no-files"]}
        print("| best of several | first | second | ratio |\n|---|---:|---:|---:|")
        for case, options in cases.items():
            runs = asked.large_runs if case.endswith(" nodes") else asked.runs
            took = [[seconds(binary, options, asked.jobs) for binary in asked.builds] for _ in range(runs)]
            first, second = (min(times) for times in zip(*took))
            print(f"| {case} | {first * 1e3:.3f} ms | {second * 1e3:.3f} ms | {second / first:.3f} |", flush=True)


if __name__ == "__main__":
    main()
