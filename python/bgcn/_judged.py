"""What a fit says of edges: which look wrong, which seem to be missing, and why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _bgcn
from ._base import Estimator
from ._frames import frame
from ._links import count_of, listed, names_of, table, without
from ._types import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class Judged(Estimator):
    """What a fitted estimator says of edges.

    Edges are judged when that is first asked for. It takes another fit, with random edges of our own among the observed
    ones, and the comparison with them. Reports, files and pickles need it, too.
    """

    @property
    def spurious_share_(self) -> float:
        """ρ, the share of the observed edges that is spurious."""
        return float(self.edge_metrics_["rho"])

    @property
    def edge_metrics_(self) -> dict[str, Any]:
        """What is told of all edges together, as under ``links`` in ``metrics.json``: ρ as ``rho``, the decoys, the
        lists by false discovery rate, calibration and recall; of generated data also ``edges_found``."""
        found = json.loads(self._judged().metrics())
        more = {"edges_found": found["edges_found"]} if "edges_found" in found else {}
        return {**found["links"], **more}

    def suspicious_edges(self, n: int | None = None, *, fdr: float | None = None) -> Any:
        """Observed edges that look wrong, the most suspicious first: source, target, p_spurious, reasons.

        ``p_spurious`` is P(spurious | observed, evidence): features, common neighbours, degrees, predicted classes.
        ``reasons`` are the terms of its log-odds in words; they sum up to it.

        Parameters
        ----------
        n : int
            How many; 20 where neither it nor ``fdr`` is given.
        fdr : float
            A false discovery rate instead: as many as can be listed so that at most this share of them is expected to
            be right after all. With ``n`` as well, at most so many of them.
        """
        fitted = self._judged()
        return table(fitted.observed(self._listed(n, fdr)), "p_spurious", self._ids)

    def missing_edges(self, n: int = 20) -> Any:
        """The ``n`` pairs without an edge that are most likely missing: source, target, p_missing, reasons.

        1,000 pairs are kept at most, and 200 in a run folder or a pickle.
        """
        count = count_of(n)
        return table(self._judged().missing(count), "p_missing", self._ids)

    def edges(self) -> Any:
        """Every observed edge, the most suspicious first: source, target, p_spurious, reasons."""
        return table(self._judged().observed(), "p_spurious", self._ids)

    def edge_probabilities(self) -> Any:
        """Every observed edge with the graph model's own p(y_ab | λ): source, target, probability.

        That is what graphs are drawn from, and what the paper's study of edges ranks by. It is a poor judge of single
        edges, which :meth:`edges` tells of. Not of a run that was read back: run folders do not keep it.
        """
        found = self._check().edge_probabilities()
        if found is None:
            raise ValueError(
                "the graph was taken for granted (graph_model observed), so there is no graph model to ask; fit with "
                "one, or see edges()"
            )
        sources, targets, probabilities = found
        return frame({"source": self._names(sources), "target": self._names(targets), "probability": probabilities})

    def clean_graph(self, fdr: float = 0.1) -> csr_matrix:
        """The observed graph without the edges that are listed at a false discovery rate of ``fdr``, as a scipy CSR
        matrix."""
        sources, targets, *_ = self._judged().observed()
        return without(np.stack([sources, targets], axis=1), self._listed(None, fdr), self.n_nodes_)

    def _judged(self) -> _bgcn.Fitted:
        """The fit, with its edges judged."""
        fitted = self._check()
        self._judge()
        return fitted

    def _listed(self, n: Any, fdr: Any) -> int:
        return listed({} if fdr is None else self.edge_metrics_, n, fdr)

    def _observed(self, remove: int, fdr: float | None) -> tuple[Array, Array, Array]:
        """Edges in the graph's order with P(spurious), without the most suspicious."""
        if remove and fdr is not None:
            raise ValueError("remove_suspicious and fdr both say which edges are left out; give one of them")
        first = self._listed(None, fdr) if fdr is not None else count_of(remove)
        columns = [column[first:] for column in self._judged().observed()[:3]]
        order = np.lexsort((columns[1], columns[0]))
        sources, targets, probabilities = (column[order] for column in columns)
        return sources, targets, probabilities

    def _names(self, nodes: Array) -> Array:
        """The nodes as they were given."""
        return names_of(nodes, self._ids)
