"""Phrases that have a better word, in code, help, messages and pages. History is in the changelog alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: What is not written, and what is instead.
BETTER = {
    r"classes (do not )?fit around": "the classes around both ends, counted",
    r"rarely links? within": "same class, weaker tie than average",
    r"(\d|\}) other neighbours": "low degrees (2 and 1)",
    r"cannot tell|can ?not be told": "insufficient evidence",
    r"can be listed": "N edges at a false discovery rate of 10 %",
    r"how sure (it|the)|\bsurer\b": "mean confidence 75 %, accuracy 93 %",
    r"spotting mistakes": "error-detection AUROC",
    r"no edge is like": "no edge matches",
    r"order of work": "sampling schedule",
    r"\bhonest": "calibrated",
    r"told apart|by identity": "one-hot node ids; distinguished",
    r"knows? no (weights|names)": "ignores weights",
    r"for granted": "uses the observed graph",
    r"foresee|foresight": "gives held-out links probability 0; predicts",
    r"every second time": "with probability ½",
    r"looks? wrong|seems? to be missing": "suspicious edges, missing edges",
    r"one in ten (of|is|where)": "10 %",
    r"\bbeliev(e|es|ed)\b": "probability; predicts",
    r"how true": "calibration",
    r"what it costs|what is told|tells? of\b": "cost, summary",
    r"\bTold\b|\btold_|\bdesk\b|meeting.place|doorway|\bState::Alive\b": "the thing's own name",
    r"carr(y|ies|ied) (it |them )?out|carry_out": "run",
    r"\bheals?\b": "truncates an incomplete last line",
    r"\b(somebody|whoever|nobody)\b|of our own|all alike|\ball the same\b": "the actor, or nothing",
    r"so that only": "one idea a sentence",
    r"\b(probabilit(y|ies)|decoys?|lists?|pages?|scores?) (say|tell|speak|know|mind|doubt)s?\b": "who does what",
    r"speaks? (for|against)|\binnocent": "terms of the log-odds; a low P(spurious)",
    r"since then|\btoday\b|no longer|measured before|used to be\b": "the present; history is in CHANGELOG.md",
}

#: Where a phrase means another thing, and what.
ALLOWED = {
    ("crates/bgcn-cli/tests/all/faults/disk.rs", "nobody"): "the Unix user",
    ("crates/bgcn-cli/tests/all/fit.rs", "nobody"): "the id of a node that does not exist",
    ("crates/bgcn-cli/tests/all/edges.rs", "nobody"): "the id of a node that does not exist",
    ("crates/bgcn-files/src/read/content/tests.rs", "today"): "the content of a file",
}

#: The tagline.
TAGLINE = "does not take the graph for granted"


def texts() -> list[Path]:
    """Sources, tests, scripts and pages that people write."""
    globs = ["*.md", "docs/*.md", "crates/*/Cargo.toml", "pyproject.toml", "benches/**/*.py", "benches/**/*.md"]
    globs += ["golden/*.py", "fuzz/*.md", "fuzz/fuzz_targets/*.rs", "python/**/*.py", "python/**/*.pyi"]
    globs += [f"crates/*/{folder}/**/*.rs" for folder in ("src", "tests", "benches", "examples")]
    found = {path for pattern in globs for path in ROOT.glob(pattern)}
    return sorted(found - {ROOT / "CHANGELOG.md", Path(__file__)})


@pytest.mark.parametrize("phrase", BETTER)
def test_a_phrase_that_has_a_better_word_is_not_written(phrase: str) -> None:
    written = []
    for path in texts():
        name = path.relative_to(ROOT).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for match in re.finditer(phrase, line.replace(TAGLINE, ""), re.IGNORECASE):
                if (name, match[0]) not in ALLOWED:
                    written.append(f"{name}:{number}: {line.strip()}")
    assert not written, f"better: {BETTER[phrase]}\n" + "\n".join(written)


def test_what_is_allowed_is_written() -> None:
    for name, phrase in ALLOWED:
        assert phrase in (ROOT / name).read_text(encoding="utf-8"), f"{name} has no {phrase!r}: take it off the list"


@pytest.mark.parametrize(
    "phrase",
    [
        "temperature scaling",
        "expected calibration error",
        "label propagation",
        "stochastic block model",
        "degree-corrected",
        "mixed-membership",
        "SGLD",
        "false discovery rate",
        "target–decoy",
        "link prediction",
        "metattack",
        "PR-BCD",
        "homophily",
    ],
)
def test_what_people_search_for_is_found_in_the_pages(phrase: str) -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    assert any(phrase.lower() in page.read_text(encoding="utf-8").lower() for page in pages)
