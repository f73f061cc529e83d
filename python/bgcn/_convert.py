"""To and from the graphs of other libraries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ._arguments import checked
from ._build import among
from ._data import Dataset
from ._edges import Edges, edges_of, is_counted, nodes_of
from ._features import without_texts
from ._remarks import remarked, warn


@checked
def from_networkx(
    graph: Any,
    *,
    label: str | None = None,
    features: str | list[str] | None = None,
    weight: str | None = None,
    weight_threshold: float | None = None,
    regression: bool = False,
    name: str | None = None,
) -> Dataset:
    """A networkx graph: names of nodes are kept, ``label`` and ``features`` name node attributes.

    ``features`` is one attribute that holds a vector, or a list of attributes that hold a number each. A node without
    the label's attribute is unlabelled.

    >>> import bgcn, networkx as nx
    >>> bgcn.from_networkx(nx.karate_club_graph(), label="club")
    Dataset(data: 34 nodes, 78 edges, no features, 2 classes, 34 labels)
    """
    if not hasattr(graph, "is_multigraph"):
        raise TypeError(f"graph is of type {type(graph).__name__}; give a graph of networkx")
    nodes = nodes_of(graph)
    y = None
    if label is not None:
        found = dict(graph.nodes(data=label))
        if all(value is None for value in found.values()):
            raise ValueError(f"no node has the attribute {label!r}; name the one that holds labels")
        y = [found[node] for node in nodes]
    X = None
    if features is not None:
        wanted = [features] if isinstance(features, str) else features
        rows = [[graph.nodes[node].get(attribute) for attribute in wanted] for node in nodes]
        for node, row in zip(nodes, rows, strict=True):
            for attribute, value in zip(wanted, row, strict=True):
                if value is None:
                    raise ValueError(f"node {node!r} has no attribute {attribute!r}; every node needs its features")
        X = np.array([row[0] for row in rows]) if isinstance(features, str) else np.array(rows)
        X = X.reshape(len(nodes), -1)
    with remarked() as said:
        # Labels and features stand in the order of these nodes.
        edges = replace(edges_of(graph, None, weight, weight_threshold), shuffled=False)
    return Dataset._of(X, y, edges, regression=regression, name=name, said=said)


@checked
def from_pyg(
    data: Any, *, weight: str | None = None, weight_threshold: float | None = None, name: str | None = None
) -> Dataset:
    """PyG data: ``x``, ``y``, ``edge_index``; masks become the fixed split. Real-valued ``y`` is a regression."""
    y = None if getattr(data, "y", None) is None else data.y.detach().cpu().numpy()
    if y is not None and y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    regression = y is not None and y.dtype.kind == "f" and not (y[~np.isnan(y)] == np.floor(y[~np.isnan(y)])).all()
    masks = [getattr(data, f"{which}_mask", None) for which in ("train", "val", "test")]
    split = None
    if masks[0] is not None:
        if masks[0].ndim == 2:
            raise ValueError("the masks hold several splits; take one of them: data.train_mask[:, 0], and so on")
        empty = np.zeros(0, np.int64)
        split = [empty if mask is None else np.flatnonzero(mask.detach().cpu().numpy()) for mask in masks]
    x = getattr(data, "x", None)
    options: dict[str, Any] = {"weight": weight, "weight_threshold": weight_threshold}
    return Dataset(x, y, adjacency=data, split=split, name=name, regression=regression, **options)


@checked
def from_pandas(
    edges: Any,
    nodes: Any = None,
    *,
    label: str | None = None,
    id: str | None = None,
    columns: str | Sequence[str | int] | None = None,
    name_column: str | None = None,
    weight: str | None = None,
    weight_threshold: float | None = None,
    regression: bool = False,
    name: str | None = None,
) -> Dataset:
    """Two tables: edges (columns source and target), and nodes with features and, under ``label``, labels.

    Either may be a path to a Parquet, Feather or CSV file. ``id`` names the column of ``nodes`` that edges refer to;
    without it that is the index, or the one column that has all nodes of the edges, which is said. ``columns`` names
    the features, as for :class:`Dataset`. ``name_column`` names the one with texts to
    show beside the ids.

    >>> import bgcn, pandas as pd
    >>> nodes = pd.DataFrame({"age": [30, 40, 50], "city": ["x", "y", "x"], "team": ["a", None, "b"]},
    ...                      index=["ann", "bob", "eve"])
    >>> edges = pd.DataFrame({"source": ["ann", "bob"], "target": ["bob", "eve"]})
    >>> bgcn.from_pandas(edges, nodes, label="team")
    Dataset(data: 3 nodes, 2 edges, 3 features, 2 classes, 2 labels)
    """
    X = y = texts = None
    with remarked() as said:
        edges = edges_of(_table(edges), None, weight, weight_threshold)
        if nodes is not None:
            nodes = _table(nodes)
            id = _id_of(nodes, edges, label) if id is None else _checked(id, nodes)
            X = nodes if id is None else nodes.set_index(id)
            if name_column is not None:
                X, texts = without_texts(X, name_column)
            if label is None:
                _ask_for_label(X)
            else:
                y, X = X[_checked(label, X)], X.drop(columns=[label])
            if X.shape[1] == 0:
                # Names alone: an empty table still has the nodes.
                known = X.index.tolist()
                y = None if y is None else dict(zip(known, y.tolist(), strict=True))
                X, edges = None, among(edges, known)
    return Dataset._of(X, y, edges, regression=regression, name=name, columns=columns, said=said, texts=texts)


def _ask_for_label(nodes: Any) -> None:
    """Warns where a column is called as labels are, and is a feature."""
    called = [name for name in nodes.columns if str(name).lower() in ("label", "labels", "class", "target")]
    if called:
        warn(f"column {called[0]!r} of the nodes is a feature; if it is the label, give label={called[0]!r}")


def _id_of(nodes: Any, edges: Edges, label: str | None) -> Any:
    """The column that has the nodes of the edges; None where that is the index."""
    ends = set(edges.ids if edges.ids is not None else [*edges.sources.tolist(), *edges.targets.tolist()])
    if not ends or not (is_counted(nodes.index) or ends.isdisjoint(nodes.index)):
        return None
    columns = {name: column for name, column in nodes.items() if name != label and _is_unique(column)}
    shared = {name: len(ends.intersection(column.tolist())) for name, column in columns.items()}
    found = [name for name, count in shared.items() if count == len(ends)]
    numbered = is_counted(nodes.index) and ends <= set(range(len(nodes)))
    if len(found) == 1 and (not numbered or str(found[0]).lower().endswith(("id", "node", "name"))):
        warn(f"column {found[0]!r} of the nodes has all nodes of the edges and is taken as ids; id= names another")
        return found[0]
    if found:
        rows = " nodes.reset_index() and id='index' take the row numbers." if numbered else ""
        raise ValueError(
            f"all nodes of the edges are in the column {' and in the column '.join(map(repr, found))}; "
            f"id={found[0]!r} takes it as the ids.{rows}"
        )
    best = max(shared, key=lambda name: shared[name], default=None)
    if best is not None and not numbered and shared[best] > len(ends) / 2:
        lost = next(end for end in ends if end not in set(columns[best]))
        raise ValueError(
            f"no column has all nodes of the edges: {best!r} has {shared[best]} of {len(ends)}, but not {lost!r}. Add "
            f"the rows that are missing, or remove their edges; id={best!r} names the column"
        )
    return None


def _is_unique(column: Any) -> bool:
    """Whether no value of a column occurs twice; lists and the like are no ids."""
    try:
        return bool(column.is_unique)
    except TypeError:
        return False


def _checked(column: str, nodes: Any) -> str:
    if column in nodes.columns:
        return column
    raise ValueError(f"the table of nodes has no column {column!r}; it has {', '.join(map(str, nodes.columns))}")


def _table(given: Any) -> Any:
    """A DataFrame, or the file of one."""
    if hasattr(given, "columns"):
        return given
    if not isinstance(given, (str, Path)):
        raise TypeError(f"a {type(given).__name__} was given; give a DataFrame, or a .parquet, .feather or .csv file")
    import pandas as pd

    path = str(given)
    match path.rpartition(".")[2].lower():
        case "parquet" | "pq":
            return pd.read_parquet(path)
        case "feather" | "arrow":
            return pd.read_feather(path)
        case "csv" | "tsv":
            return pd.read_csv(path, sep="\t" if path.lower().endswith("tsv") else ",")
    raise ValueError(f"{path} is of no known kind; give a DataFrame, or a .parquet, .feather or .csv file")
