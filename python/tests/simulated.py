"""An engine of simulated workers that fail now and then, and an evaluation whose trials cost nothing."""

from __future__ import annotations

import heapq
import json
import random
import time
from typing import Any

from bgcn import _bgcn
from bgcn.cluster._drive import Lost

OUTCOME = {"accuracy": 0.5, "nll": 1.0, "ece": 0.1, "brier": 0.5, "scaled": None}


class Simulated:
    """So many workers, in a time of its own: a trial takes 0.25 to 1.25 s of it, a share of them is lost."""

    def __init__(self, workers: int, lost: float = 0.01, seed: int = 1, paced: bool = False) -> None:
        self._workers, self._share, self._paced = workers, lost, paced
        self._random = random.Random(seed)
        self._now = time.monotonic() if paced else 0.0
        #: By the time at which they end.
        self._running: list[tuple[float, int, str]] = []
        self.started = self.lost = 0

    def room(self) -> int:
        return 2 * self._workers

    def nodes(self) -> int:
        return self._workers // 16

    def under_way(self) -> int:
        return len(self._running)

    def submit(self, task: str, memory: int) -> None:
        assert memory > 0
        self.started += 1
        heapq.heappush(self._running, (self._now + self._random.uniform(0.25, 1.25), self.started, task))

    def finished(self, seconds: float) -> list[tuple[Any, Any]]:
        """What ends in the next hundredth of a second, of its own time or of ours."""
        if self._paced:
            time.sleep(0.01)
            self._now = time.monotonic()
        else:
            self._now += 0.01
        ended = []
        while self._running and self._running[0][0] <= self._now:
            _, _, task = heapq.heappop(self._running)
            gone = self._random.random() < self._share
            self.lost += gone
            ended.append((task, Lost("its node went away") if gone else line_of(task)))
        return ended

    def cancel(self) -> None:
        self._running.clear()


def line_of(task: str) -> str:
    """The line that a worker would send."""
    item = json.loads(task)
    line = {"study": item["study"], "settings": item["settings"], "seed": 0, "version": _bgcn.__version__}
    return json.dumps({**line, "processor": "simulated", "key": item["key"], "outcome": OUTCOME, "seconds": 0.25})


def evaluation(out: Any, runs: int) -> _bgcn.Evaluation:
    """Two trials for every run."""
    words = ["karate", f"--runs={runs}", "--methods=gcn,gcn+copying", "--labels-per-class=3", f"--out={out}", "--quiet"]
    return _bgcn.Evaluation(words)
