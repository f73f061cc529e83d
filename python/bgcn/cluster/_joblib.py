"""joblib as an executor: processes of this machine, or what ``joblib.parallel_config`` names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from ._errors import ClusterError, first_line
from ._executor import ATTEMPTS, Part


class JoblibExecutor:
    """Runs parts, so many at a time; None for one per core."""

    def __init__(self, n_jobs: int | None) -> None:
        try:
            import joblib
        except ImportError as error:
            raise ClusterError("joblib is not installed; pip install joblib") from error
        self._joblib, self._n_jobs = joblib, -1 if n_jobs is None else n_jobs
        self.workers: int = joblib.effective_n_jobs(self._n_jobs)

    def run(
        self, function: Callable[..., Any], shared: tuple[Any, ...], parts: list[Part]
    ) -> Iterator[tuple[Part, Any]]:
        """``function(*shared, part)`` of every part, as they come; what dies with its processes runs again."""
        parallel = self._joblib.Parallel(n_jobs=self._n_jobs, batch_size=1, return_as="generator_unordered")
        task = self._joblib.delayed(_run)
        waiting = dict(enumerate(parts))
        losses = 0
        while waiting:
            try:
                for number, answer in parallel(task(function, shared, *one) for one in list(waiting.items())):
                    losses = 0
                    yield waiting.pop(number), answer
            except BrokenProcessPool as error:
                losses += 1
                if losses == ATTEMPTS:
                    # A dead process takes all others with it; the first to wait are those that ran.
                    ran = ", ".join(str(part) for part in list(waiting.values())[: self.workers])
                    raise ClusterError(
                        f"one of {ran} was lost {losses} times, each time with its process: {first_line(error)}. Does "
                        "it run out of memory?"
                    ) from error


def _run(function: Callable[..., Any], shared: tuple[Any, ...], number: int, part: Part) -> tuple[int, Any]:
    return number, function(*shared, part)
