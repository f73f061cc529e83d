"""scikit-learn's habits, without needing it: parameters, tags, representation, pickling."""

from __future__ import annotations

import html
import inspect
import sys
from collections.abc import Mapping
from typing import Any, TypeVar

from . import _bgcn, _settings
from ._data import Dataset, Split
from ._features import Columns
from ._routing import Routed
from ._run import Run
from ._settings import KEYWORDS, PREFIX
from ._types import Array

_Self = TypeVar("_Self", bound="Estimator")
_Made = TypeVar("_Made")


def _keywords(cls: type) -> list[str]:
    """What an estimator is made with, in order."""
    return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]  # type: ignore[misc]


class _Checked:
    """Refuses keywords that do not exist, with the nearest that does."""

    def __new__(cls: type[_Made], *args: Any, **kwargs: Any) -> _Made:
        known = _keywords(cls)
        strange = {name: value for name, value in kwargs.items() if name not in known}
        if strange:
            raise TypeError(_settings.unknown(cls.__name__, strange, known))
        return super().__new__(cls)  # type: ignore[misc, no-any-return]


class Estimator(Routed, _Checked):
    """An estimator before it learns."""

    _regression = False
    _run: Run
    _ids: list[Any] | None
    _table: Columns | None
    _digest: int
    _edgeless: bool
    seed_: int
    n_nodes_: int
    n_features_in_: int
    split_: Split
    classes_: Array

    def __init__(
        self,
        *,
        network: str | None = None,
        graph_model: str | None = None,
        graph: Any = None,
        preset: str | None = None,
        schedule: str | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: bool = False,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.network = network
        self.graph_model = graph_model
        self.graph = graph
        self.preset = preset
        self.schedule = schedule
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.settings = settings

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Every keyword with its value; with ``deep`` also those in ``settings``, as ``settings__copying.copy``."""
        found = {name: getattr(self, name) for name in _keywords(type(self))}
        if deep and isinstance(self.settings, Mapping):
            found |= {f"{PREFIX}{key}": value for key, value in self.settings.items()}
        return found

    def set_params(self: _Self, **params: Any) -> _Self:
        """Changes keywords, and single settings as ``settings__copying.copy``; unknown names raise ValueError."""
        keywords = _keywords(type(self))
        for name in params:
            _settings.check(type(self).__name__, name, keywords)
        for name in keywords:
            if name in params:
                setattr(self, name, params[name])
        changed = {name.removeprefix(PREFIX): value for name, value in params.items() if name not in keywords}
        if changed:
            # The dict that was given belongs to the caller.
            self.settings = {**(self.settings or {}), **changed}
        return self

    def __sklearn_clone__(self: _Self) -> _Self:
        from sklearn.base import clone

        params: dict[str, Any] = {k: clone(value, safe=False) for k, value in self.get_params(deep=False).items()}
        other = type(self)(**params)
        if "_requests" in vars(self):
            other._requests = self._requests
        return other

    def _given(self) -> dict[str, Any]:
        """Settings that are not left to the recipe, by key."""
        return _settings.merged({keyword: getattr(self, keyword) for keyword in KEYWORDS}, self.settings)

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
        return hasattr(self, "_run")

    def __repr__(self) -> str:
        defaults = inspect.signature(Estimator).parameters
        given = {name: value for name, value in self.get_params(deep=False).items() if name != "graph"}
        shown = [f"{name}={value!r}" for name, value in given.items() if repr(value) != repr(defaults[name].default)]
        if self.graph is not None:
            # Of anything else a representation may be as long as the graph.
            shown.append(f"graph={self.graph if isinstance(self.graph, Dataset) else type(self.graph).__name__}")
        text = f"{type(self).__name__}({', '.join(shown)})"
        advice = self._run._core.advice if self.__sklearn_is_fitted__() else None
        return text if advice is None else f"{text}\n{advice}"

    def _repr_html_(self) -> str:
        """In a notebook: the report, once fitted; its part on edges is there once they are judged."""
        return self._run._repr_html_() if self.__sklearn_is_fitted__() else f"<pre>{html.escape(repr(self))}</pre>"

    @property
    def result_(self) -> Run:
        """The run: nodes, edges, missing, metrics and settings as tables."""
        self._check()
        # As the estimator is set now.
        self._run._n_jobs, self._run._verbose = self.n_jobs, bool(self.verbose)
        return self._run

    def _unfit(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("__")]:
            delattr(self, name)
        for name in ("_run", "_digest", "_edgeless", "_ids", "_table"):
            vars(self).pop(name, None)

    def _adopt(self, core: _bgcn.Run, ids: list[Any] | None, classes: Array | None, table: Columns | None) -> None:
        """Fitted attributes, from what the library holds."""
        self._run, self._ids, self._table = Run(core, ids, classes), ids, table
        self.n_nodes_ = core.n_nodes
        self.split_ = Split(*core.split)
        if self._run._classes is not None:
            self.classes_ = self._run._classes

    def _check(self) -> _bgcn.Run:
        if self.__sklearn_is_fitted__():
            return self._run._core
        text = f"This {type(self).__name__} instance is not fitted yet. Call 'fit' first."
        exceptions = sys.modules.get("sklearn.exceptions")
        raise (exceptions.NotFittedError if exceptions is not None else AttributeError)(text)
