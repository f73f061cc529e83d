"""Results as tables, with pandas and without: README's lines need numpy alone."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from bgcn import BayesianGCNClassifier, BayesianGCNRegressor
from bgcn._frames import Table
from forms import named_frame

COLUMNS = {"node": ["ann", "bob", "eve"], "p": [0.25, 0.123456789, 1.0], "n": [1, 20, 300]}
#: What a program without the other packages sees.
BLOCKED = ["pandas", "scipy", "networkx", "sklearn", "tqdm", "torch", "igraph"]


@pytest.mark.parametrize("make", [Table, pd.DataFrame])
def test_a_table_is_used_like_a_data_frame(make):
    table = make(COLUMNS)
    assert list(table) == list(table.columns) == ["node", "p", "n"]
    assert (len(table), table.shape, table.empty, "p" in table, "q" in table) == (3, (3, 3), False, True, False)
    assert table["node"].tolist() == table.node.tolist() == COLUMNS["node"]
    assert table.round(2)["p"].tolist() == [0.25, 0.12, 1.0]
    assert list(table[["n", "node"]].columns) == ["n", "node"]
    assert table[1:]["n"].tolist() == table[table["n"] > 5].n.tolist() == [20, 300]
    assert table.head(1).n.tolist() == [1]
    assert list(table.drop(columns="p")) == list(table.drop(columns=["p"])) == ["node", "n"]
    assert [row.node for row in table.itertuples(index=False)] == COLUMNS["node"]
    assert [tuple(row) for row in table[:1].itertuples()] == [(0, "ann", 0.25, 1)]
    assert table.equals(pickle.loads(pickle.dumps(table)))
    assert not table.equals(table[:2])
    assert table[:0].empty
    for wrong in (lambda: table["q"], lambda: table[0], lambda: table.drop(columns="q")):
        with pytest.raises(KeyError):
            wrong()
    assert not hasattr(table, "q")


def test_a_table_is_printed_like_a_data_frame():
    columns = {**COLUMNS, "p": [0.25, 0.1235, 1.5]}
    assert repr(Table(columns)).split() == repr(pd.DataFrame(columns)).split()
    assert "<td>ann</td>" in Table(columns)._repr_html_()
    assert "&lt;b&gt;" in Table({"<b>": ["x"]})._repr_html_()
    long = repr(Table({"n": range(2000), "text": ["word " * 30] * 2000}))
    assert len(long.splitlines()) == 14
    assert max(map(len, long.splitlines())) < 80
    assert "[2000 rows × 2 columns]" in long
    wide = repr(Table({f"column {i}": [i] for i in range(50)}))
    assert max(map(len, wide.splitlines())) <= 120
    assert "[1 rows × 50 columns, of which 39 are not shown]" in wide


def test_columns_of_different_lengths_are_no_table():
    with pytest.raises(ValueError, match=r"lengths \[1, 2\]"):
        Table({"a": [1], "b": [1, 2]})


def run(program: str, folder: Path) -> str:
    """What a program prints where numpy is the only package."""
    block = f"import sys; sys.modules.update(dict.fromkeys({BLOCKED!r}))\n"
    words = [sys.executable, "-c", block + program]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_results_need_numpy_alone(tmp_path):
    program = """
import json, pickle, bgcn
data = bgcn.datasets.load("karate")
clf = bgcn.BayesianGCNClassifier().fit(data, split="all")
run = clf.result_
tables = [run.nodes, run.edges, run.missing, run.metrics, run.settings, clf.suspicious_edges(fdr=0.5),
          clf.missing_edges(5), clf.edge_probabilities(), clf.predict(as_table=True), bgcn.settings(),
          bgcn.judge_edges(data).suspicious_edges(7)]
clf.save("run")
again = bgcn.load("run")
pickle.loads(pickle.dumps(clf)), pickle.loads(pickle.dumps(data)), clf.report(), data._repr_html_(), clf._repr_html_()
found = bgcn.BayesianGCNClassifier().fit({"a": {"x": 1}, "b": {"y": 1}}, {"a": 0, "b": 1}, adjacency=[("a", "b")])
print(json.dumps([list(table) for table in tables]))
print(again.predict(as_table=True).equals(tables[0]), *map(len, tables[:3]))
print(repr(run.edges.round(3).drop(columns="reasons")[:2]))
try:
    data.adjacency
except ImportError as error:
    print(error)
"""
    columns, sizes, *printed = run(program, tmp_path).splitlines()
    assert json.loads(columns)[0][:2] == ["node", "predicted"]
    assert json.loads(columns)[1] == ["source", "target", "p_spurious", "reasons"]
    assert sizes.startswith("True 34 78 ")
    assert printed[0].split() == ["source", "target", "p_spurious"]
    assert "scipy" in printed[-1]


def test_predictions_of_new_nodes_are_a_table_with_their_names(small, quick, numbers):
    X = named_frame(small)
    clf = BayesianGCNClassifier(**quick).fit(X, small.named_labels, adjacency=small.named_edges)
    pd.testing.assert_frame_equal(clf.predict(as_table=True), clf.result_.nodes)
    more = pd.concat([X, X[:3].rename(index="new {}".format)])
    edges = [*small.named_edges, *((f"new n{i}", f"n{i}") for i in range(3))]
    table = clf.predict(more, adjacency=edges, as_table=True)
    assert table["node"].tolist() == more.index.tolist()
    assert list(table.columns) == list(clf.result_.nodes.columns)
    assert table["predicted"].tolist() == clf.predict(more, adjacency=edges).tolist()
    rows = clf.predict_proba(more, adjacency=edges)
    np.testing.assert_array_equal(table[["p_0", "p_1", "p_2"]].to_numpy(), rows)
    reg = BayesianGCNRegressor(**quick).fit(small.X, numbers, adjacency=small.A)
    table = reg.predict(small.X, adjacency=small.edges, as_table=True)
    assert list(table.columns) == ["node", "predicted", "model_sd", "noise_sd", "sd"]
    np.testing.assert_array_equal(table["predicted"], reg.predict(small.X, adjacency=small.edges))
