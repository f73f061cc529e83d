"""On a worker: trials of an evaluation. A process opens the evaluation once and keeps it."""

from __future__ import annotations

from typing import Any

from .. import _bgcn
from .._data import Dataset
from ._errors import check_version

#: Open evaluations of this process, by name; the last few.
_OPEN: dict[str, _bgcn.Bench] = {}
_KEPT = 2


def payload(evaluation: _bgcn.Evaluation) -> dict[str, Any]:
    """What goes into the object store, once: what was asked for, and the data as arrays."""
    datasets = {name: Dataset._made(core, None, None) for name, core in evaluation.datasets().items()}
    return {"text": evaluation.text, "datasets": datasets}


def size_of(data: Dataset) -> int:
    """Bytes of a dataset, about."""
    features = data._core.features()
    parts = features[:3] if isinstance(features, tuple) else (features,)
    return 24 * data.n_nodes + 32 * data.n_edges + sum(getattr(part, "nbytes", 0) for part in parts)


def run_trial(place: list[Any], name: str, version: str, item: str) -> str:
    """The line of a trial. ``place`` holds the reference to the payload, unopened: it is fetched once per process."""
    check_version(version)
    if name not in _OPEN:
        import ray

        found: Any = ray.get(place[0])
        cores = {key: data._core for key, data in found["datasets"].items()}
        while len(_OPEN) >= _KEPT:
            _OPEN.pop(next(iter(_OPEN)))
        _OPEN[name] = _bgcn.Bench(found["text"], cores, threads())
    return _OPEN[name].run(item)


def threads() -> int:
    """The processors that Ray gave this task, not all of the machine."""
    import ray

    return max(1, int(ray.get_runtime_context().get_assigned_resources().get("CPU", 1)))
