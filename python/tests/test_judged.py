"""What is said of edges: lists, rates, reasons, with and without a fit."""

from __future__ import annotations

import copy
import math
import pickle
import re

import bgcn
import networkx as nx
import numpy as np
import pytest
from bgcn import BayesianGCNClassifier, BayesianGCNRegressor
from scipy import sparse

COLUMNS = ["source", "target", "p_spurious", "reasons"]
QUICK = {"settings": {"schedule.pretraining": 30, "schedule.draws": 6, "schedule.averaged": 3}}


@pytest.fixture(scope="module")
def demo():
    return bgcn.datasets.load("demo")


@pytest.fixture(scope="module")
def fitted(demo):
    """Well trained: what is said of edges rests on what is predicted."""
    return BayesianGCNClassifier().fit(demo, labels_per_class=10)


def pairs_of(table) -> list[tuple[int, int]]:
    return list(zip(table.source, table.target, strict=True))


def test_every_observed_edge_has_a_probability_and_reasons(demo, fitted):
    edges = fitted.edges()
    assert list(edges.columns) == COLUMNS
    assert len(edges) == demo.n_edges
    assert len(set(pairs_of(edges))) == demo.n_edges
    p = edges.p_spurious.to_numpy()
    assert ((p > 0) & (p < 1)).all()
    assert (np.diff(p) <= 0).all(), "the most suspicious first"
    assert edges.reasons.str.match(r"(average edge|all edges) [+-]\d+\.\d\d").all()
    assert 0 < fitted.spurious_share_ < 1
    assert fitted.spurious_share_ == fitted.edge_metrics_["rho"]


def test_reasons_sum_to_the_log_odds(fitted):
    first = fitted.suspicious_edges(50)
    for p, reasons in zip(first.p_spurious, first.reasons, strict=True):
        terms = [float(term) for term in re.findall(r"[+-]\d+\.\d\d(?=;|$)", reasons)]
        if p < 0.99999:
            assert sum(terms) == pytest.approx(math.log(p / (1 - p)), abs=0.005 * (len(terms) + 6))


def test_a_list_is_as_long_as_asked_for(fitted):
    edges = fitted.edges()
    assert fitted.suspicious_edges().equals(edges[:20])
    assert fitted.suspicious_edges(7).equals(edges[:7])
    assert fitted.suspicious_edges(0).empty
    assert len(fitted.suspicious_edges(10**6)) == len(edges)
    with pytest.raises(ValueError, match="n is -1; give a whole number from 0"):
        fitted.suspicious_edges(-1)


def test_a_false_discovery_rate_says_how_long_a_list_is(fitted):
    lengths = [len(fitted.suspicious_edges(fdr=rate)) for rate in (0.01, 0.1, 0.3, 0.6, 1)]
    assert lengths == sorted(lengths)
    assert lengths[2] > 20, "n does not count unless it is given"
    assert lengths[1] == fitted.edge_metrics_["listed"]
    assert lengths[-1] == len(fitted.edges())
    assert len(fitted.suspicious_edges(5, fdr=0.3)) == 5
    assert len(fitted.suspicious_edges(10**6, fdr=0.3)) == lengths[2]
    assert fitted.suspicious_edges(fdr=0.3).equals(fitted.edges()[: lengths[2]])


@pytest.mark.parametrize("fdr", [0, -0.1, 1.5, float("nan"), "low", True])
def test_a_rate_that_is_none_is_refused(fitted, fdr):
    for call in (lambda: fitted.suspicious_edges(fdr=fdr), lambda: fitted.clean_graph(fdr)):
        with pytest.raises(ValueError, match=r"fdr is .*; give a share above 0 and at most 1"):
            call()


def test_lists_find_noise_of_generated_data(demo, fitted):
    noise = set(demo.truth[0])
    found = [pair in noise for pair in pairs_of(fitted.suspicious_edges(100))]
    assert np.mean(found) > 0.5, "by chance it would be 0.1"
    assert fitted.edge_metrics_["edges_found"]


def test_missing_edges_are_pairs_without_one(demo, fitted):
    missing = fitted.missing_edges(100)
    assert list(missing.columns) == ["source", "target", "p_missing", "reasons"]
    assert len(missing) == 100
    assert (np.diff(missing.p_missing) <= 0).all()
    assert not np.asarray(demo.adjacency[missing.source, missing.target]).any()
    assert missing.reasons.str.startswith("average pair").all()
    assert len(fitted.missing_edges(1000)) == 1000
    with pytest.raises(ValueError, match="1001 missing edges were asked for, but 1000 are kept"):
        fitted.missing_edges(1001)


def test_a_clean_graph_lacks_the_listed_edges(demo, fitted):
    clean = fitted.clean_graph(0.3)
    gone = demo.adjacency - clean
    assert clean.dtype == demo.adjacency.dtype
    assert (clean != clean.T).nnz == 0
    listed = fitted.suspicious_edges(fdr=0.3)
    wanted = {frozenset(pair) for pair in pairs_of(listed)}
    assert {frozenset(pair) for pair in zip(*gone.nonzero(), strict=True)} == wanted
    assert fitted.clean_graph().nnz == demo.adjacency.nnz - 2 * len(fitted.suspicious_edges(fdr=0.1))
    again = fitted.predict_proba(demo.features, adjacency=clean)
    assert again.shape == (2000, 7)


def test_the_graph_models_own_probabilities_are_something_else(demo, fitted):
    own = fitted.edge_probabilities()
    assert list(own.columns) == ["source", "target", "probability"]
    assert pairs_of(own) == sorted(pairs_of(fitted.edges()))


def test_scores_do_not_wait_for_the_edges(demo):
    clf = BayesianGCNClassifier(**QUICK).fit(demo, labels_per_class=10, baseline=True)
    before = clf.metrics_
    assert "links" not in before
    assert {"accuracy", "ece"} <= before["plain"]["test"].keys()
    assert 0 < clf.edge_metrics_["rho"] < 1
    assert clf.metrics_ == before


def test_judging_does_not_depend_on_the_number_of_threads_or_on_who_asks(demo):
    fits = [BayesianGCNClassifier(n_jobs=jobs, **QUICK).fit(demo, labels_per_class=10) for jobs in (1, 2)]
    fits[1].report()
    assert fits[0].edges().equals(fits[1].edges())
    assert fits[0].missing_edges(1000).equals(fits[1].missing_edges(1000))


def test_a_copy_is_judged_like_the_fit_it_comes_from(fitted):
    again = copy.deepcopy(fitted)
    assert again.edges().equals(fitted.edges())
    assert again.missing_edges(1000).equals(fitted.missing_edges(1000))


def test_printing_pickling_and_completion_compute_nothing(demo):
    clf = BayesianGCNClassifier(**QUICK).fit(demo, labels_per_class=10)
    run = clf.result_
    assert repr(run).startswith("Run(gcn+copying on demo: ")
    shown = repr(clf), clf._repr_html_(), run._repr_html_(), dir(clf), dir(run)
    again = pickle.loads(pickle.dumps(clf))
    assert run._core.data is not None, "not judged"
    assert "P(spurious)" not in shown[1]
    assert again.edges().equals(clf.edges())
    assert run._core.data is None
    assert "P(spurious)" in clf._repr_html_()


def test_a_result_has_tables(fitted):
    run = fitted.result_
    assert list(run.nodes.columns[:2]) == ["node", "predicted"]
    assert list(run.edges.columns) == ["source", "target", "p_spurious", "reasons"]
    assert list(run.missing.columns) == ["source", "target", "p_missing", "reasons"]
    assert dict(zip(run.settings["setting"], run.settings["value"], strict=True)) == fitted.settings_
    scores = dict(zip(run.metrics["metric"], run.metrics["value"], strict=True))
    assert scores["accuracy"] == fitted.metrics_["test"]["accuracy"]
    assert pickle.loads(pickle.dumps(run)).nodes.equals(run.nodes)


def test_a_regression_judges_edges_too(small, numbers):
    reg = BayesianGCNRegressor(**QUICK).fit(small.X, numbers, adjacency=small.A)
    assert len(reg.edges()) == len(small.edges)
    assert pickle.loads(pickle.dumps(reg)).edges().equals(reg.edges())


def test_a_fit_without_edges_has_none_to_judge(small, tmp_path):
    with pytest.warns(bgcn.DataWarning, match="no adjacency"):
        clf = BayesianGCNClassifier(**QUICK).fit(small.X, small.y)
    assert clf.edges().empty
    assert clf.missing_edges().empty
    assert clf.clean_graph().nnz == 0
    clf.save(tmp_path / "run")
    assert bgcn.load(tmp_path / "run").edges().empty


# Without a fit.


def test_edges_are_judged_without_a_fit(demo):
    found = bgcn.judge_edges(demo)
    assert list(found.edges.columns) == COLUMNS
    assert len(found.edges) == demo.n_edges
    assert list(found.missing.columns) == ["source", "target", "p_missing", "reasons"]
    assert len(found.missing) == 1000
    assert found.spurious_share == found.metrics["rho"]
    noise = set(demo.truth[0])
    assert np.mean([pair in noise for pair in pairs_of(found.suspicious_edges(100))]) > 0.3
    listed = found.suspicious_edges(fdr=0.5)
    assert (demo.adjacency != found.clean_graph(0.5)).nnz == 2 * len(listed)
    assert "JudgedEdges(6000 edges" in repr(found)
    again = pickle.loads(pickle.dumps(found))
    assert again.edges.equals(found.edges)


def test_a_seed_decides_and_threads_do_not(demo):
    one, two, other = (bgcn.judge_edges(demo, random_state=s, n_jobs=j) for s, j in ((1, 1), (1, 2), (2, None)))
    assert one.edges.equals(two.edges)
    assert one.missing.equals(two.missing)
    assert not one.edges.equals(other.edges)


@pytest.mark.parametrize(
    "make",
    [
        lambda p: bgcn.Dataset(adjacency=p.A),
        lambda p: p.A,
        lambda p: p.edges,
        lambda p: nx.Graph(p.edges.tolist()),
        lambda p: bgcn.from_networkx(nx.Graph(p.edges.tolist())),
    ],
)
def test_any_graph_is_judged(small, make):
    found = bgcn.judge_edges(make(small))
    assert {frozenset(pair) for pair in pairs_of(found.edges)} == {frozenset(pair) for pair in small.edges.tolist()}


def test_names_and_labels_of_a_graph_are_used(small):
    graph = nx.Graph(small.named_edges)
    nx.set_node_attributes(graph, {name: f"class {label}" for name, label in small.named_labels.items()}, "team")
    found = bgcn.judge_edges(bgcn.from_networkx(graph, label="team"))
    assert set(found.edges.source) <= set(small.names)
    assert found.edges.reasons.str.contains("class ").any()


def test_a_graph_that_cannot_be_judged_says_so():
    found = bgcn.judge_edges(bgcn.Dataset(np.eye(3)))
    assert len(found.edges) == len(found.missing) == 0
    assert found.clean_graph().shape == (3, 3)
    with pytest.raises(TypeError, match="adjacency is of type str"):
        bgcn.judge_edges("cora")
    with pytest.raises(ValueError, match="random_state is -1"):
        bgcn.judge_edges(sparse.eye(3), random_state=-1)
