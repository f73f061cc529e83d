"""What can go wrong between machines, and what to do next."""

from __future__ import annotations

import socket
import sys
from typing import Any

from .. import _bgcn


class ClusterError(RuntimeError):
    """Something between the machines: no cluster, no room, a task that is lost again and again."""


class VersionMismatch(ClusterError):  # noqa: N818  # the name that users know
    """Machines with different versions of bgcn."""


def check_version(wanted: str) -> None:
    """Refuses to work for a driver of another version: its results would not be those of one machine."""
    if _bgcn.__version__ != wanted:
        raise VersionMismatch(
            f"node {node()} has bgcn {_bgcn.__version__}, but the driver has {wanted}; install the same version on "
            "every node"
        )


def node() -> str:
    """The node that this process runs on, for messages."""
    ray = sys.modules.get("ray")
    return str(ray.util.get_node_ip_address()) if ray is not None and ray.is_initialized() else socket.gethostname()


def store_full(error: Any, what: str, size: int) -> ClusterError:
    """What to do where the object store has no room."""
    return ClusterError(
        f"the object store has no room for {what}, about {size / 1e6:.0f} MB: {first_line(error)}; start nodes with "
        "a larger --object-store-memory, or free the disk that Ray spills to"
    )


def first_line(error: Any) -> str:
    """The first line of an exception's message."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
