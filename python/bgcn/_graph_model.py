"""Graph models by themselves: which graphs could have been observed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _bgcn
from ._data import Dataset, csr
from ._links import count_of
from ._random import seed_of, threads_of, whole_of
from ._settings import merged
from ._types import whole


class GraphModel:
    """A random-graph model, inferred from one graph.

    Parameters
    ----------
    graph_model : str
        mmsbm (the paper's), mmsb, sbm, dcsbm or copying.
    communities : int
        How many; without it, as many as the labels have classes.
    inference : str
        Of mmsbm: linear, minibatch, natural, langevin, variational or coordinate.
    start : str
        labels, network, agglomerate, propagate or random; without it labels where there are classes, else agglomerate.
    iterations : int
        Exactly so many; without it, as many as suit the inference.
    hold_out : float
        Share of the links, and as many non-links, held out to score the inference: ``held_out_``.
    random_state, n_jobs
        As for the estimators.
    settings : dict
        Other settings of the model, such as ``{"mmsbm.delta": "auto"}``; :func:`bgcn.settings` lists them.

    Attributes
    ----------
    parameters_ : dict
        λ: small numbers as they are, what there is for every node as arrays.
    held_out_ : dict or None
        Mean log-likelihood per link, per non-link and over both, and the perplexity, of what was held out.
    impossible_links_ : int
        Held-out links of probability 0.
    iterations_, log_posterior_, settings_, seed_
        What was done, and how it ended.

    Examples
    --------
    >>> import bgcn
    >>> data = bgcn.datasets.load("karate")
    >>> model = bgcn.GraphModel("mmsbm", hold_out=0.1).fit(data)
    >>> sorted(model.held_out_)
    ['mean', 'per_link', 'per_non_link', 'perplexity']
    >>> model.sample(2)[0].shape
    (34, 34)
    """

    def __init__(
        self,
        graph_model: str = "mmsbm",
        *,
        communities: int | None = None,
        inference: str | None = None,
        start: str | None = None,
        iterations: int | None = None,
        hold_out: float = 0.0,
        random_state: Any = 0,
        n_jobs: int | None = None,
        settings: dict[str, Any] | None = None,
    ) -> None:
        self.graph_model = graph_model
        self.communities = communities
        self.inference = inference
        self.start = start
        self.iterations = iterations
        self.hold_out = hold_out
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.settings = settings

    def fit(self, adjacency: Any, y: Any = None) -> GraphModel:
        """Infers λ from a graph (in any form that the estimators take), from labels where there are some."""
        if not isinstance(self.hold_out, (int, float, np.integer, np.floating)) or not 0 <= self.hold_out <= 0.5:
            raise ValueError(f"hold_out is {self.hold_out!r}; allowed are 0 to 0.5, such as 0.01")
        data = adjacency if isinstance(adjacency, Dataset) else Dataset._of(None, y, adjacency)
        self.seed_ = seed_of(self.random_state)
        self._fit = _bgcn.GraphFit.infer(
            data,
            self.graph_model,
            merged({}, self.settings),
            communities=whole_of("communities", self.communities, 1, 2**20),
            inference=self.inference,
            start=self.start,
            iterations=whole_of("iterations", self.iterations, 1, 2**31 - 1),
            hold_out=float(self.hold_out),
            seed=self.seed_,
            threads=threads_of(self.n_jobs),
        )
        about = json.loads(self._fit.about)
        self.n_nodes_ = data.n_nodes
        self.iterations_: int = about["iterations"]
        self.log_posterior_: float | None = about["log_posterior"]
        self.held_out_: dict[str, float] | None = about["held_out"]
        self.impossible_links_: int = about["impossible_links"]
        self.settings_: dict[str, Any] = about["settings"]
        #: λ: small numbers as they are, what there is for every node as arrays.
        self.parameters_: dict[str, Any] = {**about["lambda"], **self._fit.arrays()}
        return self

    def _fitted(self) -> _bgcn.GraphFit:
        if not hasattr(self, "_fit"):
            raise AttributeError("This GraphModel instance is not fitted yet. Call 'fit' first.")
        return self._fit

    def sample(self, n: int = 1, random_state: Any = None) -> list[Any]:
        """``n`` graphs drawn from p(G | λ), as scipy CSR matrices."""
        fitted = self._fitted()
        seed = self.seed_ if random_state is None else seed_of(random_state)
        return [csr(rows, self.n_nodes_) for rows in fitted.draw(seed, 0, count_of(n), threads_of(self.n_jobs))]

    def edge_probability(self, sources: Any, targets: Any) -> npt.NDArray[np.float64]:
        """p(two nodes are joined | λ), for pairs of node numbers."""
        columns = [np.atleast_1d(np.asarray(column)) for column in (sources, targets)]
        for column in columns:
            if column.dtype.kind not in "iu" or column.ndim != 1:
                raise ValueError(f"nodes of type {column.dtype} and shape {column.shape}; give node numbers")
        return self._fitted().edge_probability(whole(columns[0], "sources"), whole(columns[1], "targets"))

    def save(self, folder: str | Path, *, overwrite: bool = False) -> None:
        """Writes the folder of a graph model, as ``bgcn graph fit --out`` does: whole, or not at all.

        A model that is there is replaced with ``overwrite=True`` alone, together with the graphs drawn from it.
        """
        self._fitted().save(folder, overwrite)

    def __repr__(self) -> str:
        return f"GraphModel({self.graph_model!r})"
