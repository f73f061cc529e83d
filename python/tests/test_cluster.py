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
from bgcn.cluster import _errors, _many, _ray, _trials

# Read when Ray is imported: addresses of this machine alone, a token that nobody else knows, no statistics.
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


def settle(made: Any) -> None:
    """Waits until Ray knows of nodes that were removed: its pool for joblib does not mend what it places on them."""
    while sum(node["Alive"] for node in ray.nodes()) > len(made.list_all_nodes()):
        time.sleep(0.1)


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


def evaluate(out: Path, *more: str) -> Any:
    """The same on the cluster."""
    from bgcn.cluster._reproduce import evaluate

    return evaluate(bgcn._bgcn.Evaluation(words(out, *more)), None, 1)


def log_keys(out: Path) -> list[str]:
    """The trials of a log."""
    return [json.dumps(json.loads(line)["key"]) for line in (out / "trials.jsonl").read_text().splitlines()]


def test_tables_of_three_nodes_are_those_of_one_machine(nodes, wanted, tmp_path):
    done = evaluate(tmp_path, "--recheck=2")
    found = json.loads(done.found)
    assert found["tables"] == wanted
    assert (found["trials_run"], found["rechecked"]) == (24, 2)
    assert done.counts.repeated == 0
    assert (tmp_path / "report.html").exists()
    again = on.reproduce("demo", runs=6, methods="gcn,gcn+copying", labels_per_class=[5, 10], out=tmp_path)
    assert (again.trials_run, again.trials_reused) == (0, 24)


def test_studies_in_two_steps_find_their_targets(nodes, tmp_path):
    given: dict[str, Any] = {"runs": 1, "methods": ["gcn"], "labels_per_class": [5]}
    alone = bgcn._bgcn.reproduce(["attack-demo", "--evasion", "--runs=1", "--methods=gcn", f"--out={tmp_path}/a", "-q"])
    found = on.reproduce("attack-demo", **given, out=tmp_path / "b", options=["--evasion"])
    assert found.tables == json.loads(alone)["tables"]


def test_a_lost_node_and_a_killed_worker_cost_the_trials_they_were_running(nodes, wanted, tmp_path, monkeypatch):
    extra = nodes.add_node(**NODE)
    state = {"killed": False, "removed": False}
    finished = _ray.RayEngine.finished

    def trouble(self, seconds):
        found = finished(self, seconds)
        lines = len(log_keys(tmp_path)) if (tmp_path / "trials.jsonl").exists() else 0
        if lines >= 2 and not state["killed"]:
            mine = [pid for node in nodes.list_all_nodes() for pid in processes(node)]
            busy = [pid for pid in mine if b"ray::run_trial" in Path(f"/proc/{pid}/cmdline").read_bytes()]
            if busy:
                os.kill(busy[0], signal.SIGKILL)
                state["killed"] = True
        if lines >= 6 and not state["removed"]:
            nodes.remove_node(extra, allow_graceful=False)
            state["removed"] = True
        return found

    monkeypatch.setattr(_ray.RayEngine, "finished", trouble)
    done = evaluate(tmp_path)
    assert state == {"killed": True, "removed": True}
    assert json.loads(done.found)["tables"] == wanted
    assert len(log_keys(tmp_path)) == len(set(log_keys(tmp_path))) == 24
    assert 1 <= done.counts.repeated <= done.counts.most, "never more than were under way"


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
    # The last line, as --json promises: Ray may tell of dead nodes before.
    found = json.loads(again.stdout.splitlines()[-1])
    assert found["tables"] == wanted
    assert (found["trials_run"], found["trials_reused"]) == (24 - before, before)


def test_a_task_has_the_threads_that_ray_gave_it(nodes):
    given = [ray.get(ray.remote(_trials.threads).options(num_cpus=cpus).remote()) for cpus in (1, 2)]
    assert given == [1, 2]


def test_a_task_asks_for_memory_and_is_refused_where_no_node_has_it(nodes):
    engine = _ray.RayEngine(ray, _trials.run_trial, ())
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


def test_one_fit_on_three_nodes_has_the_bytes_of_one_machine(nodes, small):
    steps = {"schedule.draws": 4, "schedule.pretraining": 20, "schedule.graph_epochs": 5}
    settings: dict[str, Any] = {"schedule": "algorithm1", "graph_model": "auto", "random_state": 3, "settings": steps}
    alone = bgcn.BayesianGCNClassifier(**settings).fit(small.X, small.y, adjacency=small.A)
    clf = bgcn.BayesianGCNClassifier(**settings)
    spread = on.fit(clf, small.X, small.y, adjacency=small.A)
    np.testing.assert_array_equal(alone.label_distributions_, spread.label_distributions_)
    assert alone.metrics_ == spread.metrics_
    assert not hasattr(spread, "_carriers")


@pytest.mark.parametrize("backend", ["loky", "threading", "ray"])
def test_the_backend_of_joblib_makes_no_difference(request, small, backend):
    joblib = pytest.importorskip("joblib")
    if backend == "ray":
        settle(request.getfixturevalue("nodes"))
        from ray.util.joblib import register_ray

        register_ray()
    steps = {"schedule.draws": 3, "schedule.pretraining": 20, "schedule.graph_epochs": 5}
    settings: dict[str, Any] = {"schedule": "algorithm1", "graph_model": "auto", "random_state": 3, "settings": steps}
    alone = bgcn.BayesianGCNClassifier(**settings).fit(small.X, small.y, adjacency=small.A)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        spread = bgcn.BayesianGCNClassifier(**settings).fit(small.X, small.y, adjacency=small.A)
    np.testing.assert_array_equal(alone.label_distributions_, spread.label_distributions_)


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
