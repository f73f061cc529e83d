"""What comes out of a fitted estimator: attributes and methods of its :class:`bgcn.Run`, by scikit-learn's names."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from ._base import Estimator
from ._run import Run
from ._types import Array

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


def _of_run(method: Callable[Concatenate[Run, _Given], _Found]) -> Callable[Concatenate[Findings, _Given], _Found]:
    """The same method of an estimator's ``result_``."""

    @wraps(method)
    def call(self: Findings, /, *args: _Given.args, **kwargs: _Given.kwargs) -> _Found:
        return method(self.result_, *args, **kwargs)

    return call


class Findings(Estimator):
    """What a fitted estimator has found."""

    @property
    def uncertainty_(self) -> dict[str, Array]:
        """Where the uncertainty of every node comes from, as arrays by name.

        Of classes: ``entropy`` in nats; ``expected_entropy``, its part that no draw resolves (the data's);
        ``mutual_information``, the rest (the model's); ``disagreement``, the share of draws that predict another class.
        Of numbers: ``sd``, ``model_sd`` (the model's) and ``noise_sd`` (the data's).
        """
        return self.result_.uncertainty

    @property
    def nodes_(self) -> list[Any]:
        """The nodes as they were given, in the order of every array."""
        run = self.result_
        return list(range(self.n_nodes_)) if run._ids is None else list(run._ids)

    @property
    def settings_(self) -> dict[str, Any]:
        """Every setting that was used, by its key in the command."""
        found: dict[str, Any] = json.loads(self._check().settings)
        return found

    @property
    def scaling_(self) -> str:
        """What was done to the features, in words: columns standardised, after a logarithm, dropped."""
        return self._check().scaling

    @property
    def metrics_(self) -> dict[str, Any]:
        """Scores on the test nodes, as in ``metrics.json``; those of edges are in ``edge_metrics_``."""
        found = self.result_.scores
        return {name: value for name, value in found.items() if name not in ("links", "edges_found")}

    @property
    def spurious_share_(self) -> float:
        """ρ, the share of the observed edges that is spurious."""
        return float(self.edge_metrics_["rho"])

    @property
    def edge_metrics_(self) -> dict[str, Any]:
        """All edges together, as under ``links`` in ``metrics.json``: ρ as ``rho``, the decoys, the lists by false
        discovery rate, calibration and recall; of generated data also ``edges_found``."""
        return self.result_.edge_metrics

    def predictions(self) -> Any:
        """A table with a row per node: node, predicted, probabilities of the classes, and the uncertainty."""
        return self.result_.nodes

    def edges(self) -> Any:
        """Every observed edge, the most suspicious first: source, target, p_spurious, reasons."""
        return self.result_.edges

    suspicious_edges = _of_run(Run.suspicious_edges)
    missing_edges = _of_run(Run.missing_edges)
    edge_probabilities = _of_run(Run.edge_probabilities)
    clean_graph = _of_run(Run.clean_graph)
    sample_graphs = _of_run(Run.sample_graphs)
    report = _of_run(Run.report)
    save = _of_run(Run.save)
    to_networkx = _of_run(Run.to_networkx)
    to_pyg = _of_run(Run.to_pyg)
