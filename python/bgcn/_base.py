"""scikit-learn's habits, without needing it: parameters, tags, representation, pickling."""

from __future__ import annotations

import html
import inspect
import sys
from typing import Any, TypeVar

from . import _bgcn
from ._data import Split
from ._features import Columns
from ._labels import named
from ._progress import watcher
from ._random import threads_of
from ._settings import Settings
from ._types import Array

_Self = TypeVar("_Self", bound="Estimator")


class _Named(type):
    """Refuses keywords that do not exist with the nearest that does."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        known = inspect.signature(cls).parameters
        for name in kwargs:
            if name not in known:
                raise TypeError(f"{cls.__name__} has no setting {name!r}{_nearest(name, list(known))}")
        return super().__call__(*args, **kwargs)

    @property
    def __signature__(cls) -> inspect.Signature:
        whole = inspect.signature(cls.__init__)  # type: ignore[misc]
        return whole.replace(parameters=list(whole.parameters.values())[1:])


def _nearest(name: str, known: list[str]) -> str:
    near = _bgcn.nearest(name.replace(".", "_"), [word for word in known if word != "self"])
    return f"; did you mean {near!r}?" if near else "; bgcn.settings() lists them"


class Estimator(Settings, metaclass=_Named):
    """An estimator before it learns."""

    _regression = False
    _fitted: _bgcn.Fitted
    _ids: list[Any] | None
    _table: Columns | None
    _digest: int
    _edgeless: bool
    seed_: int
    n_nodes_: int
    n_features_in_: int
    split_: Split
    classes_: Array

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
        self._judge()
        page = html.escape(self._fitted.report(), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'

    def __getstate__(self) -> dict[str, Any]:
        state = dict(vars(self))
        if "_fitted" in state:
            self._judge()
            state["_fitted"] = self._fitted.state()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        if "_fitted" in state:
            self._fitted = _bgcn.Fitted.restore(*state["_fitted"])

    def _judge(self) -> None:
        """Judges the edges, unless that was done."""
        told, close = watcher(bool(self.verbose), None)
        try:
            self._fitted.judge(threads_of(self.n_jobs), told)
        finally:
            close()

    def _unfit(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("__")]:
            delattr(self, name)
        for name in ("_fitted", "_digest", "_edgeless", "_ids", "_table"):
            vars(self).pop(name, None)

    def _adopt(self, ids: list[Any] | None, classes: Array | None, table: Columns | None) -> None:
        """Fitted attributes, from what the library holds."""
        self._ids, self._table = ids, table
        fitted = self._fitted
        self.n_nodes_ = fitted.n_nodes
        self.split_ = Split(*fitted.split)
        if not fitted.is_regression:
            self.classes_ = named(fitted.class_names) if classes is None else classes

    def _check(self) -> _bgcn.Fitted:
        if self.__sklearn_is_fitted__():
            return self._fitted
        text = f"This {type(self).__name__} instance is not fitted yet. Call 'fit' first."
        exceptions = sys.modules.get("sklearn.exceptions")
        raise (exceptions.NotFittedError if exceptions is not None else AttributeError)(text)
