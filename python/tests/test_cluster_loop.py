"""The loop that runs parts, fed by a simulated engine, and shards of an evaluation without a cluster."""

from __future__ import annotations

import json
import pickle
from typing import Any

import bgcn
import pytest
import simulated
from bgcn import _bgcn
from bgcn import cluster as on
from bgcn.cluster._executor import ATTEMPTS, Lost, run_parts
from bgcn.cluster._reproduce import SETTINGS, TRIALS, Shard, Where, evaluate, progress, run_shard

GIVEN: dict[str, Any] = {"runs": 4, "methods": ["gcn"], "labels_per_class": [3]}


def shards(count: int) -> Any:
    return (Shard(1, name=str(number)) for number in range(count))


def test_a_thousand_workers_that_fail_now_and_then_answer_every_part_once():
    engine = simulated.Simulated(1000)
    answers = [answer for _, answer in run_parts(engine, shards(5000))]
    assert len(answers) == 5000
    assert set(answers) == {f"answer to {number}" for number in range(5000)}
    assert engine.started == 5000 + engine.lost
    assert engine.lost > 0
    assert engine.most <= engine.room(), "no more under way than there is room"


def test_a_part_that_is_always_lost_is_answered_by_its_loss():
    engine = simulated.Simulated(2, lost=1.0)
    found = list(run_parts(engine, shards(3)))
    assert all(isinstance(answer, Lost) and part.tries == ATTEMPTS for part, answer in found)
    assert (len(found), engine.started) == (3, 3 * ATTEMPTS)


class Failing(simulated.Simulated):
    """From the third answer on, exceptions."""

    def finished(self, seconds):
        found = super().finished(seconds)
        return [(task, ValueError("no such thing") if self.started > 2 else answer) for task, answer in found]


def test_a_part_that_raises_ends_the_others_with_its_reason():
    engine = Failing(2)
    with pytest.raises(ValueError, match="no such thing"):
        list(run_parts(engine, shards(50)))
    assert engine.under_way() == 0


def test_parts_are_asked_for_when_there_is_room_and_may_be_held_back():
    asked = 0

    def endless():
        nonlocal asked
        while True:
            yield None
            for shard in shards(3):
                asked += 1
                yield shard

    found = run_parts(simulated.Simulated(5), endless())
    for _ in range(10):
        next(found)
    assert asked <= 10 + 10
    found.close()


def words(out: Any) -> list[str]:
    return ["karate", "--runs=4", "--methods=gcn", "--labels-per-class=3", f"--out={out}", "--quiet"]


def log_keys(folder: Any) -> list[str]:
    """The trials of a log, as often as they are there."""
    return [json.dumps(json.loads(line)["key"]) for line in (folder / TRIALS).read_text().splitlines()]


def shard_of(evaluation: Any, name: str, version: str = _bgcn.__version__) -> Any:
    """What a worker answers."""
    data = {name: bgcn.Dataset._made(core, None, None) for name, core in evaluation.datasets().items()}
    before = {name: (evaluation.out / name).read_bytes() for name in (TRIALS, SETTINGS)}
    return run_shard(version, pickle.dumps((evaluation.text, data)), before, 1, Shard(name=name))


def taken(evaluation: Any, folder: Any, log: dict[str, bytes]) -> int:
    folder.mkdir(exist_ok=True)
    for name, content in log.items():
        (folder / name).write_bytes(content)
    return evaluation.take(folder)


def test_a_driver_that_was_killed_runs_no_trial_of_its_log_again(tmp_path):
    out, shard = tmp_path / "out", tmp_path / "shard"
    first = _bgcn.Evaluation(words(out))
    assert first.memory > 0
    follows, log = shard_of(first, "1/2")
    assert (follows, taken(first, shard, log), taken(first, shard, log)) == (False, 2, 0)
    with pytest.raises(ValueError, match="in use"):
        _bgcn.Evaluation(words(out))
    first.close()
    counts = evaluate(words(out), Where("joblib", n_jobs=1))
    assert counts.trials == 2
    assert len(set(log_keys(out))) == len(log_keys(out)) == 4
    wanted = bgcn.reproduce("karate", **GIVEN, out=tmp_path / "alone")
    found = bgcn.reproduce("karate", **GIVEN, out=out)
    assert (found.tables, found.trials_run) == (wanted.tables, 0)


def test_a_log_of_other_seeds_is_kept(tmp_path):
    bgcn.reproduce("karate", **GIVEN, seed=1, out=tmp_path)
    assert evaluate(words(tmp_path), Where("joblib", n_jobs=1)).trials == 4
    assert bgcn.reproduce("karate", **GIVEN, seed=1, out=tmp_path).trials_reused == 4


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"settings": "0" * 16}, "settings 0000"),
        ({"outcome": {"accuracy": 2.0, "nll": 1.0, "ece": 0.1, "brier": 0.5, "scaled": None}}, "accuracy is 2"),
        ({"study": "other"}, "no study `other`"),
    ],
)
def test_a_line_that_no_trial_gives_is_refused(tmp_path, change, reason):
    evaluation = _bgcn.Evaluation(words(tmp_path / "out"))
    _, log = shard_of(evaluation, "1/4")
    wrong = {**json.loads(log[TRIALS].splitlines()[0]), **change}
    with pytest.raises(ValueError, match=reason):
        taken(evaluation, tmp_path / "shard", log | {TRIALS: json.dumps(wrong).encode() + b"\n"})
    assert log_keys(tmp_path / "out") == []
    evaluation.close()
    with pytest.raises(RuntimeError, match="closed"):
        evaluation.take(tmp_path / "shard")


def test_a_worker_of_another_version_is_refused_by_name(tmp_path):
    evaluation = _bgcn.Evaluation(words(tmp_path))
    with pytest.raises(on.VersionMismatch, match=r"has bgcn .*, but the driver has 9\.9; install the same"):
        shard_of(evaluation, "1/4", version="9.9")
    with pytest.raises(ValueError, match="same version of bgcn"):
        _bgcn.run_shard("{}", {}, "1/2", tmp_path / "other", 1)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_tables_of_joblib_are_those_of_one_machine(tmp_path, backend):
    joblib = pytest.importorskip("joblib")
    with joblib.parallel_config(backend=backend):
        found = on.reproduce("karate", **GIVEN, out=tmp_path / "there", backend="joblib", n_jobs=2)
    wanted = bgcn.reproduce("karate", **GIVEN, out=tmp_path / "here")
    assert (found.tables, found.trials_run, found.trials_reused) == (wanted.tables, 4, 0)
    again = on.reproduce("karate", **GIVEN, out=tmp_path / "there", backend="joblib", n_jobs=2)
    assert (again.trials_run, again.trials_reused) == (0, 4)


def dying(marks: Any, always: bool, shard: Shard) -> str:
    """Kills its process, once or always, where it is the second shard."""
    mark = marks / "died"
    if shard.name == "1" and (always or not mark.exists()):
        import os
        import signal

        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return shard.name


def test_a_killed_process_of_joblib_costs_what_it_was_running(tmp_path):
    pytest.importorskip("joblib")
    from bgcn.cluster._joblib import JoblibExecutor

    found = JoblibExecutor(2).run(dying, (tmp_path, False), list(shards(6)))
    assert sorted(answer for _, answer in found) == [str(number) for number in range(6)]
    with pytest.raises(on.ClusterError, match=rf"(?s)one of .*shard 1.* was lost {ATTEMPTS} times"):
        list(JoblibExecutor(2).run(dying, (tmp_path, True), list(shards(2))))


@pytest.mark.parametrize(
    "given", [{"backend": "dask"}, {"backend": "joblib", "address": "auto"}, {"backend": "ray", "n_jobs": 2}]
)
def test_what_does_not_go_together_is_refused(tmp_path, given):
    with pytest.raises(ValueError, match=r"backend"):
        on.reproduce("karate", **GIVEN, out=tmp_path, **given)
    with pytest.raises(ValueError, match="--shard and --merge are for runs by hand"):
        on.reproduce("karate", **GIVEN, out=tmp_path, options=["--shard=1/2"])


def test_progress_has_shards_losses_and_times():
    assert progress(12, 48, 0, 50.0) == "12/48 shards · 0:50 elapsed, 2:30 remaining"
    assert progress(1, 3, 2, 3600.0) == "1/3 shards · 2 run again · 1:00:00 elapsed, 2:00:00 remaining"
