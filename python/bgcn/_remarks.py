"""What is said of data: a warning at the caller's line, and a remark of the dataset."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path


class DataWarning(UserWarning):
    """Something of the data was guessed, merged or ignored."""


#: Remarks on the data that is being put together.
_remarks: ContextVar[list[str] | None] = ContextVar("remarks", default=None)


@contextmanager
def remarked() -> Iterator[list[str]]:
    """Gathers what is said of data in between."""
    found: list[str] = []
    before = _remarks.set(found)
    try:
        yield found
    finally:
        _remarks.reset(before)


def warn(text: str, category: type[Warning] = DataWarning) -> None:
    """Warns at the line that called the package, however deep inside it this is."""
    gathered = _remarks.get()
    if gathered is not None and category is DataWarning:
        gathered.append(text)
    folder = str(Path(__file__).parent)
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(folder):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)
