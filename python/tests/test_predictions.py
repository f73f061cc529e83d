"""What is said, predictions of other nodes, regressions."""

from __future__ import annotations

from typing import Any

import bgcn
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from bgcn import BayesianGCNClassifier, BayesianGCNRegressor, Dataset, DataWarning
from forms import named_frame, rows_of, square_frame, torch_of
from scipy import sparse

NAN = float("nan")


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
    quick = {"settings": {"schedule.pretraining": 30, "schedule.draws": 6, "schedule.averaged": 3}}
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


# Regressions.


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
