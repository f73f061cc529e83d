"""Node classification that does not take the graph for granted.

>>> import bgcn
>>> data = bgcn.datasets.load("karate")
>>> clf = bgcn.BayesianGCNClassifier(random_state=0).fit(data, labels_per_class=4)
>>> clf.label_distributions_.shape
(34, 2)
>>> list(clf.suspicious_edges(3).columns)
['source', 'target', 'p_spurious', 'reasons']
"""

from __future__ import annotations

from . import datasets
from ._bgcn import __version__
from ._convert import from_networkx, from_pandas, from_pyg
from ._data import Dataset, Split
from ._estimators import BayesianGCNClassifier, BayesianGCNRegressor, load
from ._graph_model import GraphModel
from ._links import JudgedEdges, judge_edges
from ._read import read
from ._remarks import DataWarning
from ._reproduce import Results, reproduce
from ._run import Run
from ._settings import settings

__all__ = [
    "BayesianGCNClassifier",
    "BayesianGCNRegressor",
    "DataWarning",
    "Dataset",
    "GraphModel",
    "JudgedEdges",
    "Results",
    "Run",
    "Split",
    "__version__",
    "datasets",
    "from_networkx",
    "from_pandas",
    "from_pyg",
    "judge_edges",
    "load",
    "read",
    "reproduce",
    "settings",
]
