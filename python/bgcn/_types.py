"""Types that many modules use, and scalars of NumPy."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

#: An array of any type.
Array: TypeAlias = npt.NDArray[Any]


def scalar(value: Any) -> Any:
    """Scalars of NumPy as Python's."""
    return value.item() if isinstance(value, np.generic) else value
