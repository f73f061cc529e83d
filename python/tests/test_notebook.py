"""The notebook runs from its first cell to its last, in a kernel of its own, and shows what notebooks can show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

BOOK = Path(__file__).parents[1] / "examples/first_fit.ipynb"


def shown(cell: Any) -> dict[str, str]:
    """What a cell shows at its end, by kind."""
    return next((dict(out["data"]) for out in cell["outputs"] if out["output_type"] == "execute_result"), {})


def test_the_notebook_runs_and_shows_what_it_computes(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    book = nbformat.read(BOOK, as_version=4)
    assert len(book.cells) == 10
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code), "it is stored without outputs"
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    data, score, table, *_, run = [shown(cell) for cell in code]
    assert "<th>nodes</th><td>2,000</td>" in data["text/html"]
    assert "of the test nodes are right" in score["text/plain"]
    assert "<table" in table["text/html"]
    assert "<iframe" in run["text/html"]
    assert all(shown(cell) for cell in code)
    assert not any(out["output_type"] == "stream" for cell in code for out in cell["outputs"]), "nothing is printed"
    assert (tmp_path / "first-run/run.toml").exists()
