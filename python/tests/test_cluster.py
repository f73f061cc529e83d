"""Three Ray nodes on this machine, reachable from it alone: the same tables and bytes as without, whatever dies."""

from __future__ import annotations

import json
import operator
import os
import pickle
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import bgcn
import numpy as np
import pytest
from bgcn import cluster as on
from bgcn.cluster import _errors, _many, _ray
from bgcn.cluster._reproduce import Counts, Where, run_shard

# Read when Ray is imported: addresses of this machine alone, a random token, no statistics.
os.environ.update(
    RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0",
    RAY_AUTH_MODE="token",
    RAY_AUTH_TOKEN=secrets.token_hex(32),
    RAY_USAGE_STATS_ENABLED="0",
)
ray = pytest.importorskip("ray", reason="Ray is not installed, so what needs a cluster is left out: bgcn[cluster]")

NODE = {"num_cpus": 2, "memory": 1 << 30, "object_store_memory": 100 << 20, "node_ip_address": "127.0.0.1"}
QUICK = {"settings": {"schedule.pretraining": 30, "schedule.draws": 6, "schedule.averaged": 3}}


def children(pid: int) -> list[int]:
    """Processes that a process started."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def processes(node: Any) -> list[int]:
    """Every process of a node, with the workers."""
    own = [info.process.pid for infos in node.all_processes.values() for info in infos]
    return [*own, *(child for pid in own for child in children(pid))]


@pytest.fixture(scope="module", autouse=True)
def bounded():
    """Nothing here waits for ever: all tests together have less than four minutes, then ten seconds each."""

    def late(*_: Any) -> None:
        signal.alarm(10)
        raise TimeoutError("the tests of clusters took more than 220 s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(220)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def nodes():
    """A cluster; whatever a test leaves is ended by its id."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    started: list[int] = []
    try:
        for _ in range(2):
            made.add_node(**NODE)
        ray.init(address=made.address, log_to_driver=False, logging_level="error")
        yield made
    finally:
        for node in made.list_all_nodes():
            started += processes(node)
        ray.shutdown()
        made.shutdown()
        for pid in started:
            with_id = Path(f"/proc/{pid}/cmdline")
            if with_id.exists() and b"ray" in with_id.read_bytes():
                os.kill(pid, signal.SIGKILL)


def words(out: Path, *more: str) -> list[str]:
    """An evaluation of seconds: 24 trials."""
    return [
        "demo",
        "--runs=6",
        "--methods=gcn,gcn+copying",
        "--labels-per-class=5,10",
        f"--out={out}",
        "--quiet",
        *more,
    ]


@pytest.fixture(scope="module")
def wanted(tmp_path_factory) -> list[dict[str, Any]]:
    """Its tables on one machine."""
    out = tmp_path_factory.mktemp("alone")
    given: dict[str, Any] = {"runs": 6, "methods": "gcn,gcn+copying", "labels_per_class": [5, 10], "out": out}
    return bgcn.reproduce("demo", **given).tables


def evaluate(out: Path, *more: str) -> Counts:
    """The same on the cluster."""
    from bgcn.cluster._reproduce import evaluate

    return evaluate(words(out, *more), Where())


def tables(out: Path) -> Any:
    """Of a log that has every trial."""
    found = json.loads(bgcn._bgcn.reproduce(words(out)))
    assert found["trials_run"] == 0
    return found["tables"]


def log_keys(out: Path) -> list[str]:
    """The trials of a log."""
    return [json.dumps(json.loads(line)["key"]) for line in (out / "trials.jsonl").read_text().splitlines()]


def test_tables_of_three_nodes_are_those_of_one_machine(nodes, wanted, tmp_path):
    counts = evaluate(tmp_path)
    assert (counts.trials, counts.repeated) == (24, 0)
    assert tables(tmp_path) == wanted
    given: dict[str, Any] = {"runs": 6, "methods": "gcn,gcn+copying", "labels_per_class": [5, 10]}
    again = on.reproduce("demo", **given, out=tmp_path, options=["--recheck=2"])
    assert (again.tables, again.trials_run, again.trials_reused) == (wanted, 0, 24)
    assert (tmp_path / "report.html").exists()


def test_studies_in_two_steps_find_their_targets(nodes, tmp_path):
    given: dict[str, Any] = {"runs": 1, "methods": ["gcn"], "labels_per_class": [5]}
    alone = bgcn._bgcn.reproduce(["attack-demo", "--evasion", "--runs=1", "--methods=gcn", f"--out={tmp_path}/a", "-q"])
    found = on.reproduce("attack-demo", **given, out=tmp_path / "b", options=["--evasion"])
    assert found.tables == json.loads(alone)["tables"]


def test_a_lost_node_and_a_killed_worker_cost_the_shards_they_were_running(nodes, wanted, tmp_path, monkeypatch):
    extra = nodes.add_node(**NODE)
    state = {"killed": False, "removed": False}
    finished = _ray.RayEngine.finished

    def trouble(self, seconds):
        found = finished(self, seconds)
        lines = len(log_keys(tmp_path))
        if lines >= 2 and not state["killed"]:
            mine = [pid for node in nodes.list_all_nodes() for pid in processes(node)]
            busy = [pid for pid in mine if b"ray::run_shard" in Path(f"/proc/{pid}/cmdline").read_bytes()]
            if busy:
                os.kill(busy[0], signal.SIGKILL)
                state["killed"] = True
        if lines >= 6 and not state["removed"]:
            nodes.remove_node(extra, allow_graceful=False)
            state["removed"] = True
        return found

    monkeypatch.setattr(_ray.RayEngine, "finished", trouble)
    counts = evaluate(tmp_path)
    assert state == {"killed": True, "removed": True}
    assert tables(tmp_path) == wanted
    assert len(log_keys(tmp_path)) == len(set(log_keys(tmp_path))) == counts.trials == 24
    assert counts.repeated >= 1


def test_a_shard_that_keeps_dying_is_named(nodes, tmp_path, monkeypatch):
    def deadly(version, asked, before, threads, shard):
        if shard.name.startswith("2/"):
            os.kill(os.getpid(), signal.SIGKILL)
        return run_shard(version, asked, before, threads, shard)

    monkeypatch.setattr("bgcn.cluster._reproduce.run_shard", deadly)
    monkeypatch.setattr("bgcn.cluster._executor.ATTEMPTS", 2)
    with pytest.raises(on.ClusterError, match=r"shard 2/\d+ was lost 2 times, each time with its worker"):
        evaluate(tmp_path)


def test_a_killed_driver_goes_on_where_it_was(nodes, wanted, tmp_path):
    command = [
        sys.executable,
        "-m",
        "bgcn.cluster",
        "reproduce",
        *words(tmp_path),
        f"--address={nodes.address}",
        "--json",
    ]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 90
        while time.monotonic() < until and first.poll() is None:
            if (tmp_path / "trials.jsonl").exists() and len(log_keys(tmp_path)) >= 3:
                break
            time.sleep(0.02)
    finally:
        first.kill()
        first.wait()
    before = len(log_keys(tmp_path))
    assert before >= 3
    again = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    # The last line, as --json promises: Ray may report dead nodes before.
    found = json.loads(again.stdout.splitlines()[-1])
    assert found["tables"] == wanted
    assert (found["trials_run"], found["trials_reused"]) == (0, 24)
    assert len(log_keys(tmp_path)) == len(set(log_keys(tmp_path))) == 24


def test_a_fit_has_the_threads_that_were_asked_for(nodes):
    found = list(on.fit_many(jobs(2), cpus_per_fit=2, take=operator.attrgetter("n_jobs")))
    assert [fit.value for fit in found] == [2, 2]


def test_a_task_asks_for_memory_and_is_refused_where_no_node_has_it(nodes):
    engine = _ray.RayEngine(ray, run_shard, ())
    with pytest.raises(
        on.ClusterError, match=r"takes about 99\.0 GB, but the node with the most memory offers Ray 1\.1"
    ):
        engine.submit("anything", 99 * 10**9)


def jobs(count: int, **more: Any) -> Any:
    """Fits of milliseconds."""
    data = bgcn.datasets.load("karate")
    for seed in range(count):
        yield on.Job(
            bgcn.BayesianGCNClassifier(random_state=seed, **QUICK),
            data,
            options={"labels_per_class": 4},
            name=f"n{seed}",
        )


def test_an_estimator_travels_without_what_it_was_fitted_to():
    clf = bgcn.BayesianGCNClassifier(random_state=3, graph_model="sbm")
    clf.fit(bgcn.datasets.load("karate"), labels_per_class=2)
    other = _many.unfitted(clf)
    assert other.get_params() == clf.get_params()
    assert not hasattr(other, "classes_")
    assert len(pickle.dumps(other)) < len(pickle.dumps(clf)) / 2


def test_many_fits_come_back_in_any_order_or_in_theirs(nodes):
    found = {fit.number: fit for fit in on.fit_many(jobs(40))}
    assert sorted(found) == list(range(40))
    assert [fit.number for fit in on.fit_many(jobs(40), ordered=True)] == list(range(40))
    for seed in (0, 39):
        clf = bgcn.BayesianGCNClassifier(random_state=seed, **QUICK)
        alone = clf.fit(bgcn.datasets.load("karate"), labels_per_class=4)
        np.testing.assert_array_equal(found[seed].value.label_distributions, alone.label_distributions_)
        assert found[seed].name == f"n{seed}"
        assert found[seed].error is None


def test_a_fit_that_fails_says_why_and_the_others_go_on(nodes, small):
    clf = bgcn.BayesianGCNClassifier(random_state=0, **QUICK)
    wrong = [
        on.Job(clf, small.X, small.y, small.A, name="fine"),
        on.Job(clf, small.X, small.y[:5], small.A, name="short"),
        on.Job(clf, "nowhere/at/all", name="missing"),
    ]
    found = list(on.fit_many(wrong, ordered=True, take=operator.attrgetter("classes_")))
    assert found[0].value.tolist() == [0, 1, 2]
    assert found[1].error is not None
    assert found[1].error.startswith("ValueError: ")
    assert found[2].error is not None
    assert "the dataset nowhere/at/all is not on node 127.0.0.1" in found[2].error
    assert "travels with the job" in found[2].error


def test_jobs_are_asked_for_when_there_is_room(nodes):
    asked = 0

    def endless():
        nonlocal asked
        for job in jobs(10**9):
            asked += 1
            yield job

    results = on.fit_many(endless())
    for _ in range(5):
        next(results)
    most = _many.MOST * 2 * 6
    assert 5 <= asked <= most
    results.close()


def test_a_node_with_another_version_is_named(nodes):
    with pytest.raises(
        on.VersionMismatch, match=r"node 127\.0\.0\.1 has bgcn .*, but the driver has 9\.9; install the same"
    ):
        ray.get(ray.remote(_errors.check_version).remote("9.9"))


def test_where_no_cluster_answers_the_message_says_how_to_start_one(tmp_path):
    program = "import sys; from bgcn.cluster.__main__ import main; sys.exit(main(sys.argv[1:]))"
    for address in ("127.0.0.1:9", "ray://127.0.0.1:9"):
        command = [sys.executable, "-c", program, "reproduce", *words(tmp_path), f"--address={address}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 1
        assert f"there is no Ray cluster at {address}" in done.stderr
        assert "ray start --head" in done.stderr


def test_a_full_object_store_says_what_to_enlarge():
    class Full:
        exceptions = ray.exceptions

        def put(self, value):
            raise ray.exceptions.ObjectStoreFullError("no room")

    with pytest.raises(on.ClusterError, match=r"no room for the datasets, about 12 MB.*--object-store-memory"):
        _ray.put(Full(), None, "the datasets", 12_000_000)


def test_the_command_prints_what_bgcn_reproduce_prints(nodes, tmp_path):
    given = ["karate", "--runs=1", "--methods=gcn", "--labels-per-class=3", "--quiet"]
    command = [
        sys.executable,
        "-m",
        "bgcn.cluster",
        "reproduce",
        *given,
        f"--out={tmp_path}/a",
        f"--address={nodes.address}",
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    alone = subprocess.run(
        [sys.executable, "-m", "bgcn", "reproduce", *given, f"--out={tmp_path}/b"],
        check=True,
        capture_output=True,
        text=True,
    )
    table = [line for line in done.stdout.splitlines() if line.startswith("|")]
    assert table
    assert table == [line for line in alone.stdout.splitlines() if line.startswith("|")]
    wrong = subprocess.run([*command[:4], "karat"], capture_output=True, text=True, timeout=60)
    assert wrong.returncode == 2
    assert "choose among datasets" in wrong.stderr
