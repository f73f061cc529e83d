"""Types that many modules use, and scalars of NumPy."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

#: An array of any type.
Array: TypeAlias = npt.NDArray[Any]


def whole(column: Array, what: str = "nodes") -> npt.NDArray[np.uint32]:
    """Numbers of nodes or columns as the library reads them, where they fit."""
    if column.dtype != np.uint32:
        wrong = np.flatnonzero((column < 0) | (column > 2**32 - 2))
        if len(wrong):
            found = f"{what}, entry {wrong[0]}: {column[wrong[0]]}"
            raise ValueError(f"{found}; whole numbers from 0 to 4294967294 are allowed")
    return np.ascontiguousarray(column, dtype=np.uint32)


def scalar(value: Any) -> Any:
    """Scalars of NumPy as Python's."""
    return value.item() if isinstance(value, np.generic) else value
