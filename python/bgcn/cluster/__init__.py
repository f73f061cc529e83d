"""Beyond one machine: the paper's evaluation, or many fits, on a Ray cluster or through joblib.

Ray needs ``pip install 'bgcn[cluster]'`` on every machine. Results are those of one machine, to the byte.
"""

from __future__ import annotations

from ._errors import ClusterError, VersionMismatch
from ._many import Fitted, Job, Predictions, fit_many
from ._reproduce import reproduce

__all__ = ["ClusterError", "Fitted", "Job", "Predictions", "VersionMismatch", "fit_many", "reproduce"]
