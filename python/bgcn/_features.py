"""Features as rows of float32: arrays and sparse matrices as they are, tables column by column."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ._edges import is_counted, module_of, plain, warn
from ._types import Array, whole


@dataclass
class Columns:
    """How a table became columns, so that another one becomes the same."""

    names: list[str] = field(default_factory=list)
    #: By column: its categories, or None for numbers.
    categories: dict[str, list[Any] | None] = field(default_factory=dict)

    def out(self) -> list[str]:
        """The names of the columns that the network reads."""
        names: list[str] = []
        for name in self.names:
            known = self.categories[name]
            names += [name] if known is None else [f"{name}={value}" for value in known]
        return names


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
        """For the library."""
        given: dict[str, Any] = {"columns": self.columns, "values": self.values}
        if self.indptr is not None:
            given |= {"indptr": self.indptr, "indices": self.indices}
        if self.table is not None:
            given["feature_names"] = self.table.out()
        return given


def features_of(given: Any, table: Columns | None = None) -> Features:
    """Reads features of any known kind; ``table`` is how the columns were read before."""
    package = module_of(given)
    if package == "torch":
        given = plain(given.to_dense() if str(given.layout) != "torch.strided" else given)
    if hasattr(given, "tocsr") and hasattr(given, "shape"):
        return _of_sparse(given)
    if hasattr(given, "columns") and hasattr(given, "iloc"):
        return _of_frame(given, table)
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


def _of_frame(given: Any, table: Columns | None) -> Features:
    names = [str(name) for name in given.columns]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"X has two columns {twice!r}; every column has its own name. Rename one")
    if table is None:
        table = Columns(names, {name: _categories(given.iloc[:, i]) for i, name in enumerate(names)})
    missing = [name for name in table.names if name not in names]
    if missing:
        raise ValueError(f"X lacks the columns {', '.join(missing)} that the fit had; give them all")
    ignored = [name for name in names if name not in table.names]
    if ignored:
        warn(f"columns that the fit did not have are ignored: {', '.join(ignored)}")
    parts = [_column(given.iloc[:, names.index(name)], name, table.categories[name]) for name in table.names]
    values = np.concatenate(parts, axis=1) if parts else np.zeros((len(given), 0), np.float32)
    ids = None if is_counted(given.index) else given.index.tolist()
    return Features(len(given), values.shape[1], np.ascontiguousarray(values).reshape(-1), ids=ids, table=table)


def without_texts(table: Any, column: str) -> tuple[Any, list[str]]:
    """A table without its column of texts, and the texts: an empty one where nothing is known."""
    if not hasattr(table, "columns") or column not in table.columns:
        there = ", ".join(map(str, table.columns)) if hasattr(table, "columns") else "no names of columns"
        raise ValueError(f"name_column is {column!r}, but the table of nodes has {there}; name one of its columns")
    texts = table[column]
    return table.drop(columns=[column]), [
        "" if gone else str(text) for text, gone in zip(texts, texts.isna(), strict=True)
    ]


def _categories(column: Any) -> list[Any] | None:
    """The categories of a column, in order; None where it holds numbers."""
    kind = column.dtype
    if hasattr(kind, "categories"):
        return [value for value in kind.categories if (column == value).any()]
    if str(kind) in ("boolean", "bool") or getattr(kind, "kind", "O") in "biuf":
        return None
    if getattr(kind, "kind", "O") in "mM":
        raise ValueError(f"column {column.name!r} of X holds times; turn them into numbers first")
    if getattr(kind, "kind", "O") == "c":
        raise ValueError(f"Complex data not supported: column {column.name!r} of X; features are real numbers")
    try:
        return sorted(column.dropna().unique().tolist(), key=str)
    except TypeError:
        raise ValueError(f"column {column.name!r} of X holds what is neither number nor category") from None


def _column(column: Any, name: str, categories: list[Any] | None) -> npt.NDArray[np.float32]:
    """A column of numbers, or one of 0 and 1 for each category; a missing category is all zeros."""
    if categories is None:
        try:
            with np.errstate(over="ignore"):
                numbers = column.to_numpy(dtype=np.float32, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise ValueError(f"column {name!r} of X holds what is no number: {error}") from None
        if not np.isfinite(numbers).all():
            row = int(np.flatnonzero(~np.isfinite(numbers))[0])
            raise ValueError(
                f"features, row {row}, column {name!r}: {column.iloc[row]}; features are finite numbers (no NaN, no "
                "infinity). Replace it"
            )
        return np.asarray(numbers).reshape(-1, 1)
    codes = {value: i for i, value in enumerate(categories)}
    out = np.zeros((len(column), len(categories)), np.float32)
    unseen = set()
    for row, (value, missing) in enumerate(zip(column.tolist(), column.isna(), strict=True)):
        if missing:
            continue
        if value in codes:
            out[row, codes[value]] = 1
        else:
            unseen.add(str(value))
    if unseen:
        warn(f"column {name!r} has categories that the fit did not see: {', '.join(sorted(unseen))}; all are 0 there")
    return out
