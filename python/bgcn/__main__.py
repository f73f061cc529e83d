"""``python -m bgcn`` is the ``bgcn`` command."""

from ._command import main

main()
