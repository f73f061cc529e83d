"""Datasets by name, and files of the user.

>>> import bgcn
>>> bgcn.datasets.load("karate")
Dataset(karate: 34 nodes, 78 edges, no features, 2 classes, 34 labels)
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import _bgcn
from ._data import Dataset
from ._read import read

__all__ = ["BUILT_IN", "KNOWN", "Dataset", "fetch", "load"]

#: Sets that need no file.
BUILT_IN = ("demo", "karate")
#: Sets that ``fetch`` gets.
KNOWN = ("cora", "citeseer", "pubmed")


def load(name: str | Path, **options: Any) -> Dataset:
    """Reads a known dataset, or files; the options are those of ``bgcn.read``.

    >>> load("karate")
    Dataset(karate: 34 nodes, 78 edges, no features, 2 classes, 34 labels)
    """
    return read(name, **options)


def fetch(*names: str, data_dir: str | Path | None = None) -> None:
    """Gets known datasets into the cache folder (or ``data_dir``), every file checked by its SHA-256.

    Already there, nothing is fetched. ``load`` finds them afterwards.
    """
    where = [] if data_dir is None else ["--data-dir", str(data_dir)]
    if _bgcn.command(["bgcn", "--quiet", "data", "fetch", *names, *where]) != 0:
        raise OSError(f"fetching {', '.join(names)} failed; the reason stands above")
