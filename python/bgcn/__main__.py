"""The ``bgcn`` command, by its own code; ``python -m bgcn`` is the same."""

from __future__ import annotations

import signal
import sys

from . import _bgcn


def main() -> None:
    """Runs the command with the arguments of the process."""
    # The command ends by Ctrl-C as any program does: its files are written whole or not at all.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_bgcn.command(["bgcn", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
