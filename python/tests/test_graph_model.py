"""Graph models by themselves."""

from __future__ import annotations

import json
from typing import Any

import bgcn
import networkx as nx
import numpy as np
import pytest
from bgcn import GraphModel
from scipy import sparse

MODELS = ("mmsbm", "mmsb", "sbm", "dcsbm", "copying")
INFERENCES = ("linear", "minibatch", "natural", "langevin", "variational", "coordinate")
STARTS = ("labels", "agglomerate", "propagate", "random")


@pytest.fixture(scope="module")
def karate():
    return bgcn.datasets.load("karate")


def pairs(nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Every pair of nodes once."""
    return np.triu_indices(nodes, 1)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_is_inferred_judged_and_drawn_from(karate, name):
    model = GraphModel(name, hold_out=0.1).fit(karate)
    assert model.n_nodes_ == 34
    assert model.impossible_links_ == 0
    assert sorted(model.held_out_) == ["mean", "per_link", "per_non_link", "perplexity"]
    assert model.held_out_["mean"] < 0
    assert model.held_out_["perplexity"] == pytest.approx(np.exp(-model.held_out_["mean"]))
    sources, targets = pairs(34)
    probabilities = model.edge_probability(sources, targets)
    assert probabilities.shape == sources.shape
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    np.testing.assert_array_equal(model.edge_probability(targets, sources), probabilities)
    assert (model.edge_probability(np.arange(34), np.arange(34)) == 0).all()
    for graph in model.sample(3):
        assert isinstance(graph, sparse.csr_matrix)
        assert graph.shape == (34, 34)
        assert (graph != graph.T).nnz == 0
        assert graph.diagonal().sum() == 0
        assert set(graph.data) <= {1}
        assert graph.nnz > 0


def test_draws_are_repeated_by_their_seed(karate):
    name = "sbm"
    model = GraphModel(name, random_state=3).fit(karate)
    first, second = model.sample(2, random_state=5)
    again = GraphModel(name, random_state=3).fit(karate)
    for one, other in zip(again.sample(2, random_state=5), (first, second), strict=True):
        assert (one != other).nnz == 0
    assert (first != second).nnz > 0
    assert (first != model.sample(1, random_state=6)[0]).nnz > 0
    assert (model.sample(1)[0] != model.sample(1, random_state=3)[0]).nnz == 0, "without a seed the fit's is taken"
    assert model.sample(0) == []


@pytest.mark.parametrize("inference", INFERENCES)
def test_every_inference_of_the_mmsbm_finds_what_is_likelier_than_chance(karate, inference):
    model = GraphModel("mmsbm", inference=inference).fit(karate)
    sources, targets = pairs(34)
    joined = np.asarray(karate.adjacency[sources, targets]).ravel() == 1
    probabilities = model.edge_probability(sources, targets)
    assert probabilities[joined].mean() > 1.3 * probabilities[~joined].mean()
    pi = model.parameters_["pi"]
    assert pi.shape == (34, 2)
    np.testing.assert_allclose(pi.sum(axis=1), 1, atol=1e-4)
    assert len(model.parameters_["beta"]) == 2
    assert all(0 < beta < 1 for beta in model.parameters_["beta"])
    again = GraphModel("mmsbm", inference=inference).fit(karate)
    np.testing.assert_array_equal(again.parameters_["pi"], pi)


def test_inferences_differ(karate):
    found = [GraphModel(inference=name).fit(karate).parameters_["pi"] for name in INFERENCES]
    assert len({array.tobytes() for array in found}) == len(INFERENCES)


@pytest.mark.parametrize("start", STARTS)
def test_every_start_is_taken(karate, start):
    model = GraphModel(start=start, iterations=1).fit(karate)
    assert model.iterations_ == 1
    assert model.log_posterior_ < 0


def test_a_start_by_a_network_needs_labels_to_learn_from():
    model = GraphModel(start="network", iterations=1).fit(bgcn.datasets.load("demo"))
    assert model.parameters_["pi"].shape == (2000, 7)


def test_settings_are_taken_by_name(karate):
    model = GraphModel(settings={"delta": 0.25, "mmsbm.eta": 2.0}, iterations=7, communities=3).fit(karate)
    assert model.settings_["delta"] == 0.25
    assert model.settings_["eta"] == 2
    assert model.iterations_ == 7
    assert model.parameters_["pi"].shape == (34, 3)


def test_nothing_is_held_out_unless_it_is_asked_for(karate):
    assert GraphModel().fit(karate).held_out_ is None


@pytest.mark.parametrize("form", ["csr", "dense", "edge_index", "pairs", "networkx", "Dataset"])
def test_a_graph_of_any_kind_gives_the_same_model(small, form):
    given: Any = {
        "csr": small.A,
        "dense": small.A.toarray(),
        "edge_index": small.edges.T,
        "pairs": small.edges.tolist(),
        "networkx": nx.from_scipy_sparse_array(small.A, edge_attribute=None) if form == "networkx" else None,
        "Dataset": bgcn.Dataset(adjacency=small.A),
    }[form]
    wanted = GraphModel(communities=3).fit(small.A)
    model = GraphModel(communities=3).fit(given)
    np.testing.assert_array_equal(model.parameters_["pi"], wanted.parameters_["pi"])


def test_labels_give_the_communities(small):
    model = GraphModel("sbm").fit(small.A, small.truth)
    sources, targets = pairs(60)
    same = small.truth[sources] == small.truth[targets]
    probabilities = model.edge_probability(sources, targets)
    assert probabilities[same].mean() > 3 * probabilities[~same].mean()
    assert model.edge_probability(0, 3).shape == (1,)
    with pytest.raises(ValueError, match="no classes to take the number of communities from; give communities"):
        GraphModel("sbm").fit(small.A)


@pytest.mark.parametrize("name", ["mmsbm", "copying"])
@pytest.mark.parametrize("graph", [sparse.csr_matrix((5, 5)), sparse.csr_matrix((1, 1)), np.ones((5, 5)) - np.eye(5)])
def test_graphs_of_no_edges_or_all_edges_are_inferred(name, graph):
    model = GraphModel(name, communities=3).fit(graph)
    drawn = model.sample(2)
    assert drawn[0].shape == graph.shape
    if sparse.issparse(graph):
        assert drawn[0].nnz == 0


def test_threads_do_not_change_what_is_inferred(small):
    found = [GraphModel(communities=3, n_jobs=jobs).fit(small.A).parameters_["pi"] for jobs in (1, 2, None)]
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_files_hold_the_model(karate, tmp_path):
    model = GraphModel("sbm").fit(karate)
    model.save(tmp_path / "new" / "folder")
    names = sorted(path.name for path in (tmp_path / "new" / "folder").iterdir())
    assert names == ["classes.csv", "graph-model.json", "graph-model.safetensors", "nodes.csv", "observed.csv"]
    kept = json.loads((tmp_path / "new" / "folder" / "graph-model.json").read_text())
    assert "sbm" in json.dumps(kept)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ValueError, match="this is a file"):
        model.save(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"
    with pytest.raises(ValueError, match="a graph model already"):
        model.save(tmp_path / "new" / "folder")
    model.save(tmp_path / "new" / "folder", overwrite=True)


def test_before_a_fit_there_is_nothing_to_draw(tmp_path):
    model = GraphModel()
    for call in (model.sample, lambda: model.edge_probability([0], [1]), lambda: model.save(tmp_path)):
        with pytest.raises(AttributeError, match=r"not fitted yet\. Call 'fit' first"):
            call()


def test_a_model_says_what_it_is():
    assert repr(GraphModel("dcsbm")) == "GraphModel('dcsbm')"


ERRORS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"graph_model": "sbn"}, ValueError, r'graph_model is "sbn"; allowed are mmsbm, mmsb, sbm, dcsbm, copying'),
    ({"graph_model": "observed"}, ValueError, r'graph_model is "observed"; allowed'),
    ({"graph_model": 3}, TypeError, r"int"),
    ({"communities": 0}, ValueError, r"communities is 0; allowed are whole numbers from 1 to 1048576"),
    ({"communities": -1}, ValueError, r"communities is -1"),
    ({"communities": 10**12}, ValueError, r"communities is 1000000000000"),
    ({"communities": 2**70}, ValueError, r"communities is \d+; allowed"),
    ({"communities": 2.5}, ValueError, r"communities is 2\.5"),
    ({"communities": True}, ValueError, r"communities is True"),
    ({"iterations": 0}, ValueError, r"iterations is 0; allowed are whole numbers from 1"),
    ({"iterations": -3}, ValueError, r"iterations is -3"),
    ({"iterations": "many"}, ValueError, r"iterations is 'many'"),
    ({"inference": "fast"}, ValueError, r'inference is "fast"; allowed are linear, minibatch, natural, langevin'),
    (
        {"graph_model": "sbm", "inference": "natural"},
        ValueError,
        r"inference was given, but only mmsbm uses it, not sbm",
    ),
    ({"graph_model": "copying", "iterations": 3}, ValueError, r"iterations was given, but only .*, not copying"),
    ({"start": "here"}, ValueError, r'start is "here"; allowed are labels, network, agglomerate, propagate, random'),
    ({"hold_out": -0.1}, ValueError, r"hold_out is -0\.1; allowed are 0 to 0\.5"),
    ({"hold_out": 0.6}, ValueError, r"hold_out is 0\.6"),
    ({"hold_out": float("nan")}, ValueError, r"hold_out is nan; allowed"),
    ({"hold_out": 10**400}, ValueError, r"hold_out is 1000"),
    ({"hold_out": "some"}, ValueError, r"hold_out is 'some'; allowed are 0 to 0\.5"),
    ({"hold_out": None}, ValueError, r"hold_out is None"),
    ({"settings": {"detla": 1}}, ValueError, r"mmsbm has no such setting; it has communities, inference"),
    ({"settings": {"delta": 2.0}}, ValueError, r"mmsbm\.delta is 2\.0; allowed: auto, or above 0"),
    ({"settings": {"delta": [1]}}, TypeError, r"setting delta is of type list; give a number or a word"),
    ({"settings": "delta"}, TypeError, r"settings is of type str; give a dict of keys and values"),
    ({"settings": [1]}, TypeError, r"settings is of type list"),
    ({"random_state": -1}, ValueError, r"random_state is -1"),
    ({"n_jobs": 0}, ValueError, r"n_jobs is 0; allowed are 1 to 1024"),
]


@pytest.mark.parametrize(("given", "kind", "text"), ERRORS)
def test_what_cannot_be_is_refused(karate, given, kind, text):
    with pytest.raises(kind, match=text):
        GraphModel(**given).fit(karate)


PAIR_ERRORS: list[tuple[Any, Any, str]] = [
    ([0], [34], r"node 34 does not exist; the graph has 34 nodes"),
    ([-1], [0], r"sources, entry 0: -1"),
    ([0], [2**40], r"targets, entry 0: 1099511627776"),
    ([0, 1], [0], r"2 sources and 1 targets; give as many"),
    ([0.5], [1], r"nodes of type float64 and shape \(1,\); give node numbers"),
    (["a"], ["b"], r"give node numbers"),
    ([[0]], [[1]], r"shape \(1, 1\); give node numbers"),
]


@pytest.mark.parametrize(("sources", "targets", "text"), PAIR_ERRORS)
def test_pairs_that_are_none_are_refused(karate, sources, targets, text):
    model = GraphModel("copying").fit(karate)
    with pytest.raises(ValueError, match=text):
        model.edge_probability(sources, targets)


@pytest.mark.parametrize("n", [-1, 1.5, "two", True, None, 2**32])
def test_a_number_of_draws_that_is_none_is_refused(karate, n):
    model = GraphModel("copying").fit(karate)
    with pytest.raises(ValueError, match=r"n is .*; give a whole number from 0"):
        model.sample(n)


def test_no_graph_is_refused():
    for given in (None, []):
        with pytest.raises(ValueError, match="there are no nodes"):
            GraphModel(communities=2).fit(given)
    with pytest.raises(TypeError, match="adjacency is of type int"):
        GraphModel(communities=2).fit(5)
