"""Golden values of the posterior of the block model: random-walk Metropolis on a graph of 12 nodes.

Run as `python golden/langevin.py > crates/bgcn-core/tests/golden/langevin.json`. Many chains side by side; each quantity's
mean and variance with a Monte Carlo error from the means of the chains, which are independent. Written from the model:
pi_a ~ Dir(alpha + kappa p_a), beta_k ~ Beta(eta, eta), y_ab ~ Bernoulli(delta + sum_k pi_ak pi_bk (beta_k - delta)).
"""

import json
import sys

import numpy as np

N, K, DELTA, ALPHA, ETA = 12, 3, 0.05, 1 / 3, 1.0
CHAINS, BURN, SWEEPS = 200, 1500, 8_000

rng = np.random.default_rng(3)
block = np.arange(N) % K
y = np.zeros((N, N), bool)
for a in range(N):
    for b in range(a + 1, N):
        y[a, b] = y[b, a] = rng.random() < (0.7 if block[a] == block[b] else 0.12)
p = np.float32(rng.dirichlet(np.full(K, 1.0), N) + 0.8 * np.eye(K)[block])
p = np.float32(p / p.sum(1, keepdims=True)).astype(float)
p /= p.sum(1, keepdims=True)


def chances(pi_a, pi, beta):
    """p(y_ab = 1) for one node against all others: [chains, n]."""
    return DELTA + np.einsum("ck,cnk,ck->cn", pi_a, pi, beta - DELTA)


def node_log_likelihood(a, pi_a, pi, beta):
    q = chances(pi_a, pi, beta)
    terms = np.where(y[a], np.log(q), np.log1p(-q))
    terms[:, a] = 0
    return terms.sum(1)


def log_likelihood(pi, beta):
    return sum(node_log_likelihood(a, pi[:, a], pi, beta) for a in range(N)) / 2


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def metropolis(strength):
    """Means and variances of the named quantities with their Monte Carlo errors."""
    shape = ALPHA + strength * p
    x = np.log(np.broadcast_to(p, (CHAINS, N, K)) + 1e-3) + 0.3 * rng.standard_normal((CHAINS, N, K))
    b = rng.standard_normal((CHAINS, K)) - 1
    pi, beta = softmax(x), 1 / (1 + np.exp(-b))
    sums, squares = np.zeros((CHAINS, len(names))), np.zeros((CHAINS, len(names)))
    for sweep in range(BURN + SWEEPS):
        for a in range(N):
            moved_x = x[:, a] + 1.3 * rng.standard_normal((CHAINS, K))
            moved = softmax(moved_x)
            # In log-ratio coordinates the density of Dir(shape) is the product of pi^shape.
            ratio = (shape[a] * (np.log(moved) - np.log(pi[:, a]))).sum(1)
            ratio += node_log_likelihood(a, moved, pi, beta) - node_log_likelihood(a, pi[:, a], pi, beta)
            accept = np.log(rng.random(CHAINS)) < ratio
            x[accept, a], pi[accept, a] = moved_x[accept], moved[accept]
        moved_b = b + 0.5 * rng.standard_normal((CHAINS, K))
        moved = 1 / (1 + np.exp(-moved_b))
        ratio = ETA * (np.log(moved) + np.log1p(-moved) - np.log(beta) - np.log1p(-beta)).sum(1)
        ratio += log_likelihood(pi, moved) - log_likelihood(pi, beta)
        accept = np.log(rng.random(CHAINS)) < ratio
        b[accept], beta[accept] = moved_b[accept], moved[accept]
        x -= x.mean(-1, keepdims=True)
        if sweep >= BURN:
            now = np.stack([*beta.T, pi[:, 0, 0], pi[:, 4, 1], pi[:, 9, 2], log_likelihood(pi, beta)], 1)
            sums += now
            squares += now**2
    means, seconds = sums / SWEEPS, squares / SWEEPS
    grand = means.mean(0)
    error = lambda of: (of.std(0, ddof=1) / np.sqrt(CHAINS)).tolist()
    deviations = seconds - 2 * means * grand + grand**2
    return dict(
        strength=strength, mean=grand.tolist(), mean_error=error(means), variance=deviations.mean(0).tolist(),
        variance_error=error(deviations),
    )  # fmt: skip


names = ["beta_0", "beta_1", "beta_2", "pi_00", "pi_41", "pi_92", "log_likelihood"]
json.dump(
    dict(
        numpy=np.__version__, python=sys.version.split()[0], n=N, k=K, delta=DELTA, alpha=ALPHA, eta=ETA,
        edges=[[int(a), int(c)] for a, c in np.argwhere(np.triu(y))], belief=p.ravel().tolist(), names=names,
        cases=[metropolis(5.0), metropolis(20.0)],
    ),
    sys.stdout,
)  # fmt: skip
print()
