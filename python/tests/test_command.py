"""The command and the package are one program: the same bytes from both."""

from __future__ import annotations

import filecmp
import subprocess
import sys
from pathlib import Path

import bgcn
import numpy as np
import pytest

COMMAND = [sys.executable, "-m", "bgcn"]

QUICK = {"schedule.pretraining": 40, "schedule.draws": 8, "schedule.averaged": 4}
STEPS = {"schedule.pretraining": 40, "schedule.draws": 3, "schedule.samples": 2}

#: Data, network, graph model, seed, and settings.
COMBINATIONS = [
    ("demo", "gcn", "copying", 0, QUICK),
    ("demo", "gcn", "mmsbm", 1, QUICK),
    ("demo", "gat", "dcsbm", 2, QUICK),
    ("demo", "chebnet", "sbm", 3, QUICK),
    ("demo", "gcn", "observed", 4, {"network.epochs": 40}),
    ("demo", "gcn", "auto", 5, QUICK),
    ("karate", "gcn", "sbm", 6, QUICK),
    ("karate", "gat", "mmsb", 7, QUICK),
    ("karate", "gcn", "copying", 18446744073709551615, STEPS),
    ("own", "gcn", "copying", 8, QUICK),
    ("own", "chebnet", "mmsbm", 9, QUICK),
    ("numbers", "gcn", "copying", 10, QUICK),
]


def written(folder: Path, numbers: bool) -> Path:
    """Files of one's own: two rings joined by an edge, some labels."""
    folder.mkdir()
    edges = [(f"n{20 * c + i}", f"n{20 * c + (i + step) % 20}") for c in (0, 1) for i in range(20) for step in (1, 2)]
    edges.append(("n3", "n33"))
    (folder / "edges.csv").write_text("source,target\n" + "".join(f"{a},{b}\n" for a, b in edges))
    labels = [(f"n{i}", i / 7 if numbers else "left" if i < 20 else "right") for i in range(0, 40, 3)]
    (folder / "labels.csv").write_text("id,label\n" + "".join(f"{node},{label}\n" for node, label in labels))
    values = np.random.default_rng(3).random((40, 4)).round(3)
    rows = "".join(f"n{i},{','.join(map(str, values[i]))}\n" for i in range(40))
    (folder / "features.csv").write_text("id,a,b,c,d\n" + rows)
    return folder


@pytest.mark.parametrize(("name", "network", "model", "seed", "settings"), COMBINATIONS)
def test_a_run_folder_is_the_same_from_both(tmp_path, name, network, model, seed, settings):
    if name in ("own", "numbers"):
        name = str(written(tmp_path / name, name == "numbers"))
    if "schedule.samples" in settings:
        settings = {**settings, "schedule.kind": "algorithm1"}
    words = ["fit", name, "--network", network, "--graph-model", model, "--seed", str(seed), "--no-baseline", "--quiet"]
    words += ["--labels-per-class", "4", "--out", str(tmp_path / "command")]
    words += [f"--set={key}={value}" for key, value in settings.items()]
    subprocess.run([*COMMAND, *words], check=True, capture_output=True)
    data = bgcn.datasets.load(name)
    kind = bgcn.BayesianGCNRegressor if data.class_names is None else bgcn.BayesianGCNClassifier
    estimator = kind(network=network, graph_model=model, random_state=seed, settings=settings)
    estimator.fit(data, labels_per_class=4).save(tmp_path / "python")
    files = sorted(path.name for path in (tmp_path / "command").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "python").iterdir())
    assert "run.toml" in files
    _, different, missing = filecmp.cmpfiles(tmp_path / "command", tmp_path / "python", files, shallow=False)
    assert (different, missing) == ([], [])


def test_arrays_give_the_numbers_of_a_named_dataset(quick):
    data = bgcn.datasets.load("demo")
    split = data.split("random", labels_per_class=5, seed=3)
    by_name = bgcn.BayesianGCNClassifier(random_state=3, **quick).fit(data, split="random", labels_per_class=5)
    y = np.full(data.n_nodes, -1)
    y[split.train] = data.labels[split.train]
    by_array = bgcn.BayesianGCNClassifier(random_state=3, **quick).fit(data.features, y, adjacency=data.adjacency)
    np.testing.assert_array_equal(by_name.label_distributions_, by_array.label_distributions_)


def test_a_run_of_the_command_is_loaded_and_saved_again(tmp_path):
    words = ["fit", "demo", "--quiet", "--out", str(tmp_path / "one")]
    words += ["--set=schedule.draws=8", "--set=schedule.averaged=4"]
    subprocess.run([*COMMAND, *words], check=True, capture_output=True)
    clf = bgcn.load(tmp_path / "one")
    data = bgcn.datasets.load("demo")
    fitted = bgcn.BayesianGCNClassifier(settings={"schedule.draws": 8, "schedule.averaged": 4}).fit(data)
    np.testing.assert_array_equal(clf.label_distributions_, fitted.label_distributions_)
    np.testing.assert_array_equal(clf.transduction_, fitted.transduction_)
    np.testing.assert_array_equal(clf.predict_proba(data), fitted.predict_proba(data))
    assert clf.edges().equals(fitted.edges())
    assert clf.missing_edges(1000).equals(fitted.missing_edges(1000))
    assert clf.edge_probabilities().equals(fitted.edge_probabilities())
    assert len(clf.suspicious_edges(fdr=0.1)) == len(fitted.suspicious_edges(fdr=0.1))
    assert clf.edge_metrics_ == fitted.edge_metrics_
    assert clf.spurious_share_ == fitted.spurious_share_
    assert (clf.clean_graph() != fitted.clean_graph()).nnz == 0
    assert (clf.sample_graphs(1)[0] != fitted.sample_graphs(1)[0]).nnz == 0
    assert clf.settings_ == fitted.settings_
    clf.save(tmp_path / "two")
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert filecmp.cmpfiles(tmp_path / "one", tmp_path / "two", names, shallow=False) == (names, [], [])
    with pytest.raises(ValueError, match="1000 are kept: ask for fewer"):
        clf.missing_edges(1001)


def test_the_command_predicts_with_a_run_of_ours(tmp_path, small, quick):
    clf = bgcn.BayesianGCNClassifier(**quick).fit(small.X, small.y, adjacency=small.A)
    clf.save(tmp_path / "run")
    done = subprocess.run([*COMMAND, "edges", str(tmp_path / "run")], check=True, capture_output=True, text=True)
    assert "P(missing)" in done.stdout
    again = subprocess.run([*COMMAND, "predict", str(tmp_path / "run")], capture_output=True, text=True)
    assert again.returncode == 2
    assert "arrays in memory" in again.stderr


def test_a_folder_with_something_else_is_never_overwritten(tmp_path, small, quick):
    clf = bgcn.BayesianGCNClassifier(**quick).fit(small.X, small.y, adjacency=small.A)
    clf.save(tmp_path / "run")
    with pytest.raises(ValueError, match="a run already"):
        clf.save(tmp_path / "run")
    clf.save(tmp_path / "run", overwrite=True)
    (tmp_path / "run" / "diary.txt").write_text("mine")
    with pytest.raises(ValueError, match="diary"):
        clf.save(tmp_path / "run", overwrite=True)


def test_exit_codes_are_the_commands():
    codes = [subprocess.run([*COMMAND, *words], capture_output=True).returncode for words in (["--version"], ["nope"])]
    assert codes == [0, 2]


def test_a_folder_that_is_no_run_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(ValueError, match=r"run\.toml"):
        bgcn.load(tmp_path)
