"""Files, read by the rules of the command; Parquet and Feather through pandas."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import _bgcn
from ._arguments import checked
from ._data import Dataset
from ._edges import finite
from ._features import listed_columns
from ._labels import named
from ._remarks import warn

#: How files that only pandas reads begin, and how it reads them.
TABLES = {b"PAR1": "read_parquet", b"ARROW1": "read_feather", b"FEA1": "read_feather"}


@checked
def read(
    path: str | Path | None = None,
    *,
    edges: str | Path | None = None,
    features: str | Path | None = None,
    labels: str | Path | None = None,
    nodes: str | Path | None = None,
    split: str | Path | None = None,
    header: str = "auto",
    id_column: str | int | None = None,
    label_column: str | int | None = None,
    columns: str | Sequence[str | int] | None = None,
    name_column: str | int | None = None,
    source_column: str | int | None = None,
    target_column: str | int | None = None,
    weight_column: str | int | None = None,
    weight_threshold: float | None = None,
    label_kind: str = "auto",
    allow_isolated: bool = False,
    no_ids: bool = False,
    data_dir: str | Path | None = None,
) -> Dataset:
    """Reads a graph with features and labels from files.

    What was guessed, merged, dropped or ignored is in ``remarks`` of the result, and each is a ``DataWarning``.

    Parameters
    ----------
    path : path or str
        A folder, a file of a graph (CSV and other text, npz, Matrix Market, GraphML, GEXF, node-link JSON, Parquet or
        Feather with a row per edge; gzip and zstd of them), or a known dataset.
    edges, features, labels, nodes, split : path
        Separate files instead: a row per edge; a row per node with its features (or JSON ``{id: [columns]}``,
        ``{id: {column: value}}``); with its label; with both; with its set.
    header : str
        Whether tables start with a header: ``yes`` or ``no``; otherwise by evidence.
    id_column, label_column, source_column, target_column, weight_column : str or int
        Columns by name, or by number from 1.
    columns : str or list of str
        The columns that are features, or, after a minus, that are none: ``"likes,age"``, ``["-page_name"]``. Without it
        ids, dates, constants and text that hardly repeats are left out, which remarks say.
    name_column : str or int
        The column of texts to show beside the ids in tables and reports. It is no feature.
    weight_threshold : float
        Edges of at least this weight are kept. Without it and without ``weight_column`` (which keeps positive weights),
        weights are ignored.
    label_kind : str
        ``classes`` or ``values``; otherwise labels are values if all are numbers and one has a fraction.
    allow_isolated : bool
        Whether most nodes of the features or labels may lack an edge.
    no_ids : bool
        Whether row i of features and labels is node i, without an id.
    data_dir : path
        The folder of known datasets.

    Examples
    --------
    >>> import bgcn, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     edges = pathlib.Path(folder) / "friends.csv"
    ...     _ = edges.write_text("source,target\\nann,bob\\nbob,eve\\n")
    ...     bgcn.read(edges)
    Dataset(friends: 3 nodes, 2 edges, no features, 0 classes, 0 labels)
    """
    files = {"edges": edges, "features": features, "labels": labels, "nodes": nodes, "split": split}
    given = {name: file for name, file in files.items() if file is not None}
    if (path is None) == (edges is None):
        raise ValueError("one of path and edges is needed: a folder or file of everything, or the file of edges")
    if path is not None and given:
        raise ValueError(f"path holds everything, but {', '.join(given)} was given too; give edges instead of path")
    of = {"id": id_column, "label": label_column, "source": source_column, "target": target_column}
    of |= {"weight": weight_column, "name": name_column}
    options: dict[str, Any] = {f"{what}_column": str(name) for what, name in of.items() if name is not None}
    options["columns"] = listed_columns(columns)
    options |= {"header": str(header), "label_kind": str(label_kind), "allow_isolated": bool(allow_isolated)}
    options["no_ids"] = bool(no_ids)
    if weight_threshold is not None:
        options["weight_threshold"] = finite("weight_threshold", weight_threshold)
    sources = given if path is None else {"source": path}
    with tempfile.TemporaryDirectory() as folder:
        tables = {name: as_csv(file, Path(folder)) for name, file in sources.items()}
        in_memory = tables != {name: str(file) for name, file in sources.items()}
        core = _bgcn.Dataset._load(json.dumps(tables | options), data_dir=data_dir, in_memory=in_memory)
    for remark in core.remarks:
        warn(remark)
    classes = None if core.class_names is None else named(core.class_names)
    return Dataset._made(core, core._names, classes)


def as_csv(file: str | Path, folder: Path) -> str:
    """The file itself, or its table as CSV in the folder where only pandas reads it."""
    source = Path(file)
    if not source.is_file():
        return str(file)
    with source.open("rb") as stream:
        begin = stream.read(8)
    how = next((how for magic, how in TABLES.items() if begin.startswith(magic)), None)
    if how is None:
        return str(file)
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(f"reading {source}: pandas is needed; install pandas and pyarrow") from error
    table = getattr(pd, how)(source)
    index = table.index
    if index.name is not None or not isinstance(index, pd.RangeIndex):
        table = table.reset_index()
    target = folder / f"{source.stem}.csv"
    table.to_csv(target, index=False)
    return str(target)
