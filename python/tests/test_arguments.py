"""Calls as other libraries have them, and arguments that do not exist."""

from __future__ import annotations

import re
from typing import Any

import bgcn
import networkx as nx
import numpy as np
import pytest
from bgcn import BayesianGCNClassifier, BayesianGCNRegressor, Dataset
from scipy import sparse
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler


@pytest.mark.parametrize("call", ["fit", "fit_predict"])
def test_a_graph_in_the_place_of_features_is_refused_with_the_right_call(small, call):
    fit = getattr(BayesianGCNClassifier(), call)
    for given in (small.A, sparse.csr_array(small.A), small.A.tocoo(), small.A.toarray()):
        with pytest.raises(
            ValueError, match=r"X is a matrix of 60 × 60, and no adj.* fit\(None, y, adjacency=…\), or fit\(X,"
        ):
            fit(given, small.y)
    with pytest.raises(TypeError, match=rf"{call} takes X, y by position; write {call}\(X, y, adjacency=A\)"):
        fit(small.A, small.X, small.y)
    with pytest.raises(TypeError, match=r"X is of type Graph, a graph; give it by name: fit\(None, y, adjacency=…\)"):
        fit(nx.path_graph(60), small.y)
    with pytest.raises(ValueError, match=r"write Dataset\(None, y, adjacency=…\)"):
        Dataset(small.A, small.y)


def test_data_of_pyg_in_the_place_of_features_is_refused_with_the_right_call():
    pyg = pytest.importorskip("torch_geometric.data")
    with pytest.raises(TypeError, match=r"of PyG, which has features and graph; write fit\(bgcn\.from_pyg\(data\)\)"):
        BayesianGCNClassifier().fit(pyg.Data())


def test_square_features_are_read_where_the_graph_is_given(small, quick):
    eye = sparse.eye(60, format="csr")
    clf = BayesianGCNClassifier(**quick).fit(eye, small.y, adjacency=small.A)
    np.testing.assert_array_equal(clf.predict_proba(eye), clf.label_distributions_)
    assert Dataset(eye, adjacency=[]).n_features == 60


def test_fit_predict_is_the_prediction_of_a_fit(small, quick, numbers):
    for kind, y in ((BayesianGCNClassifier, small.y), (BayesianGCNRegressor, numbers)):
        fitted = kind(**quick)
        found = fitted.fit_predict(small.X, y, adjacency=small.A)
        np.testing.assert_array_equal(found, fitted.transduction_)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"adjacncy": 1}, "fit has no argument 'adjacncy'; did you mean adjacency?"),
        ({"edge_index": 1}, "fit has no argument 'edge_index'; its name is adjacency"),
        ({"labels": 1}, "fit has no argument 'labels'; its name is y"),
        ({"random_state": 3}, "'random_state'; BayesianGCNClassifier has it: BayesianGCNClassifier(random_state=3)"),
        ({"copying_copy": 0.5}, 'it is a setting: BayesianGCNClassifier(settings={"copying.copy": 0.5})'),
        (
            {"quite_another": 1},
            "fit has no argument 'quite_another'; it has X, y, adjacency, weight, weight_threshold, split",
        ),
    ],
)
def test_an_argument_of_fit_that_does_not_exist_names_the_one_that_is_meant(small, given, text):
    clf = BayesianGCNClassifier()
    for call in (clf.fit, clf.fit_predict):
        with pytest.raises(TypeError, match=re.escape(text)):
            call(small.X, small.y, **given)
    assert not hasattr(clf, "classes_")


CALLS: list[tuple[Any, str]] = [
    (lambda: BayesianGCNClassifier().predict(adjacency_=1), "predict has no argument 'adjacency_'; did you mean adj"),
    (lambda: BayesianGCNRegressor().predict(return_sd=True), "did you mean return_std?"),
    (
        lambda: BayesianGCNClassifier().predict_proba(1, 2),
        "predict_proba takes X by position; write predict_proba(X, a",
    ),
    (lambda: Dataset(adjacancy=[]), "Dataset has no argument 'adjacancy'; did you mean adjacency?"),
    (lambda: Dataset([], [], []), "Dataset takes X, y by position; write Dataset(X, y, adjacency=A)"),
    (lambda: bgcn.from_networkx(1, lable="x"), "from_networkx has no argument 'lable'; did you mean label?"),
    (lambda: bgcn.from_pandas([], [], "x"), "from_pandas takes edges, nodes by position"),
    (lambda: bgcn.from_pyg([], weights="x"), "from_pyg has no argument 'weights'; did you mean weight?"),
    (lambda: bgcn.read("karate", label_colum="x"), "read has no argument 'label_colum'; did you mean label_column?"),
]


@pytest.mark.parametrize(("call", "text"), CALLS)
def test_an_argument_of_other_calls_that_does_not_exist_names_the_nearest(call, text):
    with pytest.raises(TypeError, match=re.escape(text)):
        call()


# Cross-validation.


ONE_LINE = (
    r"cross_val_score\(BayesianGCNClassifier\(graph=bgcn\.Dataset\(X, adjacency=A\)\), np\.arange\(len\(y\)\), y\)"
)


@pytest.mark.parametrize(
    "split",
    [
        lambda clf, X, y: cross_val_score(clf, X, y, cv=3, error_score="raise"),
        lambda clf, X, y: cross_val_score(clf, X, y, cv=3),
        lambda clf, X, y: cross_val_predict(make_pipeline(MaxAbsScaler(), clf), X, y, cv=3),
        lambda clf, X, y: GridSearchCV(clf, {"network": ["gcn"]}, cv=3, error_score="raise").fit(X, y),
        lambda clf, X, y: CalibratedClassifierCV(clf, cv=3).fit(X, y),
    ],
)
def test_cross_validation_without_a_graph_is_refused_with_the_remedy(small, split):
    with pytest.raises(ValueError, match=ONE_LINE):
        split(BayesianGCNClassifier(), small.X, small.truth)


def test_the_remedy_of_cross_validation_works(small, quick):
    clf = BayesianGCNClassifier(graph=bgcn.Dataset(small.X, adjacency=small.A), **quick)
    assert cross_val_score(clf, np.arange(len(small.truth)), small.truth, cv=3).mean() > 1.5 / 3
    with pytest.raises(
        ValueError, match=r"shape \(60, 8\), but with a graph it holds node numbers.* graph=bgcn\.Dataset"
    ):
        clf.fit(small.X, small.truth)


GRAPHS: dict[str, Any] = {
    "scipy": lambda p: p.A,
    "pairs": lambda p: list(map(tuple, p.edges.tolist())),
    "an array": lambda p: p.edges.T,
    "networkx": lambda p: nx.Graph(p.edges.tolist()),
    "a dataset": lambda p: Dataset(adjacency=p.A),
}


@pytest.mark.parametrize("kind", GRAPHS)
def test_the_graph_of_an_estimator_may_be_of_any_kind(small, quick, kind):
    given = GRAPHS[kind](small)
    clf = BayesianGCNClassifier(graph=given, **quick)
    assert clf.get_params()["graph"] is given
    assert len(repr(clf)) < 300
    nodes = np.flatnonzero(small.y >= 0)
    wanted = BayesianGCNClassifier(**quick).fit(None, small.y, adjacency=small.A).label_distributions_
    np.testing.assert_array_equal(clf.fit(nodes, small.y[nodes]).label_distributions_, wanted)
    np.testing.assert_array_equal(clf.predict_proba(nodes[::-1]), wanted[nodes[::-1]])
    assert cross_val_score(clf, nodes, small.y[nodes], cv=2).shape == (2,)


def test_the_graph_of_an_estimator_may_be_data_of_pyg(small, quick):
    pyg, torch = pytest.importorskip("torch_geometric.data"), pytest.importorskip("torch")
    both = np.concatenate([small.edges, small.edges[:, ::-1]]).T
    data = pyg.Data(x=torch.from_numpy(small.X.copy()), edge_index=torch.from_numpy(both.copy()))
    clf = BayesianGCNClassifier(graph=data, **quick).fit(np.arange(60), small.truth)
    wanted = BayesianGCNClassifier(**quick).fit(small.X, small.truth, adjacency=small.A)
    np.testing.assert_array_equal(clf.label_distributions_, wanted.label_distributions_)


def test_nodes_of_a_graph_are_given_by_name_or_by_number(small, quick):
    graph = nx.Graph(small.named_edges)
    order = [small.names.index(name) for name in graph]
    clf = BayesianGCNClassifier(graph=graph, **quick)
    by_name = clf.fit(list(graph), small.truth[order]).label_distributions_
    by_number = clf.fit(np.arange(60), small.truth[order]).label_distributions_
    np.testing.assert_array_equal(by_name, by_number)
    np.testing.assert_array_equal(
        clf.predict(["n3", "n5"]), clf.transduction_[[clf.nodes_.index(n) for n in ("n3", "n5")]]
    )
    assert clf.predict(["n3", "n5"], as_table=True)["node"].tolist() == ["n3", "n5"]
    with pytest.raises(ValueError, match="node 'new' is not in the graph"):
        clf.predict(["n3", "new"])


def test_numbers_that_are_names_too_are_refused(quick):
    """Nodes 1 to 4: is 1 the second node, or the first?"""
    clf = BayesianGCNClassifier(graph=[(1, 2), (2, 3), (3, 4)], **quick)
    with pytest.raises(
        ValueError, match=r"names of nodes and their numbers too: give np\.array\(X, object\) for names"
    ):
        clf.fit([1, 3], ["a", "b"])
    clf.fit(np.array([1, 4], object), ["a", "b"])
    assert [clf.nodes_[node] for node in clf.split_.train] == [1, 4]
    assert clf.fit([0, 3], ["a", "b"]).split_.train.tolist() == [0, 3]
