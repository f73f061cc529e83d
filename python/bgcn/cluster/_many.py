"""Many fits on a Ray cluster: results as they come, failures with their reason, no more jobs under way than fit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from .. import _bgcn
from .._data import Dataset
from .._estimators import BayesianGCN
from ._errors import ClusterError, check_version, first_line, node
from ._executor import Lost, Part, run_parts
from ._ray import RayEngine, joined, put

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

    #: It is not changed; what it has been fitted to does not travel.
    estimator: BayesianGCN
    #: A :class:`bgcn.Dataset` travels through the object store; a name or a path is read on the node that runs the job.
    X: Any = None
    y: Any = None
    adjacency: Any = None
    #: Further keywords of ``fit``.
    options: dict[str, Any] = field(default_factory=dict)
    #: Any key.
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
    """The default of ``take``."""
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
        self._engine = RayEngine(ray, run_jobs, (_bgcn.__version__, ray.put(take), cpus), cpus)
        self._places: dict[int, tuple[Dataset, list[Any]]] = {}
        self._next = self._given = 0
        self._together = 1

    def results(self, ordered: bool) -> Iterator[Fitted]:
        """Results as they come, or in order: then those that are early wait, and hold back new jobs."""
        early: dict[int, Fitted] = {}
        with closing(run_parts(self._engine, self._tasks(ordered))) as answers:
            for task, answer in answers:
                found = self._lost(task, answer) if isinstance(answer, Lost) else self._finished(answer)
                if not ordered:
                    yield from found
                    continue
                early.update({result.number: result for result in found})
                while self._given in early:
                    yield early.pop(self._given)
                    self._given += 1

    def _tasks(self, ordered: bool) -> Iterator[_Task | None]:
        """All jobs; None while too many results wait for one before them."""
        more = True
        while more:
            if ordered and self._next - self._given >= 4 * self._engine.room() * self._together:
                yield None
                continue
            task, more = self._gather()
            if task.jobs:
                yield task

    def _gather(self) -> tuple[_Task, bool]:
        """The next jobs that travel together, and whether there may be more."""
        task = _Task()
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
        X = data = job.X
        if isinstance(data, Dataset) and size_of(data) >= LARGE:

            def placed() -> tuple[Dataset, list[Any]]:
                return data, [put(self._ray, data, f"the dataset {data.name}", size_of(data))]

            X = _Placed(_remembered(self._places, id(data), placed)[1])
        return (unfitted(job.estimator), X, job.y, job.adjacency, job.options)

    def _finished(self, found: list[Fitted]) -> list[Fitted]:
        """The results of a task, whose time decides how many jobs travel together."""
        seconds = sum(result.seconds for result in found) / len(found)
        wanted = int(TASK_SECONDS / max(seconds, 1e-6))
        self._together = max(1, min(MOST, wanted, 2 * self._together))
        return found

    def _lost(self, task: _Task, lost: Lost) -> list[Fitted]:
        why = f"lost with its worker {task.tries} times: {first_line(lost.why)}; has a node too little memory for it?"
        return [Fitted(number, name, None, why, 0.0) for number, name, _ in task.jobs]


@dataclass(eq=False)
class _Task(Part):
    """Jobs that travel together."""

    jobs: list[tuple[int, Any, tuple[Any, ...]]] = field(default_factory=list)

    def again(self) -> list[_Task]:
        """Each job by itself: one of them may be to blame."""
        return [_Task(self.memory, self.tries, [job]) for job in self.jobs]


@dataclass(frozen=True)
class _Placed:
    """A dataset in the object store."""

    place: list[Any]


def unfitted(estimator: BayesianGCN) -> BayesianGCN:
    """Another one with the same keywords, without the fit."""
    return type(estimator)(**estimator.get_params(deep=False))


def _remembered(known: dict[Any, Any], key: Any, make: Callable[[], Any]) -> Any:
    """What is known under a key, or is made now; the oldest goes where there are too many."""
    if key not in known:
        while len(known) >= REMEMBERED:
            known.pop(next(iter(known)))
        known[key] = make()
    return known[key]


def size_of(data: Dataset) -> int:
    """Bytes of a dataset, about."""
    features = data._feature_rows()
    parts = features[:3] if isinstance(features, tuple) else (features,)
    return 24 * data.n_nodes + 32 * data.n_edges + sum(getattr(part, "nbytes", 0) for part in parts)


def _memory(job: Job) -> int:
    """Bytes that the recipe takes, where the data is here."""
    if not isinstance(job.X, Dataset):
        return 0
    return _bgcn.Run.memory(job.X, job.estimator._given(), job.estimator.preset)


# On a worker.

_FETCHED: dict[Any, Any] = {}


def run_jobs(version: str, take: Callable[[Any], Any], threads: int, task: _Task) -> list[Fitted]:
    """Fits the jobs of a task."""
    check_version(version)
    return [_run(take, threads, *job) for job in task.jobs]


def _run(take: Callable[[Any], Any], threads: int, number: int, name: Any, job: tuple[Any, ...]) -> Fitted:
    begun = time.perf_counter()
    try:
        estimator, X, y, adjacency, options = job
        estimator.set_params(n_jobs=threads)
        value = take(estimator.fit(_fetched(X), y, adjacency=adjacency, **options))
        return Fitted(number, name, value, None, time.perf_counter() - begun)
    except Exception as error:
        return Fitted(number, name, None, f"{type(error).__name__}: {error}", time.perf_counter() - begun)


def _fetched(X: Any) -> Any:
    """The dataset behind a place, a name or a path; a process fetches or reads it once."""
    if not isinstance(X, (_Placed, str)) and not hasattr(X, "__fspath__"):
        return X
    key = X.place[0] if isinstance(X, _Placed) else str(X)
    return _remembered(_FETCHED, key, lambda: _open(X))


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
