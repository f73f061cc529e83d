"""Ray as an executor: joining a cluster or starting one here, tasks with processors and memory, what is lost."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._errors import ClusterError, first_line, store_full
from ._executor import Lost, Part, run_parts

#: Bytes that memory is asked for in: tasks that ask for the same are started by Ray without another look around.
STEP = 64 << 20
#: Seconds after which the nodes are counted anew.
LOOK = 1.0
#: Seconds that a port may take to answer.
PATIENCE = 5.0


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise ClusterError("Ray is not installed; pip install 'bgcn[cluster]' on every node") from error
    return ray


@contextmanager
def joined(address: str | None) -> Iterator[Any]:
    """Ray, connected: to the cluster at the address, or to one that is started here and stopped in the end.

    A process that is connected already stays so.
    """
    ray = _ray()
    if ray.is_initialized():
        yield ray
        return
    address = address or os.environ.get("RAY_ADDRESS") or None
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "warning"}
    if address is None or address == "local":
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(address="local", include_dashboard=False, **quiet)
    else:
        _answers(address)
        try:
            ray.init(address=address, **quiet)
        except (ConnectionError, TimeoutError, ValueError, RuntimeError) as error:
            raise _no_cluster(address, first_line(error)) from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _answers(address: str) -> None:
    """Asks the port first: Ray itself waits for minutes."""
    host, _, port = address.rpartition("://")[2].partition("/")[0].rpartition(":")
    if not host or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except OSError as error:
        raise _no_cluster(address, str(error)) from error


def _no_cluster(address: str, why: str) -> ClusterError:
    return ClusterError(
        f"there is no Ray cluster at {address}: {why}; start one with `ray start --head` and use the address that it "
        "prints, ray://HOST:10001 from outside, or leave the address out to run on this machine"
    )


def put(ray: Any, value: Any, what: str, size: int) -> Any:
    """A place in the object store."""
    try:
        return ray.put(value)
    except (ray.exceptions.ObjectStoreFullError, ray.exceptions.OutOfDiskError) as error:
        raise store_full(error, what, size) from error


def _nodes(ray: Any) -> list[dict[str, Any]]:
    """The resources of every node."""
    return [node["Resources"] for node in ray.nodes() if node["Alive"]]


def _slots(nodes: list[dict[str, Any]], cpus: int) -> int:
    """Tasks of so many processors that run at a time."""
    return max(1, sum(int(resources.get("CPU", 0)) // cpus for resources in nodes))


class RayExecutor:
    """Runs parts on a cluster, each with so many processors."""

    def __init__(self, ray: Any, cpus: int) -> None:
        self._ray, self._cpus = ray, cpus
        self.workers = _slots(_nodes(ray), cpus)

    def run(
        self, function: Callable[..., Any], shared: tuple[Any, ...], parts: list[Part]
    ) -> Iterator[tuple[Part, Any]]:
        """``function(*shared, part)`` of every part, as they come; what they share goes to each node once."""
        what = "the datasets and the log"
        placed = tuple(put(self._ray, value, what, sys.getsizeof(value)) for value in shared)
        return run_parts(RayEngine(self._ray, function, placed, self._cpus), iter(parts))


class RayEngine:
    """Runs ``function(*shared, task)`` as tasks of a cluster."""

    def __init__(self, ray: Any, function: Callable[..., Any], shared: tuple[Any, ...], cpus: int = 1) -> None:
        self._ray, self._shared, self._cpus = ray, shared, cpus
        self._function = ray.remote(function)
        self._by_memory: dict[int, Any] = {}
        self._tasks: dict[Any, Any] = {}
        self._looked = float("-inf")
        self._room = self._largest = 0

    def _look(self) -> None:
        if time.monotonic() < self._looked + LOOK:
            return
        self._looked = time.monotonic()
        nodes = _nodes(self._ray)
        # As many again wait at the nodes, so that none is idle between two tasks.
        self._room = 2 * _slots(nodes, self._cpus)
        self._largest = max((int(resources.get("memory", 0)) for resources in nodes), default=0)

    def room(self) -> int:
        """Two tasks for every slot."""
        self._look()
        return self._room

    def under_way(self) -> int:
        """Tasks that have not ended."""
        return len(self._tasks)

    def submit(self, task: Any, memory: int) -> None:
        """Starts a task on a node that has the memory."""
        asked = -(-memory // STEP) * STEP
        if asked not in self._by_memory:
            self._look()
            if self._largest and asked > self._largest:
                raise ClusterError(
                    f"a task takes about {memory / 1e9:.1f} GB, but the node with the most memory offers Ray "
                    f"{self._largest / 1e9:.1f} GB; take larger nodes, or start them with a larger --memory"
                )
            # Lost tasks are counted and submitted again by the loop; Ray must not do that too.
            options: dict[str, Any] = {"num_cpus": self._cpus, "max_retries": 0}
            self._by_memory[asked] = self._function.options(**options, memory=asked or None)
        self._tasks[self._by_memory[asked].remote(*self._shared, task)] = task

    def finished(self, seconds: float) -> list[tuple[Any, Any]]:
        """Tasks that ended."""
        if not self._tasks:
            return []
        refs = list(self._tasks)
        ready, _ = self._ray.wait(refs, num_returns=1, timeout=seconds)
        if ready:
            ready, _ = self._ray.wait(refs, num_returns=len(refs), timeout=0)
        return [(self._tasks.pop(ref), self._answer(ref)) for ref in ready]

    def _answer(self, ref: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(ref)
        except errors.RayTaskError as error:
            # The exception of the function, in its own class where it has one.
            return error.cause if isinstance(getattr(error, "cause", None), Exception) else error
        except errors.RuntimeEnvSetupError as error:
            return ClusterError(f"a node cannot run bgcn: {first_line(error)}; install it on every node")
        except (errors.ObjectStoreFullError, errors.OutOfDiskError) as error:
            return store_full(error, "a result", 0)
        except errors.RayError as error:
            return Lost(str(error))

    def cancel(self) -> None:
        """Cancels all tasks."""
        for ref in self._tasks:
            self._ray.cancel(ref, force=False)
        self._tasks.clear()
