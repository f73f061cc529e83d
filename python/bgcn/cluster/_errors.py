"""What can go wrong between machines, said so that a person knows what to do next."""

from __future__ import annotations

from typing import Any

from .. import _bgcn


class ClusterError(RuntimeError):
    """Something between the machines: no cluster, no room, a task that is lost again and again."""


class VersionMismatch(ClusterError):  # noqa: N818  # what it is, as people say it
    """Machines with different versions of bgcn."""


def check_version(wanted: str) -> None:
    """Refuses to work for a driver of another version: its results would not be those of one machine."""
    if _bgcn.__version__ != wanted:
        raise VersionMismatch(
            f"node {node()} has bgcn {_bgcn.__version__}, but the driver has {wanted}; install the same version on "
            "every node"
        )


def node() -> str:
    """The address of the node that this process runs on, for messages."""
    import ray

    return str(ray.util.get_node_ip_address())


def store_full(error: Any, what: str, size: int) -> ClusterError:
    """What to do where the object store has no room."""
    return ClusterError(
        f"the object store has no room for {what}, about {size / 1e6:.0f} MB: {first_line(error)}; start nodes with "
        "a larger --object-store-memory, or free the disk that Ray spills to"
    )


def first_line(error: Any) -> str:
    """What an exception says first."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
