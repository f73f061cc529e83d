"""The paper's evaluation on a cluster: the driver has data and log, tasks run shares of the trials."""

from __future__ import annotations

import json
import pickle
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _bgcn
from .._data import Dataset
from .._reproduce import Results, results_of, words_of
from ._errors import ClusterError, check_version, first_line
from ._executor import Lost, Part

#: The files of a log.
TRIALS, SETTINGS = "trials.jsonl", "settings.jsonl"
#: Shares for every worker: the more, the less is lost with one, and the less the slowest is waited for.
PER_WORKER = 16


@dataclass(eq=False)
class Shard(Part):
    """A share of the trials, `i/n`."""

    name: str = ""

    def __str__(self) -> str:
        return f"shard {self.name}"


@dataclass
class Counts:
    """What happened on the way."""

    #: Trials that were new.
    trials: int = 0
    #: Shares that were lost with their worker and ran again.
    repeated: int = 0
    #: Whether nothing but the results is to be printed.
    quiet: bool = False


@dataclass(frozen=True)
class Where:
    """Who runs the shares."""

    #: ``ray`` or ``joblib``.
    backend: str = "ray"
    #: Of a Ray cluster.
    address: str | None = None
    #: Processes of joblib.
    n_jobs: int | None = None
    #: Processors, and so threads, of each share.
    cpus: int = 1

    @contextmanager
    def executor(self) -> Iterator[Any]:
        """It has ``workers`` and ``run``."""
        if self.backend == "joblib":
            if self.address is not None:
                raise ValueError("address is of a Ray cluster; leave it out, or take backend='ray'")
            from ._joblib import JoblibExecutor

            yield JoblibExecutor(self.n_jobs)
        elif self.backend == "ray":
            if self.n_jobs is not None:
                raise ValueError("n_jobs is of joblib; leave it out, or take backend='joblib'")
            from ._ray import RayExecutor, joined

            with joined(self.address) as ray:
                yield RayExecutor(ray, self.cpus)
        else:
            raise ValueError(f"backend is {self.backend!r}; choose ray or joblib")


def evaluate(words: list[str], where: Where) -> Counts:
    """Runs the trials of ``bgcn reproduce`` with these arguments; the log in its folder keeps what is finished."""
    evaluation = _bgcn.Evaluation(words)
    screen = Screen(evaluation.quiet)
    counts = Counts(quiet=evaluation.quiet)
    try:
        data = {name: Dataset._made(core, None, None) for name, core in evaluation.datasets().items()}
        asked = pickle.dumps((evaluation.text, data))
        with where.executor() as executor:
            follows = True
            while follows:
                before = counts.trials
                # A study that follows from another begins when all shards have the log of that.
                follows = _round(evaluation, asked, where.cpus, executor, counts, screen)
                if follows and counts.trials == before:
                    raise ClusterError("a study waits for trials that no shard runs; please report this fault")
    finally:
        screen.close()
        evaluation.close()
    return counts


def _round(
    evaluation: _bgcn.Evaluation, asked: bytes, cpus: int, executor: Any, counts: Counts, screen: Screen
) -> bool:
    """Runs every shard once, with the log so far; whether there is more to run."""
    number = PER_WORKER * executor.workers
    shards = [Shard(cpus * evaluation.memory, name=f"{i}/{number}") for i in range(1, number + 1)]
    before = {name: Path(evaluation.out, name).read_bytes() for name in (TRIALS, SETTINGS)}
    follows = False
    shared = (_bgcn.__version__, asked, before, cpus)
    with closing(executor.run(run_shard, shared, shards)) as found:
        for done, (shard, answer) in enumerate(found, start=1):
            if isinstance(answer, Lost):
                raise ClusterError(
                    f"{shard} was lost {shard.tries} times, each time with its worker; the last time: "
                    f"{first_line(answer.why)}. Look for nodes that run out of memory"
                )
            follows |= answer[0]
            counts.trials += _taken(evaluation, answer[1])
            counts.repeated += shard.tries
            screen(done, number, counts.repeated)
    return follows


def _taken(evaluation: _bgcn.Evaluation, log: dict[str, bytes]) -> int:
    """Takes the log of a share into that of the evaluation; how many trials were new."""
    with tempfile.TemporaryDirectory(prefix="bgcn-shard-") as folder:
        for name, content in log.items():
            Path(folder, name).write_bytes(content)
        return evaluation.take(folder)


def run_shard(
    version: str, asked: bytes, before: dict[str, bytes], threads: int, shard: Shard
) -> tuple[bool, dict[str, bytes]]:
    """On a worker: what the log does not have of a share. Whether all shares must run again, and its log."""
    check_version(version)
    text, data = pickle.loads(asked)
    with tempfile.TemporaryDirectory(prefix="bgcn-shard-") as folder:
        for name, content in before.items():
            Path(folder, name).write_bytes(content)
        follows = _bgcn.run_shard(text, data, shard.name, folder, threads)
        log = {name: Path(folder, name).read_bytes() for name in before}
    return follows, log | {TRIALS: log[TRIALS][len(before[TRIALS]) :]}


def reproduce(
    *what: str,
    runs: int = 50,
    methods: str | Sequence[str] | None = None,
    labels_per_class: int | Sequence[int] = (5, 10, 20),
    split: str | Sequence[str] | None = None,
    seed: int = 0,
    out: str | Path = "bgcn-results",
    data_dir: str | Path | None = None,
    verbose: bool = False,
    backend: str = "ray",
    address: str | None = None,
    n_jobs: int | None = None,
    cpus_per_shard: int = 1,
    options: Sequence[str] = (),
) -> Results:
    """:func:`bgcn.reproduce` on a cluster: the same log, the same resume, the same tables.

    Parameters
    ----------
    backend : {'ray', 'joblib'}
        Who runs shares of the trials.
    address : str
        With Ray: ``auto`` for the cluster that this machine is part of, ``ray://host:10001`` for another; without it
        Ray is started on this machine and stopped in the end.
    n_jobs : int
        With joblib: processes; None for one per core.
    cpus_per_shard : int
        Processors, and so threads, of each share: so many trials run at a time.
    options : list of str
        Further options of the command, such as ``["--recheck=20"]``.
    """
    given: dict[str, Any] = {"runs": runs, "methods": methods or None, "split": split or None}
    given |= {"labels_per_class": labels_per_class, "seed": seed, "out": out, "data_dir": data_dir}
    words = [*words_of(*what, verbose=verbose, **given), *options]
    counts = evaluate(words, Where(backend, address, n_jobs, cpus_per_shard))
    found = json.loads(_bgcn.reproduce(words))
    found["trials_run"] += counts.trials
    found["trials_reused"] -= counts.trials
    return results_of(found)


class Screen:
    """Shows on a terminal how many shards are done."""

    def __init__(self, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()
        self._since = time.monotonic()

    def __call__(self, done: int, of: int, repeated: int) -> None:
        if self._shown:
            sys.stderr.write(f"\r\x1b[K{progress(done, of, repeated, time.monotonic() - self._since)}")
            sys.stderr.flush()

    def close(self) -> None:
        """Takes the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def progress(done: int, of: int, repeated: int, seconds: float) -> str:
    """``12/48 shards · 1 run again · 0:40 elapsed, 2:00 remaining``."""
    again = f" · {repeated} run again" if repeated else ""
    return f"{done}/{of} shards{again} · {_clock(seconds)} elapsed, {_clock(seconds / done * (of - done))} remaining"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
