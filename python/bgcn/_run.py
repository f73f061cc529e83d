"""A run: a fit, its predictions, its edges. Tables are DataFrames where pandas is installed."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _bgcn
from ._data import Dataset, csr
from ._frames import frame
from ._labels import named
from ._links import count_of, listed, names_of, table, without
from ._progress import watching
from ._random import seed_of, threads_of
from ._types import Array, scalar

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class Run:
    """A fit and its results, computed or loaded; ``clf.result_``.

    Edges are judged when they are first asked for, which takes another fit, with decoys (random edges) among the
    observed ones. Printing, pickling and completion compute nothing.

    Attributes
    ----------
    nodes : table
        A row per node: node, predicted, probabilities of the classes, and the uncertainty.
    edges, missing : table
        Every observed edge with P(spurious), pairs without an edge with P(missing), and the reasons.
    metrics, settings : table
        Scores on the test nodes; every setting that was used.
    """

    def __init__(
        self,
        core: _bgcn.Run,
        ids: list[Any] | None = None,
        classes: Array | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self._core, self._ids, self._n_jobs, self._verbose = core, ids, n_jobs, verbose
        self._classes = classes
        if classes is None and not core.is_regression:
            self._classes = named(core.class_names)

    @property
    def nodes(self) -> Any:
        """A row per node: node, predicted, probabilities of the classes, and the uncertainty."""
        core = self._core
        rows, texts = core.probability_rows(), core.node_names
        return nodes_table(self._ids, self.predicted, core.class_names, rows, self.uncertainty, texts)

    @property
    def edges(self) -> Any:
        """Every observed edge, the most suspicious first: source, target, p_spurious, reasons."""
        return self._pairs(self.judge()._core.observed(), "p_spurious")

    @property
    def missing(self) -> Any:
        """Up to 1,000 pairs without an edge, the most likely first: source, target, p_missing, reasons."""
        return self._pairs(self.judge()._core.missing(), "p_missing")

    @property
    def metrics(self) -> Any:
        """Scores on the test nodes: name, value."""
        return _table_of(_flat(self.scores.get("test", {})), "metric")

    @property
    def settings(self) -> Any:
        """Every setting that was used: setting, value."""
        return _table_of(json.loads(self._core.settings), "setting")

    @property
    def scores(self) -> dict[str, Any]:
        """The content of ``metrics.json``; edges are in it once they are judged."""
        found: dict[str, Any] = json.loads(self._core.metrics())
        return found

    @property
    def predicted(self) -> Array:
        """The most likely class of every node, or its number."""
        rows = self._core.probability_rows()
        if rows is None:
            return self._core.node_columns()["mean"]
        assert self._classes is not None
        chosen: Array = self._classes[rows.argmax(axis=1)]
        return chosen

    @property
    def uncertainty(self) -> dict[str, Array]:
        """Where the uncertainty of every node comes from, as arrays by name."""
        return {name: values for name, values in self._core.node_columns().items() if name != "mean"}

    @property
    def edge_metrics(self) -> dict[str, Any]:
        """All edges together: ρ as ``rho``, decoys, lists, calibration, recall; of generated data ``edges_found``."""
        found = self.judge().scores
        more = {"edges_found": found["edges_found"]} if "edges_found" in found else {}
        return {**found["links"], **more}

    def judge(self) -> Run:
        """Judges the edges, unless that was done."""
        with watching(self._verbose) as watch:
            self._core.judge(threads_of(self._n_jobs), watch)
        return self

    def suspicious_edges(self, n: int | None = None, *, fdr: float | None = None) -> Any:
        """Suspicious edges, the most suspicious first: source, target, p_spurious, reasons.

        ``p_spurious`` is P(spurious | observed, evidence): features, common neighbours, degrees, predicted classes.
        ``reasons`` are the terms of its log-odds in words; they sum up to it.

        Parameters
        ----------
        n : int
            How many; 20 where neither it nor ``fdr`` is given.
        fdr : float
            A false discovery rate instead: the longest list at this rate. With ``n`` as well, at most so many of them.
        """
        return self._pairs(self.judge()._core.observed(self._listed(n, fdr)), "p_spurious")

    def missing_edges(self, n: int = 20) -> Any:
        """The ``n`` pairs without an edge that are most likely missing, at most 1,000."""
        return self._pairs(self.judge()._core.missing(count_of(n)), "p_missing")

    def edge_probabilities(self) -> Any:
        """Every observed edge with the graph model's own p(y_ab | λ): source, target, probability.

        Graphs are drawn from these probabilities, and the paper's study of edges ranks by them. They rank single edges
        worse than :attr:`edges` does.
        """
        found = self._core.edge_probabilities()
        if found is None:
            raise ValueError("the observed graph is used (graph_model observed): fit with a graph model, or see edges")
        sources, targets, probabilities = found
        return frame({"source": self._names(sources), "target": self._names(targets), "probability": probabilities})

    def clean_graph(self, fdr: float = 0.1) -> csr_matrix:
        """The observed graph without the edges listed at a false discovery rate of ``fdr``, as a scipy CSR matrix."""
        sources, targets, *_ = self.judge()._core.observed()
        return without(np.stack([sources, targets], axis=1), self._listed(None, fdr), self._core.n_nodes)

    def sample_graphs(self, n: int = 1, random_state: Any = None) -> list[csr_matrix]:
        """``n`` graphs that could as well have been observed, as scipy CSR matrices.

        Drawn from p(G | λ) with the last λ of the fit; of several graph models each draw chooses one by its weight.
        The same ``random_state`` gives the same graphs; None takes the fit's.
        """
        seed = self._core.about["seed"] if random_state is None else seed_of(random_state)
        drawn = self._core.draw(seed, 0, count_of(n), threads_of(self._n_jobs))
        return [csr(rows, self._core.n_nodes) for rows in drawn]

    def report(self, path: str | Path | None = None) -> str:
        """The report as a page of HTML, written to ``path`` if one is given. It opens without a network."""
        page = self.judge()._core.report()
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def save(self, folder: str | Path, *, overwrite: bool = False) -> None:
        """Writes a run folder, the same that ``bgcn fit --out`` writes; ``bgcn.load`` and the command read it."""
        self.judge()._core.save(folder, overwrite)

    def to_networkx(self, *, remove_suspicious: int = 0, fdr: float | None = None) -> Any:
        """The observed graph as a networkx.Graph: predictions as attributes of nodes, ``p_spurious`` of edges.

        ``remove_suspicious`` leaves out so many of the most suspicious edges, ``fdr`` those that are listed at that
        false discovery rate.
        """
        import networkx as nx

        sources, targets, probabilities = self._observed(remove_suspicious, fdr)
        graph = nx.Graph()
        nodes = np.arange(self._core.n_nodes)
        columns = {"predicted": self.predicted, **self.uncertainty}
        for node, name in zip(nodes.tolist(), self._names(nodes).tolist(), strict=True):
            graph.add_node(name, **{key: scalar(values[node]) for key, values in columns.items()})
        ends = (self._names(sources).tolist(), self._names(targets).tolist())
        for a, b, p in zip(*ends, probabilities.tolist(), strict=True):
            graph.add_edge(a, b, p_spurious=p)
        return graph

    def to_pyg(self, *, remove_suspicious: int = 0, fdr: float | None = None) -> Any:
        """The observed graph as PyG data: ``edge_index``, ``edge_p_spurious``, and predictions of nodes.

        Edges are left out as in :meth:`to_networkx`.
        """
        import torch
        from torch_geometric.data import Data

        sources, targets, probabilities = self._observed(remove_suspicious, fdr)
        index = np.stack([np.concatenate([sources, targets]), np.concatenate([targets, sources])])
        data = Data(edge_index=torch.from_numpy(index), num_nodes=self._core.n_nodes)
        data.edge_p_spurious = torch.from_numpy(np.concatenate([probabilities, probabilities]))
        rows = self._core.probability_rows()
        if rows is not None:
            data.probability = torch.from_numpy(rows)
        for name, values in self._core.node_columns().items():
            data[name] = torch.from_numpy(values)
        return data

    def _pairs(self, found: tuple[Array, Array, Array, list[str]], name: str) -> Any:
        return table(found, name, self._ids, self._core.node_names)

    def _listed(self, n: Any, fdr: Any) -> int:
        return listed({} if fdr is None else self.edge_metrics, n, fdr)

    def _observed(self, remove: int, fdr: float | None) -> tuple[Array, Array, Array]:
        """Edges in the graph's order with P(spurious), without the most suspicious."""
        if remove and fdr is not None:
            raise ValueError("remove_suspicious and fdr both choose the edges that are left out; give one of them")
        first = self._listed(None, fdr) if fdr is not None else count_of(remove)
        columns = [column[first:] for column in self.judge()._core.observed()[:3]]
        order = np.lexsort((columns[1], columns[0]))
        sources, targets, probabilities = (column[order] for column in columns)
        return sources, targets, probabilities

    def _names(self, nodes: Array) -> Array:
        """The nodes as they were given."""
        return names_of(nodes, self._ids)

    def __repr__(self) -> str:
        about, core = self._core.about, self._core
        text = f"Run({about['method']} on {about['dataset']}: {core.n_nodes} nodes, {core.n_edges} edges)"
        return text if core.advice is None else f"{text}\n{core.advice}"

    def _repr_html_(self) -> str:
        """In a notebook: the report; its part on edges is there once they are judged."""
        page = html.escape(self._core.report(), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'

    def __getstate__(self) -> dict[str, Any]:
        state = dict(vars(self))
        # Edges that have yet to be judged need the data.
        data = self._core.data
        state["_core"] = (self._core.files(), None if data is None else Dataset._made(data, None, None))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        files, data = state["_core"]
        self._core = _bgcn.Run.restore(files, data)


def nodes_table(
    ids: Sequence[Any] | None,
    predicted: Array,
    classes: list[str],
    rows: Array | None,
    columns: dict[str, Array],
    texts: Sequence[str] = (),
) -> Any:
    """A row per node: node, predicted, probabilities of the classes, the uncertainty, and the text to show."""
    own: dict[str, Any] = {"node": names_of(np.arange(len(predicted)), ids), "predicted": predicted}
    if rows is not None:
        own |= {f"p_{name}": rows[:, i] for i, name in enumerate(classes)}
    if texts:
        own = {**own, **columns, "name": np.array(texts, dtype=object)}
    return frame({**own, **columns})


def _flat(metrics: dict[str, Any], before: str = "") -> dict[str, float]:
    """Single numbers, with dots in the names of those in tables."""
    found: dict[str, float] = {}
    for name, value in metrics.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{before}{name}.")
        elif isinstance(value, (int, float)):
            found[f"{before}{name}"] = value
    return found


def _table_of(values: dict[str, Any], name: str) -> Any:
    column = np.empty(len(values), dtype=object)
    column[:] = list(values.values())
    return frame({name: np.array(list(values), dtype=object), "value": column})
