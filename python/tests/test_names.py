"""Texts beside the ids, remarks on small classes, and the sentence of advice."""

from __future__ import annotations

import pickle
from pathlib import Path

import bgcn
import numpy as np
import pandas as pd
import pytest

NODES = ["p0", "p1", "p2", "p3", "p4", "p5"]
EDGES = pd.DataFrame(
    {"source": ["p0", "p1", "p0", "p3", "p4", "p3", "p2"], "target": ["p1", "p2", "p2", "p4", "p5", "p5", "p3"]}
)
PAGES = pd.DataFrame(
    {
        "title": ["Ann", "Bob", None, "Dan", "Eve", "Fay"],
        "size": [1.0, 2, 1, 5, 6, 5],
        "team": ["a", None, "a", "b", None, "b"],
    },
    index=NODES,
)
TEXTS = ["Ann", "Bob", "", "Dan", "Eve", "Fay"]


def of_pandas() -> bgcn.Dataset:
    return bgcn.from_pandas(EDGES, PAGES, label="team", name_column="title")


def of_arrays() -> bgcn.Dataset:
    y = PAGES["team"].tolist()
    return bgcn.Dataset(PAGES.drop(columns="team"), y, adjacency=EDGES, name_column="title")


def of_names_alone() -> bgcn.Dataset:
    return bgcn.from_pandas(EDGES, PAGES[["title", "team"]], label="team", name_column="title")


@pytest.mark.parametrize("make", [of_pandas, of_arrays, of_names_alone])
def test_texts_stand_beside_the_ids_in_every_table(make: object, tmp_path: Path) -> None:
    data = make()  # type: ignore[operator]
    assert data.node_names == TEXTS
    assert "title" not in "".join(data.feature_names)
    assert pickle.loads(pickle.dumps(data)).node_names == TEXTS
    clf = bgcn.BayesianGCNClassifier(settings={"schedule.draws": 4}).fit(data, split="all")
    clf.save(tmp_path / "run")
    for fitted in (clf, pickle.loads(pickle.dumps(clf)), bgcn.load(tmp_path / "run")):
        nodes = fitted.predictions()
        assert nodes.columns[-1] == "name"
        assert nodes["name"].tolist() == TEXTS
        edges = fitted.suspicious_edges(3)
        assert list(edges.columns)[-2:] == ["source_name", "target_name"]
        assert [TEXTS[NODES.index(node)] for node in edges["source"]] == edges["source_name"].tolist()
    judged = bgcn.judge_edges(data)
    assert list(judged.edges.columns)[-2:] == ["source_name", "target_name"]


def test_files_have_names_too_and_without_them_tables_stay_as_they_are(tmp_path: Path) -> None:
    EDGES.to_csv(tmp_path / "edges.csv", index=False)
    PAGES.rename_axis("id").rename(columns={"team": "label"}).to_csv(tmp_path / "nodes.csv")
    data = bgcn.read(tmp_path, name_column="title")
    assert sorted(data.node_names) == sorted(TEXTS)
    assert data.feature_names == ["size"]
    assert bgcn.datasets.load("karate").node_names == []
    assert list(bgcn.judge_edges(bgcn.datasets.load("karate")).edges.columns)[-1] == "reasons"


def test_a_column_of_names_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="name_column is 'page', but the table of nodes has title, size, team"):
        bgcn.from_pandas(EDGES, PAGES, label="team", name_column="page")
    with pytest.raises(ValueError, match="no names of columns"):
        bgcn.Dataset(np.zeros((6, 2)), adjacency=[(0, 1)], name_column="page")


def test_small_classes_are_remarked_once() -> None:
    clf = bgcn.BayesianGCNClassifier(settings={"schedule.draws": 4})
    with pytest.warns(UserWarning, match="fewer than 40 labelled nodes, twice 20 per class") as found:
        clf.fit(bgcn.datasets.load("karate"), split="random")
    assert len([one for one in found if "labelled nodes" in str(one.message)]) == 1


def test_advice_stands_below_the_run_and_the_fitted_estimator() -> None:
    clf = bgcn.BayesianGCNClassifier(settings={"schedule.draws": 10})
    assert repr(clf) == "BayesianGCNClassifier(settings={'schedule.draws': 10})"
    clf.fit(bgcn.datasets.load("demo"))
    for text in (repr(clf), repr(clf.result_)):
        first, advice = text.splitlines()
        assert "points below the accuracy" in advice
        assert "labels_per_class=" in advice
        assert first == repr(clf.result_).splitlines()[0] or first.startswith("BayesianGCNClassifier(settings=")
