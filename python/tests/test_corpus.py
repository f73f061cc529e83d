"""Files as daily tools write them, where Python has something of its own: options, Parquet, exceptions, spelling.

The library's tests read all of the corpus; see golden/make_corpus.py.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import bgcn
import numpy as np
import pytest
from scipy import sparse

TESTS = Path(__file__).parents[2] / "crates/bgcn-files/tests"
#: The folder and the contents of each case.
CASES: dict[str, tuple[Path, Any]] = {
    case["case"]: (expected.parent, case)
    for expected in TESTS.glob("corpus*/expected.json")
    for case in json.loads(expected.read_text(encoding="utf-8"))
}
#: With every option of ``read`` among them; the last two are read by pandas.
READ = [
    "features-isolated-allowed",
    "features-triplets",
    "four-columns-named",
    "label-column-option",
    "json-active-columns",
    "label-kind-values",
    "names-nodes",
    "no-ids-labels-and-features",
    "pages-without-two",
    "nodes-table-options",
    "size-line-header-no",
    "split-file-val",
    "weight-column",
    "weight-threshold-2",
    "parquet",
    "feather",
]


def read(name: str) -> bgcn.Dataset:
    """The files of a case, with its options."""
    corpus, case = CASES[name]
    files = {part: corpus / file for part, file in case["read"].items()}
    return bgcn.read(files.pop("path", None), **files, **case.get("options", {}))


@pytest.mark.parametrize("name", READ)
@pytest.mark.filterwarnings("ignore::bgcn.DataWarning")
def test_it_is_read(name):
    if name in ("parquet", "feather"):
        pytest.importorskip("pyarrow")
    _, case = CASES[name]
    expected = case.get("python", case)["expect"]
    data = read(name)
    ids = [str(node) for node in data.ids]
    upper = sparse.triu(data.adjacency, 1).tocoo()
    edges = sorted(sorted((ids[a], ids[b])) for a, b in zip(upper.row, upper.col, strict=True))
    assert (len(set(ids)), edges, data.n_features) == (expected["nodes"], expected["edge_names"], expected["features"])
    if "values" in expected:
        assert data.class_names is None
        assert np.count_nonzero(~np.isnan(data.labels)) == expected["values"]
    else:
        names = data.class_names or []
        assert dict(Counter(names[label] for label in data.labels if label >= 0)) == expected["classes"]
    for node, row in expected.get("features_of", {}).items():
        found = data.features[[ids.index(node)]]
        np.testing.assert_allclose(found.toarray() if sparse.issparse(found) else found, [row], rtol=1e-6)
    if names := expected.get("names_of"):
        assert dict(zip(ids, data.node_names, strict=True)) == names
    if split := expected.get("split"):
        assert [len(nodes) for nodes in data.fixed_split] == list(split.values())


def test_every_option_is_among_them():
    options = {option for name in READ for option in CASES[name][1].get("options", {})}
    columns = {f"{what}_column" for what in ("id", "label", "name", "source", "target", "weight")}
    assert options == columns | {"columns", "header", "weight_threshold", "label_kind", "allow_isolated", "no_ids"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("isolated-most", r"or allow it: allow_isolated=True"),
        ("four-columns", r"source_column=1 and target_column=2, by name"),
        ("label-column-unclear", r"Name its column: label_column=, by name"),
        ("size-line", r"header='yes' leaves it out, header='no' reads it"),
        ("xlsx", r"an Excel file"),
    ],
)
def test_what_is_refused_spells_options_as_keywords(name, text):
    with pytest.raises(ValueError, match=text) as refused:
        read(name)
    assert "--" not in str(refused.value)


def test_what_is_guessed_is_a_warning_and_a_remark(tmp_path):
    edges = tmp_path / "edges.csv"
    edges.write_text("a,b,0.5\nb,c,2\n")
    with pytest.warns(bgcn.DataWarning, match="are ignored; weight_threshold= keeps edges by weight"):
        data = bgcn.read(edges)
    assert len(data.remarks) == 1


def test_arguments_that_are_no_options_are_refused(tmp_path):
    edges = tmp_path / "edges.csv"
    edges.write_text("a,b\n")
    with pytest.raises(ValueError, match='header is "maybe"; allowed are auto, yes and no'):
        bgcn.read(edges, header="maybe")
    with pytest.raises(ValueError, match="weight_threshold is nan; give a finite number"):
        bgcn.read(edges, weight_threshold=float("nan"))
    with pytest.raises(ValueError, match="weight_threshold= was given, but karate has no use for it"):
        bgcn.read("karate", weight_threshold=1)
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        bgcn.read(edges=tmp_path / "none.csv")
