#!/usr/bin/env python3
"""Accuracy by scaling of features, on generated tables. Needs nothing but the command.

    cargo build --release -p bgcn-cli
    python3 benches/scaling.py [--bgcn target/release/bgcn] [--seeds 101 102 103] [--mixtures 20]

Tables: companies (revenue and employees log-normal, a founding year), one with a column around 1e9, one with mistyped
values, and mixtures of columns (normal, log-normal, uniform, counts, 0/1) in random units from 1e-6 to 1e9. The graph
is a stochastic block model of moderate homophily. Rules were chosen on seeds 1 and 2; docs/data.md reports others.
Prints a Markdown table.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

SCALINGS = {"default": [], "z_score": ["--scale", "z_score"], "unit_rows": ["--scale", "unit_rows"]}


def block_model(rng, classes, degree, homophily):
    """Edges among nodes of these classes; a share of them joins equal ones."""
    nodes = range(len(classes))
    of = {}
    for node in nodes:
        of.setdefault(classes[node], []).append(node)
    edges = set()
    while len(edges) < degree * len(classes) // 2:
        a = rng.choice(nodes)
        b = rng.choice(of[classes[a]] if rng.random() < homophily else nodes)
        if a != b:
            edges.add((min(a, b), max(a, b)))
    return sorted(edges)


def companies(rng, n=800, k=4):
    """Sectors differ in size, productivity and age."""
    classes = [rng.randrange(k) for _ in range(n)]
    size, worth, founded = ([rng.gauss(0, s) for _ in range(k)] for s in (1.2, 1.0, 15))
    rows = []
    for c in classes:
        employees = math.exp(4 + size[c] + rng.gauss(0, 1))
        revenue = 2e5 * employees * math.exp(worth[c] + rng.gauss(0, 0.5))
        year = min(2024, round(1980 + founded[c] + rng.gauss(0, 12)))
        rows.append([revenue, max(1, round(employees)), year])
    return classes, rows, block_model(rng, classes, 5, 0.6)


def billions(rng, n=800, k=3):
    """Four columns with a signal, and a fifth around 1e9 without one."""
    classes = [rng.randrange(k) for _ in range(n)]
    means = [[rng.gauss(0, 1) for _ in range(4)] for _ in range(k)]
    rows = [[rng.gauss(m, 0.7) + 5 for m in means[c]] + [rng.gauss(1e9, 2e8)] for c in classes]
    return classes, rows, block_model(rng, classes, 5, 0.7)


def mistyped(rng):
    """The same columns in ordinary units; in one row of each, someone has typed six zeros too many."""
    classes, rows, edges = billions(rng)
    rows = [row[:4] for row in rows]
    for j in range(4):
        rows[j][j] *= 1e6
    return classes, rows, edges


def mixture(rng, n=800):
    """Columns of any kind and unit; about half of them have a signal."""
    k = rng.randint(3, 5)
    classes = [rng.randrange(k) for _ in range(n)]
    columns = []
    for j in range(rng.randint(6, 14)):
        strength = rng.uniform(0.5, 1.3) if j < 3 or rng.random() < 0.4 else 0
        shift = [strength * rng.gauss(0, 1) for _ in range(k)]
        kind = rng.choice(["normal", "log-normal", "uniform", "counts", "0/1"])
        unit = 10 ** rng.uniform(-6, 9)
        offset = unit * rng.uniform(-20, 20) if rng.random() < 0.5 else 0
        if kind == "normal":
            column = [unit * (shift[c] + rng.gauss(0, 1)) + offset for c in classes]
        elif kind == "log-normal":
            spread = rng.uniform(0.3, 2)
            column = [unit * math.exp(spread * (shift[c] + rng.gauss(0, 1))) + max(0, offset) / 10 for c in classes]
        elif kind == "uniform":
            column = [unit * (0.5 * shift[c] + rng.random()) + offset for c in classes]
        elif kind == "counts":
            level = rng.uniform(-1, 4)
            column = [poisson(rng, math.exp(min(level + 0.7 * shift[c], 6))) for c in classes]
        else:
            bias = rng.uniform(-2, 1)
            column = [int(rng.random() < 1 / (1 + math.exp(-bias - 1.5 * shift[c]))) for c in classes]
        columns.append(column)
    return classes, list(zip(*columns)), block_model(rng, classes, rng.uniform(3, 8), rng.uniform(0.4, 0.7))


def poisson(rng, mean):
    if mean > 200:
        return max(0, round(rng.gauss(mean, math.sqrt(mean))))
    count, product, limit = 0, rng.random(), math.exp(-mean)
    while product > limit:
        count, product = count + 1, product * rng.random()
    return count


def write(folder, classes, rows, edges):
    def lines(name, header, found):
        with open(os.path.join(folder, name), "w") as file:
            file.write(header + "\n")
            file.writelines(",".join(map(repr, row)) + "\n" for row in found)

    lines("edges.csv", "source,target", edges)
    header = ",".join(["id", *(f"f{j}" for j in range(len(rows[0])))])
    lines("features.csv", header, ([a, *row] for a, row in enumerate(rows)))
    with open(os.path.join(folder, "labels.csv"), "w") as file:
        file.write("id,label\n")
        file.writelines(f"{a},c{c}\n" for a, c in enumerate(classes))


def accuracy(bgcn, folder, seed, options):
    command = [bgcn, "fit", folder, "--split", "random", "--labels-per-class", "15", "--seed", str(seed)]
    command += ["--json", "--quiet", "--jobs", "2", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"failed: {' '.join(command)}\n{done.stderr}")
    found = json.loads(done.stdout.splitlines()[-1])
    return 100 * found["test_accuracy"], found["scaling"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bgcn", default="target/release/bgcn")
    parser.add_argument("--seeds", type=int, nargs="+", default=[101, 102, 103])
    parser.add_argument("--mixtures", type=int, default=20)
    parser.add_argument("--verbose", action="store_true", help="what the default does to each table")
    given = parser.parse_args()
    tables = [("companies", companies), ("one column around 1e9", billions), ("mistyped values", mistyped)]
    tables += [(f"mixture {i + 1}", mixture) for i in range(given.mixtures)]
    means = []
    print(f"| table | {' | '.join(SCALINGS)} | default − z_score |\n|---|{'---|' * (len(SCALINGS) + 1)}")
    for number, (name, make) in enumerate(tables):
        found = {scaling: [] for scaling in SCALINGS}
        for seed in given.seeds:
            with tempfile.TemporaryDirectory() as folder:
                write(folder, *make(random.Random(1000 * seed + number)))
                for scaling, options in SCALINGS.items():
                    right, text = accuracy(given.bgcn, folder, seed, options)
                    found[scaling].append(right)
                    if given.verbose and scaling == "default":
                        print(f"{name}, seed {seed}: {text}", file=sys.stderr)
        mean = {scaling: sum(right) / len(right) for scaling, right in found.items()}
        means.append(mean)
        cells = " | ".join(f"{mean[scaling]:.1f}" for scaling in SCALINGS)
        print(f"| {name} | {cells} | {mean['default'] - mean['z_score']:+.1f} |", flush=True)
    means = means[-given.mixtures :]
    mean = {scaling: sum(one[scaling] for one in means) / len(means) for scaling in SCALINGS}
    worst = min(one["default"] - one["z_score"] for one in means)
    cells = " | ".join(f"{mean[scaling]:.1f}" for scaling in SCALINGS)
    change = f"{mean['default'] - mean['z_score']:+.1f} (least {worst:+.1f})"
    print(f"| mean of {len(means)} mixtures | {cells} | {change} |")


if __name__ == "__main__":
    main()
