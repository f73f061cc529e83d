"""One fit on several machines: its parts, as the library names them, are tasks."""

from __future__ import annotations

import uuid
from collections import deque
from typing import Any, TypeVar

from .. import _bgcn
from .._estimators import BayesianGCN
from .._parts import Plan, carry_out
from ._drive import ATTEMPTS, Lost
from ._errors import ClusterError, check_version, first_line
from ._ray import RayEngine, joined, put
from ._trials import size_of, threads

_Estimator = TypeVar("_Estimator", bound=BayesianGCN)

#: Plans of this process, by name; the last few.
_OPEN: dict[str, Plan] = {}
_KEPT = 2


def fit(
    estimator: _Estimator,
    X: Any = None,
    y: Any = None,
    *,
    address: str | None = None,
    cpus_per_part: int = 1,
    **options: Any,
) -> _Estimator:
    """``estimator.fit(X, y, **options)`` with its independent parts on a Ray cluster; the same bytes as on one machine.

    Parts are the networks of drawn graphs with ``schedule="algorithm1"``, for all of its graphs, λ and graph models,
    and the evidence of graph models that are averaged (``graph_model="auto"``). The other schedule goes from graph to
    graph with one network, so that it has no others.
    """
    with joined(address) as ray:
        with_ray = _Parts(ray, cpus_per_part)
        estimator._carriers = with_ray
        try:
            return estimator.fit(X, y, **options)
        finally:
            del estimator._carriers
            with_ray.close()


class _Parts:
    """Carries out parts as tasks."""

    def __init__(self, ray: Any, cpus: int) -> None:
        self._ray, self._cpus = ray, cpus
        self._plan: Any = None
        self._memory = 0
        self._name = uuid.uuid4().hex
        self._engine = RayEngine(ray, run_part, (), cpus)

    def begin(self, plan: Plan) -> int:
        """The fit that parts will be of; how many of these at a time."""
        self._memory = _bgcn.Fitted.memory(plan.data._core, plan.given, plan.preset)
        self._plan = [put(self._ray, plan, f"the dataset {plan.data.name}", size_of(plan.data))]
        return max(8, self._engine.room())

    def __call__(self, start: bytes, orders: list[bytes]) -> list[bytes]:
        shared = self._ray.put(start)
        answers: dict[int, bytes] = {}
        waiting = deque((number, 0) for number in range(len(orders)))
        while len(answers) < len(orders):
            while waiting and self._engine.under_way() < self._engine.room():
                number, tries = waiting.popleft()
                task = (number, tries, self._plan, self._name, _bgcn.__version__, [shared], orders[number])
                self._engine.submit(task, self._memory)
            for task, answer in self._engine.finished(0.1):
                number, tries = task[0], task[1] + 1
                if isinstance(answer, Lost) and tries < ATTEMPTS:
                    waiting.append((number, tries))
                elif isinstance(answer, Lost):
                    why = first_line(answer.why)
                    raise ClusterError(f"part {number} of the fit was lost {tries} times with its worker: {why}")
                elif isinstance(answer, BaseException):
                    raise answer
                else:
                    answers[number] = answer
        return [answers[number] for number in range(len(orders))]

    def close(self) -> None:
        """Gives up what is under way."""
        self._engine.cancel()


def run_part(task: tuple[Any, ...]) -> bytes:
    """On a worker: one part."""
    _, _, place, name, version, start, order = task
    check_version(version)
    import ray

    if name not in _OPEN:
        while len(_OPEN) >= _KEPT:
            _OPEN.pop(next(iter(_OPEN)))
        _OPEN[name] = ray.get(place[0])
    return carry_out(_OPEN[name], ray.get(start[0]), [order], threads())[0]
