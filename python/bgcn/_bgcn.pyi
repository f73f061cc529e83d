"""The library behind ``bgcn``; use the names of that package."""

from collections.abc import Callable
from os import PathLike
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "Dataset",
    "Fitted",
    "GraphFit",
    "__version__",
    "command",
    "nearest",
    "processor",
    "reproduce",
    "settings",
]

__version__: str
processor: str

_Whole: TypeAlias = npt.NDArray[np.int32] | npt.NDArray[np.int64] | npt.NDArray[np.uint32]
_Sets: TypeAlias = tuple[_Whole, _Whole, _Whole]
_Nodes: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]
_Rows: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
_Edges: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]
_Told: TypeAlias = Callable[[str, int, int], object]

def command(arguments: list[str]) -> int: ...
def reproduce(arguments: list[str]) -> str: ...
def settings() -> list[dict[str, str]]: ...
def nearest(word: str, known: list[str]) -> str | None: ...

@final
class Dataset:
    @staticmethod
    def from_arrays(
        nodes: int,
        sources: _Whole,
        targets: _Whole,
        *,
        columns: int | None = None,
        values: npt.NDArray[np.float32] | None = None,
        indptr: _Whole | None = None,
        indices: _Whole | None = None,
        feature_names: list[str] | None = None,
        classes: npt.NDArray[np.int64] | None = None,
        class_names: list[str] | None = None,
        numbers: npt.NDArray[np.float32] | None = None,
        ids: list[str] | None = None,
        split: _Sets | None = None,
        name: str | None = None,
        source: str | None = None,
    ) -> Dataset: ...
    @staticmethod
    def load(
        name: str | None = None,
        *,
        data_dir: str | PathLike[str] | None = None,
        edges: str | PathLike[str] | None = None,
        features: str | PathLike[str] | None = None,
        labels: str | PathLike[str] | None = None,
        nodes: str | PathLike[str] | None = None,
        split: str | PathLike[str] | None = None,
        header: str = "auto",
        id_column: str | None = None,
        label_column: str | None = None,
        source_column: str | None = None,
        target_column: str | None = None,
        weight_column: str | None = None,
        weight_threshold: float | None = None,
        label_kind: str = "auto",
        allow_isolated: bool = False,
        in_memory: bool = False,
    ) -> Dataset: ...
    @property
    def remarks(self) -> list[str]: ...
    @property
    def name(self) -> str: ...
    @property
    def source(self) -> str | None: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def n_edges(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    @property
    def feature_names(self) -> list[str]: ...
    @property
    def class_names(self) -> list[str] | None: ...
    @property
    def ids(self) -> list[str] | None: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def merged(self) -> dict[str, int]: ...
    @property
    def labels(self) -> npt.NDArray[Any]: ...
    @property
    def fixed_split(self) -> _Nodes | None: ...
    @property
    def truth(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]] | None: ...
    @property
    def homophily(self) -> float | None: ...
    def adjacency(self) -> _Rows: ...
    def features(self) -> Any: ...
    def features_digest(self) -> int: ...
    def split(self, kind: str, labels_per_class: int | None, seed: int) -> _Nodes: ...

@final
class Fitted:
    @staticmethod
    def fit(
        data: Dataset,
        given: dict[str, Any],
        *,
        preset: str | None = None,
        seed: int = 0,
        threads: int = 0,
        split: str | None = None,
        sets: _Sets | None = None,
        labels_per_class: int | None = None,
        baseline: bool = False,
        told: _Told | None = None,
    ) -> Fitted: ...
    @staticmethod
    def load(folder: str | PathLike[str]) -> Fitted: ...
    @staticmethod
    def restore(files: dict[str, bytes], exact: dict[str, Any]) -> Fitted: ...
    @property
    def class_names(self) -> list[str]: ...
    @property
    def is_regression(self) -> bool: ...
    @property
    def ids(self) -> list[str] | None: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    @property
    def scaling(self) -> str: ...
    @property
    def split(self) -> _Nodes: ...
    @property
    def labels(self) -> npt.NDArray[Any]: ...
    @property
    def record(self) -> str: ...
    @property
    def about(self) -> dict[str, Any]: ...
    @property
    def settings(self) -> str: ...
    def state(self) -> tuple[dict[str, bytes], dict[str, Any]]: ...
    def probability_rows(self) -> npt.NDArray[np.float32] | None: ...
    def node_columns(self) -> dict[str, npt.NDArray[np.float64]]: ...
    def metrics(self) -> str: ...
    def report(self) -> str: ...
    def save(self, folder: str | PathLike[str], overwrite: bool) -> None: ...
    def suspicious(self, count: int) -> _Edges | None: ...
    def missing(self, count: int) -> _Edges | None: ...
    def edge_probabilities(self) -> npt.NDArray[np.float64]: ...
    def edges(self) -> _Rows: ...
    def draw(self, seed: int, first: int, count: int, threads: int) -> list[_Rows]: ...
    def apply(
        self, data: Dataset, seed: int, threads: int, told: _Told | None = None
    ) -> tuple[npt.NDArray[np.float32] | None, dict[str, npt.NDArray[np.float64]]]: ...

@final
class GraphFit:
    @staticmethod
    def infer(
        data: Dataset,
        model: str,
        given: dict[str, Any],
        *,
        communities: int | None = None,
        inference: str | None = None,
        start: str | None = None,
        iterations: int | None = None,
        hold_out: float = 0.0,
        seed: int = 0,
        threads: int = 0,
    ) -> GraphFit: ...
    @property
    def about(self) -> str: ...
    @property
    def parameters(self) -> str: ...
    def arrays(self) -> dict[str, npt.NDArray[Any]]: ...
    def draw(self, seed: int, first: int, count: int, threads: int) -> list[_Rows]: ...
    def edge_probability(self, sources: _Whole, targets: _Whole) -> npt.NDArray[np.float64]: ...
    def save(self, folder: str | PathLike[str]) -> None: ...
