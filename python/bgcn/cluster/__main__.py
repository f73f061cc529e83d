"""``python -m bgcn.cluster reproduce … [--address auto|ray://…]``: the command ``bgcn reproduce`` on a cluster."""

from __future__ import annotations

import argparse
import sys

from .. import _bgcn
from ._errors import ClusterError
from ._reproduce import Where, evaluate

USAGE = "python -m bgcn.cluster reproduce WHAT… [options of bgcn reproduce] [--address A | --backend joblib]"


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bgcn.cluster",
        usage=USAGE,
        allow_abbrev=False,
        description="The paper's evaluation on a cluster, with every study and option of `bgcn reproduce`.",
        epilog="See `bgcn reproduce --help` for the other options.",
    )
    parser.add_argument("command", choices=["reproduce"])
    parser.add_argument("--backend", choices=["ray", "joblib"], default="ray", help="runs the shards [default: ray]")
    parser.add_argument(
        "--address", help="auto, HOST:PORT or ray://HOST:PORT; without it, Ray runs on this machine alone"
    )
    parser.add_argument("--n-jobs", type=int, metavar="N", help="processes of joblib [default: one per core]")
    parser.add_argument(
        "--cpus-per-shard", type=int, default=1, metavar="N", help="processors of each shard [default: 1]"
    )
    own, words = parser.parse_known_args(arguments)
    if own.cpus_per_shard < 1:
        parser.error("--cpus-per-shard must be 1 or more")
    try:
        counts = evaluate(words, Where(own.backend, own.address, own.n_jobs, own.cpus_per_shard))
    except (ValueError, FileNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except (ClusterError, OSError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command goes on from the log", file=sys.stderr)
        return 130
    if not counts.quiet:
        again = f"; {counts.repeated} shards were lost with their workers and run again" if counts.repeated else ""
        print(f"{counts.trials} trials run in shards{again}", file=sys.stderr)
    # The tables: every trial is in the log.
    return _bgcn.command(["bgcn", "reproduce", *words])


if __name__ == "__main__":
    sys.exit(main())
