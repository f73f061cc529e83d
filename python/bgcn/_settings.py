"""Settings by key, as the command and run folders have them, and how the package spells them."""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from . import _bgcn
from ._frames import frame
from ._types import scalar

#: Settings that are keywords of the estimators; all others go in ``settings``.
KEYWORDS = {"network": "network.kind", "graph_model": "graph_model", "schedule": "schedule.kind"}

#: What the name of a setting begins with in ``get_params`` and ``set_params``.
PREFIX = "settings__"


def settings() -> Any:
    """A table of every setting: key, default in words, what is allowed, type, unit, help, source.

    >>> table = settings()
    >>> list(table.columns)
    ['key', 'default', 'allowed', 'type', 'unit', 'help', 'source']
    >>> table.set_index("key").default["network.hidden"]
    '16'
    """
    rows = _bgcn.settings()
    return frame({name: [row[name] for row in rows] for name in rows[0]})


@cache
def keys() -> tuple[str, ...]:
    """The keys of all settings."""
    return tuple(setting["key"] for setting in _bgcn.settings())


def merged(keywords: Mapping[str, Any], more: Any) -> dict[str, Any]:
    """Settings by key, from keywords and from ``settings=``; None leaves one to the recipe."""
    if more is not None and not isinstance(more, Mapping):
        kind = type(more).__name__
        raise TypeError(f'settings is of type {kind}; give a dict of keys and values, such as {{"copying.copy": 0.5}}')
    found = {KEYWORDS[keyword]: value for keyword, value in keywords.items() if value is not None}
    for key, value in (more or {}).items():
        if not isinstance(key, str):
            raise TypeError(f'settings has the key {key!r}; keys are names such as "copying.copy"')
        if value is None:
            continue
        if key in found and found[key] != value:
            keyword = next(keyword for keyword, of in KEYWORDS.items() if of == key)
            raise ValueError(
                f'settings has "{key}": {value!r}, but {keyword} is {found[key]!r}; leave one of the two out'
            )
        found[key] = value
    return {key: scalar(value) for key, value in found.items()}


def unknown(owner: str, given: Mapping[str, Any], keywords: Collection[str]) -> str:
    """What to write instead of keywords that an estimator does not have."""
    if all(exact(name) for name in given):
        return f"{owner} has no keyword {', '.join(given)}; write {spelled(given)}"
    name = next(name for name in given if not exact(name))
    near = _nearest(name, keywords)
    if near is None:
        return f"{owner} has no keyword {name}; bgcn.settings() lists the settings"
    meant = near if near in keywords else spelled({near: given[name]})
    return f"{owner} has no keyword {name}; did you mean {meant}?"


def check(owner: str, name: str, keywords: Collection[str]) -> None:
    """Refuses a parameter that ``set_params`` does not have, with the nearest that it has."""
    bare = name.removeprefix(PREFIX)
    if name in keywords or (bare != name and bare in keys()):
        return
    near = _nearest(bare, keywords if bare == name else ())
    meant = near if near is None or near in keywords else PREFIX + near
    hint = f"did you mean {meant!r}?" if meant else "bgcn.settings() lists the settings"
    raise ValueError(f"Invalid parameter {name!r} for estimator {owner}; {hint}")


def exact(name: str) -> str | None:
    """The setting that a keyword such as ``copying_copy``, or a key, names."""
    name = name.removeprefix(PREFIX)
    return next((key for key in keys() if name in (key, key.replace(".", "_"))), None)


def _nearest(name: str, keywords: Collection[str]) -> str | None:
    """The keyword or the setting that was perhaps meant."""
    name = name.replace(".", "_")
    # The last part of a key, as in ``epochs`` or ``hidden_dim``.
    last = {key: key.rpartition(".")[2] for key in keys()}
    part = next((key for key, word in last.items() if len(name) > 3 and (name in word or word in name)), None)
    known = {**{key.replace(".", "_"): key for key in keys()}, **{keyword: keyword for keyword in keywords}}
    return exact(name) or part or known.get(_bgcn.nearest(name, list(known)) or "")


def spelled(given: Mapping[str, Any]) -> str:
    entries = (f'"{exact(name)}": {reprlib.repr(value)}' for name, value in given.items())
    return f"settings={{{', '.join(entries)}}}"
