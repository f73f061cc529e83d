"""Features as rows of float32: arrays and sparse matrices as they are, tables column by column."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, time
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _bgcn
from ._edges import is_counted, module_of, plain
from ._remarks import warn
from ._types import Array, whole


@dataclass
class Columns:
    """How a table became columns, so that another one becomes the same."""

    #: All columns of the table, those that are left out too.
    names: list[str] = field(default_factory=list)
    #: What the library made of them, as JSON.
    plan: str = ""
    #: The names of the columns that the network reads.
    outputs: list[str] = field(default_factory=list)

    def used(self) -> list[str]:
        """The columns of the table that the network reads."""
        return [column["name"] for column in json.loads(self.plan)["columns"]]


@dataclass
class Features:
    """Rows of float32, dense or sparse; ``ids`` name them where a table did."""

    rows: int
    columns: int
    values: npt.NDArray[np.float32]
    indptr: Array | None = None
    indices: Array | None = None
    ids: list[Any] | None = None
    table: Columns | None = None

    def arguments(self) -> dict[str, Any]:
        """For the library. A table whose columns are all left out leaves one-hot node ids."""
        if self.table is not None and self.table.names and self.columns == 0:
            return {}
        given: dict[str, Any] = {"columns": self.columns, "values": self.values}
        if self.indptr is not None:
            given |= {"indptr": self.indptr, "indices": self.indices}
        if self.table is not None:
            given["feature_names"] = self.table.outputs
        return given


def listed_columns(columns: str | Iterable[str | int] | None) -> list[str]:
    """Names of columns as a list, from one text with commas between them or any collection."""
    if columns is None:
        return []
    if isinstance(columns, str):
        return [name.strip() for name in columns.split(",") if name.strip()]
    return [str(name) for name in columns]


def features_of(given: Any, table: Columns | None = None, columns: str | Iterable[str | int] | None = None) -> Features:
    """Reads features of any known kind.

    ``table`` is how the columns were read before; ``columns`` names those of a table to use, or, after a minus, to
    leave out.
    """
    asked = listed_columns(columns)
    is_frame = hasattr(given, "columns") and hasattr(given, "iloc")
    if asked and not is_frame:
        raise ValueError("columns names columns of a table, but X is none; give a DataFrame, or leave columns out")
    package = module_of(given)
    if package == "torch":
        given = plain(given.to_dense() if str(given.layout) != "torch.strided" else given)
    if hasattr(given, "tocsr") and hasattr(given, "shape"):
        return _of_sparse(given)
    if is_frame:
        return _of_frame(given, table, asked)
    return _of_array(given)


def _of_sparse(given: Any) -> Features:
    if len(given.shape) != 2:
        raise ValueError(f"X has shape {given.shape}; a row of features per node is needed, in two dimensions")
    _check(given)
    if given.dtype.kind not in "biuf":
        raise ValueError(f"X is of type {given.dtype}; features are numbers")
    rows = given.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    with np.errstate(over="ignore"):
        values = np.ascontiguousarray(rows.data, dtype=np.float32)
    return Features(rows.shape[0], rows.shape[1], values, rows.indptr.astype(np.int64), whole(rows.indices))


def _check(given: Any) -> None:
    """Refuses complex numbers, and a matrix without a column."""
    if given.dtype.kind == "c":
        raise ValueError("Complex data not supported: X holds complex numbers; features are real numbers")
    if given.shape[1] == 0:
        raise ValueError(
            f"Found array with 0 feature(s) (shape={given.shape}) while a minimum of 1 is required. Give features, or "
            "None for one-hot node ids"
        )


def _of_array(given: Any) -> Features:
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        row = int(np.argwhere(np.ma.getmaskarray(given))[0][0])
        raise ValueError(f"features, row {row}: an entry is masked; features are finite numbers. Fill it")
    array = np.asarray(given)
    if array.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {array.ndim}D array instead: X has shape {array.shape}. A row of features per "
            "node is needed. Reshape your data: X.reshape(-1, 1) for a single feature"
        )
    _check(array)
    if array.dtype.kind not in "biufO":
        raise ValueError(f"X is of type {array.dtype}; features are numbers. Encode words first, or give a DataFrame")
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            values = np.ascontiguousarray(array, dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"X holds what is no number: {error}. argument must be a string or a real number") from None
    if not np.isfinite(values).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(values))[0])
        found = array[row, column]
        raise ValueError(
            f"features, row {row}, column {column}: {found}; features are finite numbers (no NaN, no infinity) within "
            "the range of 32 bits. Replace it"
        )
    return Features(array.shape[0], array.shape[1], values.reshape(-1))


def _of_frame(given: Any, table: Columns | None, asked: list[str]) -> Features:
    names = [str(name) for name in given.columns]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"X has two columns {twice!r}; every column has its own name. Rename one")
    found = of_table(names, lambda place: _cells(given.iloc[:, place]), len(given), table, asked)
    found.ids = None if is_counted(given.index) else given.index.tolist()
    return found


def of_table(
    names: list[str], cells: Callable[[int], Any], rows: int, table: Columns | None, asked: list[str]
) -> Features:
    """A table, of which ``cells`` gives a column: the library decides about each, as it does for files."""
    if table is None:
        plan, outputs, values, remarks = _bgcn.frame_features(names, list(map(cells, range(len(names)))), columns=asked)
        table = Columns(names, plan, outputs)
    else:
        if not table.plan:
            raise ValueError("the fit had lists of columns as X, and a table has none; give lists or dicts of columns")
        ignored = [name for name in names if name not in table.names]
        if ignored:
            warn(f"columns that the fit did not have are ignored: {', '.join(ignored)}")
        used = [name for name in table.used() if name in names]
        columns = [cells(names.index(name)) for name in used]
        _, outputs, values, remarks = _bgcn.frame_features(used, columns, plan=table.plan)
    for remark in remarks:
        warn(remark)
    return Features(rows, len(outputs), values, table=table)


def without_texts(table: Any, column: str) -> tuple[Any, list[str]]:
    """A table without its column of texts, and the texts: an empty one where nothing is known."""
    if not hasattr(table, "columns") or column not in table.columns:
        there = ", ".join(map(str, table.columns)) if hasattr(table, "columns") else "no names of columns"
        raise ValueError(f"name_column is {column!r}, but the table of nodes has {there}; name one of its columns")
    texts = table[column]
    return table.drop(columns=[column]), [
        "" if gone else str(text) for text, gone in zip(texts, texts.isna(), strict=True)
    ]


def _cells(column: Any) -> Any:
    """A column as the library takes it: numbers, text, categories (a tuple), times, or why it is none of these."""
    kind = column.dtype
    rows = len(column)
    if hasattr(kind, "categories"):
        missing = column.isna()
        return ([None if gone else str(value) for value, gone in zip(column.tolist(), missing, strict=True)],)
    letter = getattr(kind, "kind", "O")
    if letter in "mM":
        return rows
    if letter == "c":
        return rows, f"Complex data not supported: column {column.name!r} of X; features are real numbers"
    if str(kind) in ("boolean", "bool") or letter in "biuf":
        return np.ascontiguousarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    cells: list[str | None] = []
    for value, missing in zip(column.tolist(), column.isna(), strict=True):
        if missing:
            cells.append(None)
        elif isinstance(value, (str, bool, int, float, np.bool_, np.number, Decimal, date, time)):
            cells.append(str(value))
        else:
            return rows, f"column {column.name!r} of X holds what is neither number nor category"
    return cells
