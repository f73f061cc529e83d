#!/usr/bin/env python3
"""Damages files of the corpus and reads them by the command, within bounds of memory and time.

    cargo build --release -p bgcn-cli
    python3 benches/faults/mutants.py [--bgcn target/release/bgcn] [--mutants 2000] [--seed 0] [--corpus 'corpus-*']

A mutant is a case of which one file is changed: bytes, a part lost, doubled or taken from another file, a field that
became another one, the whole packed. `bgcn data info` reads it with the options of the case, and with --fit a short fit
follows where it is read. It ends in one of:

  read     exit code 0
  refused  exit code 2 and a message
  fault    any other exit code: a panic is 101, a signal is negative
  silent   refused without a message
  late     longer than --seconds

Exit code 1 if anything but read and refused was found; --keep names a folder for these mutants.
"""

import argparse, gzip, json, os, random, re, shutil, subprocess, sys, tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TESTS = Path(__file__).parents[2] / "crates/bgcn-files/tests"

#: What a field may become.
FIELDS = b"""4294967290 4294967296 1000000000 99999999999999999999 -1 1e308 1e400 nan inf -0 0x10 1,5 1.234,5 NA null
\\N \xef\xbb\xbfid \xc2\xa0 \x00 \xff\xfe " "" ' # % {} [] <a> &lt; &x; </node> ;;;; ,,,, source id label weight""".split()
#: What stands between fields.
BETWEEN = re.compile(rb"[\s,;|\"<>=:{}\[\]]+")


def cases(pattern):
    """Every case of the corpora: its folder, its entry in expected.json."""
    found = []
    for expected in sorted(TESTS.glob(f"{pattern}/expected.json")):
        found += [(expected.parent, case) for case in json.loads(expected.read_text(encoding="utf-8"))]
    return found


def mutate(rng, content, other):
    """The content of a file, damaged once to four times."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        content = rng.choice(CHANGES)(rng, content, other)
    return content


def span(rng, content):
    a, b = sorted(rng.randrange(len(content) + 1) for _ in range(2))
    return a, min(b, a + rng.choice((1, 8, 64, 4096)))


def flip(rng, content, _):
    changed, most = bytearray(content), rng.choice((127, 127, 127, 256))
    for _ in range(rng.randint(1, 6) if content else 0):
        changed[rng.randrange(len(changed))] = rng.randrange(most)
    return bytes(changed)


def cut(rng, content, _):
    return content[: rng.randrange(len(content) + 1)]


def lose(rng, content, _):
    a, b = span(rng, content)
    return content[:a] + content[b:]


def double(rng, content, _):
    a, b = span(rng, content)
    return content[:b] + content[a:b] * rng.choice((1, 1, 1, 20, 2000)) + content[b:]


def splice(rng, content, other):
    (a, _), (c, d) = span(rng, content), span(rng, other)
    return content[:a] + other[c:d] + content[a:]


def field(rng, content, _):
    places = [found.span() for found in BETWEEN.finditer(content)]
    if len(places) < 2:
        return flip(rng, content, _)
    i = rng.randrange(len(places) - 1)
    return content[: places[i][1]] + rng.choice(FIELDS) + content[places[i + 1][0] :]


def wide(rng, content, _):
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice((b",", b";", b"\t", b"\n", b"[", b"<a>", b"0,", b" 1")) * 200_000 + content[at:]


def pack(rng, content, _):
    packed = gzip.compress(content, mtime=0)
    return packed if rng.random() < 0.5 else flip(rng, packed, _)


def line(rng, content, _):
    """A line more, less, or elsewhere."""
    lines = content.splitlines(keepends=True) or [b""]
    taken = lines.pop(rng.randrange(len(lines))) if rng.random() < 0.7 else rng.choice(lines)
    lines[(at := rng.randrange(len(lines) + 1)) : at] = [taken] * rng.choice((0, 1, 1, 2))
    return b"".join(lines)


CHANGES = (flip, cut, lose, double, splice, *[field] * 5, *[line] * 4, wide, pack)


#: A short fit.
FIT = ("fit", "--no-files", "--no-baseline", "--epochs", "2", "--split", "all", "--quiet")


class Mutant:
    """A case with a damaged file, in a folder of its own."""

    def __init__(self, number, seed, every):
        rng = random.Random(f"{seed} {number}")
        corpus, self.case = rng.choice(every)
        self.name, self.source = f"{number}-{self.case['case']}", corpus / self.case["case"]
        self.file = rng.choice(sorted(path for path in self.source.iterdir() if path.is_file()))
        other = rng.choice(every)
        others = sorted(path for path in (other[0] / other[1]["case"]).iterdir() if path.is_file())
        self.content = mutate(rng, self.file.read_bytes(), rng.choice(others).read_bytes())

    def write(self, folder):
        """The files, and the words that name them to the command."""
        place = folder / self.case["case"]
        shutil.copytree(self.source, place)
        (place / self.file.name).write_bytes(self.content)
        words = []
        for part, file in self.case["read"].items():
            words += ([] if part == "path" else [f"--{part}"]) + [str(folder / file)]
        for option, value in self.case.get("options", {}).items():
            words += [f"--{option.replace('_', '-')}"] + ([] if value is True else [str(value)])
        return words

    def run(self, bgcn, bounds, fit):
        """How it ends, and what it said."""
        with tempfile.TemporaryDirectory(prefix="bgcn-mutant-") as folder:
            words = self.write(Path(folder))
            kind, said = self.command([bgcn, "data", "info", *words], folder, bounds)
            if kind == "read" and fit:
                kind, said = self.command([bgcn, *FIT, *words], folder, bounds)
            return kind, said

    def command(self, words, folder, bounds):
        memory, seconds = bounds
        env = {**os.environ, "HOME": folder, "XDG_CACHE_HOME": folder, "RUST_BACKTRACE": "0"}
        env.pop("BGCN_DATA", None)
        bound = ["sh", "-c", 'ulimit -c 0; ulimit -v "$0" && exec "$@"', str(memory // 1024)]
        try:
            pipes = {"stdin": subprocess.DEVNULL, "capture_output": True, "timeout": seconds}
            done = subprocess.run([*bound, *words], cwd=folder, env=env, **pipes)
        except subprocess.TimeoutExpired:
            return "late", f"longer than {seconds} s"
        said = done.stderr.decode(errors="replace").strip()
        if done.returncode == 0:
            return "read", said
        # A fit may end in numbers that are none, which is no error of the input.
        if done.returncode == 2 or (done.returncode == 1 and "fit" in words[:2]):
            return ("refused" if "error: " in said else "silent"), said
        return "fault", f"exit code {done.returncode}: {said[-300:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bgcn", default="target/release/bgcn", help="the command [default: %(default)s]")
    parser.add_argument("--mutants", type=int, default=2000, help="[default: %(default)s]")
    parser.add_argument("--seed", type=int, default=0, help="[default: %(default)s]")
    parser.add_argument("--corpus", default="corpus*", help="folders of cases [default: %(default)s]")
    parser.add_argument("--memory", type=float, default=6, help="GB of address space of each [default: %(default)s]")
    parser.add_argument("--seconds", type=float, default=30, help="of each at most [default: %(default)s]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="at once [default: %(default)s]")
    parser.add_argument("--fit", action="store_true", help="fit to what is read, too")
    parser.add_argument("--keep", type=Path, help="a folder for mutants that are neither read nor refused")
    options = parser.parse_args()
    bgcn = shutil.which(options.bgcn) or parser.error(f"there is no command {options.bgcn}")
    every = cases(options.corpus) or parser.error(f"no cases in {TESTS}/{options.corpus}")
    kinds, examples = Counter(), []

    def one(number):
        mutant = Mutant(number, options.seed, every)
        bounds = int(options.memory * 1e9), options.seconds
        return mutant, *mutant.run(os.path.abspath(bgcn), bounds, options.fit)

    with ThreadPoolExecutor(options.jobs) as pool:
        for mutant, kind, said in pool.map(one, range(options.mutants)):
            kinds[kind] += 1
            if kind not in ("read", "refused"):
                examples.append(f"{kind} {mutant.name}, {mutant.file.name}: {said}")
                if options.keep:
                    mutant.write(options.keep / mutant.name)
    counts = ", ".join(f"{kinds[kind]} {kind}" for kind in ("read", "refused", "fault", "silent", "late"))
    print(f"{options.mutants} mutants of {len(every)} cases under {options.memory:g} GB, seed {options.seed}: {counts}")
    print(*examples[:20], sep="\n", end="\n" if examples else "")
    return 1 if examples else 0


if __name__ == "__main__":
    sys.exit(main())
