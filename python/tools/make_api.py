"""Writes docs/python-api.md: every public name of the package, from its signature and its docstring.

Run it after a name, a docstring or a setting was changed, with the package installed; a test compares the page.
"""

from __future__ import annotations

import inspect
import operator
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import bgcn
import bgcn.cluster
import bgcn.pyg
from bgcn._settings import KEYWORDS

FILE = Path(__file__).parents[2] / "docs" / "python-api.md"

#: Columns of a line of prose.
WIDTH = 118

HEAD = """# The names of the Python package

Written by `python/tools/make_api.py` from docstrings, signatures and the list of settings: do not edit.
[bgcn from Python](python.md) shows them at work."""

#: Sections in the order of work: estimators, data, graph models, tables, settings.
ORDER = [
    "BayesianGCNClassifier",
    "BayesianGCNRegressor",
    "load",
    "read",
    "Dataset",
    "Split",
    "from_networkx",
    "from_pandas",
    "from_pyg",
    "datasets",
    "DataWarning",
    "judge_edges",
    "JudgedEdges",
    "GraphModel",
    "pyg.DrawnGraph",
    "reproduce",
    "Results",
    "cluster.reproduce",
    "cluster.fit_many",
    "cluster.Job",
    "cluster.Fitted",
    "cluster.Predictions",
    "cluster.fit",
    "cluster.ClusterError",
    "cluster.VersionMismatch",
    "settings",
    "Settings",
    "__version__",
]


def page() -> str:
    """The whole page."""
    on_clusters = {f"cluster.{name}" for name in bgcn.cluster.__all__}
    left_out = sorted({*bgcn.__all__, "pyg.DrawnGraph", *on_clusters} ^ set(ORDER))
    assert not left_out, f"in __all__ or in ORDER alone: {', '.join(left_out)}"
    parts: list[str] = []
    for name in ORDER:
        parts.append(f"## `bgcn.{name}`")
        if name == "datasets":
            parts += _module(bgcn.datasets)
        elif name == "Settings":
            parts += _settings()
        elif name == "__version__":
            parts.append("The version of the package, as text.")
        elif name == "pyg.DrawnGraph":
            parts += _class(f"bgcn.{name}", bgcn.pyg.DrawnGraph)
        elif inspect.isclass(thing := operator.attrgetter(name)(bgcn)):
            parts += _class(f"bgcn.{name}", thing)
        else:
            parts += _function(f"bgcn.{name}", thing)
    return "\n\n".join([HEAD, _contents(), *parts]) + "\n"


def _contents() -> str:
    """Links to the sections; a heading that differs in capitals alone has a number in its address."""
    links: list[str] = []
    seen: dict[str, int] = {}
    for name in ORDER:
        address = re.sub(r"[^\w-]", "", f"bgcn.{name}".lower())
        count = seen[address] = seen.get(address, -1) + 1
        links.append(f"* [`bgcn.{name}`](#{address}{f'-{count}' if count else ''})")
    return "\n".join(links)


def _function(title: str, function: Any) -> Iterator[str]:
    yield _call(title, inspect.signature(function))
    yield from _prose(function.__doc__)


def _module(module: ModuleType) -> Iterator[str]:
    """Constants of a module and its functions."""
    yield from _prose(module.__doc__)
    comments = _comments(module)
    things = [(name, getattr(module, name)) for name in sorted(module.__all__)]
    constants = [(name, thing) for name, thing in things if not callable(thing)]
    yield "\n".join(_item(f"`{name}`", f"{comments[name]} `{thing!r}`") for name, thing in constants)
    for name, thing in things:
        if inspect.isfunction(thing):
            yield f"### `{module.__name__}.{name}`"
            yield from _function(f"{module.__name__}.{name}", thing)


def _class(title: str, thing: type) -> Iterator[str]:
    """How it is made, what it has, what it does."""
    fields = list(getattr(thing, "__dataclass_fields__", ()))
    if issubclass(thing, bgcn.Settings):
        yield _made(title)
    elif not fields and not issubclass(thing, (Warning, RuntimeError)):
        yield _call(title, inspect.signature(thing.__init__))
    # What one estimator has like the other is told once.
    names = vars(thing) if thing is bgcn.BayesianGCNRegressor else dir(thing)
    members = {name: inspect.getattr_static(thing, name) for name in sorted(names) if not name.startswith("_")}
    properties = {name: member.__doc__ for name, member in members.items() if isinstance(member, property)}
    yield from _prose(thing.__doc__, properties)
    if fields:
        comments = _comments(thing)
        yield "\n".join(_item(f"`{field}`", comments[field]) for field in fields)
    for name, member in members.items():
        if inspect.isfunction(member):
            yield f"### `{title.rpartition('.')[2]}.{name}`"
            yield from _function(name, member)


def _comments(thing: Any) -> dict[str, str]:
    """Names with the comments `#:` above them."""
    found: dict[str, str] = {}
    said: list[str] = []
    for line in inspect.getsource(thing).splitlines():
        text = line.strip()
        if text.startswith("#: "):
            said.append(text[3:])
            continue
        if named := re.match(r"(\w+)\s*[:=]", text):
            found[named[1]] = _plain(" ".join(said))
        said = []
    return found


# Signatures.


def _made(title: str) -> str:
    """How an estimator is made: without the settings, which a table lists."""
    whole = inspect.signature(bgcn.Settings.__init__)
    first = ["self", "network", "graph_model"]
    kept = [p for p in whole.parameters.values() if p.name in first or p.name not in KEYWORDS.values()]
    return _call(title, whole.replace(parameters=kept), ["…"])


def _call(title: str, signature: inspect.Signature, more: list[str] | None = None) -> str:
    """Names and defaults: written here, since versions of Python write annotations differently."""
    parts: list[str] = []
    keywords_only = False
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords_only:
            parts.append("*")
        keywords_only |= parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        parts.append(f"{stars}{parameter.name}{default}")
    lines = textwrap.wrap(", ".join([*parts, *(more or [])]), WIDTH - 4)
    if len(lines) < 2 and len(title) + len("".join(lines)) < WIDTH:
        return f"```py\n{title}({''.join(lines)})\n```"
    inside = "\n".join(f"    {line}" for line in lines)
    return f"```py\n{title}(\n{inside}\n)\n```"


# Docstrings.


def _prose(text: str | None, properties: dict[str, str | None] | None = None) -> Iterator[str]:
    """A docstring as Markdown: paragraphs, lists of names, examples. Properties join the list of attributes."""
    lines = inspect.cleandoc(text or "").splitlines()
    heads = [i for i in range(len(lines) - 1) if re.fullmatch(r"-{3,}", lines[i + 1].strip())]
    yield from _paragraphs(lines[: heads[0] if heads else None])
    sections = {lines[i].strip(): lines[i + 2 : j] for i, j in zip(heads, [*heads, None][1:], strict=True)}
    if "Parameters" in sections:
        yield "**Parameters**"
        yield "\n".join(_items(sections["Parameters"]))
    known = properties or {}
    attributes = list(_items(sections.get("Attributes", []), set(known)))
    for name, said in known.items():
        attributes.append(_item(f"`{name}`", _plain(" ".join(inspect.cleandoc(said or "").split()))))
    if attributes:
        yield "**Attributes**"
        yield "\n".join(attributes)
    yield from _paragraphs(sections.get("Examples", []))


def _items(lines: list[str], told: set[str] | None = None) -> Iterator[str]:
    """`name : kind` with an indented text below becomes an item of a list, unless all its names are told elsewhere."""
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if line and not line.startswith(" "):
            found.append((line, []))
        elif line.strip():
            found[-1][1].append(line.strip())
    for head, body in found:
        names, _, kind = head.partition(" : ")
        each = [name.strip() for name in names.split(",")]
        if told and told.issuperset(each):
            continue
        shown = ", ".join(f"`{name}`" for name in each)
        kind = kind.removeprefix("Any, ")
        yield _item(shown + (f" ({_plain(kind)})" if kind else ""), _plain(" ".join(body)))


def _item(head: str, text: str) -> str:
    return _folded(f"* {head}: {text}" if text else f"* {head}", "  ")


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """Paragraphs, sessions with >>>, and indented code after ::"""
    for block in "\n".join(line.rstrip() for line in lines).split("\n\n"):
        if block.startswith(">>>"):
            yield f"```pycon\n{block}\n```"
        elif block.startswith("    "):
            yield f"```py\n{textwrap.dedent(block)}\n```"
        elif block.strip(": \n"):
            yield _folded(_plain(block))


def _plain(text: str) -> str:
    """Without the marks of reStructuredText."""
    return re.sub(r":(?:class|meth|func|mod):`([^`]+)`", r"`\1`", text).replace("``", "`")


def _folded(text: str, indent: str = "") -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


# Settings.


def _settings() -> Iterator[str]:
    """Keywords of the estimators: their own, and a table of the recipe's."""
    yield from _prose(bgcn.Settings.__doc__)
    yield "The estimators take these keywords. Those that are no settings of the recipe:"
    said = inspect.cleandoc(bgcn.Settings.__init__.__doc__ or "").splitlines()[2:]
    items = _items(said, set(KEYWORDS.values()))
    yield "\n".join(items)
    yield _folded(
        "And every setting. Some defaults depend on the network, the graph model, the schedule, the preset or the "
        "data; the command `bgcn settings` tells them for each, and where they come from. Its keys have a dot where a "
        "keyword has its first underscore (`copying.copy`), except `graph_model`; `network` is `network.kind` and "
        "`schedule` is `schedule.kind`."
    )
    rows = ["| keyword | default | allowed | |", "|---|---|---|---|"]
    listed = {setting["key"]: setting for setting in bgcn.settings()}
    for key, keyword in KEYWORDS.items():
        setting = listed[key]
        counted = setting["default"].replace(".", "", 1).isdigit() and setting["unit"]
        default = f"{setting['default']} {setting['unit']}" if counted else setting["default"]
        # Options are the command's; here they are keywords.
        cells = [f"`{keyword}`", default, setting["allowed"], setting["help"].partition("; the option --")[0]]
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    yield "\n".join(rows)


def main() -> None:
    """Writes the page."""
    FILE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
