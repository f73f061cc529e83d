"""To and from the graphs of other libraries, tables in files, folders of one's own, and splits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bgcn
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from bgcn import BayesianGCNClassifier, BayesianGCNRegressor, Dataset, DataWarning
from scipy import sparse


def edges_of(data: Dataset) -> set[frozenset[Any]]:
    """Every edge as the names of its ends."""
    upper = sparse.triu(data.adjacency).tocoo()
    return {frozenset((data.ids[a], data.ids[b])) for a, b in zip(upper.row, upper.col, strict=True)}


# From networkx.


@pytest.fixture
def people() -> nx.Graph:
    """Four people with attributes; eve has no edge and no team."""
    graph = nx.Graph()
    graph.add_node("ann", team="red", place=[1.0, 2.0], age=30, height=1.7)
    graph.add_node("bob", team="blue", place=[3.0, 4.0], age=40, height=1.8)
    graph.add_node("tom", team="red", place=[5.0, 6.0], age=50, height=1.9)
    graph.add_node("eve", place=[7.0, 8.0], age=60, height=1.6)
    graph.add_edge("ann", "bob", years=2.0)
    graph.add_edge("bob", "tom", years=0.5)
    return graph


def test_nodes_and_attributes_of_networkx_are_kept(people):
    data = bgcn.from_networkx(people, label="team", features="place", name="people")
    assert repr(data) == "Dataset(people: 4 nodes, 2 edges, 2 features, 2 classes, 3 labels)"
    assert data.ids == ["ann", "bob", "tom", "eve"]
    assert data.class_names == ["blue", "red"]
    assert data.labels.tolist() == [1, 0, 1, -1]
    assert data.features.tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert edges_of(data) == {frozenset(("ann", "bob")), frozenset(("bob", "tom"))}


def test_features_of_networkx_are_one_vector_or_several_numbers(people):
    several = bgcn.from_networkx(people, features=["age", "height"])
    np.testing.assert_allclose(several.features, [[30, 1.7], [40, 1.8], [50, 1.9], [60, 1.6]], rtol=1e-6)
    assert bgcn.from_networkx(people, features="age").features.tolist() == [[30], [40], [50], [60]]
    assert bgcn.from_networkx(people).features is None


def test_weights_of_networkx_choose_edges(people):
    assert bgcn.from_networkx(people, weight="years", weight_threshold=1).n_edges == 1
    assert bgcn.from_networkx(people, weight="years", weight_threshold=0.5).n_edges == 2


def test_labels_of_networkx_may_be_numbers(people):
    data = bgcn.from_networkx(people, label="height", regression=True)
    np.testing.assert_allclose(data.labels, [1.7, 1.8, 1.9, 1.6], rtol=1e-6)
    assert data.class_names is None


NETWORKX_ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"label": "taem"}, r"no node has the attribute 'taem'; name the one that holds labels"),
    ({"features": "size"}, r"node 'ann' has no attribute 'size'; every node needs its features"),
    ({"features": ["age", "size"]}, r"node 'ann' has no attribute 'size'"),
    ({"features": "team"}, r"node 'eve' has no attribute 'team'"),
    ({"label": "height"}, r"Unknown label type: y holds real numbers, such as 1\.7"),
    ({"weight": "years"}, r"Add weight_threshold=…"),
    ({"weight_threshold": 1}, r"name it with weight=…"),
    ({"weight": "yaers", "weight_threshold": 1}, r"the edge ann – bob has no attribute 'yaers'"),
]


@pytest.mark.parametrize(("options", "text"), NETWORKX_ERRORS)
def test_attributes_that_are_not_there_are_refused(people, options, text):
    with pytest.raises(ValueError, match=text):
        bgcn.from_networkx(people, **options)


def test_what_no_graph_of_networkx_is_is_refused():
    for given in (3, None, [(0, 1)], np.eye(3)):
        with pytest.raises(TypeError, match=f"graph is of type {type(given).__name__}; give a graph of networkx"):
            bgcn.from_networkx(given)


def test_a_vector_that_is_shorter_than_others_is_refused(people):
    people.nodes["bob"]["place"] = [1.0]
    with pytest.raises(ValueError, match=r"."):
        bgcn.from_networkx(people, features="place")


def test_karate_from_networkx_is_karate():
    with pytest.warns(DataWarning, match="weights of the edges are ignored"):
        own = bgcn.from_networkx(nx.karate_club_graph(), label="club", name="karate")
    known = bgcn.datasets.load("karate")
    assert (own.adjacency != known.adjacency).nnz == 0
    assert [own.class_names[label] for label in own.labels] == [known.class_names[label] for label in known.labels]


# From pandas.


@pytest.fixture
def nodes() -> pd.DataFrame:
    return pd.DataFrame(
        {"id": ["ann", "bob", "eve"], "age": [30.5, 40, 50], "city": ["x", "y", None], "team": ["a", None, "b"]}
    )


@pytest.fixture
def edges() -> pd.DataFrame:
    return pd.DataFrame({"source": ["ann", "bob"], "target": ["bob", "eve"], "years": [2.0, 0.5]})


def test_two_tables_are_joined(nodes, edges):
    data = bgcn.from_pandas(edges, nodes, label="team", id="id", name="people")
    assert repr(data) == "Dataset(people: 3 nodes, 2 edges, 3 features, 2 classes, 2 labels)"
    assert data.ids == ["ann", "bob", "eve"]
    assert data.features.tolist() == [[30.5, 1, 0], [40, 0, 1], [50, 0, 0]]
    assert data.labels.tolist() == [0, -1, 1]
    assert edges_of(data) == {frozenset(("ann", "bob")), frozenset(("bob", "eve"))}
    indexed = bgcn.from_pandas(edges, nodes.set_index("id"), label="team")
    assert indexed.fingerprint == data.fingerprint


def test_rows_of_nodes_may_come_in_any_order(nodes, edges):
    data = bgcn.from_pandas(edges, nodes[::-1], label="team", id="id")
    assert data.ids == ["eve", "bob", "ann"]
    assert data.labels.tolist() == [1, -1, 0]
    assert edges_of(data) == {frozenset(("ann", "bob")), frozenset(("bob", "eve"))}


def test_tables_of_numbered_nodes_need_no_names(nodes):
    edges = pd.DataFrame({"source": [0, 1], "target": [1, 2]})
    data = bgcn.from_pandas(edges, nodes[["age", "team"]], label="team")
    assert data.ids == [0, 1, 2]
    assert data.n_edges == 2


def test_a_column_of_weights_chooses_edges(nodes, edges):
    options = {"label": "team", "id": "id", "weight": "years"}
    assert bgcn.from_pandas(edges, nodes, weight_threshold=1, **options).n_edges == 1
    names = nodes[["id", "team"]]
    assert bgcn.from_pandas(edges, names, weight_threshold=1, **options).n_edges == 1


def test_the_column_that_matches_the_edges_is_taken_as_ids_and_said(nodes, edges):
    with pytest.warns(
        DataWarning, match="column 'id' of the nodes has all nodes of the edges and is taken as ids"
    ) as said:
        data = bgcn.from_pandas(edges, nodes, label="team")
    assert data.fingerprint == bgcn.from_pandas(edges, nodes, label="team", id="id").fingerprint
    assert data.remarks == [str(warning.message) for warning in said]
    numbers = nodes.assign(new_id=[2, 0, 1])
    with pytest.warns(DataWarning, match="column 'new_id'"):
        data = bgcn.from_pandas(pd.DataFrame({"from": [0, 1], "to": [1, 2]}), numbers.drop(columns="id"), label="team")
    assert data.ids == [2, 0, 1]
    indexed = nodes.set_index("id").assign(copy=["ann", "bob", "eve"])
    assert bgcn.from_pandas(edges, indexed, label="team", columns="age,copy").feature_names[1:] == [
        "copy=ann",
        "copy=bob",
        "copy=eve",
    ], "an index that matches comes first"


def test_a_column_of_ids_that_is_not_certain_is_asked_for(nodes, edges):
    with pytest.raises(
        ValueError, match="are in the column 'id' and in the column 'copy'; id='id' takes it as the ids"
    ):
        bgcn.from_pandas(edges, nodes.assign(copy=nodes["id"]), label="team")
    ranks = nodes.drop(columns="id").assign(rank=[2, 0, 1])
    with pytest.raises(
        ValueError, match=r"in the column 'rank'; id='rank' takes it.*nodes\.reset_index\(\) and id='index'"
    ):
        bgcn.from_pandas(pd.DataFrame({"from": [0, 1], "to": [1, 2]}), ranks, label="team")
    with pytest.raises(ValueError, match=r"'id' has 2 of 3, but not 'eve'\. Add the rows that are missing"):
        bgcn.from_pandas(edges, nodes[:2], label="team")


def test_columns_names_the_features_or_what_is_left_out(nodes, edges):
    named = {"columns": ["age"]}, {"columns": "-city"}
    for options in named:
        assert bgcn.from_pandas(edges, nodes, label="team", id="id", **options).feature_names == ["age"]
        X = nodes.set_index("id").drop(columns="team")
        assert Dataset(X, adjacency=edges, **options).feature_names == ["age"]
        assert Dataset(X.to_dict(orient="index"), adjacency=edges, **options).feature_names == ["age"]
    with pytest.raises(ValueError, match="agee"):
        bgcn.from_pandas(edges, nodes, label="team", id="id", columns="agee")
    for given in (np.eye(3), [["x"], ["y", "z"], []]):
        with pytest.raises(ValueError, match="columns names columns of a table, but X is none"):
            Dataset(given, adjacency=[(0, 1)], columns="x")


def test_labels_alone_name_nodes_without_edges(edges):
    teams = pd.DataFrame({"id": ["zoe", "ann", "eve"], "team": ["a", "a", "b"]})
    data = bgcn.from_pandas(edges, teams, label="team", id="id")
    assert set(data.ids) == {"zoe", "ann", "bob", "eve"}
    assert {name for name, label in zip(data.ids, data.labels, strict=True) if label >= 0} == {"zoe", "ann", "eve"}
    assert data.features is None


def test_names_alone_name_nodes_without_edges(edges):
    data = bgcn.from_pandas(edges, pd.DataFrame({"id": ["zoe", "ann"]}), id="id")
    assert data.ids[:2] == ["zoe", "ann"]
    assert set(data.ids) == {"zoe", "ann", "bob", "eve"}
    assert edges_of(data) == {frozenset(("ann", "bob")), frozenset(("bob", "eve"))}


def test_edges_alone_are_a_graph(edges):
    data = bgcn.from_pandas(edges)
    assert data.ids == ["ann", "bob", "eve"]


def test_numbers_of_a_table_are_a_regression(nodes, edges):
    data = bgcn.from_pandas(edges, nodes, label="age", id="id", regression=True)
    assert data.labels.tolist() == [30.5, 40, 50]


def written(table: pd.DataFrame, path: Path) -> Path:
    match path.suffix:
        case ".parquet" | ".pq":
            pytest.importorskip("pyarrow")
            table.to_parquet(path)
        case ".feather" | ".arrow":
            pytest.importorskip("pyarrow")
            table.to_feather(path)
        case ".csv":
            table.to_csv(path, index=False)
        case _:
            table.to_csv(path, index=False, sep="\t")
    return path


@pytest.mark.parametrize("kind", ["parquet", "pq", "feather", "arrow", "csv", "tsv"])
def test_tables_may_be_files(tmp_path, nodes, edges, kind):
    wanted = bgcn.from_pandas(edges, nodes, label="team", id="id")
    paths = [written(table, tmp_path / f"{name}.{kind}") for name, table in (("edges", edges), ("nodes", nodes))]
    assert bgcn.from_pandas(*paths, label="team", id="id").fingerprint == wanted.fingerprint
    assert bgcn.from_pandas(*map(str, paths), label="team", id="id").fingerprint == wanted.fingerprint


def test_tables_that_cannot_be_read_are_refused(tmp_path, nodes, edges):
    with pytest.raises(ValueError, match="the table of nodes has no column 'taem'; it has age, city, team"):
        bgcn.from_pandas(edges, nodes, label="taem", id="id")
    with pytest.raises(ValueError, match="the table of nodes has no column 'name'; it has id, age, city, team"):
        bgcn.from_pandas(edges, nodes, label="team", id="name")
    with pytest.raises(ValueError, match="node 'eve' is not known"):
        bgcn.from_pandas(edges, nodes[:2], label="team", id="id")
    with pytest.raises(ValueError, match="no column 'x'; it has source, target, years"):
        bgcn.from_pandas(edges, nodes, id="id", weight="x", weight_threshold=1)
    with pytest.raises(ValueError, match=r"edges\.xlsx is of no known kind; give a DataFrame, or a \.parquet"):
        bgcn.from_pandas(tmp_path / "edges.xlsx")
    with pytest.raises(TypeError, match=r"a ndarray was given; give a DataFrame, or a \.parquet, \.feather or \.csv"):
        bgcn.from_pandas(np.eye(3))
    with pytest.raises(FileNotFoundError, match=r"edges\.csv"):
        bgcn.from_pandas(tmp_path / "edges.csv")


# To networkx.


@pytest.fixture(scope="module")
def fitted(small):
    quick = {"settings": {"schedule.pretraining": 30, "schedule.draws": 6, "schedule.averaged": 3}}
    frame = pd.DataFrame(small.X, index=small.names)
    return BayesianGCNClassifier(**quick).fit(frame, small.named_labels, adjacency=small.named_edges)


def test_what_is_believed_becomes_attributes_of_networkx(small, fitted):
    graph = fitted.to_networkx()
    assert list(graph.nodes) == small.names
    assert {frozenset(pair) for pair in graph.edges} == {frozenset(pair) for pair in small.named_edges}
    assert [graph.nodes[name]["predicted"] for name in small.names] == fitted.transduction_.tolist()
    entropies = [graph.nodes[name]["entropy"] for name in small.names]
    np.testing.assert_array_equal(entropies, fitted.uncertainty_["entropy"])
    assert {type(value) for value in graph.nodes["n0"].values()} <= {int, float}
    for source, target, probability, _ in fitted.edges().itertuples(index=False):
        assert graph.edges[source, target] == {"p_spurious": probability}
    numbered = [sorted(map(small.names.index, pair)) for pair in graph.edges]
    assert numbered == sorted(numbered), "edges stand in the order of the graph"


@pytest.mark.parametrize("count", [0, 1, 10])
def test_the_most_suspicious_edges_are_left_out(small, fitted, count):
    graph = fitted.to_networkx(remove_suspicious=count)
    assert graph.number_of_nodes() == 60
    assert graph.number_of_edges() == len(small.edges) - count
    gone = fitted.suspicious_edges(count)
    assert not any(graph.has_edge(*pair) for pair in zip(gone.source, gone.target, strict=True))
    kept = [data["p_spurious"] for *_, data in graph.edges(data=True)]
    assert sorted([*gone.p_spurious, *kept]) == sorted(fitted.edges().p_spurious)


def test_edges_are_left_out_by_false_discovery_rate(small, fitted):
    for fdr in (0.01, 0.3, 0.6, 1):
        listed = fitted.suspicious_edges(fdr=fdr)
        graph = fitted.to_networkx(fdr=fdr)
        assert graph.number_of_edges() == len(small.edges) - len(listed)
        matrix = fitted.clean_graph(fdr)
        assert {frozenset(map(small.names.index, pair)) for pair in graph.edges} == {
            frozenset(pair) for pair in zip(*matrix.nonzero(), strict=True)
        }
    with pytest.raises(ValueError, match="remove_suspicious and fdr both choose"):
        fitted.to_networkx(remove_suspicious=3, fdr=0.1)


def test_more_than_all_edges_leave_none(fitted):
    assert fitted.to_networkx(remove_suspicious=10**6).number_of_edges() == 0


@pytest.mark.parametrize("count", [-1, 1.5, "all", 2**32])
def test_a_number_of_edges_that_is_none_is_refused(fitted, count):
    with pytest.raises(ValueError, match=r"n is .*; give a whole number from 0"):
        fitted.to_networkx(remove_suspicious=count)


def test_edges_of_the_observed_graph_are_judged_too(small):
    clf = BayesianGCNClassifier(graph_model="observed", settings={"network.epochs": 20}).fit(
        small.X, small.y, adjacency=small.A
    )
    graph = clf.to_networkx(remove_suspicious=1)
    assert graph.number_of_edges() == len(small.edges) - 1
    assert len(clf.suspicious_edges()) == len(clf.missing_edges()) == 20
    with pytest.raises(ValueError, match=r"observed graph is used .*fit with a graph model"):
        clf.edge_probabilities()


def test_a_graph_goes_to_networkx_and_comes_back(small, fitted):
    data = bgcn.from_networkx(fitted.to_networkx(), label="predicted", features=["entropy", "disagreement"])
    assert data.ids == small.names
    assert data.n_edges == len(small.edges)
    np.testing.assert_array_equal(fitted.classes_[data.labels], fitted.transduction_)


def test_a_regression_goes_to_networkx_too(small, quick):
    reg = BayesianGCNRegressor(**quick).fit(small.X, small.truth + 0.5, adjacency=small.A)
    graph = reg.to_networkx()
    np.testing.assert_array_equal([graph.nodes[i]["predicted"] for i in range(60)], reg.transduction_)
    assert {"sd", "model_sd", "noise_sd"} <= set(graph.nodes[0])


# PyG.


@pytest.fixture
def pyg():
    return pytest.importorskip("torch_geometric.data")


def data_of(pyg, small, **given):
    import torch

    both = np.concatenate([small.edges, small.edges[:, ::-1]]).T
    given = {"x": torch.from_numpy(small.X.copy()), "y": torch.from_numpy(small.y.copy()), **given}
    return pyg.Data(edge_index=torch.from_numpy(both.copy()), **given)


def test_data_of_pyg_is_the_same_data(pyg, small):
    data = bgcn.from_pyg(data_of(pyg, small), name="mine")
    assert data.fingerprint == Dataset(small.X, small.y, adjacency=small.A, name="mine").fingerprint


def test_masks_of_pyg_are_the_fixed_split(pyg, small):
    import torch

    known = np.flatnonzero(small.y >= 0)
    sets = (known[:9], known[9:15], known[15:])
    masks = [torch.from_numpy(np.isin(np.arange(60), nodes)) for nodes in sets]
    given = dict(zip(("train_mask", "val_mask", "test_mask"), masks, strict=True))
    data = bgcn.from_pyg(data_of(pyg, small, **given), name="a name of its own")
    for found, nodes in zip(data.split("fixed"), sets, strict=True):
        np.testing.assert_array_equal(found, nodes)
    for found, nodes in zip(data.split("auto"), sets, strict=True):
        np.testing.assert_array_equal(found, nodes)
    with pytest.raises(ValueError, match=r"several splits; take one of them: data\.train_mask\[:, 0\]"):
        bgcn.from_pyg(data_of(pyg, small, train_mask=masks[0][:, None].repeat(1, 3)))


def test_real_numbers_of_pyg_are_a_regression(pyg, small):
    import torch

    for y in (torch.rand(60), torch.rand(60, 1)):
        assert bgcn.from_pyg(data_of(pyg, small, y=y)).class_names is None
    assert bgcn.from_pyg(data_of(pyg, small, y=None)).labels.tolist() == [-1] * 60
    with pytest.raises(ValueError, match=r"y has shape \(60, 3\)"):
        bgcn.from_pyg(data_of(pyg, small, y=torch.rand(60, 3)))


def test_weights_of_pyg_choose_edges(pyg, small):
    import torch

    weights = torch.from_numpy(np.tile(np.linspace(0, 1, len(small.edges)), 2))
    data = data_of(pyg, small, edge_weight=weights, strength=weights + 1)
    kept = int((np.linspace(0, 1, len(small.edges)) >= 0.5).sum())
    assert bgcn.from_pyg(data, weight_threshold=0.5).n_edges == kept
    assert bgcn.from_pyg(data, weight="strength", weight_threshold=1.5).n_edges == kept
    with pytest.warns(DataWarning, match="edge weights are ignored"):
        assert bgcn.from_pyg(data).n_edges == len(small.edges)
    with pytest.raises(ValueError, match="the PyG data has no length; name the weights with weight=…"):
        bgcn.from_pyg(data, weight="length", weight_threshold=1)


def test_what_no_data_of_pyg_is_is_refused(pyg, small):
    import torch

    with pytest.raises(ValueError, match="the PyG data has no edge_index; give it one"):
        bgcn.from_pyg(pyg.Data(x=torch.rand(3, 2)))
    with pytest.raises(ValueError, match=r"edge_index has shape \(3, 4\); two rows are needed"):
        bgcn.from_pyg(pyg.Data(x=torch.rand(9, 2), edge_index=torch.zeros(3, 4, dtype=torch.long)))
    with pytest.raises(TypeError, match="adjacency is of type HeteroData"):
        Dataset(small.X, adjacency=pyg.HeteroData())


@pytest.mark.usefixtures("pyg")
def test_what_is_believed_becomes_data_of_pyg(small, fitted):
    data = fitted.to_pyg()
    assert data.num_nodes == 60
    assert data.edge_index.shape == (2, 2 * len(small.edges))
    assert data.is_undirected()
    np.testing.assert_array_equal(data.probability.numpy(), fitted.label_distributions_)
    np.testing.assert_array_equal(data.entropy.numpy(), fitted.uncertainty_["entropy"])
    judged = fitted.edges()
    np.testing.assert_array_equal(np.sort(data.edge_p_spurious.numpy()), np.sort(np.tile(judged.p_spurious, 2)))
    fewer = fitted.to_pyg(remove_suspicious=7)
    assert fewer.edge_index.shape == (2, 2 * (len(small.edges) - 7))
    assert fewer.edge_p_spurious.max() <= judged.p_spurious[7]
    assert fitted.to_pyg(fdr=1).edge_index.shape == (2, 0)
    assert (Dataset(adjacency=data).adjacency != small.A).nnz == 0


def test_a_transform_draws_another_graph_every_time(pyg, small, fitted):
    import torch
    from bgcn.pyg import DrawnGraph

    data = data_of(pyg, small, edge_attr=torch.rand(2 * len(small.edges), 2), train_mask=torch.ones(60, dtype=bool))
    draw, again = DrawnGraph(fitted, random_state=4), DrawnGraph(fitted, random_state=4)
    first, second = draw(data), draw(data)
    assert not torch.equal(first.edge_index, second.edge_index)
    for drawn in (first, second):
        assert torch.equal(again(data).edge_index, drawn.edge_index)
        assert drawn.is_undirected()
        assert drawn.x is data.x
        assert "edge_attr" not in drawn, "what belongs to observed edges is not left beside drawn ones"
        assert "train_mask" in drawn
    assert data.edge_index.shape[1] == 2 * len(small.edges), "the given data stays as it is"
    matrix = fitted.sample_graphs(1, random_state=4)[0].tocoo()
    assert {*zip(matrix.row, matrix.col, strict=True)} == {*map(tuple, first.edge_index.T.tolist())}
    with pytest.raises(ValueError, match="the data has 3 nodes, but the estimator was fitted on 60"):
        draw(pyg.Data(x=torch.rand(3, 2)))
    with pytest.raises(AttributeError, match="not fitted yet"):
        DrawnGraph(BayesianGCNClassifier())


# Splits.


def test_a_random_split_has_so_many_labels_of_each_class():
    data = bgcn.datasets.load("demo")
    split = data.split("random", labels_per_class=5, seed=2)
    assert np.bincount(data.labels[split.train]).tolist() == [5] * 7
    assert [len(nodes) for nodes in split] == [35, 500, 1000]
    every = np.concatenate(list(split))
    assert len(np.unique(every)) == len(every)
    again, other = data.split("random", 5, 2), data.split("random", 5, 3)
    np.testing.assert_array_equal(again.train, split.train)
    assert not np.array_equal(other.train, split.train)
    assert repr(split) == "Split(35 training, 500 validation, 1000 test nodes)"


def test_a_split_of_all_trains_on_every_label(small):
    split = Dataset(small.X, small.y, adjacency=small.A).split("all")
    np.testing.assert_array_equal(split.train, np.flatnonzero(small.y >= 0))
    assert len(split.validation) == len(split.test) == 0


def test_the_split_of_a_dataset_is_used_by_a_fit(small, quick):
    data = Dataset(small.X, small.truth, adjacency=small.A, split={"train": range(6), "test": [30, 31]})
    clf = BayesianGCNClassifier(**quick).fit(data)
    assert [nodes.tolist() for nodes in clf.split_] == [list(range(6)), [], [30, 31]]
    assert clf.score() == (clf.transduction_[[30, 31]] == small.truth[[30, 31]]).mean()


def test_a_split_may_be_a_file(tmp_path, quick):
    data = bgcn.datasets.load("karate")
    path = tmp_path / "split.csv"
    path.write_text("0,train\n33,train\n1,validation\n5,test\n")
    for given in (path, str(path)):
        assert [nodes.tolist() for nodes in data.split(given)] == [[0, 33], [1], [5]]
        clf = BayesianGCNClassifier(**quick).fit(data, split=given)
        assert [nodes.tolist() for nodes in clf.split_] == [[0, 33], [1], [5]]
    path.write_text("0,train\n33,trian\n")
    with pytest.raises(ValueError, match=r'split\.csv, line 2: the set "trian"; sets are train, validation and test'):
        data.split(path)


SPLIT_ERRORS: list[tuple[tuple[Any, ...], str]] = [
    (("nowhere",), r'split is "nowhere"; allowed are random, fixed, all, or a file'),
    (("fixed",), r"karate has no fixed split"),
    (("random", 0), r"labels_per_class is 0; allowed are whole numbers from 1"),
    (("random", -1), r"labels_per_class is -1"),
    (("random", 2**70), r"labels_per_class is 1180591620717411303424"),
    (("random", "four"), r"labels_per_class is 'four'"),
    (("random", 4, -1), r"seed is -1; allowed are whole numbers from 0"),
    (("random", 4, 2**64), r"seed is 18446744073709551616"),
]


@pytest.mark.parametrize(("given", "text"), SPLIT_ERRORS)
def test_a_split_that_cannot_be_is_refused(given, text):
    with pytest.raises(ValueError, match=text):
        bgcn.datasets.load("karate").split(*given)


# Folders and names.


@pytest.fixture
def folder(tmp_path) -> Path:
    folder = tmp_path / "people"
    folder.mkdir()
    (folder / "edges.csv").write_text("source,target\nann,bob\nbob,eve\neve,ann\ntom,ann\n")
    (folder / "labels.csv").write_text("id,label\nann,red\nbob,blue\neve,red\n")
    return folder


def test_a_folder_of_tables_is_a_dataset(folder):
    data = bgcn.datasets.load(folder)
    assert repr(data) == "Dataset(people: 4 nodes, 4 edges, no features, 2 classes, 3 labels)"
    named = {name: data.class_names[label] for name, label in zip(data.ids, data.labels, strict=True) if label >= 0}
    assert named == {"ann": "red", "bob": "blue", "eve": "red"}
    assert frozenset(("tom", "ann")) in edges_of(data)
    assert bgcn.datasets.load(str(folder)).fingerprint == data.fingerprint
    (folder / "features.csv").write_text("id,u,v\ntom,1,2\nann,3,4\nbob,5,6\neve,7,8\n")
    features = bgcn.datasets.load(folder).features
    assert features[data.ids.index("ann")].tolist() == [3, 4]
    assert features[data.ids.index("tom")].tolist() == [1, 2]


def test_a_folder_and_its_tables_are_the_same_data(folder):
    (folder / "features.csv").write_text("id,u,v\nann,1,2\nbob,3,4\neve,5,6\ntom,7,8\n")
    tables = {name: pd.read_csv(folder / f"{name}.csv") for name in ("edges", "labels", "features")}
    nodes = tables["features"].merge(tables["labels"], how="left")
    data = bgcn.from_pandas(tables["edges"], nodes, label="label", id="id", name="people")
    read = bgcn.datasets.load(folder)
    assert data.ids == read.ids
    np.testing.assert_array_equal(data.features, read.features)
    assert (data.adjacency != read.adjacency).nnz == 0
    both = [[d.class_names[label] if label >= 0 else None for label in d.labels] for d in (data, read)]
    assert both[0] == both[1]


def test_labels_of_a_folder_may_be_numbers(folder):
    (folder / "labels.csv").write_text("id,label\nann,1\nbob,2\neve,3\n")
    assert bgcn.datasets.load(folder, label_kind="classes").class_names == ["1", "2", "3"]
    numbers = bgcn.datasets.load(folder, label_kind="values")
    assert numbers.class_names is None
    assert np.nansum(numbers.labels) == 6
    (folder / "labels.csv").write_text("id,label\nann,1.5\nbob,2.5\neve,3.25\n")
    assert bgcn.datasets.load(folder).class_names is None


def test_a_fit_of_a_folder_has_its_names(folder, quick):
    clf = BayesianGCNClassifier(**quick).fit(bgcn.datasets.load(folder), split="all")
    assert set(clf.to_networkx().nodes) == {"ann", "bob", "eve", "tom"}
    assert clf.classes_.tolist() == ["blue", "red"]


def test_folders_that_cannot_be_read_are_refused(folder, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"corra.* is neither a known dataset nor a file or folder here"):
        bgcn.datasets.load("corra")
    with pytest.raises(FileNotFoundError, match=r"no edge list\. Looked for edges\.csv"):
        bgcn.datasets.load(tmp_path)
    with pytest.raises(FileNotFoundError, match="neither a known dataset"):
        bgcn.datasets.load(tmp_path / "nowhere")
    with pytest.raises(ValueError, match=r'label_kind is "words"; allowed are auto, classes and values'):
        bgcn.datasets.load(folder, label_kind="words")
    (folder / "features.csv").write_text("id,u\nann,1\nbob,x\neve,2\ntom,3\n")
    with pytest.raises(ValueError, match=r'features\.csv, line 3: column u holds "x" among numbers'):
        bgcn.datasets.load(folder)
    (folder / "features.csv").unlink()
    (folder / "labels.csv").write_text("id,label\nann,red\nann,blue\n")
    with pytest.raises(ValueError, match=r"labels\.csv, line 3"):
        bgcn.datasets.load(folder)


def test_a_known_set_that_is_not_here_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("BGCN_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"cora is not on this machine.*bgcn data fetch cora.*BGCN_DATA"):
        bgcn.datasets.load("cora")


def test_sets_that_need_no_file_are_there():
    for name in bgcn.datasets.BUILT_IN:
        data = bgcn.datasets.load(name)
        assert data.name == name
        assert data.n_nodes > 30
    demo = bgcn.datasets.load("demo")
    spurious, missing = demo.truth
    assert spurious
    assert missing
    assert all(demo.adjacency[a, b] == 1 for a, b in spurious)
    assert not any(demo.adjacency[a, b] for a, b in missing)


def test_cora_has_the_published_size_and_split(cora):
    assert (cora.n_nodes, cora.n_features, len(cora.class_names)) == (2708, 1433, 7)
    assert [len(nodes) for nodes in cora.split("fixed")] == [140, 500, 1000]
    assert 0.8 < cora.homophily < 0.82
