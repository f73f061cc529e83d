"""The estimators, with scikit-learn's habits and without needing it."""

from __future__ import annotations

import html
import inspect
import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _bgcn
from ._data import Dataset, Split, build, csr, sets_of
from ._edges import DataWarning
from ._features import Columns
from ._frames import frame
from ._labels import classes_of, values_of
from ._progress import watcher
from ._random import seed_of, threads_of
from ._settings import KEYWORDS, Settings

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Array = npt.NDArray[Any]
_Self = TypeVar("_Self", bound="BayesianGCN")


class _Named(type):
    """Refuses keywords that do not exist with the nearest that does."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        known = inspect.signature(cls.__init__).parameters
        for name in kwargs:
            if name not in known:
                raise TypeError(f"{cls.__name__} has no setting {name!r}{_nearest(name, list(known))}")
        return super().__call__(*args, **kwargs)


def _nearest(name: str, known: list[str]) -> str:
    near = _bgcn.nearest(name.replace(".", "_"), [word for word in known if word != "self"])
    return f"; did you mean {near!r}?" if near else "; bgcn.settings() lists them"


class BayesianGCN(Settings, metaclass=_Named):
    """What the classifier and the regressor have in common."""

    _regression = False
    _fitted: _bgcn.Fitted

    # What scikit-learn asks of an estimator.

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Every keyword with its value."""
        names = [name for name in inspect.signature(type(self).__init__).parameters if name != "self"]
        return {name: getattr(self, name) for name in names}

    def set_params(self: _Self, **params: Any) -> _Self:
        """Changes keywords; unknown ones raise ValueError with the nearest name."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"Invalid parameter {name!r} for {type(self).__name__}{_nearest(name, list(known))}")
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, RegressorTags, Tags, TargetTags

        return Tags(
            estimator_type="regressor" if self._regression else "classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=None if self._regression else ClassifierTags(),
            regressor_tags=RegressorTags(poor_score=True) if self._regression else None,
            input_tags=InputTags(sparse=True),
            non_deterministic=False,
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_fitted")

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        given = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value is not defaults[name].default and value != defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join(given)})"

    def _repr_html_(self) -> str:
        """In a notebook: the summary with its figures, once fitted."""
        if not self.__sklearn_is_fitted__():
            return f"<pre>{html.escape(repr(self))}</pre>"
        page = html.escape(self._fitted.report(), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        if "_fitted" in state:
            state["_fitted"] = self._fitted.state()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_fitted" in state:
            self._fitted = _bgcn.Fitted.restore(*state["_fitted"])

    # Learning.

    def fit(
        self: _Self,
        X: Any = None,
        y: Any = None,
        *,
        adjacency: Any = None,
        weight: str | None = None,
        weight_threshold: float | None = None,
        split: Any = None,
        labels_per_class: int | None = None,
        baseline: bool = False,
        callback: Callable[[str, int, int], object] | None = None,
    ) -> _Self:
        """Learns from the labelled nodes and predicts all of them.

        Parameters
        ----------
        X : array, scipy sparse matrix, DataFrame, None, or Dataset
            A row of features per node; None tells nodes apart by identity alone. A :class:`Dataset` brings graph and
            labels with it.
        y : array, list, Series or dict of node to label
            -1, None, NaN and a missing key are unlabelled.
        adjacency : graph
            A scipy sparse matrix, a square array, an edge_index (2, E), a list of pairs, a DataFrame with columns
            source and target, a graph of networkx or igraph, PyG data or a torch tensor. Without it, the network learns
            from features alone.
        weight, weight_threshold : str, float
            Keep edges of at least this weight; ``weight`` names the column or attribute. Otherwise weights are ignored.
        split : str, or three arrays of nodes or masks
            Which labels are seen: training, validation and test nodes. Of arrays every label, of a :class:`Dataset` the
            split that the command would choose (see :meth:`Dataset.split`).
        labels_per_class : int
            For a random or fixed split.
        baseline : bool
            Whether the plain network is trained too, so that the report compares.
        callback : callable
            Called with phase, steps done and all steps, a few times a second; returning False stops the fit with
            StopIteration.
        """
        self._unfit()
        data, nodes = self._data(X, y, adjacency, weight, weight_threshold)
        sets = None
        if nodes is not None:
            kind = "all"
        elif split is None:
            kind = "auto" if isinstance(X, Dataset) else "all"
        elif isinstance(split, (str, Path)):
            kind = str(split)
        else:
            kind, sets = "given", sets_of(split)
        seed = seed_of(self.random_state)
        told, close = watcher(bool(self.verbose), callback)
        try:
            fitted = _bgcn.Fitted.fit(
                data._core,
                self._given(),
                preset=self.preset,
                seed=seed,
                threads=threads_of(self.n_jobs),
                split=None if sets is not None else kind,
                sets=sets,
                labels_per_class=labels_per_class,
                baseline=baseline,
                told=told,
            )
        finally:
            close()
        self._fitted = fitted
        self.seed_ = seed
        self._adopt(data._ids, data._classes, data._table)
        self._digest = data._core.features_digest()
        self._edgeless = data.n_edges == 0
        if data.n_features:
            self.n_features_in_ = len(data._table.names) if data._table is not None else data.n_features
        elif nodes is not None:
            self.n_features_in_ = 1
        if data._table is not None:
            self.feature_names_in_ = np.array(data._table.names, dtype=object)
        return self

    def _data(
        self, X: Any, y: Any, adjacency: Any, weight: str | None, threshold: float | None
    ) -> tuple[Dataset, Array | None]:
        """What is learned from, and the nodes that X names where the estimator has a graph."""
        if self.graph is not None:
            if adjacency is not None:
                raise ValueError("adjacency was given, but the estimator has a graph already; leave one of the two out")
            return self._shared_out(X, y)
        if isinstance(X, Dataset):
            given = {"y": y, "adjacency": adjacency, "weight": weight, "weight_threshold": threshold}
            extra = [name for name, value in given.items() if value is not None]
            if extra:
                raise ValueError(f"{extra[0]} was given, but the Dataset has its own; leave it out")
            if (X.class_names is None) != self._regression:
                other = "BayesianGCNRegressor" if X.class_names is None else "BayesianGCNClassifier"
                raise ValueError(f"the labels of the Dataset are for {other}")
            return X, None
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None: without labels nothing can be learnt")
        if adjacency is None:
            text = "no adjacency was given: the network learns from features alone, every node by itself"
            warnings.warn(text, DataWarning, stacklevel=3)
            if X is None:
                raise ValueError("neither features nor a graph were given; give X, adjacency or both")
        options: dict[str, Any] = {"weight": weight, "weight_threshold": threshold}
        data = build(X, y, adjacency, regression=self._regression, **options)
        return data, None

    def _shared_out(self, X: Any, y: Any) -> tuple[Dataset, Array]:
        """The nodes of the estimator's graph that X names, with their labels and no others."""
        graph = self.graph
        if not isinstance(graph, Dataset):
            raise TypeError(f"graph is of type {type(graph).__name__}; give a bgcn.Dataset")
        nodes = self._nodes(X)
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None: without labels nothing can be learnt")
        labels = values_of(y) if self._regression else classes_of(y)
        if labels.values is not None:
            numbers = np.full(graph.n_nodes, np.nan, np.float32)
            found: Array = labels.values
        else:
            numbers = np.full(graph.n_nodes, -1, np.int64)  # type: ignore[assignment]
            found = np.asarray(labels.codes)
        if len(found) != len(nodes):
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: X names {len(nodes)} nodes, but y has "
                f"{len(found)} labels"
            )
        numbers[nodes] = found
        state = graph.__getstate__() | {"labels": numbers, "split": None, "classes": labels.classes}
        state["class_names"] = None if labels.classes is None else [str(name) for name in labels.classes.tolist()]
        data = Dataset.__new__(Dataset)
        data.__setstate__(state)
        return data, nodes

    def _nodes(self, X: Any) -> Array:
        """Node numbers in any form: a list, a column, names."""
        graph = self.graph
        assert isinstance(graph, Dataset)
        nodes = np.asarray(X)
        if nodes.ndim == 2 and nodes.shape[1] == 1:
            nodes = nodes[:, 0]
        if nodes.ndim != 1:
            raise ValueError(f"X has shape {nodes.shape}; with a graph, X holds node numbers, one per row")
        if graph._ids is not None and nodes.dtype.kind not in "iu":
            number = {node: i for i, node in enumerate(graph._ids)}
            unknown = [node for node in nodes.tolist() if node not in number]
            if unknown:
                raise ValueError(f"node {unknown[0]!r} is not in the graph")
            return np.array([number[node] for node in nodes.tolist()], dtype=np.int64)
        if nodes.dtype.kind == "f" and (nodes == np.floor(nodes)).all():
            nodes = nodes.astype(np.int64)
        if nodes.dtype.kind not in "iu":
            raise ValueError(f"X is of type {nodes.dtype}; with a graph, X holds node numbers")
        wrong = (nodes < 0) | (nodes >= graph.n_nodes)
        if wrong.any():
            raise ValueError(f"node {nodes[wrong][0]} does not exist; the graph has {graph.n_nodes} nodes")
        return nodes

    def _given(self) -> dict[str, Any]:
        """Settings that are not left to the recipe, by key."""
        given = {key: getattr(self, keyword) for key, keyword in KEYWORDS.items()}
        return {key: _plain(value) for key, value in given.items() if value is not None}

    def _unfit(self) -> None:
        for name in [name for name in self.__dict__ if name.endswith("_") and not name.startswith("__")]:
            delattr(self, name)
        for name in ("_fitted", "_digest", "_edgeless", "_ids", "_table"):
            self.__dict__.pop(name, None)

    def _adopt(self, ids: list[Any] | None, classes: Array | None, table: Columns | None) -> None:
        """Fitted attributes, from what the library holds."""
        self._ids, self._table = ids, table
        fitted = self._fitted
        self.n_nodes_ = fitted.n_nodes
        self.split_ = Split(*fitted.split)
        if not fitted.is_regression:
            self.classes_ = np.array(fitted.class_names) if classes is None else classes

    def _check(self) -> _bgcn.Fitted:
        if self.__sklearn_is_fitted__():
            return self._fitted
        text = f"This {type(self).__name__} instance is not fitted yet. Call 'fit' first."
        exceptions = sys.modules.get("sklearn.exceptions")
        raise (exceptions.NotFittedError if exceptions is not None else AttributeError)(text)

    def _predicted(
        self, X: Any, adjacency: Any, weight: str | None, threshold: float | None
    ) -> tuple[Array | None, dict[str, Array]]:
        """Probabilities, or None for numbers, and the other columns: of the fitted nodes or of others."""
        fitted = self._check()
        own = lambda: (fitted.probability_rows(), dict(fitted.node_columns()))  # noqa: E731
        if X is None and adjacency is None:
            return own()
        if self.graph is not None:
            if adjacency is not None:
                raise ValueError("adjacency was given, but the estimator has a graph already; leave it out")
            nodes = self._nodes(X)
            rows, columns = own()
            return None if rows is None else rows[nodes], {name: values[nodes] for name, values in columns.items()}
        if isinstance(X, Dataset):
            data = X
        else:
            if X is None and not hasattr(self, "n_features_in_"):
                data = build(None, None, adjacency, weight=weight, weight_threshold=threshold)
            elif X is None:
                raise ValueError("the fit had features, so new nodes need them too; give X")
            else:
                data = build(X, None, adjacency, weight=weight, weight_threshold=threshold, table=self._table)
                self._check_columns(data)
        if adjacency is None and not isinstance(X, Dataset) and not self._edgeless:
            if data._core.features_digest() == self._digest:
                return own()
            raise ValueError(
                "X is not what was fitted, and no adjacency was given: which of its nodes are joined? Give adjacency "
                "too, or nothing at all for the fitted nodes"
            )
        seed = getattr(self, "seed_", 0)
        told, close = watcher(bool(self.verbose), None)
        try:
            return fitted.apply(data._core, seed, threads_of(self.n_jobs), told)
        finally:
            close()

    def _check_columns(self, data: Dataset) -> None:
        expected = self._fitted.n_features
        if data.n_features != expected and self._table is None:
            raise ValueError(
                f"X has {data.n_features} features, but {type(self).__name__} is expecting {expected} features as input"
            )

    # What was found.

    @property
    def uncertainty_(self) -> dict[str, Array]:
        """Where the uncertainty of every node comes from, as arrays by name.

        Of classes: ``entropy`` in nats; ``expected_entropy``, its part that no draw resolves (the data's);
        ``mutual_information``, the rest (the model's); ``disagreement``, the share of draws that predict another class.
        Of numbers: ``sd``, ``model_sd`` (the model's) and ``noise_sd`` (the data's).
        """
        return {name: values for name, values in self._check().node_columns().items() if name != "mean"}

    @property
    def settings_(self) -> dict[str, Any]:
        """Every setting that was used, by its key in the command."""
        found: dict[str, Any] = json.loads(self._check().settings)
        return found

    @property
    def metrics_(self) -> dict[str, Any]:
        """Scores on the test nodes, as in ``metrics.json``."""
        found: dict[str, Any] = json.loads(self._check().metrics())
        return found

    def suspicious_edges(self, n: int = 20) -> Any:
        """The ``n`` observed edges that the graph model finds least likely: source, target, probability."""
        return self._edges(self._check().suspicious(_count(n)))

    def missing_edges(self, n: int = 20) -> Any:
        """The ``n`` pairs without an edge that the graph model finds most likely: source, target, probability."""
        return self._edges(self._check().missing(_count(n)))

    def edge_probabilities(self) -> Any:
        """Every observed edge with its probability: source, target, probability."""
        fitted = self._check()
        probabilities = fitted.edge_probabilities()
        sources, targets = fitted.edges()
        return self._edges((sources, targets, probabilities) if len(probabilities) == len(sources) else None)

    def _edges(self, found: tuple[Array, Array, Array] | None) -> Any:
        if found is None:
            raise ValueError(
                "the graph was taken for granted (graph_model observed), so every edge is believed alike; fit with a "
                "graph model"
            )
        sources, targets, probabilities = found
        return frame({"source": self._names(sources), "target": self._names(targets), "probability": probabilities})

    def _names(self, nodes: Array) -> Array:
        """The nodes as they were given."""
        if self._ids is None:
            return nodes
        names = np.empty(len(nodes), dtype=object)
        names[:] = [self._ids[node] for node in nodes]
        return names

    def sample_graphs(self, n: int = 1, random_state: Any = None) -> list[csr_matrix]:
        """``n`` graphs that could as well have been observed, as scipy CSR matrices.

        Drawn from p(G | λ) with the last λ of the fit; of several graph models each draw chooses one by its weight.
        The same ``random_state`` gives the same graphs; None takes the fit's.
        """
        fitted = self._check()
        seed = getattr(self, "seed_", 0) if random_state is None else seed_of(random_state)
        drawn = fitted.draw(seed, 0, _count(n), threads_of(self.n_jobs))
        return [csr(rows, self.n_nodes_) for rows in drawn]

    def report(self, path: str | Path | None = None) -> str:
        """The report as a page of HTML, written to ``path`` if one is given. It opens without a network."""
        page = self._check().report()
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def save(self, folder: str | Path, *, overwrite: bool = False) -> None:
        """Writes a run folder, the same that ``bgcn fit --out`` writes; ``bgcn.load`` and the command read it."""
        self._check().save(folder, overwrite)

    # Other libraries.

    def _observed(self, remove: int) -> tuple[Array, Array, Array | None]:
        """Edges with their probabilities, without the ``remove`` least likely."""
        fitted = self._check()
        sources, targets = fitted.edges()
        probabilities: Array | None = fitted.edge_probabilities()
        if probabilities is None or len(probabilities) != len(sources):
            probabilities = None
        if remove:
            if probabilities is None:
                self._edges(None)
            assert probabilities is not None
            kept = np.ones(len(sources), bool)
            kept[np.argsort(probabilities, kind="stable")[: _count(remove)]] = False
            sources, targets, probabilities = sources[kept], targets[kept], probabilities[kept]
        return sources, targets, probabilities

    def to_networkx(self, *, remove_suspicious: int = 0) -> Any:
        """The observed graph as a networkx.Graph: what is believed as attributes of nodes and edges.

        ``remove_suspicious`` leaves out so many of the least likely edges.
        """
        import networkx as nx

        sources, targets, probabilities = self._observed(remove_suspicious)
        graph = nx.Graph()
        nodes = np.arange(self.n_nodes_)
        columns = {"predicted": self._prediction(), **self.uncertainty_}
        for node, name in zip(nodes.tolist(), self._names(nodes).tolist(), strict=True):
            graph.add_node(name, **{key: _item(values[node]) for key, values in columns.items()})
        ends = zip(self._names(sources).tolist(), self._names(targets).tolist(), strict=True)
        for i, (a, b) in enumerate(ends):
            graph.add_edge(a, b, **({} if probabilities is None else {"probability": float(probabilities[i])}))
        return graph

    def to_pyg(self, *, remove_suspicious: int = 0) -> Any:
        """The observed graph as PyG data: ``edge_index``, ``edge_probability``, and what is believed of nodes."""
        import torch
        from torch_geometric.data import Data

        sources, targets, probabilities = self._observed(remove_suspicious)
        index = np.stack([np.concatenate([sources, targets]), np.concatenate([targets, sources])])
        data = Data(edge_index=torch.from_numpy(index), num_nodes=self.n_nodes_)
        if probabilities is not None:
            data.edge_probability = torch.from_numpy(np.concatenate([probabilities, probabilities]))
        rows = self._fitted.probability_rows()
        if rows is not None:
            data.probability = torch.from_numpy(rows)
        for name, values in self._fitted.node_columns().items():
            data[name] = torch.from_numpy(values)
        return data

    def _prediction(self) -> Array:
        raise NotImplementedError


class BayesianGCNClassifier(BayesianGCN):
    """Classes of nodes with honest uncertainty, averaged over graphs that could as well have been observed.

    The defaults are those of the command. Every setting of the recipe is a keyword (``copying.copy`` of the command is
    ``copying_copy``); see :class:`bgcn.Settings` for all of them.

    Attributes
    ----------
    classes_ : array
        The classes.
    transduction_ : array
        The most likely class of every node.
    label_distributions_ : array of shape (n_nodes, n_classes)
        Their probabilities.
    uncertainty_ : dict of arrays
        Where the uncertainty comes from.
    n_features_in_ : int
        Columns of X.
    split_ : Split
        Training, validation and test nodes.
    settings_, metrics_ : dict
        Every setting that was used; scores on the test nodes.

    Examples
    --------
    >>> import bgcn
    >>> edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)]
    >>> clf = bgcn.BayesianGCNClassifier(random_state=1)
    >>> clf.fit(None, ["a", None, None, None, None, "b"], adjacency=edges).transduction_
    array(['a', 'a', 'a', 'b', 'b', 'b'], dtype='<U1')
    >>> clf.label_distributions_.shape
    (6, 2)
    """

    classes_: Array

    @property
    def transduction_(self) -> Array:
        """The most likely class of every node."""
        return self._prediction()

    @property
    def label_distributions_(self) -> npt.NDArray[np.float32]:
        """The probabilities of every node."""
        rows = self._check().probability_rows()
        assert rows is not None
        return rows

    def _prediction(self) -> Array:
        return self._chosen(self.label_distributions_)

    def _chosen(self, rows: Array) -> Array:
        chosen: Array = self.classes_[rows.argmax(axis=1)]
        return chosen

    def predict_proba(
        self,
        X: Any = None,
        *,
        adjacency: Any = None,
        weight: str | None = None,
        weight_threshold: float | None = None,
    ) -> npt.NDArray[np.float32]:
        """Probabilities (n, classes): of the fitted nodes, or of a changed graph with features ``X``, new nodes
        included. Nothing is trained again."""
        rows, _ = self._predicted(X, adjacency, weight, weight_threshold)
        assert rows is not None
        return rows

    def predict(
        self,
        X: Any = None,
        *,
        adjacency: Any = None,
        weight: str | None = None,
        weight_threshold: float | None = None,
    ) -> Array:
        """The most likely classes; arguments as in :meth:`predict_proba`."""
        options: dict[str, Any] = {"weight": weight, "weight_threshold": weight_threshold}
        return self._chosen(self.predict_proba(X, adjacency=adjacency, **options))

    def predict_log_proba(self, X: Any = None, *, adjacency: Any = None) -> npt.NDArray[np.float32]:
        """Logarithms of :meth:`predict_proba`."""
        with np.errstate(divide="ignore"):
            found: npt.NDArray[np.float32] = np.log(self.predict_proba(X, adjacency=adjacency))
        return found

    def score(self, X: Any = None, y: Any = None, sample_weight: Any = None, *, adjacency: Any = None) -> float:
        """Accuracy: of the test nodes without arguments, else of ``X`` against ``y`` (unlabelled rows do not count)."""
        if y is None:
            return _of_test(self.metrics_, "accuracy")
        truth = classes_of(y)
        assert truth.codes is not None
        assert truth.classes is not None
        known = truth.codes >= 0
        right = self.predict(X, adjacency=adjacency)[known] == truth.classes[truth.codes[known]]
        return float(np.average(right, weights=None if sample_weight is None else np.asarray(sample_weight)[known]))


class BayesianGCNRegressor(BayesianGCN):
    """Numbers at nodes with honest uncertainty, averaged over graphs that could as well have been observed.

    Keywords and methods are those of :class:`BayesianGCNClassifier`.

    Attributes
    ----------
    transduction_ : array
        The predicted number of every node.
    uncertainty_ : dict of arrays
        ``sd``, and its parts ``model_sd`` and ``noise_sd``.

    Examples
    --------
    >>> import bgcn
    >>> edges = [(i, i + 1) for i in range(9)]
    >>> y = [0.5, None, 1.5, None, 2.5, 3.0, None, 4.0, None, 5.0]
    >>> reg = bgcn.BayesianGCNRegressor().fit(None, y, adjacency=edges)
    >>> reg.transduction_.shape, sorted(reg.uncertainty_)
    ((10,), ['model_sd', 'noise_sd', 'sd'])
    """

    _regression = True

    @property
    def transduction_(self) -> Array:
        """The predicted number of every node."""
        return self._prediction()

    def _prediction(self) -> Array:
        return self._check().node_columns()["mean"]

    def predict(
        self,
        X: Any = None,
        *,
        adjacency: Any = None,
        weight: str | None = None,
        weight_threshold: float | None = None,
        return_std: bool = False,
    ) -> Any:
        """Numbers, and with ``return_std`` their standard deviations: of the fitted nodes, or of a changed graph with
        features ``X``, new nodes included. Nothing is trained again."""
        _, columns = self._predicted(X, adjacency, weight, weight_threshold)
        return (columns["mean"], columns["sd"]) if return_std else columns["mean"]

    def score(self, X: Any = None, y: Any = None, sample_weight: Any = None, *, adjacency: Any = None) -> float:
        """R²: of ``X`` against ``y`` (unlabelled rows do not count); without arguments, minus the RMSE of the test
        nodes."""
        if y is None:
            return -_of_test(self.metrics_, "rmse")
        truth = values_of(y).values
        assert truth is not None
        known = ~np.isnan(truth)
        weights = np.ones(int(known.sum())) if sample_weight is None else np.asarray(sample_weight)[known]
        y_true = truth[known].astype(np.float64)
        residual = y_true - self.predict(X, adjacency=adjacency)[known]
        spread = np.sum(weights * (y_true - np.average(y_true, weights=weights)) ** 2)
        return float(1 - np.sum(weights * residual**2) / spread) if spread > 0 else 0.0


def _of_test(metrics: dict[str, Any], name: str) -> float:
    found = metrics.get("test")
    if not found:
        raise ValueError("no test node has a label, so there is nothing to score; give X and y")
    return float(found[name])


def _plain(value: Any) -> Any:
    """Scalars of NumPy as Python's."""
    return value.item() if isinstance(value, np.generic) else value


def _item(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _count(n: Any) -> int:
    if isinstance(n, (int, np.integer)) and not isinstance(n, bool) and 0 <= n < 2**32:
        return int(n)
    raise ValueError(f"n is {n!r}; give a whole number from 0")


def load(folder: str | Path) -> BayesianGCNClassifier | BayesianGCNRegressor:
    """A run folder as a fitted estimator: of :meth:`BayesianGCNClassifier.save` or of ``bgcn fit``.

    What is believed of nodes has the six decimals of its ``predictions.csv``; predictions of other graphs are exact.
    """
    fitted = _bgcn.Fitted.load(folder)
    kind = BayesianGCNRegressor if fitted.is_regression else BayesianGCNClassifier
    used = json.loads(fitted.settings)
    about = fitted.about
    estimator = kind(random_state=about["seed"], **{KEYWORDS[key]: value for key, value in used.items()})
    estimator._fitted = fitted
    estimator.seed_ = about["seed"]
    estimator._digest = 0
    estimator._edgeless = False
    estimator._adopt(fitted.ids, None, None)
    if fitted.n_features != fitted.n_nodes:
        estimator.n_features_in_ = fitted.n_features
    return estimator
