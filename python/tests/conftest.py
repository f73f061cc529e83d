"""What the tests share: a small problem, settings for a quick fit, and Cora where it is."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import bgcn
import numpy as np
import pytest
from bgcn import DataWarning
from scipy import sparse


@dataclass(frozen=True)
class Problem:
    """Nodes in blocks: features, labels of about half of them (-1 for none), a symmetric graph, and every class."""

    X: np.ndarray
    y: np.ndarray
    A: sparse.csr_matrix
    truth: np.ndarray
    #: Every edge once, as two columns; and by names n0, n1, …
    edges: np.ndarray = field(init=False)
    names: list[str] = field(init=False)

    def __post_init__(self) -> None:
        upper = sparse.triu(self.A).tocoo()
        object.__setattr__(self, "edges", np.stack([upper.row, upper.col], axis=1).astype(np.int64))
        object.__setattr__(self, "names", [f"n{i}" for i in range(len(self.truth))])

    @property
    def named_edges(self) -> list[tuple[str, str]]:
        """Pairs of names."""
        return [(self.names[a], self.names[b]) for a, b in self.edges]

    @property
    def named_labels(self) -> dict[str, int]:
        """Known labels by name."""
        return {name: int(label) for name, label in zip(self.names, self.y, strict=True) if label >= 0}


def problem(nodes: int = 60, classes: int = 3, columns: int = 8, seed: int = 7) -> Problem:
    """Classes that edges and features predict together, neither of them alone."""
    rng = np.random.default_rng(seed)
    truth = np.arange(nodes) % classes
    chance = np.where(truth[:, None] == truth[None, :], 0.25, 0.03)
    upper = np.triu(rng.random((nodes, nodes)) < chance, 1)
    X = (rng.normal(size=(nodes, columns)) + 1.5 * np.eye(classes, columns)[truth]).astype(np.float32)
    known = rng.random(nodes) < 0.5
    known[: 2 * classes] = True
    adjacency = sparse.csr_matrix((upper | upper.T).astype(np.float64))
    return Problem(X, np.where(known, truth, -1), adjacency, truth)


@pytest.fixture(scope="session")
def small() -> Problem:
    """60 nodes of 3 classes. Copy it before you change it."""
    made = problem()
    for array in (made.X, made.y, made.truth, made.A.data, made.edges):
        array.setflags(write=False)
    return made


@pytest.fixture
def quick() -> dict[str, Any]:
    """Settings for a fit of milliseconds, with any graph model."""
    return {"settings": {"schedule.pretraining": 30, "schedule.draws": 6, "schedule.averaged": 3}}


@pytest.fixture(scope="session")
def cora() -> bgcn.Dataset:
    """Cora, from the folder that BGCN_DATA names or from the cache."""
    try:
        return bgcn.datasets.load("cora")
    except FileNotFoundError as error:
        pytest.skip(f"Cora is not here, so what needs it is left out: {error}")


@pytest.fixture(scope="module")
def numbers(small):
    """Real values, NaN for none."""
    return np.where(small.y < 0, np.nan, small.truth + small.X[:, 3])


@pytest.fixture
def strict():
    """Every warning of data is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        yield
