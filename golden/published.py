"""Golden values of the updates of phi and theta: ten steps on given batches and, for Langevin dynamics, given noise.

Run as `python golden/published.py > crates/bgcn-core/tests/golden/published.json`. Written from the paper's equations
(theta_update, phi_update with its lost "+ phi", derivatives by their definition), pair by pair. The batches are made
here and injected in the test: nodes, their sampled non-neighbours, the sampled non-edges of theta, normal numbers.
"""

import json
import sys

import numpy as np

ALPHA, ETA, RHO, TAU, KAPPA, DELTA = 1.0, 1.0, 0.001, 1024.0, 0.5, 1e-4


def log_p(y, pa, pb, beta):
    """log p(y_ab | pi_a, pi_b, beta), summed over both nodes' picks."""
    k = len(beta)
    rates = np.full((k, k), DELTA)
    np.fill_diagonal(rates, beta)
    chances = rates if y else 1 - rates
    return float(np.log(pa @ chances @ pb))


def derivative(f, x, i):
    """df/dx_i by a complex step would need complex logs; a five-point difference in float64 is exact to 1e-10."""
    h = 1e-3 * x[i]

    def at(s):
        moved = x.copy()
        moved[i] += s * h
        return f(moved)

    return (at(-2) - 8 * at(-1) + 8 * at(1) - at(2)) / (12 * h)


def g_phi(y, phi_a, phi_b, theta):
    """The gradient with respect to phi_a [k], closed form: f(k) / (Z phi) - 1 / sum phi."""
    pa, pb, beta = phi_a / phi_a.sum(), phi_b / phi_b.sum(), theta[:, 1] / theta.sum(1)
    b, d = (beta, DELTA) if y else (1 - beta, 1 - DELTA)
    f = pa * (b * pb + d * (1 - pb))
    return f / (f.sum() * phi_a) - 1 / phi_a.sum()


def g_theta(y, phi_a, phi_b, theta):
    """The gradient with respect to theta [k, 2]."""
    pa, pb, beta = phi_a / phi_a.sum(), phi_b / phi_b.sum(), theta[:, 1] / theta.sum(1)
    b, d = (beta, DELTA) if y else (1 - beta, 1 - DELTA)
    z = (pa * (b * pb + d * (1 - pb))).sum()
    both = b * pa * pb / z
    out = np.repeat((-both / theta.sum(1))[:, None], 2, axis=1)
    out[:, 1 if y else 0] += both / theta[:, 1 if y else 0]
    return out


def check_gradients(phi, theta):
    """The closed forms against differences of log_p."""
    for y in (0, 1):
        f = lambda row, y=y: log_p(y, row / row.sum(), phi[1] / phi[1].sum(), theta[:, 1] / theta.sum(1))
        for i in range(phi.shape[1]):
            wanted = derivative(f, phi[0], i)
            assert abs(g_phi(y, phi[0], phi[1], theta)[i] - wanted) < 1e-7 * max(1, abs(wanted)), (y, i)
        for k in range(len(theta)):
            for j in (0, 1):

                def of(row, k=k, y=y):
                    moved = theta.copy()
                    moved[k] = row
                    return log_p(y, phi[0] / phi[0].sum(), phi[1] / phi[1].sum(), moved[:, 1] / moved.sum(1))

                wanted = derivative(of, theta[k], j)
                assert abs(g_theta(y, phi[0], phi[1], theta)[k, j] - wanted) < 1e-7 * max(1, abs(wanted)), (y, k, j)


def case(rng, n, k, edges, batch, share, eps_0, first_step, phi_sum, theta_sum, langevin=None):
    """Ascent, or with langevin = (strength, step) a step of the chain: row sums and rates then follow from the step."""
    y = np.zeros((n, n), bool)
    while y.sum() < 2 * edges:
        a, b = rng.integers(0, n, 2)
        if a != b and (a % k == b % k or rng.random() < 0.2):
            y[a, b] = y[b, a] = True
    belief = np.float32(rng.dirichlet(np.full(k, 1.0), n) + 0.6 * np.eye(k)[np.arange(n) % k])
    belief = np.float32(belief / belief.sum(1, keepdims=True))
    label = belief.argmax(1)
    beta = np.array([y[np.ix_(label == c, label == c)].sum() / ((label == c).sum() ** 2 + 1) for c in range(k)])
    pi = belief.astype(float) / belief.astype(float).sum(1, keepdims=True)
    alpha = ALPHA
    if langevin:
        strength, step = langevin
        alpha = 1 / k
        scale = eps_0 * (first_step + TAU) ** -KAPPA / (2 * step)
        pull = np.abs((beta - DELTA) * pi.sum(0)).max()
        phi_sum = (scale * (k * alpha + strength + y.sum(1) + pull))[:, None]
        theta_sum = (scale * (2 * ETA + pi.sum(0) ** 2 / 2))[:, None]
        shape, rates = alpha + strength * pi, (k * alpha + strength) / phi_sum
        theta_rates = 2 * ETA / theta_sum
    phi = pi * phi_sum
    theta = theta_sum * np.stack([1 - beta, beta], 1)
    check_gradients(phi, theta)
    non_edges = np.argwhere(np.triu(~y, 1))
    steps, states = [], []
    for t in range(10):
        eps = eps_0 * (first_step + t + TAU) ** -KAPPA
        nodes = rng.choice(n, batch, replace=False)
        others = []
        moved, noise = phi.copy(), []
        for a in nodes:
            free = np.flatnonzero(~y[a])
            free = free[free != a]
            sampled = rng.choice(free, batch - y[a].sum(), replace=False)
            others.append([int(b) for b in sampled])
            scale = (n - 1 - y[a].sum()) / (batch - y[a].sum())
            total = sum(g_phi(1, phi[a], phi[b], theta) for b in np.flatnonzero(y[a]))
            total = total + scale * sum(g_phi(0, phi[a], phi[b], theta) for b in sampled)
            if langevin:
                xi = rng.standard_normal(k)
                noise += xi.tolist()
                drift = eps / 2 * (shape[a] - rates[a] * phi[a] + phi[a] * total)
                moved[a] = np.abs(phi[a] + drift + np.sqrt(eps * phi[a]) * xi)
            else:
                moved[a] = np.abs(phi[a] + eps * (alpha - 1 - RHO * phi[a] + phi[a] * total))
        phi = moved
        count = int(share * len(non_edges))
        picked = non_edges[rng.integers(0, len(non_edges), count)]
        total = sum(g_theta(1, phi[a], phi[b], theta) for a, b in np.argwhere(np.triu(y)))
        total = total + len(non_edges) / count * sum(g_theta(0, phi[a], phi[b], theta) for a, b in picked)
        if langevin:
            xi = rng.standard_normal((k, 2))
            noise += xi.ravel().tolist()
            drift = eps / 2 * (ETA - theta_rates * theta + theta * total)
            theta = np.abs(theta + drift + np.sqrt(eps * theta) * xi)
        else:
            theta = np.abs(theta + eps * (ETA - 1 - RHO * theta + theta * total))
        steps.append(dict(nodes=nodes.tolist(), others=others, non_edges=picked.tolist(), noise=noise))
        if t in (0, 9):
            states.append(dict(steps=t + 1, phi=phi.ravel().tolist(), theta=theta.ravel().tolist()))
    return dict(
        n=n, k=k, batch=batch, share=share, eps_0=eps_0, first_step=first_step, langevin=langevin,
        phi_sum=None if langevin else phi_sum, theta_sum=None if langevin else theta_sum,
        edges=[[int(a), int(b)] for a, b in np.argwhere(np.triu(y))], belief=belief.ravel().tolist(), steps=steps,
        states=states,
    )  # fmt: skip


rng = np.random.default_rng(7)
cases = [
    case(rng, 60, 3, 110, 20, 0.05, 0.5, 10_000, 4.0, 7000.0),  # an inference of the authors' code
    case(rng, 90, 7, 160, 25, 0.04, 0.5, 10_000, 4.0, 7000.0),
    case(rng, 60, 4, 110, 20, 0.05, 5.0, 0, 30.0, 4000.0),  # steps of its first run
    case(rng, 60, 3, 110, 20, 0.05, 1.0, 0, None, None, langevin=(20.0, 0.05)),  # a chain of samples
]
json.dump(dict(numpy=np.__version__, python=sys.version.split()[0], delta=DELTA, cases=cases), sys.stdout)
print()
