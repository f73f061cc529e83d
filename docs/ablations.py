#!/usr/bin/env python3
"""The tables of ablations.md, from folders that `bgcn reproduce --out` wrote: variants, with differences to a default.

    python3 docs/ablations.py FOLDER...

A table for each folder, with a line for each method, or where there are many cells a line for each cell; defaults may
be in any of the folders. A difference is taken on the same splits, with its standard error; the last column or line is
the mean over the cells.
"""

import json
import pathlib
import re
import statistics
import sys
from collections import defaultdict

# What a variant is compared with, by the first word of its name.
DEFAULTS = {"copying": "gcn+copying", "auto": "gcn+auto", "block": "gcn+mmsbm"}
# Those that are compared with something else.
BESIDE = {
    "gcn+auto": "gcn+copying",
    "auto, weights given": "gcn+copying",
    "auto, weights given, 150 draws": "auto, weights given",
}
# More cells than fit side by side.
MANY = 8
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
            cell = key["dataset"], key["split"], key["labels_per_class"]
            trials[key["method"]][cell][key["run"]] = trial["outcome"]
    return trials


def difference(ours, base):
    """The mean difference in points over the runs that both have, and its standard error."""
    runs = ours.keys() & base.keys()
    if len(runs) < 2:
        sys.exit("a variant and its default share fewer than two runs; let both runs finish, and give both folders")
    points = [100 * (ours[run]["accuracy"] - base[run]["accuracy"]) for run in runs]
    return statistics.mean(points), statistics.stdev(points) / len(points) ** 0.5


def column(name, trials, defaults, cells):
    """What a method has in each cell, and over all of them."""
    base = BESIDE.get(name) or DEFAULTS.get(name.split(",")[0].split()[0])
    texts, means, differences = [], [], []
    for cell in cells:
        found = trials[name][cell]
        scores = ("accuracy", "nll", "ece")
        means.append({what: statistics.mean(outcome[what] for outcome in found.values()) for what in scores})
        text = f"{100 * means[-1]['accuracy']:.1f}"
        if base:
            differences.append(difference(found, defaults.get(base, {}).get(cell, {})))
            text += " ({:+.1f} ± {:.1f})".format(*differences[-1])
        texts.append(f"{text}, {means[-1]['nll']:.3f}, {100 * means[-1]['ece']:.1f}")
    last = "–"
    if differences:
        mean = statistics.mean(point for point, _ in differences)
        error = sum(error**2 for _, error in differences) ** 0.5 / len(differences)
        last = f"{mean:+.2f} ± {error:.2f}"
    if len(cells) > MANY:
        of = {what: statistics.mean(mean[what] for mean in means) for what in means[0]}
        last = f"{100 * of['accuracy']:.2f} ({last}), {of['nll']:.3f}, {100 * of['ece']:.2f}".replace(" (–)", "")
    return [name, *texts, last]


def table(trials, defaults):
    """All methods that have every cell."""
    cells = {cell for found in trials.values() for cell in found}
    cells = sorted(cells, key=lambda cell: ([*DATASETS].index(cell[0]), cell[1] == "fixed", cell[2]))
    names = [f"{DATASETS[dataset]} {'fixed ' if split == 'fixed' else ''}{labels}" for dataset, split, labels in cells]
    whole = [name for name in sorted(trials, key=order) if all(cell in trials[name] for cell in cells)]
    lines = [["", *names, "mean"], *(column(name, trials, defaults, cells) for name in whole)]
    if len(cells) > MANY:
        lines = [list(line) for line in zip(*lines)]
    texts = [f"| {' | '.join(line)} |".replace("|  |", "| |") for line in lines]
    print("", texts[0], "|---" * len(lines[0]) + "|", *texts[1:], sep="\n")


def main(folders):
    read_in = [read(folder) for folder in folders]
    defaults = {name: found for trials in reversed(read_in) for name, found in trials.items()}
    for trials in read_in:
        table(trials, defaults)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
