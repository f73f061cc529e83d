"""``python -m bgcn.cluster reproduce … [--address auto|ray://…]``: the command ``bgcn reproduce`` on a Ray cluster."""

from __future__ import annotations

import argparse
import sys

from .. import _bgcn
from ._errors import ClusterError
from ._reproduce import evaluate

USAGE = "python -m bgcn.cluster reproduce WHAT… [options of bgcn reproduce] [--address A] [--cpus-per-trial N]"


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bgcn.cluster",
        usage=USAGE,
        allow_abbrev=False,
        description="The paper's evaluation on a Ray cluster. Every study and option of `bgcn reproduce` is known.",
        epilog="See `bgcn reproduce --help` for the other options.",
    )
    parser.add_argument("command", choices=["reproduce"])
    parser.add_argument(
        "--address", help="auto, HOST:PORT or ray://HOST:PORT; without it, Ray runs on this machine alone"
    )
    parser.add_argument(
        "--cpus-per-trial", type=int, default=1, metavar="N", help="processors of each trial [default: 1]"
    )
    own, words = parser.parse_known_args(arguments)
    if own.cpus_per_trial < 1:
        parser.error("--cpus-per-trial must be 1 or more")
    try:
        evaluation = _bgcn.Evaluation(words)
        as_json, quiet = evaluation.options
        done = evaluate(evaluation, own.address, own.cpus_per_trial)
    except (ValueError, FileNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except (ClusterError, OSError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command goes on from the log", file=sys.stderr)
        return 130
    print(done.found if as_json else done.page, end="\n" if as_json else "")
    if not as_json and not quiet:
        print(done.remark, file=sys.stderr)
    if done.counts.repeated and not quiet:
        print(f"{done.counts.repeated} trials were lost with their workers and run again", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
