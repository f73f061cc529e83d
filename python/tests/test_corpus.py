"""Files as daily tools write them: each is read right, or refused with what to do. See golden/make_corpus.py."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import bgcn
import numpy as np
import pytest
from scipy import sparse

pytestmark = pytest.mark.filterwarnings("ignore::bgcn.DataWarning")

CORPUS = Path(__file__).parents[2] / "crates/bgcn-files/tests/corpus"
CASES: list[dict[str, Any]] = json.loads((CORPUS / "expected.json").read_text(encoding="utf-8"))
#: The Python package may read more than the command does.
EXPECTED = {case["case"]: case.get("python", case).get("expect") for case in CASES}


def read(case: dict[str, Any]) -> bgcn.Dataset:
    """The files of a case, with its options."""
    files = {part: CORPUS / file for part, file in case["read"].items()}
    return bgcn.read(files.pop("path", None), **files, **case.get("options", {}))


def of(read_right: bool) -> Any:
    """The cases that are read, or those that are refused."""
    cases = [case for case in CASES if (EXPECTED[case["case"]] is not None) == read_right]
    return pytest.mark.parametrize("case", cases, ids=[case["case"] for case in cases])


def spoken(text: str) -> str:
    """Without capitals, and options as Python spells them: --source-column is source_column."""
    return text.lower().replace("--", "").replace("-", "_")


def edge_names(data: bgcn.Dataset) -> list[list[str]]:
    """Every edge once, as two ids in order."""
    ids = [str(node) for node in data.ids]
    upper = sparse.triu(data.adjacency, 1).tocoo()
    return sorted(sorted((ids[a], ids[b])) for a, b in zip(upper.row, upper.col, strict=True))


def rows_of(data: bgcn.Dataset, nodes: list[str]) -> np.ndarray:
    """The features of some nodes."""
    ids = [str(node) for node in data.ids]
    rows = data.features[[ids.index(node) for node in nodes]]
    return rows.toarray() if sparse.issparse(rows) else rows


@of(read_right=True)
def test_it_is_read(case):
    expected = EXPECTED[case["case"]]
    data = read(case)
    assert (data.n_nodes, data.n_edges, data.n_features) == tuple(
        expected[part] for part in ("nodes", "edges", "features")
    )
    assert len({str(node) for node in data.ids}) == expected["nodes"]
    assert edge_names(data) == expected["edge_names"]
    if "values" in expected:
        assert data.class_names is None
        assert np.count_nonzero(~np.isnan(data.labels)) == expected["values"]
    else:
        names = data.class_names or []
        known = [names[label] for label in data.labels if label >= 0]
        assert dict(Counter(known)) == expected["classes"]
        assert len(known) == expected["labelled"]
    if "feature_names" in expected:
        assert data.feature_names == expected["feature_names"]
    if rows := expected.get("features_of"):
        np.testing.assert_allclose(rows_of(data, list(rows)), list(rows.values()), rtol=1e-6)
    if split := expected.get("split"):
        assert [len(nodes) for nodes in data.fixed_split] == list(split.values())


@of(read_right=True)
def test_what_was_guessed_is_said(case):
    expected = EXPECTED[case["case"]]
    remarks = [spoken(remark) for remark in read(case).remarks]
    for wanted in expected.get("remarks", []):
        assert any(spoken(wanted) in remark for remark in remarks), (wanted, remarks)
    if expected.get("no_remarks"):
        assert remarks == []


@of(read_right=False)
def test_it_is_refused_with_what_to_do(case):
    with pytest.raises((ValueError, FileNotFoundError)) as refused:
        read(case)
    message = spoken(str(refused.value))
    for wanted in case["refuse"]:
        assert spoken(wanted) in message, (wanted, message)


def test_every_file_of_the_corpus_belongs_to_a_case():
    folders = {path.name for path in CORPUS.iterdir() if path.is_dir()}
    assert folders == {case["case"] for case in CASES}
    assert all((CORPUS / file).exists() for case in CASES for file in case["read"].values())
