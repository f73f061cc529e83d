"""Graphs in any form: kinds, weights, names, refusals."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from bgcn import BayesianGCNClassifier, Dataset, DataWarning
from conftest import Problem
from forms import named_frame, networkx_of, rows_of, square_frame, torch_of
from scipy import sparse

NAN = float("nan")


# Graphs.


def igraph_of(p: Problem) -> Any:
    igraph = pytest.importorskip("igraph")
    return igraph.Graph(n=len(p.X), edges=p.edges.tolist())


def pyg_of(p: Problem) -> Any:
    data = pytest.importorskip("torch_geometric.data")
    both = np.concatenate([p.edges, p.edges[:, ::-1]]).T
    return data.Data(x=torch_of(p.X), edge_index=torch_of(both))


def edge_frame(p: Problem, *names: str) -> pd.DataFrame:
    return pd.DataFrame(p.edges, columns=list(names))


def networkx_twice(p: Problem) -> Any:
    graph = networkx_of(p, nx.MultiGraph)
    graph.add_edges_from(p.edges[:10].tolist())
    return graph


GRAPHS: dict[str, Callable[[Problem], Any]] = {
    **{f"scipy {kind}": lambda p, kind=kind: p.A.asformat(kind) for kind in ("csr", "csc", "coo", "lil", "dok", "bsr")},
    "scipy dia": lambda p: sparse.dia_matrix(p.A),
    "scipy csr_array": lambda p: sparse.csr_array(p.A),
    "scipy coo_array": lambda p: sparse.coo_array(p.A),
    "scipy of ints": lambda p: p.A.astype(np.int32),
    "scipy of bytes": lambda p: p.A.astype(np.int8),
    "scipy of float32": lambda p: p.A.astype(np.float32),
    "scipy of bool": lambda p: p.A.astype(bool),
    "scipy with loops": lambda p: p.A + sparse.eye(len(p.X)),
    "scipy with stored zeros": lambda p: sparse.csr_matrix(
        (np.append(p.A.tocoo().data, [0.0, 0.0]), np.append(p.A.nonzero(), [[0, 1], [59, 58]], axis=1)), p.A.shape
    ),
    "dense": lambda p: p.A.toarray(),
    "dense of ints": lambda p: p.A.toarray().astype(int),
    "dense of bool": lambda p: p.A.toarray().astype(bool),
    "dense in columns": lambda p: np.asfortranarray(p.A.toarray()),
    "dense, byte-swapped": lambda p: p.A.toarray().astype(">f8"),
    "lists of a matrix": lambda p: p.A.toarray().tolist(),
    **{
        f"(2, E) {kind}": lambda p, kind=kind: p.edges.T.astype(kind)
        for kind in ("i4", "i8", "u4", "u1", "u8", "f8", "i2")
    },
    "(2, E) byte-swapped": lambda p: p.edges.T.astype(">i4"),
    "(2, E) of objects": lambda p: [list(map(int, column)) for column in p.edges.T],
    "(2, E) both ways": lambda p: np.concatenate([p.edges, p.edges[:, ::-1]]).T,
    "(2, E) with gaps": lambda p: np.repeat(p.edges.T, 2, axis=1)[:, ::2],
    "(E, 2)": lambda p: p.edges,
    "(E, 2) in another order": lambda p: p.edges[::-1, ::-1],
    "(E, 2) twice": lambda p: np.concatenate([p.edges, p.edges]),
    "pairs": lambda p: list(map(tuple, p.edges.tolist())),
    "lists of pairs": lambda p: p.edges.tolist(),
    "pairs of NumPy's ints": lambda p: [tuple(pair) for pair in p.edges],
    "a set of pairs": lambda p: set(map(tuple, p.edges.tolist())),
    "a generator of pairs": lambda p: (pair for pair in p.edges.tolist()),
    "a zip": lambda p: zip(*p.edges.T.tolist(), strict=True),
    "a frame, source and target": lambda p: edge_frame(p, "source", "target"),
    "a frame, From and To": lambda p: edge_frame(p, "From", "To"),
    "a frame, src and dst": lambda p: edge_frame(p, "src", "dst"),
    "a frame, any two columns": lambda p: edge_frame(p, "one", "other"),
    "a frame with more columns": lambda p: edge_frame(p, "source", "target").assign(since=2020, kind="x"),
    "a frame, columns exchanged": lambda p: edge_frame(p, "target", "source"),
    "a frame of nullable ints": lambda p: edge_frame(p, "u", "v").astype("Int64"),
    "a square frame": square_frame,
    "networkx.Graph": networkx_of,
    "networkx.MultiGraph": networkx_twice,
    "igraph": igraph_of,
    "torch edge_index": lambda p: torch_of(p.edges.T),
    "torch edge_index of int32": lambda p: torch_of(p.edges.T.astype(np.int32)),
    "torch dense": lambda p: torch_of(p.A.toarray()),
    "torch bfloat16": lambda p: torch_of(p.A.toarray()).bfloat16(),
    "torch sparse": lambda p: torch_of(p.A.toarray()).to_sparse(),
    "torch sparse rows": lambda p: torch_of(p.A.toarray()).to_sparse_csr(),
    "PyG": pyg_of,
}


@pytest.mark.filterwarnings("ignore:Sparse:UserWarning")
@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.usefixtures("strict")
def test_a_graph_of_any_kind_gives_the_same_fit(small, quick, kind):
    given = GRAPHS[kind](small)
    np.testing.assert_array_equal(rows_of(small, quick, adjacency=given), rows_of(small, quick))


@pytest.mark.parametrize("kind", ["scipy csr", "(2, E) i8", "pairs", "a frame, source and target", "networkx.Graph"])
def test_a_graph_without_features_is_the_same_too(small, quick, kind):
    wanted = rows_of(small, quick, X=None)
    np.testing.assert_array_equal(rows_of(small, quick, X=None, adjacency=GRAPHS[kind](small)), wanted)
    assert not np.array_equal(wanted, rows_of(small, quick))


def test_other_edges_give_another_fit(small, quick):
    assert not np.array_equal(rows_of(small, quick, adjacency=small.edges[:-1]), rows_of(small, quick))


def test_a_given_array_is_not_changed(small, quick):
    X, y, A = small.X.copy(), small.y.copy(), small.A.toarray()
    rows_of(small, quick, X=X, y=y, adjacency=A)
    np.testing.assert_array_equal(X, small.X)
    np.testing.assert_array_equal(y, small.y)
    np.testing.assert_array_equal(A, small.A.toarray())


def test_loops_repetitions_and_directions_are_counted(small):
    pairs = [(0, 1), (0, 1), (1, 0), (2, 2), (1, 2)]
    data = Dataset(adjacency=pairs)
    assert (data.n_nodes, data.n_edges) == (3, 2)
    assert data.merged == {"given": 5, "self_loops": 1, "duplicates": 1, "reciprocal": 1}


# Weights.


def weighted(p: Problem) -> np.ndarray:
    """A weight for every edge."""
    return np.linspace(0.1, 2, len(p.edges))


def weighted_matrix(p: Problem) -> sparse.csr_matrix:
    upper = sparse.coo_matrix((weighted(p), p.edges.T), p.A.shape)
    return (upper + upper.T).tocsr()


def weighted_networkx(p: Problem) -> Any:
    graph = networkx_of(p)
    nx.set_edge_attributes(graph, {tuple(e): float(w) for e, w in zip(p.edges.tolist(), weighted(p), strict=True)}, "w")
    return graph


def weighted_igraph(p: Problem) -> Any:
    graph = igraph_of(p)
    graph.es["w"] = weighted(p).tolist()
    return graph


def weighted_pyg(p: Problem) -> Any:
    data = pyg_of(p)
    data.edge_weight = torch_of(np.tile(weighted(p), 2))
    return data


WEIGHTED: dict[str, tuple[Callable[[Problem], Any], str | None]] = {
    "scipy": (weighted_matrix, None),
    "dense": (lambda p: weighted_matrix(p).toarray(), None),
    "a square frame": (lambda p: pd.DataFrame(weighted_matrix(p).toarray()), None),
    "triples": (lambda p: [(a, b, w) for (a, b), w in zip(p.edges.tolist(), weighted(p).tolist(), strict=True)], None),
    "(E, 3)": (lambda p: np.column_stack([p.edges, weighted(p)]), None),
    "(3, E)": (lambda p: np.column_stack([p.edges, weighted(p)]).T, None),
    "a frame": (lambda p: edge_frame(p, "source", "target").assign(w=weighted(p)), "w"),
    "a frame of three columns": (lambda p: edge_frame(p, "a", "b").assign(w=weighted(p)), "w"),
    "networkx": (weighted_networkx, "w"),
    "igraph": (weighted_igraph, "w"),
    "PyG": (weighted_pyg, None),
}


@pytest.mark.parametrize("kind", WEIGHTED)
@pytest.mark.usefixtures("strict")
def test_a_threshold_keeps_edges_of_at_least_that_weight(small, quick, kind):
    make, name = WEIGHTED[kind]
    threshold = float(weighted(small)[60])
    kept = small.edges[60:]
    found = rows_of(small, quick, adjacency=make(small), weight=name, weight_threshold=threshold)
    np.testing.assert_array_equal(found, rows_of(small, quick, adjacency=kept))


def test_a_weighted_and_an_unweighted_graph_give_the_same_fit_with_a_warning(small, quick):
    with pytest.warns(DataWarning, match="are not all 1, and are ignored.*weight_threshold"):
        found = rows_of(small, quick, adjacency=weighted_matrix(small))
    np.testing.assert_array_equal(found, rows_of(small, quick))
    with pytest.warns(DataWarning, match="not all 1"):
        found = rows_of(small, quick, adjacency=weighted_matrix(small).toarray())
    np.testing.assert_array_equal(found, rows_of(small, quick))


@pytest.mark.usefixtures("strict")
def test_attributes_that_nobody_named_are_no_weights(small, quick):
    np.testing.assert_array_equal(rows_of(small, quick, adjacency=weighted_networkx(small)), rows_of(small, quick))


def called_weight(p: Problem, kind: str) -> Any:
    """A graph whose weights have the usual name."""
    if kind == "a frame":
        return edge_frame(p, "source", "target").assign(weight=weighted(p))
    if kind == "PyG":
        return weighted_pyg(p)
    graph = weighted_networkx(p) if kind == "networkx" else weighted_igraph(p)
    if kind == "networkx":
        nx.set_edge_attributes(graph, nx.get_edge_attributes(graph, "w"), "weight")
    else:
        graph.es["weight"] = graph.es["w"]
    return graph


@pytest.mark.parametrize("kind", ["a frame", "networkx", "igraph", "PyG"])
def test_weights_of_the_usual_name_are_ignored_with_a_warning(small, quick, kind):
    with pytest.warns(DataWarning, match="are ignored: every edge counts the same.*weight_threshold=… keeps edges"):
        found = rows_of(small, quick, adjacency=called_weight(small, kind))
    np.testing.assert_array_equal(found, rows_of(small, quick))


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph, "igraph"])
def test_a_directed_graph_is_taken_both_ways_with_a_warning(small, quick, kind):
    if kind == "igraph":
        given = pytest.importorskip("igraph").Graph(n=60, edges=small.edges.tolist(), directed=True)
    else:
        given = networkx_of(small, kind)
    with pytest.warns(DataWarning, match="the graph is directed; directions are ignored"):
        found = rows_of(small, quick, adjacency=given)
    np.testing.assert_array_equal(found, rows_of(small, quick))


@pytest.mark.parametrize("threshold", [0, 0.0, -3])
def test_entries_of_0_are_no_edges_whatever_the_threshold(small, threshold):
    for given in (small.A, GRAPHS["scipy with stored zeros"](small), small.A.toarray(), square_frame(small)):
        assert Dataset(small.X, adjacency=given, weight_threshold=threshold).n_edges == len(small.edges)


WEIGHT_ERRORS: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
    (weighted_networkx, {"weight": "w"}, ValueError, r"weight='w' names edge weights.*Add weight_threshold"),
    (weighted_networkx, {"weight_threshold": 1}, ValueError, r"no edge attribute; name it with weight=…"),
    (weighted_networkx, {"weight": "x", "weight_threshold": 1}, ValueError, r"the edge 0 – \d+ has no attribute 'x'"),
    (weighted_igraph, {"weight_threshold": 1}, ValueError, r"no edge attribute; name it with weight=…"),
    (weighted_igraph, {"weight": "x", "weight_threshold": 1}, ValueError, r"no attribute 'x'; they have w"),
    (
        lambda p: edge_frame(p, "u", "v"),
        {"weight": "x", "weight_threshold": 1},
        ValueError,
        r"no column 'x'; it has u, v",
    ),
    (lambda p: edge_frame(p, "u", "v"), {"weight_threshold": 1}, ValueError, r"no column; name it with weight=…"),
    (
        lambda p: p.edges,
        {"weight_threshold": 1},
        ValueError,
        r"the edges have no weights; leave it out, or give triples",
    ),
    (lambda p: p.edges.tolist(), {"weight_threshold": 1}, ValueError, r"the edges have no weights"),
    (lambda p: [(0, 1, 0.5), (1, 2, 1.5)], {}, ValueError, r"third column.*weight_threshold=…"),
    (lambda p: [(0, 1, "x"), (1, 2, "y")], {"weight_threshold": 1}, ValueError, r"weights are of type.*real numbers"),
    (lambda p: [(0, 1, NAN), (1, 2, 1.0)], {"weight_threshold": 1}, ValueError, r"weights, entry 0: nan.*finite"),
    (lambda p: p.A, {"weight_threshold": NAN}, ValueError, r"weight_threshold is nan; give a finite number"),
    (lambda p: p.A, {"weight_threshold": "much"}, TypeError, r"weight_threshold is of type str; give a finite number"),
    (lambda p: p.A, {"weight_threshold": 10**400}, ValueError, r"give a finite number"),
    (lambda p: p.A * NAN, {}, ValueError, r"entries of the adjacency, entry 0: nan; weights are finite"),
    (lambda p: p.A * 1j, {}, ValueError, r"of type complex128; weights are real numbers"),
]


@pytest.mark.parametrize(("make", "options", "kind", "text"), WEIGHT_ERRORS)
def test_weights_that_cannot_be_read_are_refused(small, make, options, kind, text):
    with pytest.raises(kind, match=text):
        Dataset(small.X, small.y, adjacency=make(small), **options)


def test_nan_weights_of_networkx_are_refused_and_not_dropped():
    graph = nx.Graph()
    graph.add_edge("a", "b", w=NAN)
    with pytest.raises(ValueError, match="attribute w, entry 0: nan"):
        Dataset(adjacency=graph, weight="w", weight_threshold=1)


def test_weights_without_a_graph_are_refused(small):
    with pytest.raises(ValueError, match="no adjacency; leave them out"):
        Dataset(small.X, small.y, weight_threshold=1)


# Names.


def named_networkx(p: Problem) -> Any:
    graph = nx.Graph()
    graph.add_nodes_from(p.names)
    graph.add_edges_from(p.named_edges)
    return graph


def named_igraph(p: Problem) -> Any:
    graph = igraph_of(p)
    graph.vs["name"] = p.names
    return graph


NAMED: dict[str, Callable[[Problem], Any]] = {
    "pairs": lambda p: p.named_edges,
    "an array": lambda p: np.array(p.named_edges),
    "(2, E)": lambda p: np.array(p.named_edges).T,
    "a frame": lambda p: pd.DataFrame(p.named_edges, columns=["source", "target"]),
    "a frame of categories": lambda p: pd.DataFrame(p.named_edges, columns=["u", "v"], dtype="category"),
    "a square frame": lambda p: pd.DataFrame(p.A.toarray(), index=p.names, columns=p.names),
    "networkx": named_networkx,
    "networkx in another order": lambda p: nx.Graph(p.named_edges[::-1]),
    "igraph": named_igraph,
}


@pytest.mark.parametrize("kind", NAMED)
@pytest.mark.usefixtures("strict")
def test_named_edges_are_joined_with_named_rows(small, quick, kind):
    X = named_frame(small)
    clf = BayesianGCNClassifier(**quick).fit(X, small.named_labels, adjacency=NAMED[kind](small))
    np.testing.assert_array_equal(clf.label_distributions_, rows_of(small, quick))
    assert set(clf.suspicious_edges(10).source) <= set(small.names)


@pytest.mark.parametrize("kind", NAMED)
def test_rows_in_another_order_are_found_by_name(small, kind):
    X = named_frame(small).sample(frac=1, random_state=3)
    data = Dataset(X, small.named_labels, adjacency=NAMED[kind](small))
    assert data.ids == X.index.tolist()
    upper = sparse.triu(data.adjacency).tocoo()
    found = {frozenset((data.ids[a], data.ids[b])) for a, b in zip(upper.row, upper.col, strict=True)}
    assert found == {frozenset(pair) for pair in small.named_edges}
    labels = {name: label for name, label in zip(data.ids, data.labels, strict=True) if label >= 0}
    assert labels == small.named_labels


def test_rows_numbered_in_another_order_are_found_by_number(small):
    X = pd.DataFrame(small.X).sample(frac=1, random_state=3)
    for given in (small.edges, square_frame(small)):
        data = Dataset(X, adjacency=given)
        assert data.ids == X.index.tolist()
        place = np.argsort(X.index)
        np.testing.assert_array_equal(data.adjacency.toarray()[np.ix_(place, place)], small.A.toarray())


@pytest.mark.parametrize("names", [list("abc"), [5, 17, 10**12], [(0, 0), (0, 1), (1, 0)]])
@pytest.mark.parametrize("make", [list, nx.Graph])
def test_names_of_any_kind_are_kept(quick, names, make):
    a, b, c = names
    clf = BayesianGCNClassifier(**quick).fit(None, {a: "x", c: "y"}, adjacency=make([(a, b), (b, c)]))
    for table in (clf.suspicious_edges(2), clf.edge_probabilities()):
        found = {frozenset(pair) for pair in zip(table.source, table.target, strict=True)}
        assert found == {frozenset((a, b)), frozenset((b, c))}
    assert set(clf.to_networkx().nodes) == set(names)


def test_labels_of_a_dict_come_first_and_name_nodes_without_edges():
    data = Dataset(y={"ann": "red", "eve": "blue", "tom": None}, adjacency=[("bob", "ann")])
    assert data.ids == ["ann", "eve", "tom", "bob"]
    assert data.labels.tolist() == [1, 0, -1, -1]


@pytest.mark.parametrize(
    "pairs", [[("ann", "bob"), ("bob", "eve")], np.array([["ann", "bob"], ["bob", "eve"], ["a", "b"]])]
)
def test_labels_of_a_series_are_found_by_its_index(pairs):
    data = Dataset(y=pd.Series(["red", "blue"], index=["ann", "eve"]), adjacency=pairs)
    assert data.ids[:3] == ["ann", "eve", "bob"]
    assert data.labels[:3].tolist() == [1, 0, -1]


def test_a_series_without_an_index_of_its_own_has_a_label_per_node():
    data = Dataset(y=pd.Series(["red", None, "blue", None]), adjacency=[(0, 1), (1, 2)])
    assert data.ids == [0, 1, 2, 3]
    assert data.labels.tolist() == [1, -1, 0, -1]
    data = Dataset(y=pd.Series([5, 7], index=[2, 0]), adjacency=[(0, 1), (1, 2)])
    assert data.labels.tolist() == [1, -1, 0]


NAME_ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"X": pd.DataFrame({"u": [1, 2]}, index=["a", "b"]), "adjacency": [("a", "c")]}, r"node 'c' is not known"),
    (
        {"X": pd.DataFrame({"u": [1, 2]}, index=["a", "b"]), "adjacency": nx.Graph([("a", "c")])},
        r"node 'c' of the graph",
    ),
    ({"X": pd.DataFrame({"u": [1, 2]}, index=["a", "a"]), "adjacency": [("a", "a")]}, r'ids, node 1: "a" is the id of'),
    ({"X": np.ones((2, 1)), "adjacency": [("a", "b")]}, r"edges join names, but X has rows without names"),
    ({"X": np.ones((3, 1)), "adjacency": nx.path_graph(2)}, r"graph has 2 nodes, but X has 3 rows"),
    (
        {"y": {"z": 1}, "X": pd.DataFrame({"u": [1]}, index=["a"]), "adjacency": []},
        r"labels: node 'z' is not in the graph",
    ),
    ({"y": pd.Series([1, 2], index=["a", "a"]), "adjacency": [("a", "b")]}, r"labels: node 'a' has two"),
    ({"adjacency": [(0, None), (1, 2)]}, r"edges, entry 0: a node is missing"),
    ({"adjacency": pd.DataFrame({"source": ["a", None], "target": ["b", "c"]})}, r"edges, row 1: a node is missing"),
    ({"adjacency": [(0, [1]), (1, [2])]}, r"edges join what cannot be a name"),
    ({"adjacency": [(1, 2), ("1", 3)]}, r'"1" is the id of node'),
    ({"adjacency": [(0, -5), (1, 2)]}, r"edges: node -5; nodes are counted from 0"),
]


@pytest.mark.parametrize(("given", "text"), NAME_ERRORS)
def test_names_that_cannot_be_read_are_refused(given, text):
    with pytest.raises(ValueError, match=text):
        Dataset(**given)


# What no graph is.

GRAPH_ERRORS: list[tuple[Any, type[Exception], str]] = [
    (3, TypeError, r"adjacency is of type int; give a scipy sparse matrix, an array, .* networkx, igraph or PyG"),
    ("cora", TypeError, r"adjacency is of type str"),
    ({0: [1], 1: [0]}, TypeError, r"adjacency is of type dict"),
    (pd.Series([1, 2]), TypeError, r"adjacency is of type Series"),
    (np.zeros(5), ValueError, r"adjacency has shape \(5,\); give a square matrix"),
    (np.zeros((4, 5)), ValueError, r"adjacency has shape \(4, 5\) for 60 nodes; give a square matrix"),
    (np.zeros((3, 3, 3)), ValueError, r"adjacency has shape \(3, 3, 3\)"),
    (sparse.csr_matrix((60, 59)), ValueError, r"adjacency has shape \(60, 59\); an adjacency matrix is square"),
    (sparse.csr_matrix((59, 59)), ValueError, r"graph has 59 nodes, but X has 60 rows; give one row per node"),
    (np.full((60, 60), NAN), ValueError, r"adjacency, row 0, column 0: nan; entries are finite"),
    (np.full((60, 60), "x"), ValueError, r"adjacency is of type <U1; a matrix of numbers"),
    (np.full((60, 60), 1j), ValueError, r"adjacency is of type complex128"),
    (np.array([[0, 1.5, 2], [1, 2, 3]]), ValueError, r"edges, entry 1: node 1\.5; nodes are whole numbers or names"),
    (np.array([[0, np.inf, 2], [1, 2, 3]]), ValueError, r"edges, entry 1: node inf"),
    (np.array([[0, NAN, 2], [1, 2, 3]]), ValueError, r"edges, entry 1: node nan"),
    (np.array([[True, False, True], [True, True, True]]), ValueError, r"edges are of type bool"),
    (np.array([[0, 1, 60], [1, 2, 3]]), ValueError, r"edge 2 joins 60 and 3, but the graph has 60 nodes"),
    (np.array([[0, -1, 6], [1, 2, 3]]), ValueError, r"sources of edges, entry 1: -1; whole numbers from 0"),
    ([(0, 1), (1, 2, 3)], ValueError, r"a list of rows of length 2, 3; every edge is a pair"),
    ([0, 1, 2], ValueError, r"a list that holds a int; every edge is a pair of nodes"),
    ([(0, 1), "ab"], ValueError, r"a list that holds a str"),
    (pd.DataFrame({"a": [1], "b": [2], "c": [3]}), ValueError, r"columns a, b, c; name two of them source and target"),
]


@pytest.mark.parametrize(("given", "kind", "text"), GRAPH_ERRORS)
def test_what_no_graph_is_is_refused(small, given, kind, text):
    with pytest.raises(kind, match=text):
        BayesianGCNClassifier().fit(small.X, small.y, adjacency=given)


def test_two_by_two_is_ambiguous():
    given = np.array([[0, 1], [1, 0]])
    for X in (None, np.ones((2, 3))):
        with pytest.raises(ValueError, match=r"\(2, 2\), which is a matrix, an edge_index or two pairs; give a scipy"):
            Dataset(X, adjacency=given)
    assert Dataset(np.ones((3, 3)), adjacency=given).n_edges == 1
    assert Dataset(np.ones((2, 3)), adjacency=sparse.csr_matrix(given)).n_edges == 1
    assert Dataset(np.ones((3, 3)), adjacency=[[0, 1], [1, 2]]).n_edges == 2


@pytest.mark.parametrize("node", [2**31, 2**32 - 2, 2**32 - 1, 2**32, 2**40, 2**63 - 1, 2**63, 2**64 - 1, 1e18, 1e300])
@pytest.mark.parametrize("form", ["array", "pairs"])
def test_a_huge_node_number_is_refused_at_once_and_without_memory(small, node, form):
    given = [(0, node), (1, 2), (3, 4)]
    tracemalloc.start()
    begun = time.perf_counter()
    try:
        with pytest.raises(ValueError, match=r"node|targets of edges|edge 0 joins|edges join names"):
            Dataset(small.X, adjacency=np.array(given) if form == "array" else given)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()
    assert time.perf_counter() - begun < 1


def test_a_matrix_of_too_many_nodes_is_refused():
    given = sparse.coo_matrix(([1.0], ([0], [2**33])), shape=(2**34, 2**34))
    with pytest.raises(ValueError, match=r"17179869184 nodes are too many"):
        Dataset(adjacency=given)


def test_huge_numbers_alone_are_names():
    data = Dataset(adjacency=[(2**40, 7), (7, 2**62)])
    assert data.n_nodes == 3
    assert set(data.ids) == {7, 2**40, 2**62}


def test_no_nodes_are_refused():
    for given in ({}, {"adjacency": []}, {"y": {}}):
        with pytest.raises(ValueError, match="there are no nodes; give X, y or adjacency"):
            Dataset(**given)


def test_a_graph_that_no_memory_holds_is_refused():
    nodes = 2**32 - 2
    with pytest.raises(ValueError, match=r"a graph of 4294967294 nodes takes at least .* GB"):
        Dataset(adjacency=sparse.coo_matrix(([1.0], ([0], [5])), shape=(nodes, nodes)))
