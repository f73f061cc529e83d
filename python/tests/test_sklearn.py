"""scikit-learn's habits: its own checks, clone, pickle, pipelines and searches."""

from __future__ import annotations

import pickle
import re
import warnings

import bgcn
import numpy as np
import pytest
import sklearn
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError, UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

QUICK = {"settings": {"schedule.pretraining": 60, "schedule.draws": 10, "schedule.averaged": 5}}

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
    clf = bgcn.BayesianGCNClassifier(network="gat", **quick)
    clf.fit(small.X, small.y, adjacency=small.A)
    other = clone(clf)
    assert other.get_params() == clf.get_params()
    assert other.settings is not clf.settings
    with pytest.raises(NotFittedError, match="not fitted yet"):
        other.predict()


def test_keywords_are_stored_unchanged_and_in_one_order():
    settings = {"copying.copy": np.float64(0.25), "network.hidden": None}
    clf = bgcn.BayesianGCNClassifier(settings=settings, network="gat")
    assert clf.settings is settings
    shown = clf.get_params()
    own = ["network", "graph_model", "graph", "preset", "schedule", "random_state", "n_jobs", "verbose", "settings"]
    assert list(shown) == [*own, "settings__copying.copy", "settings__network.hidden"]
    assert shown["settings__copying.copy"] is settings["copying.copy"]
    assert list(clf.get_params(deep=False)) == own
    assert list(bgcn.BayesianGCNRegressor().get_params()) == own


def test_single_settings_are_set_without_touching_what_was_given():
    settings = {"copying.copy": 0.25}
    clf = bgcn.BayesianGCNClassifier(settings=settings)
    clf.set_params(**{"settings__network.hidden": 8, "settings__copying.copy": 0.5})
    assert clf.settings == {"copying.copy": 0.5, "network.hidden": 8}
    assert settings == {"copying.copy": 0.25}
    clf.set_params(**{"settings__network.hidden": 4, "settings": {"copying.copies": 2}})
    assert clf.settings == {"copying.copies": 2, "network.hidden": 4}, "the dict first, in any order"
    assert bgcn.BayesianGCNClassifier().set_params(**{"settings__copying.copy": 1}).settings == {"copying.copy": 1}


def test_a_setting_is_the_same_wherever_it_is_written(small, quick):
    fits = [
        bgcn.BayesianGCNClassifier(network="gat", **quick),
        bgcn.BayesianGCNClassifier(settings={**quick["settings"], "network.kind": "gat"}),
        bgcn.BayesianGCNClassifier(settings={**quick["settings"], "copying.copy": None}, network="gat"),
    ]
    rows = [clf.fit(small.X, small.y, adjacency=small.A).label_distributions_ for clf in fits]
    np.testing.assert_array_equal(rows[0], rows[1])
    np.testing.assert_array_equal(rows[0], rows[2])
    assert fits[0].settings_["network.kind"] == "gat"
    again = bgcn.BayesianGCNClassifier(settings=fits[0].settings_).fit(small.X, small.y, adjacency=small.A)
    np.testing.assert_array_equal(again.label_distributions_, rows[0])
    clash = bgcn.BayesianGCNClassifier(network="gcn", settings={"network.kind": "gat"})
    with pytest.raises(ValueError, match=r'settings has "network.kind": \'gat\', but network is \'gcn\'; leave one'):
        clash.fit(small.X, small.y, adjacency=small.A)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"n_epochs": 9}, 'has no keyword n_epochs; did you mean settings={"network.epochs": 9}?'),
        ({"hidden_dim": 8}, 'has no keyword hidden_dim; did you mean settings={"network.hidden": 8}?'),
        ({"copying_copy": 0.5}, 'has no keyword copying_copy; write settings={"copying.copy": 0.5}'),
        ({"copying.copy": 0.5}, 'has no keyword copying.copy; write settings={"copying.copy": 0.5}'),
        (
            {"network_hidden": 8, "schedule_draws": 9},
            'has no keyword network_hidden, schedule_draws; write settings={"network.hidden": 8, "schedule.draws": 9}',
        ),
        ({"settings__copying.copy": 1}, 'has no keyword settings__copying.copy; write settings={"copying.copy": 1}'),
        ({"copying_cpoy": 0.5}, 'has no keyword copying_cpoy; did you mean settings={"copying.copy": 0.5}?'),
        ({"graph_modle": "sbm"}, "has no keyword graph_modle; did you mean graph_model?"),
        ({"q": 0.5}, "has no keyword q; bgcn.settings() lists the settings"),
    ],
)
def test_a_keyword_that_does_not_exist_names_what_to_write(given, text):
    for kind in (bgcn.BayesianGCNClassifier, bgcn.BayesianGCNRegressor):
        with pytest.raises(TypeError, match=re.escape(f"{kind.__name__} {text}") + "$"):
            kind(**given)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("settings__copying.cpoy", "did you mean 'settings__copying.copy'?"),
        ("copying_copy", "did you mean 'settings__copying.copy'?"),
        ("network_hiden", "did you mean 'settings__network.hidden'?"),
        ("presett", "did you mean 'preset'?"),
        ("settings__preset", "bgcn.settings() lists the settings"),
    ],
)
def test_a_parameter_that_does_not_exist_names_the_nearest_and_changes_nothing(name, meant):
    clf = bgcn.BayesianGCNClassifier()
    with pytest.raises(ValueError, match=re.escape(f"Invalid parameter {name!r} for estimator")) as caught:
        clf.set_params(**{"n_jobs": 1, name: 8})
    assert str(caught.value).endswith(meant)
    assert clf.n_jobs is None


@pytest.mark.parametrize(
    ("settings", "kind", "text"),
    [
        ({"network.dropout": 1.5}, ValueError, r"network\.dropout.* is 1\.5; .*below 1"),
        ({"copying.cpoy": 0.5}, ValueError, r"copying\.cpoy.*did you mean .*copying\.copy"),
        ({"network.dropout": [0.5]}, TypeError, r"network\.dropout is of type list"),
        ({3: 1}, TypeError, r"settings has the key 3; keys are names such as \"copying\.copy\""),
        ([("copying.copy", 0.5)], TypeError, r"settings is of type list; give a dict of keys and values"),
    ],
)
def test_settings_are_checked_by_the_fit(small, settings, kind, text):
    clf = bgcn.BayesianGCNClassifier(settings=settings)
    with pytest.raises(kind, match=text):
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


def test_probabilities_are_calibrated_over_folds(small, quick):
    """The scores of a calibration are those of nodes that a fold has not seen."""
    clf = bgcn.BayesianGCNClassifier(graph=bgcn.Dataset(small.X, adjacency=small.A), **quick)
    nodes = np.arange(len(small.truth))
    for ensemble in (True, False):
        calibrated = CalibratedClassifierCV(clf, cv=3, ensemble=ensemble).fit(nodes, small.truth)
        rows = calibrated.predict_proba(nodes)
        np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-6)
        assert (rows.argmax(axis=1) == small.truth).mean() > 1.5 / 3
        assert len(calibrated.calibrated_classifiers_) == (3 if ensemble else 1)


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


def test_a_grid_over_settings(small, quick):
    graph = bgcn.Dataset(small.X, adjacency=small.A)
    search = GridSearchCV(
        bgcn.BayesianGCNClassifier(graph=graph, **quick),
        {"settings__copying.copy": [0.3, 0.6], "settings__belief.propagation_steps": [0, 5]},
        cv=StratifiedKFold(2),
    )
    nodes = np.arange(len(small.truth))
    search.fit(nodes, small.truth)
    assert len(search.cv_results_["params"]) == 4
    best = search.best_params_
    assert search.best_estimator_.settings_["copying.copy"] == best["settings__copying.copy"]
    assert search.best_estimator_.settings == {
        **quick["settings"],
        **{name.removeprefix("settings__"): value for name, value in best.items()},
    }
    in_pipe = make_pipeline(bgcn.BayesianGCNClassifier(graph=graph, **quick))
    in_pipe.set_params(**{"bayesiangcnclassifier__settings__copying.copy": 0.3})
    assert in_pipe.get_params()["bayesiangcnclassifier__settings__copying.copy"] == 0.3


def test_a_grid_of_three_settings_on_cora(cora, quick):
    known = cora.split("random", labels_per_class=10).train
    search = GridSearchCV(
        bgcn.BayesianGCNClassifier(graph=cora, **quick),
        {
            "settings__copying.copy": [0.3, 0.6],
            "settings__network.hidden": [8, 16],
            "settings__belief.propagation_steps": [0, 5],
        },
        cv=StratifiedKFold(2),
    )
    search.fit(known.reshape(-1, 1), cora.labels[known])
    assert len(search.cv_results_["params"]) == 8
    assert search.best_score_ > 0.5
    assert search.predict(np.arange(5)).shape == (5,)


# Metadata routing.


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.usefixtures("routing")
def test_a_graph_is_routed_through_a_pipeline(small, quick):
    clf = bgcn.BayesianGCNClassifier(**quick)
    clf.set_fit_request(adjacency=True, split=True).set_predict_request(adjacency="other")
    pipe = clone(make_pipeline(MaxAbsScaler(), clf))
    nodes = np.arange(60)
    split = (nodes[:20], nodes[20:30], nodes[30:])
    pipe.fit(small.X, small.truth, adjacency=small.A, split=split)
    direct = bgcn.BayesianGCNClassifier(**quick)
    scaled = MaxAbsScaler().fit_transform(small.X)
    direct.fit(scaled, small.truth, adjacency=small.A, split=split)
    np.testing.assert_array_equal(pipe[-1].label_distributions_, direct.label_distributions_)
    changed = small.edges[:100]
    found = pipe.predict(small.X, other=changed)
    np.testing.assert_array_equal(found, direct.predict(scaled, adjacency=changed))
    with pytest.raises(UnsetMetadataPassedError, match="weight"):
        pipe.fit(small.X, small.truth, adjacency=small.A, weight="weight")


@pytest.mark.usefixtures("routing")
def test_a_search_routes_a_graph_where_each_fold_has_all_rows(small, quick):
    """Rows of features belong to nodes of the graph, so the sets are routed and rows are not split."""
    clf = bgcn.BayesianGCNClassifier(**quick).set_fit_request(adjacency=True, split=True)
    every = np.arange(60)
    search = GridSearchCV(
        make_pipeline(MaxAbsScaler(), clf),
        {"bayesiangcnclassifier__settings__copying.copy": [0.3, 0.6]},
        scoring=lambda pipe, X, y: pipe[-1].score(),
        cv=[(every, every)],
    )
    split = (every[:20], every[20:30], every[30:])
    search.fit(small.X, small.truth, adjacency=small.A, split=split)
    for copy, score in zip((0.3, 0.6), search.cv_results_["mean_test_score"], strict=True):
        alone = make_pipeline(MaxAbsScaler(), clone(clf).set_params(**{"settings__copying.copy": copy}))
        alone.fit(small.X, small.truth, adjacency=small.A, split=split)
        assert score == alone[-1].score()
    clf.set_score_request(adjacency=True)
    cut = GridSearchCV(clf, {"network": ["gcn"]}, cv=2, error_score="raise")
    with pytest.raises(ValueError, match=r"shape \(30, 60\).*give the estimator graph="):
        cut.fit(small.X, small.truth, adjacency=small.A, split=split)


@pytest.mark.usefixtures("routing")
def test_a_search_over_nodes_of_a_graph_routes_the_rest(small, quick):
    graph = bgcn.Dataset(small.X, adjacency=small.A)
    clf = bgcn.BayesianGCNClassifier(graph=graph, **quick).set_fit_request(baseline=True)
    search = GridSearchCV(clf, {"settings__copying.copy": [0.3, 0.6]}, cv=2)
    search.fit(np.arange(60), small.truth, baseline=True)
    assert "plain" in search.best_estimator_.metrics_
    assert search.score(np.arange(60), small.truth) > 0.5


@pytest.mark.usefixtures("routing")
def test_requests_are_kept_by_clones_pickles_and_further_requests():
    clf = bgcn.BayesianGCNClassifier().set_fit_request(adjacency=True, split="sets")
    clf.set_fit_request(weight=False).set_score_request(sample_weight=True)
    for other in (clf, clone(clf), pickle.loads(pickle.dumps(clf))):
        routing = other.get_metadata_routing()
        assert routing.fit.requests == {
            "adjacency": True,
            "split": "sets",
            "weight": False,
            **dict.fromkeys(("weight_threshold", "labels_per_class", "baseline", "callback")),
        }
        assert routing.score.requests == {"sample_weight": True, "adjacency": None}
        assert set(routing.predict_proba.requests) == {"adjacency", "weight", "weight_threshold"}
    clone(clf).set_fit_request(adjacency=None)
    assert clf.get_metadata_routing().fit.requests["adjacency"] is True
    with pytest.raises(TypeError, match="fit of BayesianGCNClassifier has no argument 'adjacncy' to route; did you"):
        clf.set_fit_request(adjacncy=True)
    assert not hasattr(bgcn.BayesianGCNRegressor(), "set_predict_proba_request")


def test_requests_need_routing_to_be_enabled():
    with pytest.raises(RuntimeError, match=r"enable_metadata_routing=True"):
        bgcn.BayesianGCNClassifier().set_fit_request(adjacency=True)
