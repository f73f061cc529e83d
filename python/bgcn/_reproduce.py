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
    given: dict[str, Any] = {"runs": runs, "methods": methods, "labels_per_class": labels_per_class, "split": split}
    words = words_of(*what, seed=seed, out=out, data_dir=data_dir, verbose=verbose, **given)
    if n_jobs is not None and n_jobs != -1:
        words.append(f"--jobs={n_jobs}")
    return results_of(json.loads(_bgcn.reproduce(words)))


def words_of(
    *what: str,
    runs: int,
    methods: str | Sequence[str] | None,
    labels_per_class: int | Sequence[int],
    split: str | Sequence[str] | None,
    seed: int,
    out: str | Path,
    data_dir: str | Path | None,
    verbose: bool,
) -> list[str]:
    """Words of the command."""
    labels = [labels_per_class] if isinstance(labels_per_class, int) else labels_per_class
    words = [*what, f"--runs={runs}", f"--seed={seed}", f"--out={out}"]
    words.append(f"--labels-per-class={','.join(str(count) for count in labels)}")
    for option, given in (("--methods", methods), ("--split", split)):
        if given:
            words.append(f"{option}={given if isinstance(given, str) else ','.join(given)}")
    if data_dir is not None:
        words.append(f"--data-dir={data_dir}")
    if not verbose:
        words.append("--quiet")
    return words


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
