"""An engine of simulated workers that fail now and then."""

from __future__ import annotations

import heapq
import random
from typing import Any

from bgcn.cluster._executor import Lost


class Simulated:
    """So many workers, in a time of its own: a part takes 0.25 to 1.25 s of it, a share of them is lost."""

    def __init__(self, workers: int, lost: float = 0.01, seed: int = 1) -> None:
        self._workers, self._share = workers, lost
        self._random = random.Random(seed)
        self._now = 0.0
        #: By the time at which they end.
        self._running: list[tuple[float, int, Any]] = []
        self.started = self.lost = self.most = 0

    def room(self) -> int:
        return 2 * self._workers

    def under_way(self) -> int:
        return len(self._running)

    def submit(self, task: Any, memory: int) -> None:
        assert memory > 0
        self.started += 1
        heapq.heappush(self._running, (self._now + self._random.uniform(0.25, 1.25), self.started, task))
        self.most = max(self.most, len(self._running))

    def finished(self, seconds: float) -> list[tuple[Any, Any]]:
        """What ends in the next hundredth of a second."""
        self._now += 0.01
        ended = []
        while self._running and self._running[0][0] <= self._now:
            _, _, task = heapq.heappop(self._running)
            lost = self._random.random() < self._share
            self.lost += lost
            ended.append((task, Lost("its node went away") if lost else f"answer to {task.name}"))
        return ended

    def cancel(self) -> None:
        self._running.clear()
