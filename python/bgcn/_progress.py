"""Progress bars: tqdm's where it is installed, else a line on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Watch = Callable[[str, int, int], object]


class Bar:
    """Shows one phase after another."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._phase = ""
        self._tqdm: Any = None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            pass
        else:
            self._tqdm = tqdm

    def __call__(self, phase: str, done: int, total: int) -> None:
        if self._tqdm is None:
            sys.stderr.write(f"\r{phase:>12} {done}/{total} ")
            sys.stderr.flush()
            return
        if phase != self._phase:
            self.close()
            self._bar, self._phase = self._tqdm(desc=phase, total=total, leave=False), phase
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Takes it off the screen."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        elif self._tqdm is None:
            sys.stderr.write("\r" + " " * 40 + "\r")


@contextmanager
def watching(verbose: bool, callback: Watch | None = None) -> Iterator[Watch | None]:
    """What is called with the progress."""
    if not verbose:
        yield callback
        return
    bar = Bar()

    def both(phase: str, done: int, total: int) -> object:
        bar(phase, done, total)
        return callback(phase, done, total) if callback is not None else None

    try:
        yield both
    finally:
        bar.close()
