"""Writes small files that ask for much memory, and edges of weight zero, and what must be read from each.

Run from the top of the repository, in a separate environment:

    pip install -r golden/corpus-requirements.txt
    python golden/make_corpus_faults.py

Everything under crates/bgcn-files/tests/corpus-faults is written anew. Files that would be large are made by the tests
of the command (crates/bgcn-cli/tests/all/faults/memory.rs). corpus_kit.py says what expected.json holds.
"""

import gzip
import io
import json
import platform
import re
import zipfile

import networkx as nx
import numpy as np
import pandas as pd
import scipy
import scipy.io
import scipy.sparse as sp
import zstandard

import corpus_kit as kit
from corpus_kit import add, classes, expect, frame, graph, lines, path, text

PANDAS, NUMPY = f"pandas {pd.__version__}", f"numpy {np.__version__}"
NETWORKX, SCIPY = f"networkx {nx.__version__}", f"scipy {scipy.__version__}"
PYTHON = f"Python {platform.python_version()}"
HAND = "by hand"
FOLDER = {"path": ""}
SHOPS = ["Aldra", "Borvik", "Cemtal", "Dunmor", "Elvira", "Fenwold", "Grantop", "Hexor"]


def wide_columns():
    """Numbers of columns for which no memory holds the weights."""
    pairs, sector = graph(SHOPS, 1), classes(SHOPS, ["food", "tools"], 2)
    for case, columns, comment in [
        ("triplets-column-4294967290", [3, 17, 4294967290], ""),
        ("triplets-column-1000000000", [0, 1000000000], ""),
        ("triplets-column-beyond-32-bits", [12, 99999999999], ""),
        ("triplets-columns-said", [5, 9], "# columns 2000000000\n"),
    ]:
        rows = {shop: [float((i + j) % 3) for j in range(len(columns))] for i, shop in enumerate(SHOPS)}
        frame(case, "edges.csv", pairs, ["source", "target"])
        frame(case, "labels.csv", sector.items(), ["id", "label"])
        entries = [(shop, column, value) for shop, row in rows.items() for column, value in zip(columns, row)]
        text(case, "features.csv", comment + "id,column,value\n" + lines(entries))
        said = ["hold something", "called by number"]
        found = expect(pairs, sector, rows, [str(column) for column in columns], remarks=said)
        add(case, "triplets", FOLDER, found, how=HAND)
    case = "triplets-columns-said-too-few"
    frame(case, "edges.csv", pairs, ["source", "target"])
    text(case, "features.csv", "# columns 1000\nid,column,value\n" + lines((shop, 4294967290, 1) for shop in SHOPS))
    add(case, "triplets", FOLDER, ["features.csv", "line 3", "4294967290", "1000"], how=HAND)
    case = "npz-attributes-2-31"
    n = len(SHOPS)
    numbered = [(SHOPS.index(a), SHOPS.index(b)) for a, b in pairs]
    adjacency = sp.csr_matrix((np.ones(len(pairs)), np.array(numbered).T), (n, n))
    x = sp.csr_matrix((np.ones(n), (range(n), [7, 2**31 - 1] * (n // 2))), (n, 2**31))
    parts = {f"adj_{part}": getattr(adjacency, part) for part in ("data", "indices", "indptr", "shape")}
    parts |= {f"attr_{part}": getattr(x, part) for part in ("data", "indices", "indptr", "shape")}
    np.savez(path(case, "shops.npz"), **parts)
    rows = {i: [float(i % 2 == 0), float(i % 2 == 1)] for i in range(n)}
    found = expect(numbered, None, rows, ["7", str(2**31 - 1)], remarks=["2147483648", "hold something"])
    add(case, f"{NUMPY} savez of csr_matrix parts of {SCIPY}", {"path": "shops.npz"}, found)


def lonely_attributes():
    """A graph each of whose nodes has an attribute of its own."""
    g = nx.path_graph(1010)
    for node in g:
        g.nodes[node][f"visited {node}"] = 1
    refused = ["1010", "one node alone", "triplets"]
    case = "graphml-attribute-each"
    nx.write_graphml(g, path(case, "visits.graphml"))
    add(case, NETWORKX, {"path": "visits.graphml"}, ["visits.graphml", *refused])
    case = "gexf-attribute-each"
    nx.write_gexf(g, path(case, "visits.gexf"))
    dated = path(case, "visits.gexf")
    dated.write_text(re.sub(r'lastmodifieddate="[^"]*"', 'lastmodifieddate="2024-03-01"', dated.read_text()))
    add(case, NETWORKX, {"path": "visits.gexf"}, ["visits.gexf", *refused])
    case = "json-attribute-each"
    text(case, "visits.json", json.dumps(nx.node_link_data(g, edges="links")))
    add(case, f"{NETWORKX} node_link_data", {"path": "visits.json"}, ["visits.json", *refused])
    case = "graphml-many-attributes-of-an-element"
    attributes = " ".join(f'a{i}="x"' for i in range(1500))
    nodes = f'<node id="a" {attributes}/><node id="b"/><edge source="a" target="b"/>'
    head = '<?xml version="1.0"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    text(case, "graph.graphml", f'{head}<graph edgedefault="undirected">{nodes}</graph></graphml>\n')
    add(case, "GraphML", {"path": "graph.graphml"}, ["graph.graphml", "line 3", "very many attributes"], how=HAND)


def promises():
    """Headers that announce more than the file holds."""
    case = "mtx-promises-nodes"
    text(case, "graph.mtx", "%%MatrixMarket matrix coordinate real general\n4000000000 4000000000 2\n1 2 1\n2 3 1\n")
    add(case, "Matrix Market", {"path": "graph.mtx"}, ["graph.mtx", "4000000000 nodes", "size of the matrix"], how=HAND)
    case = "mtx-promises-entries"
    text(case, "graph.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n5 5 4000000000000\n2 1\n3 2\n")
    add(case, "Matrix Market", {"path": "graph.mtx"}, ["graph.mtx", "line 4", "entry 3 of 4000000000000"], how=HAND)
    case = "npz-promises-nodes"
    np.savez(path(case, "graph.npz"), edge_index=np.array([[0, 1, 2], [1, 2, 3]]), num_nodes=np.array(4_000_000_000))
    add(case, f"{NUMPY} savez", {"path": "graph.npz"}, ["graph.npz", "4000000000 nodes", "3 edges"])
    case = "npz-promises-shape"
    whole = io.BytesIO()
    np.lib.format.write_array(whole, np.array([[0, 1, 2], [1, 2, 3]]))
    with zipfile.ZipFile(path(case, "graph.npz"), "w") as archive:
        archive.writestr(zipfile.ZipInfo("edge_index.npy"), whole.getvalue().replace(b"(2, 3)", b"(8, 9)"))
    refused = ["graph.npz", "edge_index", "[8, 9]"]
    add(case, "an npz file whose header has another shape", {"path": "graph.npz"}, refused, how=HAND)


def broken_packing():
    """Packed files that end early."""
    rows = "source,target\n" + lines((f"v{i}", f"v{i * 7 % 200}") for i in range(400))
    for case, packed, name in [
        ("gzip-cut-off", gzip.compress(rows.encode(), mtime=0)[:-40], "edges.csv.gz"),
        ("zstd-cut-off", zstandard.compress(rows.encode())[:-40], "edges.csv.zst"),
    ]:
        text(case, name, packed)
        add(case, f"{PYTHON}, the last bytes lost", {"path": name}, [name, "does not unpack", "whole"], how=HAND)


def weights_of_zero():
    """An edge that is listed with the weight 0 is one; an entry of a matrix that is 0 is none, stored or not."""
    n = 9
    pairs = graph(list(range(n)), 5)
    weights = [0.0 if i in (2, 5) else 1.0 + i % 3 for i in range(len(pairs))]
    kept = [pair for pair, weight in zip(pairs, weights) if weight]
    rows = [(*pair, weight) for pair, weight in zip(pairs, weights)]
    case = "weight-zero-csv"
    frame(case, "edges.csv", rows, ["source", "target", "weight"])
    add(case, PANDAS, FOLDER, expect(pairs, remarks=["2 edges have the weight 0", "count as edges", "`weight_column`"]))
    case = "weight-zero-csv-column"
    frame(case, "edges.csv", rows, ["source", "target", "weight"])
    outcome = expect(kept, nodes=range(n), remarks=["2 edges are left out"])
    add(case, PANDAS, FOLDER, outcome, options={"weight_column": "weight"})
    weighted = nx.Graph()
    weighted.add_weighted_edges_from(rows)
    case = "weight-zero-graphml"
    nx.write_graphml(weighted, path(case, "graph.graphml"))
    add(case, NETWORKX, {"path": "graph.graphml"}, expect(pairs, remarks=["2 of them 0", "ignored"]))
    case = "weight-zero-json"
    text(case, "graph.json", json.dumps(nx.node_link_data(weighted, edges="links")))
    add(case, f"{NETWORKX} node_link_data", {"path": "graph.json"}, expect(pairs, remarks=["2 of them 0", "ignored"]))
    case = "weight-zero-edgelist"
    nx.write_edgelist(weighted, path(case, "graph.edgelist"))
    found = expect(pairs, remarks=["2 edges have the weight 0"])
    add(case, f"{NETWORKX} write_edgelist", {"path": "graph.edgelist"}, found)
    case = "weight-zero-npz-edge-index"
    arrays = {"edge_index": np.array(pairs).T, "edge_weight": np.array(weights), "num_nodes": np.array(n)}
    np.savez(path(case, "graph.npz"), **arrays)
    add(case, f"{NUMPY} savez", {"path": "graph.npz"}, expect(pairs, remarks=["2 of them 0", "ignored"]))
    matrix = sp.csr_matrix((weights, ([a for a, _ in pairs], [b for _, b in pairs])), (n, n))
    assert matrix.nnz == len(pairs)
    case = "weight-zero-scipy-npz"
    sp.save_npz(path(case, "graph.npz"), matrix)
    found = expect(kept, nodes=range(n), remarks=["2 stored entries are 0"])
    add(case, f"{SCIPY} sparse.save_npz", {"path": "graph.npz"}, found)
    case = "weight-zero-mtx"
    scipy.io.mmwrite(path(case, "graph.mtx"), matrix.tocoo(), field="real", symmetry="general")
    add(case, f"{SCIPY} io.mmwrite", {"path": "graph.mtx"}, found)


def main():
    kit.begin("corpus-faults")
    wide_columns()
    lonely_attributes()
    promises()
    broken_packing()
    weights_of_zero()
    kit.finish()


if __name__ == "__main__":
    main()
