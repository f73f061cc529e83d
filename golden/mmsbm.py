"""Golden values of the block model: gradients and log-likelihood by brute force in float64.

Run as `python golden/mmsbm.py > crates/bgcn/tests/golden/mmsbm.json`. Written from the model's definition
(two nodes pick communities, the picks decide the probability of a link), summing over both picks, not from the Rust code.
"""

import itertools
import json
import sys

import numpy as np


def pair_terms(y, pa, pb, beta, delta):
    """p(y), p(z_a = k | y) [k] and p(z_a = z_b = k | y) [k], by summing over both picks."""
    k = len(beta)
    joint = np.zeros((k, k))
    for i, j in itertools.product(range(k), repeat=2):
        rate = beta[i] if i == j else delta
        joint[i, j] = pa[i] * pb[j] * (rate if y else 1 - rate)
    total = joint.sum()
    return total, joint.sum(1) / total, np.diag(joint) / total


def case(rng, n, k, edges):
    pi = np.float32(rng.dirichlet(np.full(k, 0.5), n) + 1e-3).astype(float)
    pi = np.float32(pi / pi.sum(1, keepdims=True)).astype(float)
    beta, delta = rng.uniform(0.02, 0.5, k), 0.013
    y = np.zeros((n, n), bool)
    while y.sum() < 2 * edges:
        a, b = rng.integers(0, n, 2)
        if a != b:
            y[a, b] = y[b, a] = True
    phi, links, non_links, log_likelihood = np.zeros((n, k)), np.zeros(k), np.zeros(k), 0.0
    for a, b in itertools.permutations(range(n), 2):
        total, pick, both = pair_terms(y[a, b], pi[a], pi[b], beta, delta)
        phi[a] += pick - pi[a]
        if a < b:
            log_likelihood += np.log(total)
            if y[a, b]:
                links += both
            else:
                non_links += both
    return dict(
        n=n,
        k=k,
        edges=[[int(a), int(b)] for a, b in np.argwhere(np.triu(y))],
        pi=pi.ravel().tolist(),
        beta=beta.tolist(),
        delta=delta,
        phi=phi.ravel().tolist(),
        links=links.tolist(),
        non_links=non_links.tolist(),
        log_likelihood=log_likelihood,
    )


rng = np.random.default_rng(4)
cases = [case(rng, 12, 3, 20), case(rng, 20, 7, 40), case(rng, 9, 10, 12), case(rng, 8, 1, 9)]
json.dump(dict(numpy=np.__version__, python=sys.version.split()[0], cases=cases), sys.stdout)
print()
