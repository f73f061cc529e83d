"""Data in one piece: a graph, features and labels, checked by the library."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _bgcn
from ._edges import DataWarning, Edges, edges_of
from ._features import Columns, Features, features_of
from ._labels import Labels, classes_of, listed, values_of

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Split:
    """Which nodes are for what, as node numbers."""

    train: npt.NDArray[np.int64]
    validation: npt.NDArray[np.int64]
    test: npt.NDArray[np.int64]

    def __iter__(self) -> Any:
        return iter((self.train, self.validation, self.test))


class Dataset:
    """A graph, features and labels. It does not change.

    Parameters
    ----------
    X : array, scipy sparse matrix, DataFrame or None
        A row of features per node. Columns of a DataFrame that are no numbers become one column per category. Without
        features, nodes are told apart by identity alone.
    y : array, list, Series or dict of node to label
        -1, None, NaN and a missing key are unlabelled.
    adjacency : graph
        A scipy sparse matrix, a square array, an edge_index of shape (2, E), a list of pairs, a DataFrame with columns
        source and target, a graph of networkx or igraph, PyG data or a torch tensor. Directions, repetitions and
        self-loops are merged (``merged`` counts them).
    weight, weight_threshold : str, float
        Edges whose weight is at least the threshold are kept; ``weight`` names the column or attribute. Otherwise
        weights are ignored.
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

    def __init__(
        self,
        X: Any = None,
        y: Any = None,
        *,
        adjacency: Any = None,
        weight: str | None = None,
        weight_threshold: float | None = None,
        split: Any = None,
        name: str | None = None,
        regression: bool = False,
    ) -> None:
        built = build(
            X,
            y,
            adjacency,
            weight=weight,
            weight_threshold=weight_threshold,
            split=split,
            name=name,
            regression=regression,
        )
        self._core = built._core
        self._ids = built._ids
        self._classes = built._classes
        self._table = built._table

    @classmethod
    def _made(
        cls, core: _bgcn.Dataset, ids: list[Any] | None, classes: Array | None, table: Columns | None = None
    ) -> Dataset:
        data = cls.__new__(cls)
        data._core, data._ids, data._classes, data._table = core, ids, classes, table
        return data

    @property
    def name(self) -> str:
        """A short name for tables."""
        return self._core.name

    @property
    def n_nodes(self) -> int:
        """Nodes."""
        return self._core.n_nodes

    @property
    def n_edges(self) -> int:
        """Edges, each counted once."""
        return self._core.n_edges

    @property
    def n_features(self) -> int:
        """Columns of features; 0 without."""
        return self._core.n_features

    @property
    def class_names(self) -> list[str] | None:
        """Names of the classes; None where labels are numbers."""
        return self._core.class_names

    @property
    def ids(self) -> list[Any]:
        """The nodes as they were given, in the order of their numbers."""
        return list(range(self.n_nodes)) if self._ids is None else list(self._ids)

    @property
    def labels(self) -> Array:
        """Class numbers, -1 for none; or real values, NaN for none."""
        return self._core.labels

    @property
    def adjacency(self) -> Any:
        """The graph as a symmetric scipy CSR matrix of 0 and 1."""
        return csr(self._core.adjacency(), self.n_nodes)

    @property
    def features(self) -> Any:
        """X, as an array or a scipy CSR matrix; None without."""
        found = self._core.features()
        if not isinstance(found, tuple):
            return found
        from scipy.sparse import csr_matrix

        values, columns, starts, width = found
        return csr_matrix((values, columns, starts), shape=(self.n_nodes, width))

    @property
    def merged(self) -> dict[str, int]:
        """What the edge list held beside the edges: entries given, self-loops, duplicates, reciprocal entries."""
        return self._core.merged

    @property
    def homophily(self) -> float | None:
        """Share of the edges between labelled nodes that join equal classes."""
        return self._core.homophily

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the content; the same for the same data in the command."""
        return self._core.fingerprint

    @property
    def truth(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]] | None:
        """Of generated data: edges that are noise, and edges that were taken away."""
        return self._core.truth

    def split(self, kind: str = "auto", labels_per_class: int | None = None, seed: int = 0) -> Split:
        """Training, validation and test nodes, as the command chooses them.

        ``random`` draws them (20 labels of each class unless another number is asked for, 1,000 test nodes, 500
        validation nodes, as far as there are), ``fixed`` is the split that comes with the data, ``all`` trains on
        every label, and a path names a file of lines ``id,train``.

        >>> import bgcn
        >>> [len(nodes) for nodes in bgcn.datasets.load("demo").split("random", labels_per_class=5)]
        [35, 500, 1000]
        """
        return Split(*self._core.split(kind, labels_per_class, seed))

    def __repr__(self) -> str:
        known = self.labels
        if self.class_names is None:
            count, what = int(np.count_nonzero(~np.isnan(known))), "numbers"
        else:
            count, what = int(np.count_nonzero(known >= 0)), f"{len(self.class_names)} classes"
        features = f"{self.n_features:,} features" if self.n_features else "no features"
        size = f"{self.n_nodes:,} nodes, {self.n_edges:,} edges, {features}"
        return f"Dataset({self.name}: {size}, {what}, {count:,} labels)"

    def __getstate__(self) -> dict[str, Any]:
        core = self._core
        return {
            "name": core.name,
            "edges": upper(core.adjacency()),
            "nodes": core.n_nodes,
            "features": core.features(),
            "labels": core.labels,
            "class_names": core.class_names,
            "names": core.ids,
            "split": core.fixed_split,
            "source": core.source,
            "ids": self._ids,
            "classes": self._classes,
            "table": self._table,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        given: dict[str, Any] = {"ids": state["names"], "split": state["split"], "source": state["source"]}
        match state["features"]:
            case None:
                pass
            case (values, columns, starts, width):
                given |= {"columns": width, "values": values, "indptr": starts, "indices": columns}
            case dense:
                given |= {"columns": dense.shape[1], "values": dense.reshape(-1)}
        if state["class_names"] is None:
            given["numbers"] = state["labels"]
        else:
            given |= {"classes": state["labels"], "class_names": state["class_names"]}
        sources, targets = state["edges"]
        self._core = _bgcn.Dataset.from_arrays(state["nodes"], sources, targets, name=state["name"], **given)
        self._ids, self._classes, self._table = state["ids"], state["classes"], state["table"]

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


def build(
    X: Any,
    y: Any,
    adjacency: Any,
    *,
    weight: str | None = None,
    weight_threshold: float | None = None,
    split: Any = None,
    name: str | None = None,
    regression: bool = False,
    table: Columns | None = None,
) -> Dataset:
    """From whatever was given to a dataset."""
    features = None if X is None else features_of(X, table)
    if adjacency is None:
        if weight is not None or weight_threshold is not None:
            raise ValueError("weight and weight_threshold are of edges, but there is no adjacency; leave them out")
        edges = Edges(np.zeros(0, np.int64), np.zeros(0, np.int64))
    else:
        edges = edges_of(adjacency, features.rows if features is not None else None, weight, weight_threshold)
    nodes, ids, edges = _numbered(edges, features, y)
    labels = Labels()
    if y is not None:
        in_order = listed(y, ids, nodes)
        labels = values_of(in_order) if regression else classes_of(in_order)
    given = {} if features is None else features.arguments()
    core = _bgcn.Dataset.from_arrays(
        nodes,
        _whole(edges.sources),
        _whole(edges.targets),
        ids=None if ids is None else [str(node) for node in ids],
        split=None if split is None else sets_of(split),
        name=name,
        **given,
        **labels.arguments(),
    )
    merged = core.merged
    ordered = merged["given"] - merged["self_loops"] - merged["duplicates"]
    if edges.matrix and ordered != 2 * merged["reciprocal"]:
        text = "the adjacency is not symmetric; directions are ignored: nodes are joined where either entry is not 0"
        warnings.warn(text, DataWarning, stacklevel=4)
    return Dataset._made(core, ids, labels.classes, features.table if features is not None else None)


def _whole(column: Array) -> Array:
    """As the library reads them. Numbers that do not fit are refused there."""
    if column.dtype in (np.int32, np.int64, np.uint32) and column.dtype.isnative:
        return column
    if column.dtype.kind == "u" and len(column) and int(column.max()) > np.iinfo(np.int64).max:
        raise ValueError(f"edges: node {column.max()}; whole numbers from 0 to 4294967294 are allowed")
    return column.astype(np.int64)


def _numbered(edges: Edges, features: Features | None, y: Any) -> tuple[int, list[Any] | None, Edges]:
    """How many nodes, their names where they have any, and edges as numbers."""
    rows = None if features is None else features.rows
    ids = None if features is None else features.ids
    if edges.ids is not None or (ids is not None and edges.nodes is not None and not edges.matrix):
        return _joined(edges, ids, rows)
    if edges.matrix or edges.nodes is not None:
        nodes = edges.nodes if edges.nodes is not None else 0
        if rows is not None and rows != nodes:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: the graph has {nodes} nodes, but X has "
                f"{rows} rows; give one row per node"
            )
        return nodes, ids, edges
    if ids is not None or edges.named:
        if ids is None and rows is not None:
            raise ValueError(
                "edges join names, but X has rows without names; give X as a DataFrame whose index has them, or edges "
                "of row numbers"
            )
        if ids is None:
            first = list(y) if hasattr(y, "keys") else []
            ends = [end for pair in zip(edges.sources, edges.targets, strict=True) for end in pair]
            ids = list(dict.fromkeys([*first, *ends]))
        return len(ids), ids, _looked_up(edges, ids)
    if rows is not None:
        return rows, None, edges
    length = _length(y)
    if length is not None:
        return length, None, edges
    return _counted(edges, y)


def _length(y: Any) -> int | None:
    """How many nodes labels tell of: none for a dict, which names them."""
    if y is None or hasattr(y, "keys"):
        return None
    return len(y) if hasattr(y, "__len__") else None


def _counted(edges: Edges, y: Any) -> tuple[int, list[Any] | None, Edges]:
    """Nodes that edges alone tell of: 0, 1, 2, …, or names where numbers are left out."""
    ends = np.unique(np.concatenate([edges.sources, edges.targets]))
    keys = list(y) if y is not None else []
    known = set(ends.tolist()) | set(keys)
    if not known:
        raise ValueError("Found array with 0 sample(s): there are no nodes; give X, y or adjacency")
    if known == set(range(len(known))):
        return len(known), None, edges
    if min(known, key=lambda node: node if isinstance(node, (int, np.integer)) else 0) < 0:
        raise ValueError(f"edges: node {min(known)}; nodes are counted from 0")
    ids = list(dict.fromkeys([*keys, *ends.tolist()]))
    return len(ids), ids, _looked_up(edges, ids)


def _looked_up(edges: Edges, ids: list[Any]) -> Edges:
    number = {node: i for i, node in enumerate(ids)}

    def column(names: Array) -> npt.NDArray[np.int64]:
        try:
            return np.fromiter((number[node] for node in names.tolist()), np.int64, len(names))
        except KeyError as error:
            raise ValueError(f"edges: node {error.args[0]!r} has no row of features; add one, or remove it") from None
        except TypeError:
            raise ValueError("edges join what cannot be a name; nodes are whole numbers or words") from None

    return Edges(column(edges.sources), column(edges.targets))


def _joined(edges: Edges, ids: list[Any] | None, rows: int | None) -> tuple[int, list[Any] | None, Edges]:
    """A graph that names its nodes, beside features that may too."""
    own = edges.ids if edges.ids is not None else list(range(edges.nodes or 0))
    if ids is None:
        if rows is not None and rows != len(own):
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: the graph has {len(own)} nodes, but X "
                f"has {rows} rows; give one row per node, in the order of the graph's nodes"
            )
        return len(own), own, edges
    number = {node: i for i, node in enumerate(ids)}
    missing = [node for node in own if node not in number]
    if missing:
        raise ValueError(f"node {missing[0]!r} of the graph has no row of features; add one, or remove it")
    place = np.array([number[node] for node in own], dtype=np.int64)
    return len(ids), ids, Edges(place[edges.sources], place[edges.targets])


def sets_of(split: Any) -> tuple[Array, Array, Array]:
    """Three arrays of node numbers from a split of any form: a Split, three lists or masks, or a dict of them."""
    if hasattr(split, "keys"):
        unknown = [key for key in split if key not in ("train", "validation", "test")]
        if unknown:
            raise ValueError(f"split has a set {unknown[0]!r}; allowed are train, validation and test")
        split = [split.get(name, ()) for name in ("train", "validation", "test")]
    parts = list(split)
    if len(parts) != 3:
        raise ValueError(f"split has {len(parts)} parts; give training, validation and test nodes")
    return tuple(_set(part) for part in parts)  # type: ignore[return-value]


def _set(nodes: Any) -> Array:
    array = np.asarray(nodes if not hasattr(nodes, "detach") else nodes.detach().cpu().numpy())
    if array.ndim != 1:
        raise ValueError(f"a set of the split has shape {array.shape}; give node numbers or a mask in one dimension")
    if array.dtype.kind == "b":
        return np.flatnonzero(array)
    if len(array) == 0:
        return np.zeros(0, np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"a set of the split is of type {array.dtype}; give node numbers or a mask")
    return array.astype(np.int64)


def load(
    name: str | Path,
    *,
    data_dir: str | Path | None = None,
    weight_threshold: float | None = None,
    label_kind: str = "auto",
    allow_isolated: bool = False,
) -> Dataset:
    """Reads a set that bgcn knows, or files of one's own, by the rules of the command."""
    core = _bgcn.Dataset.load(
        str(name),
        data_dir=data_dir,
        weight_threshold=weight_threshold,
        label_kind=label_kind,
        allow_isolated=allow_isolated,
    )
    classes = None if core.class_names is None else np.array(core.class_names)
    return Dataset._made(core, core.ids, classes)
