#!/usr/bin/env python3
"""Kills commands at random moments and looks at what they leave.

    cargo build --release -p bgcn-cli
    python3 benches/faults/kills.py [--bgcn target/release/bgcn] [--kills 300] [--seed 0] [--python .venv/bin/python]

Every kind of command writes two results in turn over one name. It is killed (SIGKILL) at a random moment, then:

  corrupt  what stands under the name is neither the old result nor the new one, byte for byte
  lost     nothing stands there, although something did
  litter   after the next start of the same command there is anything that an uninterrupted run does not leave

Home, cache and temporary folder lie in the folder that is looked at. `--python` names an interpreter that has bgcn;
without it, Python is left out. Exit code 1 if anything was corrupt, lost or left behind.
"""

import argparse, json, os, random, re, shutil, subprocess, sys, tempfile, time
from pathlib import Path

# The folders of a user, inside the place that is looked at.
USER = {"HOME": "home", "XDG_CACHE_HOME": "cache", "TMPDIR": "tmp"}
PYTHON = """
import sys, bgcn
def fitted(seed):
    return bgcn.BayesianGCNClassifier(random_state=seed).fit(bgcn.datasets.load("karate"), labels_per_class=2)
both = [fitted(seed) for seed in (1, 2)]
print("ready", flush=True)
for i in range(int(sys.argv[2])):
    both[(int(sys.argv[1]) + i) % 2].save("run", overwrite=True)
"""


class Fault(Exception):
    """The script, not the command, cannot go on."""


def tree(path):
    """Everything under a path: content by relative name, None for folders; None if there is nothing."""
    if not path.is_dir():
        return {".": path.read_bytes()} if path.exists() else None
    found = {}
    for folder, folders, files in os.walk(path):
        here = Path(folder)
        found |= {str((here / name).relative_to(path)): None for name in folders}
        found |= {str((here / name).relative_to(path)): (here / name).read_bytes() for name in files}
    return found


class Place:
    """A fresh folder where one kind of command runs."""

    def __init__(self, folder):
        self.folder = folder
        for name in USER.values():
            (folder / name).mkdir(parents=True)
        self.env = {**os.environ, **{key: str(folder / name) for key, name in USER.items()}}
        self.env["PYTHONDONTWRITEBYTECODE"] = "1"
        self.env.pop("BGCN_DATA", None)

    def start(self, command, **pipes):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | pipes
        return subprocess.Popen(command, cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, **quiet)

    def run(self, command):
        """An uninterrupted run: its standard output, its seconds."""
        begun = time.monotonic()
        done = subprocess.run(command, cwd=self.folder, env=self.env, capture_output=True, text=True)
        if done.returncode != 0:
            raise Fault(f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-2000:]}")
        return done.stdout, time.monotonic() - begun

    def stamps(self, name):
        """What changes as soon as anything is written: the times of the folders, the lengths of their files."""
        seen = []
        for path in (self.folder, self.folder / name):
            try:
                seen.append(path.stat().st_mtime_ns)
                if path != self.folder:
                    seen += [(entry.name, entry.stat().st_size) for entry in os.scandir(path)]
            except OSError:
                seen.append(None)
        return seen

    def first_write(self, process, name):
        """Waits until something is written, or the process ends."""
        before = self.stamps(name)
        while process.poll() is None and self.stamps(name) == before:
            pass

    def exchange(self, process, name):
        """Waits until the name stands for something else, or for nothing, or the process ends."""
        path = self.folder / name

        def number():
            try:
                return os.stat(path).st_ino
            except OSError:
                return None

        before = number()
        while number() == before and process.poll() is None:
            pass

    def remove(self, name):
        path = self.folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


class Tally:
    """What became of the kills of one kind."""

    FIELDS = ("kills", "before the end", "old", "new", "corrupt", "lost", "litter")

    def __init__(self, name):
        self.name, self.counts, self.examples = name, dict.fromkeys(self.FIELDS, 0), {}

    def add(self, field, example=None):
        self.counts[field] += 1
        if example:
            self.examples.setdefault(field, example)

    def bad(self):
        return sum(self.counts[field] for field in ("corrupt", "lost", "litter"))


def moment(rng, seconds, writing):
    """When to kill: what is waited for, and how long after it. Anywhere, near the end, from the first write on, or as
    the name changes hands."""
    return rng.choice(
        [
            (None, rng.uniform(0, seconds)),
            (None, rng.uniform(max(0, seconds - 2 * writing), seconds)),
            (Place.first_write, rng.uniform(0, writing)),
            (Place.first_write, rng.uniform(0, writing)),
            (Place.exchange, 0),
        ]
    )


def kill(place, name, command, when):
    """Starts a command and kills it; whether it was still running."""
    process = place.start(command)
    wait, delay = when
    if wait:
        wait(place, process, name)
    end = time.monotonic() + delay
    while (left := end - time.monotonic()) > 0 and process.poll() is None:
        time.sleep(min(0.0002, left))
    process.kill()
    return process.wait() != 0


def measure(place, name, command, fresh=False):
    """Seconds of a run, and of these the ones from its first write on."""
    total, writing = [], []
    for _ in range(3):
        begun = time.monotonic()
        process = place.start(command)
        place.first_write(process, name)
        first = time.monotonic()
        process.wait()
        total.append(time.monotonic() - begun)
        writing.append(time.monotonic() - first)
        if fresh:
            place.remove(name)
    return sorted(total)[1], sorted(writing)[1]


def short(names):
    names = sorted(names)
    return ", ".join(names[:4]) + (" …" if len(names) > 4 else "")


def differs(found, *whole):
    """How a state differs from the whole one that is most like it."""

    def unlike(want):
        return [key for key in found.keys() | want.keys() if key not in found or found[key] != want.get(key)]

    best = min((unlike(want) for want in whole if want is not None), key=len)
    return short(f"{key} {'missing' if key not in found else 'other'}" for key in best)


class Writer:
    """A command that writes two results in turn over one name."""

    def __init__(self, kind, name, commands, before=()):
        self.kind, self.name, self.commands, self.before = kind, name, commands, before

    def prepare(self, place):
        """The two whole results, and what the place holds after each."""
        for command in self.before:
            place.run(command)
        self.whole, self.rest = [], []
        for command in self.commands:
            place.remove(self.name)
            place.run(command)
            self.whole.append(tree(place.folder / self.name))
            self.rest.append(tree(place.folder).keys())
        if self.whole[0] == self.whole[1]:
            raise Fault(f"{self.kind}: both commands write the same")
        place.run(self.commands[0])
        if tree(place.folder / self.name) != self.whole[0]:
            raise Fault(f"{self.kind}: a run over another result does not leave what a first run leaves")
        self.seconds = [measure(place, self.name, command) for command in reversed(self.commands)][::-1]

    def kills(self, place, tally, count, rng, show):
        now = 0
        for _ in range(count):
            show()
            # Sometimes there is nothing to replace.
            fresh = rng.random() < 0.15
            if fresh:
                place.remove(self.name)
            then = 1 - now
            hit = self.kill_once(place, then, rng)
            tally.add("kills")
            if hit:
                tally.add("before the end")
            self.judge(place, tally, (None if fresh else now, then))
            place.run(self.commands[then])
            self.look_for_litter(place, tally, then)
            now = then

    def kill_once(self, place, then, rng):
        return kill(place, self.name, self.commands[then], moment(rng, *self.seconds[then]))

    def judge(self, place, tally, states):
        old, new = (None if state is None else self.whole[state] for state in states)
        found = tree(place.folder / self.name)
        if found == new:
            tally.add("new")
        elif found == old:
            tally.add("old")
        elif found is None:
            tally.add("lost", f"{self.name} is missing")
        else:
            tally.add("corrupt", differs(found, old, new))

    def look_for_litter(self, place, tally, then):
        extra = tree(place.folder).keys() - self.rest[then]
        if extra:
            tally.add("litter", short(extra))
            for name in sorted(extra, reverse=True):
                place.remove(name)
        found = tree(place.folder / self.name)
        if found != self.whole[then]:
            tally.add("corrupt", f"after the next start: {differs(found or {}, self.whole[then])}")
            place.remove(self.name)
            place.run(self.commands[then])


class Python(Writer):
    """A Python process that fits twice and then saves both fits in turn, without end."""

    def __init__(self, python):
        self.script = [python, "-c", PYTHON]
        super().__init__("Python save", "run", [[*self.script, str(i), "1"] for i in range(2)])

    def kill_once(self, place, then, rng):
        process = place.start([*self.script, str(then), "1000000"], stdout=subprocess.PIPE)
        process.stdout.readline()
        time.sleep(rng.uniform(0, 20 * self.seconds[then][1]))
        process.kill()
        process.stdout.close()
        return process.wait() != 0

    def judge(self, place, tally, states):
        # Both are saved again and again, so any of the two may stand there; the first save may not have happened.
        fresh = states[0] is None
        found = tree(place.folder / self.name)
        if found is None and not fresh:
            tally.add("lost", f"{self.name} is missing")
        elif found is None or found == self.whole[1 - states[1]]:
            tally.add("old")
        elif found == self.whole[states[1]]:
            tally.add("new")
        else:
            tally.add("corrupt", differs(found, *self.whole))


class Reproduce:
    """A log that goes on after every kill."""

    kind, name = "reproduce", "results"

    def __init__(self, bgcn):
        what = ["karate", "--methods", "gcn,gcn+copying", "--labels-per-class", "2,3", "--runs", "6"]
        self.command = [bgcn, "reproduce", *what, "--json", "--quiet", "--jobs", "1", "--out", self.name]

    def prepare(self, place):
        output, _ = place.run(self.command)
        self.tables, self.names = self.results(output), tree(place.folder).keys()
        self.trials, self.page = self.log(place), self.pages(place)
        place.remove(self.name)
        self.seconds = measure(place, self.name, self.command, fresh=True)

    def kills(self, place, tally, count, rng, show):
        for _ in range(count):
            show()
            before = self.log(place)
            hit = kill(place, self.name, self.command, moment(rng, *self.seconds))
            tally.add("kills")
            if hit:
                tally.add("before the end")
            self.judge(place, tally, before)
            # Most are killed again as they go on; the others end, and a new log is begun.
            if rng.random() < 0.4:
                self.go_on(place, tally)
                place.remove(self.name)
        self.go_on(place, tally)

    def judge(self, place, tally, before):
        after, pages = self.log(place), self.pages(place)
        if after is None or not all(after.get(key) in (None, trial) for key, trial in self.trials.items()):
            tally.add("corrupt", "a whole line of the log is none that a run writes, or another than before")
        elif not (before or {}).items() <= after.items():
            tally.add("lost", f"{len(before.keys() - after.keys())} trials")
        elif any(text != self.page[name] for name, text in pages.items()):
            tally.add("corrupt", differs(pages, self.page))
        else:
            tally.add("new" if pages else "old")

    def go_on(self, place, tally):
        try:
            output, _ = place.run(self.command)
        except Fault as fault:
            tally.add("corrupt", str(fault))
            return
        if self.results(output) != self.tables or self.log(place) != self.trials or self.pages(place) != self.page:
            tally.add("corrupt", "the results after going on are not those of an uninterrupted run")
        if extra := tree(place.folder).keys() ^ self.names:
            tally.add("litter", short(extra))
            for name in sorted(extra, reverse=True):
                place.remove(name)

    @staticmethod
    def results(output):
        found = json.loads(output.splitlines()[-1])
        return found["tables"], found["claims"]

    def log(self, place):
        """Finished trials by key, without their seconds; an incomplete last line is left out. None if a line is none."""
        path = place.folder / self.name / "trials.jsonl"
        found = {}
        for line in path.read_bytes().split(b"\n")[:-1] if path.exists() else []:
            try:
                trial = json.loads(line)
                trial.pop("seconds")
                found[json.dumps([trial["settings"], trial["key"]])] = trial
            except (ValueError, KeyError, AttributeError):
                return None
        return found

    def pages(self, place):
        """The pages, without what times and counts of this start they name."""
        found = tree(place.folder / self.name) or {}
        texts = {name: text.decode() for name, text in found.items() if name.endswith((".md", ".html", ".svg"))}
        return {name: re.sub(r"[\d.,]+ (s|ms|minutes|hours) of computing", "", text) for name, text in texts.items()}


def kinds(bgcn, python):
    """Every kind of command that writes."""

    def twice(*words, seeds=("1", "2")):
        return [[bgcn, *words, "--quiet", "--seed", seed] for seed in seeds]

    def two(*words, data=("demo", "karate")):
        return [[bgcn, *words[:2], name, *words[2:], "--quiet"] for name in data]

    run = [bgcn, "fit", "demo", "--epochs", "20", "--no-baseline", "--quiet", "--out"]
    fit = ("fit", "demo", "--epochs", "20", "--no-baseline", "--overwrite", "--out", "run")
    yield Writer("fit --overwrite", "run", twice(*fit))
    yield Writer("graph fit", "model", two("graph", "fit", "--iterations", "5", "--out", "model", "--overwrite"))
    yield Writer("data generate", "data", twice("data", "generate", "--nodes", "5000", "--overwrite", "--out", "data"))
    for name in ("data", "data.npz", "data.graphml"):
        title = f"data convert, {Path(name).suffix[1:] or 'folder'}"
        yield Writer(title, name, two("data", "convert", "--overwrite", "--out", name))
    yield Writer("predict --out", "found.csv", twice("predict", "saved", "--out", "found.csv"), [[*run, "saved"]])
    clean = [[bgcn, "edges", "saved", "--fdr", fdr, "--overwrite", "--clean", "clean", "-q"] for fdr in ("0.05", "0.4")]
    yield Writer("edges --clean", "clean", clean, [[*run, "saved"]])
    yield Reproduce(bgcn)
    if python:
        yield Python(python)


def table(tallies):
    header = ("kind", *Tally.FIELDS)
    rows = [[tally.name, *map(str, tally.counts.values())] for tally in tallies]
    rows.append(["all", *(str(sum(tally.counts[field] for tally in tallies)) for field in Tally.FIELDS)])
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]

    def line(row):
        cells = [cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        return f"| {' | '.join(cells)} |"

    rule = "|".join("-" * (width + 1) + ("-" if i == 0 else ":") for i, width in enumerate(widths))
    return "\n".join([line(header), f"|{rule}|", *map(line, rows)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bgcn", default="target/release/bgcn", help="the command [default: %(default)s]")
    parser.add_argument("--kills", type=int, default=300, help="over all kinds [default: %(default)s]")
    parser.add_argument("--seed", type=int, default=0, help="of the moments [default: %(default)s]")
    parser.add_argument("--python", help="an interpreter that has bgcn")
    parser.add_argument("--kind", help="only kinds whose name holds this")
    options = parser.parse_args()
    command = shutil.which(options.bgcn) or parser.error(f"there is no command {options.bgcn}")
    python = options.python and (shutil.which(options.python) or parser.error(f"there is no {options.python}"))
    # Not resolved: an interpreter of a virtual environment is a link, and is known by its place.
    every = list(kinds(os.path.abspath(command), python and os.path.abspath(python)))
    every = [kind for kind in every if (options.kind or "") in kind.kind]
    if not every or options.kills < len(every):
        parser.error(f"nothing to do: {len(every)} kinds, {options.kills} kills")
    rng, tallies = random.Random(options.seed), []
    with tempfile.TemporaryDirectory(prefix="bgcn-kills-") as folder:
        for i, kind in enumerate(every):
            tally = Tally(kind.kind)
            tallies.append(tally)

            def show():
                done = sum(tally.counts["kills"] for tally in tallies)
                bad = sum(tally.bad() for tally in tallies)
                if sys.stderr.isatty():
                    text = f"\r\033[K{done}/{options.kills} {tally.name}: {bad} faults"
                    print(text, end="", file=sys.stderr, flush=True)
                elif tally.counts["kills"] == 0:
                    print(f"{done}/{options.kills} {tally.name}", file=sys.stderr, flush=True)

            count = options.kills * (i + 1) // len(every) - options.kills * i // len(every)
            place = Place(Path(folder) / str(i))
            try:
                kind.prepare(place)
                kind.kills(place, tally, count, rng, show)
            except Fault as fault:
                tally.add("corrupt", f"cannot go on: {fault}")
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    print(table(tallies))
    for tally in tallies:
        for field, example in tally.examples.items():
            print(f"{tally.name}, {field}, first seen: {example}")
    if not python:
        print("Python was left out: --python names an interpreter that has bgcn.")
    return 1 if any(tally.bad() for tally in tallies) else 0


if __name__ == "__main__":
    sys.exit(main())
