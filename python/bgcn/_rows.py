"""Features as Python's containers, by the rules for JSON: a dict of node to row, lists of columns, dicts of values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from ._edges import is_counted, shuffled
from ._features import Columns, Features, features_of, of_table
from ._remarks import warn

#: What holds the columns or values of a node.
ROWS = (Mapping, list, tuple, set, frozenset, range)


def is_listed(given: Any) -> bool:
    """Whether these are such rows: of nodes by name, of dicts, or of different lengths."""
    if isinstance(given, Mapping):
        # Sparse matrices by keys are dicts, too.
        return not hasattr(given, "tocsr")
    if hasattr(given, "tolist") and getattr(given, "ndim", 0) == 1 and given.dtype == object:
        given = given.tolist()
    if not isinstance(given, (list, tuple)) or not all(isinstance(row, ROWS) for row in given):
        return False
    return len({len(row) for row in given}) > 1 or any(isinstance(row, (Mapping, set, frozenset)) for row in given)


def rows_of(given: Any, table: Columns | None, asked: list[str]) -> Features:
    """Reads such rows; ``table`` has the columns that they had before, and ``asked`` are those of a table to use."""
    if hasattr(given, "iloc"):
        given = given.tolist() if is_counted(given.index) else given.to_dict()
    nodes = list(given) if isinstance(given, Mapping) else None
    if nodes is not None:
        numbers = [int(node) if isinstance(node, str) and node.isdecimal() else node for node in nodes]
        nodes = sorted(nodes, key=int) if shuffled(numbers, len(nodes)) else nodes
    rows = [given[node] for node in nodes] if nodes is not None else list(given)
    if not rows:
        raise ValueError("Found array with 0 sample(s): X is empty; give a row of features per node")
    dicts = sum(isinstance(row, Mapping) for row in rows)
    if dicts not in (0, len(rows)):
        raise ValueError("X has rows that are dicts and rows that are lists; give one or the other")
    for place, row in enumerate(rows):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__iter__"):
            node = place if nodes is None else nodes[place]
            raise ValueError(f"X, node {node!r}: {type(row).__name__}; a row is a list of columns or of values")
    features = _of_dicts(rows, table, asked) if dicts else _of_lists(rows, table)
    if asked and (features.table is None or not features.table.plan):
        raise ValueError("columns names columns of a table, but X is none; give a DataFrame, or leave columns out")
    features.ids = nodes
    return features


def _of_dicts(rows: Sequence[Mapping[Any, Any]], table: Columns | None, asked: list[str]) -> Features:
    """Rows of column to value: numbers are sparse where most are left out; anything else is a table."""
    # What is left out, None and NaN are the same.
    known = [{column: value for column, value in row.items() if not _is_missing(value)} for row in rows]
    names = list(dict.fromkeys(chain.from_iterable(rows)))
    filled, cells = sum(map(len, known)), len(rows) * len(names)
    values = list(chain.from_iterable(row.values() for row in known))
    marks = all(_is_number(value) and value == 1 for value in values)
    is_table = not all(map(_is_number, values)) or (filled >= cells / 2 and not marks)
    if is_table if table is None else table.plan:
        return of_table(list(map(str, names)), lambda place: _column(known, names[place]), len(rows), table, asked)
    if filled < cells:
        warn("columns that a row of X does not have are 0 for it")
    with np.errstate(over="ignore"):
        return _sparse(known, np.asarray(values, np.float32), _in_order(names), table)


def _column(rows: Sequence[Mapping[Any, Any]], name: Any) -> Any:
    """A column for the library: numbers, or text."""
    cells = [row.get(name) for row in rows]
    if all(value is None or _is_number(value) for value in cells):
        return np.array([np.nan if value is None else value for value in cells], np.float64)
    return [None if value is None else str(value) for value in cells]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number, np.bool_))


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, (float, np.floating)) and bool(np.isnan(value)))


def _of_lists(rows: Sequence[Collection[Any]], table: Columns | None) -> Features:
    """Lists of columns, which are names or have different lengths, or lists of values."""
    lists = [sorted(row, key=str) if isinstance(row, (set, frozenset)) else list(row) for row in rows]
    entries = list(chain.from_iterable(lists))
    if not entries:
        raise ValueError("Found array with 0 feature(s): no row of X has a column; give None for one-hot node ids")
    named = any(isinstance(entry, str) for entry in entries)
    sure = named or len({len(row) for row in lists}) > 1 or any(isinstance(row, (set, frozenset)) for row in rows)
    wrong = [entry for entry in entries if not (isinstance(entry, str) or _is_column(entry))]
    if sure and wrong:
        raise ValueError(
            f"X has rows of different lengths, which list columns, but one holds {wrong[0]!r}; columns are whole "
            "numbers or words. Give rows of one length, or dicts of column and value"
        )
    if not sure:
        if wrong or any(len(set(row)) < len(row) for row in lists):
            return features_of(np.asarray(lists))
        raise ValueError(
            f"X has {len(lists[0])} whole numbers for each node, all different: values, or the columns that are 1? "
            "Give lists of floats for values; sets, or dicts of column and 1, for columns"
        )
    names = _in_order(entries)
    warn(f"each row of X lists the columns that are 1 there: {len(names)} columns in all")
    return _sparse(lists, np.ones(len(entries), np.float32), names, table)


def _in_order(entries: Iterable[Any]) -> list[Any]:
    """Columns, each once: by number, then by name."""
    return sorted(set(entries), key=lambda entry: (0, entry, "") if _is_column(entry) else (1, 0, str(entry)))


def _is_column(entry: Any) -> bool:
    return isinstance(entry, (int, np.integer)) and not isinstance(entry, bool) and bool(entry >= 0)


def _sparse(
    rows: Sequence[Collection[Any]], values: np.ndarray[Any, Any], names: Sequence[Any], table: Columns | None
) -> Features:
    """Rows of sorted columns, each once; dense where every row has all of them."""
    if table is None:
        written = list(map(str, names))
        if len(set(written)) < len(written):
            raise ValueError("X has columns that are written alike, such as 1 and '1'; rename one")
        table = Columns(written, outputs=written)
    elif table.plan:
        raise ValueError("the fit had a table as X, and lists of columns are none; give a table")
    number = {name: place for place, name in enumerate(table.names)}
    ignored = [str(name) for name in names if str(name) not in number]
    if ignored:
        more = f" and {len(ignored) - 5} more" if len(ignored) > 5 else ""
        warn(f"columns that the fit did not have are ignored: {', '.join(ignored[:5])}{more}")
    width, entries = len(table.names), list(chain.from_iterable(rows))
    columns = np.fromiter((number.get(str(entry), -1) for entry in entries), np.int64, len(entries))
    kept = columns >= 0
    of = np.repeat(np.arange(len(rows)), [len(row) for row in rows])[kept]
    places, first = np.unique(of * width + columns[kept], return_index=True)
    values = values[kept][first]
    if not np.isfinite(values).all():
        row = int(of[first][~np.isfinite(values)][0])
        raise ValueError(f"features, row {row}: infinity; features are finite numbers within 32 bits. Replace it")
    if len(places) == len(rows) * width:
        return Features(len(rows), width, values, table=table)
    starts = np.searchsorted(places, np.arange(len(rows) + 1) * width)
    return Features(len(rows), width, values, starts.astype(np.int64), (places % width).astype(np.uint32), table=table)
