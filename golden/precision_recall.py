#!/usr/bin/env python3
"""Golden values for crates/bgcn-core/src/metrics/ranking.rs, from scikit-learn.

python3 golden/precision_recall.py > crates/bgcn-core/tests/golden/precision_recall.json
"""

import json

import numpy as np
import sklearn
from sklearn.metrics import average_precision_score, precision_recall_curve

rng = np.random.default_rng(0)
cases = []
# (cases, share that is positive, distinct scores; None: no ties)
for n, share, levels in [
    (1, 1.0, None),
    (12, 0.5, None),
    (40, 0.2, 5),
    (60, 0.1, None),
    (80, 0.5, 2),
    (30, 0.3, 1),
    (90, 0.9, 12),
]:
    positive = rng.random(n) < share
    positive[rng.integers(n)] = True
    score = rng.normal(positive.astype(float), 1.0)
    if levels is not None:
        score = np.floor(score * levels / 3) if levels > 1 else np.zeros(n)
    precision, recall, _ = precision_recall_curve(positive, score)
    cases.append(
        {
            "score": score.tolist(),
            "positive": positive.tolist(),
            # Highest score first, without the point (0, 1) that is there for drawing alone.
            "precision": precision[-2::-1].tolist(),
            "recall": recall[-2::-1].tolist(),
            "average_precision": float(average_precision_score(positive, score)),
        }
    )
print(json.dumps({"made_by": "golden/precision_recall.py", "sklearn": sklearn.__version__, "cases": cases}))
