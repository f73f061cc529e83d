"""Graphs of any library as two columns of nodes: numbers, or names that are still to be numbered."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._remarks import warn
from ._types import Array


@dataclass
class Edges:
    """Two columns; numbers below ``nodes``, or names. ``ids`` are the nodes in order, where the graph has them."""

    sources: Array
    targets: Array
    #: How many nodes, where the graph fixes it.
    nodes: int | None = None
    ids: list[Any] | None = None
    #: Whether it was a matrix, which has every edge twice.
    matrix: bool = False
    #: Whether the nodes are 0, 1, 2, … and the graph has them in another order.
    shuffled: bool = False

    @property
    def named(self) -> bool:
        """Whether the columns hold names rather than numbers."""
        return self.sources.dtype.kind not in "iu"


def finite(name: str, given: Any) -> float:
    """A finite number, or an error that names the argument."""
    if not isinstance(given, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} is of type {type(given).__name__}; give a finite number")
    if not -sys.float_info.max <= given <= sys.float_info.max:
        raise ValueError(f"{name} is {given}; give a finite number")
    return float(given)


def module_of(given: Any) -> str:
    """The package that a value's type comes from."""
    return type(given).__module__.partition(".")[0]


def is_counted(index: Any) -> bool:
    """Whether an index of pandas is 0, 1, 2, …, and so names nothing."""
    return type(index).__name__ == "RangeIndex" and bool(index.start == 0 and index.step == 1)


def shuffled(nodes: list[Any], count: int) -> bool:
    """Whether these are 0, 1, 2, … in another order."""
    return len(nodes) == count and nodes != list(range(count)) and set(nodes) == set(range(count))


def as_numbers(names: list[Any], what: str) -> list[Any]:
    """Names that are whole numbers in text, as the keys of JSON are, as numbers, which is said; others as they are."""
    if not names or not all(isinstance(name, str) and name.isdecimal() and str(int(name)) == name for name in names):
        return names
    warn(f"the names of nodes in {what} are text; the graph has whole numbers, so they are read as such")
    return [int(name) for name in names]


def plain(given: Any) -> Array:
    """A tensor of torch, or anything else, as an array of NumPy, which lacks bfloat16."""
    if hasattr(given, "detach"):
        given = given.detach().cpu()
        given = (given.float() if str(given.dtype) == "torch.bfloat16" else given).numpy()
    return np.asarray(given)


def edges_of(given: Any, nodes: int | None, weight: str | None, weight_threshold: float | None) -> Edges:
    """Reads a graph of any known kind; ``nodes`` is their number where features or labels fix it."""
    if isinstance(given, Edges):
        return given
    if weight_threshold is not None:
        finite("weight_threshold", weight_threshold)
    if weight is not None and weight_threshold is None:
        raise ValueError(
            f"weight={weight!r} names edge weights, but the graph has none: it is simple. "
            "Add weight_threshold=…, and edges of at least that weight are kept"
        )
    package = module_of(given)
    if hasattr(given, "edge_index"):
        return _of_pyg(given, weight, weight_threshold)
    if package == "torch":
        if str(given.layout) != "torch.strided":
            return _of_torch(given, weight_threshold)
        given = plain(given)
    if package == "pandas" and hasattr(given, "columns"):
        return _of_frame(given, weight, weight_threshold)
    if package == "networkx" or hasattr(given, "is_multigraph"):
        return _of_networkx(given, weight, weight_threshold)
    if package == "igraph":
        return _of_igraph(given, weight, weight_threshold)
    if hasattr(given, "tocoo"):
        matrix = given.tocoo()
        return _of_entries(matrix.row, matrix.col, matrix.data, given.shape, weight_threshold)
    if isinstance(given, np.ndarray):
        return _of_array(given, nodes, weight_threshold)
    words = isinstance(given, (str, bytes, Mapping)) or package in ("pandas", "torch_geometric")
    if hasattr(given, "__iter__") and not words:
        return _of_list(list(given), nodes, weight_threshold)
    raise TypeError(
        f"adjacency is of type {type(given).__name__}; give a scipy sparse matrix, an array, a (2, E) edge_index, a "
        "list of pairs, a pandas DataFrame, or a graph of networkx, igraph or PyG"
    )


def _kept(weights: Array, threshold: float | None, what: str) -> npt.NDArray[np.bool_]:
    """Which entries are edges: those of at least the threshold, or without one those that are not 0."""
    if weights.dtype.kind == "b":
        return np.asarray(weights, dtype=np.bool_)
    if weights.dtype.kind not in "iuf":
        raise ValueError(f"{what} are of type {weights.dtype}; weights are real numbers")
    if weights.dtype.kind == "f" and not np.isfinite(weights).all():
        place = int(np.flatnonzero(~np.isfinite(weights))[0])
        raise ValueError(f"{what}, entry {place}: {weights[place]}; weights are finite numbers. Replace or remove it")
    if threshold is not None:
        return np.asarray(weights >= threshold)
    kept = np.asarray(weights != 0)
    if not np.all(weights[kept] == 1):
        warn(
            f"{what} are not all 1, and are ignored: every entry that is not 0 is an edge. "
            "weight_threshold=… keeps those of at least that weight"
        )
    return kept


def _of_entries(rows: Any, columns: Any, values: Any, shape: Sequence[int], threshold: float | None) -> Edges:
    """The entries of a sparse matrix."""
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(
            f"adjacency has shape {tuple(shape)}; an adjacency matrix is square, a row per node. "
            "Cross-validation splits rows: to search over one graph, give the estimator graph=… and node numbers as X"
        )
    sources, targets, weights = np.asarray(rows), np.asarray(columns), np.asarray(values)
    kept = _kept(weights, threshold, "entries of the adjacency") & (weights != 0)
    if not kept.all():
        sources, targets = sources[kept], targets[kept]
    return Edges(sources, targets, int(shape[0]), matrix=True)


def _of_array(given: Array, nodes: int | None, threshold: float | None) -> Edges:
    shape = given.shape
    if given.ndim != 2:
        raise ValueError(
            f"adjacency has shape {shape}; give a square matrix, an edge_index of shape (2, E) or pairs of shape (E, 2)"
        )
    if shape == (2, 2) and nodes in (None, 2):
        raise ValueError(
            "adjacency has shape (2, 2), which is a matrix, an edge_index or two pairs; "
            "give a scipy sparse matrix, or a list of pairs"
        )
    if shape[0] == shape[1] and (nodes is None or shape[0] == nodes):
        given = np.asarray(given)
        if given.dtype.kind not in "biuf":
            raise ValueError(f"adjacency is of type {given.dtype}; a matrix of numbers is needed")
        if given.dtype.kind == "f" and not np.isfinite(given).all():
            row, column = (int(i) for i in np.argwhere(~np.isfinite(given))[0])
            found = given[row, column]
            raise ValueError(f"adjacency, row {row}, column {column}: {found}; entries are finite. Replace it")
        sources, targets = np.nonzero(given)
        kept = _kept(given[sources, targets], threshold, "entries of the adjacency")
        return Edges(sources[kept], targets[kept], shape[0], matrix=True)
    if 2 in shape:
        _unweighted(threshold)
    if shape[0] == 2:
        return _columns(given[0], given[1])
    if shape[1] == 2:
        return _columns(given[:, 0], given[:, 1])
    if shape[1] == 3 or shape[0] == 3:
        triples = given if shape[1] == 3 else given.T
        return _triples(triples[:, 0], triples[:, 1], triples[:, 2], threshold)
    raise ValueError(
        f"adjacency has shape {shape}"
        + (f" for {nodes} nodes" if nodes is not None else "")
        + "; give a square matrix, an edge_index of shape (2, E) or pairs of shape (E, 2)"
    )


def _triples(sources: Array, targets: Array, weights: Array, threshold: float | None) -> Edges:
    if threshold is None:
        raise ValueError(
            "the edges have a third column; weights are not used. Leave it out, or keep edges of at least some weight "
            "with weight_threshold=…"
        )
    kept = _kept(np.asarray(weights.tolist()), threshold, "weights")
    return _columns(sources[kept], targets[kept])


def _unweighted(threshold: float | None) -> None:
    if threshold is not None:
        raise ValueError("weight_threshold was given, but the edges have no weights; leave it out, or give triples")


def _ignored(what: str, hint: str) -> None:
    warn(f"{what} are ignored: every edge counts the same. {hint} keeps edges of at least some weight")


def _columns(sources: Array, targets: Array) -> Edges:
    """Numbers stay numbers where they are whole; everything else is names."""
    for column in (sources, targets):
        if column.dtype.kind == "f":
            wrong = np.flatnonzero(~(np.isfinite(column) & (column == np.floor(column))))
            if len(wrong):
                place = int(wrong[0])
                raise ValueError(f"edges, entry {place}: node {column[place]}; nodes are whole numbers or names")
            far = np.flatnonzero(np.abs(column) > 2**53)
            if len(far):
                raise ValueError(f"edges: node {column[far[0]]}; whole numbers from 0 to 4294967294 are allowed")
        elif column.dtype.kind == "b":
            raise ValueError("edges are of type bool; nodes are whole numbers or names")
        elif column.dtype.kind == "O":
            empty = [place for place, node in enumerate(column) if node is None]
            if empty:
                raise ValueError(f"edges, entry {empty[0]}: a node is missing; every edge has two. Remove the entry")
    if sources.dtype.kind == "f":
        sources = sources.astype(np.int64)
    if targets.dtype.kind == "f":
        targets = targets.astype(np.int64)
    if sources.dtype.kind not in "iu" or targets.dtype.kind not in "iu":
        return Edges(sources.astype(object), targets.astype(object))
    return Edges(sources, targets)


def _of_list(given: Sequence[Any], nodes: int | None, threshold: float | None) -> Edges:
    if not given:
        return Edges(np.zeros(0, np.int64), np.zeros(0, np.int64))
    lengths = {_size(row) for row in given}
    if lengths == {2}:
        _unweighted(threshold)
        sources, targets = zip(*given, strict=True)
        return _columns(_column(sources), _column(targets))
    if lengths == {3} and len(given) != 3:
        sources, targets, weights = zip(*given, strict=True)
        return _triples(_column(sources), _column(targets), _column(weights), threshold)
    if len(given) == 2 and len(lengths) == 1 and None not in lengths:
        _unweighted(threshold)
        return _columns(_column(given[0]), _column(given[1]))
    try:
        matrix = np.asarray(given)
    except ValueError:
        matrix = np.zeros(0)
    if matrix.ndim == 2 and matrix.dtype.kind in "biuf":
        return _of_array(matrix, nodes, threshold)
    if None in lengths:
        odd = next(row for row in given if _size(row) is None)
        raise ValueError(f"adjacency is a list that holds a {type(odd).__name__}; every edge is a pair of nodes")
    found = ", ".join(str(length) for length in sorted(length for length in lengths if length is not None))
    raise ValueError(f"adjacency is a list of rows of length {found}; every edge is a pair of nodes")


def _size(row: Any) -> int | None:
    """How many things a row holds; None for what is no row."""
    if isinstance(row, (str, bytes)) or not hasattr(row, "__len__") or getattr(row, "shape", None) == ():
        return None
    return len(row)


def _column(values: Sequence[Any]) -> Array:
    """Names stay what they are: 1 and "1" are two nodes."""
    if hasattr(values, "dtype"):
        return plain(values)
    if all(isinstance(value, (int, np.integer)) and not isinstance(value, bool) for value in values):
        return np.asarray(values)
    if all(isinstance(value, (float, np.floating)) for value in values):
        return np.asarray(values)
    column = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        column[place] = value
    return column


def _of_torch(given: Any, threshold: float | None) -> Edges:
    if given.ndim != 2:
        raise ValueError(f"adjacency has shape {tuple(given.shape)}; an adjacency matrix is square, a row per node")
    given = given.to_sparse_coo().coalesce()
    rows, columns = plain(given.indices())
    return _of_entries(rows, columns, plain(given.values()), given.shape, threshold)


def _of_frame(given: Any, weight: str | None, threshold: float | None) -> Edges:
    columns = [str(column) for column in given.columns]
    if len(columns) == len(given) and list(given.columns) == list(given.index) and len(columns) > 2:
        found = _of_array(given.to_numpy(), len(given), threshold)
        return Edges(found.sources, found.targets, len(given), list(given.index), matrix=True)
    lower = [column.lower() for column in columns]
    ends = next(
        (
            (lower.index(a), lower.index(b))
            for a, b in [("source", "target"), ("src", "dst"), ("from", "to"), ("u", "v")]
            if a in lower and b in lower
        ),
        None,
    )
    if ends is None:
        if len(columns) != 2 and not (len(columns) == 3 and weight is not None):
            raise ValueError(
                f"the DataFrame of edges has columns {', '.join(columns)}; name two of them source and target"
            )
        others = [i for i, column in enumerate(columns) if column != weight]
        ends = (others[0], others[1])
    frame = given
    if weight is not None:
        if weight not in given.columns:
            raise ValueError(f"the DataFrame of edges has no column {weight!r}; it has {', '.join(columns)}")
        frame = given[_kept(given[weight].to_numpy(), threshold, f"column {weight}")]
    elif threshold is not None:
        raise ValueError("weight_threshold was given, but no column; name it with weight=…")
    elif "weight" in lower and lower.index("weight") not in ends:
        _ignored("weights of the column weight", 'weight="weight" with weight_threshold=…')
    sources, targets = (frame.iloc[:, i] for i in ends)
    for column in (sources, targets):
        if column.isna().any():
            place = int(np.flatnonzero(column.isna().to_numpy())[0])
            raise ValueError(f"edges, row {place}: a node is missing; every edge has two. Remove the row")
    plain = [column.to_numpy() for column in (sources, targets)]
    return _columns(*(_column(column.tolist()) if column.dtype.kind == "O" else column for column in plain))


def nodes_of(graph: Any) -> list[Any]:
    """The nodes of a networkx graph in the order of rows: 0, 1, 2, … where that is their names, else as they come."""
    ids = list(graph.nodes())
    return list(range(len(ids))) if set(ids) == set(range(len(ids))) else ids


def _of_networkx(given: Any, weight: str | None, threshold: float | None) -> Edges:
    ids = nodes_of(given)
    number = {node: i for i, node in enumerate(ids)}
    if weight is None and threshold is not None:
        raise ValueError("weight_threshold was given, but no edge attribute; name it with weight=…")
    if weight is None:
        pairs = [(number[edge[0]], number[edge[1]]) for edge in given.edges()]
        if any(found not in (None, 1) for *_, found in given.edges(data="weight")):
            _ignored("weights of the edges", 'weight="weight" with weight_threshold=…')
    else:
        weighted = list(given.edges(data=weight))
        for a, b, found in weighted:
            if found is None:
                raise ValueError(f"the edge {a} – {b} has no attribute {weight!r}; give it one, or leave weight out")
        kept = _kept(np.asarray([found for *_, found in weighted]), threshold, f"attribute {weight}")
        pairs = [(number[a], number[b]) for (a, b, _), keep in zip(weighted, kept, strict=True) if keep]
    if given.is_directed():
        warn("the graph is directed; directions are ignored")
    columns = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    return Edges(columns[:, 0], columns[:, 1], len(ids), ids, shuffled=shuffled(list(given.nodes()), len(ids)))


def _of_igraph(given: Any, weight: str | None, threshold: float | None) -> Edges:
    columns = np.asarray(given.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    if weight is not None:
        if weight not in given.es.attributes():
            raise ValueError(f"the edges have no attribute {weight!r}; they have {', '.join(given.es.attributes())}")
        columns = columns[_kept(np.asarray(given.es[weight]), threshold, f"attribute {weight}")]
    elif threshold is not None:
        raise ValueError("weight_threshold was given, but no edge attribute; name it with weight=…")
    elif given.is_weighted():
        _ignored("weights of the edges", 'weight="weight" with weight_threshold=…')
    if given.is_directed():
        warn("the graph is directed; directions are ignored")
    ids = given.vs["name"] if "name" in given.vs.attributes() else None
    return Edges(columns[:, 0], columns[:, 1], given.vcount(), ids)


def _of_pyg(given: Any, weight: str | None, threshold: float | None) -> Edges:
    if given.edge_index is None:
        raise ValueError("the PyG data has no edge_index; give it one")
    index = plain(given.edge_index)
    if index.ndim != 2 or index.shape[0] != 2:
        raise ValueError(f"edge_index has shape {index.shape}; two rows are needed, a column per edge")
    if threshold is not None:
        found = getattr(given, weight or "edge_weight", None)
        if found is None:
            raise ValueError(f"the PyG data has no {weight or 'edge_weight'}; name the weights with weight=…")
        index = index[:, _kept(plain(found), threshold, "edge weights")]
    elif getattr(given, "edge_weight", None) is not None:
        _ignored("edge weights", "weight_threshold=…")
    return Edges(index[0], index[1], int(given.num_nodes))
