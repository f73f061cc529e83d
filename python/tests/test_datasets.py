"""Data in one piece."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import bgcn
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from bgcn import BayesianGCNClassifier, BayesianGCNRegressor, Dataset
from conftest import Problem
from forms import named_frame, networkx_of, rows_of, square_frame
from scipy import sparse

NAN = float("nan")


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


def test_a_notebook_shows_sizes_classes_and_remarks(small):
    with pytest.warns(bgcn.DataWarning, match="not symmetric"):
        data = Dataset(small.X, small.y, adjacency=sparse.triu(small.A), name="<mine>", split=[[0], [1], [2]])
    shown = data._repr_html_()
    counts = np.bincount(small.y[small.y >= 0])
    assert f"<tr><th>3 classes</th><td>0: {counts[0]}, 1: {counts[1]}, 2: {counts[2]}</td></tr>" in shown
    for part in ("Dataset &lt;mine&gt;", "<td>60</td>", "1 training, 1 validation, 1 test", "not symmetric"):
        assert part in shown
    numbers = Dataset(None, small.y.astype(float), adjacency=small.A, regression=True)
    assert "<tr><th>labels</th><td>60 numbers</td></tr>" in numbers._repr_html_()


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
    "with remarks": lambda p: Dataset(p.X, p.y, adjacency=2 * sparse.triu(p.A)),
    "demo": lambda p: bgcn.datasets.load("demo"),
}


@pytest.mark.parametrize("kind", DATASETS)
@pytest.mark.filterwarnings("ignore::bgcn.DataWarning")
def test_a_pickled_dataset_is_the_same(small, kind):
    data = DATASETS[kind](small)
    again = pickle.loads(pickle.dumps(data))
    assert again.fingerprint == data.fingerprint
    assert repr(again) == repr(data)
    assert again.ids == data.ids
    assert again.class_names == data.class_names
    np.testing.assert_array_equal(again.labels, data.labels)
    assert (again.adjacency != data.adjacency).nnz == 0
    assert (again.remarks, again.truth, again.merged) == (data.remarks, data.truth, data.merged)
    assert len(data.remarks) == 2 * (kind == "with remarks")
    assert (data.truth is not None) == (kind == "demo")
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
