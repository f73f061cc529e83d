"""scikit-learn's habits: its own checks, clone, pickle, pipelines and searches."""

from __future__ import annotations

import pickle
import warnings

import bgcn
import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

QUICK = {"schedule_pretraining": 60, "schedule_draws": 10, "schedule_averaged": 5}

#: Checks that cannot hold, and why.
FAILING = {
    "BayesianGCNClassifier": {
        "check_classifiers_classes": "its labels are -1 and 1, and -1 is unlabelled here, as in LabelSpreading",
    },
    "BayesianGCNRegressor": {},
}


@parametrize_with_checks(
    [bgcn.BayesianGCNClassifier(**QUICK), bgcn.BayesianGCNRegressor(**QUICK)],
    expected_failed_checks=lambda estimator: FAILING[type(estimator).__name__],
)
@pytest.mark.filterwarnings("ignore::bgcn.DataWarning")
def test_scikit_learns_own_checks_hold(estimator, check):
    check(estimator)


def test_the_kinds_of_estimators_are_known():
    assert is_classifier(bgcn.BayesianGCNClassifier())
    assert is_regressor(bgcn.BayesianGCNRegressor())


def test_a_clone_has_the_same_settings_and_no_fit(small, quick):
    clf = bgcn.BayesianGCNClassifier(network="gat", copying_copy=0.25, **quick)
    clf.fit(small.X, small.y, adjacency=small.A)
    other = clone(clf)
    assert other.get_params() == clf.get_params()
    with pytest.raises(NotFittedError, match="not fitted yet"):
        other.predict()


def test_settings_are_stored_unchanged():
    value = np.float64(0.25)
    assert bgcn.BayesianGCNClassifier(copying_copy=value).copying_copy is value


def test_unknown_settings_name_the_nearest():
    with pytest.raises(TypeError, match="no setting 'copying_cpoy'; did you mean 'copying_copy'"):
        bgcn.BayesianGCNClassifier(copying_cpoy=0.5)
    with pytest.raises(TypeError, match="did you mean 'copying_copy'"):
        bgcn.BayesianGCNClassifier(**{"copying.copy": 0.5})
    with pytest.raises(ValueError, match="did you mean 'network_hidden'"):
        bgcn.BayesianGCNClassifier().set_params(network_hiden=8)


def test_a_setting_out_of_range_is_refused_by_the_library(small):
    clf = bgcn.BayesianGCNClassifier(network_dropout=1.5)
    with pytest.raises(ValueError, match=r"network\.dropout is 1\.5; .*below 1"):
        clf.fit(small.X, small.y, adjacency=small.A)


@pytest.mark.parametrize("model", ["copying", "observed", "mmsbm", "auto"])
def test_a_pickled_fit_comes_back_to_the_last_bit(small, quick, model):
    settings = {} if model == "observed" else quick
    clf = bgcn.BayesianGCNClassifier(graph_model=model, **settings).fit(small.X, small.y, adjacency=small.A)
    again = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(again.label_distributions_, clf.label_distributions_)
    np.testing.assert_array_equal(again.transduction_, clf.transduction_)
    for name, values in clf.uncertainty_.items():
        np.testing.assert_array_equal(again.uncertainty_[name], values)
    np.testing.assert_array_equal(
        again.predict_proba(small.X, adjacency=small.A), clf.predict_proba(small.X, adjacency=small.A)
    )
    assert again.report() == clf.report()
    assert again.get_params() == clf.get_params()
    assert again.edges().equals(clf.edges())
    assert again.missing_edges(200).equals(clf.missing_edges(200))
    assert again.suspicious_edges(fdr=0.5).equals(clf.suspicious_edges(fdr=0.5))
    assert again.edge_metrics_ == clf.edge_metrics_
    if model != "observed":
        assert again.edge_probabilities().equals(clf.edge_probabilities())
        assert (again.sample_graphs(2)[1] != clf.sample_graphs(2)[1]).nnz == 0


def test_a_pickled_regression_comes_back_to_the_last_bit(small):
    y = np.where(small.y >= 0, small.y + 0.5, np.nan)
    reg = bgcn.BayesianGCNRegressor(**QUICK).fit(small.X, y, adjacency=small.A)
    again = pickle.loads(pickle.dumps(reg))
    np.testing.assert_array_equal(again.predict(), reg.predict())
    np.testing.assert_array_equal(again.predict(return_std=True)[1], reg.uncertainty_["sd"])


def test_a_pipeline_scales_features_before_the_graph(small, quick):
    pipe = make_pipeline(MaxAbsScaler(), bgcn.BayesianGCNClassifier(**quick))
    pipe.fit(small.X, small.y, bayesiangcnclassifier__adjacency=small.A)
    direct = bgcn.BayesianGCNClassifier(**quick)
    direct.fit(MaxAbsScaler().fit_transform(small.X), small.y, adjacency=small.A)
    np.testing.assert_array_equal(pipe.predict(small.X), direct.transduction_)
    assert isinstance(clone(pipe), Pipeline)


def test_cross_validation_shares_the_labels_of_a_graph_out(small, quick):
    graph = bgcn.Dataset(small.X, adjacency=small.A)
    clf = bgcn.BayesianGCNClassifier(graph=graph, **quick)
    nodes = np.arange(len(small.truth))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = cross_val_score(clf, nodes, small.truth, cv=3)
    assert scores.shape == (3,)
    assert scores.mean() > 1.5 / 3, "classes of the blocks are better than chance"


def test_labels_of_other_folds_are_not_seen(small, quick):
    """The graph's own labels are no part of a fit on some of its nodes."""
    nodes = np.arange(0, len(small.truth), 2)
    labelled = bgcn.Dataset(small.X, small.truth, adjacency=small.A)
    bare = bgcn.Dataset(small.X, adjacency=small.A)
    fits = [
        bgcn.BayesianGCNClassifier(graph=graph, **quick).fit(nodes, small.truth[nodes]) for graph in (labelled, bare)
    ]
    np.testing.assert_array_equal(fits[0].label_distributions_, fits[1].label_distributions_)
    assert len(fits[0].split_.train) == len(nodes)


def test_a_grid_of_three_settings_on_cora(cora, quick):
    known = cora.split("random", labels_per_class=10).train
    search = GridSearchCV(
        bgcn.BayesianGCNClassifier(graph=cora, **quick),
        {"copying_copy": [0.3, 0.6], "network_hidden": [8, 16], "belief_propagation_steps": [0, 5]},
        cv=StratifiedKFold(2),
    )
    search.fit(known.reshape(-1, 1), cora.labels[known])
    assert len(search.cv_results_["params"]) == 8
    assert search.best_score_ > 0.5
    assert search.predict(np.arange(5)).shape == (5,)
