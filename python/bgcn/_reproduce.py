"""The paper's evaluation as tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _bgcn
from ._frames import frame


@dataclass(frozen=True)
class Results:
    """What ``bgcn reproduce`` found. Tables are DataFrames where pandas is installed."""

    #: Accuracy, calibration error and log-likelihood by dataset, split, labels and method, beside the paper's.
    accuracy: Any
    #: Claims of the paper, each with its standing.
    claims: Any
    #: Every table as the command prints it with --json.
    tables: list[dict[str, Any]]
    #: Trials run now.
    trials_run: int
    #: Trials taken from the log.
    trials_reused: int


def reproduce(
    *what: str,
    runs: int = 50,
    methods: str | Sequence[str] | None = None,
    labels_per_class: int | Sequence[int] = (5, 10, 20),
    split: str | Sequence[str] | None = None,
    seed: int = 0,
    out: str | Path = "bgcn-results",
    n_jobs: int | None = None,
    data_dir: str | Path | None = None,
    verbose: bool = False,
) -> Results:
    """Runs parts of the paper's evaluation: cora, citeseer, pubmed, datasets, edges, attack-cora, planted, …, or all.

    Beside the paper: planted, planted-cora, … (recovery of planted edges) and calibration (of P(spurious), on
    generated graphs); their tables are in ``tables``.

    The log in ``out`` is that of the command: a run that was stopped goes on from it.

    >>> import bgcn, tempfile
    >>> with tempfile.TemporaryDirectory() as out:
    ...     found = bgcn.reproduce("karate", runs=2, methods=["gcn"], labels_per_class=[3], out=out)
    >>> list(found.accuracy.columns)[:4], found.trials_run
    (['dataset', 'split', 'labels_per_class', 'method'], 2)
    """
    given: dict[str, Any] = {"runs": runs, "methods": methods or None, "split": split or None}
    given |= {"labels_per_class": labels_per_class, "jobs": None if n_jobs == -1 else n_jobs}
    words = words_of(*what, seed=seed, out=out, data_dir=data_dir, verbose=verbose, **given)
    return results_of(json.loads(_bgcn.reproduce(words)))


def words_of(*what: str, verbose: bool, **given: Any) -> list[str]:
    """Words of the command: options by their names, several values joined by commas; None leaves one out."""
    words = list(what)
    for name, value in given.items():
        if value is not None:
            several = hasattr(value, "__iter__") and not isinstance(value, str)
            words.append(f"--{name.replace('_', '-')}={','.join(map(str, value)) if several else value}")
    return words if verbose else [*words, "--quiet"]


def results_of(found: dict[str, Any]) -> Results:
    """The tables of what the command prints with --json."""
    rows = [row for table in found["tables"] if table["study"] == "accuracy" for row in _rows(table)]
    names = list(rows[0]) if rows else ["dataset", "split", "labels_per_class", "method", "accuracy"]
    claims = found["claims"]
    keys = list(claims[0]) if claims else ["topic", "about", "paper", "here", "standing"]
    return Results(
        accuracy=frame({name: [row[name] for row in rows] for name in names}),
        claims=frame({key: [claim.get(key) for claim in claims] for key in keys}),
        tables=found["tables"],
        trials_run=found["trials_run"],
        trials_reused=found["trials_reused"],
    )


def _rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    """A line for every cell of an accuracy table."""
    return [
        {
            "dataset": table["dataset"],
            "split": table["split"],
            "labels_per_class": cell["labels_per_class"],
            "method": cell["method"],
            "accuracy": cell["accuracy"]["mean"],
            "accuracy_sd": cell["accuracy"]["sd"],
            "ece": cell["ece"]["mean"],
            "nll": cell["nll"]["mean"],
            "runs": cell["accuracy"]["n"],
            "paper": cell["published"][0] if cell["published"] else float("nan"),
            "best": cell["best"],
            "p_against_second": cell["p_against_second"] if cell["p_against_second"] is not None else float("nan"),
        }
        for cell in table["cells"]
    ]
