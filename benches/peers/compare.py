"""Accuracy, calibration and time of PyG, scikit-network, scikit-learn and bgcn on the same splits.

python benches/peers/compare.py [--datasets cora citeseer pubmed] [--labels 5 20] [--seeds 100-109]
    [--methods pyg-gcn …] [--json FILE] [--threads N]

See README.md beside this file.
"""

import argparse
import json
import os
import pathlib
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from functools import partial
from importlib import metadata
from typing import Any, NamedTuple

import bgcn
import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
from scipy.stats import wilcoxon
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize
from sklearn.semi_supervised import LabelSpreading
from sknetwork.classification import DiffusionClassifier, Propagation
from sknetwork.gnn import GNNClassifier
from threadpoolctl import threadpool_limits
from torch import nn
from torch_geometric.nn import APPNP, GCNConv

EPOCHS = 200
BINS = 15
Trial = dict[str, Any]


class Inputs(NamedTuple):
    """All that a method may see of a dataset, in the form that each library wants. It holds no labels."""

    classes: int
    adjacency: sp.csr_matrix
    features: sp.csr_matrix  # as they were loaded
    sum_one: sp.csr_matrix  # each row sums to 1
    length_one: sp.csr_matrix  # each row has length 1
    x: torch.Tensor  # [n, d], sparse, each row sums to 1
    edge_index: torch.Tensor


class Answer(NamedTuple):
    """Labels of all nodes (-1: no answer), and probabilities [n, c] where the method has them."""

    labels: np.ndarray
    probabilities: np.ndarray | None


# A method gets the inputs, the known labels (-1 for all but the training nodes) and a seed.
Run = Callable[[Inputs, np.ndarray, int], Answer]


def inputs_of(data: Any) -> Inputs:
    # scikit-network asks for the type csr_matrix itself: it refuses a csr_array.
    adjacency = sp.csr_matrix(data.adjacency)
    features = sp.csr_matrix(data.features, dtype=np.float32, copy=True)
    features.eliminate_zeros()
    sum_one = normalize(features, "l1")
    edge_index = torch.tensor(np.array(adjacency.nonzero()), dtype=torch.long)
    places = torch.tensor(np.array(sum_one.nonzero()), dtype=torch.long)
    x = torch.sparse_coo_tensor(places, torch.tensor(sum_one.data), sum_one.shape).coalesce()
    return Inputs(len(data.class_names), adjacency, features, sum_one, normalize(features, "l2"), x, edge_index)


def drop(x: torch.Tensor, training: bool) -> torch.Tensor:
    """Dropout of a sparse matrix. What is 0 stays 0, so only stored values need chance: far faster than dense rows."""
    values = F.dropout(x.values(), 0.5, training)
    return torch.sparse_coo_tensor(x.indices(), values, x.shape, is_coalesced=True)


class PygGcn(nn.Module):
    """Kipf and Welling's network: 16 hidden units, weight decay on the first layer."""

    decay = 5e-4

    def __init__(self, d: int, c: int) -> None:
        super().__init__()
        self.one, self.two = GCNConv(d, 16, cached=True), GCNConv(16, c, cached=True)

    def forward(self, x: torch.Tensor, edge_index: torch.Tensor) -> torch.Tensor:
        h = F.relu(self.one(drop(x, self.training), edge_index))
        return self.two(F.dropout(h, 0.5, self.training), edge_index)


class PygAppnp(nn.Module):
    """Klicpera et al.'s network as PyG's citation benchmark has it, with the weight decay of the paper."""

    decay = 5e-3

    def __init__(self, d: int, c: int) -> None:
        super().__init__()
        self.one, self.two = nn.Linear(d, 64), nn.Linear(64, c)
        self.propagate = APPNP(K=10, alpha=0.1, cached=True)

    def forward(self, x: torch.Tensor, edge_index: torch.Tensor) -> torch.Tensor:
        h = F.relu(self.one(drop(x, self.training)))
        return self.propagate(self.two(F.dropout(h, 0.5, self.training)), edge_index)


def pyg(make: type[PygGcn | PygAppnp], inputs: Inputs, known: np.ndarray, seed: int) -> Answer:
    torch.manual_seed(seed)
    model = make(inputs.x.shape[1], inputs.classes)
    first, rest = model.one.parameters(), model.two.parameters()
    adam = torch.optim.Adam([dict(params=first, weight_decay=model.decay), dict(params=rest)], lr=0.01)
    train = torch.tensor(np.flatnonzero(known >= 0))
    y = torch.tensor(known)[train]
    model.train()
    for _ in range(EPOCHS):
        adam.zero_grad()
        F.cross_entropy(model(inputs.x, inputs.edge_index)[train], y).backward()
        adam.step()
    model.eval()
    with torch.no_grad():
        p = model(inputs.x, inputs.edge_index).softmax(1).numpy()
    return Answer(p.argmax(1), p)


def sknetwork_gnn(inputs: Inputs, known: np.ndarray, seed: int) -> Answer:
    """Its defaults with one hidden layer and 200 epochs, as in its tutorial. It has no dropout and no weight decay."""
    gnn = GNNClassifier(dims=[16, inputs.classes], early_stopping=False)
    labels = gnn.fit_predict(inputs.adjacency, inputs.sum_one, known, n_epochs=EPOCHS, random_state=seed)
    return Answer(labels, gnn.predict_proba())


def sknetwork_votes(make: type[Propagation | DiffusionClassifier], inputs: Inputs, known: np.ndarray, _: int) -> Answer:
    """Its defaults. Uses the graph alone; a node that no label reaches gets -1 and a row of zeros."""
    votes = make()
    labels = votes.fit_predict(inputs.adjacency, known)
    return Answer(labels, votes.predict_proba())


def spreading_on_features(alpha: float, inputs: Inputs, known: np.ndarray, _: int) -> Answer:
    """As it is used: it cannot read a graph, so it builds one of the 7 nearest neighbours by features.

    Rows have length 1, which suits words. Nodes without features (CiteSeer has some, all unlabelled) are left out:
    they would be everyone's nearest neighbours.
    """
    full = np.flatnonzero(np.diff(inputs.features.indptr))
    method = LabelSpreading(kernel="knn", n_neighbors=7, alpha=alpha, n_jobs=torch.get_num_threads())
    method.fit(inputs.length_one[full], known[full])
    labels, p = np.full(len(known), -1), np.zeros((len(known), inputs.classes))
    labels[full], p[full] = method.transduction_, method.label_distributions_
    return Answer(labels, p)


def spreading_on_graph(alpha: float, inputs: Inputs, known: np.ndarray, _: int) -> Answer:
    """A kernel that answers with the adjacency, whatever it is asked, makes it read the graph. Features are unused."""
    method = LabelSpreading(kernel=lambda *_: inputs.adjacency, alpha=alpha).fit(inputs.adjacency, known)
    return Answer(method.transduction_, method.label_distributions_)


def ours(graph_model: str, inputs: Inputs, known: np.ndarray, seed: int) -> Answer:
    classifier = bgcn.BayesianGCNClassifier(
        network="gcn", graph_model=graph_model, random_state=seed, n_jobs=torch.get_num_threads()
    )
    classifier.fit(inputs.features, known, adjacency=inputs.adjacency)
    return Answer(classifier.transduction_, classifier.label_distributions_)


class Method(NamedTuple):
    name: str
    package: str
    run: Run


OURS = "bgcn-gcn+copying"
METHODS = {
    "pyg-gcn": Method("PyG GCN", "torch-geometric", partial(pyg, PygGcn)),
    "pyg-appnp": Method("PyG APPNP", "torch-geometric", partial(pyg, PygAppnp)),
    "sknetwork-gnn": Method("scikit-network GNNClassifier", "scikit-network", sknetwork_gnn),
    "sknetwork-propagation": Method(
        "scikit-network Propagation", "scikit-network", partial(sknetwork_votes, Propagation)
    ),
    "sknetwork-diffusion": Method(
        "scikit-network DiffusionClassifier", "scikit-network", partial(sknetwork_votes, DiffusionClassifier)
    ),
    "spreading": Method("LabelSpreading, 7 neighbours", "scikit-learn", partial(spreading_on_features, 0.2)),
    "spreading-0.99": Method(
        "LabelSpreading, 7 neighbours, α = 0.99", "scikit-learn", partial(spreading_on_features, 0.99)
    ),
    "spreading-graph": Method("LabelSpreading on the graph", "scikit-learn", partial(spreading_on_graph, 0.2)),
    "spreading-graph-0.99": Method(
        "LabelSpreading on the graph, α = 0.99", "scikit-learn", partial(spreading_on_graph, 0.99)
    ),
    "bgcn-gcn": Method("bgcn gcn", "bgcn", partial(ours, "observed")),
    OURS: Method("bgcn gcn+copying", "bgcn", partial(ours, "copying")),
    "bgcn-gcn+auto": Method("bgcn gcn+auto", "bgcn", partial(ours, "auto")),
}


def calibration_error(confidence: np.ndarray, right: np.ndarray) -> float:
    """Mean distance of confidence and accuracy over bins of equal width, each with its upper edge."""
    bins = np.clip(np.ceil(confidence * BINS), 1, BINS).astype(int)
    gaps = np.bincount(bins, confidence) - np.bincount(bins, right)
    return float(np.abs(gaps).sum() / len(right))


def measure(run: Run, inputs: Inputs, labels: np.ndarray, split: Any, seed: int) -> Trial:
    """One trial: the predictions of `run` for the test nodes, given the labels of the training nodes alone."""
    known = np.full(len(labels), -1)
    known[split.train] = labels[split.train]
    start = time.perf_counter()
    answer = run(inputs, known, seed)
    seconds = time.perf_counter() - start
    right = np.asarray(answer.labels)[split.test] == labels[split.test]
    trial: Trial = dict(right=int(right.sum()), tested=len(right), seconds=seconds, ece=None)
    if answer.probabilities is not None:
        p = np.asarray(answer.probabilities, dtype=np.float64)[split.test]
        # A node that nothing is known of has a row of zeros: all classes are alike.
        confidence = np.where(p.sum(1) > 0, p.max(1), 1 / inputs.classes)
        trial["ece"] = calibration_error(confidence, right)
    return trial


def version_of(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return getattr(sys.modules.get(package), "__version__", "unknown")


def key_of(trial: Trial) -> tuple:
    return tuple(trial[field] for field in ("dataset", "labels", "seed", "method", "threads", "version"))


def read_log(path: pathlib.Path | None) -> dict[tuple, Trial]:
    """Trials of an earlier run. Failed ones are tried again, and so is one whose line was cut off."""
    done: dict[tuple, Trial] = {}
    if path is None or not path.exists():
        return done
    text = path.read_text()
    if text and not text.endswith("\n"):
        path.write_text(text + "\n")
    for line in text.splitlines():
        try:
            trial = json.loads(line)
        except ValueError:
            continue
        if "error" not in trial:
            done[key_of(trial)] = trial
    return done


def run_all(args: argparse.Namespace) -> list[Trial]:
    """Every method in turn on each seed, so a busy machine slows them equally."""
    done, trials = read_log(args.json), []
    for dataset in args.datasets:
        data = bgcn.datasets.load(dataset)
        inputs, labels = inputs_of(data), np.asarray(data.labels)
        for count in args.labels:
            for seed in args.seeds:
                split = data.split("random", labels_per_class=count, seed=seed)
                for method in args.methods:
                    _, package, run = METHODS[method]
                    trial: Trial = dict(dataset=dataset, labels=count, seed=seed, method=method)
                    trial |= dict(threads=args.threads, version=version_of(package))
                    if key_of(trial) in done:
                        trials.append(done[key_of(trial)])
                        continue
                    try:
                        trial |= measure(run, inputs, labels, split, seed)
                        said = f"{trial['right']} of {trial['tested']} right, {trial['seconds']:.2f} s"
                    except Exception as error:  # A peer's failure is a result like others.
                        trial["error"] = said = " ".join("".join(traceback.format_exception_only(error)).split())
                    print(f"{dataset}, {count} labels, seed {seed}, {method}: {said}", file=sys.stderr, flush=True)
                    trials.append(trial)
                    if args.json:
                        with args.json.open("a") as file:
                            file.write(json.dumps(trial) + "\n")
    return trials


class Row(NamedTuple):
    """A method's results over the seeds of one dataset and number of labels."""

    accuracy: np.ndarray  # %, one for each seed
    ece: float | None
    seconds: np.ndarray
    ahead: float | None  # points by which ours is ahead, mean over the seeds that both have
    p: float | None  # of that, two-sided


def row_of(trials: list[Trial], our_trials: list[Trial], timed: list[Trial]) -> Row:
    right, our_right = ({t["seed"]: t["right"] for t in some} for some in (trials, our_trials))
    accuracy = np.array([100 * t["right"] / t["tested"] for t in trials])
    errors = [t["ece"] for t in trials if t["ece"] is not None]
    ahead = p = None
    seeds = sorted(right.keys() & our_right.keys())
    if seeds and trials is not our_trials:
        # Counts, not shares: equal differences stay equal, which ranks need.
        gaps = np.array([our_right[seed] - right[seed] for seed in seeds])
        ahead = 100 * gaps.mean() / trials[0]["tested"]
        p = float(wilcoxon(gaps).pvalue) if gaps.any() else None
    return Row(accuracy, float(np.mean(errors)) if errors else None, np.array([t["seconds"] for t in timed]), ahead, p)


def print_table(rows: dict[str, Row], failed: list[Trial]) -> None:
    print("| method | accuracy, % | ECE | seconds, median | best | gcn+copying is ahead by, points | p |")
    print("|---|---|---|---|---|---|---|")
    for method, row in rows.items():
        spread = f" ± {row.accuracy.std(ddof=1):.1f}" if len(row.accuracy) > 1 else ""
        cells = [
            METHODS[method].name,
            f"{row.accuracy.mean():.1f}{spread}",
            "–" if row.ece is None else f"{row.ece:.3f}",
            f"{np.median(row.seconds):.3g}" if len(row.seconds) else "–",
            f"{row.seconds.min():.3g}" if len(row.seconds) else "–",
            "–" if row.ahead is None else f"{row.ahead:+.1f}",
            "–" if row.p is None else f"{row.p:.3f}",
        ]
        print("| " + " | ".join(cells) + " |")
    for trial in failed:
        print(f"\n{METHODS[trial['method']].name} failed on seed {trial['seed']}: {trial['error']}")


def print_report(args: argparse.Namespace, trials: list[Trial]) -> None:
    packages = {METHODS[method].package for method in args.methods} | {"torch"}
    print(", ".join(f"{package} {version_of(package)}" for package in sorted(packages)), end="; ")
    print(f"threads: {args.threads}; random splits, seeds {min(args.seeds)} to {max(args.seeds)}.")
    print("p: Wilcoxon's signed ranks over the seeds, two-sided, not corrected for the number of comparisons.")
    wins: dict[str, list[str]] = {"accuracy": [], "ECE": [], "median seconds": []}
    for dataset in args.datasets:
        for count in args.labels:
            here = [t for t in trials if (t["dataset"], t["labels"]) == (dataset, count)]
            good: dict[str, list[Trial]] = {method: [] for method in args.methods}
            for trial in here:
                if "error" not in trial:
                    good[trial["method"]].append(trial)
            our_trials = good.get(OURS, [])
            times = read_log(args.times).values() if args.times else here
            timed = {
                method: [
                    t
                    for t in times
                    if (t["dataset"], t["labels"], t["method"]) == (dataset, count, method) and "error" not in t
                ]
                for method in args.methods
            }
            rows = {method: row_of(some, our_trials, timed[method]) for method, some in good.items() if some}
            print(f"\n## {dataset}, {count} labels per class\n")
            print_table(rows, [t for t in here if "error" in t])
            if OURS not in rows:
                continue
            us = rows[OURS]
            for method, row in rows.items():
                name, package, _ = METHODS[method]
                where = f"{name} ({dataset}, {count}"
                if package == "bgcn":
                    continue
                if row.ahead is not None and row.ahead < 0:
                    chance = "" if row.p is None else f", p = {row.p:.3f}"
                    wins["accuracy"].append(f"{where}: {-row.ahead:.1f} points{chance})")
                if row.ece is not None and us.ece is not None and row.ece < us.ece:
                    wins["ECE"].append(f"{where}: {row.ece:.3f} against {us.ece:.3f})")
                if len(row.seconds) and np.median(row.seconds) < np.median(us.seconds):
                    wins["median seconds"].append(
                        f"{where}: {np.median(row.seconds):.3g} against {np.median(us.seconds):.3g})"
                    )
    if OURS in args.methods:
        print("\nWhere a peer is better than bgcn gcn+copying:")
        for what, cases in wins.items():
            print(f"* {what}: {'; '.join(cases) or 'nowhere'}.")


def seeds_of(text: str) -> list[int]:
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=["cora", "citeseer", "pubmed"])
    parser.add_argument("--labels", nargs="+", type=int, default=[5, 20], help="labels per class")
    parser.add_argument("--seeds", type=seeds_of, default=seeds_of("100-109"), help="of the splits, such as 100-109")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--json", type=pathlib.Path, help="file for a line per trial; what it has is not run again")
    parser.add_argument("--times", type=pathlib.Path, help="another log to take the seconds from: of a run alone")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="default: all cores")
    return parser.parse_args()


def main() -> None:
    args = arguments()
    torch.set_num_threads(args.threads)
    warnings.filterwarnings("ignore", category=ConvergenceWarning)  # scikit-learn's, with α = 0.99
    torch.sparse.check_sparse_tensor_invariants.disable()  # as by default, but without its warning
    with threadpool_limits(args.threads):
        print_report(args, run_all(args))


if __name__ == "__main__":
    main()
