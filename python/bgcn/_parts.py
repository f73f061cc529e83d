"""Parts of a fit for others to carry out: through joblib where somebody has chosen a backend of it.

``with joblib.parallel_config(backend="ray"):`` makes the parts of a fit tasks of that backend, ``n_jobs`` of them at a
time; so do loky, dask and every other. Without such a choice the library's own threads carry them out. The bytes are
the same.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Protocol

from . import _bgcn
from ._data import Dataset
from ._random import threads_of


@dataclass(frozen=True)
class Plan:
    """All that decides a fit."""

    data: Dataset
    given: dict[str, Any]
    preset: str | None
    seed: int
    split: str | None
    sets: tuple[Any, Any, Any] | None
    labels_per_class: int | None


class Carriers(Protocol):
    """Whoever carries out parts."""

    def begin(self, plan: Plan) -> int:
        """The fit that parts will be of; how many of these at a time."""
        ...

    def __call__(self, start: bytes, orders: list[bytes]) -> list[bytes]:
        """What :func:`carry_out` gives for all orders, wherever it was called."""
        ...


def carry_out(plan: Plan, start: bytes, orders: list[bytes], threads: int) -> list[bytes]:
    """Carries out parts of a fit, here."""
    options: dict[str, Any] = {"preset": plan.preset, "seed": plan.seed, "threads": threads, "split": plan.split}
    options |= {"sets": plan.sets, "labels_per_class": plan.labels_per_class}
    return _bgcn.Fitted.carry_out(plan.data._core, plan.given, start, orders, **options)


class Joblib:
    """Carries out parts through the backend that joblib is set to."""

    def __init__(self, joblib: Any, workers: int, n_jobs: int | None) -> None:
        self._joblib, self._workers, self._n_jobs = joblib, workers, n_jobs
        self._plan: Any = None

    def begin(self, plan: Plan) -> int:
        """Twice as many parts as workers, so that none waits for the slowest."""
        self._plan = plan
        return max(8, 2 * self._workers)

    def __call__(self, start: bytes, orders: list[bytes]) -> list[bytes]:
        many = min(self._workers, len(orders))
        shares = [orders[place::many] for place in range(many)]
        run = self._joblib.delayed(carry_out)
        found = self._joblib.Parallel(n_jobs=self._n_jobs)(run(self._plan, start, share, 1) for share in shares)
        answers: list[bytes] = [b""] * len(orders)
        for place, share in enumerate(found):
            answers[place::many] = share
        return answers


def threads_and_carriers(n_jobs: int | None) -> tuple[int, Carriers | None]:
    """Threads for the library, and joblib where a backend of it was chosen; ``n_jobs`` counts for both."""
    parallel = sys.modules.get("joblib.parallel")
    if parallel is None:
        return threads_of(n_jobs), None
    threads = threads_of(n_jobs)
    config = getattr(parallel._backend, "config", None) or parallel.default_parallel_config
    default = parallel.default_parallel_config
    chosen = config["n_jobs"] is not default["n_jobs"] and config["n_jobs"] is not None
    if n_jobs is None and chosen and config["n_jobs"] != -1:
        threads = threads_of(config["n_jobs"])
    backend = config["backend"]
    # Inside a worker of joblib the backend is its own choice, and the parts stay there.
    if backend is default["backend"] or getattr(backend, "nesting_level", None):
        return threads, None
    asked = n_jobs if n_jobs is not None else (config["n_jobs"] if chosen else None)
    workers = _workers(parallel, asked)
    return threads, Joblib(sys.modules["joblib"], workers, asked) if workers > 1 else None


def _workers(parallel: Any, asked: int | None) -> int:
    """How many tasks the chosen backend runs at a time."""
    backend, _ = parallel.get_active_backend()
    return max(1, int(backend.effective_n_jobs(-1 if asked is None else asked)))
