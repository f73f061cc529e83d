#!/usr/bin/env python3
"""Golden values for crates/bgcn-core/src/metrics/wilcoxon.rs, from scipy.

python3 golden/wilcoxon.py > crates/bgcn-core/tests/golden/wilcoxon.json
"""

import json

import numpy as np
import scipy
from scipy.stats import rankdata, wilcoxon

rng = np.random.default_rng(0)
cases = []
for n, shift in [(5, 0.0), (10, 0.5), (25, 0.3), (50, 0.0), (50, 0.4), (50, 2.0), (400, 0.05)]:
    x, y = rng.normal(shift, 1, n), rng.normal(0, 1, n)
    d = x - y
    case = {"x": x.tolist(), "y": y.tolist(), "w_plus": float(rankdata(abs(d))[d > 0].sum())}
    if n <= 50:
        case["exact"] = wilcoxon(x, y, method="exact").pvalue
    else:
        case["normal"] = wilcoxon(x, y, method="asymptotic", correction=False).pvalue
    cases.append(case)
# Ties and zeros with many pairs: the tie-corrected normal approximation.
x, y = rng.integers(0, 10, 500), rng.integers(0, 10, 500)
d = (x - y)[x != y]
cases.append(
    {
        "x": x.tolist(),
        "y": y.tolist(),
        "w_plus": float(rankdata(abs(d))[d > 0].sum()),
        "normal": wilcoxon(x, y, zero_method="wilcox", method="asymptotic", correction=False).pvalue,
    }
)
print(json.dumps({"made_by": "golden/wilcoxon.py", "scipy": scipy.__version__, "cases": cases}))
