"""The paper's evaluation from Python: tables, and a log that goes on where it stopped."""

from __future__ import annotations

from typing import Any

import bgcn
import numpy as np
import pytest


def karate(out: Any, **changes: Any) -> bgcn.Results:
    """A few trials on the smallest set."""
    given = {"runs": 2, "methods": ["gcn"], "labels_per_class": [3], "out": out, **changes}
    return bgcn.reproduce("karate", **given)


def test_a_table_has_a_row_for_every_method_and_number_of_labels(tmp_path):
    found = karate(tmp_path, methods=["gcn", "gcn+copying"], labels_per_class=[2, 4])
    table = found.accuracy
    names = "dataset split labels_per_class method accuracy accuracy_sd ece nll runs paper best p_against_second"
    assert list(table.columns) == names.split()
    cells = {(row.labels_per_class, row.method) for row in table.itertuples()}
    assert cells == {(labels, method) for labels in (2, 4) for method in ("gcn", "gcn+copying")}
    assert set(table.dataset) == {"karate"}
    assert set(table.runs) == {2}
    assert table.accuracy.between(50, 100).all()
    assert np.isfinite(table[["accuracy_sd", "ece", "nll"]].to_numpy()).all()
    assert table.paper.isna().all(), "the paper has no figures for this set"
    assert (found.trials_run, found.trials_reused) == (8, 0)
    assert [entry["study"] for entry in found.tables] == ["accuracy"]
    assert {"standing", "paper", "here"} <= set(found.claims.columns)


def test_a_log_goes_on_where_it_stopped(tmp_path):
    first = karate(tmp_path)
    assert (first.trials_run, first.trials_reused) == (2, 0)
    again = karate(tmp_path)
    assert (again.trials_run, again.trials_reused) == (0, 2)
    assert again.accuracy.equals(first.accuracy)
    more = karate(tmp_path, runs=5)
    assert (more.trials_run, more.trials_reused) == (3, 2)
    assert set(more.accuracy.runs) == {5}
    other = karate(tmp_path, seed=1)
    assert (other.trials_run, other.trials_reused) == (2, 0)


def test_a_log_that_was_cut_off_is_mended(tmp_path):
    whole = karate(tmp_path, runs=3)
    log = tmp_path / "trials.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    assert len(lines) == 3
    log.write_text("".join(lines[:2]) + lines[2][: len(lines[2]) // 2])
    found = karate(tmp_path, runs=3)
    assert (found.trials_run, found.trials_reused) == (1, 2)
    assert found.accuracy.equals(whole.accuracy)


def test_results_do_not_depend_on_the_number_of_threads(tmp_path):
    tables = [karate(tmp_path / str(jobs), runs=4, n_jobs=jobs).accuracy for jobs in (1, 2, None, -1)]
    assert all(table.equals(tables[0]) for table in tables)


def test_one_word_or_number_does_for_a_list_of_one(tmp_path):
    wanted = karate(tmp_path, split=["random"])
    found = karate(tmp_path, methods="gcn", labels_per_class=3, split="random")
    assert (found.trials_run, found.trials_reused) == (0, 2)
    assert found.accuracy.equals(wanted.accuracy)


def test_a_folder_of_ones_own_is_evaluated_too(tmp_path):
    folder = tmp_path / "rings"
    folder.mkdir()
    edges = [(20 * c + i, 20 * c + (i + step) % 20) for c in (0, 1) for i in range(20) for step in (1, 2)]
    (folder / "edges.csv").write_text("source,target\n" + "".join(f"{a},{b}\n" for a, b in edges))
    (folder / "labels.csv").write_text(
        "id,label\n" + "".join(f"{i},{'left' if i < 20 else 'right'}\n" for i in range(40))
    )
    found = bgcn.reproduce(str(folder), runs=2, methods=["gcn"], labels_per_class=[5], out=tmp_path / "out")
    assert found.trials_run == 2
    assert found.accuracy.accuracy[0] > 90


def test_nothing_is_printed_unless_it_is_asked_for(tmp_path, capfd):
    karate(tmp_path)
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err == ""


ERRORS: list[tuple[tuple[Any, ...], dict[str, Any], type[Exception], str]] = [
    ((), {}, ValueError, r"<WHAT>"),
    (("karat",), {}, ValueError, r"karat.*choose among datasets, cora, citeseer"),
    ((3,), {}, TypeError, r"int"),
    (("karate",), {"methods": ["gnc"]}, ValueError, r"gnc; a method is a network \(gcn, chebnet, gat\)"),
    (("karate",), {"runs": 0}, ValueError, r"'0' for '--runs <N>'"),
    (("karate",), {"runs": -1}, ValueError, r"-1 is not in 1\.\.=100000"),
    (("karate",), {"runs": "many"}, ValueError, r"'many' for '--runs"),
    (("karate",), {"seed": -1}, ValueError, r"'-1' for '--seed"),
    (("karate",), {"labels_per_class": [0]}, ValueError, r"0 labels per class were asked for"),
    (("karate",), {"labels_per_class": [18]}, ValueError, r"17 labelled nodes, but 18 per class were asked for"),
    (("karate",), {"labels_per_class": []}, ValueError, r"--labels-per-class"),
    (("karate",), {"split": ["fixed"]}, ValueError, r"karate has no fixed split"),
    (("karate",), {"split": ["nowhere"]}, ValueError, r"'nowhere' for '--split.*random, fixed"),
    (("karate",), {"n_jobs": 0}, ValueError, r"0 is not in 1\.\.=1024"),
    (("karate",), {"n_jobs": -2}, ValueError, r"-2 is not in 1\.\.=1024"),
]


@pytest.mark.parametrize(("what", "changes", "kind", "text"), ERRORS)
def test_what_cannot_be_run_is_refused(tmp_path, what, changes, kind, text):
    given = {"runs": 1, "methods": ["gcn"], "labels_per_class": [3], "out": tmp_path, **changes}
    with pytest.raises(kind, match=f"(?s){text}"):
        bgcn.reproduce(*what, **given)


def test_a_set_that_is_not_here_says_how_to_get_it(tmp_path, monkeypatch):
    for name in ("BGCN_DATA", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    with pytest.raises((ValueError, FileNotFoundError), match=r"cora is not on this machine.*bgcn data fetch cora"):
        bgcn.reproduce("cora", runs=1, out=tmp_path)


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises((OSError, RuntimeError), match="file"):
        karate(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_cora_is_set_beside_the_papers_figures(cora, tmp_path):
    assert cora.n_nodes == 2708
    found = bgcn.reproduce("cora", runs=1, methods=["gcn"], labels_per_class=[5], split=["random"], out=tmp_path)
    row = found.accuracy.iloc[0]
    assert (row.dataset, row.split, row.method) == ("cora", "random", "gcn")
    assert 60 < row.paper < 90
    assert 55 < row.accuracy < 90
