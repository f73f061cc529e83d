"""Writes docs/python-api.md: every public name of the package, from its signature and its docstring.

Run it after a name, a docstring or a setting was changed, with the package installed; a test compares the page.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import bgcn
import bgcn.pyg
from bgcn._settings import KEYWORDS

FILE = Path(__file__).parents[2] / "docs" / "python-api.md"

HEAD = """# The names of the Python package

Written by `python/tools/make_api.py` from docstrings, signatures and the list of settings: do not edit.
[bgcn from Python](python.md) shows them at work.
"""

#: Sections in the order of work: data, estimators and their settings, the rest.
ORDER = [
    "BayesianGCNClassifier",
    "BayesianGCNRegressor",
    "load",
    "Dataset",
    "Split",
    "from_networkx",
    "from_pandas",
    "from_pyg",
    "datasets",
    "DataWarning",
    "GraphModel",
    "reproduce",
    "Results",
    "settings",
    "Settings",
    "__version__",
]

VERSION = "The version of the package, as text."


def page() -> str:
    """The whole page."""
    left_out = sorted(set(bgcn.__all__) ^ set(ORDER))
    assert not left_out, f"in __all__ or in ORDER alone: {', '.join(left_out)}"
    parts: list[str] = []
    for name in ORDER:
        if name == "datasets":
            parts += list(_module(bgcn.datasets))
        elif name == "Settings":
            parts += list(_settings())
        elif name == "__version__":
            parts += [f"## `bgcn.{name}`", VERSION]
        else:
            parts += list(_public(f"bgcn.{name}", getattr(bgcn, name)))
    parts += list(_public("bgcn.pyg.DrawnGraph", bgcn.pyg.DrawnGraph))
    titles = [part[3:] for part in parts if part.startswith("## ")]
    contents = [f"[{title}](#{_anchor(title)})" for title in titles]
    return "\n\n".join([HEAD.strip(), ",\n".join(contents) + ".", *parts]) + "\n"


def _anchor(title: str) -> str:
    """Where a heading is found."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _public(title: str, thing: Any) -> Iterator[str]:
    """A section: a class with what it has, or a function."""
    yield f"## `{title}`"
    if not inspect.isclass(thing):
        yield _call(title, thing)
        yield from _prose(thing.__doc__)
        return
    fields = list(getattr(thing, "__dataclass_fields__", {}))
    if not fields and not issubclass(thing, Warning):
        yield _made(title, thing)
    yield from _prose(thing.__doc__)
    for field in fields:
        yield _item(f"`{field}`", _comments(thing).get(field, ""))
    # What one estimator has from the other is told once.
    told = set(vars(bgcn.BayesianGCNClassifier)) if thing is bgcn.BayesianGCNRegressor else set()
    members = {name: member for name, member in inspect.getmembers_static(thing) if not name.startswith("_")}
    if thing is bgcn.BayesianGCNRegressor:
        members = {name: member for name, member in members.items() if name in vars(thing)}
    for name, member in members.items():
        if isinstance(member, property) and not (name in told and not member.__doc__):
            yield f"### `{name}`"
            yield from _prose(member.__doc__)
    for name, member in members.items():
        if inspect.isfunction(member):
            yield f"### `{name}()`"
            yield _call(f".{name}", member)
            yield from _prose(member.__doc__)
    if callable_of(thing):
        yield "### Calling it"
        yield _call("", thing.__call__)


def callable_of(thing: type) -> bool:
    """Whether its instances can be called."""
    return "__call__" in vars(thing)


def _module(module: ModuleType) -> Iterator[str]:
    """A section of a module: its constants and its own functions."""
    yield f"## `{module.__name__}`"
    yield from _prose(module.__doc__)
    comments = _comments(module)
    for name in sorted(module.__all__):
        thing = getattr(module, name)
        if inspect.isfunction(thing):
            yield f"### `{module.__name__}.{name}()`"
            yield _call(f"{module.__name__}.{name}", thing)
            yield from _prose(thing.__doc__)
        elif not inspect.isclass(thing):
            yield f"### `{module.__name__}.{name}`"
            yield f"{comments[name]} `{thing!r}`"


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


def _made(title: str, thing: type) -> str:
    """How an instance is made. Estimators have too many keywords for a line; a table lists them."""
    if issubclass(thing, bgcn.Settings):
        own = [name for name in inspect.signature(bgcn.Settings.__init__).parameters if name not in KEYWORDS.values()]
        known = inspect.signature(bgcn.Settings.__init__).parameters
        chosen = ["network", "graph_model", *(name for name in own if name != "self")]
        inside = ", ".join(_parameter(known[name]) for name in chosen)
        return _code(f"{title}(*, {inside}, …)")
    return _call(title, thing.__init__)


def _call(title: str, function: Any) -> str:
    return _code(title + _signature(function))


def _code(text: str) -> str:
    if len(text) > 116:
        name, _, rest = text.partition("(")
        text = f"{name}(\n    " + rest[:-1].replace(", ", ",\n    ") + ",\n)"
    return f"```py\n{text}\n```"


def _signature(function: Any) -> str:
    """Names and defaults: written here, since versions of Python write annotations differently."""
    parts: list[str] = []
    keywords_only = False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            keywords_only = True
        elif parameter.kind is parameter.KEYWORD_ONLY and not keywords_only:
            parts.append("*")
            keywords_only = True
        parts.append(_parameter(parameter))
    return f"({', '.join(parts)})"


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
    return f"{stars}{parameter.name}{default}"


# Docstrings.


def _prose(text: str | None) -> Iterator[str]:
    """A docstring as Markdown: paragraphs, lists of parameters, examples."""
    lines = inspect.cleandoc(text or "").splitlines()
    heads = [i for i in range(len(lines) - 1) if re.fullmatch(r"-{3,}", lines[i + 1].strip())]
    cuts = [0, *heads, len(lines)]
    yield from _paragraphs(lines[: cuts[1]])
    for start, end in zip(heads, cuts[2:], strict=True):
        title, body = lines[start].strip(), lines[start + 2 : end]
        if title == "Examples":
            yield from _paragraphs(body)
        else:
            yield f"**{title}**"
            yield from _named(body)


def _named(lines: list[str]) -> Iterator[str]:
    """`name : kind` with an indented text below becomes an item of a list."""
    items: list[tuple[str, list[str]]] = []
    for line in lines:
        if line and not line.startswith(" "):
            items.append((line, []))
        elif line.strip():
            items[-1][1].append(line.strip())
    written = []
    for head, body in items:
        names, _, kind = head.partition(" : ")
        shown = ", ".join(f"`{name.strip()}`" for name in names.split(","))
        written.append(_item(shown + (f" ({_plain(kind)})" if kind else ""), _plain(" ".join(body))))
    yield "\n".join(written)


def _item(head: str, text: str) -> str:
    return _folded(f"* {head}: {text}" if text else f"* {head}", "  ")


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """Paragraphs, sessions with >>> and indented code after ::"""
    block: list[str] = []
    for line in [*lines, ""]:
        indented = bool(block) and block[0].startswith("    ")
        if line.strip() or (indented and line is not lines[-1]):
            if indented and line.strip() and not line.startswith("    "):
                yield _fenced("py", block)
                block = []
            if line.strip() != "::":
                block.append(line)
            continue
        if not block:
            continue
        if indented:
            yield _fenced("py", block)
        elif block[0].startswith(">>>"):
            yield _fenced("pycon", block)
        else:
            yield _folded(_plain(" ".join(part.strip() for part in block)))
        block = []


def _fenced(kind: str, lines: list[str]) -> str:
    return f"```{kind}\n{inspect.cleandoc(chr(10).join(lines))}\n```"


def _plain(text: str) -> str:
    """Without the marks of reStructuredText."""
    text = re.sub(r":(?:class|meth|func|mod):`([^`]+)`", r"`\1`", text)
    return text.replace("``", "`")


def _folded(text: str, indent: str = "") -> str:
    """Lines of at most 118 columns."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > 118:
            lines.append(line)
            line = indent + word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


# Settings.


def _settings() -> Iterator[str]:
    """Keywords of the estimators: their own, and a table of the recipe's."""
    yield "## `bgcn.Settings`"
    yield from _prose(bgcn.Settings.__doc__)
    yield "The estimators take these keywords. First those that are no settings of the recipe:"
    lines = inspect.cleandoc(bgcn.Settings.__init__.__doc__ or "").splitlines()[2:]
    own: list[str] = []
    kept = False
    for line in lines:
        if line and not line.startswith(" "):
            kept = line.partition(" : ")[0] not in KEYWORDS.values()
        if kept:
            own.append(line)
    yield from _named(own)
    yield (
        "Then every setting. The default is that of a plain fit; another network, graph model, schedule or preset has\n"
        "its own. In the command a keyword is a key with a dot (`copying_copy` is `copying.copy`; `network` is\n"
        "`network.kind`, `schedule` is `schedule.kind`), and `bgcn settings` also tells where a default comes from."
    )
    rows = ["| keyword | default | allowed | |", "|---|---|---|---|"]
    listed = {setting["key"]: setting for setting in bgcn.settings()}
    for key in KEYWORDS:
        setting = listed[key]
        counted = setting["default"].replace(".", "", 1).isdigit() and setting["unit"]
        default = f"{setting['default']} {setting['unit']}" if counted else setting["default"]
        cells = [default, setting["allowed"], setting["help"].partition("; the option --")[0]]
        rows.append(" | ".join([f"| `{setting['keyword']}`", *(cell.replace("|", "\\|") for cell in cells)]) + " |")
    yield "\n".join(rows)


def main() -> None:
    """Writes the page."""
    FILE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
