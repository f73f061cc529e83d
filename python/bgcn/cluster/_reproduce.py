"""The paper's evaluation on a cluster: the driver has the log, the nodes run the trials."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _bgcn
from .._reproduce import Results, results_of, words_of
from ._drive import Counts, drive
from ._ray import RayEngine, joined, put
from ._screen import Screen
from ._trials import payload, run_trial, size_of


@dataclass(frozen=True)
class Done:
    """What an evaluation came to."""

    #: JSON, as the command prints it.
    found: str
    page: str
    remark: str
    counts: Counts


def evaluate(evaluation: _bgcn.Evaluation, address: str | None, cpus: int) -> Done:
    """Has the trials carried out on the cluster at the address; the log keeps what is finished, whatever happens."""
    _, quiet = evaluation.options
    screen = Screen(quiet)
    try:
        with joined(address) as ray:
            handed = payload(evaluation)
            size = sum(size_of(data) for data in handed["datasets"].values())
            place = [put(ray, handed, "the datasets", size)]
            shared = (place, uuid.uuid4().hex, _bgcn.__version__)
            counts = drive(evaluation, RayEngine(ray, run_trial, shared, cpus), screen)
        found, page, remark = evaluation.finish()
    finally:
        screen.close()
        evaluation.stop()
    return Done(found, page, remark, counts)


def reproduce(
    *what: str,
    runs: int = 50,
    methods: str | Sequence[str] | None = None,
    labels_per_class: int | Sequence[int] = (5, 10, 20),
    split: str | Sequence[str] | None = None,
    seed: int = 0,
    out: str | Path = "bgcn-results",
    data_dir: str | Path | None = None,
    verbose: bool = False,
    address: str | None = None,
    cpus_per_trial: int = 1,
    options: Sequence[str] = (),
) -> Results:
    """:func:`bgcn.reproduce` on a Ray cluster: the same log, the same resume, the same tables.

    Parameters
    ----------
    address : str
        ``auto`` for the cluster that this machine is part of, ``ray://host:10001`` for another; without it Ray is
        started on this machine and stopped in the end.
    cpus_per_trial : int
        Processors, and so threads, of each trial.
    options : list of str
        Further options of the command, such as ``["--recheck=20"]``.
    """
    given: dict[str, Any] = {"runs": runs, "methods": methods, "labels_per_class": labels_per_class, "split": split}
    words = words_of(*what, seed=seed, out=out, data_dir=data_dir, verbose=verbose, **given)
    return results_of(json.loads(evaluate(_bgcn.Evaluation([*words, *options]), address, cpus_per_trial).found))
