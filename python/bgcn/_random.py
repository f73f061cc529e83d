"""Whole numbers from the types that users have: seeds, threads, counts."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def seed_of(random_state: Any) -> int:
    """A whole number from 0 to 2⁶⁴ − 1: the given one, or one drawn from the generator or from NumPy's own."""
    if random_state is None:
        return int(np.random.randint(0, 2**32, dtype=np.uint64))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, 2**32, dtype=np.uint64))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, 2**63))
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        seed = int(random_state)
        if 0 <= seed < 2**64:
            return seed
        raise ValueError(f"random_state is {seed}; allowed are whole numbers from 0 to 2**64 - 1")
    kind = type(random_state).__name__
    raise ValueError(f"random_state is of type {kind}; give a whole number, a generator of NumPy, or None")


def whole_of(name: str, given: Any, least: int, most: int) -> int | None:
    """A whole number within these bounds; None stays None."""
    if given is None:
        return None
    if isinstance(given, (int, np.integer)) and not isinstance(given, bool) and least <= given <= most:
        return int(given)
    raise ValueError(f"{name} is {given!r}; allowed are whole numbers from {least} to {most}")


def threads_of(n_jobs: int | None) -> int:
    """Threads for the library, which takes 0 for one per core."""
    if n_jobs is None or n_jobs == -1:
        return 0
    if isinstance(n_jobs, (int, np.integer)) and not isinstance(n_jobs, bool) and 1 <= n_jobs <= 1024:
        return int(n_jobs)
    raise ValueError(f"n_jobs is {n_jobs!r}; allowed are 1 to 1024, or None or -1 for one thread per core")


def threads_of_fit(n_jobs: int | None) -> int:
    """The same; without a number, that of ``joblib.parallel_config`` around the fit."""
    parallel = sys.modules.get("joblib.parallel")
    if n_jobs is None and parallel is not None:
        chosen = (getattr(parallel._backend, "config", None) or {}).get("n_jobs")
        n_jobs = chosen if isinstance(chosen, int) else None
    return threads_of(n_jobs)
