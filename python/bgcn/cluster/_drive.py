"""The driver's loop: trials out, lines in, lost ones again. It knows no engine, so that a simulated one can feed it.

At most ``engine.room()`` tasks are under way. A task that its worker or node takes with it is handed out again; a task
that raises ends the evaluation, as it does on one machine. Memory does not grow with the number of trials: what is
finished is in the evaluation, which writes the log.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from ._errors import ClusterError, first_line

#: How often a task may be lost with its worker before it is to blame.
ATTEMPTS = 5
#: Seconds to wait for a finished task before looking around.
GLANCE = 0.1


@dataclass(frozen=True)
class Lost:
    """In place of an answer: the worker is gone."""

    why: str


class Engine(Protocol):
    """Whoever runs tasks."""

    def room(self) -> int:
        """How many tasks may be under way now."""
        ...

    def submit(self, task: Any, memory: int) -> None:
        """Starts a task that takes so many bytes."""
        ...

    def finished(self, seconds: float) -> list[tuple[Any, Any]]:
        """Tasks that ended, each with its answer, an exception or :class:`Lost`; waits for the first."""
        ...

    def under_way(self) -> int:
        """Tasks that have not ended."""
        ...

    def nodes(self) -> int:
        """Machines that are alive."""
        ...

    def cancel(self) -> None:
        """Gives up all tasks."""
        ...


class Evaluating(Protocol):
    """The library's side: ``bgcn._bgcn.Evaluation``."""

    def pending(self, most: int, seconds: float) -> list[tuple[str, int]] | None: ...

    def record(self, lines: list[str]) -> None: ...

    def progress(self) -> dict[str, Any]: ...


@dataclass
class Counts:
    """What happened on the way."""

    #: Tasks handed out, those of lost ones again included.
    started: int = 0
    #: Tasks that were lost with their worker and handed out again.
    repeated: int = 0
    #: Most tasks under way at a time.
    most: int = 0
    _tries: dict[str, int] = field(default_factory=dict, repr=False)


@dataclass
class News:
    """For whoever watches."""

    study: str
    done: int
    reused: int
    of: int
    nodes: int
    under_way: int
    repeated: int


def drive(evaluation: Evaluating, engine: Engine, told: Callable[[News], None] | None = None) -> Counts:
    """Has every trial of the evaluation carried out."""
    counts = Counts()
    again: deque[tuple[str, int]] = deque()
    memory: dict[str, int] = {}
    next_news = 0.0
    try:
        while True:
            room = engine.room() - engine.under_way()
            while again and room > 0:
                _start(engine, counts, memory, *again.popleft())
                room -= 1
            if room > 0:
                # Nothing under way: wait for the library, which may be between two studies.
                fresh = evaluation.pending(room, 0.0 if engine.under_way() else GLANCE)
                if fresh is None:
                    break
                for item, size in fresh:
                    _start(engine, counts, memory, item, size)
            counts.most = max(counts.most, engine.under_way())
            lines: list[str] = []
            for item, answer in engine.finished(GLANCE):
                size = memory.pop(item)
                if isinstance(answer, Lost):
                    _lost(counts, item, answer)
                    again.append((item, size))
                elif isinstance(answer, BaseException):
                    evaluation.record(lines)
                    raise answer
                else:
                    counts._tries.pop(item, None)
                    lines.append(answer)
            if lines:
                evaluation.record(lines)
            if told is not None and time.monotonic() >= next_news:
                next_news = time.monotonic() + 0.25
                told(_news(evaluation, engine, counts))
    finally:
        engine.cancel()
    return counts


def _start(engine: Engine, counts: Counts, memory: dict[str, int], item: str, size: int) -> None:
    memory[item] = size
    counts.started += 1
    engine.submit(item, size)


def _lost(counts: Counts, item: str, lost: Lost) -> None:
    counts.repeated += 1
    tries = counts._tries[item] = counts._tries.get(item, 0) + 1
    if tries >= ATTEMPTS:
        found = json.loads(item)
        raise ClusterError(
            f"trial {json.dumps(found['key'])} of the study {found['study']} was lost {tries} times, each time with "
            f"its worker; the last time: {first_line(lost.why)}. Look for nodes that run out of memory"
        )


def _news(evaluation: Evaluating, engine: Engine, counts: Counts) -> News:
    found = evaluation.progress()
    return News(
        study=found["study"],
        done=found["done"],
        reused=found["reused"],
        of=found["of"],
        nodes=engine.nodes(),
        under_way=engine.under_way(),
        repeated=counts.repeated,
    )
