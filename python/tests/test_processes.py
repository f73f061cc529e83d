"""Threads, processes, signals: Python goes on while the library works."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import bgcn
import numpy as np
import pytest
from bgcn._random import threads_of_fit

LONG = {"settings": {"schedule.pretraining": 200, "schedule.draws": 100_000, "schedule.averaged": 10}}


def distributions(seed: int) -> np.ndarray:
    """A short fit, for other threads and processes."""
    quick = {"settings": {"schedule.pretraining": 30, "schedule.draws": 6, "schedule.averaged": 3}}
    clf = bgcn.BayesianGCNClassifier(random_state=seed, n_jobs=1, **quick)
    return clf.fit(bgcn.datasets.load("demo"), labels_per_class=5).label_distributions_


def test_results_do_not_depend_on_the_number_of_threads(small, quick):
    fits = [
        bgcn.BayesianGCNClassifier(n_jobs=jobs, **quick).fit(small.X, small.y, adjacency=small.A).label_distributions_
        for jobs in (1, 2, 5, None, -1)
    ]
    assert all(np.array_equal(fits[0], other) for other in fits)


def test_two_fits_in_two_threads_give_their_own_results():
    wanted = [distributions(seed) for seed in (1, 2)]
    found: dict[int, np.ndarray] = {}
    threads = [threading.Thread(target=lambda s=seed: found.update({s: distributions(s)})) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(found[1], wanted[0])
    np.testing.assert_array_equal(found[2], wanted[1])
    assert not np.array_equal(*wanted)


def test_another_thread_counts_on_during_a_fit():
    counted = 0
    ended = threading.Event()

    def count() -> None:
        nonlocal counted
        while not ended.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        bgcn.BayesianGCNClassifier(settings={"schedule.draws": 300}).fit(bgcn.datasets.load("demo"))
    finally:
        ended.set()
        thread.join()
    assert counted > 20


def test_a_callback_sees_the_phases_and_may_stop_a_fit():
    seen = []
    clf = bgcn.BayesianGCNClassifier(settings={"schedule.draws": 300})
    clf.fit(bgcn.datasets.load("demo"), callback=lambda *news: seen.append(news))
    assert {phase for phase, _, _ in seen} <= {"pretraining", "inference", "draws"}
    assert seen
    assert all(0 <= done <= total for _, done, total in seen)
    clf.set_params(**LONG)
    with pytest.raises(StopIteration, match="callback"):
        clf.fit(bgcn.datasets.load("demo"), callback=lambda *news: False)
    with pytest.raises(ZeroDivisionError):
        clf.fit(bgcn.datasets.load("demo"), callback=lambda *news: 1 / 0)
    assert not hasattr(clf, "classes_"), "a fit that was stopped leaves nothing behind"
    with pytest.raises(AttributeError, match="not fitted"):
        clf.predict()


def interrupted(program: str, after: str) -> tuple[float, str]:
    """Sends Ctrl-C once the program has said so; how long it took from there, and what it printed last."""
    # A shell that starts programs in the background has them ignore Ctrl-C, and their children too.
    heed = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    process = subprocess.Popen(
        [sys.executable, "-c", heed + textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if line.strip() == after:
                break
        begun = time.perf_counter()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        process.wait(timeout=60)
        return time.perf_counter() - begun, rest
    finally:
        process.kill()
        process.wait()


def test_ctrl_c_raises_keyboard_interrupt_and_leaves_nothing():
    program = """
        import bgcn, threading
        clf = bgcn.BayesianGCNClassifier(settings={"schedule.draws": 1_000_000, "schedule.averaged": 5})
        data = bgcn.datasets.load("demo")
        threading.Timer(0.5, lambda: print("now", flush=True)).start()
        try:
            clf.fit(data)
        except KeyboardInterrupt:
            print("stopped", hasattr(clf, "classes_"), flush=True)
    """
    seconds, rest = interrupted(program, "now")
    assert rest.strip() == "stopped False"
    print(f"Ctrl-C took {seconds:.3f} s to the end of the process")


def test_ctrl_c_stops_the_judging_of_edges_and_it_can_be_asked_again():
    program = """
        import bgcn, threading
        data = bgcn.datasets.load("demo")
        clf = bgcn.BayesianGCNClassifier(settings={"schedule.draws": 2000, "schedule.averaged": 5}).fit(data)
        threading.Timer(0.3, lambda: print("now", flush=True)).start()
        try:
            clf.suspicious_edges()
        except KeyboardInterrupt:
            print("stopped", clf.label_distributions_.shape, flush=True)
    """
    seconds, rest = interrupted(program, "now")
    assert rest.strip() == "stopped (2000, 7)"
    print(f"Ctrl-C took {seconds:.3f} s to the end of the process")


def test_reproduce_is_stopped_by_ctrl_c_and_keeps_finished_trials(tmp_path):
    program = f"""
        import bgcn, threading
        threading.Timer(1.0, lambda: print("now", flush=True)).start()
        try:
            bgcn.reproduce("demo", runs=100_000, methods=["gcn"], labels_per_class=[5], out={str(tmp_path)!r})
        except KeyboardInterrupt:
            print("stopped", flush=True)
    """
    _, rest = interrupted(program, "now")
    assert rest.strip() == "stopped"
    assert (tmp_path / "trials.jsonl").exists()


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fits_run_in_processes_after_a_fit_in_the_parent(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system cannot {method}")
    wanted = distributions(3)
    with multiprocessing.get_context(method).Pool(2) as pool:
        for found in pool.map(distributions, [3, 3]):
            np.testing.assert_array_equal(found, wanted)


def test_fits_run_in_joblibs_processes():
    joblib = pytest.importorskip("joblib")
    wanted = [distributions(seed) for seed in (1, 2)]
    found = joblib.Parallel(n_jobs=2, backend="loky")(joblib.delayed(distributions)(seed) for seed in (1, 2))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_n_jobs_of_joblib_counts_where_the_estimator_has_none():
    joblib = pytest.importorskip("joblib")
    assert threads_of_fit(None) == 0
    with joblib.parallel_config(n_jobs=3):
        assert (threads_of_fit(None), threads_of_fit(2)) == (3, 2)


def test_importing_starts_no_thread_and_loads_nothing_heavy():
    program = (
        "import sys, bgcn, threading;"
        "heavy = {'scipy', 'pandas', 'networkx', 'torch', 'sklearn', 'tqdm', 'igraph'} & set(sys.modules);"
        "import os; tasks = len(os.listdir('/proc/self/task')) if os.path.isdir('/proc/self/task') else 1;"
        "print(sorted(heavy), threading.active_count(), tasks)"
    )
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, env=environment)
    assert done.stdout.strip() == "[] 1 1"
