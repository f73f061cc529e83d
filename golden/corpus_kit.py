"""What the scripts that make the corpus share: small graphs, what must be read from them, and the list of cases.

A script calls `begin` with its folder under crates/bgcn-files/tests, `add` for every case, and `finish`.

expected.json is a list of cases. `read` has a `path`, or `edges`, `features`, `labels`, `nodes`, `split`; `options` are
those of the command. Then either `expect`, computed from the objects that were written and never from the files, or
`refuse`, the substrings that the message must hold. `remarks` are substrings too: each must occur in some remark.
Capitals do not matter in either. `no_remarks` means that there is no remark. `edge_names` and the keys of
`features_of` are ids as text; matrices and arrays have the ids 0, 1, … `names_of` has the text beside every id, and
`blanks` the number of empty cells. `python` replaces what is expected where the Python package reads more than the
command does.
"""

import json
import pathlib
import random
import re
import shutil

import numpy as np
import pandas as pd

TESTS = pathlib.Path("crates/bgcn-files/tests")
#: The folder of the script that runs, and its cases.
OUT = TESTS
cases = []


def begin(folder):
    """Starts with an empty folder."""
    global OUT
    OUT = TESTS / folder
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    (OUT / ".gitattributes").write_text("# Line ends and encodings are what is tested.\n* -text\n")


def finish():
    """Writes expected.json."""
    cases.sort(key=lambda case: case["case"])
    content = json.dumps(cases, indent=1, ensure_ascii=False)
    # Short lists stand in one line.
    content = re.sub(r"\[\s+([^][{}]+?)\s+\]", lambda found: "[" + re.sub(r",\s+", ", ", found[1]) + "]", content)
    assert json.loads(content) == cases
    (OUT / "expected.json").write_text(content + "\n")
    refused = sum("refuse" in case for case in cases)
    print(f"{len(cases)} cases: {len(cases) - refused} are read, {refused} are refused")


# The truth.


def graph(names, seed, more=0.6):
    """Pairs of names: connected, without repetitions; the ends of the first pair occur again."""
    rng = random.Random(seed)
    pairs = {(rng.randrange(max(0, i - 5), i), i): None for i in range(1, len(names))}
    while len(pairs) < int(len(names) * (1 + more)):
        a, b = sorted(rng.sample(range(len(names)), 2))
        pairs[a, b] = None
    pairs = [(names[a], names[b]) for a, b in pairs]
    rng.shuffle(pairs)
    ends = [end for pair in pairs for end in pair]
    first = next(pair for pair in pairs if all(ends.count(end) > 1 for end in pair))
    pairs.remove(first)
    return [first, *pairs]


def classes(names, words, seed):
    """A class for each name; each word more than once."""
    rng = random.Random(seed)
    return dict(zip(names, (words[i % len(words)] if i < 2 * len(words) else rng.choice(words) for i in range(len(names)))))


def numbers(names, columns, seed, digits=3):
    rng = random.Random(seed)
    return {name: [round(rng.uniform(-2, 2), digits) for _ in range(columns)] for name in names}


def unknown(label):
    return label is None or label != label


def expect(pairs, labels=None, features=None, columns=None, *, nodes=(), values=False, split=None, remarks=(), silent=False):
    """What must be read, from what was written: `labels` by id (None: unknown), rows of `features` by id."""
    labels, features = labels or {}, features or {}
    ids = {str(end) for pair in pairs for end in pair} | {str(a) for a in [*labels, *features, *nodes]}
    edges = sorted({tuple(sorted((str(a), str(b)))) for a, b in pairs if str(a) != str(b)})
    known = [str(label) for label in labels.values() if not unknown(label)]
    found = {"nodes": len(ids), "edges": len(edges), "edge_names": [list(pair) for pair in edges]}
    if values:
        found["values"] = len(known)
    else:
        found["classes"] = {name: known.count(name) for name in sorted(set(known))}
    found |= {"labelled": len(known), "features": len(next(iter(features.values()))) if features else 0}
    if columns is not None:
        assert len(columns) == found["features"]
        found["feature_names"] = list(columns)
    if features:
        shown = [list(features)[0], list(features)[-1]]
        found["features_of"] = {str(a): [float(np.float32(x)) for x in features[a]] for a in shown}
    if remarks:
        found["remarks"] = list(remarks)
    if silent:
        found["no_remarks"] = True
    if split:
        found["split"] = dict(zip(("train", "validation", "test"), split))
    return found


def columns_of(table, left_out=()):
    """Names and rows of the features that a table becomes; None is an empty cell."""
    names, parts = [], []
    for name, column in table.items():
        if name in left_out:
            continue
        if any(isinstance(value, str) for value in column):
            for value in sorted(set(column)):
                names.append(f"{name}={value}")
                parts.append([float(own == value) for own in column])
        else:
            known = [float(value) for value in column if value is not None]
            names.append(name)
            parts.append([sum(known) / len(known) if value is None else float(value) for value in column])
    return names, list(zip(*parts))


# The files.


def path(case, file):
    (OUT / case).mkdir(parents=True, exist_ok=True)
    return OUT / case / file


def text(case, file, content, encoding="utf-8"):
    path(case, file).write_bytes(content.encode(encoding) if isinstance(content, str) else content)


def lines(rows, separator=",", end="\n"):
    return "".join(separator.join(map(str, row)) + end for row in rows)


def frame(case, file, rows, columns, **how):
    """By pandas."""
    pd.DataFrame(list(rows), columns=columns).to_csv(path(case, file), **{"index": False} | how)


def add(case, tool, read, outcome, *, options=None, how="script", python=None):
    read = {part: f"{case}/{file}" if file else case for part, file in read.items()}
    assert case not in {known["case"] for known in cases}, case
    assert all((OUT / file).exists() for file in read.values()), read
    made = {"case": case, "tool": tool, "how": how, "read": read}
    if options:
        made["options"] = options
    made["refuse" if isinstance(outcome, list) else "expect"] = outcome
    if python:
        made["python"] = {"expect": python}
    cases.append(made)
