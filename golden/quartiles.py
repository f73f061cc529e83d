#!/usr/bin/env python3
"""Golden values for crates/bgcn-experiments/src/attack/spread.rs, from numpy.

python3 golden/quartiles.py > crates/bgcn-experiments/tests/golden/quartiles.json
"""

import json

import numpy as np

rng = np.random.default_rng(0)
cases = []
for n in [1, 2, 3, 4, 5, 6, 7, 8, 39, 40]:
    values = rng.uniform(-1, 1, n)
    spread = [*np.quantile(values, [0, 0.25, 0.5, 0.75, 1]), values.mean()]
    cases.append({"values": values.tolist(), "spread": [float(x) for x in spread]})
ties = [0.5, 0.5, 0.5, -0.25, 1.0, 1.0]
cases.append(
    {"values": ties, "spread": [*map(float, np.quantile(ties, [0, 0.25, 0.5, 0.75, 1])), float(np.mean(ties))]}
)
print(json.dumps({"made_by": "golden/quartiles.py", "numpy": np.__version__, "cases": cases}))
