"""Writes python/bgcn/_settings.py: every setting of the recipe as a keyword, from the list that `bgcn settings` prints.

Run it after a setting was added or changed, with the package installed; a test compares the file with the list.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

from bgcn import _bgcn

FILE = Path(__file__).parents[1] / "bgcn" / "_settings.py"

#: Two settings go by the name of their table.
SHORT = {"network.kind": "network", "schedule.kind": "schedule"}

HEAD = '''"""Every setting of the recipe as a keyword. Written by python/tools/make_settings.py: do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._data import Dataset

#: Keyword by key of the command's ``--set``.
KEYWORDS: dict[str, str] = {
'''

CLASS = '''

class Settings:
    """What an estimator is made with; ``None`` leaves a setting to the recipe."""

    def __init__(
        self,
        *,
'''

OWN = [
    ("preset", "str", "None", "settings by name: default, published, published-linear, algorithm1 or robust"),
    (
        "random_state",
        "Any",
        "0",
        "source of all randomness: a whole number gives the same bits every time, also in the command (``--seed``), on "
        "processors of one class; "
        "``None`` or a generator of NumPy draws one",
    ),
    ("n_jobs", "int", "None", "threads; ``None`` or -1 takes one per core. Results do not depend on it"),
    ("verbose", "bool", "False", "shows a progress bar (tqdm where it is installed)"),
    (
        "graph",
        "Dataset",
        "None",
        "a dataset whose nodes ``X`` names: ``fit(nodes, y)`` and ``predict(nodes)`` then take node numbers, so that "
        "cross-validation can share a graph out",
    ),
]


def keyword(key: str) -> str:
    """The keyword of a key: a dot becomes an underscore."""
    return SHORT.get(key, key.replace(".", "_"))


def main() -> None:
    """Writes the file."""
    settings = _bgcn.settings()
    # Network and graph model first: they are what people choose.
    first = ["network.kind", "graph_model"]
    settings.sort(key=lambda setting: first.index(setting["key"]) if setting["key"] in first else len(first))
    lines = [HEAD.rstrip("\n")]
    lines += [f'    "{setting["key"]}": "{keyword(setting["key"])}",' for setting in settings]
    lines += ["}", CLASS.rstrip("\n")]
    chosen = settings[: len(first)]
    rest = settings[len(first) :]
    for setting in chosen:
        lines.append(f"        {keyword(setting['key'])}: {setting['type']} | None = None,")
    for name, kind, default, _ in OWN:
        optional = "" if default != "None" or kind == "Any" else " | None"
        lines.append(f"        {name}: {kind}{optional} = {default},")
    for setting in rest:
        lines.append(f"        {keyword(setting['key'])}: {setting['type']} | None = None,")
    lines += ["    ) -> None:", '        """', "        Parameters", "        ----------"]
    for setting in chosen:
        lines += described(setting)
    for name, kind, default, text in OWN:
        lines += [f"        {name} : {kind}, default {default}", *wrapped(text)]
    for setting in rest:
        lines += described(setting)
    lines += ['        """']
    names = [keyword(setting["key"]) for setting in chosen] + [name for name, *_ in OWN]
    names += [keyword(setting["key"]) for setting in rest]
    lines += [f"        self.{name} = {name}" for name in names]
    FILE.write_text("\n".join(lines) + "\n")


def described(setting: dict[str, str]) -> list[str]:
    """The lines of a setting in the docstring."""
    counted = setting["default"].replace(".", "", 1).isdigit() and setting["unit"]
    default = f"{setting['default']} {setting['unit']}" if counted else setting["default"]
    # Options are the command's; here they are keywords.
    explained = setting["help"].partition("; the option --")[0]
    text = f"{explained}. Default {default} ({setting['source']}); allowed: {setting['allowed']}."
    return [f"        {keyword(setting['key'])} : {setting['type']}, default None", *wrapped(text)]


def wrapped(text: str) -> list[str]:
    """Indented and folded."""
    return textwrap.wrap(text, 110, initial_indent=" " * 12, subsequent_indent=" " * 12)


if __name__ == "__main__":
    main()
