"""Runs independent parts as tasks of an engine, which may lose any of them with its worker."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from ._ray import RayEngine

#: How often a part may be lost with its worker.
ATTEMPTS = 5
#: Seconds to wait for a finished part before looking around.
POLL = 0.1


@dataclass(eq=False)
class Part:
    """What a task runs."""

    #: Bytes that it takes.
    memory: int = 0
    #: How often it was lost.
    tries: int = 0

    def again(self) -> list[Any]:
        """What runs in its place after a loss."""
        return [self]


_Part = TypeVar("_Part", bound=Part)


@dataclass(frozen=True)
class Lost:
    """In place of an answer: the worker ended, or its node did."""

    why: str


def run_parts(engine: RayEngine, parts: Iterator[_Part | None]) -> Generator[tuple[_Part, Any], None, None]:
    """Every part with its answer, as they come.

    Parts are asked for when there is room; None means that there is none for now. A part that is lost runs again; after
    ``ATTEMPTS`` times :class:`Lost` is its answer. An exception is raised, and ends all.
    """
    again: deque[_Part] = deque()
    more = True
    try:
        while more or again or engine.under_way():
            while (more or again) and engine.under_way() < engine.room():
                part: Any = again.popleft() if again else next(parts, Lost)
                if part is None:
                    break
                if part is Lost:
                    more = False
                else:
                    engine.submit(part, part.memory)
            for part, answer in engine.finished(POLL):
                if isinstance(answer, BaseException):
                    raise answer
                if isinstance(answer, Lost):
                    part.tries += 1
                    if part.tries < ATTEMPTS:
                        again.extend(part.again())
                        continue
                yield part, answer
    finally:
        engine.cancel()
