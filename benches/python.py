"""What the Python package costs beside the library: time of a fit, memory, import, and the delay of Ctrl-C.

    python benches/python.py time      # Cora: fit from Python against the same fit in the library
    python benches/python.py memory    # 10⁶ nodes, 5·10⁶ edges: peak memory from Python against the library's
    python benches/python.py interrupt # Pubmed: seconds from Ctrl-C to KeyboardInterrupt
    python benches/python.py import

Needs the package (`pip install .`), scipy, and `cargo build --release --examples -p bgcn` for time and memory; Cora and
Pubmed through BGCN_DATA or the cache. Alone on the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

ARRAYS = Path(__file__).parents[1] / "target" / "release" / "examples" / "arrays"


def run_library(folder: Path) -> dict[str, float]:
    """The library on the arrays of a folder."""
    done = subprocess.run([ARRAYS, folder], check=True, capture_output=True, text=True)
    return {words[0]: float(words[1]) for words in map(str.split, done.stdout.splitlines()[1:])}


def write_arrays(folder: Path, sources: np.ndarray, targets: np.ndarray, features: np.ndarray, labels: np.ndarray) -> None:
    """Raw numbers, as the library's example reads them."""
    sources.astype("<u4").tofile(folder / "sources.u32")
    targets.astype("<u4").tofile(folder / "targets.u32")
    features.astype("<f4").tofile(folder / "features.f32")
    labels.astype("<i4").tofile(folder / "labels.i32")


CHILD = """
import sys, time, numpy as np, bgcn
folder, columns = sys.argv[1], int(sys.argv[2])
def peak():
    return [int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")][0]
before = peak()
sources = np.fromfile(folder + "/sources.u32", "<u4")
targets = np.fromfile(folder + "/targets.u32", "<u4")
X = np.fromfile(folder + "/features.f32", "<f4").reshape(-1, columns)
y = np.fromfile(folder + "/labels.i32", "<i4")
begun = time.perf_counter()
clf = bgcn.BayesianGCNClassifier().fit(X, y, adjacency=(sources, targets))
seconds = time.perf_counter() - begun
print("first", clf.label_distributions_[0, 0])
print("seconds", seconds)
print("before", before)
print("peak", peak())
"""


def run_python(folder: Path, columns: int) -> dict[str, float]:
    """The same from Python, in a process of its own."""
    words = [sys.executable, "-c", CHILD, str(folder), str(columns)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return {words[0]: float(words[1]) for words in map(str.split, done.stdout.splitlines())}


def measure_time(repeat: int) -> dict[str, object]:
    """Best of several, in turn."""
    import bgcn

    data = bgcn.datasets.load("cora")
    split = data.split("random", labels_per_class=20)
    y = np.full(data.n_nodes, -1)
    y[split.train] = data.labels[split.train]
    X = data.features.toarray()
    upper = data.adjacency.tocoo()
    kept = upper.row < upper.col
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_arrays(folder, upper.row[kept], upper.col[kept], X, y)
        library, python, sparse = [], [], []
        for _ in range(repeat):
            library.append(run_library(folder)["seconds"])
            python.append(run_python(folder, X.shape[1])["seconds"])
            begun = time.perf_counter()
            bgcn.BayesianGCNClassifier().fit(data.features, y, adjacency=data.adjacency)
            sparse.append(time.perf_counter() - begun)
    found = {"library": min(library), "python": min(python), "python, sparse features": min(sparse)}
    return {**found, "ratio": found["python"] / found["library"]}


def measure_memory(nodes: int, edges: int, columns: int) -> dict[str, object]:
    """Peak memory above an idle process, both ways, and the size of the data."""
    random = np.random.default_rng(0)
    classes = random.integers(0, 5, nodes)
    sources = random.integers(0, nodes, edges)
    # Most edges join equal classes.
    order = np.argsort(classes, kind="stable")
    near = order[np.clip(np.argsort(order)[sources] + random.integers(-50, 51, edges), 0, nodes - 1)]
    targets = np.where(random.random(edges) < 0.8, near, random.integers(0, nodes, edges))
    features = random.random((nodes, columns), dtype=np.float32) + np.eye(5, columns, dtype=np.float32)[classes]
    labels = np.where(random.random(nodes) < 0.001, classes, -1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_arrays(folder, sources, targets, features, labels)
        library, python = run_library(folder), run_python(folder, columns)
    data = features.nbytes + 8 * edges + 4 * nodes
    added = (python["peak"] - python["before"]) - library["peak"]
    return {
        "data MB": data / 1e6,
        "library peak MB": library["peak"] / 1e6,
        "python peak MB": python["peak"] / 1e6,
        "idle interpreter MB": python["before"] / 1e6,
        "added by the binding MB": added / 1e6,
        "share of the data": added / data,
        "library seconds": library["seconds"],
        "python seconds": python["seconds"],
    }


def measure_interrupt(repeat: int) -> dict[str, object]:
    """From the signal to the exception, at several moments of a fit."""
    import bgcn

    data = bgcn.datasets.load("pubmed")
    found = []
    for i in range(repeat):
        sent: list[float] = []

        def send(sent: list[float] = sent) -> None:
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.1 + 0.35 * i, send)
        timer.start()
        try:
            bgcn.BayesianGCNClassifier(graph_model="mmsbm", settings={"schedule.draws": 5000}, random_state=i).fit(data)
        except KeyboardInterrupt:
            found.append(time.perf_counter() - sent[0])
        timer.join()
    return {"seconds": [round(seconds, 4) for seconds in found], "longest": max(found)}


def measure_import(repeat: int) -> dict[str, object]:
    """Best of several: the package, and numpy alone."""

    def best(module: str) -> float:
        found = []
        for _ in range(repeat):
            words = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
            done = subprocess.run([sys.executable, "-c", words], check=True, capture_output=True, text=True)
            found.append(float(done.stdout))
        return min(found)

    return {"bgcn": best("bgcn"), "numpy": best("numpy")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["time", "memory", "interrupt", "import"])
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--edges", type=int, default=5_000_000)
    parser.add_argument("--columns", type=int, default=32)
    given = parser.parse_args()
    found = {
        "time": lambda: measure_time(given.repeat),
        "memory": lambda: measure_memory(given.nodes, given.edges, given.columns),
        "interrupt": lambda: measure_interrupt(given.repeat),
        "import": lambda: measure_import(given.repeat),
    }[given.what]()
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
