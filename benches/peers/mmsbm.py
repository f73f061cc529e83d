"""The published minibatch inference of the block model in vectorised NumPy, timed for comparison with bgcn.

`python benches/peers/mmsbm.py [--nodes 2708 --edges 5278 --communities 7 --iterations 200]` prints one JSON line. bgcn on a graph
of the same size: `cargo bench -p bgcn --bench mmsbm -- cora-size`. A planted graph of Cora's size, one thread, float32
like bgcn; whole batches are single array operations.
"""

import argparse
import json
import os
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np  # noqa: E402  (after the number of threads is set)


def planted(rng, n, edges, k):
    """An edge list with four fifths of the edges inside k communities, and the communities."""
    label = np.arange(n) * k // n
    pairs = set()
    while len(pairs) < edges:
        a, b = rng.integers(0, n, 2)
        if a != b and (label[a] == label[b] or rng.random() < 0.03):
            pairs.add((min(a, b), max(a, b)))
    return np.array(sorted(pairs)), label


class Minibatch:
    def __init__(self, rng, n, pairs, label, k, delta=1e-4, batch=500):
        self.rng, self.n, self.k, self.delta, self.batch = rng, n, k, np.float32(delta), min(batch, n)
        self.pairs = pairs
        self.neighbours = [[] for _ in range(n)]
        for a, b in pairs:
            self.neighbours[a].append(b)
            self.neighbours[b].append(a)
        self.adjacent = np.zeros((n, n), bool)
        self.adjacent[pairs[:, 0], pairs[:, 1]] = self.adjacent[pairs[:, 1], pairs[:, 0]] = True
        np.fill_diagonal(self.adjacent, True)
        self.degree = self.adjacent.sum(1) - 1
        pi = np.full((n, k), 0.1 / k, np.float32)
        pi[np.arange(n), label] += 0.9
        self.phi = 4 * pi
        beta = np.array([2 * (label[pairs] == i).all(1).sum() / ((label == i).sum() ** 2 + 1) for i in range(k)])
        self.theta = 7000 * np.stack([1 - beta, beta], 1)

    def responsibilities(self, y, pa, pb, beta):
        """f(k)/Z and f(k,k)/Z for pairs with y [...], memberships [..., k]."""
        y = y[..., None]
        same = np.where(y, beta, 1 - beta)
        other = np.where(y, self.delta, 1 - self.delta)
        both = pa * pb * same
        f = both + pa * other * (1 - pb)
        z = f.sum(-1, keepdims=True)
        return f / z, both / z

    def step(self, t):
        rng, n = self.rng, self.n
        eps = np.float32((t + 1024.0) ** -0.5)
        pi = self.phi / self.phi.sum(1, keepdims=True)
        beta = (self.theta[:, 1] / self.theta.sum(1)).astype(np.float32)
        # phi: all neighbours and n − |N(a)| non-neighbours of each sampled node.
        nodes = rng.choice(n, self.batch, replace=False)
        others = rng.integers(0, n, (self.batch, self.batch))
        wrong = self.adjacent[nodes[:, None], others]
        while wrong.any():
            others[wrong] = rng.integers(0, n, wrong.sum())
            wrong = self.adjacent[nodes[:, None], others]
        degree = np.minimum(self.degree[nodes], self.batch - 1)
        linked = np.arange(self.batch) < degree[:, None]
        others[linked] = np.concatenate([self.neighbours[a][:d] for a, d in zip(nodes, degree)])
        pa = pi[nodes]
        pick, _ = self.responsibilities(linked, pa[:, None], pi[others], beta)
        weight = np.where(linked, 1, ((n - 1 - degree) / (self.batch - degree))[:, None]).astype(np.float32)
        g = np.einsum("ab,abk->ak", weight, pick) - weight.sum(1, keepdims=True) * pa
        # theta: all edges and 1 % of the non-edges times 100.
        a, b = self.pairs.T
        _, links = self.responsibilities(np.ones(len(a), bool), pi[a], pi[b], beta)
        count = (n * (n - 1) // 2 - len(a)) // 100
        a, b = rng.integers(0, n, (2, count + count // 50))
        keep = ~self.adjacent[a, b]
        _, non_links = self.responsibilities(np.zeros(keep.sum(), bool), pi[a[keep]], pi[b[keep]], beta)
        links, non_links = links.sum(0), 100 * non_links.sum(0)
        self.phi[nodes] = np.abs(self.phi[nodes] + eps * (-0.001 * self.phi[nodes] + g))
        up = links - beta * (links + non_links)
        self.theta = np.abs(self.theta + eps * (-0.001 * self.theta + np.stack([-up, up], 1)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=2708)
    parser.add_argument("--edges", type=int, default=5278)
    parser.add_argument("--communities", type=int, default=7)
    parser.add_argument("--iterations", type=int, default=200)
    args = parser.parse_args()
    rng = np.random.default_rng(1)
    pairs, label = planted(rng, args.nodes, args.edges, args.communities)
    model = Minibatch(rng, args.nodes, pairs, label, args.communities)
    for t in range(3):
        model.step(t)
    wall, cpu = time.perf_counter(), time.process_time()
    for t in range(args.iterations):
        model.step(t)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    found = (model.phi.argmax(1) == label).mean()
    print(
        json.dumps(
            dict(
                numpy=np.__version__,
                **vars(args),
                seconds=wall,
                cpu_seconds=cpu,
                cpu_us_per_iteration=1e6 * cpu / args.iterations,
                kept_labels=found,
            )
        )
    )


main()
