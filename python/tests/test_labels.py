"""Labels in any form, and splits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bgcn
import numpy as np
import pandas as pd
import pytest
from bgcn import BayesianGCNClassifier, Dataset, DataWarning
from conftest import Problem
from forms import labels, rows_of, torch_of
from scipy import sparse

NAN = float("nan")


# Labels.


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


def test_a_code_for_unknown_that_is_a_class_is_remarked(small, quick):
    y = np.where(small.y == 0, -9, small.y)
    with pytest.warns(DataWarning, match="y holds -9, which is a class like any other number"):
        Dataset(small.X, y, adjacency=small.A)


def test_a_column_called_label_that_is_a_feature_is_remarked():
    nodes = pd.DataFrame({"label": [0, 1, 1]}, index=["a", "b", "c"])
    edges = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"]})
    with pytest.warns(DataWarning, match="column 'label' of the nodes is a feature; .* label='label'"):
        bgcn.from_pandas(edges, nodes)


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
    ([np.array([2**64 - 1], np.uint64), [], []], ValueError, r"training nodes, entry 0: 18446744073709551615"),
    ([[0, 0], [], []], ValueError, r"node 0 is in train already"),
    ([np.ones(59, bool), [], []], ValueError, r"a mask of the split has 59 entries; 60 nodes need one each"),
    ([[0], np.zeros(61, bool), []], ValueError, r"a mask of the split has 61 entries"),
    ([[], [], []], ValueError, r"the set of labelled nodes is empty"),
    ("nowhere", ValueError, r'split is "nowhere"; allowed are random, fixed, all, or a file'),
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


def test_whole_numbers_that_hardly_repeat_are_asked_about(small):
    incomes = np.arange(60) * 517 + 18_000
    with pytest.raises(ValueError, match=r"60 of 60 labelled nodes are alone in their class. Are the labels numbers"):
        Dataset(small.X, incomes, adjacency=small.A)
    assert Dataset(small.X, incomes, adjacency=small.A, regression=True).class_names is None
    words = Dataset(small.X, [f"c{income}" for income in incomes], adjacency=small.A)
    assert len(words.class_names) == 60
