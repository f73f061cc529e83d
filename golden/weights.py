"""Golden values of the posterior of weights: random-walk Metropolis on a small logistic problem.

Run as `python golden/weights.py > crates/bgcn/tests/golden/weights.json`. U(w) = labels * (mean cross entropy +
penalty/2 |w|^2); many chains side by side, Monte Carlo errors from the means of the chains. Quantities: each weight,
and the probability of class 1 for the first row.
"""

import json
import sys

import numpy as np

rng = np.random.default_rng(5)
N, D, PENALTY, CHAINS, BURN, STEPS = 30, 3, 0.02, 1000, 2000, 20_000
x = np.float32(rng.standard_normal((N, D)) * [1.0, 0.6, 1.5]).astype(float)
y = (rng.random(N) < 1 / (1 + np.exp(-x @ [1.0, -1.0, 0.5]))).astype(float)


def energy(w):
    z = w @ x.T
    return (np.logaddexp(0, z) - y * z).sum(1) + N * PENALTY / 2 * (w**2).sum(1)


w = rng.standard_normal((CHAINS, D))
now = energy(w)
sums, squares = np.zeros((CHAINS, D + 1)), np.zeros((CHAINS, D + 1))
for step in range(BURN + STEPS):
    moved = w + 0.55 * rng.standard_normal((CHAINS, D)) * [1.0, 1.5, 0.7]
    then = energy(moved)
    accept = np.log(rng.random(CHAINS)) < now - then
    w[accept], now[accept] = moved[accept], then[accept]
    if step >= BURN:
        q = np.column_stack([w, 1 / (1 + np.exp(-w @ x[0]))])
        sums += q
        squares += q**2
means, seconds = sums / STEPS, squares / STEPS
grand = means.mean(0)
deviations = seconds - 2 * means * grand + grand**2
error = lambda of: (of.std(0, ddof=1) / np.sqrt(CHAINS)).tolist()
json.dump(
    dict(
        numpy=np.__version__, python=sys.version.split()[0], x=x.tolist(), y=y.tolist(), penalty=PENALTY,
        mean=grand.tolist(), mean_error=error(means), variance=deviations.mean(0).tolist(),
        variance_error=error(deviations),
    ),
    sys.stdout,
)  # fmt: skip
print()
