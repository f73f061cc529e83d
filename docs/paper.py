#!/usr/bin/env python3
"""The tables of paper.md, from folders that `bgcn reproduce --out` wrote.

python3 docs/paper.py gains FOLDER...      gcn+published against gcn, beside the paper's gain
python3 docs/paper.py named FOLDER...      accuracy, ECE, NLL and seconds of every method and variant
python3 docs/paper.py attack FILE...       accuracy lost under attack: what `bgcn reproduce attack-NAME --json` printed, by seed
python3 docs/paper.py seconds FOLDER...    seconds of a trial
"""

import json
import pathlib
import statistics
import sys
from collections import defaultdict

# Table 2 to 4 of the paper: GCN and Bayesian GCN.
PAPER = {
    ("cora", "random"): [(70.0, 74.6), (76.0, 77.5), (79.8, 80.2)],
    ("cora", "fixed"): [(74.4, 75.3), (74.9, 76.6), (81.6, 81.2)],
    ("citeseer", "random"): [(58.5, 63.0), (65.4, 69.9), (67.8, 71.1)],
    ("citeseer", "fixed"): [(55.4, 57.3), (65.8, 70.8), (70.8, 72.2)],
    ("pubmed", "random"): [(69.7, 70.2), (73.9, 73.3), (77.5, 76.0)],
    ("pubmed", "fixed"): [(69.7, 70.9), (72.8, 72.3), (78.9, 76.6)],
}


def read(folders, study="accuracy"):
    """Trials by cell and method."""
    found = defaultdict(lambda: defaultdict(dict))
    for folder in folders:
        for line in (pathlib.Path(folder) / "trials.jsonl").read_text().splitlines():
            trial = json.loads(line)
            key = trial["key"]
            if trial["study"] == study:
                cell = key["dataset"], key["split"], key["labels_per_class"]
                found[cell][key["method"]][key["run"]] = trial["outcome"] | {"seconds": trial["seconds"]}
    return found


def gains(folders):
    print("| | runs | GCN | `gcn+published` | gain | paper's gain | difference | `gcn+published-linear` |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    cells, near = read(folders), 0
    for (dataset, split), figures in PAPER.items():
        for labels, (gcn, bayesian) in zip((5, 10, 20), figures, strict=True):
            methods = cells.get((dataset, split, labels))
            if not methods:
                continue
            ours, base = methods["gcn+published"], methods["gcn"]
            runs = sorted(ours.keys() & base.keys())
            points = [100 * (ours[run]["accuracy"] - base[run]["accuracy"]) for run in runs]
            gain, theirs = statistics.mean(points), bayesian - gcn
            near += abs(gain - theirs) <= 1.5
            error = statistics.stdev(points) / len(points) ** 0.5
            mean = [100 * statistics.mean(m[run]["accuracy"] for run in runs) for m in (base, ours)]
            twin = methods.get("gcn+published-linear", {})
            shown = f"{100 * statistics.mean(o['accuracy'] for o in twin.values()):.1f}" if twin else "–"
            print(
                f"| {dataset}, {split}, {labels} | {len(runs)} | {mean[0]:.1f} | {mean[1]:.1f} | {gain:+.1f} ± "
                f"{error:.1f} | {theirs:+.1f} | {gain - theirs:+.1f} | {shown} |"
            )
    print(f"\nWithin 1.5 points: {near} of {len(cells)}.")


def named(folders):
    cells = read(folders)
    methods = list(dict.fromkeys(name for cell in cells.values() for name in cell))
    for cell in sorted(cells):
        print(f"\n**{cell[0]}, {cell[1]} splits, {cell[2]} labels**\n")
        print("| | runs | accuracy | ECE | NLL | seconds, median |\n|---|--:|--:|--:|--:|--:|")
        for name in sorted(methods):
            runs = list(cells[cell].get(name, {}).values())
            if runs:
                mean = {k: statistics.mean(run[k] for run in runs) for k in ("accuracy", "ece", "nll")}
                # A trial that was paused counts its waiting, which hardly moves the median.
                seconds = statistics.median(run["seconds"] for run in runs)
                spread = statistics.stdev(run["accuracy"] for run in runs) if len(runs) > 1 else 0
                print(
                    f"| {name} | {len(runs)} | {100 * mean['accuracy']:.1f} ± {100 * spread:.1f} | "
                    f"{100 * mean['ece']:.1f} | {mean['nll']:.3f} | {seconds:.1f} |"
                )


def attack(files):
    """Each file: what `bgcn reproduce attack-NAME --seed S --out … --json` printed."""
    found = defaultdict(list)
    for file in files:
        answer = json.loads(pathlib.Path(file).read_text().splitlines()[-1])
        for table in answer["tables"]:
            for method in table["methods"]:
                scores = [method[when]["accuracy"]["mean"] for when in ("clean", "attacked")]
                margins = [method[when]["margin"]["mean"] for when in ("clean", "attacked")]
                found[table["dataset"], method["method"]].append((*scores, scores[0] - scores[1], *margins))
    print(
        "| | seeds | clean | attacked | lost | lost, by seed | margin, clean → attacked |\n|---|--:|--:|--:|--:|---|--:|"
    )
    for (dataset, method), rows in sorted(found.items()):
        clean, attacked, lost, before, after = (statistics.mean(column) for column in zip(*rows, strict=True))
        each = ", ".join(f"{row[2]:.1f}" for row in rows)
        print(
            f"| {dataset}, {method} | {len(rows)} | {clean:.1f} | {attacked:.1f} | {lost:.1f} | {each} | "
            f"{before:.3f} → {after:.3f} |"
        )


def seconds(folders):
    cells = read(folders)
    by = defaultdict(list)
    for (dataset, *_), methods in cells.items():
        for name, runs in methods.items():
            by[dataset, name] += [run["seconds"] for run in runs.values()]
    print("| | trials | median | least |\n|---|--:|--:|--:|")
    for (dataset, name), times in sorted(by.items()):
        print(f"| {dataset}, {name} | {len(times)} | {statistics.median(times):.2f} | {min(times):.2f} |")


if __name__ == "__main__":
    tables = dict(gains=gains, named=named, attack=attack, seconds=seconds)
    if len(sys.argv) < 3 or sys.argv[1] not in tables:
        sys.exit(__doc__)
    tables[sys.argv[1]](sys.argv[2:])
