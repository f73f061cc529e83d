"""Writes tables whose column of names is asked for, and what must be read from each.

    pip install -r golden/corpus-requirements.txt
    python golden/make_corpus_run.py

Everything under crates/bgcn-files/tests/corpus-run is written anew. corpus_kit.py says what expected.json holds;
`names_of` has texts beside ids, `blanks` the number of empty cells.
"""

import networkx as nx
import pandas as pd

import corpus_kit as kit
from corpus_kit import add, classes, expect, frame, graph, path, text

PANDAS, NETWORKX, HAND = f"pandas {pd.__version__}", f"networkx {nx.__version__}", "by hand"
PAGES = [f"w{i}" for i in range(100, 112)]
TITLES = {page: f'Page of {page}, "the {i}th"' if i % 3 else None for i, page in enumerate(PAGES)}
SIZES = {page: None if i == 4 else (i * 5 % 12) + 0.5 for i, page in enumerate(PAGES)}
MEAN = sum(size for size in SIZES.values() if size is not None) / 11
EDGES = graph(PAGES, 7)
LABELS = classes(PAGES, ["shop", "news"], 8)


def named(found, titles=TITLES, blanks=0):
    """The expectation with texts beside the ids."""
    return found | {"names_of": {page: title or "" for page, title in titles.items()}, "blanks": blanks}


def edges(case):
    frame(case, "edges.csv", EDGES, ["source", "target"])


def nodes_table(case, columns, asked, outcome=None):
    """A table of nodes by pandas."""
    edges(case)
    frame(case, "nodes.csv", [[column[page] for column in columns.values()] for page in PAGES], list(columns))
    read = {"edges": "edges.csv", "nodes": "nodes.csv"}
    add(case, PANDAS, read, outcome, options={"name_column": asked})


kit.begin("corpus-run")

IDS = {page: page for page in PAGES}
X = {page: [MEAN if SIZES[page] is None else SIZES[page]] for page in PAGES}
FOUND = named(expect(EDGES, LABELS, X, ["size"], remarks=["empty cells"]), blanks=1)
table = {"id": IDS, "page_name": TITLES, "label": LABELS, "size": SIZES}
nodes_table("names-nodes", table, "page_name", FOUND)
nodes_table("names-number", table, "2", FOUND)
# The id is called like a name, and the column of names like an id.
odd = {"name": TITLES, "node_id": IDS, "label": LABELS, "size": SIZES}
nodes_table("names-called-name", odd, "name", FOUND)
nodes_table("names-not-there", table, "title", ["column of names", "title", "header"])

case = "names-labels"
edges(case)
frame(case, "target.csv", [(page, LABELS[page], TITLES[page]) for page in PAGES], ["id", "kind", "page_name"])
options = {"name_column": "page_name", "label_column": "kind"}
add(case, PANDAS, {"edges": "edges.csv", "labels": "target.csv"}, named(expect(EDGES, LABELS)), options=options)

case = "names-labels-alone"
edges(case)
frame(case, "target.csv", [(page, TITLES[page], LABELS[page]) for page in PAGES], ["id", "page_name", "kind"])
options = {"name_column": "page_name"}
add(case, PANDAS, {"edges": "edges.csv", "labels": "target.csv"}, named(expect(EDGES, LABELS)), options=options)

case = "names-graphml"
drawn = nx.Graph(EDGES)
for page in PAGES:
    drawn.add_node(page, **({"title": TITLES[page]} if TITLES[page] else {}), label=LABELS[page])
nx.write_graphml(drawn, path(case, "web.graphml"))
add(case, NETWORKX, {"path": "web.graphml"}, named(expect(EDGES, LABELS)), options={"name_column": "title"})

case = "names-edges-alone"
text(case, "edges.csv", "source,target\na,b\nb,c\n")
refuse = ["no table of nodes", "page_name"]
add(case, HAND, {"edges": "edges.csv"}, refuse, options={"name_column": "page_name"}, how="by hand")

kit.finish()
