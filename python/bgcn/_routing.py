"""scikit-learn's metadata routing, without importing it before it is asked for."""

from __future__ import annotations

import inspect
from typing import Any, TypeVar

from . import _bgcn

_Self = TypeVar("_Self", bound="Routed")

#: Methods whose arguments can be routed.
METHODS = ("fit", "predict", "predict_proba", "predict_log_proba", "score")


class Routed:
    """Which arguments a pipeline or a search hands on to which method.

    With ``sklearn.set_config(enable_metadata_routing=True)``, ``clf.set_fit_request(adjacency=True)`` makes
    ``Pipeline.fit(X, y, adjacency=A)`` hand the graph on. True hands an argument on, False leaves it out, None refuses
    it, and a name is what it is called there.
    """

    #: Requests by method and argument.
    _requests: dict[str, dict[str, Any]]

    def get_metadata_routing(self) -> Any:
        """The requests as scikit-learn's ``MetadataRequest``."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=type(self).__name__)
        given = vars(self).get("_requests", {})
        for method in METHODS:
            for name in _arguments(self, method):
                getattr(request, method).add_request(param=name, alias=given.get(method, {}).get(name))
        return request

    def set_fit_request(self: _Self, **requests: bool | str | None) -> _Self:
        """Which arguments of ``fit`` are handed on: ``adjacency``, ``split``, ``labels_per_class`` and the others."""
        return self._request("fit", requests)

    def set_predict_request(self: _Self, **requests: bool | str | None) -> _Self:
        """Which arguments of ``predict`` are handed on."""
        return self._request("predict", requests)

    def set_score_request(self: _Self, **requests: bool | str | None) -> _Self:
        """Which arguments of ``score`` are handed on."""
        return self._request("score", requests)

    def _request(self: _Self, method: str, requests: dict[str, Any]) -> _Self:
        import sklearn
        from sklearn.utils.metadata_routing import UNCHANGED

        if not sklearn.get_config()["enable_metadata_routing"]:
            raise RuntimeError(
                f"set_{method}_request needs metadata routing; call sklearn.set_config(enable_metadata_routing=True)"
            )
        known = _arguments(self, method)
        for name in requests:
            if name not in known:
                near = _bgcn.nearest(name, known)
                hint = f"did you mean {near}?" if near else f"there are {', '.join(known)}"
                raise TypeError(f"{method} of {type(self).__name__} has no argument {name!r} to route; {hint}")
        given = vars(self).get("_requests", {})
        changed = {name: value for name, value in requests.items() if value != UNCHANGED}
        self._requests = {**given, method: {**given.get(method, {}), **changed}}
        return self


def _arguments(owner: object, method: str) -> list[str]:
    """Arguments of a method beside X and y."""
    function = getattr(type(owner), method, None)
    parameters = [] if function is None else list(inspect.signature(function).parameters)
    return [name for name in parameters if name not in ("self", "X", "y")]
