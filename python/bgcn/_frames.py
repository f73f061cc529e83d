"""Tables: a pandas DataFrame where pandas is installed, else a structured array."""

from __future__ import annotations

from typing import Any

import numpy as np


def frame(columns: dict[str, Any]) -> Any:
    """A table of these columns."""
    try:
        from pandas import DataFrame
    except ImportError:
        arrays = {name: np.asarray(values) for name, values in columns.items()}
        length = len(next(iter(arrays.values())))
        table = np.empty(length, dtype=[(name, array.dtype) for name, array in arrays.items()])
        for name, array in arrays.items():
            table[name] = array
        return table
    return DataFrame(columns)
