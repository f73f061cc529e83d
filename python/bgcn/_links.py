"""Suspicious and missing edges of any graph, without a fit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _bgcn
from ._data import Dataset
from ._frames import frame
from ._random import seed_of, threads_of
from ._types import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

#: Edges that are listed where no number and no rate is given.
LISTED = 20


@dataclass(frozen=True, eq=False, repr=False)
class JudgedEdges:
    """What :func:`bgcn.judge_edges` found. Tables are DataFrames where pandas is installed."""

    #: Every observed edge, the most suspicious first: source, target, p_spurious, reasons.
    edges: Any
    #: Up to 1,000 pairs without an edge, the most likely first: source, target, p_missing, reasons.
    missing: Any
    #: ρ, the share of the observed edges that is spurious.
    spurious_share: float
    #: Summary of all edges, as under ``links`` in ``metrics.json``.
    metrics: dict[str, Any]
    #: The node numbers of ``edges``, two columns.
    pairs: npt.NDArray[np.int64]
    #: How many nodes there are.
    n_nodes: int

    def suspicious_edges(self, n: int | None = None, *, fdr: float | None = None) -> Any:
        """The first ``n`` of ``edges`` (20 without a number), or the list with a false discovery rate of ``fdr``."""
        return self.edges[: listed(self.metrics, n, fdr)]

    def clean_graph(self, fdr: float = 0.1) -> csr_matrix:
        """The graph without the edges that are listed at a false discovery rate of ``fdr``, as a scipy CSR matrix."""
        return without(self.pairs, listed(self.metrics, None, fdr), self.n_nodes)

    def __repr__(self) -> str:
        edges, missing = len(self.edges), len(self.missing)
        return f"JudgedEdges({edges} edges, {self.spurious_share:.1%} of them spurious; {missing} that may be missing)"


def judge_edges(data: Any, *, random_state: Any = 0, n_jobs: int | None = None) -> JudgedEdges:
    """Judges the edges of a graph by features, neighbours and known labels, without a fit.

    Weaker evidence than that of a fit (:meth:`BayesianGCNClassifier.suspicious_edges`)
    where few labels are known, for there are no predictions. Every label of the data counts as known.

    Parameters
    ----------
    data : Dataset, or a graph
        A graph by itself may have any form that :class:`Dataset` takes as ``adjacency``.
    random_state, n_jobs
        As for the estimators.

    Examples
    --------
    >>> import bgcn
    >>> found = bgcn.judge_edges(bgcn.datasets.load("karate"))
    >>> list(found.edges.columns), len(found.edges)
    (['source', 'target', 'p_spurious', 'reasons'], 78)
    >>> bool(0 < found.spurious_share < 1)
    True
    """
    data = data if isinstance(data, Dataset) else Dataset._of(None, None, data)
    observed, missing, summary = _bgcn.judge_edges(data, seed_of(random_state), threads_of(n_jobs))
    metrics: dict[str, Any] = json.loads(summary)
    return JudgedEdges(
        edges=table(observed, "p_spurious", data._ids, data.node_names),
        missing=table(missing, "p_missing", data._ids, data.node_names),
        spurious_share=metrics["rho"],
        metrics=metrics,
        pairs=np.stack(observed[:2], axis=1),
        n_nodes=data.n_nodes,
    )


def table(
    found: tuple[Array, Array, Array, list[str]], name: str, ids: Sequence[Any] | None, texts: Sequence[str] = ()
) -> Any:
    """A table of pairs, with nodes as they were given, and the texts beside them where there are any."""
    sources, targets, probabilities, reasons = found
    columns = {"source": names_of(sources, ids), "target": names_of(targets, ids), name: probabilities}
    columns["reasons"] = np.array(reasons, dtype=object)
    if texts:
        columns |= {"source_name": names_of(sources, texts), "target_name": names_of(targets, texts)}
    return frame(columns)


def names_of(nodes: Array, ids: Sequence[Any] | None) -> Array:
    """The nodes as they were given."""
    if ids is None:
        return nodes
    names = np.empty(len(nodes), dtype=object)
    names[:] = [ids[node] for node in nodes]
    return names


def count_of(n: Any) -> int:
    """A whole number of things."""
    if isinstance(n, (int, np.integer)) and not isinstance(n, bool) and 0 <= n < 2**32:
        return int(n)
    raise ValueError(f"n is {n!r}; give a whole number from 0")


def listed(metrics: dict[str, Any], n: Any, fdr: Any) -> int:
    """How many edges are meant by a number, by a false discovery rate, or by both, which is the smaller."""
    count = LISTED if n is None and fdr is None else None if n is None else count_of(n)
    if fdr is None:
        assert count is not None
        return count
    number = isinstance(fdr, (int, float, np.integer, np.floating)) and not isinstance(fdr, bool)
    if not number or not 0 < fdr <= 1:
        raise ValueError(f"fdr is {fdr!r}; give a share above 0 and at most 1, such as 0.1")
    found = _bgcn.at_rate([(rate, edges) for rate, edges in metrics["lists"]], float(fdr))
    return found if count is None else min(count, found)


def without(pairs: npt.NDArray[np.int64], first: int, nodes: int) -> csr_matrix:
    """The graph of these pairs without the first ones, as a symmetric matrix of 0 and 1."""
    from scipy.sparse import csr_matrix

    kept = pairs[first:]
    both = np.concatenate([kept, kept[:, ::-1]])
    return csr_matrix((np.ones(len(both), np.float32), (both[:, 0], both[:, 1])), shape=(nodes, nodes))
