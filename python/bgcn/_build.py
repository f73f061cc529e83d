"""From any form of data to numbered nodes, edges, rows and labels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _bgcn
from ._edges import Edges, edges_of, is_counted, plain, warn
from ._features import Columns, Features, features_of
from ._labels import Labels, classes_of, listed, values_of
from ._types import Array, whole


class Parts(NamedTuple):
    """Data as the library holds it, and what it has no place for: nodes and classes as they were given, and columns."""

    core: _bgcn.Dataset
    ids: list[Any] | None
    classes: Array | None
    table: Columns | None


def parts_of(
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
    known: list[Any] | None = None,
    texts: list[str] | None = None,
) -> Parts:
    """From data of any form to the parts of a dataset; ``known`` are its nodes in order, where X has no names, and
    ``texts`` are shown beside the first of its nodes."""
    features = None if X is None else features_of(X, table)
    if adjacency is None:
        if weight is not None or weight_threshold is not None:
            raise ValueError("weight and weight_threshold are of edges, but there is no adjacency; leave them out")
        edges = Edges(np.zeros(0, np.int64), np.zeros(0, np.int64))
    else:
        edges = edges_of(adjacency, features.rows if features is not None else None, weight, weight_threshold)
    nodes, ids, edges = _numbered(edges, features, y, known)
    if nodes > 2**32 - 2:
        raise ValueError(f"{nodes} nodes are too many; at most 4294967294 are allowed")
    labels = Labels()
    if y is not None:
        in_order = listed(y, ids, nodes)
        labels = values_of(in_order) if regression else classes_of(in_order)
    given = {} if features is None else features.arguments()
    core = _bgcn.Dataset._from_arrays(
        nodes,
        whole(edges.sources, "sources of edges"),
        whole(edges.targets, "targets of edges"),
        ids=None if ids is None else [str(node) for node in ids],
        node_names=None if texts is None else texts + [""] * (nodes - len(texts)),
        split=None if split is None else sets_of(split, nodes),
        name=name,
        **given,
        **labels.arguments(),
    )
    merged = core.merged
    ordered = merged["given"] - merged["self_loops"] - merged["duplicates"]
    if edges.matrix and ordered != 2 * merged["reciprocal"]:
        text = "the adjacency is not symmetric; directions are ignored: nodes are joined where either entry is not 0"
        warn(text)
    return Parts(core, ids, labels.classes, features.table if features is not None else None)


def _numbered(
    edges: Edges, features: Features | None, y: Any, known: list[Any] | None
) -> tuple[int, list[Any] | None, Edges]:
    """How many nodes, their names where they have any, and edges as numbers."""
    rows = None if features is None else features.rows
    ids = known if features is None else features.ids
    if edges.ids is not None or (ids is not None and edges.nodes is not None and not edges.matrix):
        return _joined(edges, ids, rows)
    if edges.matrix or edges.nodes is not None:
        nodes = edges.nodes if edges.nodes is not None else 0
        if rows is not None and rows != nodes:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: the graph has {nodes} nodes, but X has "
                f"{rows} rows; give one row per node"
            )
        return nodes, None if features is None else ids, edges
    if ids is not None or edges.named:
        if ids is None and rows is not None:
            raise ValueError(
                "edges join names, but X has rows without names; give X as a DataFrame whose index has them, or edges "
                "of row numbers"
            )
        if ids is None:
            first = list(y.keys()) if _is_keyed(y) else []
            ends = [end for pair in zip(edges.sources, edges.targets, strict=True) for end in pair]
            ids = _distinct([*first, *ends])
        return len(ids), ids, _looked_up(edges, ids)
    if rows is not None:
        return rows, None, edges
    length = _length(y)
    if length is not None:
        return length, None, edges
    return _counted(edges, y)


def _length(y: Any) -> int | None:
    """How many nodes labels imply: none for a dict, which names them."""
    if y is None or _is_keyed(y):
        return None
    if not hasattr(y, "__len__") or getattr(y, "shape", None) == ():
        raise ValueError(f"y is a {type(y).__name__}; one label per node is needed, in one dimension")
    return len(y)


def _is_keyed(y: Any) -> bool:
    """Whether labels name their nodes: a dict, or a Series whose index is not 0, 1, 2, …"""
    return hasattr(y, "keys") and not hasattr(y, "columns") and not is_counted(getattr(y, "index", None))


def _distinct(nodes: list[Any]) -> list[Any]:
    """Every node once, in their order."""
    try:
        return list(dict.fromkeys(nodes))
    except TypeError:
        raise ValueError("edges join what cannot be a name; nodes are whole numbers or words") from None


def _counted(edges: Edges, y: Any) -> tuple[int, list[Any] | None, Edges]:
    """Nodes of edges alone: 0, 1, 2, …, or names where numbers are left out."""
    ends = np.unique(np.concatenate([edges.sources, edges.targets]))
    keys = list(y.keys()) if y is not None else []
    known = set(ends.tolist()) | set(keys)
    if not known:
        raise ValueError("Found array with 0 sample(s): there are no nodes; give X, y or adjacency")
    if known == set(range(len(known))):
        return len(known), None, edges
    below = [node for node in known if isinstance(node, (int, np.integer)) and node < 0]
    if below:
        raise ValueError(f"edges: node {min(below)}; nodes are counted from 0")
    ids = _distinct([*keys, *ends.tolist()])
    return len(ids), ids, _looked_up(edges, ids)


def _looked_up(edges: Edges, ids: list[Any]) -> Edges:
    number = {node: i for i, node in enumerate(ids)}

    def column(names: Array) -> npt.NDArray[np.int64]:
        try:
            return np.fromiter((number[node] for node in names.tolist()), np.int64, len(names))
        except KeyError as error:
            raise ValueError(f"edges: node {error.args[0]!r} is not known; give it features, or remove it") from None
        except TypeError:
            raise ValueError("edges join what cannot be a name; nodes are whole numbers or words") from None

    return Edges(column(edges.sources), column(edges.targets))


def among(edges: Edges, known: list[Any]) -> Edges:
    """Edges between these nodes and any others they name."""
    ids = _distinct([*known, *edges.sources.tolist(), *edges.targets.tolist()])
    numbered = _looked_up(edges, ids)
    return Edges(numbered.sources, numbered.targets, len(ids), ids)


def _joined(edges: Edges, ids: list[Any] | None, rows: int | None) -> tuple[int, list[Any] | None, Edges]:
    """A graph that names its nodes, beside features that may too."""
    own = edges.ids if edges.ids is not None else list(range(edges.nodes or 0))
    if ids is None:
        if rows is not None and rows != len(own):
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: the graph has {len(own)} nodes, but X "
                f"has {rows} rows; give one row per node, in the order of the graph's nodes"
            )
        return len(own), None if own == list(range(len(own))) else own, edges
    number = {node: i for i, node in enumerate(ids)}
    missing = [node for node in own if node not in number]
    if missing:
        raise ValueError(f"node {missing[0]!r} of the graph is not known; give it features, or remove it")
    place = np.array([number[node] for node in own], dtype=np.int64)
    return len(ids), ids, Edges(place[edges.sources], place[edges.targets], matrix=edges.matrix)


def sets_of(split: Any, nodes: int) -> tuple[Array, Array, Array]:
    """Three arrays of node numbers from a split of any form: a Split, three lists or masks, or a dict of them."""
    if hasattr(split, "keys"):
        unknown = [key for key in split if key not in ("train", "validation", "test")]
        if unknown:
            raise ValueError(f"split has a set {unknown[0]!r}; allowed are train, validation and test")
        split = [split.get(name, ()) for name in ("train", "validation", "test")]
    if not hasattr(split, "__iter__"):
        raise TypeError(f"split is of type {type(split).__name__}; give training, validation and test nodes")
    parts = list(split)
    if len(parts) != 3:
        raise ValueError(f"split has {len(parts)} parts; give training, validation and test nodes")
    names = ("training nodes", "validation nodes", "test nodes")
    return tuple(_set(part, nodes, name) for part, name in zip(parts, names, strict=True))  # type: ignore[return-value]


def _set(part: Any, nodes: int, name: str) -> Array:
    array = plain(part)
    if array.ndim != 1:
        raise ValueError(f"a set of the split has shape {array.shape}; give node numbers or a mask in one dimension")
    if array.dtype.kind == "b":
        if len(array) != nodes:
            raise ValueError(f"a mask of the split has {len(array)} entries; {nodes} nodes need one each")
        return whole(np.flatnonzero(array))
    if len(array) and array.dtype.kind not in "iu":
        raise ValueError(f"a set of the split is of type {array.dtype}; give node numbers or a mask")
    return whole(array, name)
