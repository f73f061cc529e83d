"""Names for types that many modules use."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy.typing as npt

#: An array of any type.
Array: TypeAlias = npt.NDArray[Any]
