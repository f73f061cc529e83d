"""Tables as people have them: which column names the nodes, which is the label, and which can be no feature.

Run from the top of the repository, in a separate environment, with sqlite3 3.40:

    pip install -r golden/corpus-requirements.txt
    python golden/make_corpus_tables.py

Everything under crates/bgcn-files/tests/corpus-tables is written anew and comes out equal to the last byte. All data are
invented. corpus_kit.py says what expected.json holds.
"""

import math
import random
import subprocess

import networkx as nx
import pandas as pd
import polars as pl

import corpus_kit as kit
from corpus_kit import add, classes, columns_of, expect, frame, graph, lines, text

PANDAS, POLARS, NETWORKX = f"pandas {pd.__version__} to_csv(index=False)", f"polars {pl.__version__} write_csv", f"networkx {nx.__version__}"
SQLITE = "sqlite3 3.40 .mode csv, .headers on"
HAND = "by hand"
FOLDER = {"path": ""}
EDGES = ["source", "target"]
NODES = [f"v{i:02}" for i in range(16)]
NUMBERS = list(range(24))


def table(case, file, columns):
    frame(case, file, zip(*columns.values()), list(columns))


def rows_of(ids, features):
    """What `expect` takes: rows of features by id, and the names of their columns."""
    names, rows = columns_of(features)
    return dict(zip(ids, rows)), names


def streamers(rng):
    """Accounts with numbers of their own, and the numbers that edges know them by."""
    n = len(NUMBERS)
    return {
        "id": rng.sample(range(12_000, 215_000_000), n),
        "days": [rng.randrange(84, 4000) for _ in range(n)],
        "mature": [rng.random() < 0.5 for _ in range(n)],
        "views": [int(math.exp(rng.gauss(8.5, 2))) for _ in range(n)],
        "partner": [i % 5 == 0 for i in range(n)],
        "new_id": rng.sample(NUMBERS, n),
    }


def features():
    case = "streamers"
    rng = random.Random(1)
    columns, pairs = streamers(rng), graph(NUMBERS, 1)
    frame(case, "edges.csv", pairs, ["from", "to"])
    table(case, "target.csv", columns)
    kept = {name: columns[name] for name in ("days", "views", "partner")}
    found, names = rows_of(columns["new_id"], kept)
    labels = {a: str(mature) for a, mature in zip(columns["new_id"], columns["mature"])}
    remarks = ['ids are in column "new_id"', "left out: id (whole numbers, nearly all different"]
    read = {"edges": "edges.csv", "nodes": "target.csv"}
    add(case, PANDAS, read, expect(pairs, labels, found, names, remarks=remarks), options={"label_column": "mature"})

    case = "pages"
    n = len(NODES)
    columns = {
        "id": NODES,
        "page_name": [f"The page of {name}" for name in NODES],
        "facebook_id": [1_191_600_000 + 7_350_211 * i for i in range(n)],
        "created": [f"2017-11-{i + 1:02}T08:30:00" for i in range(n)],
        "language": ["en"] * n,
        "likes": [17 + 31 * i * i for i in range(n)],
        "verified": [i % 3 == 0 for i in range(n)],
        "pages": [1] * n,
        "category": [["company", "politician", "tvshow"][i % 3] for i in range(n)],
    }
    pairs, labels = graph(NODES, 2), dict(zip(NODES, columns["category"]))
    left = ["page_name (hardly a text repeats)", "facebook_id (", "created (dates", "language (constant)", "`columns`", "are constant, which scaling drops: pages"]
    for name, options, used, remarks in [
        (case, None, ["likes", "verified", "pages"], left),
        ("pages-without-two", {"columns": "-likes,-page_name"}, ["verified", "pages"], ["created (dates"]),
        ("pages-one-column", {"columns": ["facebook_id"]}, ["facebook_id"], []),
        ("pages-no-such-column", {"columns": "-pagename2"}, None, ["nodes.csv", "-pagename2", "likes", "by its name"]),
    ]:
        frame(name, "edges.csv", pairs, EDGES)
        table(name, "nodes.csv", columns)
        if used is None:
            add(name, PANDAS, FOLDER, remarks, options=options)
            continue
        found, names = rows_of(NODES, {column: columns[column] for column in used})
        add(name, PANDAS, FOLDER, expect(pairs, labels, found, names, remarks=remarks), options=options)

    case = "counts-and-measurements"
    rng = random.Random(3)
    firms = list(range(1, 31))
    columns = {
        "id": firms,
        "employees": [3 + 7 * i * i for i in firms],
        "founded": rng.sample(range(1960, 2020), len(firms)),
        "income": rng.sample(range(14_000, 260_000), len(firms)),
        "revenue": [int(2e5 * math.exp(rng.gauss(4, 2))) for _ in firms],
        "assets": [rng.randrange(2_000, 90_000) * 1_000_000 for _ in firms],
    }
    pairs, labels = graph(firms, 3), classes(firms, ["retail", "steel"], 3)
    frame(case, "edges.csv", pairs, EDGES)
    pl.DataFrame(columns | {"label": list(labels.values())}).write_csv(kit.path(case, "nodes.csv"))
    found, names = rows_of(firms, {name: columns[name] for name in list(columns)[1:]})
    add(case, POLARS, FOLDER, expect(pairs, labels, found, names, silent=True))

    case = "towns-by-the-thousand"
    many = list(range(2100))
    pairs = list(zip(many, many[1:]))
    frame(case, "edges.csv", pairs, EDGES)
    rows = [(a, f"town {a % 1005}", "ab"[a % 2]) for a in many]
    frame(case, "nodes.csv", rows, ["id", "town", "label"])
    add(case, PANDAS, FOLDER, ["nodes.csv", "column town", "1005 different texts", "1000", "`columns=-town`"])

    case = "category-missing"
    pairs, labels = graph(NODES, 5), classes(NODES, ["a", "b"], 5)
    fuel = [["diesel", "petrol", None][i % 3] for i in range(n)]
    strand = ["+-"[i % 2] for i in range(n)]
    frame(case, "edges.csv", pairs, EDGES)
    rows = zip(NODES, fuel, strand, labels.values())
    frame(case, "nodes.csv", rows, ["id", "fuel", "strand", "label"], na_rep="NA")
    names = ["fuel=diesel", "fuel=petrol", "strand=+", "strand=-"]
    found = {a: [f == "diesel", f == "petrol", s == "+", s == "-"] for a, f, s in zip(NODES, fuel, strand)}
    remarks = ["zero in every category of the column: fuel (5)"]
    add(case, f"{PANDAS[:-1]}, na_rep='NA')", FOLDER, expect(pairs, labels, found, names, remarks=remarks))

    case = "graphml-accounts"
    g = nx.Graph(pairs)
    for i, node in enumerate(NODES):
        g.nodes[node].update(account=31_400_000 + 9_003 * i, seen=f"{i + 1}/2/2021", size=i % 4, kind=labels[node])
    nx.write_graphml(g, kit.path(case, "accounts.graphml"))
    found = {a: [i % 4] for i, a in enumerate(NODES)}
    remarks = ["account (whole numbers", "seen (dates"]
    outcome = expect(pairs, labels, found, ["size"], remarks=remarks)
    add(case, f"{NETWORKX} write_graphml", {"path": "accounts.graphml"}, outcome, options={"label_column": "kind"})


def labels_among_columns():
    n = len(NODES)
    pairs = graph(NODES, 7)
    rng = random.Random(7)
    place = {name: [round(rng.uniform(0, 9), 2) for _ in NODES] for name in ("x", "y")}
    region = classes(NODES, ["east", "north", "west"], 7)
    for case, options, used, labels, remarks in [
        ("spatial", None, ["x", "y", "region"], {}, ['"y" is a coordinate', "is it `region`? `label_column=region`"]),
        ("spatial-region", {"label_column": "region"}, ["x", "y"], region, []),
        ("spatial-y", {"label_column": "y"}, ["x", "region"], dict(zip(NODES, place["y"])), []),
    ]:
        frame(case, "edges.csv", pairs, EDGES)
        columns = {"id": NODES, **place, "region": list(region.values())}
        table(case, "nodes.csv", columns)
        found, names = rows_of(NODES, {column: columns[column] for column in used})
        outcome = expect(pairs, labels, found, names, values=case == "spatial-y", remarks=remarks)
        add(case, PANDAS, FOLDER, outcome, options=options)

    case = "sector-mostly-empty"
    sector = [["retail", "steel", None, None][i % 4] for i in range(n)]
    size = [10 + i for i in range(n)]
    frame(case, "edges.csv", pairs, EDGES)
    frame(case, "nodes.csv", zip(NODES, size, sector), ["id", "size", "sector"])
    found = {a: [b, s == "retail", s == "steel"] for a, b, s in zip(NODES, size, sector)}
    names = ["size", "sector=retail", "sector=steel"]
    remarks = ["no column is called label", "is it `sector`? `label_column=sector`", "sector (8)"]
    add(case, PANDAS, FOLDER, expect(pairs, {}, found, names, remarks=remarks))


def ends():
    people = list(range(100, 118))
    rng = random.Random(9)
    pairs = graph(people, 9)
    n = len(pairs)
    when = [1_700_000_000 + 61 * i for i in range(n)]
    labels = classes(people, ["a", "b"], 9)
    for case, columns, remarks in [
        ("timestamp-sender-receiver", {"timestamp": when, "sender": 0, "receiver": 1}, ["columns sender and receiver"]),
        ("id-follower-followee", {"id": range(100, 100 + n), "follower_id": 0, "followee_id": 1}, ["follower_id"]),
        ("edge-id-users", {"edge_id": range(100, 100 + n), "user_a": 0, "user_b": 1}, ["user_a and user_b"]),
        ("amount-accounts", {"amount": [10 * i + 100 for i in range(n)], "from_account": 0, "to_account": 1}, ["from_account"]),
        ("start-and-end-are-times", {"one": 0, "other": 1, "start": [f"2020-01-{i % 28 + 1:02}" for i in range(n)], "end": [f"2020-02-{i % 28 + 1:02}" for i in range(n)]}, ["ignored columns: start, end"]),
        ("code-one-other", {"code": rng.sample(range(5000, 9000), n), "one": 0, "other": 1}, ["columns one and other"]),
    ]:
        cells = [[pair[c] for pair in pairs] if isinstance(c, int) else c for c in columns.values()]
        frame(case, "edges.csv", zip(*cells), list(columns))
        frame(case, "labels.csv", labels.items(), ["id", "label"])
        add(case, PANDAS, FOLDER, expect(pairs, labels, remarks=remarks))
    case = "three-neighbours"
    rows = [(a, people[(i + 1) % 18], people[3 * i % 18]) for i, a in enumerate(people)]
    frame(case, "edges.csv", rows, ["node", "nn1", "nn2"])
    add(case, PANDAS, {"path": "edges.csv"}, ["edges.csv", "node,nn1,nn2", "source_column"])
    # Buyers and shops share no numbers: the labels say which columns are nodes, and without them nothing does.
    buyers, shops = list(range(1, 13)), list(range(501, 509))
    sales = [(rng.choice(buyers), rng.choice(shops)) for _ in range(30)]
    sales = sorted({(buyers[i % 12], shops[i % 8]) for i in range(24)} | set(sales))
    rows = [(70_000 + 13 * i, *sale) for i, sale in enumerate(sales)]
    labels = classes(buyers + shops, ["a", "b"], 10)
    for case, outcome in [
        ("sales-with-labels", expect(sales, labels, remarks=["columns by and at"])),
        ("sales-alone", ["edges.csv", "sale,by,at", "source_column"]),
    ]:
        frame(case, "edges.csv", rows, ["sale", "by", "at"])
        if case == "sales-with-labels":
            frame(case, "labels.csv", labels.items(), ["id", "label"])
        add(case, PANDAS, FOLDER, outcome)


def ids():
    n = len(NUMBERS)
    pairs, labels = graph(NUMBERS, 11), classes(NUMBERS, ["a", "b", "c"], 11)
    rng = random.Random(11)
    order = rng.sample(NUMBERS, n)
    kinds = [labels[a] for a in order]
    boss = [rng.choice(NUMBERS[:6]) for _ in order]
    for case, columns, remarks in [
        ("parent-id", {"parent_id": boss, "id": order, "label": kinds}, ['column "id"']),
        ("index-id", {"index": NUMBERS, "id": order, "label": kinds}, ['column "id"']),
        ("name-node-id", {"name": [f"No. {a}" for a in order], "node_id": order, "label": kinds}, ['column "node_id"']),
    ]:
        frame(case, "edges.csv", pairs, EDGES)
        table(case, "labels.csv", columns)
        add(case, PANDAS, FOLDER, expect(pairs, labels, remarks=remarks))
    case = "two-ids"
    frame(case, "edges.csv", pairs, EDGES)
    table(case, "nodes.csv", {"old_id": NUMBERS, "new_id": order, "label": kinds})
    add(case, PANDAS, FOLDER, ["nodes.csv", "line 1", '"old_id" and "new_id"', "`id_column=old_id`"])
    case = "sqlite-staff"
    frame(case, "edges.csv", pairs, EDGES)
    script = "CREATE TABLE staff(boss_id, staff_id, hired, grade, label);\n"
    for i, (a, b, kind) in enumerate(zip(order, boss, kinds)):
        label = "NULL" if i % 6 == 5 else f"'{kind}'"
        script += f"INSERT INTO staff VALUES ({b}, {a}, '20{10 + i % 9}-03-0{i % 9 + 1}', {i % 5}, {label});\n"
    script += ".mode csv\n.headers on\n.nullvalue \\\\N\nSELECT * FROM staff;\n"
    done = subprocess.run(["sqlite3"], input=script, capture_output=True, text=True, check=True)
    kit.path(case, "nodes.csv").write_bytes(done.stdout.encode())
    known = {a: None if i % 6 == 5 else kind for i, (a, kind) in enumerate(zip(order, kinds))}
    found = {a: [b, i % 5] for i, (a, b) in enumerate(zip(order, boss))}
    remarks = ['column "staff_id"', "hired (dates", "4 labels such as"]
    add(case, SQLITE, FOLDER, expect(pairs, known, found, ["boss_id", "grade"], remarks=remarks))


def labels():
    pairs = graph(NODES, 13)
    rng = random.Random(13)
    real = {a: round(rng.uniform(0, 40), 1) + 0.05 for a in NODES}
    income = dict(zip(NODES, rng.sample(range(18_000, 90_000), len(NODES))))
    kinds = {a: i % 4 for i, a in enumerate(NODES)}

    def case(name, tool, words, outcome, *, options=None, how="script", separator=","):
        frame(name, "edges.csv", pairs, EDGES)
        if how == "script":
            frame(name, "labels.csv", words.items(), ["id", "label"], sep=separator)
        else:
            text(name, "labels.csv", lines([("id", "label"), *words.items()], separator))
        add(name, tool, FOLDER, outcome, options=options, how=how)

    def but(words, node, word):
        return words | {node: word}

    commas = {a: f"{value:.2f}".replace(".", ",") for a, value in real.items()}
    outcome = expect(pairs, real, values=True, remarks=["decimal comma"])
    case("labels-decimal-comma", "Excel 365 with a comma as decimal sign", commas, outcome, how=HAND, separator=";")
    case("labels-stray-dot", "SAS 9.4, a missing value", but(real, "v03", "."), expect(pairs, but(real, "v03", None), values=True, remarks=["unknown"]), how=HAND)
    case("labels-stray-word", "text editor", but(real, "v03", "about 7"), ["labels.csv", "line 5", "about 7", "`label_kind=classes`"], how=HAND)
    case("labels-percent", "Excel 365, percent", {a: f"{value:.1f}%" for a, value in real.items()}, ["labels.csv", "line 2", "%", "plain numbers"], how=HAND)
    case("labels-dollars", "Excel 365, currency", {a: f"${value}" for a, value in income.items()}, ["labels.csv", "line 2", "$", "plain numbers"], how=HAND)
    case("labels-thousands", PANDAS, {a: f"{value:,}" for a, value in income.items()}, ["labels.csv", "line 2", "two ways"])
    case("labels-incomes", PANDAS, income, ["labels.csv", "16 of 16 labelled nodes are alone", "`label_kind=values`", "`label_kind=classes`"])
    case("labels-incomes-values", PANDAS, income, expect(pairs, income, values=True), options={"label_kind": "values"})
    case("labels-incomes-classes", PANDAS, income, expect(pairs, income), options={"label_kind": "classes"})
    codes = dict(zip(NODES[::3], [".", "\\N", "-", "#NULL!", "na", "--"]))
    known = {a: None if a in codes else "wet" if i % 2 else "dry" for i, a in enumerate(NODES)}
    case("labels-missing-codes", "words of several tools", known | codes, expect(pairs, known, remarks=["6 labels such as"]), how=HAND)
    plus = {a: "+-"[i % 2] for i, a in enumerate(NODES)}
    case("labels-plus-and-minus", PANDAS, plus, expect(pairs, plus, silent=True))
    for code in (-1, -9):
        some = {a: code if i % 5 == 4 else kind for i, (a, kind) in enumerate(kinds.items())}
        known = {a: None if label == code else label for a, label in some.items()}
        outcome = expect(pairs, known, remarks=[f'3 labels such as "{code}" count as unknown'])
        case(f"labels-minus-{'one' if code == -1 else 'nine'}", PANDAS, some, outcome)
        if code == -1:
            case("labels-minus-one-classes", PANDAS, some, expect(pairs, some), options={"label_kind": "classes"})


kit.begin("corpus-tables")
features()
labels_among_columns()
ends()
ids()
labels()
kit.finish()
