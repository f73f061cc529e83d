"""Whatever form data comes in, the same data gives the same fit; what cannot be read is refused in words."""

from __future__ import annotations

import copy
import pickle
import time
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

import bgcn
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from bgcn import BayesianGCNClassifier, BayesianGCNRegressor, Dataset, DataWarning
from conftest import Problem
from scipy import sparse

NAN = float("nan")


def rows_of(p: Problem, quick: dict[str, Any], **given: Any) -> np.ndarray:
    """The probabilities of a fit of the small problem, with something of it in another form."""
    given = {"X": p.X, "y": p.y, "adjacency": p.A, **given}
    return BayesianGCNClassifier(**quick).fit(**given).label_distributions_


@pytest.fixture
def strict():
    """Every warning of data is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        yield


# Graphs.


def igraph_of(p: Problem) -> Any:
    igraph = pytest.importorskip("igraph")
    return igraph.Graph(n=len(p.X), edges=p.edges.tolist())


def torch_of(array: Any) -> Any:
    torch = pytest.importorskip("torch")
    return torch.from_numpy(np.array(array))


def pyg_of(p: Problem) -> Any:
    data = pytest.importorskip("torch_geometric.data")
    both = np.concatenate([p.edges, p.edges[:, ::-1]]).T
    return data.Data(x=torch_of(p.X), edge_index=torch_of(both))


def square_frame(p: Problem) -> pd.DataFrame:
    return pd.DataFrame(p.A.toarray())


def edge_frame(p: Problem, *names: str) -> pd.DataFrame:
    return pd.DataFrame(p.edges, columns=list(names))


def networkx_of(p: Problem, kind: type = nx.Graph) -> Any:
    graph = kind()
    graph.add_nodes_from(range(len(p.X)))
    graph.add_edges_from(p.edges.tolist())
    return graph


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
    with pytest.warns(DataWarning, match="are ignored: every edge counts alike.*weight_threshold=… keeps edges"):
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


def named_frame(p: Problem) -> pd.DataFrame:
    return pd.DataFrame(p.X, index=p.names, columns=list("abcdefgh"))


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


def test_a_matrix_without_names_has_the_order_of_the_rows(small):
    data = Dataset(named_frame(small), adjacency=small.A)
    assert data.ids == small.names
    np.testing.assert_array_equal(data.adjacency.toarray(), small.A.toarray())


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


# Features.


def unsorted(p: Problem) -> sparse.csr_matrix:
    """Columns of every row backwards, each entry in two halves."""
    rows, columns = np.indices(p.X.shape)
    whole = sparse.csr_matrix(p.X)
    order = np.concatenate([np.arange(p.X.size).reshape(p.X.shape)[:, ::-1].ravel()] * 2)
    order = order[np.argsort(rows.ravel()[order], kind="stable")]
    starts = np.arange(0, 2 * p.X.size + 1, 2 * p.X.shape[1])
    made = sparse.csr_matrix((p.X.ravel()[order] / 2, columns.ravel()[order], starts), shape=p.X.shape)
    assert not made.has_canonical_format
    assert (made != whole).nnz == 0
    return sparse.csr_matrix((p.X.ravel()[order] / 2, columns.ravel()[order], starts), shape=p.X.shape)


def read_only(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.setflags(write=False)
    return array


FEATURES: dict[str, Callable[[Problem], Any]] = {
    "float64": lambda p: p.X.astype(np.float64),
    "longdouble": lambda p: p.X.astype(np.longdouble),
    "objects": lambda p: p.X.astype(object),
    "lists": lambda p: p.X.tolist(),
    "in columns": lambda p: np.asfortranarray(p.X),
    "with gaps": lambda p: np.repeat(np.repeat(p.X, 2, axis=0), 3, axis=1)[::2, ::3],
    "backwards in memory": lambda p: p.X[::-1].copy()[::-1],
    "read-only": lambda p: read_only(p.X),
    "writable": lambda p: p.X.copy(),
    "byte-swapped": lambda p: p.X.astype(p.X.dtype.newbyteorder()),
    "byte-swapped float64": lambda p: p.X.astype(">f8"),
    "numpy.matrix": lambda p: p.X.view(np.matrix),
    "masked without a mask": lambda p: np.ma.masked_array(p.X),
    "a frame": lambda p: pd.DataFrame(p.X),
    "a frame of nullable numbers": lambda p: pd.DataFrame(p.X).astype("Float32"),
    "a frame of objects of pandas' sparse": lambda p: pd.DataFrame(p.X).astype("Sparse[float32]"),
    "torch": lambda p: torch_of(p.X),
    "torch float64": lambda p: torch_of(p.X).double(),
    "torch with gradients": lambda p: torch_of(p.X).requires_grad_(),
    "torch sparse": lambda p: torch_of(p.X).to_sparse(),
}


@pytest.mark.parametrize("kind", FEATURES)
@pytest.mark.usefixtures("strict")
def test_features_of_any_kind_give_the_same_fit(small, quick, kind):
    np.testing.assert_array_equal(rows_of(small, quick, X=FEATURES[kind](small)), rows_of(small, quick))


@pytest.mark.parametrize("kind", ["i1", "i2", "i4", "i8", "u1", "u8", "?", ">i4", "f2", "O"])
def test_whole_numbers_of_any_width_give_the_same_fit(small, quick, kind):
    counts = (small.X > 0).astype(np.float32)
    np.testing.assert_array_equal(rows_of(small, quick, X=counts.astype(kind)), rows_of(small, quick, X=counts))


SPARSE: dict[str, Callable[[Problem], Any]] = {
    **{
        kind: lambda p, kind=kind: sparse.csr_matrix(p.X).asformat(kind) for kind in ("csc", "coo", "lil", "dok", "bsr")
    },
    "csr_array": lambda p: sparse.csr_array(p.X),
    "float64": lambda p: sparse.csr_matrix(p.X.astype(np.float64)),
    "duplicates, unsorted": unsorted,
    "int64 indices": lambda p: sparse.csr_matrix(
        (p.X.ravel(), np.tile(np.arange(8), 60), np.arange(0, 481, 8).astype(np.int64)), shape=p.X.shape
    ),
}


@pytest.mark.parametrize("kind", SPARSE)
def test_sparse_features_of_any_kind_give_the_same_fit(small, quick, kind):
    given = SPARSE[kind](small)
    wanted = rows_of(small, quick, X=sparse.csr_matrix(small.X))
    np.testing.assert_array_equal(rows_of(small, quick, X=given), wanted)
    np.testing.assert_allclose(wanted, rows_of(small, quick), atol=1e-4)


def test_sparse_features_are_not_changed(small):
    given = unsorted(small)
    before = given.indices.copy()
    data = Dataset(given, adjacency=small.A)
    np.testing.assert_array_equal(given.indices, before)
    np.testing.assert_array_equal(data.features.toarray(), small.X)


def test_categories_become_a_column_each(small, quick):
    words = np.array(["x", "y", "z"])[np.arange(60) % 3]
    frame = pd.DataFrame({"size": small.X[:, 0], "word": words, "on": small.X[:, 1] > 0})
    by_hand = np.column_stack([small.X[:, 0], words == "x", words == "y", words == "z", small.X[:, 1] > 0])
    wanted = rows_of(small, quick, X=by_hand.astype(np.float32))
    for kind in ("object", "string", "category"):
        clf = BayesianGCNClassifier(**quick).fit(frame.astype({"word": kind}), small.y, adjacency=small.A)
        np.testing.assert_array_equal(clf.label_distributions_, wanted)
        assert clf.feature_names_in_.tolist() == ["size", "word", "on"]
        assert clf.n_features_in_ == 3


@pytest.mark.parametrize("kind", ["object", "string", "category"])
@pytest.mark.usefixtures("strict")
def test_a_missing_category_is_all_zeros(kind):
    frame = pd.DataFrame({"word": pd.Series(["x", None, "y"], dtype=kind)})
    assert Dataset(frame, adjacency=[(0, 1)]).features.tolist() == [[1, 0], [0, 0], [0, 1]]


def test_categories_that_the_fit_did_not_see_are_zeros_with_a_warning(small, quick):
    frame = pd.DataFrame({"word": np.array(["x", "y", "z"])[small.truth], "size": small.X[:, 0]})
    clf = BayesianGCNClassifier(**quick).fit(frame, small.y, adjacency=small.A)
    other = frame.assign(word=frame.word.where(frame.index > 0, "new"))
    with pytest.warns(DataWarning, match="column 'word' has categories that the fit did not see: new; all are 0"):
        found = clf.predict_proba(other, adjacency=small.A)
    none = frame.assign(word=frame.word.where(frame.index > 0, None))
    np.testing.assert_array_equal(found, clf.predict_proba(none, adjacency=small.A))


def test_columns_are_found_by_name(small, quick):
    X = named_frame(small).reset_index(drop=True)
    clf = BayesianGCNClassifier(**quick).fit(X, small.y, adjacency=small.A)
    np.testing.assert_array_equal(clf.predict_proba(X[X.columns[::-1]]), clf.label_distributions_)
    np.testing.assert_array_equal(
        clf.predict_proba(X[X.columns[::-1]], adjacency=small.A), clf.predict_proba(X, adjacency=small.A)
    )
    with pytest.raises(ValueError, match="X lacks the columns b, c that the fit had; give them all"):
        clf.predict(X.drop(columns=["b", "c"]))
    with pytest.warns(DataWarning, match="did not have are ignored: extra"):
        np.testing.assert_array_equal(clf.predict(X.assign(extra=1)), clf.transduction_)


FEATURE_ERRORS: list[tuple[Any, type[Exception], str]] = [
    (np.full((60, 2), NAN), ValueError, r"features, row 0, column 0: nan; features are finite numbers .* Replace it"),
    (np.full((60, 2), np.inf), ValueError, r"features, row 0, column 0: inf; features are finite"),
    (np.full((60, 2), 1e300), ValueError, r"row 0, column 0: 1e\+300; .* within the range of 32 bits"),
    (sparse.csr_matrix(np.full((60, 2), NAN)), ValueError, r"features, row 0, column 0: NaN"),
    (np.ones(60), ValueError, r"Expected 2D array, got 1D array instead: X has shape \(60,\)"),
    (np.ones((60, 2, 2)), ValueError, r"Expected 2D array, got 3D"),
    (5, ValueError, r"Expected 2D array, got 0D"),
    (np.ones((59, 2)), ValueError, r"graph has 60 nodes, but X has 59 rows"),
    (np.ones((60, 0)), ValueError, r"Found array with 0 feature\(s\).*None to tell nodes apart"),
    (sparse.csr_matrix((60, 0)), ValueError, r"Found array with 0 feature\(s\)"),
    (np.full((60, 2), "a"), ValueError, r"X is of type <U1; features are numbers. Encode words first"),
    (np.full((60, 2), 1j), ValueError, r"Complex data not supported"),
    (sparse.csr_matrix(np.full((60, 2), 1j)), ValueError, r"Complex data not supported"),
    (np.full((60, 2), "2020-01-01", "M8[D]"), ValueError, r"X is of type datetime64\[D\]; features are numbers"),
    (np.full((60, 2), None), (TypeError, ValueError), r"features, row 0|X holds what is no number"),
    (np.full((60, 2), {}, dtype=object), TypeError, r"X holds what is no number"),
    (np.full((60, 2), 10**400, dtype=object), ValueError, r"X holds what is no number: int too large"),
    (np.zeros((60, 2), dtype=[("a", "f4")]), ValueError, r"X is of type .*; features are numbers"),
    ([[1, 2], [3]], ValueError, r"."),
    (np.ma.masked_array(np.ones((60, 2)), mask=np.eye(60, 2)), ValueError, r"row 0: an entry is masked"),
    (pd.DataFrame({"a": [1.0, NAN] * 30}), ValueError, r"features, row 1, column 'a': nan; features are finite"),
    (pd.DataFrame({"a": pd.Series([1, None] * 30, dtype="Int64")}), ValueError, r"features, row 1, column 'a': <NA>"),
    (pd.DataFrame({"a": pd.date_range("2020", periods=60)}), ValueError, r"column 'a' of X holds times; turn them"),
    (pd.DataFrame({"a": [[1]] * 60}), ValueError, r"column 'a' of X holds what is neither number nor category"),
    (pd.DataFrame({"a": [1j] * 60}), ValueError, r"Complex data not supported: column 'a'"),
    (
        pd.DataFrame(np.ones((60, 2)), columns=["a", "a"]),
        ValueError,
        r"X has two columns 'a'; every column has its own",
    ),
]


@pytest.mark.parametrize(("given", "kind", "text"), FEATURE_ERRORS)
@pytest.mark.filterwarnings("error")
def test_features_that_cannot_be_read_are_refused(small, given, kind, text):
    with pytest.raises(kind, match=text):
        BayesianGCNClassifier().fit(given, small.y, adjacency=small.A)


# Labels.


def labels(p: Problem, known: Callable[[int], Any], missing: Any = None) -> list[Any]:
    return [missing if label < 0 else known(int(label)) for label in p.y]


LABELS: dict[str, tuple[Callable[[Problem], Any], list[Any] | None]] = {
    "ints": (lambda p: p.y, [0, 1, 2]),
    "int8": (lambda p: p.y.astype(np.int8), [0, 1, 2]),
    "byte-swapped": (lambda p: p.y.astype(">i4"), [0, 1, 2]),
    "a list of ints": (lambda p: p.y.tolist(), [0, 1, 2]),
    "a tuple of ints": (lambda p: tuple(p.y.tolist()), [0, 1, 2]),
    "other ints": (lambda p: np.where(p.y < 0, -1, 10 * p.y + 5), [5, 15, 25]),
    "negative ints": (lambda p: np.where(p.y < 0, -1, p.y - 20), [-20, -19, -18]),
    "ints and None": (lambda p: labels(p, int), [0, 1, 2]),
    "ints and NaN": (lambda p: labels(p, int, NAN), [0, 1, 2]),
    "ints and NA": (lambda p: labels(p, int, pd.NA), [0, 1, 2]),
    "floats": (lambda p: np.where(p.y < 0, NAN, p.y), [0, 1, 2]),
    "floats with -1": (lambda p: p.y.astype(float), [0, 1, 2]),
    "strings and None": (lambda p: labels(p, "c{}".format), ["c0", "c1", "c2"]),
    "strings and NaN": (lambda p: labels(p, "c{}".format, NAN), ["c0", "c1", "c2"]),
    "strings and -1": (lambda p: labels(p, "c{}".format, -1), ["c0", "c1", "c2"]),
    "NumPy's strings": (lambda p: labels(p, lambda c: np.str_(f"c{c}")), ["c0", "c1", "c2"]),
    "objects": (lambda p: np.array(labels(p, "c{}".format), dtype=object), ["c0", "c1", "c2"]),
    "numbers as objects": (lambda p: np.array(labels(p, float), dtype=object), [0, 1, 2]),
    "a masked array": (lambda p: np.ma.masked_array(p.truth, mask=p.y < 0), [0, 1, 2]),
    "dates": (lambda p: np.array(labels(p, lambda c: f"2020-01-0{c + 1}", "NaT"), "M8[D]"), None),
    "a dict": (lambda p: {i: int(label) for i, label in enumerate(p.y) if label >= 0}, [0, 1, 2]),
    "a dict of words": (lambda p: dict(enumerate(labels(p, "c{}".format))), ["c0", "c1", "c2"]),
    "a Series": (lambda p: pd.Series(p.y), [0, 1, 2]),
    "a Series of few": (lambda p: pd.Series(p.y)[p.y >= 0], [0, 1, 2]),
    "a Series of strings": (lambda p: pd.Series(labels(p, "c{}".format), dtype="string"), ["c0", "c1", "c2"]),
    "a Series of categories": (lambda p: pd.Series(labels(p, "c{}".format), dtype="category"), ["c0", "c1", "c2"]),
    "a Series of int categories": (lambda p: pd.Series(labels(p, int), dtype="category"), [0, 1, 2]),
    "a Series of Int64": (lambda p: pd.Series(labels(p, int), dtype="Int64"), [0, 1, 2]),
    "a Series of Float64": (lambda p: pd.Series(labels(p, float), dtype="Float64"), [0, 1, 2]),
    "a Series of objects": (lambda p: pd.Series(labels(p, "c{}".format), dtype=object), ["c0", "c1", "c2"]),
    "an Index": (lambda p: pd.Index(p.y), [0, 1, 2]),
    "torch": (lambda p: torch_of(p.y), [0, 1, 2]),
}


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.usefixtures("strict")
def test_labels_of_any_kind_give_the_same_fit(small, quick, kind):
    make, classes = LABELS[kind]
    clf = BayesianGCNClassifier(**quick).fit(small.X, make(small), adjacency=small.A)
    np.testing.assert_array_equal(clf.label_distributions_, rows_of(small, quick))
    assert clf.classes_.shape == (3,)
    if classes is not None:
        assert clf.classes_.tolist() == classes
    assert set(clf.transduction_.tolist()) <= set(clf.classes_.tolist())


@pytest.mark.parametrize("kind", ["a Series of Int64", "ints and NA", "ints and None", "a Series of int categories"])
def test_whole_numbers_beside_a_missing_one_stay_whole(small, quick, kind):
    clf = BayesianGCNClassifier(**quick).fit(small.X, LABELS[kind][0](small), adjacency=small.A)
    assert clf.classes_.dtype.kind == "i"


@pytest.mark.parametrize(
    "make",
    [
        lambda p: [None if c < 0 else c == 1 for c in p.y],
        lambda p: pd.Series([None if c < 0 else c == 1 for c in p.y], dtype="boolean"),
        lambda p: np.array([None if c < 0 else np.bool_(c == 1) for c in p.y], dtype=object),
    ],
)
def test_truth_values_are_two_classes(small, quick, make):
    clf = BayesianGCNClassifier(**quick).fit(small.X, make(small), adjacency=small.A)
    np.testing.assert_array_equal(clf.classes_, [False, True])
    wanted = rows_of(small, quick, y=np.where(small.y < 0, -1, small.y == 1))
    np.testing.assert_array_equal(clf.label_distributions_, wanted)


@pytest.mark.parametrize("kind", ["u1", "?", "U3", "S3"])
def test_labels_without_room_for_a_missing_one_are_all_known(small, quick, kind):
    y = (small.truth == 1).astype(kind)
    clf = BayesianGCNClassifier(**quick).fit(small.X, y, adjacency=small.A)
    assert len(clf.split_.train) == 60
    np.testing.assert_array_equal(clf.classes_, np.unique(y))


def test_a_label_written_as_minus_1_is_a_class_with_a_warning(small, quick):
    with pytest.warns(
        DataWarning, match="y has the text '-1', which is a class like any other text; None is unlabelled"
    ):
        clf = BayesianGCNClassifier(**quick).fit(small.X, small.y.astype(str), adjacency=small.A)
    assert clf.classes_.tolist() == ["-1", "0", "1", "2"]


LABEL_ERRORS: list[tuple[Any, type[Exception], str]] = [
    (None, ValueError, r"requires y to be passed"),
    ([None] * 60, ValueError, r"y has no labels .*nothing can be learnt. Label some nodes"),
    (np.full(60, -1), ValueError, r"y has no labels"),
    (np.full(60, NAN), ValueError, r"y has no labels"),
    (np.zeros(59, int), ValueError, r"labels: 59 entries; 60 nodes need one entry each"),
    (np.zeros((60, 2), int), ValueError, r"y has shape \(60, 2\); one label per node"),
    (0, ValueError, r"y has shape \(\); one label per node"),
    (np.zeros(60, int), ValueError, r"there are 1 classes to tell apart; a fit needs at least two"),
    (np.linspace(0, 1, 60), ValueError, r"Unknown label type: y holds real numbers, such as 0\.0\d+; use .*Regressor"),
    ([0.5, None] * 30, ValueError, r"Unknown label type: y holds real numbers, such as 0\.5"),
    (np.full(60, np.inf), ValueError, r"y holds infinity"),
    ([None, float("inf")] * 30, ValueError, r"y holds infinity"),
    (np.full(60, 1j), ValueError, r"y holds complex numbers"),
    ([1, "a"] * 30, TypeError, r"y mixes types of labels: int, str"),
    (np.array([{}] * 60, dtype=object), ValueError, r"Unknown label type: y holds a dict"),
    (
        np.array([None, (1, 2), (3, 4)] * 20 + [0], dtype=object)[:60],
        ValueError,
        r"Unknown label type: y holds a tuple",
    ),
    (sparse.csr_matrix((60, 1)), TypeError, r"y is a sparse matrix; give a dense array"),
    ({99: 1, 0: 2}, ValueError, r"labels: node 99 is not in the graph \(1 such nodes\)"),
]


@pytest.mark.parametrize(("given", "kind", "text"), LABEL_ERRORS)
def test_labels_that_cannot_be_read_are_refused(small, given, kind, text):
    with pytest.raises(kind, match=text):
        BayesianGCNClassifier().fit(small.X, given, adjacency=small.A)


@pytest.mark.parametrize("given", [5, np.array(5), iter([1, 2])])
def test_labels_that_are_none_are_refused_without_features_too(given):
    with pytest.raises(ValueError, match="one label per node is needed"):
        Dataset(y=given, adjacency=[(0, 1)])


# Warnings.


def test_warnings_point_at_the_line_that_called(small, quick):
    lopsided = sparse.triu(small.A).tocsr()
    calls = [
        lambda: Dataset(small.X, small.y, adjacency=lopsided),
        lambda: BayesianGCNClassifier(**quick).fit(small.X, small.y, adjacency=lopsided),
        lambda: BayesianGCNClassifier(**quick).fit(small.X, small.y, adjacency=2 * small.A),
        lambda: BayesianGCNClassifier(**quick).fit(small.X, small.y),
        lambda: BayesianGCNClassifier(**quick).fit(small.X, small.y.reshape(-1, 1), adjacency=small.A),
        lambda: bgcn.GraphModel(communities=2).fit(2 * small.A),
    ]
    for call in calls:
        with pytest.warns() as caught:
            call()
        assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("make", [lambda A: A, lambda A: A.toarray(), lambda A: pd.DataFrame(A.toarray())])
def test_a_matrix_that_is_not_symmetric_is_taken_both_ways_with_a_warning(small, quick, make):
    with pytest.warns(DataWarning, match="not symmetric; directions are ignored"):
        found = rows_of(small, quick, adjacency=make(sparse.triu(small.A).tocsr()))
    np.testing.assert_array_equal(found, rows_of(small, quick))


def test_a_named_matrix_that_is_not_symmetric_warns_too(small):
    lopsided = pd.DataFrame(sparse.triu(small.A).toarray(), index=small.names, columns=small.names)
    with pytest.warns(DataWarning, match="not symmetric"):
        data = Dataset(named_frame(small)[::-1], adjacency=lopsided)
    assert data.n_edges == len(small.edges)


def test_a_fit_without_a_graph_warns_and_learns_from_features(small, quick):
    with pytest.warns(DataWarning, match="no adjacency was given: the network learns from features alone"):
        found = rows_of(small, quick, adjacency=None)
    np.testing.assert_array_equal(found, rows_of(small, quick, adjacency=sparse.csr_matrix((60, 60))))


@pytest.mark.filterwarnings("ignore::bgcn.DataWarning")
def test_neither_features_nor_a_graph_is_refused(small):
    with pytest.raises(ValueError, match="neither features nor a graph were given"):
        BayesianGCNClassifier().fit(None, small.y)


def test_labels_of_minus_1_and_1_are_one_class_with_a_warning(small):
    with (
        pytest.warns(DataWarning, match="y holds -1 and 1 alone: -1 is unlabelled.*Use 0 and 1"),
        pytest.raises(ValueError, match="1 classes"),
    ):
        BayesianGCNClassifier().fit(small.X, np.where(small.truth == 1, 1, -1), adjacency=small.A)


def test_a_column_of_labels_warns_and_is_read(small, quick):
    with pytest.warns(Warning, match="column-vector y was passed"):
        found = rows_of(small, quick, y=small.y.reshape(-1, 1))
    np.testing.assert_array_equal(found, rows_of(small, quick))


# Predictions.


@pytest.fixture(scope="module")
def fitted(small):
    quick = {"schedule_pretraining": 30, "schedule_draws": 6, "schedule_averaged": 3}
    return BayesianGCNClassifier(**quick).fit(small.X, small.y, adjacency=small.A)


def test_the_fitted_features_give_the_fitted_nodes(small, fitted):
    for X in (None, small.X, small.X.astype(np.float64), np.asfortranarray(small.X), small.X.tolist()):
        np.testing.assert_array_equal(fitted.predict_proba(X), fitted.label_distributions_)
        np.testing.assert_array_equal(fitted.predict(X), fitted.transduction_)
    np.testing.assert_array_equal(fitted.predict_log_proba(), np.log(fitted.label_distributions_))


def test_other_features_without_a_graph_are_refused(small, fitted):
    with pytest.raises(ValueError, match="X is not what was fitted, and no adjacency was given"):
        fitted.predict_proba(small.X + 1)
    with pytest.raises(ValueError, match="X is not what was fitted"):
        fitted.predict_proba(small.X[::-1])
    with pytest.raises(ValueError, match="the fit had features, so new nodes need them too; give X"):
        fitted.predict_proba(adjacency=small.A)
    with pytest.raises(ValueError, match="X has 7 features, but BayesianGCNClassifier is expecting 8"):
        fitted.predict_proba(small.X[:, :7], adjacency=small.A)
    with pytest.raises(ValueError, match="graph has 60 nodes, but X has 61 rows"):
        fitted.predict_proba(np.vstack([small.X, small.X[:1]]), adjacency=small.A)


def test_a_changed_graph_is_predicted_without_training_again(small, fitted):
    same = fitted.predict_proba(small.X, adjacency=small.A)
    np.testing.assert_array_equal(fitted.predict_proba(small.X, adjacency=small.edges), same)
    np.testing.assert_array_equal(fitted.predict_proba(Dataset(small.X, adjacency=small.A)), same)
    other = fitted.predict_proba(small.X, adjacency=small.edges[:100])
    assert other.shape == same.shape
    assert not np.array_equal(other, same)
    np.testing.assert_allclose(other.sum(axis=1), 1, atol=1e-5)


def test_new_nodes_are_predicted_by_their_features_and_neighbours(small, fitted):
    """Copies of the nodes of one class, joined to it, are of that class."""
    members = np.flatnonzero(small.truth == 2)
    X = np.vstack([small.X, small.X[members[:4]]])
    edges = [*map(tuple, small.edges.tolist()), *((60 + i, int(node)) for i in range(4) for node in members)]
    found = fitted.predict_proba(X, adjacency=edges)
    assert found.shape == (64, 3)
    assert (found[60:].argmax(axis=1) == 2).all()
    assert (fitted.predict(X, adjacency=edges)[60:] == 2).all()


def test_a_graph_may_be_all_isolated(small, fitted):
    found = fitted.predict_proba(small.X[:5], adjacency=sparse.csr_matrix((5, 5)))
    assert found.shape == (5, 3)
    assert np.isfinite(found).all()


@pytest.mark.filterwarnings("ignore::bgcn.DataWarning")
def test_a_fit_without_a_graph_predicts_features_alone(small, quick):
    clf = BayesianGCNClassifier(**quick).fit(small.X, small.y)
    found = clf.predict_proba(small.X[:7])
    assert found.shape == (7, 3)
    np.testing.assert_array_equal(found, clf.predict_proba(small.X[:7], adjacency=sparse.csr_matrix((7, 7))))


def test_nodes_without_features_are_recognised_by_name(small, quick):
    """Weights belong to nodes there, so the order in which edges name them must not matter."""
    clf = BayesianGCNClassifier(**quick).fit(None, small.named_labels, adjacency=small.named_edges)
    wanted = clf.predict_proba(adjacency=small.named_edges)
    backwards = [(b, a) for a, b in small.named_edges[::-1]]
    for given in (backwards, nx.Graph(backwards), pd.DataFrame(backwards, columns=["source", "target"])):
        np.testing.assert_array_equal(clf.predict_proba(adjacency=given), wanted)
    assert clf.predict_proba(adjacency=small.named_edges[:3]).shape == (60, 3)
    with pytest.raises(ValueError, match="node 'new' is not known"):
        clf.predict_proba(adjacency=[*small.named_edges, ("n0", "new")])


def test_nodes_without_features_are_recognised_by_number(small, quick):
    clf = BayesianGCNClassifier(**quick).fit(None, small.y, adjacency=small.A)
    wanted = clf.predict_proba(adjacency=small.A)
    backwards = small.edges[::-1, ::-1]
    for given in (backwards, nx.Graph(backwards.tolist()), square_frame(small)):
        np.testing.assert_array_equal(clf.predict_proba(adjacency=given), wanted)
    assert clf.predict_proba(adjacency=[(0, 1)]).shape == (60, 3)
    with pytest.raises(ValueError, match="62 nodes do not fit"):
        clf.predict_proba(adjacency=sparse.csr_matrix((62, 62)))
    with pytest.raises(ValueError, match="X has 8 features"):
        clf.predict_proba(small.X, adjacency=small.A)


def test_scores_count_labelled_rows_alone(small, fitted):
    right = fitted.transduction_ == small.truth
    assert fitted.score(small.X, small.truth) == pytest.approx(right.mean())
    assert fitted.score(None, small.y) == pytest.approx(right[small.y >= 0].mean())
    with pytest.raises(ValueError, match="no test node has a label"):
        fitted.score()


def test_before_a_fit_nothing_is_predicted(small):
    with pytest.raises(AttributeError, match="not fitted yet"):
        BayesianGCNClassifier().predict(small.X)


# Splits.


def test_a_split_of_any_form_is_the_same(small, quick):
    known = np.flatnonzero(small.y >= 0)
    sets = (known[:12], known[12:20], known[20:])
    masks = [np.isin(np.arange(60), nodes) for nodes in sets]
    named = dict(zip(("train", "validation", "test"), sets, strict=True))
    wanted = rows_of(small, quick, split=sets)
    assert not np.array_equal(wanted, rows_of(small, quick))
    for split in (
        masks,
        named,
        bgcn.Split(*sets),
        [nodes.tolist() for nodes in sets],
        [n.astype(np.uint8) for n in sets],
    ):
        clf = BayesianGCNClassifier(**quick).fit(small.X, small.y, adjacency=small.A, split=split)
        np.testing.assert_array_equal(clf.label_distributions_, wanted)
        for found, nodes in zip(clf.split_, sets, strict=True):
            np.testing.assert_array_equal(found, nodes)
    assert "test" in clf.metrics_


SPLIT_ERRORS: list[tuple[Any, type[Exception], str]] = [
    (5, TypeError, r"split is of type int; give training, validation and test nodes"),
    ([], ValueError, r"split has 0 parts"),
    ([[0], [1]], ValueError, r"split has 2 parts; give training, validation and test nodes"),
    ({"train": [0], "tset": [1]}, ValueError, r"split has a set 'tset'; allowed are train, validation and test"),
    ([[0.0], [], []], ValueError, r"of type float64; give node numbers or a mask"),
    ([["a"], [], []], ValueError, r"give node numbers or a mask"),
    ([[[0]], [], []], ValueError, r"a set of the split has shape \(1, 1\)"),
    ([[-1], [], []], ValueError, r"training nodes, entry 0: -1"),
    ([[60], [], []], ValueError, r"split, entry 0 of train: node 60; there are 60 nodes"),
    ([np.array([2**64 - 1], np.uint64), [], []], ValueError, r"split: node 18446744073709551615"),
    ([[0, 0], [], []], ValueError, r"node 0 is in train already"),
    ([np.ones(59, bool), [], []], ValueError, r"a mask of the split has 59 entries; 60 nodes need one each"),
    ([[0], np.zeros(61, bool), []], ValueError, r"a mask of the split has 61 entries"),
    ([[], [], []], ValueError, r"the set of labelled nodes is empty"),
    ("nowhere", ValueError, r'split is "nowhere"; allowed are auto, random, fixed, all, a file'),
    ("fixed", ValueError, r"no fixed split"),
]


@pytest.mark.parametrize(("split", "kind", "text"), SPLIT_ERRORS)
def test_splits_that_cannot_be_read_are_refused(small, split, kind, text):
    with pytest.raises(kind, match=text):
        BayesianGCNClassifier().fit(small.X, small.y, adjacency=small.A, split=split)


@pytest.mark.parametrize("count", [0, -1, 2**70, 1.5, "many", True])
def test_a_number_of_labels_that_is_none_is_refused(small, count):
    with pytest.raises(ValueError, match=r"labels_per_class is .*; allowed are whole numbers from 1"):
        BayesianGCNClassifier().fit(small.X, small.y, adjacency=small.A, split="random", labels_per_class=count)


# Regressions.


@pytest.fixture(scope="module")
def numbers(small):
    """Real values, NaN for none."""
    return np.where(small.y < 0, np.nan, small.truth + small.X[:, 3])


@pytest.mark.parametrize(
    "make",
    [
        lambda y: y.astype(np.float32),
        lambda y: y.tolist(),
        lambda y: [None if np.isnan(value) else float(value) for value in y],
        lambda y: {i: float(value) for i, value in enumerate(y) if not np.isnan(value)},
        lambda y: pd.Series(y),
        lambda y: pd.Series(y).dropna(),
        lambda y: pd.Series(y, dtype="Float64"),
        lambda y: np.array([None if np.isnan(value) else value for value in y], dtype=object),
        lambda y: np.ma.masked_invalid(y),
        lambda y: y.astype(">f8"),
        torch_of,
    ],
)
def test_numbers_of_any_kind_give_the_same_regression(small, quick, numbers, make):
    fits = [
        BayesianGCNRegressor(**quick).fit(small.X, y, adjacency=small.A).transduction_ for y in (numbers, make(numbers))
    ]
    np.testing.assert_array_equal(*fits)


def test_a_regression_predicts_fitted_nodes_and_others(small, quick, numbers):
    reg = BayesianGCNRegressor(**quick).fit(small.X, numbers, adjacency=small.A)
    np.testing.assert_array_equal(reg.predict(small.X), reg.transduction_)
    mean, sd = reg.predict(small.X, adjacency=small.edges, return_std=True)
    assert mean.shape == sd.shape == (60,)
    assert (sd > 0).all()
    parts = reg.uncertainty_
    np.testing.assert_allclose(parts["sd"] ** 2, parts["model_sd"] ** 2 + parts["noise_sd"] ** 2, rtol=1e-5)
    known = ~np.isnan(numbers)
    errors = numbers[known].astype(np.float32) - reg.transduction_[known]
    spread = numbers[known].var() * known.sum()
    assert reg.score(None, numbers) == pytest.approx(1 - (errors**2).sum() / spread, abs=1e-5)
    assert not hasattr(reg, "classes_")
    with pytest.raises(ValueError, match="X is not what was fitted"):
        reg.predict(small.X * 2)


def test_minus_1_is_a_number_of_a_regression(small, quick):
    reg = BayesianGCNRegressor(**quick).fit(small.X, small.y.astype(float), adjacency=small.A)
    assert len(reg.split_.train) == 60


REGRESSION_ERRORS: list[tuple[Any, type[Exception], str]] = [
    (["a"] * 60, ValueError, r"y is of type .*; labels of a regression are numbers. Use BayesianGCNClassifier"),
    (np.full(60, NAN), ValueError, r"no sample has a label"),
    ([1.0] + [None] * 59, ValueError, r"one sample has a label .* a regression needs at least two"),
    (np.full(60, np.inf), ValueError, r"labels, node 0: inf; Input contains infinity"),
    (np.full(60, 1e300), ValueError, r"labels, node 0: 1e\+300"),
    (np.full(60, 1j), ValueError, r"y holds complex numbers; labels of a regression are real numbers"),
    (np.ones((60, 2)), ValueError, r"y has shape \(60, 2\); one label per node"),
    (np.ones(59), ValueError, r"labels: 59 entries; 60 nodes need one entry each"),
    (np.full(60, "2020-01-01", "M8[D]"), ValueError, r"y is of type datetime64"),
]


@pytest.mark.parametrize(("given", "kind", "text"), REGRESSION_ERRORS)
def test_numbers_that_cannot_be_read_are_refused(small, given, kind, text):
    with pytest.raises(kind, match=text):
        BayesianGCNRegressor().fit(small.X, given, adjacency=small.A)


# Datasets.


def test_a_dataset_is_fitted_like_its_parts(small, quick):
    data = Dataset(small.X, small.y, adjacency=small.A)
    clf = BayesianGCNClassifier(**quick).fit(data, split="all")
    np.testing.assert_array_equal(clf.label_distributions_, rows_of(small, quick))


@pytest.mark.parametrize("extra", ["y", "adjacency", "weight_threshold"])
def test_a_dataset_has_everything_already(small, extra):
    data = Dataset(small.X, small.y, adjacency=small.A)
    given = {"y": small.y, "adjacency": small.A, "weight_threshold": 1.0}
    with pytest.raises(ValueError, match=f"{extra} was given, but the Dataset has its own; leave it out"):
        BayesianGCNClassifier().fit(data, **{extra: given[extra]})


def test_labels_of_a_dataset_suit_one_estimator(small):
    classes, numbers = (
        Dataset(small.X, small.y, adjacency=small.A, regression=regression) for regression in (False, True)
    )
    with pytest.raises(ValueError, match="for BayesianGCNRegressor"):
        BayesianGCNClassifier().fit(numbers)
    with pytest.raises(ValueError, match="for BayesianGCNClassifier"):
        BayesianGCNRegressor().fit(classes)


def test_a_dataset_says_what_it_holds(small):
    data = Dataset(small.X, small.y, adjacency=small.A, name="blocks")
    known = int((small.y >= 0).sum())
    size = f"60 nodes, {len(small.edges)} edges"
    assert repr(data) == f"Dataset(blocks: {size}, 8 features, 3 classes, {known} labels)"
    numbers = Dataset(None, small.y.astype(float), adjacency=small.A, regression=True)
    assert repr(numbers) == f"Dataset(data: {size}, no features, numbers, 60 labels)"
    assert (data.n_nodes, data.n_edges, data.n_features) == (60, len(small.edges), 8)
    assert data.class_names == ["0", "1", "2"]
    assert data.ids == list(range(60))
    np.testing.assert_array_equal(data.labels, small.y)
    np.testing.assert_array_equal(data.features, small.X)
    np.testing.assert_array_equal(data.adjacency.toarray(), small.A.toarray())
    ends = small.y[small.edges]
    both = (ends >= 0).all(axis=1)
    assert data.homophily == pytest.approx((ends[both, 0] == ends[both, 1]).mean())


DATASETS: dict[str, Callable[[Problem], Dataset]] = {
    "dense": lambda p: Dataset(p.X, p.y, adjacency=p.A, name="mine"),
    "sparse": lambda p: Dataset(sparse.csr_matrix(p.X), p.y, adjacency=p.A),
    "no features": lambda p: Dataset(None, p.y, adjacency=p.A),
    "no labels": lambda p: Dataset(p.X, adjacency=p.A),
    "numbers": lambda p: Dataset(p.X, np.where(p.y < 0, NAN, p.y / 3), adjacency=p.A, regression=True),
    "names": lambda p: Dataset(named_frame(p), p.named_labels, adjacency=p.named_edges),
    "tuples": lambda p: Dataset(y={(0, 0): "a"}, adjacency=nx.grid_2d_graph(3, 3)),
    "a split": lambda p: Dataset(p.X, p.truth, adjacency=p.A, split=[[0, 1, 2], [3], [4, 5]]),
    "categories": lambda p: Dataset(pd.DataFrame({"word": ["x", "y"] * 30}), p.y, adjacency=p.A),
    "karate": lambda p: bgcn.datasets.load("karate"),
}


@pytest.mark.parametrize("kind", DATASETS)
def test_a_pickled_dataset_is_the_same(small, kind):
    data = DATASETS[kind](small)
    again = pickle.loads(pickle.dumps(data))
    assert again.fingerprint == data.fingerprint
    assert repr(again) == repr(data)
    assert again.ids == data.ids
    assert again.class_names == data.class_names
    np.testing.assert_array_equal(again.labels, data.labels)
    assert (again.adjacency != data.adjacency).nnz == 0
    if kind == "a split":
        assert [nodes.tolist() for nodes in again.split("fixed")] == [[0, 1, 2], [3], [4, 5]]


def test_a_pickled_dataset_gives_the_same_fit(small, quick):
    frame = pd.DataFrame({"word": np.array(["x", "y", "z"])[small.truth], "size": small.X[:, 0]})
    data = Dataset(frame, small.y, adjacency=small.A)
    again = pickle.loads(pickle.dumps(data))
    fits = [BayesianGCNClassifier(**quick).fit(given, split="all") for given in (data, again)]
    np.testing.assert_array_equal(fits[0].label_distributions_, fits[1].label_distributions_)
    columns = frame[["size", "word"]]
    np.testing.assert_array_equal(fits[1].predict_proba(columns), fits[0].label_distributions_)


def test_a_copy_is_the_dataset_itself(small):
    """It does not change, so there is nothing to copy."""
    data = Dataset(small.X, small.y, adjacency=small.A)
    assert copy.copy(data) is data
    assert copy.deepcopy(data) is data


def test_arrays_that_a_dataset_gives_are_copies(small):
    data = Dataset(small.X, small.y, adjacency=small.A)
    before = data.fingerprint
    data.features[:] = 0
    data.labels[:] = 0
    data.adjacency.data[:] = 0
    data.ids.clear()
    assert data.fingerprint == before
    np.testing.assert_array_equal(data.features, small.X)


def test_a_dataset_does_not_follow_its_arrays(small):
    X = small.X.copy()
    data = Dataset(X, small.y, adjacency=small.A)
    before = data.fingerprint
    X[:] = 0
    assert data.fingerprint == before


def test_a_fingerprint_is_of_the_content(small):
    def fingerprint(**changes: Any) -> str:
        return Dataset(**{"X": small.X, "y": small.y, "adjacency": small.A, **changes}).fingerprint

    one = fingerprint()
    assert len(one) == 64
    assert fingerprint(adjacency=small.edges[::-1, ::-1]) == one
    assert fingerprint(adjacency=networkx_of(small)) == one
    assert fingerprint(adjacency=square_frame(small)) == one
    assert fingerprint(X=small.X.astype(np.float64)) == one
    other_y = np.where(np.arange(60) == 0, 2, small.y)
    others = [fingerprint(X=small.X + 1), fingerprint(adjacency=small.edges[1:]), fingerprint(y=other_y)]
    assert len({one, *others}) == 4


def test_cora_as_arrays_is_cora(cora):
    again = Dataset(cora.features, cora.labels, adjacency=cora.adjacency)
    assert (again.n_nodes, again.n_edges, again.n_features) == (2708, cora.n_edges, 1433)
    assert again.homophily == pytest.approx(cora.homophily)
    assert (again.features != cora.features).nnz == 0
