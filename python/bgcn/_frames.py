"""Tables: a pandas DataFrame where pandas is installed, else a small part of one."""

from __future__ import annotations

import html
from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ._types import Array

#: Longer tables are printed in part, longer cells are cut, and columns beyond this width are left out.
ROWS, CELL, WIDTH = 60, 50, 120


def frame(columns: dict[str, Any]) -> Any:
    """A table of these columns."""
    try:
        from pandas import DataFrame
    except ImportError:
        return Table(columns)
    return DataFrame(columns)


class Table:
    """Columns of one length by name, with the methods of a DataFrame that small tables need.

    >>> table = Table({"node": ["ann", "bob"], "entropy": [0.51234, 1.25]})
    >>> table.round(2)
        node  entropy
    0    ann     0.51
    1    bob     1.25
    >>> table[["node"]][:1].node.tolist(), len(table)
    (['ann'], 2)
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns: dict[str, Array] = {name: np.asarray(values) for name, values in columns.items()}
        lengths = {len(values) for values in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns of a table have lengths {sorted(lengths)}; all have one length")

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self), len(self._columns)

    @property
    def empty(self) -> bool:
        """Whether there are no rows or no columns."""
        return 0 in self.shape

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __getitem__(self, key: Any) -> Any:
        """A column by name; a table of the named columns; or of the rows in a slice, a mask or an array."""
        if isinstance(key, list) and all(isinstance(name, str) for name in key):
            return Table({name: self[name] for name in key})
        if isinstance(key, slice) or np.ndim(key) == 1:
            rows = key if isinstance(key, slice) else np.asarray(key)
            return Table({name: values[rows] for name, values in self._columns.items()})
        if key not in self._columns:
            raise KeyError(f"there is no column {key!r}; there are {', '.join(self._columns)}")
        return self._columns[key]

    def __getattr__(self, name: str) -> Array:
        if not name.startswith("_") and name in self._columns:
            return self._columns[name]
        raise AttributeError(f"a table has no attribute {name!r}, nor a column of this name")

    def head(self, n: int = 5) -> Table:
        """The first rows."""
        found: Table = self[:n]
        return found

    def drop(self, *, columns: str | Sequence[str]) -> Table:
        """The table without these columns."""
        gone = [columns] if isinstance(columns, str) else list(columns)
        for name in gone:
            self[name]
        return Table({name: values for name, values in self._columns.items() if name not in gone})

    def round(self, decimals: int = 0) -> Table:
        """The table with its real numbers rounded."""
        rounded = {name: v.round(decimals) if v.dtype.kind == "f" else v for name, v in self._columns.items()}
        return Table(rounded)

    def itertuples(self, index: bool = True, name: str = "Row") -> Iterator[Any]:
        """Rows as named tuples."""
        columns = {"Index": np.arange(len(self)), **self._columns} if index else self._columns
        row = namedtuple(name, columns, rename=True)  # type: ignore[misc]
        return (row(*values) for values in zip(*(column.tolist() for column in columns.values()), strict=True))

    def equals(self, other: object) -> bool:
        """Whether another table has the same columns with the same values."""
        return (
            isinstance(other, Table)
            and self.columns == other.columns
            and all(np.array_equal(values, other[name]) for name, values in self._columns.items())
        )

    def _cells(self) -> list[list[str]]:
        """What is printed: the header, then rows with their numbers; some left out of long tables."""
        long = len(self) > ROWS
        rows = [*range(5), *range(len(self) - 5, len(self))] if long else list(range(len(self)))
        columns = [["", *map(str, rows)]]
        for name, values in self._columns.items():
            columns.append([name, *_cells(values[rows])])
        cells = [list(row) for row in zip(*columns, strict=True)]
        return [*cells[:6], ["…"] * len(columns), *cells[6:]] if long else cells

    def __repr__(self) -> str:
        cells = self._cells()
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        shown = len(widths)
        while shown > 2 and sum(widths[:shown]) + 2 * shown > WIDTH:
            shown -= 1
        lines = [
            "  ".join(text.rjust(width) for text, width in zip(row[:shown], widths, strict=False)) for row in cells
        ]
        left_out = "" if shown == len(widths) else f", of which {len(widths) - shown} are not shown"
        if left_out or len(self) > ROWS:
            lines.append(f"\n[{len(self)} rows × {len(self._columns)} columns{left_out}]")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head, *rows = self._cells()
        lines = ["".join(f"<td>{html.escape(text)}</td>" for text in row) for row in rows]
        header = "".join(f"<th>{html.escape(text)}</th>" for text in head)
        return f"<table><tr>{header}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _cells(values: Array) -> list[str]:
    """What is printed of a column: numbers with as many decimals as the longest needs, up to six."""
    if values.dtype.kind != "f":
        words = map(str, values.tolist())
        return [word if len(word) <= CELL else word[: CELL - 1] + "…" for word in words]
    small = np.abs(values[(values != 0) & np.isfinite(values)])
    if len(small) and (small.min() < 1e-4 or small.max() >= 1e6):
        return [f"{value:.6g}" for value in values]
    texts = [f"{value:.6f}" for value in values]
    spare = min((len(text) - len(text.rstrip("0")) for text in texts if "." in text), default=0)
    return [text[: len(text) - min(spare, 5)] if "." in text else text for text in texts]
