"""The small problem in other forms, for several files of tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from bgcn import BayesianGCNClassifier
from conftest import Problem


def rows_of(p: Problem, quick: dict[str, Any], **given: Any) -> np.ndarray:
    """The probabilities of a fit of the small problem, with something of it in another form."""
    given = {"X": p.X, "y": p.y, "adjacency": p.A, **given}
    return BayesianGCNClassifier(**quick).fit(**given).label_distributions_


def torch_of(array: Any) -> Any:
    torch = pytest.importorskip("torch")
    return torch.from_numpy(np.array(array))


def square_frame(p: Problem) -> pd.DataFrame:
    return pd.DataFrame(p.A.toarray())


def networkx_of(p: Problem, kind: type = nx.Graph) -> Any:
    graph = kind()
    graph.add_nodes_from(range(len(p.X)))
    graph.add_edges_from(p.edges.tolist())
    return graph


def named_frame(p: Problem) -> pd.DataFrame:
    return pd.DataFrame(p.X, index=p.names, columns=list("abcdefgh"))


def labels(p: Problem, known: Callable[[int], Any], missing: Any = None) -> list[Any]:
    return [missing if label < 0 else known(int(label)) for label in p.y]
