#!/usr/bin/env python3
"""The tables of ablations.md and paper.md, from folders that `bgcn reproduce --out` wrote.

python3 docs/tables.py ablations FOLDER...  variants, with differences to a default, which may be in any of the folders
python3 docs/tables.py gains FOLDER...      gcn+published against gcn, beside the paper's gain
python3 docs/tables.py named FOLDER...      accuracy, ECE, NLL and seconds of every method and variant
python3 docs/tables.py attack FILE...       accuracy lost under attack: what `bgcn reproduce attack-NAME --json` printed, by seed
python3 docs/tables.py seconds FOLDER...    seconds of a trial

Differences are taken on the same splits, with their standard errors.
"""

import json
import pathlib
import re
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
DATASETS = {"cora": "Cora", "citeseer": "CiteSeer", "pubmed": "Pubmed"}
# What a variant of an ablation is compared with, by its name or the first word of it.
DEFAULTS = {
    "copying": "gcn+copying",
    "auto": "gcn+auto",
    "block": "gcn+mmsbm",
    "gcn+auto": "gcn+copying",
    "auto, weights given": "gcn+copying",
    "auto, weights given, 150 draws": "auto, weights given",
}
# More cells than fit side by side.
MANY = 8


def read(folders):
    """Outcomes by cell, method and run."""
    found = defaultdict(lambda: defaultdict(dict))
    for folder in folders:
        for line in (pathlib.Path(folder) / "trials.jsonl").read_text().splitlines():
            trial = json.loads(line)
            key = trial["key"]
            if trial["study"] == "accuracy":
                cell = key["dataset"], key["split"], key["labels_per_class"]
                found[cell][key["method"]][key["run"]] = trial["outcome"] | {"seconds": trial["seconds"]}
    return found


def means(runs):
    """Mean scores of some runs."""
    return {what: statistics.mean(run[what] for run in runs) for what in ("accuracy", "nll", "ece")}


def difference(ours, base):
    """The mean difference in points over the runs that both have, and its standard error."""
    runs = ours.keys() & base.keys()
    if len(runs) < 2:
        sys.exit("a variant and its default share fewer than two runs; let both runs finish, and give both folders")
    points = [100 * (ours[run]["accuracy"] - base[run]["accuracy"]) for run in runs]
    return statistics.mean(points), statistics.stdev(points) / len(points) ** 0.5


def column(name, found, defaults, cells):
    """What a method has in each cell, and over all of them."""
    base = DEFAULTS.get(name) or DEFAULTS.get(name.split(",")[0].split()[0])
    texts, scores, differences = [], [], []
    for cell in cells:
        scores.append(means(found[cell][name].values()))
        text = f"{100 * scores[-1]['accuracy']:.1f}"
        if base:
            differences.append(difference(found[cell][name], defaults[cell][base]))
            text += " ({:+.1f} ± {:.1f})".format(*differences[-1])
        texts.append(f"{text}, {scores[-1]['nll']:.3f}, {100 * scores[-1]['ece']:.1f}")
    last = "–"
    if differences:
        mean = statistics.mean(point for point, _ in differences)
        error = sum(error**2 for _, error in differences) ** 0.5 / len(differences)
        last = f"{mean:+.2f} ± {error:.2f}"
    if len(cells) > MANY:
        of = means(scores)
        last = f"{100 * of['accuracy']:.2f} ({last}), {of['nll']:.3f}, {100 * of['ece']:.2f}".replace(" (–)", "")
    return [name, *texts, last]


def ablations(folders):
    """A table for each folder: a line for each method, or where there are many cells a line for each cell."""
    defaults = read(reversed(folders))
    files = sorted(pathlib.Path(__file__).parent.glob("ablations*.toml"))
    variants = [name for file in files for name in re.findall(r'^name = "(.*)"', file.read_text(), re.M)]
    for found in (read([folder]) for folder in folders):
        cells = sorted(found, key=lambda cell: ([*DATASETS].index(cell[0]), cell[1] == "fixed", cell[2]))
        heads = [f"{DATASETS[data]} {'fixed ' if split == 'fixed' else ''}{labels}" for data, split, labels in cells]
        # Methods first, then the variants as they are in their files; those that have every cell.
        whole = sorted(set.intersection(*(set(found[cell]) for cell in cells)))
        whole.sort(key=lambda name: variants.index(name) + 1 if name in variants else 0)
        lines = [["", *heads, "mean"], *(column(name, found, defaults, cells) for name in whole)]
        if len(cells) > MANY:
            lines = [list(line) for line in zip(*lines, strict=True)]
        texts = [f"| {' | '.join(line)} |".replace("|  |", "| |") for line in lines]
        print("", texts[0], "|---" * len(lines[0]) + "|", *texts[1:], sep="\n")


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
            runs = ours.keys() & base.keys()
            (gain, error), theirs = difference(ours, base), bayesian - gcn
            near += abs(gain - theirs) <= 1.5
            mean = [100 * means([method[run] for run in runs])["accuracy"] for method in (base, ours)]
            twin = methods.get("gcn+published-linear")
            shown = f"{100 * means(twin.values())['accuracy']:.1f}" if twin else "–"
            print(
                f"| {dataset}, {split}, {labels} | {len(runs)} | {mean[0]:.1f} | {mean[1]:.1f} | {gain:+.1f} ± "
                f"{error:.1f} | {theirs:+.1f} | {gain - theirs:+.1f} | {shown} |"
            )
    print(f"\nWithin 1.5 points: {near} of {len(cells)}.")


def named(folders):
    for cell, methods in sorted(read(folders).items()):
        print(f"\n**{cell[0]}, {cell[1]} splits, {cell[2]} labels**\n")
        print("| | runs | accuracy | ECE | NLL | seconds, median |\n|---|--:|--:|--:|--:|--:|")
        for name, runs in sorted(methods.items()):
            mean = means(runs.values())
            # A trial that was paused counts its waiting, which hardly moves the median.
            seconds = statistics.median(run["seconds"] for run in runs.values())
            spread = statistics.stdev(run["accuracy"] for run in runs.values()) if len(runs) > 1 else 0
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
    tables = dict(ablations=ablations, gains=gains, named=named, attack=attack, seconds=seconds)
    if len(sys.argv) < 3 or sys.argv[1] not in tables:
        sys.exit(__doc__)
    tables[sys.argv[1]](sys.argv[2:])
