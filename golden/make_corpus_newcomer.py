"""Exports as a new user has them: dates as numbers, numbers of rows, codes for unknown labels, rounded ids.

Run from the top of the repository, in a separate environment, with sqlite3 3.40:

    pip install -r golden/corpus-requirements.txt
    python golden/make_corpus_newcomer.py

Everything under crates/bgcn-files/tests/corpus-newcomer is written anew and comes out equal to the last byte. All data
are invented. corpus_kit.py says what expected.json holds.
"""

import random
import subprocess

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl

import corpus_kit as kit
from corpus_kit import add, classes, expect, frame, graph, lines, text

PANDAS, POLARS, NETWORKX = f"pandas {pd.__version__} to_csv(index=False)", f"polars {pl.__version__} write_csv", f"networkx {nx.__version__}"
SQLITE = "sqlite3 3.40 .mode csv, .headers on"
HAND = "by hand"
FOLDER = {"path": ""}
EDGES = ["source", "target"]
NODES = [f"m{i:02}" for i in range(30)]
PAIRS = graph(NODES, 1)
KINDS = classes(NODES, ["brass", "strings", "voice"], 1)
SCORES = {a: [(37 * i) % 90 + 3] for i, a in enumerate(NODES)}
DAYS = pd.date_range("2019-03-01", periods=30, freq="D")


def moments():
    """Dates that a program wrote as numbers since 1970, at midnight: round, as amounts of money are."""
    remarks = ["joined (dates or times)"]
    found = expect(PAIRS, KINDS, SCORES, ["score"], remarks=remarks)
    table = pd.DataFrame({"joined": DAYS, "score": [a for (a,) in SCORES.values()], "label": KINDS.values()}, index=NODES)
    frame("dates-in-json", "edges.csv", PAIRS, EDGES)
    table.to_json(kit.path("dates-in-json", "nodes.json"), orient="index", date_format="epoch")
    read = {"edges": "edges.csv", "nodes": "nodes.json"}
    add("dates-in-json", f"pandas {pd.__version__} to_json(orient='index')", read, found)
    for unit, remark in [("s", remarks), ("ms", remarks), ("us", remarks), ("ns", ["joined (numbers of ten digits"])]:
        case = f"dates-in-{unit}"
        frame(case, "edges.csv", PAIRS, EDGES)
        numbers = DAYS.astype(f"datetime64[{unit}]").astype("int64")
        frame(case, "nodes.csv", zip(NODES, numbers, (a for (a,) in SCORES.values()), KINDS.values()), ["id", "joined", "score", "label"])
        add(case, PANDAS, FOLDER, expect(PAIRS, KINDS, SCORES, ["score"], remarks=remark))
    case = "budgets"
    budgets = {a: [100_000_000 * (5 + i)] for i, a in enumerate(NODES)}
    frame(case, "edges.csv", PAIRS, EDGES)
    pl.DataFrame({"id": NODES, "budget": [b for (b,) in budgets.values()], "label": list(KINDS.values())}).write_csv(kit.path(case, "nodes.csv"))
    add(case, POLARS, FOLDER, expect(PAIRS, KINDS, budgets, ["budget"], silent=True))


def rows():
    """Columns that count the rows, as databases and saved indices do."""
    case = "row-numbers"
    frame(case, "edges.csv", PAIRS, EDGES)
    script = "CREATE TABLE member(nr, id, idx, score, label);\n"
    for i, a in enumerate(NODES):
        script += f"INSERT INTO member VALUES ({i + 1}, '{a}', {i}, {SCORES[a][0]}, '{KINDS[a]}');\n"
    script += ".mode csv\n.headers on\nSELECT * FROM member;\n"
    done = subprocess.run(["sqlite3"], input=script, capture_output=True, text=True, check=True)
    kit.path(case, "nodes.csv").write_bytes(done.stdout.encode())
    remarks = ["nr (the numbers of the rows)", "idx (the numbers of the rows)"]
    add(case, SQLITE, FOLDER, expect(PAIRS, KINDS, SCORES, ["score"], remarks=remarks))
    case = "row-numbers-asked-for"
    frame(case, "edges.csv", PAIRS, EDGES)
    frame(case, "nodes.csv", zip(NODES, range(1, 31), KINDS.values()), ["id", "rank", "label"])
    ranks = {a: [i + 1] for i, a in enumerate(NODES)}
    add(case, PANDAS, FOLDER, expect(PAIRS, KINDS, ranks, ["rank"]), options={"columns": "rank"})


def labels():
    for case, word, remarks in [
        ("code-among-words", "-9", ['4 labels such as "-9" count as unknown']),
        ("unknown-among-words", "Unknown", ['the label "Unknown" is a class like the others']),
    ]:
        some = {a: word if i % 8 == 3 else kind for i, (a, kind) in enumerate(KINDS.items())}
        known = {a: None if label == "-9" else label for a, label in some.items()}
        frame(case, "edges.csv", PAIRS, EDGES)
        frame(case, "labels.csv", some.items(), ["id", "label"])
        add(case, PANDAS, FOLDER, expect(PAIRS, known, remarks=remarks))
    case = "rows-without-ids"
    numbers = list(range(30))
    pairs, kinds = graph(numbers, 3), [i % 3 for i in numbers]
    nx.write_edgelist(nx.Graph(pairs), kit.path(case, "edges.txt"), data=False)
    text(case, "labels.txt", lines([(kind,) for kind in kinds]))
    add(case, f"{NETWORKX} write_edgelist, numpy savetxt", FOLDER, ["labels.txt", "line 1", "1 columns", "`no_ids`"])


def signs():
    """Two classes by their sign, in an array whose -1 is unlabelled."""
    case, numbers = "signs-in-npz", list(range(30))
    pairs = graph(numbers, 5)
    y = np.array([1 if a % 2 else -1 for a in numbers])
    np.savez(kit.path(case, "graph.npz"), edge_index=np.array(pairs).T, y=y)
    found = expect(pairs, {a: "1" if a % 2 else None for a in numbers}, nodes=numbers, remarks=["-1 and 1 alone"])
    add(case, f"numpy {np.__version__} savez", {"path": "graph.npz"}, found)


def ids():
    long = [1_234_567_890_123 + 1_000_003 * i for i in range(30)]
    pairs, kinds = graph(long, 4), classes(long, ["a", "b"], 4)
    for case, of in [("rounded-in-labels", lambda a: a), ("rounded-in-edges", lambda a: f"{a:.5E}")]:
        frame(case, "edges.csv", [(f"{of(a)}", f"{of(b)}") for a, b in pairs], EDGES)
        # One column is of real numbers, as pandas has them beside a missing cell.
        other = "labels" if case == "rounded-in-labels" else "edges"
        text(case, "labels.csv", lines([("id", "label"), *((f"{a}.0" if i == 0 else f"{a:.5E}", b) for i, (a, b) in enumerate(kinds.items()))]))
        add(case, "spreadsheet, a column of numbers", FOLDER, [f"{other}.csv", "left out digits", "text before you"], how=HAND)


kit.begin("corpus-newcomer")
moments()
rows()
labels()
signs()
ids()
kit.finish()
