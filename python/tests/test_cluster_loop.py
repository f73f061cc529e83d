"""The driver's loop, fed by a simulated engine: every trial once in the log, whatever is lost on the way."""

from __future__ import annotations

import json

import bgcn
import pytest
import simulated
from bgcn import _bgcn
from bgcn.cluster._drive import ATTEMPTS, News, drive
from bgcn.cluster._errors import ClusterError
from bgcn.cluster._screen import Screen


def keys_of(folder) -> list[str]:
    """The trials of a log, as often as they are there."""
    return [json.dumps(json.loads(line)["key"]) for line in (folder / "trials.jsonl").read_text().splitlines()]


def test_a_thousand_workers_that_fail_now_and_then_run_every_trial_once(tmp_path):
    evaluation, engine = simulated.evaluation(tmp_path, runs=1500), simulated.Simulated(1000)
    counts = drive(evaluation, engine)
    found = json.loads(evaluation.finish()[0])
    keys = keys_of(tmp_path)
    assert len(keys) == len(set(keys)) == found["trials_run"] == 3000
    assert counts.repeated == engine.lost > 0
    assert counts.started == 3000 + counts.repeated
    assert counts.most <= 2000, "no more under way than there is room"
    assert not counts._tries, "what is finished is forgotten"
    progress = evaluation.progress()
    assert progress["groups"] < progress["lines"] == 3000, "lines share a sync"


def test_an_evaluation_that_was_left_goes_on_from_its_log(tmp_path):
    first = simulated.evaluation(tmp_path, runs=20)
    items = first.pending(7, 10.0)
    assert items is not None
    first.record([simulated.line_of(item) for item, _ in items])
    first.stop()
    assert len(keys_of(tmp_path)) == 7
    evaluation = simulated.evaluation(tmp_path, runs=20)
    drive(evaluation, simulated.Simulated(3))
    found = json.loads(evaluation.finish()[0])
    assert (found["trials_run"], found["trials_reused"]) == (33, 7)
    assert len(set(keys_of(tmp_path))) == 40


def test_a_trial_that_is_always_lost_is_named(tmp_path):
    evaluation = simulated.evaluation(tmp_path, runs=2)
    with pytest.raises(ClusterError, match=rf"(?s)karate.*lost {ATTEMPTS} times.*its node went away"):
        drive(evaluation, simulated.Simulated(2, lost=1.0))
    evaluation.stop()


class Failing(simulated.Simulated):
    """The third answer is an exception."""

    def finished(self, seconds):
        found = super().finished(seconds)
        return [(task, ValueError("no such thing") if self.started > 2 else answer) for task, answer in found]


def test_a_trial_that_raises_ends_the_evaluation_with_its_reason(tmp_path):
    evaluation = simulated.evaluation(tmp_path, runs=5)
    with pytest.raises(ValueError, match="no such thing"):
        drive(evaluation, Failing(2))
    evaluation.stop()
    with pytest.raises(RuntimeError, match="ended already"):
        evaluation.finish()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": "9.9"}, r"its version is 9\.9, where .* same version of bgcn on every machine"),
        ({"settings": "0" * 16}, "its settings are 0000"),
        ({"seed": 7}, "its seed is 7"),
        ({"outcome": {**simulated.OUTCOME, "accuracy": 2.0}}, "accuracy is 2"),
    ],
)
def test_a_line_that_no_worker_of_this_evaluation_gives_is_refused(tmp_path, change, reason):
    evaluation = simulated.evaluation(tmp_path, runs=2)
    items = evaluation.pending(1, 10.0)
    assert items is not None
    evaluation.record([json.dumps({**json.loads(simulated.line_of(items[0][0])), **change})])
    while evaluation.pending(10, 1.0) is not None:
        pass
    with pytest.raises((ValueError, RuntimeError), match=f"(?s){reason}"):
        evaluation.finish()
    assert keys_of(tmp_path) == []


def test_lines_of_a_bench_are_those_of_one_machine(tmp_path):
    words = ["karate", "--runs=2", "--methods=gcn", "--labels-per-class=3", "--quiet"]
    evaluation = _bgcn.Evaluation([*words, f"--out={tmp_path / 'there'}"])
    bench = _bgcn.Bench(evaluation.text, evaluation.datasets(), 1)
    while (items := evaluation.pending(8, 1.0)) is not None:
        evaluation.record([bench.run(item) for item, _ in items])
    there = json.loads(evaluation.finish()[0])
    here = bgcn.reproduce("karate", runs=2, methods="gcn", labels_per_class=3, out=tmp_path / "here")
    assert there["tables"] == here.tables
    with pytest.raises(ValueError, match="cannot be read"):
        bench.run("{}")
    with pytest.raises(ValueError, match="same version of bgcn"):
        _bgcn.Bench("{}", {}, 1)


def test_progress_tells_nodes_tasks_and_the_time_left():
    screen = Screen(quiet=True)
    screen(News("accuracy", 10, 10, 400, 3, 6, 0))
    text = screen.text(News("accuracy", 110, 10, 400, 3, 6, 2), 50.0)
    assert text == "accuracy 110/400 trials · 3 nodes, 6 under way · 2 run again · 0:50 gone, 2:25 left"
