"""Golden values of sbm, dcsbm and mmsb: one step of inference by brute force over all pairs in float64.

Run as `python golden/blocks.py > crates/bgcn-core/tests/golden/blocks.json`. Written from the models' definitions: every pair of nodes is
visited and, for mmsb, both nodes' picks are summed over. Nothing is expanded, and no sum is taken apart.
"""

import itertools
import json
import sys

import numpy as np

KAPPA, DAMPING, PSEUDO, DEGREE_PRIOR = 1.5, 0.5, 0.75, 0.5


def closed_form(n, k, y, q, theta):
    """(L + c rho) / (P + c) for labels with probabilities q, and rho."""
    links, pairs = np.zeros((k, k)), np.zeros((k, k))
    for a, b in itertools.permutations(range(n), 2):
        for i, l in itertools.product(range(k), repeat=2):
            weight = q[a, i] * q[b, l] * (0.5 if i == l else 1.0)
            links[i, l] += weight * y[a, b]
            pairs[i, l] += weight * theta[a] * theta[b]
    upper = np.triu_indices(k)
    rho = links[upper].sum() / pairs[upper].sum()
    return (links + PSEUDO * rho) / (pairs + PSEUDO), rho


def log_pair(poisson, y, rate):
    if poisson:  # y is 0 or 1, so its factorial is 1
        return y * np.log(rate) - rate
    return np.log(rate) if y else np.log(1 - rate)


def bound(poisson, n, k, y, p, q, theta, b, rho):
    total = sum(
        q[a, i] * q[c, l] * log_pair(poisson, y[a, c], theta[a] * theta[c] * b[i, l])
        for a, c in itertools.combinations(range(n), 2)
        for i, l in itertools.product(range(k), repeat=2)
    )
    total += (q * (KAPPA * np.log(p) - np.log(q))).sum()
    for i, l in itertools.combinations_with_replacement(range(k), 2):
        if poisson:
            total += PSEUDO * (rho * np.log(b[i, l]) - b[i, l])
        else:
            total += PSEUDO * (rho * np.log(b[i, l]) + (1 - rho) * np.log(1 - b[i, l]))
    return total


def labels_case(poisson, n, k, y, p):
    degree = y.sum(1)
    theta = (degree + DEGREE_PRIOR) / (degree.mean() + DEGREE_PRIOR) if poisson else np.ones(n)
    b, rho = closed_form(n, k, y, np.eye(k)[p.argmax(1)], theta)
    start, q = b, p.copy()
    before = bound(poisson, n, k, y, p, q, theta, b, rho)
    for a in range(n):
        score = KAPPA * np.log(p[a])
        for c in (c for c in range(n) if c != a):
            for i, l in itertools.product(range(k), repeat=2):
                score[i] += q[c, l] * log_pair(poisson, y[a, c], theta[a] * theta[c] * b[i, l])
        best = np.exp(score - score.max())
        row = q[a] ** (1 - DAMPING) * (best / best.sum()) ** DAMPING
        q[a] = row / row.sum()
    b, _ = closed_form(n, k, y, q, theta)
    gain = bound(poisson, n, k, y, p, q, theta, b, rho) - before
    return dict(start=start.ravel().tolist(), q=q.ravel().tolist(), b=b.ravel().tolist(), gain=gain)


def mixed_case(n, k, y, p):
    b, rho = closed_form(n, k, y, np.eye(k)[p.argmax(1)], np.ones(n))
    pi, phi, log_likelihood = p, np.zeros((n, k)), 0.0
    links, pairs = np.zeros((k, k)), np.zeros((k, k))
    for a, c in itertools.permutations(range(n), 2):
        joint = np.outer(pi[a], pi[c]) * (b if y[a, c] else 1 - b)  # p(both picks, y)
        total = joint.sum()
        phi[a] += joint.sum(1) / total - pi[a]
        for i, l in itertools.product(range(k), repeat=2):
            weight = joint[i, l] / total * (0.5 if i == l else 1.0)
            links[i, l] += weight * y[a, c]
            pairs[i, l] += weight
        log_likelihood += 0.5 * np.log(total)
    pull = np.ptp(b @ pi.sum(0))
    rate = DAMPING / (KAPPA + y.sum(1) + max(pull, 1.0))
    moved = np.abs(pi + rate[:, None] * (KAPPA * (p - pi) + phi))
    moved /= moved.sum(1, keepdims=True)
    new = (links + PSEUDO * rho) / (pairs + PSEUDO)
    return dict(
        phi=phi.ravel().tolist(), pi=moved.ravel().tolist(), b=new.ravel().tolist(), log_likelihood=log_likelihood
    )


def case(rng, n, k, edges):
    p = np.float32(rng.dirichlet(np.full(k, 0.8), n) + 1e-2).astype(float)
    p = np.float32(p / p.sum(1, keepdims=True)).astype(float)
    y = np.zeros((n, n), int)
    while y.sum() < 2 * edges:
        a, b = rng.integers(0, n - 1, 2)  # the last node is alone
        if a != b:
            y[a, b] = y[b, a] = 1
    return dict(
        n=n,
        k=k,
        edges=[[int(a), int(b)] for a, b in np.argwhere(np.triu(y))],
        p=p.ravel().tolist(),
        sbm=labels_case(False, n, k, y, p),
        dcsbm=labels_case(True, n, k, y, p),
        mmsb=mixed_case(n, k, y, p),
    )


rng = np.random.default_rng(6)
cases = [case(rng, 12, 3, 20), case(rng, 15, 5, 24), case(rng, 7, 1, 8)]
settings = dict(prior_strength=KAPPA, damping=DAMPING, block_prior=PSEUDO, degree_prior=DEGREE_PRIOR)
json.dump(dict(numpy=np.__version__, python=sys.version.split()[0], settings=settings, cases=cases), sys.stdout)
print()
