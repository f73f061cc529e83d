"""An index names nodes: it is read wherever the graph has names, and refused where an order is not certain."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from bgcn import BayesianGCNClassifier, Dataset, DataWarning
from forms import named_frame, rows_of


@pytest.fixture
def order() -> np.ndarray:
    """Rows in another order."""
    return np.random.default_rng(3).permutation(60)


def test_labels_and_rows_are_read_by_their_index(small, quick, order):
    X, y = named_frame(small), pd.Series(small.truth, index=small.names)
    wanted = BayesianGCNClassifier(**quick).fit(X, y, adjacency=small.named_edges)
    for given in (y.iloc[order], y.iloc[order].to_frame("team"), y.iloc[order].to_dict()):
        found = BayesianGCNClassifier(**quick).fit(X, given, adjacency=small.named_edges)
        np.testing.assert_array_equal(found.label_distributions_, wanted.label_distributions_)
    shuffled = Dataset(X.iloc[order], y, adjacency=nx.Graph(small.named_edges))
    assert shuffled.ids == X.index[order].tolist()
    np.testing.assert_array_equal(shuffled.labels, small.truth[order])
    np.testing.assert_array_equal(shuffled.features, small.X[order])


def test_labels_are_read_by_number_where_the_graph_has_numbers(small, order):
    y = pd.Series(small.truth).iloc[order]
    for given in (small.edges, nx.Graph(small.edges.tolist()), pd.DataFrame(small.A.toarray())):
        np.testing.assert_array_equal(Dataset(None, y, adjacency=given).labels, small.truth)
    some = pd.Series(small.truth)[[5, 3, 8]]
    assert np.flatnonzero(Dataset(small.X, some, adjacency=small.A).labels >= 0).tolist() == [3, 5, 8]


def test_a_score_reads_labels_by_their_index(small, quick, order):
    clf = BayesianGCNClassifier(**quick).fit(named_frame(small), small.named_labels, adjacency=small.named_edges)
    y = pd.Series(small.truth, index=small.names)
    assert clf.score(None, y.iloc[order]) == clf.score(None, y) == (clf.transduction_ == small.truth).mean()
    assert clf.score(None, y[:7].to_dict()) == (clf.transduction_[:7] == small.truth[:7]).mean()


def test_an_index_in_another_order_beside_nodes_without_names_is_refused(small, order):
    X, y = pd.DataFrame(small.X), pd.Series(small.truth)
    for given in (small.A, small.A.toarray()):
        with pytest.raises(ValueError, match=r"no names\. Give edges.*X\.sort_index\(\) .*X\.reset_index\(drop=True\)"):
            Dataset(X.iloc[order], small.truth, adjacency=given)
        with pytest.raises(
            ValueError, match=r"y has an index with 0 to 59 in another order.*y\.sort_index\(\).*to_numpy"
        ):
            Dataset(small.X, y.iloc[order], adjacency=given)
    with pytest.raises(
        ValueError, match=r"X is read by its index, such as 'n0', but .*or X\.reset_index\(drop=True\) if"
    ):
        Dataset(named_frame(small), small.truth, adjacency=small.A)
    with pytest.raises(ValueError, match=r"such as 10, .*no names"):
        Dataset(pd.concat([X, X])[10:70], small.truth, adjacency=small.A)
    with pytest.raises(
        ValueError, match=r"node 'n0' is not in the graph \(60 such nodes\).*y\.to_numpy\(\) is read by po"
    ):
        Dataset(small.X, pd.Series(small.truth, index=small.names), adjacency=small.A)


def test_an_index_that_fits_is_read_by_position(small, quick):
    wanted = rows_of(small, quick)
    X, y = pd.DataFrame(small.X), pd.Series(small.y)
    listed = {"index": list(range(60))}
    for given in (
        {"X": X},
        {"X": X, "y": y},
        {"X": pd.DataFrame(small.X, **listed), "y": pd.Series(small.y, **listed)},
    ):
        np.testing.assert_array_equal(rows_of(small, quick, **given), wanted)
    data = Dataset(named_frame(small), pd.Series(small.truth), adjacency=small.named_edges)
    np.testing.assert_array_equal(data.labels, small.truth)


def test_labels_without_names_beside_named_edges_are_refused(small):
    for y in (small.truth, small.truth.tolist(), pd.Series(small.truth)):
        with pytest.raises(ValueError, match="edges join names, but y has labels without names; give y as a dict"):
            Dataset(None, y, adjacency=small.named_edges)


def test_rows_in_the_order_of_a_networkx_graph_are_not_taken_for_rows_by_number(small, quick):
    """Nodes 0, 1, 2, … that came in another order: both readings are possible, so one is asked for."""
    G = nx.Graph(small.edges[::-1, ::-1].tolist())
    order = list(G)
    assert order != sorted(order)
    for X, y in ((small.X, small.y), (pd.DataFrame(small.X), small.y), (None, small.y)):
        with pytest.raises(
            ValueError, match=rf"another order, and {'y' if X is None else 'X'} has no names: is entry i"
        ):
            Dataset(X, y, adjacency=G)
    wanted = rows_of(small, quick)
    np.testing.assert_array_equal(rows_of(small, quick, adjacency=list(G.edges())), wanted)
    matrix = nx.to_scipy_sparse_array(G, weight=None)
    by_graph = Dataset(small.X[order], small.y[order], adjacency=matrix)
    np.testing.assert_array_equal(by_graph.adjacency.toarray(), small.A.toarray()[np.ix_(order, order)])
    named = pd.DataFrame(small.X[order], index=order)
    data = Dataset(named, dict(zip(order, small.y[order].tolist(), strict=True)), adjacency=G)
    assert data.ids == order
    np.testing.assert_array_equal(data.labels, small.y[order])
    words = nx.Graph(small.named_edges)
    in_order = [small.names.index(name) for name in words]
    data = Dataset(small.X[in_order], small.truth[in_order], adjacency=words)
    np.testing.assert_array_equal(data.adjacency.toarray(), small.A.toarray()[np.ix_(in_order, in_order)])


def test_text_that_is_whole_numbers_is_read_as_numbers_where_the_graph_has_them(small):
    """As the keys of JSON are."""
    X = {str(i): row for i, row in enumerate(small.X.astype(float).tolist())}
    X = dict(reversed(X.items()))
    y = {str(i): int(label) for i, label in enumerate(small.truth)}
    wanted = Dataset(small.X, small.truth, adjacency=small.A)
    for graph in (small.edges, small.A, nx.Graph(small.edges.tolist())):
        with pytest.warns(DataWarning, match="names of nodes in X are text; the graph has whole numbers") as said:
            data = Dataset(X, y, adjacency=graph)
        assert data.fingerprint == wanted.fingerprint
        assert any("names of nodes in y are text" in str(warning.message) for warning in said)
    with pytest.raises(ValueError, match="edges: node 0 is not known"):
        Dataset({f"0{name}": row for name, row in X.items()}, adjacency=small.edges)
