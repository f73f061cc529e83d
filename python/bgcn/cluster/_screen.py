"""Live progress: one line on a terminal."""

from __future__ import annotations

import sys
import time

from ._drive import News


class Screen:
    """Shows how far an evaluation is, where somebody watches."""

    def __init__(self, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()
        self._study, self._since, self._first = "", 0.0, 0

    def __call__(self, news: News) -> None:
        if news.study != self._study:
            # Trials from the log took no time now: the speed is measured from here on.
            self._study, self._since, self._first = news.study, time.monotonic(), news.done
        if self._shown:
            sys.stderr.write(f"\r\x1b[K{self.text(news, time.monotonic() - self._since)}")
            sys.stderr.flush()

    def text(self, news: News, seconds: float) -> str:
        """``accuracy 12/400 trials · 3 nodes, 6 under way · 0:40 gone, 2:10 left``."""
        parts = [f"{news.study} {news.done}/{news.of} trials", f"{news.nodes} nodes, {news.under_way} under way"]
        if news.repeated:
            parts.append(f"{news.repeated} run again")
        now = news.done - self._first
        left = f", {_clock(seconds / now * (news.of - news.done))} left" if now > 0 else ""
        return " · ".join([*parts, f"{_clock(seconds)} gone{left}"])

    def close(self) -> None:
        """Takes the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
