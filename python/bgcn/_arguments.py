"""Calls as other libraries have them, and arguments that do not exist: refused with the call that is right."""

from __future__ import annotations

import inspect
import reprlib
import sys
from collections.abc import Callable, Collection
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from . import _bgcn, _settings
from ._edges import module_of

_Function = TypeVar("_Function", bound=Callable[..., Any])

#: Names that other libraries have for an argument.
ELSEWHERE = {
    **dict.fromkeys(("A", "G", "adj", "adjacency_matrix", "edge_index", "edges", "graph", "input_matrix"), "adjacency"),
    **dict.fromkeys(("labels", "target", "targets"), "y"),
    **dict.fromkeys(("features", "x"), "X"),
}

#: Modules that fit an estimator on some of the rows.
SPLITTERS = ("sklearn.model_selection", "sklearn.calibration")


def checked(function: _Function) -> _Function:
    """Refuses arguments that a function does not have, with those that were perhaps meant."""
    parameters = list(inspect.signature(function).parameters.values())
    bound = parameters[0].name in ("self", "cls")
    open_ended = any(p.kind is p.VAR_KEYWORD for p in parameters)
    own = [p.name for p in parameters[bound:] if p.kind is not p.VAR_KEYWORD]
    first = [p.name for p in parameters[bound:] if p.kind is p.POSITIONAL_OR_KEYWORD]

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        owner = args[0] if bound and args else None
        name = owner.__name__ if isinstance(owner, type) else function.__name__
        for word in kwargs:
            if word not in own and not open_ended:
                raise TypeError(_unknown(name, owner, word, kwargs[word], own))
        if len(args) - bound > len(first):
            given, by_name = ", ".join(first), "adjacency=A" if "adjacency" in own or open_ended else "…"
            raise TypeError(f"{name} takes {given} by position; write {name}({given}, {by_name}), the rest by name")
        return function(*args, **kwargs)

    return call  # type: ignore[return-value]


def _unknown(name: str, owner: Any, word: str, value: Any, own: Collection[str]) -> str:
    """What to write instead of an argument that there is not."""
    text = f"{name} has no argument {word!r}"
    if ELSEWHERE.get(word) in own:
        return f"{text}; its name is {ELSEWHERE[word]}"
    if hasattr(owner, "get_params"):
        made = type(owner).__name__
        if word in owner.get_params():
            return f"{text}; {made} has it: {made}({word}={reprlib.repr(value)})"
        if _settings.exact(word):
            return f"{text}; it is a setting: {made}({_settings.spelled({word: value})})"
    near = _bgcn.nearest(word, list(own))
    return f"{text}; did you mean {near}?" if near else f"{text}; it has {', '.join(own)}"


def refuse_graph(X: Any, adjacency: Any, call: str) -> None:
    """Refuses a graph in the place of features."""
    kind = type(X).__name__
    if module_of(X) == "torch_geometric":
        raise TypeError(f"X is of type {kind}, of PyG, which has features and graph; write {call}(bgcn.from_pyg(data))")
    right = f"{call}(None, y, adjacency=…), or {call}(X, y, adjacency=…) with a row of features per node"
    if hasattr(X, "is_multigraph") or module_of(X) == "igraph":
        raise TypeError(f"X is of type {kind}, a graph; give it by name: {right}")
    if adjacency is None and _is_adjacency(X):
        raise ValueError(
            f"X is a matrix of {X.shape[0]} × {X.shape[1]}, and no adjacency was given. If it is the "
            f"graph, write {right}. If it holds features and there is no graph, add adjacency=[]"
        )


def _is_adjacency(X: Any) -> bool:
    """Whether features look like a graph: square and sparse, or symmetric without a diagonal."""
    if not (hasattr(X, "tocsr") or isinstance(X, np.ndarray)) or len(X.shape) != 2 or X.shape[0] != X.shape[1]:
        return False
    return hasattr(X, "tocsr") or bool(len(X) > 2 and X.any() and not X.diagonal().any() and (X == X.T).all())


def refuse_split_rows(kind: str) -> None:
    """Refuses a fit on some of the rows without a graph: each fold would learn from features alone."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(SPLITTERS):
            raise ValueError(
                "cross-validation splits rows, and the estimator has no graph. Give it one, and node numbers as X: "
                f"cross_val_score({kind}(graph=bgcn.Dataset(X, adjacency=A)), np.arange(len(y)), y)"
            )
        frame = frame.f_back  # type: ignore[assignment]
