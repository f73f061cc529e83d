"""To and from the graphs of other libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ._build import among
from ._data import Dataset
from ._edges import edges_of, nodes_of
from ._features import without_texts


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
    options: dict[str, Any] = {"weight": weight, "weight_threshold": weight_threshold}
    return Dataset(X, y, adjacency=graph, regression=regression, name=name, **options)


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


def from_pandas(
    edges: Any,
    nodes: Any = None,
    *,
    label: str | None = None,
    id: str | None = None,
    name_column: str | None = None,
    weight: str | None = None,
    weight_threshold: float | None = None,
    regression: bool = False,
    name: str | None = None,
) -> Dataset:
    """Two tables: edges (columns source and target), and nodes with features and, under ``label``, labels.

    Either may be a path to a Parquet, Feather or CSV file. ``id`` names the column of ``nodes`` that edges refer to;
    without it that is the index. ``name_column`` names the one with texts to show beside the ids.

    >>> import bgcn, pandas as pd
    >>> nodes = pd.DataFrame({"age": [30, 40, 50], "city": ["x", "y", "x"], "team": ["a", None, "b"]},
    ...                      index=["ann", "bob", "eve"])
    >>> edges = pd.DataFrame({"source": ["ann", "bob"], "target": ["bob", "eve"]})
    >>> bgcn.from_pandas(edges, nodes, label="team")
    Dataset(data: 3 nodes, 2 edges, 3 features, 2 classes, 2 labels)
    """
    edges = _table(edges)
    X = y = texts = None
    if nodes is not None:
        nodes = _table(nodes)
        if id is not None:
            nodes = nodes.set_index(_checked(id, nodes))
        if name_column is not None:
            nodes, texts = without_texts(nodes, name_column)
        X = nodes
        if label is not None:
            y, X = nodes[_checked(label, nodes)].tolist(), nodes.drop(columns=[label])
        if X.shape[1] == 0:
            # Names alone: an empty table still has the nodes.
            known = X.index.tolist()
            y = None if y is None else dict(zip(known, y, strict=True))
            X, edges = None, among(edges_of(edges, None, weight, weight_threshold), known)
            weight = weight_threshold = None
    options: dict[str, Any] = {"weight": weight, "weight_threshold": weight_threshold}
    return Dataset._of(X, y, edges, regression=regression, name=name, texts=texts, **options)


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
