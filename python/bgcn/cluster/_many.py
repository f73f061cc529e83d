"""Many fits on a cluster: results as they come, failures with their reason, never more jobs out than there is room."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from .. import _bgcn
from .._data import Dataset
from .._estimators import BayesianGCN
from ._drive import ATTEMPTS, Lost
from ._errors import ClusterError, check_version, first_line, node
from ._ray import RayEngine, joined, put
from ._trials import size_of, threads

#: Seconds that a task should take: small jobs travel together.
TASK_SECONDS = 0.25
#: Jobs of a task, at most.
MOST = 256
#: Bytes from which a dataset is put into the object store, to be fetched once by each process.
LARGE = 1 << 16
#: Datasets of which the driver, and each worker, remembers where they are.
REMEMBERED = 64


@dataclass(frozen=True)
class Job:
    """A fit to be made: ``estimator.fit(X, y, adjacency=adjacency, **options)``."""

    #: It is not changed; what it has been fitted to stays at home.
    estimator: BayesianGCN
    #: A :class:`bgcn.Dataset` travels through the object store; a name or a path is read on the node that runs the job.
    X: Any = None
    y: Any = None
    adjacency: Any = None
    #: Further keywords of ``fit``.
    options: dict[str, Any] = field(default_factory=dict)
    #: Anything to know it by.
    name: Any = None


@dataclass(frozen=True)
class Predictions:
    """What a fit found, without the fit."""

    #: The most likely class, or the number, of every node.
    transduction: npt.NDArray[Any]
    #: Probabilities of the classes; None for numbers.
    label_distributions: npt.NDArray[Any] | None
    #: Where the uncertainty comes from.
    uncertainty: dict[str, Any]
    #: Scores on the test nodes, where there are any.
    metrics: dict[str, Any]


@dataclass(frozen=True)
class Fitted:
    """What became of a job."""

    #: Its place among the jobs, from 0.
    number: int
    #: The job's.
    name: Any
    #: :class:`Predictions`, or what ``take`` gave; None where it failed.
    value: Any
    #: Why it failed; None where it did not.
    error: str | None
    #: Time of the fit.
    seconds: float


def predictions(estimator: Any) -> Predictions:
    """What is taken of a fit unless something else is asked for."""
    return Predictions(
        transduction=estimator.transduction_,
        label_distributions=None if estimator._regression else estimator.label_distributions_,
        uncertainty=estimator.uncertainty_,
        metrics=estimator.metrics_,
    )


def fit_many(
    jobs: Iterable[Job],
    *,
    take: Callable[[Any], Any] | None = None,
    ordered: bool = False,
    address: str | None = None,
    cpus_per_fit: int = 1,
) -> Iterator[Fitted]:
    """Fits jobs on a Ray cluster and gives their results as they come.

    Jobs may be a generator of any length: they are asked for when there is room, and no further while results wait to
    be looked at. A job that fails is a result with its reason; one that its worker or node takes with it runs again
    elsewhere, up to five times.

    Parameters
    ----------
    jobs : iterable of Job
        Estimators with what to fit them to.
    take : callable
        Called on the worker with the fitted estimator; what it returns travels back. Without it, :class:`Predictions`.
    ordered : bool
        Whether results keep the order of the jobs.
    address : str
        As in :func:`reproduce`.
    cpus_per_fit : int
        Processors, and so threads, of each fit.
    """
    with joined(address) as ray:
        yield from _Sweep(ray, iter(jobs), take or predictions, cpus_per_fit).results(ordered)


class _Sweep:
    """Jobs out, results in."""

    def __init__(self, ray: Any, jobs: Iterator[Job], take: Callable[[Any], Any], cpus: int) -> None:
        self._ray, self._jobs = ray, jobs
        self._engine = RayEngine(ray, run_jobs, (_bgcn.__version__, ray.put(take)), cpus)
        self._places: dict[int, tuple[Dataset, list[Any]]] = {}
        self._next = 0
        self._together = 1
        self._again: deque[_Task] = deque()

    def results(self, ordered: bool) -> Iterator[Fitted]:
        """Results as they come, or in order: then those that are early wait, and hold back new jobs."""
        early: dict[int, Fitted] = {}
        given = 0
        more = True
        try:
            while more or self._engine.under_way() or self._again or early:
                window = 4 * self._engine.room() * self._together
                while self._engine.under_way() < self._engine.room():
                    if self._again:
                        self._submit(self._again.popleft())
                    elif more and (not ordered or self._next - given < window):
                        task, more = self._gather()
                        if task.jobs:
                            self._submit(task)
                    else:
                        break
                for result in self._finished():
                    if not ordered:
                        yield result
                        continue
                    early[result.number] = result
                while given in early:
                    yield early.pop(given)
                    given += 1
        finally:
            self._engine.cancel()

    def _gather(self) -> tuple[_Task, bool]:
        """The next jobs that travel together, and whether there may be more."""
        task = _Task([], 0)
        while len(task.jobs) < self._together:
            try:
                job = next(self._jobs)
            except StopIteration:
                return task, False
            if not isinstance(job, Job):
                raise TypeError(f"job {self._next} is of type {type(job).__name__}; give bgcn.cluster.Job")
            task.jobs.append((self._next, job.name, self._portable(job)))
            task.memory = max(task.memory, _memory(job))
            self._next += 1
        return task, True

    def _portable(self, job: Job) -> tuple[Any, ...]:
        X = job.X
        if isinstance(X, Dataset) and size_of(X) >= LARGE:
            if id(X) not in self._places:
                while len(self._places) >= REMEMBERED:
                    self._places.pop(next(iter(self._places)))
                self._places[id(X)] = (X, [put(self._ray, X, f"the dataset {X.name}", size_of(X))])
            X = _Placed(self._places[id(X)][1])
        return (unfitted(job.estimator), X, job.y, job.adjacency, job.options)

    def _submit(self, task: _Task) -> None:
        self._engine.submit(task, task.memory)

    def _finished(self) -> Iterator[Fitted]:
        for task, answer in self._engine.finished(0.1):
            if isinstance(answer, Lost):
                yield from self._lost(task, answer)
            elif isinstance(answer, BaseException):
                raise answer
            else:
                seconds = sum(result.seconds for result in answer) / len(answer)
                wanted = int(TASK_SECONDS / max(seconds, 1e-6))
                self._together = max(1, min(MOST, wanted, 2 * self._together))
                yield from answer

    def _lost(self, task: _Task, lost: Lost) -> Iterator[Fitted]:
        """Jobs of a lost task run again, each by itself: one of them may be to blame."""
        task.tries += 1
        if task.tries < ATTEMPTS:
            self._again.extend(_Task([job], task.memory, task.tries) for job in task.jobs)
            return
        why = f"lost with its worker {task.tries} times: {first_line(lost.why)}; has a node too little memory for it?"
        for number, name, _ in task.jobs:
            yield Fitted(number, name, None, why, 0.0)


@dataclass(eq=False)
class _Task:
    """Jobs that travel together."""

    jobs: list[tuple[int, Any, tuple[Any, ...]]]
    memory: int
    tries: int = 0


@dataclass(frozen=True)
class _Placed:
    """A dataset in the object store."""

    place: list[Any]


def unfitted(estimator: BayesianGCN) -> BayesianGCN:
    """Another one with the same keywords, which weighs nothing."""
    return type(estimator)(**estimator.get_params(deep=False))


def _memory(job: Job) -> int:
    """What the recipe says that the fit takes, where the data is here to tell."""
    if not isinstance(job.X, Dataset):
        return 0
    return _bgcn.Run.memory(job.X._core, job.estimator._given(), job.estimator.preset)


# On a worker.

_FETCHED: dict[Any, Any] = {}


def run_jobs(version: str, take: Callable[[Any], Any], task: _Task) -> list[Fitted]:
    """Fits the jobs of a task."""
    check_version(version)
    return [_run(take, *job) for job in task.jobs]


def _run(take: Callable[[Any], Any], number: int, name: Any, job: tuple[Any, ...]) -> Fitted:
    begun = time.perf_counter()
    try:
        estimator, X, y, adjacency, options = job
        estimator.set_params(n_jobs=threads())
        value = take(estimator.fit(_fetched(X), y, adjacency=adjacency, **options))
        return Fitted(number, name, value, None, time.perf_counter() - begun)
    except Exception as error:
        return Fitted(number, name, None, f"{type(error).__name__}: {error}", time.perf_counter() - begun)


def _fetched(X: Any) -> Any:
    """The dataset behind a place, a name or a path; a process fetches or reads it once."""
    if not isinstance(X, (_Placed, str)) and not hasattr(X, "__fspath__"):
        return X
    key = X.place[0] if isinstance(X, _Placed) else str(X)
    if key not in _FETCHED:
        while len(_FETCHED) >= REMEMBERED:
            _FETCHED.pop(next(iter(_FETCHED)))
        _FETCHED[key] = _open(X)
    return _FETCHED[key]


def _open(X: Any) -> Any:
    if isinstance(X, _Placed):
        import ray

        return ray.get(X.place[0])
    from .. import datasets

    try:
        return datasets.load(str(X))
    except (FileNotFoundError, ValueError) as error:
        raise ClusterError(
            f"the dataset {X} is not on node {node()}: {first_line(error)}; put it where every node can read it, or "
            "give the Dataset itself, which travels with the job"
        ) from error
