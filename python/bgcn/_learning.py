"""What goes in: fitting, and predicting other graphs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _bgcn
from ._arguments import checked, refuse_graph, refuse_split_rows
from ._base import Estimator
from ._build import sets_of
from ._convert import from_pyg
from ._data import Dataset
from ._edges import module_of
from ._labels import classes_of, listed, values_of
from ._progress import watching
from ._random import seed_of, threads_of, threads_of_fit, whole_of
from ._remarks import warn
from ._types import Array

_Self = TypeVar("_Self", bound="Learning")


class Predicted(NamedTuple):
    """Probabilities, or None for numbers; the other columns; the nodes, where they have names."""

    rows: Array | None
    columns: dict[str, Array]
    ids: list[Any] | None


class Learning(Estimator):
    """An estimator that learns."""

    @checked
    def fit(
        self: _Self,
        X: Any = None,
        y: Any = None,
        *,
        adjacency: Any = None,
        weight: str | None = None,
        weight_threshold: float | None = None,
        split: Any = None,
        labels_per_class: int | None = None,
        baseline: bool = False,
        callback: Callable[[str, int, int], object] | None = None,
    ) -> _Self:
        """Learns from the labelled nodes and predicts all of them.

        Parameters
        ----------
        X : array, scipy sparse matrix, DataFrame, dict, list, None, or Dataset
            A row of features per node; with None, one-hot node ids. A :class:`Dataset` brings graph and
            labels with it. Of an estimator with ``graph=``, the nodes that ``y`` has labels of, by number or name.
        y : array, list, Series or dict of node to label
            -1, None, NaN and a missing key are unlabelled. A Series is read by its index.
        adjacency : graph
            A scipy sparse matrix, a square array, an edge_index (2, E), a list of pairs, a DataFrame with columns
            source and target, a graph of networkx or igraph, PyG data or a torch tensor. Without it, the network learns
            from features alone.
        weight, weight_threshold : str, float
            Keep edges of at least this weight; ``weight`` names the column or attribute. Otherwise weights are ignored.
        split : str, or three arrays of nodes or masks
            Which labels are seen: training, validation and test nodes. Of arrays every label, of a :class:`Dataset` the
            split that the command would choose (see :meth:`Dataset.split`).
        labels_per_class : int
            For a random or fixed split.
        baseline : bool
            Whether the plain network is trained too, so that the report compares.
        callback : callable
            Called with phase, steps done and all steps, a few times a second; returning False stops the fit with
            StopIteration.
        """
        self._unfit()
        data, nodes = self._data(X, y, adjacency, weight, weight_threshold)
        sets = None
        if nodes is not None and (split is not None or labels_per_class is not None):
            raise ValueError(
                "split and labels_per_class were given, but with a graph y has the labels that are seen; leave them out"
            )
        if nodes is not None:
            kind = "all"
        elif split is None:
            kind = "auto" if isinstance(X, Dataset) else "all"
        elif isinstance(split, (str, Path)):
            kind = str(split)
        else:
            kind, sets = "given", sets_of(split, data.n_nodes)
        seed = seed_of(self.random_state)
        labels = whole_of("labels_per_class", labels_per_class, 1, 2**32 - 2)
        with watching(bool(self.verbose), callback) as watch:
            fitted = _bgcn.Run.fit(
                data,
                self._given(),
                preset=self.preset,
                seed=seed,
                threads=threads_of_fit(self.n_jobs),
                split=kind,
                sets=sets,
                labels_per_class=labels,
                baseline=baseline,
                watch=watch,
            )
        self.seed_ = seed
        self._adopt(fitted, data._ids, data._classes, data._table)
        self._digest = data._features_digest()
        self._edgeless = data.n_edges == 0
        if nodes is not None:
            self.n_features_in_ = 1
        elif data.n_features:
            self.n_features_in_ = len(data._table.names) if data._table is not None else data.n_features
        if data._table is not None:
            self.feature_names_in_ = np.array(data._table.names, dtype=object)
        return self

    @checked
    def fit_predict(self, X: Any = None, y: Any = None, **options: Any) -> Array:
        """The prediction for every node after :meth:`fit` with these arguments."""
        found: Array = self.fit(X, y, **options).transduction_  # type: ignore[attr-defined]
        return found

    def _data(
        self, X: Any, y: Any, adjacency: Any, weight: str | None, threshold: float | None
    ) -> tuple[Dataset, Array | None]:
        """What is learned from, and the nodes that X names where the estimator has a graph."""
        if self.graph is not None:
            if adjacency is not None:
                raise ValueError("adjacency was given, but the estimator has a graph already; leave one of the two out")
            return self._shared_out(X, y)
        if isinstance(X, Dataset):
            given = {"y": y, "adjacency": adjacency, "weight": weight, "weight_threshold": threshold}
            extra = [name for name, value in given.items() if value is not None]
            if extra:
                raise ValueError(f"{extra[0]} was given, but the Dataset has its own; leave it out")
            if (X.class_names is None) != self._regression:
                other = "BayesianGCNRegressor" if X.class_names is None else "BayesianGCNClassifier"
                raise ValueError(f"the labels of the Dataset are for {other}")
            return X, None
        refuse_graph(X, adjacency, "fit")
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None: without labels nothing can be learnt")
        if adjacency is None:
            refuse_split_rows(type(self).__name__)
            warn("no adjacency was given: the network learns from features alone, every node by itself")
            if X is None:
                raise ValueError("neither features nor a graph were given; give X, adjacency or both")
        options: dict[str, Any] = {"weight": weight, "weight_threshold": threshold}
        return Dataset._of(X, y, adjacency, regression=self._regression, **options), None

    def _shared_out(self, X: Any, y: Any) -> tuple[Dataset, Array]:
        """The nodes of the estimator's graph that X names, with their labels and no others."""
        graph = _graph_of(self.graph)
        nodes = _nodes(X, graph._ids, graph.n_nodes)
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None: without labels nothing can be learnt")
        labels = values_of(y) if self._regression else classes_of(y)
        if labels.values is not None:
            numbers: Array = np.full(graph.n_nodes, np.nan, np.float32)
            found: Array = labels.values
        else:
            numbers = np.full(graph.n_nodes, -1, np.int64)
            found = np.asarray(labels.codes)
        if len(found) != len(nodes):
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: X names {len(nodes)} nodes, but y has "
                f"{len(found)} labels"
            )
        numbers[nodes] = found
        state = graph._state() | {"labels": numbers, "split": None, "classes": labels.classes}
        state["class_names"] = None if labels.classes is None else [str(name) for name in labels.classes.tolist()]
        return Dataset._restored(state), nodes

    def _predicted(self, X: Any, adjacency: Any, weight: str | None, threshold: float | None) -> Predicted:
        """What is predicted of the fitted nodes, or of others."""
        fitted = self._check()
        own = Predicted(fitted.probability_rows(), fitted.node_columns(), self._ids)
        if X is None and adjacency is None:
            return own
        if self.graph is not None:
            if adjacency is not None:
                raise ValueError("adjacency was given, but the estimator has a graph already; leave it out")
            nodes = _nodes(X, self._ids, self.n_nodes_)
            names = nodes.tolist() if self._ids is None else [self._ids[node] for node in nodes]
            columns = {name: values[nodes] for name, values in own.columns.items()}
            return Predicted(None if own.rows is None else own.rows[nodes], columns, names)
        options: dict[str, Any] = {"weight": weight, "weight_threshold": threshold}
        if isinstance(X, Dataset):
            data = X
        elif X is not None:
            data = Dataset._of(X, None, adjacency, table=self._table, **options)
            self._check_columns(data)
        elif hasattr(self, "n_features_in_"):
            raise ValueError("the fit had features, so new nodes need them too; give X")
        else:
            # One-hot node ids: the nodes have to be the fitted ones.
            known = list(range(self.n_nodes_)) if self._ids is None else self._ids
            data = Dataset._of(None, None, adjacency, known=known, **options)
        if adjacency is None and not isinstance(X, Dataset) and not self._edgeless:
            if data._features_digest() == self._digest:
                return own
            raise ValueError(
                "X is not what was fitted, and no adjacency was given: which of its nodes are joined? Give adjacency "
                "too, or nothing at all for the fitted nodes"
            )
        seed = getattr(self, "seed_", 0)
        with watching(bool(self.verbose)) as watch:
            return Predicted(*fitted.apply(data, seed, threads_of(self.n_jobs), watch), data._ids)

    def _truth(self, y: Any, found: Predicted) -> Any:
        """Labels of the nodes that are predicted: by their index, or row by row."""
        if self.graph is not None:
            return y
        return listed(y, found.ids, len(next(iter(found.columns.values()))), unnamed=found.ids is None)

    def _check_columns(self, data: Dataset) -> None:
        expected = self._check().n_features
        if data.n_features != expected and self._table is None:
            raise ValueError(
                f"X has {data.n_features} features, but {type(self).__name__} is expecting {expected} features as input"
            )


def _graph_of(given: Any) -> Dataset:
    """The graph of an estimator: a dataset, or whatever else is a graph."""
    if isinstance(given, Dataset):
        return given
    return from_pyg(given) if module_of(given) == "torch_geometric" else Dataset._of(None, None, given)


def _nodes(X: Any, ids: list[Any] | None, count: int) -> Array:
    """The numbers of nodes that are given in any form: by number, in a column, by name."""
    nodes = np.asarray(X)
    if nodes.ndim == 2 and nodes.shape[1] == 1:
        nodes = nodes[:, 0]
    if nodes.ndim != 1:
        raise ValueError(
            f"X has shape {nodes.shape}, but with a graph it holds node numbers, one per row. Features belong to the "
            "graph: graph=bgcn.Dataset(X, adjacency=A), and np.arange(len(y)) as X"
        )
    if nodes.dtype.kind == "f" and (nodes == np.floor(nodes)).all():
        nodes = nodes.astype(np.int64)
    numbered = nodes.dtype.kind in "iu" and ((nodes >= 0) & (nodes < count)).all()
    if ids is not None:
        number = {node: i for i, node in enumerate(ids)}
        unknown = [node for node in nodes.tolist() if node not in number]
        if not unknown:
            named = np.array([number[node] for node in nodes.tolist()], dtype=np.int64)
            if numbered and (named != nodes).any():
                raise ValueError(
                    "X holds whole numbers, which are names of nodes and their numbers too: give np.array(X, object) "
                    "for names, or np.array(data.ids, object)[X] for numbers"
                )
            return named
        if not numbered:
            raise ValueError(f"node {unknown[0]!r} is not in the graph")
    if nodes.dtype.kind not in "iu":
        raise ValueError(f"X is of type {nodes.dtype}; with a graph, X holds node numbers")
    if not numbered:
        wrong = nodes[(nodes < 0) | (nodes >= count)][0]
        raise ValueError(f"node {wrong} does not exist; the graph has {count} nodes")
    return nodes
