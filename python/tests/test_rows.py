"""Features as Python's containers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from bgcn import BayesianGCNClassifier, Dataset, DataWarning
from forms import named_frame
from scipy import sparse

#: Columns of four nodes, and the same as a matrix.
LISTS = [[1, 40], [7], [], [40, 7, 1]]
MATRIX = [[1, 0, 1], [0, 1, 0], [0, 0, 0], [1, 1, 1]]
NAMES = list("abcd")
PATH = [("a", "b"), ("b", "c"), ("c", "d")]


@pytest.mark.parametrize(
    "given",
    [
        LISTS,
        tuple(map(tuple, LISTS)),
        np.array(LISTS, dtype=object),
        pd.Series(LISTS),
        list(map(set, LISTS)),
        [[1, 40, 40], [7], [], [40, 7, 1]],
        [dict.fromkeys(row, 1) for row in LISTS],
        dict(enumerate(LISTS)),
        {3: LISTS[3], 0: LISTS[0], 2: LISTS[2], 1: LISTS[1]},
    ],
)
@pytest.mark.filterwarnings("ignore::bgcn.DataWarning")
def test_lists_of_columns_are_sparse_features(given):
    data = Dataset(given, adjacency=[(0, 1), (1, 2), (2, 3)])
    assert sparse.issparse(data.features)
    assert data.features.toarray().tolist() == MATRIX
    assert data.feature_names == ["1", "7", "40"]
    assert data.ids == [0, 1, 2, 3]


def test_rows_of_a_dict_are_found_by_name():
    for given in (dict(zip(NAMES, LISTS, strict=True)), pd.Series(LISTS, index=NAMES)):
        with pytest.warns(
            DataWarning, match="each row of X lists the columns that are 1 there: 3 columns in all"
        ) as said:
            data = Dataset(given, adjacency=PATH[::-1])
        assert data.ids == NAMES
        assert data.features.toarray().tolist() == MATRIX
        assert data.remarks == [str(warning.message) for warning in said]
        with pytest.raises(ValueError, match=r"X is read by its index, such as 'a', but the nodes"):
            Dataset(given, adjacency=np.ones((4, 4)) - np.eye(4))


@pytest.mark.filterwarnings("ignore::bgcn.DataWarning")
def test_words_may_be_columns():
    data = Dataset([["red", "round"], ["blue"]], adjacency=[(0, 1)])
    assert data.feature_names == ["blue", "red", "round"]
    assert data.features.toarray().tolist() == [[0, 1, 1], [1, 0, 0]]


def test_values_by_column_are_numbers_or_a_table(small):
    by_column = {name: {"u": float(row[0]), "v": float(row[1])} for name, row in zip(small.names, small.X, strict=True)}
    frame = pd.DataFrame(small.X[:, :2], columns=["u", "v"], index=small.names)
    assert Dataset(by_column, adjacency=small.named_edges).fingerprint == (
        Dataset(frame, adjacency=small.named_edges).fingerprint
    )


def test_values_that_most_rows_lack_are_zeros_and_others_are_missing():
    path = [(0, 1), (1, 2), (2, 3)]
    with pytest.warns(DataWarning, match="columns that a row of X does not have are 0 for it"):
        data = Dataset([{"u": 1.5}, {"v": 2, "w": None}, {"w": True}, {}], adjacency=path)
    assert data.features.toarray().tolist() == [[1.5, 0, 0], [0, 2, 0], [0, 0, 1], [0, 0, 0]]
    rows = [{"u": 1.0, "v": 0.5}, {"u": 3.0}, {"u": 2.0, "v": 1.5}, {"u": 5.5, "v": float("nan")}]
    made = [Dataset(given, adjacency=path) for given in (rows, pd.DataFrame(rows))]
    assert made[0].fingerprint == made[1].fingerprint


def test_vectors_of_a_dict_are_values():
    for row in ([0.5, 1], np.array([0.5, 1]), [1, 1]):
        data = Dataset(dict.fromkeys(NAMES, row), adjacency=PATH)
        assert data.features.tolist() == [list(row)] * 4
        assert data.ids == NAMES


@pytest.mark.filterwarnings("ignore::bgcn.DataWarning")
def test_a_fitted_column_is_the_same_column_later(small, quick):
    words = [[f"w{column}" for column in np.flatnonzero(row > 0.5)] for row in small.X]
    X = dict(zip(small.names, words, strict=True))
    clf = BayesianGCNClassifier(**quick).fit(X, small.named_labels, adjacency=small.named_edges)
    assert clf.feature_names_in_.tolist() == [f"w{i}" for i in range(8)]
    np.testing.assert_array_equal(clf.predict_proba(X), clf.label_distributions_)
    backwards = dict(reversed(X.items()))
    with pytest.warns(DataWarning, match="columns that the fit did not have are ignored: new"):
        found = clf.predict({**backwards, "n9": [*X["n9"], "new"]}, adjacency=small.named_edges, as_table=True)
    again = clf.predict(X, adjacency=small.named_edges, as_table=True)
    assert found.set_index("node").loc[small.names, "predicted"].tolist() == again["predicted"].tolist()


ERRORS: list[tuple[Any, str]] = [
    ({}, r"X is empty; give a row of features per node"),
    ({"a": [], "b": []}, r"no row of X has a column"),
    (
        {"a": [1, 2], "b": [3, 4]},
        r"X has 2 whole numbers for each node, all different: values, or the columns that are 1\?",
    ),
    ([[1, 2], [0.5]], r"rows of different lengths, which list columns, but one holds 0\.5; columns are whole"),
    ([[1, 2], [-1]], r"but one holds -1"),
    ([[1, "x"], [2.5]], r"but one holds 2\.5"),
    ([{"a": 1}, [1]], r"rows that are dicts and rows that are lists"),
    ({"a": 1, "b": 2}, r"X, node 'a': int; a row is a list of columns or of values"),
    ({"a": "red", "b": "blue"}, r"X, node 'a': str; a row is a list"),
    ({"a": {1: 1.0}, "b": {"1": 2.0}, "c": {}}, r"columns that are written alike, such as 1 and '1'"),
    ({"a": {"u": 1.5}, "b": {"v": float("inf")}, "c": {}}, r"features, row 1: infinity"),
]


@pytest.mark.parametrize(("given", "text"), ERRORS)
@pytest.mark.filterwarnings("ignore::bgcn.DataWarning")
def test_rows_that_could_be_two_things_or_none_are_refused(given, text):
    with pytest.raises(ValueError, match=text):
        Dataset(given, adjacency=[("a", "b")])


def test_words_and_missing_values_are_those_of_a_table(small):
    values = zip(small.names, small.X[:, 0].tolist(), "xy" * 30, strict=True)
    rows = {name: {"size": size, "kind": kind} for name, size, kind in values}
    frame = pd.DataFrame.from_dict(rows, orient="index")
    made = [Dataset(given, adjacency=small.named_edges) for given in (rows, frame)]
    assert made[0].feature_names == made[1].feature_names == ["size", "kind=x", "kind=y"]
    assert made[0].fingerprint == made[1].fingerprint
    assert named_frame(small).index.tolist() == made[0].ids
