"""What a cluster costs and whether it changes anything: three Ray nodes on this machine.

    python benches/cluster.py tables      # 400 trials (Cora, CiteSeer): tables equal to `bgcn reproduce`, byte for byte
    python benches/cluster.py trouble     # the same with a node removed, a worker killed, the driver killed and resumed
    python benches/cluster.py overhead    # against `bgcn reproduce --jobs 2` on the same two processors, in turns
    python benches/cluster.py many        # fit_many over 2,000 small graphs against one process

Needs `pip install '.[cluster]'` and, for the first three, Cora and CiteSeer through BGCN_DATA or the cache. Times are of
use alone on the machine. Everything is started here, listens on this machine alone, and is ended by its id.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.update(
    RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0",
    RAY_AUTH_MODE="token",
    RAY_AUTH_TOKEN=secrets.token_hex(32),
    RAY_USAGE_STATS_ENABLED="0",
)

#: 2 datasets × 4 methods × 50 runs.
WORDS = ["cora", "citeseer", "--split=random", "--labels-per-class=5", "--methods=gcn,gcn+mmsbm,gcn+copying,chebnet"]


def words(out: Path, runs: int) -> list[str]:
    return [*WORDS, f"--runs={runs}", f"--out={out}", "--json"]


def alone(out: Path, runs: int, jobs: int = 2) -> tuple[dict, float]:
    """`bgcn reproduce` on this machine; seconds."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "bgcn", "reproduce", *words(out, runs), f"--jobs={jobs}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout), time.perf_counter() - begun


class Nodes:
    """A cluster of nodes on this machine."""

    def __init__(self, cpus: list[int]) -> None:
        import ray
        from ray.cluster_utils import Cluster

        self.ray = ray
        self.one = {"memory": 4 << 30, "object_store_memory": 200 << 20, "node_ip_address": "127.0.0.1"}
        head = {**self.one, "num_cpus": cpus[0], "include_dashboard": False}
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.added = [self.cluster.add_node(**self.one, num_cpus=more) for more in cpus[1:]]

    def __enter__(self) -> Nodes:
        return self

    def __exit__(self, *_: object) -> None:
        if self.ray.is_initialized():
            self.ray.shutdown()
        self.cluster.shutdown()

    def driver(self, out: Path, runs: int) -> subprocess.Popen:
        command = [sys.executable, "-m", "bgcn.cluster", "reproduce", *words(out, runs)]
        command.append(f"--address={self.cluster.address}")
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def workers(self) -> list[int]:
        """Processes that run a shard now."""
        found = []
        for node in self.cluster.list_all_nodes():
            for info in node.all_processes.get("raylet", []):
                children = Path(f"/proc/{info.process.pid}/task/{info.process.pid}/children").read_text().split()
                found += [int(pid) for pid in children if b"ray::run_shard" in _command(pid)]
        return found


def _command(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def lines(out: Path) -> list[str]:
    log = out / "trials.jsonl"
    return [json.dumps(json.loads(line)["key"]) for line in log.read_text().splitlines()] if log.exists() else []


def same(one: dict, other: dict) -> str:
    equal = json.dumps([one["tables"], one["claims"]]) == json.dumps([other["tables"], other["claims"]])
    return "equal byte for byte" if equal else "DIFFERENT"


def tables(folder: Path, runs: int) -> None:
    wanted, seconds = alone(folder / "alone", runs)
    print(f"bgcn reproduce --jobs 2: {wanted['trials_run']} trials in {seconds:.1f} s", flush=True)
    with Nodes([1, 1, 1]) as nodes:
        begun = time.perf_counter()
        out, _ = nodes.driver(folder / "three", runs).communicate()
        found = json.loads(out.splitlines()[-1])
        print(f"three nodes: {found['trials_reused']} trials in {time.perf_counter() - begun:.1f} s, {same(found, wanted)}")


def trouble(folder: Path, runs: int) -> None:
    wanted, seconds = alone(folder / "alone", runs)
    print(f"bgcn reproduce --jobs 2: {wanted['trials_run']} trials in {seconds:.1f} s", flush=True)
    with Nodes([1, 1, 1]) as nodes:
        out = folder / "killed"
        first = nodes.driver(out, runs)
        time.sleep(30)
        running = len(nodes.workers())
        first.kill()
        first.wait()
        before = len(lines(out))
        print(f"driver killed after 30 s: {before} lines in the log, {running} shards running", flush=True)
        report(nodes.driver(out, runs), out, wanted)
        out = folder / "trouble"
        driver = nodes.driver(out, runs)
        try:
            time.sleep(15)
            while not (busy := nodes.workers()):
                time.sleep(0.01)
            os.kill(busy[0], signal.SIGKILL)
            print(f"15 s: a worker killed, {len(lines(out))} lines", flush=True)
            time.sleep(5)
            nodes.cluster.remove_node(nodes.added.pop(), allow_graceful=False)
            print(f"20 s: a node removed, {len(lines(out))} lines", flush=True)
            report(driver, out, wanted)
        finally:
            driver.kill()
            driver.wait()


def report(driver: subprocess.Popen, out: Path, wanted: dict) -> None:
    """Waits for the end and compares."""
    text, errors = driver.communicate(timeout=3600)
    found, keys = json.loads(text.splitlines()[-1]), lines(out)
    print(f"{found['trials_run']} run by the driver, {same(found, wanted)}")
    again = [line for line in errors.splitlines() if "in shards" in line]
    print(f"{len(keys)} lines of {len(set(keys))} trials; {again[-1]}", flush=True)


def overhead(folder: Path, runs: int) -> None:
    with Nodes([2]) as nodes:
        for turn in range(3):
            _, one = alone(folder / f"alone{turn}", runs)
            begun = time.perf_counter()
            nodes.driver(folder / f"ray{turn}", runs).communicate()
            two = time.perf_counter() - begun
            seconds = [json.loads(line)["seconds"] for line in (folder / f"alone{turn}/trials.jsonl").read_text().splitlines()]
            text = f"{len(seconds)} trials of {min(seconds):.2f} to {max(seconds):.2f} s"
            print(f"turn {turn}: {text}; --jobs 2 {one:.2f} s, Ray {two:.2f} s, overhead {100 * (two / one - 1):.1f} %", flush=True)


def many(folder: Path, runs: int) -> None:
    import bgcn
    import numpy as np
    from bgcn import cluster

    def graphs(count: int):
        for seed in range(count):
            rng = np.random.default_rng(seed)
            truth = np.arange(100) % 4
            chance = np.where(truth[:, None] == truth[None, :], 0.2, 0.02)
            edges = np.argwhere(np.triu(rng.random((100, 100)) < chance, 1))
            X = (rng.normal(size=(100, 8)) + 2 * np.eye(4, 8)[truth]).astype(np.float32)
            yield cluster.Job(bgcn.BayesianGCNClassifier(random_state=seed), X, np.where(rng.random(100) < 0.3, truth, -1), edges.T)

    count = 40 * runs
    jobs = list(graphs(count))

    def single() -> float:
        begun = time.perf_counter()
        for job in jobs:
            clf = job.estimator.set_params(n_jobs=1).fit(job.X, job.y, adjacency=job.adjacency)
            clf.label_distributions_
        return time.perf_counter() - begun

    with Nodes([2]) as nodes:
        nodes.ray.init(address=nodes.cluster.address, log_to_driver=False, logging_level="error")
        list(cluster.fit_many(jobs[:50]))
        for turn in range(3):
            one = single()
            begun = time.perf_counter()
            failed = sum(fit.error is not None for fit in cluster.fit_many(iter(jobs)))
            two = time.perf_counter() - begun
            share = 100 * (count / two / 2) / (count / one)
            print(f"turn {turn}: {count} graphs, one process {one:.2f} s, two processors of Ray {two:.2f} s, {failed} failed: "
                  f"{share:.0f} % per core", flush=True)


def main() -> None:
    modes = {mode.__name__: mode for mode in (tables, trouble, overhead, many)}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=modes)
    parser.add_argument("--runs", type=int, default=50, help="50 gives 400 trials, or 2,000 graphs")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        modes[given.mode](Path(folder), given.runs)


if __name__ == "__main__":
    main()
