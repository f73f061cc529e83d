#!/usr/bin/env python3
"""Detection of edges that an attacker added: Cora under metattack, with the published files.

    python3 benches/attacked.py FOLDER [--seeds 5] [--rates 0.05 0.25]

FOLDER holds cora.npz (SparseGraph), cora_meta_adj_RATE.npz (scipy, the largest component after the attack) and
cora_prognn_splits.json (idx_train). Needs the package, scipy and scikit-learn. Prints average precision and precision@100
of the link model and of the baselines, and P(spurious) beside the truth.
"""

import argparse
import itertools
import json
from pathlib import Path

import bgcn
import numpy as np
import scipy.sparse as sp
from sklearn.metrics import average_precision_score

BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def simple(a):
    """The graph of a matrix: symmetric, without loops and weights."""
    a = ((a + a.T) > 0).astype(float).tolil()
    a.setdiag(0)
    return a.tocsr()


def read(folder, rate):
    """The attacked graph, features, labels, and the clean graph."""
    file = np.load(folder / "cora.npz", allow_pickle=True)
    part = lambda name: sp.csr_matrix(  # noqa: E731
        (file[f"{name}_data"], file[f"{name}_indices"], file[f"{name}_indptr"]), file[f"{name}_shape"]
    )
    clean = simple(part("adj"))
    _, component = sp.csgraph.connected_components(clean)
    nodes = np.flatnonzero(component == np.bincount(component).argmax())
    attacked = simple(sp.load_npz(folder / f"cora_meta_adj_{rate}.npz"))
    return attacked, part("attr")[nodes], file["labels"][nodes], clean[nodes][:, nodes]


def baselines(a, x, pairs, p, known):
    """Scores that are large for suspicious edges."""
    i, j = pairs.T
    deg = np.asarray(a.sum(0)).ravel()
    idf = np.log(a.shape[0] / (1 + np.asarray((x > 0).sum(0)).ravel())).clip(0)
    rows = x @ sp.diags(idf)
    norm = np.sqrt(np.asarray(rows.multiply(rows).sum(1)).ravel())
    rows = sp.diags(1 / np.where(norm > 0, norm, 1)) @ rows
    dot = lambda u, v: np.asarray(u.multiply(v).sum(1)).ravel()  # noqa: E731
    common = dot(a[i], a[j])
    return {
        "−p·p": -(p[i] * p[j]).sum(1),
        "−p·p, training labels put in": -(known[i] * known[j]).sum(1),
        "cosine": -dot(rows.tocsr()[i], rows.tocsr()[j]),
        "Jaccard": -common / np.maximum(deg[i] + deg[j] - 2 - common, 1),
        "Adamic–Adar": -dot(a[i] @ sp.diags(1 / np.log(np.maximum(deg, 2))), a[j]),
        "degrees": -(deg[i] - 1) * (deg[j] - 1),
    }


def trial(data, train, preset, seed):
    """Scores by name, P(spurious), and which edges were added."""
    a, x, y, clean = data
    labels = np.full(len(y), -1)
    labels[train] = y[train]
    clf = bgcn.BayesianGCNClassifier(preset=preset, random_state=seed).fit(x, labels, adjacency=a)
    # In random order: ties of the baselines are not to be broken by the link model.
    edges = clf.edges().reset_index().sample(frac=1, random_state=seed)
    pairs = edges[["source", "target"]].to_numpy().astype(int)
    added = np.asarray(clean[pairs[:, 0], pairs[:, 1]]).ravel() == 0
    p = np.array(clf.label_distributions_)
    known = p.copy()
    known[train] = np.eye(p.shape[1])[y[train]]
    rank = -edges["index"].to_numpy().astype(float)
    return {"link model": rank, **baselines(a, x, pairs, p, known)}, edges["p_spurious"].to_numpy(), added


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rates", nargs="+", default=["0.05", "0.25"])
    args = parser.parse_args()
    train = json.loads((args.folder / "cora_prognn_splits.json").read_text())["idx_train"]
    for preset in ("robust", "default"):
        for rate in args.rates:
            data = read(args.folder, rate)
            precision, firsts, claimed, true = {}, {}, [], []
            for seed in range(args.seeds):
                scores, p, added = trial(data, train, preset, seed)
                claimed.append(p)
                true.append(added)
                for name, score in scores.items():
                    precision.setdefault(name, []).append(average_precision_score(added, score))
                    first = np.argsort(-score, kind="stable")[:100]
                    firsts.setdefault(name, []).append(added[first].mean())
            print(f"\npreset {preset}, metattack {rate}: {added.sum()} of {len(added)} edges were added")
            for name, found in precision.items():
                print(f"  {name:30} {np.mean(found):.3f} ± {np.std(found):.3f} ({np.mean(firsts[name]):.2f})")
            p, wrong = np.concatenate(claimed), np.concatenate(true)
            inside = [(p >= low) & (p < high) for low, high in itertools.pairwise(BINS)]
            text = [f"{p[m].mean():.2f}→{wrong[m].mean():.2f} ({m.sum() // args.seeds})" for m in inside if m.any()]
            print("  P(spurious) → added (edges a fit):", ", ".join(text), flush=True)


if __name__ == "__main__":
    main()
