"""Files whose form or ids other programs changed: JSON by node, pairs, no ids, ids from 1, accents, missing ends.

Run from the top of the repository, in a separate environment, with Node 18 or newer:

    pip install -r golden/corpus-requirements.txt
    python golden/make_corpus_formats.py

Everything under crates/bgcn-files/tests/corpus-formats is written anew and comes out equal to the last byte.
corpus_kit.py says what expected.json holds.
"""

import json
import platform
import subprocess
import unicodedata

import networkx as nx
import numpy as np
import pandas as pd
import scipy
import scipy.io
import scipy.sparse as sp

import corpus_kit as kit
from corpus_kit import add, classes, expect, frame, graph, lines, numbers, path, text

PYTHON, PANDAS, NUMPY = f"Python {platform.python_version()}", f"pandas {pd.__version__}", f"numpy {np.__version__}"
SCIPY, NETWORKX = f"scipy {scipy.__version__}", f"networkx {nx.__version__}"
NODE = "Node " + subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout.strip()[1:]
HAND = "by hand"
FOLDER = {"path": ""}
FILES = {"edges": "edges.csv", "features": "features.json"}
USERS = [str(i) for i in range(14)]
TOWNS = ["Ål", "Örebro", "Čadca", "Dąbie", "Épernay", "Fås", "Győr", "Höör", "Išeo", "Jülich"]


def edges(case, pairs, columns=("source", "target"), **how):
    frame(case, "edges.csv", pairs, columns, **how)


def labels_of(case, labels, columns=("id", "label"), **how):
    frame(case, "labels.csv", labels.items(), columns, **how)


def indicators(columns_of, all_columns):
    """Rows of 0 and 1."""
    return {a: [float(column in own) for column in all_columns] for a, own in columns_of.items()}


def json_by_node():
    pairs = graph(USERS, 101)
    active = {a: sorted({(7 * i + 3 * j) % 23 for j in range(2 + i % 4)}) for i, a in enumerate(USERS)}
    rows = indicators(active, range(max(map(max, active.values())) + 1))
    columns = [f"column={i}" for i in range(len(rows["0"]))]
    case = "json-active-columns"
    edges(case, pairs, ("from", "to"))
    # As published: some columns are listed twice.
    written = {a: own + own[:1] if a == "5" else own for a, own in active.items()}
    text(case, "features.json", json.dumps(written))
    found = expect(pairs, features=rows, columns=columns, remarks=["which is 1 there", "1 pairs are given again"])
    add(case, f"{PYTHON} json.dumps; edges by {PANDAS}", FILES, found)

    case = "json-folder"
    labels = classes(USERS, ["day", "night"], 102)
    edges(case, pairs)
    text(case, "features.json", json.dumps(active, indent=2))
    labels_of(case, labels)
    text(case, "classes.json", json.dumps({"0": "day", "1": "night"}))
    found = expect(pairs, labels, rows, columns, remarks=["ignored: classes.json"])
    add(case, f"{PYTHON} json.dumps; labels by {PANDAS}", FOLDER, found)

    case = "json-labels"
    edges(case, pairs)
    pd.Series(labels).to_json(path(case, "labels.json"))
    read = {"edges": "edges.csv", "labels": "labels.json"}
    add(case, f"{PANDAS} Series.to_json", read, expect(pairs, labels))

    case = "json-huge-columns"
    huge = {a: [4294967290 - 1000 * column for column in own] for a, own in active.items()}
    used = sorted({column for own in huge.values() for column in own})
    edges(case, pairs)
    text(case, "features.json", json.dumps(huge))
    names = [f"column={column}" for column in used]
    found = expect(pairs, features=indicators(huge, used), columns=names, remarks=["4294967290 only"])
    add(case, f"{PYTHON} json.dumps", FILES, found)

    case = "json-tags"
    tags = {a: ["red", "fast", "loud"][: 1 + i % 3] for i, a in enumerate(USERS)} | {"3": []}
    words = sorted({tag for own in tags.values() for tag in own})
    edges(case, pairs)
    text(case, "features.json", json.dumps(tags))
    add(case, f"{PYTHON} json.dumps", FILES, expect(pairs, features=indicators(tags, words), columns=[f"column={w}" for w in words]))

    case = "json-words"
    counts = {a: {w: 1 + i % 3 for w in ["sun", "sea", "ski", "spa", "sky", "sod", "sum"][i % 6 :][:2]} for i, a in enumerate(USERS)}
    words = sorted({w for own in counts.values() for w in own})
    x = {a: [float(own.get(w, 0)) for w in words] for a, own in counts.items()}
    edges(case, pairs)
    text(case, "features.json", json.dumps(counts))
    found = expect(pairs, features=x, columns=words, remarks=["lacks are 0"])
    add(case, f"{PYTHON} json.dumps of collections.Counter", FILES, found)

    case = "json-vectors"
    x = numbers(USERS, 4, 103)
    edges(case, pairs)
    text(case, "features.json", json.dumps({a: np.array(row).tolist() for a, row in x.items()}))
    add(case, f"{NUMPY} tolist, {PYTHON} json.dumps", FILES, expect(pairs, features=x, columns=list("0123")))

    for case, made, outcome in [
        ("json-columns-or-values", {a: [3 * i, 3 * i + 1, 50] for i, a in enumerate(USERS)}, ["3 whole numbers", "columns, or values"]),
        ("json-ragged-values", {a: [0.5] * (2 + i % 2) for i, a in enumerate(USERS)}, ["entry \"1\"", "3 values", "2 for the first"]),
        ("json-mixed", {a: 3 if a == "7" else [1, 2, 4][: i % 3] for i, a in enumerate(USERS)}, ["entry \"7\"", "a number among lists"]),
        ("json-lists-without-ids", [own for own in active.values()], ["JSON that is a list", "no_ids"]),
    ]:
        edges(case, pairs)
        text(case, "features.json", json.dumps(made))
        add(case, f"{PYTHON} json.dumps", FILES, ["features.json", *outcome])


def json_by_pandas():
    pairs = graph(USERS, 104)
    table = pd.DataFrame(
        {"days": [3.5 + i for i in range(14)], "views": [(5 * i) % 9 for i in range(14)], "kind": ["shop", "club"] * 7},
        index=USERS,
    )
    names = ["days", "views", "kind=club", "kind=shop"]
    x = {a: [row.days, float(row.views), float(row.kind == "club"), float(row.kind == "shop")] for a, row in table.iterrows()}
    for case, orient, remarks in [
        ("json-orient-index", "index", []),
        ("json-orient-columns", "columns", ["keys are columns"]),
        ("json-orient-records", "records", []),
    ]:
        edges(case, pairs)
        made = table.reset_index(names="user_id") if orient == "records" else table
        made.to_json(path(case, "features.json"), orient=orient)
        add(case, f"{PANDAS} to_json(orient={orient!r})", FILES, expect(pairs, features=x, columns=names, remarks=remarks))
    case = "json-orient-split"
    edges(case, pairs)
    table.to_json(path(case, "features.json"), orient="split")
    add(case, f"{PANDAS} to_json(orient='split')", FILES, ["features.json", "orient", "index"])

    case = "json-float-index"
    floats = table[["days", "views"]].set_index(pd.Index([float(a) for a in USERS]))
    edges(case, pairs)
    floats.to_json(path(case, "features.json"), orient="index")
    assert '"3.0"' in path(case, "features.json").read_text()
    x = {a: row[:2] for a, row in x.items()}
    add(case, f"{PANDAS} to_json(orient='index') of a float index", FILES, expect(pairs, features=x, columns=names[:2]))


def pair_tables():
    pairs = graph(USERS, 105)
    active = {a: [(5 * i + j * j) % 11 for j in range(3)] for i, a in enumerate(USERS)}
    active = {a: sorted(set(own)) for a, own in active.items()}
    rows = indicators(active, range(max(map(max, active.values())) + 1))
    listed = [(a, column) for a, own in active.items() for column in own]
    read = {"edges": "edges.csv", "features": "features.csv"}
    case = "pairs"
    edges(case, pairs)
    frame(case, "features.csv", listed, ["id", "column"])
    names = [f"column={i}" for i in range(len(rows["0"]))]
    add(case, f"{PANDAS} to_csv(index=False)", read, expect(pairs, features=rows, columns=names, remarks=["which is 1 there"]))

    case = "pairs-of-names"
    games = ["chess", "go", "poker", "whist", "bridge", "darts", "golf", "rugby", "pool", "polo", "judo"]
    edges(case, pairs)
    made = pd.Series({a: [games[column] for column in own] for a, own in active.items()}, name="game").explode()
    made.rename_axis("user").reset_index().to_csv(path(case, "features.csv"), index=False)
    used = sorted({games[column] for own in active.values() for column in own})
    x = {a: [float(game in {games[column] for column in own}) for game in used] for a, own in active.items()}
    found = expect(pairs, features=x, columns=[f"game={game}" for game in used], remarks=["which is 1 there"])
    add(case, f"{PANDAS} explode, to_csv(index=False)", read, found)

    case = "pairs-huge-columns"
    edges(case, pairs)
    frame(case, "features.csv", [(a, 10**9 * column) for a, column in listed if column], ["id", "column"])
    used = sorted({column for own in active.values() for column in own if column})
    x = indicators(active, used)
    found = expect(pairs, features=x, columns=[f"column={10**9 * column}" for column in used], remarks=["only"])
    add(case, f"{PANDAS} to_csv(index=False)", read, found)

    case = "pairs-some-without"
    edges(case, pairs)
    frame(case, "features.csv", [(a, column) for a, column in listed if a not in "37"], ["id", "column"])
    x = indicators({a: [] if a in "37" else own for a, own in active.items()}, range(len(rows["0"])))
    add(case, f"{PANDAS} to_csv(index=False)", read, expect(pairs, features=x, columns=names, remarks=["2 of 14 nodes have no row"]))


def without_ids():
    n = 15
    pairs = graph(range(n), 106)
    labels, x = classes(range(n), [0, 1, 2], 106), numbers(range(n), 3, 106)
    options = {"no_ids": True}
    both = {"edges": "edges.txt", "features": "x.txt", "labels": "y.txt"}
    case = "no-ids-labels-and-features"
    np.savetxt(path(case, "edges.txt"), np.array(pairs), fmt="%d")
    np.savetxt(path(case, "y.txt"), np.array(list(labels.values())), fmt="%d")
    np.savetxt(path(case, "x.txt"), np.array(list(x.values())))
    found = expect(pairs, labels, x, remarks=["the nodes 0 to 14 of edges.txt"])
    add(case, f"{NUMPY} savetxt", both, found, options=options)

    case = "no-ids-header"
    words = classes(range(n), ["north wing", "south wing"], 107)
    edges(case, pairs)
    frame(case, "labels.csv", [(word,) for word in words.values()], ["wing"], quoting=1)
    frame(case, "features.csv", x.values(), ["height", "width", "depth"])
    found = expect(pairs, words, x, ["height", "width", "depth"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, found, options=options)

    case = "no-ids-count-differs"
    edges(case, pairs)
    np.savetxt(path(case, "labels.csv"), np.array(list(labels.values()))[:-2], fmt="%d")
    add(case, f"{NUMPY} savetxt", FOLDER, ["labels.csv", "13 rows", "15 nodes"], options=options)

    case = "no-ids-from-one"
    edges(case, [(a + 1, b + 1) for a, b in pairs])
    np.savetxt(path(case, "labels.csv"), np.array(list(labels.values())), fmt="%d")
    found = expect([(a + 1, b + 1) for a, b in pairs], {a + 1: label for a, label in labels.items()}, remarks=["the nodes 1 to 15"])
    add(case, f"{NUMPY} savetxt; edges counted from 1", FOLDER, found, options=options)

    case = "no-ids-but-names"
    edges(case, [(f"p{a}", f"p{b}") for a, b in pairs])
    np.savetxt(path(case, "labels.csv"), np.array(list(labels.values())), fmt="%d")
    add(case, f"{NUMPY} savetxt", FOLDER, ["edges.csv", "no_ids", "p"], options=options)

    case = "no-ids-json"
    edges(case, pairs)
    active = {i: sorted({i % 6, (i * i) % 7, 6}) for i in range(n)}
    text(case, "features.json", json.dumps(list(active.values())))
    text(case, "labels.json", json.dumps([f"class {label}" for label in labels.values()]))
    named = {a: f"class {label}" for a, label in labels.items()}
    found = expect(pairs, named, indicators(active, range(7)), [f"column={i}" for i in range(7)])
    read = {"edges": "edges.csv", "features": "features.json", "labels": "labels.json"}
    add(case, f"{PYTHON} json.dumps", read, found, options=options)

    a = np.zeros((n, n))
    for u, v in pairs:
        a[u, v] = a[v, u] = 1
    case = "no-ids-scipy-npz"
    sp.save_npz(path(case, "adjacency.npz"), sp.csr_matrix(a))
    np.savetxt(path(case, "labels.txt"), np.array(list(labels.values())), fmt="%d")
    read = {"edges": "adjacency.npz", "labels": "labels.txt"}
    add(case, f"{SCIPY} save_npz, {NUMPY} savetxt", read, expect(pairs, labels), options=options)
    case = "no-ids-without-use"
    edges(case, pairs)
    add(case, f"{PANDAS} to_csv(index=False)", {"path": "edges.csv"}, ["no_ids", "Leave it out"], options=options)

    case = "mtx-labels-from-1"
    scipy.io.mmwrite(path(case, "graph.mtx"), sp.csr_matrix(a))
    one = {i + 1: "AB"[i % 2] for i in range(n)}
    labels_of(case, one)
    read = {"edges": "graph.mtx", "labels": "labels.csv"}
    from_one = [(u + 1, v + 1) for u, v in pairs]
    found = expect(from_one, one, remarks=["nodes are called 1 to 15"])
    add(case, f"{SCIPY} io.mmwrite; labels by {PANDAS}, rows as the file counts them", read, found)
    case = "mtx-labels-of-some"
    scipy.io.mmwrite(path(case, "graph.mtx"), sp.csr_matrix(a))
    some = {i: label for i, label in one.items() if i in (1, 2, 3, 6, 9)}
    labels_of(case, some)
    found = expect(from_one, some, nodes=range(1, n + 1), remarks=["nodes are called 1 to 15"])
    add(case, f"{SCIPY} io.mmwrite; labels by {PANDAS}", read, found)
    case = "mtx-labels-from-0-and-1"
    scipy.io.mmwrite(path(case, "graph.mtx"), sp.csr_matrix(a))
    labels_of(case, {i: "AB"[i % 2] for i in range(n + 1)})
    add(case, f"{SCIPY} io.mmwrite; labels by {PANDAS}", read, ["labels.csv", "15", "node 0"])


def isolated():
    ids = [f"v{i:02}" for i in range(10)]
    pairs, labels = graph(ids, 108), classes(ids, ["a", "b"], 108)
    x = numbers([*ids, *(f"w{i:02}" for i in range(12))], 2, 108)
    for case, options, outcome in [
        ("isolated-most", None, ["features.csv", "12 of 22 rows", "w00", "allow_isolated"]),
        ("isolated-most-allowed", {"allow_isolated": True}, expect(pairs, labels, x, ["f0", "f1"], remarks=["12 of 22"])),
    ]:
        edges(case, pairs)
        labels_of(case, labels)
        frame(case, "features.csv", [(a, *row) for a, row in x.items()], ["id", "f0", "f1"])
        add(case, f"{PANDAS} to_csv(index=False)", FOLDER, outcome, options=options)


def ends():
    pairs = graph(range(1, 15), 109)
    labels = classes(range(1, 15), ["a", "b"], 109)
    case = "one-float-column"
    made = pd.DataFrame(pairs, columns=["source", "target"]).astype({"target": float})
    made.to_csv(path(case, "edges.csv"), index=False)
    labels_of(case, labels)
    add(case, f"{PANDAS} to_csv of a float64 column", FOLDER, expect(pairs, labels, remarks=["is read as"]))
    case = "missing-ends"
    more = [*made.values.tolist(), [3, None], [7, None], [None, 2]]
    pd.DataFrame(more, columns=["source", "target"]).to_csv(path(case, "edges.csv"), index=False, na_rep="NaN")
    labels_of(case, labels)
    add(case, f"{PANDAS} to_csv(na_rep='NaN')", FOLDER, expect(pairs, labels, remarks=["3 edges are left out", "NaN"]))
    names = {a: f"n{a}" for a in labels}
    named, classed = [(names[a], names[b]) for a, b in pairs], {names[a]: label for a, label in labels.items()}
    for case, word, tool in [
        ("missing-ends-null", "NULL", "mysql 8.0 --batch"),
        ("missing-ends-backslash", "\\N", "mysql 8.0 INTO OUTFILE"),
        ("missing-ends-none", "None", f"{PYTHON} str"),
    ]:
        text(case, "edges.tsv", lines([("source", "target"), *named, ("n3", word), (word, "n5")], "\t"))
        text(case, "labels.tsv", lines([("id", "label"), *classed.items()], "\t"))
        add(case, tool, FOLDER, expect(named, classed, remarks=["2 edges are left out"]), how=HAND)
    case = "quoted-na"
    land = ["NA", "ZA", "BW", "AO", "ZM", "ZW", "MZ", "TZ"]
    borders = graph(land, 110)
    edges(case, borders, quoting=1)
    labels_of(case, classes(land, ["dry", "wet"], 110), quoting=1)
    add(case, f"{PANDAS} to_csv(index=False, quoting=QUOTE_ALL)", FOLDER, expect(borders, classes(land, ["dry", "wet"], 110)))
    case = "label-without-node"
    edges(case, named)
    labels_of(case, classed | {None: "a"}, na_rep="NaN")
    add(case, f"{PANDAS} to_csv(na_rep='NaN')", FOLDER, ["labels.csv", "line 16", "label without a node"])
    case = "konect-bip"
    text(case, "out.visits", "% bip unweighted\n% 14 14 14\n" + lines(pairs, " "))
    add(case, "KONECT out.* of a bipartite network", {"path": "out.visits"}, ["line 1", "bip", "both"], how=HAND)
    case = "konect-bip-apart"
    apart = [(f"u{a}", f"v{b}") for a, b in pairs]
    text(case, "out.visits", "% bip unweighted\n" + lines(apart, " "))
    add(case, "KONECT out.*, letters put before the ids", {"path": "out.visits"}, expect(apart), how=HAND)


def rewritten_ids():
    accounts = [123456700000 + 37 * i for i in range(12)]
    pairs, labels = graph(accounts, 111), classes(accounts, ["good", "bad"], 111)
    case = "spreadsheet-ids"
    shown = {a: f"{a:.5E}" for a in accounts}
    assert len(set(shown.values())) < len(accounts)
    text(case, "edges.csv", lines([("source", "target"), *((shown[a], shown[b]) for a, b in pairs)], end="\r\n"))
    text(case, "labels.csv", lines([("id", "label"), *((shown[a], label) for a, label in labels.items())], end="\r\n"))
    add(case, "Excel 365, ids shown as 1.23457E+11", FOLDER, ["edges.csv", "line 2", "1.23457E+11", "text"], how=HAND)
    case = "spreadsheet-ids-in-labels"
    edges(case, pairs)
    text(case, "labels.csv", lines([("id", "label"), *((shown[a], label) for a, label in labels.items())], end="\r\n"))
    add(case, "Excel 365, ids shown as 1.23457E+11", FOLDER, ["labels.csv", "line 2", "1.23457E+11"], how=HAND)
    case = "thousands"
    houses = [950, 1567, 12, 2304, 801, 15220, 77, 3001, 4, 1010]
    pairs, labels = graph(houses, 112), classes(houses, ["sold", "let"], 112)
    text(case, "edges.tsv", lines([("source", "target"), *((f"{a:,}", f"{b:,}") for a, b in pairs)], "\t"))
    text(case, "labels.tsv", lines([("id", "label"), *labels.items()], "\t"))
    add(case, f"{PYTHON} format(id, ',')", FOLDER, expect(pairs, labels, remarks=["is read as"]))

    ids = [str(9007199254740993 * 137 + 1311768467463790320 + 1001 * i) for i in range(10)]
    pairs = graph(ids, 113)
    made = {"nodes": [{"id": int(a), "label": "ab"[i % 2]} for i, a in enumerate(ids)], "links": [{"source": int(a), "target": int(b)} for a, b in pairs]}
    labels = {a: "ab"[i % 2] for i, a in enumerate(ids)}
    case = "json-large-ids"
    text(case, "graph.json", json.dumps(made))
    add(case, f"{PYTHON} json.dumps", {"path": "graph.json"}, expect(pairs, labels))
    case = "json-ids-rounded"
    program = "process.stdout.write(JSON.stringify(JSON.parse(require('fs').readFileSync(0, 'utf8'))))"
    rounded = subprocess.run(["node", "-e", program], input=json.dumps(made), check=True, capture_output=True, text=True)
    text(case, "graph.json", rounded.stdout)
    add(case, f"{NODE} JSON.stringify(JSON.parse(…))", {"path": "graph.json"}, ["graph.json", "2^53", "rounded"])
    case = "ids-rounded"
    read = json.loads(rounded.stdout)
    edges(case, [(link["source"], link["target"]) for link in read["links"]])
    add(case, f"{NODE}, {PANDAS} to_csv(index=False)", {"path": "edges.csv"}, ["edges.csv", "2^53", "rounded"])
    case = "json-id-real"
    big = {"nodes": [{"id": 1.0e21}, {"id": 2.5e21}], "links": [{"source": 1.0e21, "target": 2.5e21}]}
    text(case, "graph.json", json.dumps(big))
    add(case, f"{PYTHON} json.dumps of floats", {"path": "graph.json"}, ["node 0", "1e21", "text"])


def letters():
    western = ["Škoda", "Žofie", "Œuvre", "Ÿ", "café €", "naïve", "“Ax”", "Bo–Bo", "Ž", "plain"]
    pairs = graph(western, 114)
    labels = classes(western, ["š", "ž"], 114)
    g = nx.Graph()
    for a, label in labels.items():
        g.add_node(a, label=label)
    g.add_edges_from(pairs)
    case = "graphml-windows-1252"
    nx.write_graphml_xml(g, path(case, "graph.graphml"), encoding="windows-1252")
    assert b"\x8akoda" in path(case, "graph.graphml").read_bytes()
    add(case, f"{NETWORKX} write_graphml_xml(encoding='windows-1252')", {"path": "graph.graphml"}, expect(pairs, labels))
    case = "gexf-windows-1252"
    kinds = nx.Graph()
    kinds.add_nodes_from((a, {"category": label}) for a, label in labels.items())
    kinds.add_edges_from(pairs)
    nx.write_gexf(kinds, path(case, "graph.gexf"), encoding="windows-1252")
    written = path(case, "graph.gexf").read_bytes()
    text(case, "graph.gexf", written)
    assert b"\x8akoda" in written
    add(case, f"{NETWORKX} write_gexf(encoding='windows-1252')", {"path": "graph.gexf"}, expect(pairs, labels))
    case = "graphml-latin1-mistaken"
    wrong = (kit.OUT / "graphml-windows-1252/graph.graphml").read_bytes().replace(b"windows-1252", b"iso-8859-1")
    text(case, "graph.graphml", wrong)
    add(case, f"{NETWORKX}, the declaration changed", {"path": "graph.graphml"}, ["iso-8859-1 does not have", "UTF-8"], how=HAND)

    pairs, labels = graph(TOWNS, 115), classes(TOWNS, ["hill", "coast"], 115)
    apart = {town: unicodedata.normalize("NFD", town) for town in TOWNS}
    assert all(apart[town] != town for town in TOWNS)
    case = "nfd-labels"
    edges(case, pairs)
    labels_of(case, {apart[town]: label for town, label in labels.items()})
    add(case, f"{PYTHON} unicodedata.normalize('NFD'), {PANDAS} to_csv", FOLDER, expect(pairs, labels, remarks=["NFC"]))
    case = "nfd-graphml"
    g = nx.Graph((apart[a], apart[b]) for a, b in pairs)
    nx.write_graphml_xml(g, path(case, "graph.graphml"))
    labels_of(case, labels)
    read = {"edges": "graph.graphml", "labels": "labels.csv"}
    add(case, f"{PYTHON} unicodedata, {NETWORKX} write_graphml_xml", read, expect(pairs, labels, remarks=["graph.graphml", "NFC"]))
    case = "nfd-json"
    edges(case, pairs)
    x = numbers(TOWNS, 2, 115)
    text(case, "features.json", json.dumps({apart[a]: {"u": u, "v": v} for a, (u, v) in x.items()}))
    add(case, f"{PYTHON} unicodedata, json.dumps", FILES, expect(pairs, features=x, columns=["u", "v"], remarks=["features.json", "NFC"]))

    cities = ["New York", "Los Angeles", "San Jose", "El Paso", "St Paul", "Des Moines", "Las Vegas", "Ann Arbor"]
    pairs, labels = graph(cities, 116), classes(cities, ["east", "west"], 116)
    case = "no-break-spaces"
    edges(case, pairs)
    changed = {city.replace(" ", "\u00a0") + "\u00a0" * (i % 2): label for i, (city, label) in enumerate(labels.items())}
    labels_of(case, changed)
    add(case, f"{PANDAS} to_csv of a table copied from a web page", FOLDER, expect(pairs, labels, remarks=["no-break"]))
    case = "zero-width-spaces"
    edges(case, pairs)
    changed = {"\u200b" * (i % 3 == 0) + city + "\u200b" * (i % 2): label for i, (city, label) in enumerate(labels.items())}
    labels_of(case, changed)
    add(case, f"{PANDAS} to_csv of a table copied from a web page", FOLDER, expect(pairs, labels, remarks=["invisible"]))
    case = "mark-inside"
    parts = [lines(pairs[:6], "\t"), lines(pairs[6:], "\t")]
    text(case, "edges.tsv", b"".join(part.encode("utf-8-sig") for part in parts))
    labels_of(case, labels)
    read = {"edges": "edges.tsv", "labels": "labels.csv"}
    add(case, f"{PYTHON} two files in utf-8-sig, one after the other", read, expect(pairs, labels, remarks=["1 invisible"]))


kit.begin("corpus-formats")
for part in (json_by_node, json_by_pandas, pair_tables, without_ids, isolated, ends, rewritten_ids, letters):
    part()
kit.finish()
