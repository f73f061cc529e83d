"""Code blocks of the pages run and print what stands below them; the table of settings."""

from __future__ import annotations

import doctest
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import bgcn
import pytest

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "docs/python.md", "docs/coming-from.md"]
#: Packages of `bgcn[full]`.
OTHERS = ["scipy", "pandas", "networkx", "sklearn", "tqdm"]

#: Runs blocks in one namespace and answers with what each of them prints, up to the first that fails.
RUNNER = """
import contextlib, io, json, sys, traceback
names, answers = {"__name__": "__main__"}, []
blocks, blocked = json.load(sys.stdin)
sys.modules.update(dict.fromkeys(blocked))
for where, code in blocks:
    out, error = io.StringIO(), None
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(code, where, "exec"), names)
    except BaseException:
        error = traceback.format_exc()
    answers.append((out.getvalue(), error))
    if error:
        break
json.dump(answers, sys.stdout)
"""


@dataclass
class Block:
    """A block of Python, and the output that stands in the page."""

    where: str
    code: str
    printed: str = ""


def blocks_of(text: str, page: str) -> list[Block]:
    """Blocks of Python in order; a block of text right after one is its output."""
    found: list[Block] = []
    kind, start, lines, before = None, 0, [""], None
    for number, line in enumerate(text.splitlines(), 1):
        if kind is None and line.startswith("```"):
            kind, start, lines = line[3:].strip(), number, []
        elif kind is not None and line.strip() == "```":
            if kind == "python":
                # Empty lines in front keep the line numbers of the page in tracebacks.
                found.append(Block(f"{page}:{start}", "\n" * start + "\n".join(lines) + "\n"))
            elif kind == "text" and before == "python":
                found[-1].printed = "\n".join(lines) + "\n"
            kind, before = None, kind
        elif kind is not None:
            lines.append(line)
    assert kind is None, f"{page}:{start}: the block has no end"
    return found


def faults(blocks: list[Block], answers: list[tuple[str, str | None]]) -> list[str]:
    """Where a page and the package differ. Spaces do not count, and … stands for anything."""
    checker = doctest.OutputChecker()
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    found = []
    for block, (printed, error) in zip(blocks, answers, strict=False):
        if error is not None:
            found.append(f"{block.where} fails:\n{error}")
        elif not checker.check_output(block.printed.replace("…", "..."), printed, flags):
            found.append(f"{block.where} prints\n{printed}\nand the page has\n{block.printed}")
    return found


@pytest.mark.parametrize(("page", "blocked"), [*((page, []) for page in PAGES), ("README.md", OTHERS)])
def test_blocks_of_a_page_print_what_it_says(page: str, blocked: list[str], tmp_path: Path) -> None:
    """The blocks of README without any package but numpy, too."""
    blocks = blocks_of((ROOT / page).read_text(encoding="utf-8"), page)
    for package in OTHERS:
        pytest.importorskip(package)
    # Numbers of the portable kernels are the same on every processor.
    env = {**os.environ, "BGCN_CPU": "portable", "PYTHONIOENCODING": "utf-8"}
    run = subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps([[(block.where, block.code) for block in blocks], blocked]),
        capture_output=True,
        cwd=tmp_path,
        encoding="utf-8",
        env=env,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found = faults(blocks, json.loads(run.stdout))
    assert not found, "\n\n".join(found)


def test_a_block_that_prints_something_else_is_a_fault() -> None:
    page = "```python\nprint(1)\n```\n\nprints\n\n```text\n1 …\n```\n\n```python\nx = 1\n```\n\n```sh\nls\n```\n"
    blocks = blocks_of(page, "page")
    assert [block.where for block in blocks] == ["page:1", "page:11"]
    assert not faults(blocks, [("1 2 3\n", None), ("", None)])
    assert len(faults(blocks, [("2\n", None), ("x\n", None)])) == 2
    assert "Traceback" in faults(blocks, [("", "Traceback")])[0]


def test_the_table_of_settings_has_each_once_with_help_and_source() -> None:
    table = bgcn.settings()
    assert list(table.columns) == ["key", "default", "allowed", "type", "unit", "help", "source"]
    assert table.key.is_unique
    assert not (table[["default", "type", "help", "source"]] == "").any(axis=None)


def test_the_configuration_files_of_clusters_are_what_their_tools_read():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: it comes with Ray")
    launcher = yaml.safe_load((ROOT / "docs/cluster/launcher.yaml").read_text())
    schema = json.loads(
        Path(pytest.importorskip("ray").__file__).with_name("autoscaler").joinpath("ray-schema.json").read_text()
    )
    assert set(launcher) <= set(schema["properties"])
    assert set(schema["required"]) <= set(launcher)
    claim, job = yaml.safe_load_all((ROOT / "docs/cluster/rayjob.yaml").read_text())
    assert (claim["kind"], job["kind"], job["apiVersion"]) == ("PersistentVolumeClaim", "RayJob", "ray.io/v1")
    mounted = job["spec"]["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]["volumes"][0]
    assert mounted["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
    words = job["spec"]["entrypoint"].split()
    assert words[:4] == ["python", "-m", "bgcn.cluster", "reproduce"]
    subprocess.run(["bash", "-n", ROOT / "docs/cluster/slurm.sh"], check=True)
