"""The classifier and the regressor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _bgcn
from ._arguments import checked
from ._findings import Findings
from ._labels import classes_of, values_of
from ._learning import Learning, Predicted
from ._run import nodes_table
from ._settings import KEYWORDS
from ._types import Array


class BayesianGCN(Learning, Findings):
    """What the classifier and the regressor have in common."""

    def _as_table(self, found: Predicted, predicted: Array) -> Any:
        """What is predicted, as the table that ``result_.nodes`` is of the fitted nodes."""
        columns = {name: values for name, values in found.columns.items() if name != "mean"}
        return nodes_table(found.ids, predicted, self._check().class_names, found.rows, columns)


class BayesianGCNClassifier(BayesianGCN):
    """Node classes with calibrated uncertainty, averaged over graphs drawn from a random-graph model.

    The defaults are those of the command.

    Parameters
    ----------
    network : str
        gcn, gat or chebnet.
    graph_model : str
        mmsbm, mmsb, sbm, dcsbm or copying; ``observed`` trusts the graph; ``auto``, or several joined by +, average.
    graph : Dataset or graph
        A dataset, or a graph of any kind that ``fit`` takes, whose nodes ``X`` names: ``fit(nodes, y)`` and
        ``predict(nodes)`` then take nodes by number or name, for cross-validation on one graph.
    preset : str
        Settings by name: default, published, published-linear, algorithm1 or robust.
    schedule : str
        How graphs and weights are sampled: published or algorithm1.
    random_state : int, generator of NumPy or None
        Source of all randomness. A whole number gives the same bits every time, as ``--seed`` of the command does, on
        processors of one class; None or a generator draws one.
    n_jobs : int
        Threads; None or -1 takes one per core. Results do not depend on it.
    verbose : bool
        Shows a progress bar (tqdm where it is installed).
    settings : dict
        All other settings, such as ``{"copying.copy": 0.5}``; :func:`bgcn.settings` lists them. None leaves one to the
        recipe. ``set_params(**{"settings__copying.copy": 0.5})`` changes one.

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
    spurious_share_ : float
        The share of the observed edges that is spurious.

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

    @checked
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
        rows = self._predicted(X, adjacency, weight, weight_threshold).rows
        assert rows is not None
        return rows

    @checked
    def predict(
        self,
        X: Any = None,
        *,
        adjacency: Any = None,
        weight: str | None = None,
        weight_threshold: float | None = None,
        as_table: bool = False,
    ) -> Any:
        """The most likely classes; arguments as in :meth:`predict_proba`.

        With ``as_table``, a table with a row per node: node, predicted, probabilities of the classes, the uncertainty.
        """
        found = self._predicted(X, adjacency, weight, weight_threshold)
        assert found.rows is not None
        chosen = self._chosen(found.rows)
        return self._as_table(found, chosen) if as_table else chosen

    def predict_log_proba(self, X: Any = None, *, adjacency: Any = None) -> npt.NDArray[np.float32]:
        """Logarithms of :meth:`predict_proba`."""
        with np.errstate(divide="ignore"):
            found: npt.NDArray[np.float32] = np.log(self.predict_proba(X, adjacency=adjacency))
        return found

    def set_predict_proba_request(self, **requests: bool | str | None) -> BayesianGCNClassifier:
        """Which arguments of ``predict_proba`` are handed on."""
        return self._request("predict_proba", requests)

    def set_predict_log_proba_request(self, **requests: bool | str | None) -> BayesianGCNClassifier:
        """Which arguments of ``predict_log_proba`` are handed on."""
        return self._request("predict_log_proba", requests)

    def score(self, X: Any = None, y: Any = None, sample_weight: Any = None, *, adjacency: Any = None) -> float:
        """Accuracy: of the test nodes without arguments, else of ``X`` against ``y`` (unlabelled rows do not count)."""
        if y is None:
            return _of_test(self.metrics_, "accuracy")
        found = self._predicted(X, adjacency, None, None)
        truth = classes_of(self._truth(y, found))
        assert truth.codes is not None
        assert truth.classes is not None
        assert found.rows is not None
        known = truth.codes >= 0
        right = self._chosen(found.rows)[known] == truth.classes[truth.codes[known]]
        return float(np.average(right, weights=None if sample_weight is None else np.asarray(sample_weight)[known]))


class BayesianGCNRegressor(BayesianGCN):
    """Numbers at nodes with calibrated uncertainty, averaged over graphs drawn from a random-graph model.

    Parameters and methods are those of :class:`BayesianGCNClassifier`.

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
        return self.result_.predicted

    @checked
    def predict(
        self,
        X: Any = None,
        *,
        adjacency: Any = None,
        weight: str | None = None,
        weight_threshold: float | None = None,
        return_std: bool = False,
        as_table: bool = False,
    ) -> Any:
        """Numbers, and with ``return_std`` their standard deviations: of the fitted nodes, or of a changed graph with
        features ``X``, new nodes included. Nothing is trained again. ``as_table`` gives a table with a row per node."""
        found = self._predicted(X, adjacency, weight, weight_threshold)
        mean, sd = found.columns["mean"], found.columns["sd"]
        if as_table:
            return self._as_table(found, mean)
        return (mean, sd) if return_std else mean

    def score(self, X: Any = None, y: Any = None, sample_weight: Any = None, *, adjacency: Any = None) -> float:
        """R²: of ``X`` against ``y`` (unlabelled rows do not count); without arguments, minus the RMSE of the test
        nodes."""
        if y is None:
            return -_of_test(self.metrics_, "rmse")
        found = self._predicted(X, adjacency, None, None)
        truth = values_of(self._truth(y, found), least=1).values
        assert truth is not None
        known = ~np.isnan(truth)
        weights = np.ones(int(known.sum())) if sample_weight is None else np.asarray(sample_weight)[known]
        y_true = truth[known].astype(np.float64)
        residual = y_true - found.columns["mean"][known]
        spread = np.sum(weights * (y_true - np.average(y_true, weights=weights)) ** 2)
        return float(1 - np.sum(weights * residual**2) / spread) if spread > 0 else 0.0


def _of_test(metrics: dict[str, Any], name: str) -> float:
    found = metrics.get("test")
    if not found:
        raise ValueError("no test node has a label, so there is nothing to score; give X and y")
    return float(found[name])


def load(folder: str | Path) -> BayesianGCNClassifier | BayesianGCNRegressor:
    """A run folder as a fitted estimator: of :meth:`BayesianGCNClassifier.save` or of ``bgcn fit``.

    It predicts, judges and draws to the last bit what it did when it was saved.
    """
    fitted = _bgcn.Run.load(folder)
    kind = BayesianGCNRegressor if fitted.is_regression else BayesianGCNClassifier
    used = json.loads(fitted.settings)
    about = fitted.about
    named = {keyword: used.pop(key) for keyword, key in KEYWORDS.items() if key in used}
    estimator = kind(random_state=about["seed"], settings=used, **named)
    estimator.seed_ = about["seed"]
    estimator._digest = 0
    estimator._edgeless = False
    estimator._adopt(fitted, fitted.ids, None, None)
    if fitted.n_features != fitted.n_nodes:
        estimator.n_features_in_ = fitted.n_features
    return estimator
