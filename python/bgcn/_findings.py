"""What comes out: uncertainty, drawn graphs, reports, files, graphs of other libraries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._data import csr
from ._frames import frame
from ._judged import Judged
from ._links import count_of
from ._random import seed_of, threads_of
from ._types import Array, scalar

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class Findings(Judged):
    """What a fitted estimator has found."""

    @property
    def uncertainty_(self) -> dict[str, Array]:
        """Where the uncertainty of every node comes from, as arrays by name.

        Of classes: ``entropy`` in nats; ``expected_entropy``, its part that no draw resolves (the data's);
        ``mutual_information``, the rest (the model's); ``disagreement``, the share of draws that predict another class.
        Of numbers: ``sd``, ``model_sd`` (the model's) and ``noise_sd`` (the data's).
        """
        return {name: values for name, values in self._check().node_columns().items() if name != "mean"}

    @property
    def nodes_(self) -> list[Any]:
        """The nodes as they were given, in the order of every array."""
        self._check()
        return list(range(self.n_nodes_)) if self._ids is None else list(self._ids)

    def predictions(self) -> Any:
        """A table with a row per node: node, predicted, probabilities of the classes, and the uncertainty."""
        rows = self._check().probability_rows()
        columns: dict[str, Any] = {"node": self._names(np.arange(self.n_nodes_)), "predicted": self._prediction()}
        if rows is not None:
            columns |= {f"p_{name}": rows[:, i] for i, name in enumerate(self._fitted.class_names)}
        return frame({**columns, **self.uncertainty_})

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
        """Scores on the test nodes, as in ``metrics.json``; what it says of edges is in ``edge_metrics_``."""
        found: dict[str, Any] = json.loads(self._check().metrics())
        return {name: value for name, value in found.items() if name not in ("links", "edges_found")}

    def sample_graphs(self, n: int = 1, random_state: Any = None) -> list[csr_matrix]:
        """``n`` graphs that could as well have been observed, as scipy CSR matrices.

        Drawn from p(G | λ) with the last λ of the fit; of several graph models each draw chooses one by its weight.
        The same ``random_state`` gives the same graphs; None takes the fit's.
        """
        fitted = self._check()
        seed = getattr(self, "seed_", 0) if random_state is None else seed_of(random_state)
        drawn = fitted.draw(seed, 0, count_of(n), threads_of(self.n_jobs))
        return [csr(rows, self.n_nodes_) for rows in drawn]

    def report(self, path: str | Path | None = None) -> str:
        """The report as a page of HTML, written to ``path`` if one is given. It opens without a network."""
        page = self._judged().report()
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def save(self, folder: str | Path, *, overwrite: bool = False) -> None:
        """Writes a run folder, the same that ``bgcn fit --out`` writes; ``bgcn.load`` and the command read it."""
        self._judged().save(folder, overwrite)

    def to_networkx(self, *, remove_suspicious: int = 0, fdr: float | None = None) -> Any:
        """The observed graph as a networkx.Graph: what is believed as attributes of nodes and, as ``p_spurious``, of
        edges.

        ``remove_suspicious`` leaves out so many of the most suspicious edges, ``fdr`` those that are listed at that
        false discovery rate.
        """
        import networkx as nx

        sources, targets, probabilities = self._observed(remove_suspicious, fdr)
        graph = nx.Graph()
        nodes = np.arange(self.n_nodes_)
        columns = {"predicted": self._prediction(), **self.uncertainty_}
        for node, name in zip(nodes.tolist(), self._names(nodes).tolist(), strict=True):
            graph.add_node(name, **{key: scalar(values[node]) for key, values in columns.items()})
        ends = (self._names(sources).tolist(), self._names(targets).tolist())
        for a, b, p in zip(*ends, probabilities.tolist(), strict=True):
            graph.add_edge(a, b, p_spurious=p)
        return graph

    def to_pyg(self, *, remove_suspicious: int = 0, fdr: float | None = None) -> Any:
        """The observed graph as PyG data: ``edge_index``, ``edge_p_spurious``, and what is believed of nodes.

        Edges are left out as in :meth:`to_networkx`.
        """
        import torch
        from torch_geometric.data import Data

        sources, targets, probabilities = self._observed(remove_suspicious, fdr)
        index = np.stack([np.concatenate([sources, targets]), np.concatenate([targets, sources])])
        data = Data(edge_index=torch.from_numpy(index), num_nodes=self.n_nodes_)
        data.edge_p_spurious = torch.from_numpy(np.concatenate([probabilities, probabilities]))
        rows = self._fitted.probability_rows()
        if rows is not None:
            data.probability = torch.from_numpy(rows)
        for name, values in self._fitted.node_columns().items():
            data[name] = torch.from_numpy(values)
        return data

    def _prediction(self) -> Array:
        raise NotImplementedError
