"""Data in one piece: a graph, features and labels, checked by the library."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _bgcn
from ._arguments import checked, refuse_graph
from ._build import parts_of
from ._features import Columns, without_texts
from ._random import whole_of
from ._types import Array, whole


@dataclass(frozen=True)
class Split:
    """Which nodes are for what: ``train``, ``validation`` and ``test``, as node numbers."""

    train: npt.NDArray[np.int64]
    validation: npt.NDArray[np.int64]
    test: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        train, validation, test = (len(nodes) for nodes in self)
        return f"Split({train} training, {validation} validation, {test} test nodes)"

    def __iter__(self) -> Iterator[npt.NDArray[np.int64]]:
        return iter((self.train, self.validation, self.test))


class Dataset(_bgcn.Dataset):
    """A graph, features and labels. It does not change.

    Parameters
    ----------
    X : array, scipy sparse matrix, DataFrame, dict, list or None
        A row of features per node. Columns of a DataFrame that are no numbers become one column per category. A dict
        has a row, a list of columns or a dict of column to value per node; a list of lists of different lengths has the
        columns that are 1. Without features, the input is one-hot node ids.
    y : array, list, Series or dict of node to label
        -1, None, NaN and a missing key are unlabelled. An index of its own names the nodes, of a DataFrame X too.
    adjacency : graph
        A scipy sparse matrix, a square array, an edge_index of shape (2, E), a list of pairs, a DataFrame with columns
        source and target, a graph of networkx or igraph, PyG data or a torch tensor. Directions, repetitions and
        self-loops are merged (``merged`` counts them).
    weight, weight_threshold : str, float
        Edges whose weight is at least the threshold are kept; ``weight`` names the column or attribute. Otherwise
        weights are ignored.
    columns : str or list of str
        Columns of a table X that become features; with a leading minus (``"-page_name"``), those that do not. Without
        it, ids, dates, constants and text that hardly repeats are left out, each with a remark.
    split : three arrays of nodes or masks, or a dict of them
        Training, validation and test nodes: the fixed split of the data.
    name : str
        A short name for tables.
    name_column : str
        The column of X, a DataFrame, with texts to show beside the nodes. It is no feature.
    regression : bool
        Whether labels are numbers rather than classes.

    Examples
    --------
    >>> import bgcn
    >>> data = bgcn.Dataset(y={"ann": "red", "eve": "blue"}, adjacency=[("ann", "bob"), ("bob", "eve")])
    >>> data
    Dataset(data: 3 nodes, 2 edges, no features, 2 classes, 2 labels)
    >>> data.ids
    ['ann', 'eve', 'bob']
    """

    _ids: list[Any] | None
    _classes: Array | None
    _table: Columns | None

    @checked
    def __new__(
        cls,
        X: Any = None,
        y: Any = None,
        *,
        adjacency: Any = None,
        weight: str | None = None,
        weight_threshold: float | None = None,
        columns: str | Sequence[str | int] | None = None,
        split: Any = None,
        name: str | None = None,
        name_column: str | None = None,
        regression: bool = False,
    ) -> Dataset:
        refuse_graph(X, adjacency, cls.__name__)
        options: dict[str, Any] = {"columns": columns, "split": split, "name": name, "regression": regression}
        if name_column is not None:
            X, options["texts"] = without_texts(X, name_column)
        return cls._of(X, y, adjacency, weight=weight, weight_threshold=weight_threshold, **options)

    @classmethod
    def _made(
        cls, core: _bgcn.Dataset, ids: list[Any] | None, classes: Array | None, table: Columns | None = None
    ) -> Dataset:
        data: Dataset = super().__new__(cls, core)  # type: ignore[assignment]
        data._ids, data._classes, data._table = ids, classes, table
        return data

    @classmethod
    def _of(cls, X: Any, y: Any, adjacency: Any, **options: Any) -> Dataset:
        """A dataset whose columns or nodes may have to be those of another; the options are those of ``parts_of``."""
        return cls._made(*parts_of(X, y, adjacency, **options))

    @property
    def fixed_split(self) -> Split | None:
        """The split that comes with the data, where there is one."""
        found = self._fixed_sets
        return None if found is None else Split(*found)

    @property
    def ids(self) -> list[Any]:
        """The nodes as they were given, in the order of their numbers."""
        return list(range(self.n_nodes)) if self._ids is None else list(self._ids)

    @property
    def adjacency(self) -> Any:
        """The graph as a symmetric scipy CSR matrix of 0 and 1."""
        return csr(self._graph_rows(), self.n_nodes)

    @property
    def features(self) -> Any:
        """X, as an array or a scipy CSR matrix; None without."""
        found = self._feature_rows()
        if not isinstance(found, tuple):
            return found
        from scipy.sparse import csr_matrix

        values, columns, starts, width = found
        return csr_matrix((values, columns, starts), shape=(self.n_nodes, width))

    def split(self, kind: str | Path = "auto", labels_per_class: int | None = None, seed: int = 0) -> Split:
        """Training, validation and test nodes, as the command chooses them.

        ``random`` draws them: 20 labels of each class unless another number is asked for, half of a class that has
        fewer than twice as many, 1,000 test nodes, 500 validation nodes, as far as there are. ``fixed`` is the split
        that comes with the data, ``all`` trains on every label, and a path names a file of lines ``id,train``.

        >>> import bgcn
        >>> [len(nodes) for nodes in bgcn.datasets.load("demo").split("random", labels_per_class=5)]
        [35, 500, 1000]
        """
        labels = whole_of("labels_per_class", labels_per_class, 1, 2**32 - 2)
        return Split(*self._sets(str(kind), labels, whole_of("seed", seed, 0, 2**64 - 1) or 0))

    def __repr__(self) -> str:
        known = self.labels
        if self.class_names is None:
            count, what = int(np.count_nonzero(~np.isnan(known))), "numbers"
        else:
            count, what = int(np.count_nonzero(known >= 0)), f"{len(self.class_names)} classes"
        features = f"{self.n_features:,} features" if self.n_features else "no features"
        size = f"{self.n_nodes:,} nodes, {self.n_edges:,} edges, {features}"
        return f"Dataset({self.name}: {size}, {what}, {count:,} labels)"

    def _repr_html_(self) -> str:
        """In a notebook: sizes, classes and remarks."""
        known = self.labels
        rows = [("nodes", f"{self.n_nodes:,}"), ("edges", f"{self.n_edges:,}"), ("features", f"{self.n_features:,}")]
        if self.class_names is None:
            rows += [("labels", f"{np.count_nonzero(~np.isnan(known)):,} numbers")]
        else:
            counts = np.bincount(known[known >= 0], minlength=len(self.class_names)).tolist()
            found = [f"{name}: {count:,}" for name, count in zip(self.class_names, counts, strict=True)]
            more = [f"and {len(found) - 20} more"] if len(found) > 20 else []
            rows += [("labels", f"{sum(counts):,}"), (f"{len(found)} classes", ", ".join(found[:20] + more))]
        if self.fixed_split is not None:
            rows += [("split", repr(self.fixed_split))]
        rows += [("remark", remark) for remark in self.remarks]
        lines = (f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in rows)
        return f"<table><caption>Dataset {html.escape(self.name)}</caption>{''.join(lines)}</table>"

    def _state(self) -> dict[str, Any]:
        return {
            "remarks": self.remarks,
            "truth": self.truth,
            "merged": self.merged,
            "name": self.name,
            "edges": upper(self._graph_rows()),
            "nodes": self.n_nodes,
            "features": self._feature_rows(),
            "feature_names": self.feature_names,
            "labels": self.labels,
            "class_names": self.class_names,
            "names": self._names,
            "node_names": self.node_names,
            "split": self._fixed_sets,
            "source": self._source,
            "ids": self._ids,
            "classes": self._classes,
            "table": self._table,
        }

    @classmethod
    def _restored(cls, state: dict[str, Any]) -> Dataset:
        given: dict[str, Any] = {"ids": state["names"], "ask": False}
        given |= {name: state[name] for name in ("source", "name", "remarks", "truth", "merged")}
        if state["split"] is not None:
            given["split"] = tuple(map(whole, state["split"]))
        match state["features"]:
            case None:
                pass
            case (values, columns, starts, width):
                given |= {"columns": width, "values": values, "indptr": starts, "indices": whole(columns)}
            case dense:
                given |= {"columns": dense.shape[1], "values": dense.reshape(-1)}
        if state["node_names"]:
            given["node_names"] = state["node_names"]
        if state["feature_names"]:
            given["feature_names"] = state["feature_names"]
        if state["class_names"] is None:
            given["numbers"] = state["labels"]
        else:
            given |= {"classes": state["labels"], "class_names": state["class_names"]}
        core = _bgcn.Dataset._from_arrays(state["nodes"], *map(whole, state["edges"]), **given)
        return cls._made(core, state["ids"], state["classes"], state["table"])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._restored, (self._state(),)

    def __copy__(self) -> Dataset:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Dataset:
        return self


def csr(rows: tuple[Array, Array], nodes: int) -> Any:
    """A symmetric matrix of 0 and 1."""
    from scipy.sparse import csr_matrix

    starts, columns = rows
    return csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(nodes, nodes))


def upper(rows: tuple[Array, Array]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Every edge of a symmetric matrix once, as two columns."""
    starts, columns = rows
    sources = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    kept = sources < columns
    return sources[kept], columns[kept]
