"""Beyond one machine: the paper's evaluation, many fits, or one fit, on a Ray cluster.

Needs ``pip install 'bgcn[cluster]'`` on every machine. What a trial or a part of a fit is, and how they are put
together, is the library's; who runs them is Ray's. Results are those of one machine, to the byte.
"""

from __future__ import annotations

from ._errors import ClusterError, VersionMismatch
from ._fit import fit
from ._many import Fitted, Job, Predictions, fit_many
from ._reproduce import reproduce

__all__ = ["ClusterError", "Fitted", "Job", "Predictions", "VersionMismatch", "fit", "fit_many", "reproduce"]
