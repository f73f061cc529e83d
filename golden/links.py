#!/usr/bin/env python3
"""Golden values for crates/bgcn/src/links, from dense NumPy and SciPy's optimiser.

python3 golden/links.py > crates/bgcn/tests/golden/links.json

Evidence is computed pair by pair on a copy of the graph without the pair's edge; the regression with a floor is
maximised by a general optimiser without the derivatives of the Rust code.
"""

import json

import numpy as np
import scipy
from scipy.optimize import minimize

rng = np.random.default_rng(5)


def evidence():
    n, d, k = 24, 12, 3
    upper = np.triu(rng.random((n, n)) < 0.18, 1)
    upper[3, :] = upper[:, 3] = False  # isolated
    a = (upper | upper.T).astype(float)
    words = (rng.random((n, d)) < 0.35).astype(float)
    words[7] = 0  # without a word
    p = rng.dirichlet(np.full(k, 0.4), n)

    idf = np.maximum(np.log(n / (1 + (words > 0).sum(0))), 0)
    rows = words / np.maximum(words.sum(1, keepdims=True), 1) * idf
    norm = np.linalg.norm(rows, axis=1, keepdims=True)
    x = rows / np.where(norm > 0, norm, 1)

    # B by expectation maximisation, with half a link taken for seen.
    edges = np.argwhere(np.triu(a, 1) > 0)
    share, b = p.mean(0), np.ones((k, k))
    for _ in range(15):
        counts = np.full((k, k), 0.5 / k**2)
        for i, j in edges:
            joint = p[i][:, None] * b * p[j][None, :]
            joint /= joint.sum()
            counts += (joint + joint.T) / 2
        b = counts / counts.sum() / np.outer(share, share)

    pairs = [tuple(map(int, pair)) for pair in edges[:30]]
    pairs += [(0, 3), (7, 9), (1, 20), (4, 17)]
    columns = []
    for i, j in pairs:
        g = a.copy()
        g[i, j] = g[j, i] = 0
        deg = g.sum(1)
        full = a.sum(1)
        near = sum((x[list(np.flatnonzero(g[s]))] @ x[t]).mean() if deg[s] else 0.0 for s, t in ((i, j), (j, i)))
        common = [c for c in range(n) if g[i, c] and g[j, c]]
        adamic = sum(1 / np.log(max(full[c], 2)) for c in common)
        own = np.log(p[i] @ b @ p[j] + 0.01)
        around = sum(
            np.log(p[np.flatnonzero(g[s])].mean(0) @ b @ p[t] + 0.01) if deg[s] else 0.0 for s, t in ((i, j), (j, i))
        )
        small = [np.log1p(deg[i]), np.log1p(deg[j])]
        columns.append([x[i] @ x[j], near, np.log1p(adamic), sum(small), min(small), own, around])
    entries = [[int(j) for j in np.flatnonzero(row)] for row in words]
    return {
        "nodes": n,
        "words": d,
        "classes": k,
        "edges": edges.tolist(),
        "rows": entries,
        "p": p.ravel().tolist(),
        "pairs": pairs,
        "columns": np.array(columns).tolist(),
    }


def tilt():
    n, d = 400, 2
    observed = rng.random(n) < 0.7
    true = observed & (rng.random(n) > 0.25)
    x = rng.normal(0, 1, (n, d)) + true[:, None] * np.array([1.5, -0.5])
    weights = rng.choice([0.5, 1.0], n)
    scale = weights[observed].sum() / weights[~observed].sum()

    def loss(t):
        rho = 1 / (1 + np.exp(-t[-1]))
        odds = scale * (rho + (1 - rho) * np.exp(t[0] + x @ t[1:-1]))
        fit = np.where(observed, np.log(odds / (1 + odds)), -np.log1p(odds))
        return -(weights @ fit) + 0.25 * (t[1:-1] ** 2).sum() - 0.5 * (np.log(rho) + np.log(1 - rho))

    best = minimize(loss, np.zeros(d + 2), method="BFGS", options={"gtol": 1e-9})
    return {
        "x": x.ravel().tolist(),
        "d": d,
        "observed": observed.tolist(),
        "weights": weights.tolist(),
        "w": best.x[:-1].tolist(),
        "rho": float(1 / (1 + np.exp(-best.x[-1]))),
    }


values = {"made_with": f"numpy {np.__version__}, scipy {scipy.__version__}", "evidence": evidence(), "tilt": tilt()}
print(json.dumps(values))
