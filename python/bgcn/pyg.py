"""Drawn graphs for PyTorch Geometric: any of its networks can be averaged over them."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ._estimators import BayesianGCN
from ._random import seed_of, threads_of


class DrawnGraph:
    """A PyG transform: every call gives the data with a freshly drawn graph.

    Parameters
    ----------
    estimator : BayesianGCNClassifier or BayesianGCNRegressor
        Fitted, with a graph model; graphs are drawn from what it has inferred.
    random_state : int
        Where the draws come from; the fit's without it.

    Examples
    --------
    ::

        clf = bgcn.BayesianGCNClassifier().fit(data.x, y, adjacency=data)
        draw = DrawnGraph(clf, random_state=0)
        for epoch in range(200):
            drawn = draw(data)                       # another graph every time
            loss = step(net(drawn.x, drawn.edge_index))
        p = sum(net(d.x, d.edge_index).softmax(-1) for d in map(draw, [data] * 50)) / 50
    """

    def __init__(self, estimator: BayesianGCN, random_state: Any = None) -> None:
        estimator._check()
        self.estimator = estimator
        self.random_state = random_state
        self._seed = getattr(estimator, "seed_", 0) if random_state is None else seed_of(random_state)
        self._drawn = 0

    def __call__(self, data: Any) -> Any:
        import torch

        estimator = self.estimator
        if data.num_nodes != estimator.n_nodes_:
            fitted = estimator.n_nodes_
            raise ValueError(f"the data has {data.num_nodes} nodes, but the estimator was fitted on {fitted}")
        starts, columns = estimator._check().draw(self._seed, self._drawn, 1, threads_of(estimator.n_jobs))[0]
        self._drawn += 1
        sources = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        drawn = copy.copy(data)
        for name in data.edge_attrs():
            # Attributes of observed edges do not carry over to drawn ones.
            del drawn[name]
        drawn.edge_index = torch.from_numpy(np.stack([sources, columns]))
        return drawn

    def __repr__(self) -> str:
        return f"DrawnGraph({self.estimator!r})"
