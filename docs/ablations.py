#!/usr/bin/env python3
"""The tables of ablations.md: folders that `bgcn reproduce --out` wrote, and for each variant its difference to a default.

    python3 docs/ablations.py FOLDER...

A table for each folder; defaults may be in any of them. A difference is taken on the same splits, with its standard error; the last
column is the mean over the cells.
"""
import json
import pathlib
import re
import statistics
import sys
from collections import defaultdict

DEFAULTS = {"copying": "gcn+copying", "auto": "gcn+auto", "block": "bgcn"}
# Methods that are set beside the default of `fit`.
BESIDE = {"gcn+mixture": "gcn+copying", "gcn+auto": "gcn+copying"}
DATASETS = {"cora": "Cora", "citeseer": "CiteSeer", "pubmed": "Pubmed"}


def order(name):
    """Methods first, then the variants as they are in their files."""
    files = sorted(pathlib.Path(__file__).parent.glob("ablations*.toml"))
    variants = [found for file in files for found in re.findall(r'^name = "(.*)"', file.read_text(), re.M)]
    return (variants.index(name) + 1 if name in variants else 0, name)


def read(folder):
    """Outcomes by method, cell and run."""
    trials = defaultdict(lambda: defaultdict(dict))
    with open(f"{folder}/trials.jsonl") as lines:
        for line in lines:
            trial = json.loads(line)
            key = trial["key"]
            trials[key["method"]][key["dataset"], key["labels_per_class"]][key["run"]] = trial["outcome"]
    return trials


def difference(ours, base):
    """The mean difference in points over the runs that both have, and its standard error."""
    runs = ours.keys() & base.keys()
    if len(runs) < 2:
        sys.exit("a variant and its default have fewer than two runs in common; let both runs finish, and give both folders")
    points = [100 * (ours[run]["accuracy"] - base[run]["accuracy"]) for run in runs]
    return statistics.mean(points), statistics.stdev(points) / len(points) ** 0.5


def row(name, trials, defaults, cells):
    """A line of the table."""
    base = BESIDE.get(name) or DEFAULTS.get(name.split(",")[0].split()[0])
    texts, differences = [], []
    for cell in cells:
        found = trials[name][cell]
        mean = {what: statistics.mean(outcome[what] for outcome in found.values()) for what in ("accuracy", "nll", "ece")}
        text = f"{100 * mean['accuracy']:.1f}"
        if base:
            differences.append(difference(found, defaults.get(base, {}).get(cell, {})))
            text += " ({:+.1f} ± {:.1f})".format(*differences[-1])
        texts.append(f"{text}, {mean['nll']:.3f}, {100 * mean['ece']:.1f}")
    last = "–"
    if differences:
        mean = statistics.mean(point for point, _ in differences)
        error = sum(error**2 for _, error in differences) ** 0.5 / len(differences)
        last = f"{mean:+.2f} ± {error:.2f}"
    return f"| {name} | {' | '.join(texts)} | {last} |"


def table(trials, defaults):
    """All methods that have every cell."""
    cells = sorted({cell for found in trials.values() for cell in found}, key=lambda cell: ([*DATASETS].index(cell[0]), cell[1]))
    names = [f"{DATASETS[dataset]} {labels}" for dataset, labels in cells]
    print(f"\n| | {' | '.join(names)} | mean |")
    print("|---" * (len(cells) + 2) + "|")
    for name in sorted(trials, key=order):
        if all(cell in trials[name] for cell in cells):
            print(row(name, trials, defaults, cells))


def main(folders):
    read_in = [read(folder) for folder in folders]
    defaults = {name: found for trials in reversed(read_in) for name, found in trials.items()}
    for trials in read_in:
        table(trials, defaults)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
