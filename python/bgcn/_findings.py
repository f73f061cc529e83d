"""What comes out of a fitted estimator: attributes and methods of its :class:`bgcn.Run`, by scikit-learn's names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._base import Estimator
from ._types import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


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

    def predictions(self) -> Any:
        """A table with a row per node: node, predicted, probabilities of the classes, and the uncertainty."""
        return self.result_.nodes

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

    def suspicious_edges(self, n: int | None = None, *, fdr: float | None = None) -> Any:
        """Suspicious edges, see :meth:`bgcn.Run.suspicious_edges`."""
        return self.result_.suspicious_edges(n, fdr=fdr)

    def missing_edges(self, n: int = 20) -> Any:
        """The ``n`` pairs without an edge that are most likely missing, at most 1,000."""
        return self.result_.missing_edges(n)

    def edges(self) -> Any:
        """Every observed edge, the most suspicious first: source, target, p_spurious, reasons."""
        return self.result_.edges

    def edge_probabilities(self) -> Any:
        """Every observed edge with p(y_ab | λ), see :meth:`bgcn.Run.edge_probabilities`."""
        return self.result_.edge_probabilities()

    def clean_graph(self, fdr: float = 0.1) -> csr_matrix:
        """The observed graph without the edges listed at a false discovery rate of ``fdr``, as a scipy CSR matrix."""
        return self.result_.clean_graph(fdr)

    def sample_graphs(self, n: int = 1, random_state: Any = None) -> list[csr_matrix]:
        """``n`` graphs that could as well have been observed, see :meth:`bgcn.Run.sample_graphs`."""
        return self.result_.sample_graphs(n, random_state)

    def report(self, path: str | Path | None = None) -> str:
        """The report as a page of HTML, written to ``path`` if one is given. It opens without a network."""
        return self.result_.report(path)

    def save(self, folder: str | Path, *, overwrite: bool = False) -> None:
        """Writes a run folder, the same that ``bgcn fit --out`` writes; ``bgcn.load`` and the command read it."""
        self.result_.save(folder, overwrite=overwrite)

    def to_networkx(self, *, remove_suspicious: int = 0, fdr: float | None = None) -> Any:
        """The observed graph as a networkx.Graph, see :meth:`bgcn.Run.to_networkx`."""
        return self.result_.to_networkx(remove_suspicious=remove_suspicious, fdr=fdr)

    def to_pyg(self, *, remove_suspicious: int = 0, fdr: float | None = None) -> Any:
        """The observed graph as PyG data, see :meth:`bgcn.Run.to_pyg`."""
        return self.result_.to_pyg(remove_suspicious=remove_suspicious, fdr=fdr)
