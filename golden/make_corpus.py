"""Writes small graphs, features and labels the way tools of daily use write them, and what must be read from each.

Run from the top of the repository, in a separate environment, with R 4.2.2 and its package data.table 1.14.8:

    pip install -r golden/corpus-requirements.txt
    python golden/make_corpus.py

Everything under crates/bgcn-files/tests/corpus is written anew, and comes out equal to the last byte with Python 3.11 and
the versions in corpus-requirements.txt: seeds are fixed, and the dates that tools put into files are set to one day.
Files of programs without a command line (Excel, Gephi, database shells) are typed after what those programs write;
`how` names the tool. PyG's files are written with numpy, as its users export them. All data are invented, but for the
karate club of networkx.

corpus_kit.py says what expected.json holds.
"""

import csv
import gzip
import io
import json
import pathlib
import pickle
import platform
import random
import re
import shutil
import subprocess
import tempfile
import zipfile

import igraph
import networkx as nx
import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow
import scipy
import scipy.io
import scipy.sparse as sp
import zstandard

import corpus_kit as kit
from corpus_kit import add, classes, columns_of, expect, frame, graph, lines, numbers, path, text

HERE = pathlib.Path(__file__).resolve().parent
DAY = "2024-03-01"
R = "R 4.2.2"
PANDAS, POLARS, NUMPY = f"pandas {pd.__version__}", f"polars {pl.__version__}", f"numpy {np.__version__}"
NETWORKX, SCIPY, IGRAPH = f"networkx {nx.__version__}", f"scipy {scipy.__version__}", f"python-igraph {igraph.__version__}"
PYTHON = f"Python {platform.python_version()}"
HAND = "by hand"


FOLDER = {"path": ""}
FIRMS = ["Aldra", "Borvik", "Cemtal", "Dunmor", "Elvira Foods", "Fenwold", "Grantop", "Hexor", "Ilmari", "Jotun Bay"]
PEOPLE = ["ana", "bo", "cleo", "dag", "edda", "finn", "gus", "hana", "ivo", "juno", "kai", "lena"]
PAPERS = [f"P{year}-{i:02}" for year in (2019, 2020) for i in range(1, 8)]
USERS = list(range(1001, 1017))
ACCOUNTS = [f"AC{i:05}" for i in (17, 23, 58, 104, 221, 377, 512, 640, 703, 988, 1024, 1300)]


def plain(case, names, words, seed, edge_columns=("source", "target"), label_columns=("id", "label"), **how):
    """Edges and labels by pandas."""
    pairs, labels = graph(names, seed), classes(names, words, seed)
    frame(case, "edges.csv", pairs, edge_columns, **how)
    frame(case, "labels.csv", labels.items(), label_columns, **how)
    return pairs, labels


def edge_tables():
    pairs, labels = plain("pandas-plain", PEOPLE, ["red", "blue"], 1)
    x = numbers(PEOPLE, 3, 1)
    names = ["f0", "f1", "f2"]
    frame("pandas-plain", "features.csv", [(a, *row) for a, row in x.items()], ["id", *names])
    add("pandas-plain", f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, labels, x, names, silent=True))
    given = {part: f"{part}.csv" for part in ("edges", "features", "labels")}
    for file in given.values():
        shutil.copy(kit.OUT / "pandas-plain" / file, path("three-files", file))
    add("three-files", f"{PANDAS} to_csv(index=False)", given, expect(pairs, labels, x, names, silent=True))

    pairs, labels = plain("pandas-index-column", PAPERS, ["biology", "physics"], 2, index=True)
    add("pandas-index-column", f"{PANDAS} to_csv", FOLDER, expect(pairs, labels, remarks=["index column"]))

    case = "pandas-unnamed-0"
    pairs = graph(PAPERS, 3)
    again = pd.read_csv(io.StringIO(pd.DataFrame(pairs, columns=["source", "target"]).to_csv()))
    again.to_csv(path(case, "edges.csv"), index=False)
    add(case, f"{PANDAS} to_csv, read_csv, to_csv(index=False)", {"path": "edges.csv"}, expect(pairs, remarks=["unnamed: 0"]))

    case = "supplier-customer"
    pairs, labels = graph(FIRMS, 4), classes(FIRMS, ["food", "steel", "wood"], 4)
    pl.DataFrame(pairs, schema=["supplier", "customer"], orient="row").write_csv(path(case, "edges.csv"))
    pl.DataFrame(list(labels.items()), schema=["company_id", "sector"], orient="row").write_csv(path(case, "labels.csv"))
    add(case, f"{POLARS} write_csv", FOLDER, expect(pairs, labels, remarks=["header"]))

    pairs, labels = plain("user-friend", USERS, [True, False], 5, ("user_id", "friend_id"), ("user_id", "churned"))
    add("user-friend", f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, labels, remarks=["header"]))

    case = "person1-person2"
    pairs, labels = graph(PEOPLE, 6), classes(PEOPLE, ["north", "south"], 6)
    frame(case, "edges.tsv", pairs, ["person1", "person2"], sep="\t")
    frame(case, "labels.tsv", labels.items(), ["person", "team"], sep="\t")
    read = {"edges": "edges.tsv", "labels": "labels.tsv"}
    add(case, f"{PANDAS} to_csv(sep=tab, index=False)", read, expect(pairs, labels, remarks=["header"]))

    case = "u-v"
    pairs = graph(range(14), 7)
    with path(case, "edges.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("u", "v"), *pairs])
    add(case, f"{PYTHON} csv.writer (CRLF)", {"path": "edges.csv"}, expect(pairs, silent=True))

    pairs, labels = plain("paper-subject", PAPERS, ["optics", "genetics", "algebra"], 8, ("src", "dst"), ("paper", "subject"))
    add("paper-subject", f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, labels, remarks=["header"]))
    pairs, labels = plain("account-fraud", ACCOUNTS, [0, 1], 9, ("from", "to"), ("account", "fraud"))
    add("account-fraud", f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, labels, remarks=["header"]))

    case = "sqlite-pipes"
    pairs = graph(PEOPLE, 10)
    text(case, "edges.txt", lines([("from_id", "to_id"), *pairs], "|"))
    add(case, "sqlite3 3.40 .mode list, .headers on", {"path": "edges.txt"}, expect(pairs, silent=True), how=HAND)

    case = "semicolons"
    pairs, labels = graph(FIRMS, 11), classes(FIRMS, ["a", "b"], 11)
    frame(case, "edges.csv", pairs, ["source", "target"], sep=";")
    frame(case, "labels.csv", labels.items(), ["id", "class"], sep=";")
    add(case, f"{PANDAS} to_csv(sep=';', index=False)", FOLDER, expect(pairs, labels, silent=True))

    case = "numpy-savetxt-int"
    pairs = graph(range(12), 12)
    np.savetxt(path(case, "edges.txt"), np.array(pairs), fmt="%d")
    assert not {len(pairs) - 1} & set(pairs[0])
    add(case, f"{NUMPY} savetxt(fmt='%d')", {"path": "edges.txt"}, expect(pairs, silent=True))
    case = "numpy-savetxt-header"
    np.savetxt(path(case, "edges.csv"), np.array(pairs), fmt="%d", delimiter=",", header="source,target")
    add(case, f"{NUMPY} savetxt(header='source,target', fmt='%d')", {"path": "edges.csv"}, expect(pairs))
    case = "numpy-savetxt-float"
    np.savetxt(path(case, "edges.csv"), np.array(pairs), delimiter=",", header="a,b")
    labels = classes(range(12), [0, 1], 12)
    np.savetxt(path(case, "labels.csv"), np.array(list(labels.items())), delimiter=",", header="node,label")
    add(case, f"{NUMPY} savetxt (ids 1.000000000000000000e+00)", FOLDER, expect(pairs, labels))

    case = "weights-ignored"
    rng = random.Random(13)
    pairs = graph(PEOPLE, 13)
    rows = [(*pair, rng.choice([0.5, 1.0, 2.0, 3.5])) for pair in pairs]
    labels = classes(PEOPLE, ["x", "y"], 13)
    for name, options, kept, remarks in [
        ("weights-ignored", None, pairs, ["weight"]),
        ("weight-threshold-2", {"weight_threshold": 2}, [row[:2] for row in rows if row[2] >= 2], []),
    ]:
        frame(name, "edges.csv", rows, ["source", "target", "weight"])
        frame(name, "labels.csv", labels.items(), ["id", "label"])
        add(name, f"{PANDAS} to_csv(index=False)", FOLDER, expect(kept, labels, remarks=remarks), options=options)
    assert any(row[2] == 2 for row in rows)
    case = "weight-column"
    rows = [(*pair, "road", rng.choice([0, 0, 12, 40, -3])) for pair in pairs]
    frame(case, "edges.csv", rows, ["source", "target", "mode", "kg"])
    frame(case, "labels.csv", labels.items(), ["id", "label"])
    kept = [row[:2] for row in rows if row[3] > 0]
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, expect(kept, labels, remarks=["mode"]), options={"weight_column": "kg"})

    case = "bank-transfers"
    pairs, labels = graph(ACCOUNTS, 14), classes(ACCOUNTS, ["fraud", "fine"], 14)
    rows = [(f"2023-01-{i + 1:02}", *pair, round(rng.uniform(5, 900), 2), "EUR") for i, pair in enumerate(pairs)]
    frame(case, "edges.csv", rows, ["date", "source", "target", "amount", "currency"])
    frame(case, "labels.csv", labels.items(), ["account", "label"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, labels, remarks=["currency"]))

    case = "four-columns-named"
    pairs, labels = graph(FIRMS, 15), classes(FIRMS, ["a", "b"], 15)
    rows = [(a, f"L{i % 3}", b, i + 2) for i, (a, b) in enumerate(pairs)]
    columns = ["shipper", "lane", "consignee", "tons"]
    chosen = {"source_column": "shipper", "target_column": "consignee"}
    for name, options, outcome in [
        (case, chosen, expect(pairs, labels, remarks=["lane"])),
        ("four-columns", None, ["edges.csv", "shipper", "source_column"]),
        ("no-such-column", chosen | {"source_column": "shiper"}, ["edges.csv", "shiper", "consignee"]),
    ]:
        frame(name, "edges.csv", rows, columns)
        frame(name, "labels.csv", labels.items(), ["id", "label"])
        add(name, f"{PANDAS} to_csv(index=False)", FOLDER, outcome, options=options)

    case = "neo4j-relationships"
    pairs = graph(PEOPLE, 16)
    text(case, "knows.csv", lines([(":START_ID", ":END_ID", ":TYPE"), *((*pair, "KNOWS") for pair in pairs)]))
    options = {"source_column": ":START_ID", "target_column": ":END_ID"}
    add(case, "neo4j-admin import, header of relationships", {"path": "knows.csv"}, expect(pairs), options=options, how=HAND)
    case = "triples"
    text(case, "facts.csv", lines([("subject", "predicate", "object"), *((a, "knows", b) for a, b in pairs)]))
    add(case, "triples of a knowledge graph", {"path": "facts.csv"}, ["facts.csv", "predicate", "source_column"], how=HAND)

    case = "merged"
    pairs = graph(PEOPLE, 17)
    rows = pairs + [pairs[0], pairs[1][::-1], pairs[2], ("ana", "ana"), ("bo", "bo")]
    frame(case, "edges.csv", rows, ["source", "target"])
    add(case, f"{PANDAS} to_csv(index=False)", {"path": "edges.csv"}, expect(rows))

    case = "no-header-text"
    pairs = graph(PEOPLE, 18)
    text(case, "edges.csv", lines(pairs))
    add(case, "text editor", {"path": "edges.csv"}, expect(pairs, silent=True), how=HAND)
    case = "no-header-pair-apart"
    rows = [("zoe", "max"), *pairs]
    text(case, "edges.csv", lines(rows))
    labels = classes([*PEOPLE, "zoe", "max"], ["a", "b"], 18)
    text(case, "labels.csv", lines([("id", "label"), *labels.items()]))
    add(case, "text editor; the first edge is a component", FOLDER, expect(rows, labels), options={"header": "no"}, how=HAND)

    case = "no-final-newline"
    text(case, "edges.csv", lines([("source", "target"), *pairs]).rstrip("\n"))
    add(case, "text editor", {"path": "edges.csv"}, expect(pairs, silent=True), how=HAND)
    case = "blank-lines"
    text(case, "edges.txt", "\n" + lines(pairs[:5], "  ") + "\n" + lines(pairs[5:], "   ", " \n") + "\n\n")
    add(case, "text editor, aligned with spaces", {"path": "edges.txt"}, expect(pairs, silent=True), how=HAND)

    sizes = [(1, 2), (2, 3), (3, 4), (4, 5)]
    said = ["edges.txt", "line 1", "5 4", "header="]
    for case, options, outcome in [
        ("size-line", None, said),
        ("size-line-header-yes", {"header": "yes"}, expect(sizes)),
        ("size-line-header-no", {"header": "no"}, expect([(5, 4), *sizes])),
    ]:
        text(case, "edges.txt", lines([(5, 4), *sizes], " "))
        add(case, "exercise sheet: nodes and edges in the first line", {"path": "edges.txt"}, outcome, options=options, how=HAND)


def names_and_comments():
    case = "leading-zeros"
    names = ["007", "07", "7", "0012", "12", "100", "0100", "003", "044", "44"]
    pairs, labels = plain(case, names, ["a", "b"], 21)
    add(case, f"{PANDAS} to_csv(index=False), ids as text", FOLDER, expect(pairs, labels, silent=True))
    case = "hex-ids"
    names = ["4e12", "a90f", "00e1", "7d33", "12e5", "beef", "c0de", "9911", "1e10", "f00d", "03aa", "5e01"]
    pairs, labels = plain(case, names, ["add", "fix"], 22)
    add(case, f"{PANDAS} to_csv(index=False); some ids look like 4·10¹²", FOLDER, expect(pairs, labels, silent=True))

    tags = ["#bread", "#cake", "#rye", "#oven", "#goal", "#match", "#cup", "#team", "#coach", "#flour"]
    pairs, labels = graph(tags, 23), classes(tags, ["baking", "sport"], 23)
    case = "hashtags"
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "labels.csv", labels.items(), ["id", "label"], quoting=csv.QUOTE_ALL)
    add(case, f"{PANDAS} to_csv(index=False); labels with quoting=QUOTE_ALL", FOLDER, expect(pairs, labels))
    case = "hashtags-no-header"
    text(case, "edges.txt", lines(pairs, "\t"))
    add(case, "text editor", {"path": "edges.txt"}, expect(pairs), how=HAND)
    case = "hashtags-unquoted-labels"
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "labels.csv", labels.items(), ["id", "label"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, labels))
    case = "row-commented-out"
    pairs = graph(PEOPLE, 24)
    rows = lines([("source", "target"), *pairs]).splitlines()
    rows[5] = "#" + rows[5]
    text(case, "edges.csv", "\n".join(rows) + "\n")
    add(case, "text editor", {"path": "edges.csv"}, ["edges.csv", "line 6", rows[5].split(",")[0]], how=HAND)

    case = "snap-txt-gz"
    pairs = graph([3, 8, 15, 21, 34, 40, 77, 102, 118, 120, 200, 311], 25)
    head = f"# Undirected graph: roads.txt \n# Roads of an invented island\n# Nodes: 12 Edges: {len(pairs)}\n# FromNodeId\tToNodeId\n"
    text(case, "roads.txt.gz", gzip.compress((head + lines(pairs, "\t", "\r\n")).encode(), mtime=0))
    add(case, "SNAP text, gzip", {"path": "roads.txt.gz"}, expect(pairs, silent=True), how=HAND)
    case = "konect"
    pairs = graph(range(1, 13), 26)
    text(case, "out.island", f"% sym unweighted\n% {len(pairs)} 12 12\n" + lines(pairs, " ", " \n"))
    add(case, "KONECT out file", {"path": "out.island"}, expect(pairs, silent=True), how=HAND)
    case = "konect-times"
    rows = [(*pair, 1, 1288000000 + 7 * i) for i, pair in enumerate(pairs)]
    text(case, "out.visits", "% sym positive\n" + lines(rows, " "))
    add(case, "KONECT out file with weights and times", {"path": "out.visits"}, ["out.visits", "line 2", "source_column"], how=HAND)

    g = nx.Graph(graph(PEOPLE, 27))
    truth = list(g.edges)
    for case, write in [
        ("networkx-edgelist", nx.write_edgelist),
        ("networkx-edgelist-bare", lambda g, to: nx.write_edgelist(g, to, data=False)),
    ]:
        write(g, path(case, "friends.edgelist"))
        made = "write_edgelist(data=False)" if "bare" in case else "write_edgelist"
        add(case, f"{NETWORKX} {made}", {"path": "friends.edgelist"}, expect(truth))
    for i, (_, _, data) in enumerate(g.edges(data=True)):
        data["weight"] = 1 + i % 4
    case = "networkx-edgelist-weight"
    nx.write_edgelist(g, path(case, "friends.edgelist"))
    add(case, f"{NETWORKX} write_edgelist", {"path": "friends.edgelist"}, expect(truth, remarks=["weight"]))
    case = "networkx-weighted-edgelist"
    nx.write_weighted_edgelist(g, path(case, "friends.edgelist"))
    add(case, f"{NETWORKX} write_weighted_edgelist", {"path": "friends.edgelist"}, expect(truth, remarks=["weight"]))
    case = "networkx-weighted-threshold"
    nx.write_weighted_edgelist(g, path(case, "friends.edgelist"))
    kept = [(a, b) for a, b, weight in g.edges(data="weight") if weight >= 3]
    found = expect(kept, nodes=g.nodes)
    add(case, f"{NETWORKX} write_weighted_edgelist", {"path": "friends.edgelist"}, found, options={"weight_threshold": 3})
    case = "networkx-adjlist"
    g = nx.Graph([("ana", "bo"), ("bo", "cleo"), ("bo", "dag"), ("dag", "edda"), ("edda", "ana")])
    h = nx.Graph()
    h.add_nodes_from(["cleo", "bo", "ana", "dag", "edda"])
    h.add_edges_from(g.edges)
    rows = list(nx.generate_adjlist(h))
    assert rows[0] == "cleo bo" and len(rows[1].split()) == 3
    nx.write_adjlist(h, path(case, "friends.adjlist"))
    written = path(case, "friends.adjlist").read_text().splitlines()
    written[:3] = ["#export.py", f"# GMT {DAY}", "#"]
    text(case, "friends.adjlist", "\n".join(written) + "\n")
    add(case, f"{NETWORKX} write_adjlist", {"path": "friends.adjlist"}, ["friends.adjlist", "line 5", "bo"])


def encodings():
    names = ["Zoë", "Jörg", "Łukasz", "Åse", "Noël", "Eve", "Mia", "Tom", "Ida", "Uwe"]
    pairs, labels = graph(names, 31), classes(names, ["Köln", "Århus"], 31)
    edges, table = [("source", "target"), *pairs], [("id", "label"), *labels.items()]
    for case, tool, encoding, separator, end, remarks in [
        ("utf8-bom-crlf", "Excel 365, CSV UTF-8", "utf-8-sig", ",", "\r\n", []),
        ("cr-only", "Excel for Mac 2011, CSV (Macintosh), in UTF-8", "utf-8", ",", "\r", []),
        ("utf16-excel", "Excel 365, Unicode text", "utf-16", "\t", "\r\n", ["utf-16"]),
        ("utf16-big-endian", "Notepad, UTF-16 BE", "utf-16-be", ",", "\r\n", ["utf-16"]),
    ]:
        start = "\ufeff" if encoding == "utf-16-be" else ""
        text(case, "edges.csv", start + lines(edges, separator, end), encoding)
        text(case, "labels.csv", start + lines(table, separator, end), encoding)
        add(case, tool, FOLDER, expect(pairs, labels, remarks=remarks, silent=not remarks), how=HAND)
    case = "latin1"
    ids = dict(zip(names, [f"m{i}" for i in range(10)]))
    moved = [(ids[a], ids[b]) for a, b in pairs]
    text(case, "edges.csv", lines([("source", "target"), *moved]))
    # The first three towns need no letter beyond ASCII.
    towns = [(a, "Bonn" if i < 3 else "Köln") for i, a in enumerate(ids.values())]
    text(case, "labels.csv", lines([("id", "label"), *towns], end="\r\n"), "latin-1")
    add(case, "Excel 365, CSV (Windows-1252)", FOLDER, ["labels.csv", "line 5", "UTF-8"], how=HAND)
    case = "nul-bytes"
    rows = lines([("source", "target"), *moved]).encode().splitlines()
    rows[3] = rows[3].replace(b",", b"\x00,")
    text(case, "edges.csv", b"\n".join(rows) + b"\n")
    add(case, "a logger that was cut off", {"path": "edges.csv"}, ["edges.csv", "line 4", "NUL"], how=HAND)

    case = "excel-sep-line"
    text(case, "edges.csv", "sep=;\r\n" + lines([("source", "target"), *moved], ";", "\r\n"))
    add(case, "Excel 365, separator in the first line", {"path": "edges.csv"}, expect(moved, remarks=["sep="]), how=HAND)
    case = "quoted-commas"
    names = ["Holm, Ada", "Brandt, Lev", 'Ek, "Bo"', "Vik, Siv", "Lund, Per", "Dahl; Rut", "Berg | Ole", "Moe"]
    pairs, labels = plain(case, names, ["sales, north", "sales, south"], 32)
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, labels, silent=True))
    case = "quoted-all"
    pairs, labels = plain(case, USERS, ["gold", "silver"], 33, quoting=csv.QUOTE_ALL)
    add(case, f"{PANDAS} to_csv(index=False, quoting=QUOTE_ALL)", FOLDER, expect(pairs, labels, silent=True))
    case = "gzip-folder"
    pairs, labels = graph(PEOPLE, 34), classes(PEOPLE, ["a", "b"], 34)
    zipped = {"compression": {"method": "gzip", "mtime": 0}}
    frame(case, "edges.csv.gz", pairs, ["source", "target"], **zipped)
    frame(case, "labels.csv.gz", labels.items(), ["id", "label"], **zipped)
    add(case, f"{PANDAS} to_csv(compression='gzip')", FOLDER, expect(pairs, labels, silent=True))
    case = "zstd-folder"
    for file, rows in [("edges.csv.zst", edges_of(pairs)), ("labels.csv.zst", [("id", "label"), *labels.items()])]:
        text(case, file, zstandard.ZstdCompressor().compress(lines(rows).encode()))
    add(case, f"zstandard {zstandard.__version__}", FOLDER, expect(pairs, labels, silent=True))


def edges_of(pairs):
    return [("source", "target"), *pairs]


def label_tables():
    case = "na-words"
    names = [f"s{i}" for i in range(16)]
    pairs, labels = graph(names, 41), classes(names, ["wet", "dry"], 41)
    words = dict(zip(names[6:13], ["NaN", "NA", "null", "None", "N/A", "?", ""]))
    text(case, "edges.csv", lines(edges_of(pairs)))
    text(case, "labels.csv", lines([("id", "label"), *(labels | words).items()]))
    add(case, "words of several tools", FOLDER, expect(pairs, labels | dict.fromkeys(words), remarks=["unknown"]), how=HAND)
    case = "pandas-float-labels"
    pairs, labels = graph(USERS, 42), classes(USERS, [1, 0, 2], 42) | dict.fromkeys(USERS[10:13])
    frame(case, "edges.csv", pairs, ["source", "target"])
    pd.DataFrame({"id": USERS, "label": pd.Series(labels.values(), dtype="float64")}).to_csv(path(case, "labels.csv"), index=False)
    assert ",1.0\n" in path(case, "labels.csv").read_text()
    add(case, f"{PANDAS} to_csv of a float64 column", FOLDER, expect(pairs, labels))
    case = "pandas-na-rep"
    frame(case, "edges.csv", pairs, ["source", "target"])
    words = {a: None if label is None else f"c{label}" for a, label in labels.items()}
    frame(case, "labels.csv", words.items(), ["id", "label"], na_rep="NULL")
    add(case, f"{PANDAS} to_csv(na_rep='NULL')", FOLDER, expect(pairs, words, remarks=["unknown"]))
    case = "mysql-batch"
    text(case, "edges.tsv", lines(edges_of(pairs), "\t"))
    rows = [(a, "NULL" if label is None else label) for a, label in words.items()]
    text(case, "labels.tsv", lines([("id", "category"), *rows], "\t"))
    add(case, "mysql 8.0 --batch", FOLDER, expect(pairs, words, remarks=["unknown"]), how=HAND)
    case = "minus-one-class"
    pairs, labels = plain(case, PEOPLE, [-1, 0, 1], 43)
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, labels))
    case = "label-among-columns"
    pairs, labels = graph(PEOPLE, 44), classes(PEOPLE, ["club", "none of them"], 44)
    rows = [(a, 20 + i, label, f"2022-05-{i + 1:02}") for i, (a, label) in enumerate(labels.items())]
    for name, columns, options, outcome in [
        (case, ["id", "age", "label", "joined"], None, expect(pairs, labels, remarks=["joined"])),
        ("label-column-option", ["id", "age", "member_of", "joined"], {"label_column": "member_of"}, expect(pairs, labels, remarks=["joined"])),
        ("label-column-unclear", ["id", "age", "member_of", "joined"], None, ["labels.csv", "member_of", "label_column"]),
    ]:
        frame(name, "edges.csv", pairs, ["source", "target"])
        frame(name, "labels.csv", rows, columns)
        read = {"edges": "edges.csv", "labels": "labels.csv"}
        add(name, f"{PANDAS} to_csv(index=False)", read, outcome, options=options)
    case = "real-values"
    values = {a: row[0] for a, row in numbers(PEOPLE, 1, 45).items()}
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "labels.csv", values.items(), ["id", "value"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, values, values=True))
    case = "label-kind-values"
    values = classes(PEOPLE, [3, 4, 9, 12], 46)
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "labels.csv", values.items(), ["id", "label"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, values, values=True), options={"label_kind": "values"})
    case = "label-kind-classes"
    values = classes(PEOPLE, ["1.5", "2.5"], 47)
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "labels.csv", values.items(), ["id", "label"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, values), options={"label_kind": "classes"})
    case = "labels-some-strangers"
    frame(case, "edges.csv", pairs, ["source", "target"])
    labels = classes([*PEOPLE, "otto", "pia", "rolf"], ["a", "b"], 48)
    frame(case, "labels.csv", labels.items(), ["id", "label"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, labels, remarks=["3 "]))
    case = "labels-no-header"
    labels = dict(zip(PEOPLE, ["gold", *["iron", "tin"] * 6]))
    text(case, "edges.txt", lines(pairs, " "))
    text(case, "labels.txt", lines(labels.items(), " "))
    read = {"edges": "edges.txt", "labels": "labels.txt"}
    add(case, "text editor; the first class occurs once", read, expect(pairs, labels), how=HAND)
    case = "labels-two-schemes"
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "labels.csv", [(f"user_{i}", "ab"[i % 2]) for i in range(12)], ["id", "label"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, ["labels.csv", "user_0", "user_1", *pairs[0]])
    case = "labels-contradict"
    frame(case, "edges.csv", pairs, ["source", "target"])
    rows = [*classes(PEOPLE, ["a", "b"], 49).items()]
    frame(case, "labels.csv", [*rows, ("cleo", "c")], ["id", "label"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, ["labels.csv", "line 14", "cleo"])


def node_tables():
    rng = random.Random(51)
    ids = [f"v{i:02}" for i in range(14)]
    pairs = graph(ids, 51)
    labels = classes(ids, ["car", "bus", "tram"], 51)
    table = {
        "owner": [f"{a} {b}" for a, b in zip(rng.sample(PEOPLE * 2, 14), range(100, 114))],
        "age": [rng.randrange(1, 30) for _ in ids],
        "fuel": [rng.choice(["diesel", "petrol", "electric"]) for _ in ids],
        "leased": [rng.random() < 0.5 for _ in ids],
        "km": [None if i in (3, 8) else round(rng.uniform(100, 9000), 1) for i in range(14)],
        "wheels": [4] * 14,
    }
    names, rows = columns_of(table, ["owner"])
    x = dict(zip(ids, rows))
    for case, columns, options, remarks in [
        ("nodes-table", ("id", "label"), None, ["owner", "empty"]),
        ("nodes-table-options", ("plate", "kind"), {"id_column": "plate", "label_column": "kind"}, ["owner", "empty"]),
    ]:
        frame(case, "edges.csv", pairs, ["source", "target"])
        pd.DataFrame({columns[0]: ids} | table | {columns[1]: labels.values()}).to_csv(path(case, "nodes.csv"), index=False)
        add(case, f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, labels, x, names, remarks=remarks), options=options)
    case = "nodes-and-labels"
    frame(case, "edges.csv", pairs, ["source", "target"])
    own = {key: table[key] for key in ("age", "fuel", "wheels")}
    names, rows = columns_of(own)
    pl.DataFrame({"node_id": ids} | own).write_csv(path(case, "nodes.csv"))
    pl.DataFrame({"node_id": ids, "category": list(labels.values())}).write_csv(path(case, "labels.csv"))
    add(case, f"{POLARS} write_csv; edges by {PANDAS}", FOLDER, expect(pairs, labels, dict(zip(ids, rows)), names))
    case = "nodes-true-false"
    own = {"leased": table["leased"], "age": table["age"]}
    names, rows = columns_of(own)
    pl.DataFrame({"id": ids} | own | {"class": list(labels.values())}).write_csv(path(case, "nodes.csv"))
    pl.DataFrame(pairs, schema=["source", "target"], orient="row").write_csv(path(case, "edges.csv"))
    assert ",true," in path(case, "nodes.csv").read_text()
    add(case, f"{POLARS} write_csv", FOLDER, expect(pairs, labels, dict(zip(ids, rows)), names))

    own = {"age": table["age"], "height": [round(rng.uniform(1, 3), 2) for _ in ids], "load": [round(rng.uniform(0, 9), 3) for _ in ids]}
    names, rows = columns_of(own)
    for case, separator, file in [("decimal-comma-semicolon", ";", "nodes.csv"), ("decimal-comma-tab", "\t", "nodes.tsv")]:
        frame(case, "edges.csv", pairs, ["source", "target"], sep=separator)
        made = pd.DataFrame({"id": ids} | own | {"label": labels.values()})
        made.to_csv(path(case, file), index=False, sep=separator, decimal=",")
        read = {"edges": "edges.csv", "nodes": file}
        found = expect(pairs, labels, dict(zip(ids, rows)), names, remarks=["decimal comma"])
        add(case, f"{PANDAS} to_csv(sep={separator!r}, decimal=',')", read, found)

    case = "node-features-folder"
    x = numbers(ids, 4, 52)
    names = ["temp", "wind", "rain", "sun"]
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "node_features.csv", [(a, *row) for a, row in x.items()], ["node_id", *names])
    frame(case, "node_labels.csv", labels.items(), ["node_id", "label"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, expect(pairs, labels, x, names, silent=True))
    case = "features-index"
    frame(case, "edges.csv", pairs, ["source", "target"])
    pd.DataFrame(x.values(), index=pd.Index(ids, name="id"), columns=range(4)).to_csv(path(case, "features.csv"))
    frame(case, "labels.csv", labels.items(), ["id", "label"])
    add(case, f"{PANDAS} to_csv, ids in the index, columns 0 to 3", FOLDER, expect(pairs, labels, x))
    case = "features-triplets"
    dense = np.array([[value if abs(value) > 0.6 else 0.0 for value in row] for row in x.values()])
    entries = sp.coo_matrix(dense)
    assert len(set(entries.row)) == len(ids) and 3 in entries.col
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "features.csv", [(ids[i], j, v) for i, j, v in zip(entries.row, entries.col, entries.data)], ["id", "column", "value"])
    add(case, f"{PANDAS} to_csv(index=False) of {SCIPY} coo_matrix", FOLDER, expect(pairs, features=dict(zip(ids, dense.tolist()))))
    case = "files-beside"
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "labels.csv", labels.items(), ["id", "label"])
    text(case, "NOTES.txt", "Counted in spring; see the map.\n")
    text(case, "prices.csv", "day,price\n1,20\n2,21\n")
    add(case, f"{PANDAS} to_csv(index=False); two other files", FOLDER, expect(pairs, labels, remarks=["ignored", "notes.txt", "prices.csv"]))

    case = "split-folder"
    names = [f"q{i}" for i in range(20)]
    pairs = graph(names, 53)
    labels = dict(zip(names, ["common"] * 13 + ["rare"] * 5 + ["odd"] * 2))
    sets = ["train"] * 7 + ["validation"] * 2 + ["test"] * 4 + ["train", "validation", "test", "test"] + [None] + ["train"] * 2
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "labels.csv", labels.items(), ["id", "label"])
    given = [(a, part) for a, part in zip(names, sets) if part]
    frame(case, "split.csv", given, ["id", "set"])
    counts = [sets.count(part) for part in ("train", "validation", "test")]
    add(case, f"{PANDAS} to_csv(index=False); 7, 1 and 2 training nodes", FOLDER, expect(pairs, labels, split=counts))
    case = "split-file-val"
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "labels.csv", labels.items(), ["id", "label"])
    frame(case, "parts.csv", [(a, {"validation": "val"}.get(part, part)) for a, part in given], ["id", "split"])
    read = {"edges": "edges.csv", "labels": "labels.csv", "split": "parts.csv"}
    add(case, f"{PANDAS} to_csv(index=False)", read, expect(pairs, labels, split=counts))
    case = "split-word"
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "labels.csv", labels.items(), ["id", "label"])
    frame(case, "split.csv", [*given[:4], (given[4][0], "holdout"), *given[5:]], ["id", "set"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, ["split.csv", "line 6", "holdout", "validation"])

    pairs = graph(ids, 54)
    labels = classes(ids, ["a", "b"], 54)
    x = numbers([*ids, "v98", "v99"], 2, 54)
    for case, options, outcome in [
        ("features-isolated", None, expect(pairs, labels, x, ["f0", "f1"], remarks=["2 of 16 rows", "v98"])),
        ("features-isolated-allowed", {"allow_isolated": True}, expect(pairs, labels, x, ["f0", "f1"])),
    ]:
        frame(case, "edges.csv", pairs, ["source", "target"])
        frame(case, "labels.csv", labels.items(), ["id", "label"])
        frame(case, "features.csv", [(a, *row) for a, row in x.items()], ["id", "f0", "f1"])
        add(case, f"{PANDAS} to_csv(index=False)", FOLDER, outcome, options=options)
    case = "features-row-missing"
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "features.csv", [(a, *x[a]) for a in ids if a != "v05"], ["id", "f0", "f1"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, ["features.csv", "v05"])
    case = "features-infinite"
    frame(case, "edges.csv", pairs, ["source", "target"])
    frame(case, "features.csv", [(a, x[a][0], float("inf") if a == "v03" else x[a][1]) for a in ids], ["id", "f0", "f1"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, ["features.csv", "line 5", "inf"])
    case = "nodes-stray-text"
    frame(case, "edges.csv", pairs, ["source", "target"])
    rows = [(a, "about 7" if a == "v09" else x[a][0], x[a][1], labels[a]) for a in ids]
    frame(case, "nodes.csv", rows, ["id", "height", "depth", "label"])
    add(case, f"{PANDAS} to_csv(index=False)", FOLDER, ["nodes.csv", "line 11", "about 7", "height"])


def by_r():
    ids = [f"k{i:02}" for i in range(12)]
    pairs, labels = graph(ids, 61), classes(ids, ["baker", "smith", "weaver"], 61)
    rng = random.Random(61)
    table = {
        "weight_kg": [round(rng.uniform(40, 90), 1) for _ in ids],
        "town": [rng.choice(["Alm", "Bruk"]) for _ in ids],
        "member": [rng.random() < 0.5 for _ in ids],
    }
    made = ["r-write-table-default", "r-write-csv-row-names", "r-write-csv", "r-write-table-bare", "r-labels-na"]
    for case in [*made, "r-write-csv2-nodes", "r-nodes-na", "r-fwrite"]:
        path(case, "")
    with tempfile.TemporaryDirectory() as given:
        pd.DataFrame(pairs, columns=["from", "to"]).to_csv(f"{given}/edges.csv", index=False)
        pd.DataFrame(labels.items(), columns=["name", "guild"]).to_csv(f"{given}/labels.csv", index=False)
        flags = {"member": [str(value).upper() for value in table["member"]]}
        pd.DataFrame({"id": ids} | table | flags | {"class": labels.values()}).to_csv(f"{given}/nodes.csv", index=False)
        subprocess.run(["Rscript", "--vanilla", HERE / "make_corpus.R", given, kit.OUT], check=True)
    both = {"edges": "edges.txt", "labels": "labels.txt"}
    add(made[0], f"{R} write.table", both, expect(pairs, labels, remarks=["index column"]))
    add(made[1], f"{R} write.csv", FOLDER, expect(pairs, labels, remarks=["index column"]))
    add(made[2], f"{R} write.csv(row.names=FALSE)", FOLDER, expect(pairs, labels))
    bare = "write.table(sep='\\t', quote=FALSE, row.names=FALSE, col.names=FALSE)"
    add(made[3], f"{R} {bare}", {"path": "edges.tsv"}, expect(pairs, silent=True))
    known = labels | {ids[i]: None for i in (1, 4, 8)}
    add(made[4], f"{R} write.csv(row.names=FALSE)", FOLDER, expect(pairs, known, remarks=["unknown"]))
    names, rows = columns_of(table)
    found = expect(pairs, labels, dict(zip(ids, rows)), names, remarks=["decimal comma"])
    add("r-write-csv2-nodes", f"{R} write.csv2(row.names=FALSE)", FOLDER, found)
    table["weight_kg"] = [None if i == 2 else value for i, value in enumerate(table["weight_kg"])]
    names, rows = columns_of(table)
    kept = dict(zip(ids, rows))
    # The row with the gap is one of those that are looked at.
    kept = {ids[2]: kept.pop(ids[2])} | kept
    add("r-nodes-na", f"{R} write.csv(row.names=FALSE)", FOLDER, expect(pairs, labels, kept, names, remarks=["empty"]))
    add("r-fwrite", f"{R}, data.table 1.14.8 fwrite", FOLDER, expect(pairs, labels))


def matrix(pairs, nodes, weight=None, both=True):
    """A scipy matrix: symmetric, or every edge in one direction."""
    a = np.zeros((nodes, nodes))
    for i, (u, v) in enumerate(pairs):
        a[u, v] = 1 if weight is None else weight(i)
        if both:
            a[v, u] = a[u, v]
    return sp.csr_matrix(a)


def matrices():
    n = 13
    pairs, labels = graph(range(n), 71), classes(range(n), ["a", "b"], 71)
    plain, weighted = matrix(pairs, n), matrix(pairs, n, lambda i: 0.5 + i % 3)
    one_way = matrix(pairs, n, both=False)
    mm = f"{SCIPY} io.mmwrite"
    for case, made, kind, symmetry, remarks in [
        ("mtx-pattern-symmetric", plain, "pattern", "symmetric", []),
        ("mtx-real-general", weighted, "real", "general", ["weight"]),
        ("mtx-integer-general", one_way.astype(int), "integer", "general", []),
    ]:
        scipy.io.mmwrite(path(case, "graph.mtx"), made, field=kind, symmetry=symmetry)
        add(case, f"{mm}(field={kind!r}, symmetry={symmetry!r})", {"path": "graph.mtx"}, expect(pairs, nodes=range(n), remarks=remarks))
    case = "mtx-and-labels"
    scipy.io.mmwrite(path(case, "graph.mtx"), plain)
    frame(case, "labels.csv", labels.items(), ["id", "label"])
    read = {"edges": "graph.mtx", "labels": "labels.csv"}
    add(case, f"{mm}; labels by {PANDAS}, rows counted from 0", read, expect(pairs, labels))
    case = "mtx-not-square"
    scipy.io.mmwrite(path(case, "ratings.mtx"), sp.csr_matrix(np.eye(4, 6)))
    add(case, mm, {"path": "ratings.mtx"}, ["ratings.mtx", "4", "6", "square"])
    case = "mtx-cut-off"
    whole = (kit.OUT / "mtx-pattern-symmetric/graph.mtx").read_text().splitlines(keepends=True)
    text(case, "graph.mtx", "".join(whole[:-4]))
    add(case, f"{mm}, the last four lines lost", {"path": "graph.mtx"}, ["graph.mtx", str(len(pairs)), str(len(pairs) - 3)], how=HAND)

    for form in ("csr", "csc", "coo"):
        case = f"scipy-npz-{form}"
        sp.save_npz(path(case, "adjacency.npz"), plain.asformat(form))
        add(case, f"{SCIPY} sparse.save_npz", {"path": "adjacency.npz"}, expect(pairs, nodes=range(n)))
    case = "scipy-npz-weights"
    sp.save_npz(path(case, "adjacency.npz"), weighted)
    frame(case, "labels.csv", labels.items(), ["id", "label"])
    read = {"edges": "adjacency.npz", "labels": "labels.csv"}
    add(case, f"{SCIPY} sparse.save_npz; labels by {PANDAS}", read, expect(pairs, labels, remarks=["weight"]))
    case = "scipy-npz-not-square"
    sp.save_npz(path(case, "words.npz"), sp.csr_matrix(np.eye(5, 9)))
    add(case, f"{SCIPY} sparse.save_npz", {"path": "words.npz"}, ["words.npz", "5", "9", "square"])

    x = np.array(list(numbers(range(n), 4, 72).values()), dtype=np.float32)
    rows = {i: x[i].tolist() for i in range(n)}
    y = np.array([0, 1, 2] * 4 + [-1])
    number = {i: None if y[i] < 0 else int(y[i]) for i in range(n)}
    attr = sp.csr_matrix(np.where(x > 0, x, 0))
    case = "npz-sparse-graph"
    parts = {f"{name}_{part}": np.asarray(getattr(made, part)) for name, made in (("adj", plain), ("attr", attr)) for part in ("data", "indices", "indptr", "shape")}
    ids, words = [f"paper{i}" for i in range(n)], ["maths", "music", "myths"]
    np.savez(path(case, "papers.npz"), **parts, labels=y, node_names=np.array(ids), class_names=np.array(words))
    named = {ids[i]: None if y[i] < 0 else words[y[i]] for i in range(n)}
    dense = dict(zip(ids, attr.toarray().tolist()))
    found = expect([(ids[a], ids[b]) for a, b in pairs], named, dense)
    add(case, f"{NUMPY} savez, parts of a SparseGraph", {"path": "papers.npz"}, found)

    index = np.array([pair for pair in pairs] + [pair[::-1] for pair in pairs]).T
    masks = {f"{name}_mask": np.isin(np.arange(n), part) for name, part in [("train", [0, 1, 2, 3]), ("val", [4, 5]), ("test", [6, 7, 8, 9, 10])]}
    case = "npz-edge-index"
    np.savez(path(case, "data.npz"), edge_index=index, x=x, y=y, **masks)
    found = expect(pairs, number, rows, split=(4, 2, 5))
    add(case, f"{NUMPY} savez of the arrays of PyG data", {"path": "data.npz"}, found)
    case = "npz-edge-index-bare"
    np.savez_compressed(path(case, "data.npz"), edge_index=index, y=y[:, None].clip(0))
    add(case, f"{NUMPY} savez_compressed; y of shape (n, 1)", {"path": "data.npz"}, expect(pairs, {i: max(0, int(y[i])) for i in range(n)}))
    case = "npz-heterophilous"
    rng = np.random.default_rng(73)
    drawn = [rng.permutation(12) for _ in range(10)]
    parts = {f"{name}_masks": np.array([np.isin(np.arange(n), order[part]) for order in drawn]) for name, part in [("train", slice(0, 6)), ("val", slice(6, 9)), ("test", slice(9, 12))]}
    np.savez(path(case, "shops.npz"), node_features=x, node_labels=y, edges=np.array(pairs), **parts)
    found = expect(pairs, number, rows, split=(6, 3, 3))
    add(case, f"{NUMPY} savez, names of the heterophilous datasets of PyG", {"path": "shops.npz"}, found)
    case = "npz-lengths-differ"
    np.savez(path(case, "data.npz"), edge_index=index, x=x, y=y[:-2])
    add(case, f"{NUMPY} savez", {"path": "data.npz"}, ["data.npz", "11", "13"])
    case = "npz-node-too-large"
    np.savez(path(case, "data.npz"), edge_index=np.where(index == 12, 40, index), x=x, y=y)
    add(case, f"{NUMPY} savez", {"path": "data.npz"}, ["data.npz", "edge_index", "40", "13"])
    case = "npz-other-arrays"
    np.savez(path(case, "weights.npz"), layer1=x, layer2=x.T)
    add(case, f"{NUMPY} savez of something else", {"path": "weights.npz"}, ["weights.npz", "layer1", "edge_index"])


def on_a_day(case, file, pattern):
    """Sets the date that a tool wrote."""
    written = path(case, file).read_text()
    text(case, file, re.sub(pattern, DAY, written))


def graph_files():
    karate = nx.karate_club_graph()
    clubs = nx.get_node_attributes(karate, "club")
    case = "json-karate"
    text(case, "karate.json", json.dumps(nx.node_link_data(karate, edges="links")))
    add(case, f"{NETWORKX} node_link_data(edges='links')", {"path": "karate.json"}, expect(karate.edges, clubs, remarks=["weight"]), options={"label_column": "club"})

    ids = [f"lib{i}" for i in range(11)]
    pairs = graph(ids, 81)
    rng = random.Random(81)
    table = {
        "stars": [rng.randrange(900) for _ in ids],
        "licence": [rng.choice(["MIT", "BSD", "GPL"]) for _ in ids],
        "rust": [rng.random() < 0.5 for _ in ids],
    }
    labels = classes(ids, ["web", "maths"], 81)
    titles = [f"Library number {i}" for i in range(11)]

    def made(kind, label="category", **more):
        g = kind()
        for i, a in enumerate(ids):
            extra = {name: column[i] for name, column in more.items()}
            g.add_node(a, **extra, **{name: column[i] for name, column in table.items()}, **{label: labels[a]})
        g.add_edges_from(pairs)
        return g

    names, rows = columns_of(table)
    x = dict(zip(ids, rows))
    whole = expect(pairs, labels, x, names)
    case = "json-edges"
    text(case, "libraries.json", json.dumps(nx.node_link_data(made(nx.Graph), edges="edges"), indent=2))
    add(case, f"{NETWORKX} node_link_data(edges='edges'), indent=2", {"path": "libraries.json"}, whole)
    case = "json-directed"
    text(case, "libraries.json", json.dumps(nx.node_link_data(made(nx.DiGraph, name=titles), edges="links")))
    add(case, f"{NETWORKX} node_link_data(edges='links')", {"path": "libraries.json"}, whole | {"remarks": ["direct", "name"]})
    case = "json-multigraph"
    g = nx.MultiGraph(pairs + pairs[:3])
    g.add_edge("lib0", "lib0")
    text(case, "libraries.json", json.dumps(nx.node_link_data(g, edges="edges")))
    add(case, f"{NETWORKX} node_link_data(edges='edges')", {"path": "libraries.json"}, expect(pairs))
    case = "json-cut-off"
    text(case, "libraries.json", (kit.OUT / "json-edges/libraries.json").read_text()[:700])
    add(case, f"{NETWORKX} node_link_data, the end lost", {"path": "libraries.json"}, ["libraries.json", "line"], how=HAND)
    case = "json-no-graph"
    text(case, "config.json", '{"name": "run 7", "rate": 0.1}\n')
    add(case, "settings of another program", {"path": "config.json"}, ["config.json", "nodes", "node_link_data"], how=HAND)

    # NetworkX declares the attributes of GraphML from the last to the first, and columns follow the declarations.
    turn = [4, 1, 2, 3, 0]
    turned = whole | {
        "feature_names": [whole["feature_names"][i] for i in turn],
        "features_of": {a: [row[i] for i in turn] for a, row in whole["features_of"].items()},
    }
    case = "graphml-networkx"
    g = made(nx.Graph)
    nx.write_graphml(g, path(case, "libraries.graphml"))
    add(case, f"{NETWORKX} write_graphml", {"path": "libraries.graphml"}, turned)
    case = "graphml-directed-weights"
    g = made(nx.DiGraph, label="kind", label_=titles)
    for i, (_, _, data) in enumerate(g.edges(data=True)):
        data["weight"] = 1.5 + i
    for _, data in g.nodes(data=True):
        data["label"] = data.pop("label_")
    nx.write_graphml(g, path(case, "libraries.graphml"))
    found = turned | {"remarks": ["direct", "weight", "label"]}
    add(case, f"{NETWORKX} write_graphml", {"path": "libraries.graphml"}, found, options={"label_column": "kind"})
    case = "graphml-igraph"
    h = igraph.Graph.TupleList(pairs)
    order = h.vs["name"]
    h.vs["stars"] = [float(table["stars"][ids.index(a)]) for a in order]
    h.vs["class"] = [labels[a] for a in order]
    h.write_graphml(str(path(case, "libraries.graphml")))
    found = expect(pairs, labels, {a: x[a][:1] for a in order}, ["stars"], remarks=["name"])
    add(case, f"{IGRAPH} write_graphml; ids are n0, n1, …, and the nodes have a name", {"path": "libraries.graphml"}, found)
    case = "graphml-cut-off"
    start = (kit.OUT / "graphml-networkx/libraries.graphml").read_text()
    text(case, "libraries.graphml", start[: start.index("<edge ") + 12])
    add(case, f"{NETWORKX} write_graphml, the end lost", {"path": "libraries.graphml"}, ["libraries.graphml", "line"], how=HAND)
    case = "graphml-unknown-node"
    text(case, "libraries.graphml", start.replace('target="lib7"', 'target="lib77"', 1))
    add(case, f"{NETWORKX} write_graphml, one id changed", {"path": "libraries.graphml"}, ["libraries.graphml", "lib77"], how=HAND)

    case = "gexf-networkx"
    nx.write_gexf(made(nx.Graph), path(case, "libraries.gexf"))
    on_a_day(case, "libraries.gexf", r"(?<=lastmodifieddate=\")[-\d]+")
    add(case, f"{NETWORKX} write_gexf", {"path": "libraries.gexf"}, whole)

    # Gephi.
    people = [name.capitalize() for name in PEOPLE]
    ids = [f"n{i}" for i in range(12)]
    pairs = graph(ids, 82)
    groups = {a: i % 3 for i, a in enumerate(ids)}
    nodes, edges = "", ""
    for i, a in enumerate(ids):
        nodes += f"""      <node id="{a}" label="{people[i]}">
        <attvalues>
          <attvalue for="modularity_class" value="{groups[a]}"></attvalue>
        </attvalues>
        <viz:size value="10.0"></viz:size>
        <viz:position x="{i * 7 - 40}.25" y="{60 - i * i}.5"></viz:position>
        <viz:color r="{20 * i}" g="80" b="9"></viz:color>
      </node>
"""
    for i, (a, b) in enumerate(pairs):
        weight = f' weight="{i % 3 + 1}.0"' if i % 3 else ""
        edges += f'      <edge id="{i}" source="{a}" target="{b}"{weight}></edge>\n'
    content = f"""<?xml version='1.0' encoding='UTF-8'?>
<gexf xmlns="http://gexf.net/1.3" version="1.3" xmlns:viz="http://gexf.net/1.3/viz" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://gexf.net/1.3 http://gexf.net/1.3/gexf.xsd">
  <meta lastmodifieddate="{DAY}">
    <creator>Gephi 0.10.1</creator>
    <title></title>
    <description></description>
  </meta>
  <graph defaultedgetype="undirected" mode="static">
    <attributes class="node" mode="static">
      <attribute id="modularity_class" title="Modularity Class" type="integer">
        <default>0</default>
      </attribute>
    </attributes>
    <nodes>
{nodes}    </nodes>
    <edges>
{edges}    </edges>
  </graph>
</gexf>
"""
    case = "gexf-gephi"
    text(case, "people.gexf", content)
    found = expect(pairs, groups, remarks=["weight", "label"])
    add(case, "by hand after Gephi 0.10", {"path": "people.gexf"}, found, options={"label_column": "Modularity Class"}, how=HAND)
    case = "graphml-gephi"
    nodes = "".join(f'<node id="{a}">\n<data key="label">{people[i]}</data>\n<data key="modularity_class">{groups[a]}</data>\n</node>\n' for i, a in enumerate(ids))
    edges = "".join(f'<edge id="{i}" source="{a}" target="{b}">\n<data key="weight">{i % 3 + 1}.0</data>\n</edge>\n' for i, (a, b) in enumerate(pairs))
    content = f"""<?xml version="1.0" encoding="UTF-8"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key attr.name="label" attr.type="string" for="node" id="label"/>
<key attr.name="Edge Label" attr.type="string" for="edge" id="edgelabel"/>
<key attr.name="weight" attr.type="double" for="edge" id="weight"/>
<key attr.name="Modularity Class" attr.type="int" for="node" id="modularity_class">
<default>0</default>
</key>
<graph edgedefault="undirected">
{nodes}{edges}</graph>
</graphml>
"""
    text(case, "people.graphml", content)
    add(case, "by hand after Gephi 0.10", {"path": "people.graphml"}, found, options={"label_column": "Modularity Class"}, how=HAND)
    case = "csv-gephi"
    text(case, "nodes.csv", lines([("Id", "Label", "timeset", "modularity_class"), *((a, people[i], "", groups[a]) for i, a in enumerate(ids))]))
    head = ("Source", "Target", "Type", "Id", "Label", "timeset", "Weight")
    text(case, "edges.csv", lines([head, *((*pair, "Undirected", i, "", "", f"{i % 3 + 1}.0") for i, pair in enumerate(pairs))]))
    add(case, "by hand after Gephi 0.10", FOLDER, found, options={"label_column": "modularity_class"}, how=HAND)


def refused_tables():
    pairs = graph(PEOPLE, 91)
    rows = lines(edges_of(pairs)).splitlines()

    def one(case, file, content, said, tool="text editor"):
        text(case, file, content)
        add(case, tool, {"path": file}, [file, *said], how=HAND)

    one("empty-file", "edges.csv", "", ["empty"])
    one("header-only", "edges.csv", "source,target\n", ["no edges"], "a query without rows")
    one("one-column", "nodes.txt", lines([(a,) for a in PEOPLE]), ["line 1", "ana"])
    one("ragged-row", "edges.csv", "\n".join([*rows[:4], rows[4] + ",late", *rows[5:]]) + "\n", ["line 5", "3"])
    one("empty-end", "edges.csv", "\n".join([*rows[:6], "ana,", *rows[7:]]) + "\n", ["line 7", "empty"])
    one("unclosed-quote", "edges.csv", "\n".join([*rows[:3], 'ana,"bo', *rows[4:]]) + "\n", ["line 4", "quote"])
    one("psql-footer", "edges.txt", lines(edges_of(pairs), "|") + f"({len(pairs)} rows)\n", [f"line {len(pairs) + 2}", f"({len(pairs)} rows)"], "psql 15 --no-align")
    aligned = " source | target \n--------+--------\n" + "".join(f" {a:6} | {b}\n" for a, b in pairs)
    one("psql-aligned", "edges.txt", aligned, ["line 2"], "psql 15")
    page = "<!DOCTYPE html>\n<html>\n<head><title>Sign in</title></head>\n<body><p>Please sign in, then try again.</p></body>\n</html>\n"
    one("html-page", "edges.csv", page, ["HTML"], "a browser: the page of a sign-in, saved as edges.csv")
    dot = "graph friends {\n" + "".join(f"  {a} -- {b};\n" for a, b in pairs) + "}\n"
    one("dot", "friends.dot", dot, ["GraphML"], "Graphviz 7")
    case = "numpy-savetxt-half"
    ends = np.array(graph(range(10), 92), dtype=float)
    ends[6, 1] = 2.5
    np.savetxt(path(case, "edges.csv"), ends, delimiter=",")
    add(case, f"{NUMPY} savetxt", {"path": "edges.csv"}, ["edges.csv", "line 7", "2.5"])
    case = "folder-without-edges"
    text(case, "labels.csv", "id,label\nana,a\nbo,b\n")
    text(case, "network.csv", lines(edges_of(pairs)))
    add(case, "text editor", FOLDER, ["folder-without-edges", "edges.csv", "network.csv"], how=HAND)


def refused_formats():
    pairs, labels = graph(PEOPLE, 95), classes(PEOPLE, ["a", "b"], 95)
    edges, table = pd.DataFrame(pairs, columns=["source", "target"]), pd.DataFrame(labels.items(), columns=["id", "label"])
    g = nx.Graph(pairs)
    arrow = f"{PANDAS} with pyarrow {pyarrow.__version__}"
    for case, tool, ending, write in [
        ("parquet", f"{arrow} to_parquet", "parquet", pd.DataFrame.to_parquet),
        ("feather", f"{arrow} to_feather", "feather", pd.DataFrame.to_feather),
    ]:
        write(edges, path(case, f"edges.{ending}"))
        write(table, path(case, f"labels.{ending}"))
        read = {"edges": f"edges.{ending}", "labels": f"labels.{ending}"}
        add(case, tool, read, [f"edges.{ending}", "Python"], python=expect(pairs, labels))
    case = "xlsx"
    file = io.BytesIO()
    edges.to_excel(file, index=False)
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(path(case, "edges.xlsx"), "w") as new:
        for item in old.infolist():
            content = old.read(item)
            if item.filename == "docProps/core.xml":
                content = re.sub(rb"\d{4}-\d\d-\d\dT[\d:]+Z", f"{DAY}T00:00:00Z".encode(), content)
            new.writestr(zipfile.ZipInfo(item.filename), content, zipfile.ZIP_DEFLATED)
    add(case, f"{PANDAS} to_excel, openpyxl {openpyxl.__version__}", {"path": "edges.xlsx"}, ["edges.xlsx", "Excel", "CSV"])
    case = "pickle"
    text(case, "friends.pickle", pickle.dumps(g, protocol=4))
    add(case, f"{PYTHON} pickle.dump of a graph of {NETWORKX}", {"path": "friends.pickle"}, ["friends.pickle", "GraphML"])
    case = "npy"
    np.save(path(case, "edges.npy"), np.array(graph(range(9), 96)))
    add(case, f"{NUMPY} save", {"path": "edges.npy"}, ["edges.npy", "savez"])
    case = "zip-of-csv"
    with zipfile.ZipFile(path(case, "edges.zip"), "w") as new:
        new.writestr(zipfile.ZipInfo("edges.csv"), lines(edges_of(pairs)), zipfile.ZIP_DEFLATED)
    add(case, f"{PYTHON} zipfile", {"path": "edges.zip"}, ["edges.zip", "unpack"])
    case = "zip-named-csv"
    shutil.copy(kit.OUT / "zip-of-csv/edges.zip", path(case, "edges.csv"))
    add(case, f"{PYTHON} zipfile, renamed", {"path": "edges.csv"}, ["edges.csv", "zip", "unpack"])
    nx.write_gml(g, path("gml", "friends.gml"))
    add("gml", f"{NETWORKX} write_gml", {"path": "friends.gml"}, ["friends.gml", "GraphML"])
    nx.write_pajek(g, path("pajek", "friends.net"))
    add("pajek", f"{NETWORKX} write_pajek", {"path": "friends.net"}, ["friends.net", "GraphML"])


def check_versions():
    pinned = dict(line.split("==") for line in (HERE / "corpus-requirements.txt").read_text().split())
    modules = [igraph, nx, np, openpyxl, pd, pl, pyarrow, scipy, zstandard]
    here = dict(zip(["igraph", "networkx", "numpy", "openpyxl", "pandas", "polars", "pyarrow", "scipy", "zstandard"], (m.__version__ for m in modules)))
    if here != pinned:
        print("other versions than those of corpus-requirements.txt:", sorted(here.items() ^ pinned.items()))


def main():
    check_versions()
    kit.begin("corpus")
    for part in (edge_tables, names_and_comments, encodings, label_tables, node_tables, by_r, matrices, graph_files):
        part()
    refused_tables()
    refused_formats()
    kit.finish()


main()
