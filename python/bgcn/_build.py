"""From any form of data to numbered nodes, edges, rows and labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _bgcn
from ._edges import Edges, as_numbers, edges_of, is_counted, plain, shuffled
from ._features import Columns, Features, features_of, listed_columns
from ._labels import Labels, classes_of, listed, values_of
from ._remarks import remarked, warn
from ._rows import is_listed, rows_of
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
    columns: str | Sequence[str | int] | None = None,
    said: Sequence[str] = (),
    texts: list[str] | None = None,
) -> Parts:
    """From data of any form to the parts of a dataset; ``known`` are its nodes in order, where X has no names, ``said``
    are remarks that were made before, and ``texts`` are shown beside the first of its nodes."""
    with remarked() as remarks:
        remarks.extend(said)
        features = None
        if X is not None:
            listed_rows = is_listed(X)
            features = rows_of(X, table, listed_columns(columns)) if listed_rows else features_of(X, table, columns)
        if adjacency is None:
            if weight is not None or weight_threshold is not None:
                raise ValueError("weight and weight_threshold are of edges, but there is no adjacency; leave them out")
            edges = Edges(np.zeros(0, np.int64), np.zeros(0, np.int64))
        else:
            edges = edges_of(adjacency, features.rows if features is not None else None, weight, weight_threshold)
        if features is not None and features.ids is not None and adjacency is not None and _has_numbers(edges):
            features.ids = as_numbers(features.ids, "X")
        unnamed = edges.ids is None and (edges.nodes is not None or (features is not None and features.ids is None))
        nodes, ids, edges = _numbered(edges, features, y, known)
        if nodes > 2**32 - 2:
            raise ValueError(f"{nodes} nodes are too many; at most 4294967294 are allowed")
        labels = Labels()
        if y is not None:
            in_order = listed(y, ids, nodes, unnamed)
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
        remarks=remarks,
        matrix=edges.matrix,
        **given,
        **labels.arguments(),
    )
    for remark in core.remarks[len(remarks) :]:
        warn(remark)
    return Parts(core, ids, labels.classes, features.table if features is not None else None)


def _has_numbers(edges: Edges) -> bool:
    """Whether the nodes of a graph are whole numbers."""
    if edges.ids is not None:
        return all(isinstance(node, (int, np.integer)) for node in edges.ids)
    return not edges.named and (edges.nodes is not None or len(edges.sources) > 0)


def _numbered(
    edges: Edges, features: Features | None, y: Any, known: list[Any] | None
) -> tuple[int, list[Any] | None, Edges]:
    """How many nodes, their names where they have any, and edges as numbers."""
    rows = None if features is None else features.rows
    ids = known if features is None else features.ids
    if edges.ids is not None:
        return _joined(edges, edges.ids, ids, rows, y)
    if edges.nodes is not None:
        if rows is not None and rows != edges.nodes:
            raise ValueError(_counts(edges.nodes, rows))
        if features is not None and ids is not None and _named(ids) is not None:
            raise ValueError(_unnamed(ids))
        return edges.nodes, None, edges
    if ids is not None or edges.named:
        if ids is None:
            ids = _ends(edges, rows, y)
        return len(ids), _named(ids), _looked_up(edges, ids)
    if rows is not None:
        return rows, None, edges
    length = _length(y)
    if length is not None:
        return length, None, edges
    return _counted(edges, y)


def _counts(nodes: int, rows: int) -> str:
    return (
        f"Found input variables with inconsistent numbers of samples: the graph has {nodes} nodes, but X has {rows} "
        "rows; give one row per node"
    )


def _unnamed(ids: list[Any]) -> str:
    sort = "X.sort_index() if the index has the numbers of the nodes, or " if shuffled(ids, len(ids)) else ""
    return (
        f"X is read by its index, such as {ids[0]!r}, but the nodes of the graph have no names. Give edges that join "
        f"what the index has; or {sort}X.reset_index(drop=True) if row i is node i"
    )


def _named(ids: list[Any]) -> list[Any] | None:
    """Names; None where they are the numbers of the nodes."""
    return None if ids == list(range(len(ids))) else ids


def _ends(edges: Edges, rows: int | None, y: Any) -> list[Any]:
    """The nodes that edges and labels name. What has no names has no order either, then."""
    if rows is not None:
        raise ValueError(
            "edges join names, but X has rows without names; give X as a DataFrame whose index has them, or edges of "
            "row numbers"
        )
    if y is not None and not _is_keyed(y):
        raise ValueError(
            "edges join names, but y has labels without names; give y as a dict of node to label, or as a Series whose "
            "index has the nodes"
        )
    ends = [end for pair in zip(edges.sources, edges.targets, strict=True) for end in pair]
    return _distinct([*(y.keys() if y is not None else []), *ends])


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


def _joined(
    edges: Edges, own: list[Any], ids: list[Any] | None, rows: int | None, y: Any
) -> tuple[int, list[Any] | None, Edges]:
    """A graph that names its nodes, beside features that may too."""
    if ids is None:
        if rows is not None and rows != len(own):
            raise ValueError(_counts(len(own), rows) + ", in the order of the graph's nodes")
        if edges.shuffled and (rows is not None or (y is not None and not _is_keyed(y))):
            raise ValueError(
                f"the graph has its nodes 0 to {len(own) - 1} in another order, and {'y' if rows is None else 'X'} has "
                "no names: is entry i of node i, or of the i-th of G.nodes()? Give adjacency=list(G.edges()) for node "
                "i, or adjacency=nx.to_scipy_sparse_array(G, weight=None) for the order of G.nodes()"
            )
        return len(own), _named(own), edges
    number = {node: i for i, node in enumerate(ids)}
    missing = [node for node in own if node not in number]
    if missing:
        raise ValueError(f"node {missing[0]!r} of the graph is not known; give it features, or remove it")
    place = np.array([number[node] for node in own], dtype=np.int64)
    return len(ids), _named(ids), Edges(place[edges.sources], place[edges.targets], matrix=edges.matrix)


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
