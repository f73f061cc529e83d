"""Any PyG network can average over graphs that bgcn draws: GAT and GraphSAGE with and without.

Both start from one network, trained on the observed graph. Then it is trained on in two ways, for as many steps:
plain, on the observed graph; drawn, on a new graph at each step, with the mean over the last steps as its answer.
"Plain, averaged" takes the same mean, so that what remains is due to the graphs. These come from a fitted classifier
of bgcn and depend on its predictions; its own accuracy stands in the table too.

    pip install "bgcn[full]" torch torch-geometric
    python python/examples/pyg_drawn_graphs.py --datasets cora citeseer --seeds 200-209
"""

from __future__ import annotations

import argparse
import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import bgcn
import numpy as np
import scipy.sparse as sp
import torch
from bgcn.pyg import DrawnGraph
from torch import Tensor, nn
from torch.nn import functional
from torch_geometric.data import Data
from torch_geometric.nn import GATConv, SAGEConv, SimpleConv

# Steps on the observed graph; steps after that; how many of those are averaged.
BEFORE, AFTER, AVERAGED = 200, 100, 50


def drop(x: Tensor, p: float, training: bool) -> Tensor:
    """Dropout of sparse features: what is 0 stays 0, so only stored values need chance."""
    values = functional.dropout(x.values(), p, training)
    return torch.sparse_coo_tensor(x.indices(), values, x.shape, is_coalesced=True)


class Gat(nn.Module):
    rate = 0.005

    def __init__(self, d: int, c: int) -> None:
        super().__init__()
        self.one = GATConv(d, 8, heads=8, dropout=0.6)
        self.two = GATConv(64, c, concat=False, dropout=0.6)

    def forward(self, data: Data) -> Tensor:
        h = functional.elu(self.one(drop(data.x, 0.6, self.training), data.edge_index))
        return self.two(functional.dropout(h, 0.6, self.training), data.edge_index)


class Sage(nn.Module):
    rate = 0.01

    def __init__(self, d: int, c: int) -> None:
        super().__init__()
        # SAGEConv(d, 64) would average rows of width d. Its mean of products is the same, and leaves x sparse.
        self.own, self.others, self.mean = nn.Linear(d, 64), nn.Linear(d, 64, bias=False), SimpleConv("mean")
        self.two = SAGEConv(64, c)

    def forward(self, data: Data) -> Tensor:
        x = drop(data.x, 0.5, self.training)
        h = functional.relu(self.own(x) + self.mean(self.others(x), data.edge_index))
        return self.two(functional.dropout(h, 0.5, self.training), data.edge_index)


NETWORKS = {"gat": Gat, "sage": Sage}


def train(
    model: nn.Module, adam: torch.optim.Adam, data: Data, graph: Callable[[Data], Data], steps: int, kept: int = 0
) -> list[Tensor]:
    """Trains on `graph(data)`, asked anew at each step; the softmaxes [n, c] after each of the last `kept` steps."""
    known = data.y >= 0
    outputs = []
    for step in range(steps):
        model.train()
        adam.zero_grad()
        functional.cross_entropy(model(graph(data))[known], data.y[known]).backward()
        adam.step()
        if step >= steps - kept:
            model.eval()
            with torch.no_grad():
                outputs.append(model(graph(data)).softmax(1))
    return outputs


def compare(network: str, data: Data, classifier: bgcn.BayesianGCNClassifier, seed: int) -> dict[str, Tensor]:
    """Labels of all nodes: plain, plain with the same mean over steps, and with drawn graphs."""
    torch.manual_seed(seed)
    model = NETWORKS[network](data.x.shape[1], int(data.y.max()) + 1)
    adam = torch.optim.Adam(model.parameters(), lr=model.rate, weight_decay=5e-4)
    train(model, adam, data, lambda same: same, BEFORE)
    twin, twin_adam = copy.deepcopy((model, adam))
    plain = train(model, adam, data, lambda same: same, AFTER, kept=AVERAGED)
    drawn = train(twin, twin_adam, data, DrawnGraph(classifier, random_state=seed), AFTER, kept=AVERAGED)
    return {"plain": plain[-1].argmax(1), "averaged": sum(plain).argmax(1), "drawn": sum(drawn).argmax(1)}


def run(dataset: str, labels_per_class: int, seed: int, networks: list[str]) -> Iterator[dict]:
    """One split: the random-graph model from bgcn's classifier, then accuracies of each network in per cent."""
    source = bgcn.datasets.load(dataset)
    split = source.split("random", labels_per_class=labels_per_class, seed=seed)
    labels = np.asarray(source.labels)
    known = np.full(len(labels), -1)
    known[split.train] = labels[split.train]
    classifier = bgcn.BayesianGCNClassifier(random_state=seed)
    classifier.fit(source.features, known, adjacency=source.adjacency)

    x = sp.csr_matrix(source.features, dtype=np.float32)
    x = sp.coo_matrix(sp.diags(1 / np.maximum(np.asarray(x.sum(1)).ravel(), 1e-9)) @ x)  # rows sum to 1
    places, values = torch.tensor(np.array([x.row, x.col])), torch.tensor(x.data, dtype=torch.float32)
    graph = sp.coo_matrix(source.adjacency)
    data = Data(
        x=torch.sparse_coo_tensor(places, values, x.shape).coalesce(),
        edge_index=torch.tensor(np.array([graph.row, graph.col]), dtype=torch.long),
        y=torch.tensor(known),
    )

    def accuracy(output: np.ndarray) -> float:
        return float(100 * (output[split.test] == labels[split.test]).mean())

    for network in networks:
        record = {"network": network, "dataset": dataset, "labels": labels_per_class, "seed": seed}
        answers = compare(network, data, classifier, seed)
        record |= {"bgcn": accuracy(np.asarray(classifier.transduction_))}
        yield record | {who: accuracy(output.numpy()) for who, output in answers.items()}


def gain(points: np.ndarray) -> str:
    """Mean paired difference ± its standard error."""
    return f"{points.mean():+.2f}" + (f" ± {points.std(ddof=1) / len(points) ** 0.5:.2f}" if len(points) > 1 else "")


def print_table(args: argparse.Namespace, records: list[dict]) -> None:
    heads = ["network", "data", "bgcn's GCN", "plain", "plain, averaged", "drawn", "drawn − plain", "wins, losses"]
    print("\n| " + " | ".join([*heads, "drawn − averaged"]) + " |\n" + "|---" * 9 + "|")
    for network in args.networks:
        for dataset in args.datasets:
            some = [r for r in records if (r["network"], r["dataset"]) == (network, dataset)]
            by = {who: np.array([r[who] for r in some]) for who in ("bgcn", "plain", "averaged", "drawn")}
            won, lost = (by["drawn"] > by["plain"]).sum(), (by["drawn"] < by["plain"]).sum()
            gains = [gain(by["drawn"] - by[other]) for other in ("plain", "averaged")]
            cells = [network, dataset, *(f"{a.mean():.1f}" for a in by.values()), gains[0], f"{won}, {lost}", gains[1]]
            print("| " + " | ".join(cells) + " |")


def seeds_of(text: str) -> list[int]:
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=["demo"], help="such as cora citeseer; demo needs no download")
    parser.add_argument("--labels", type=int, default=5, help="labels per class")
    parser.add_argument("--seeds", type=seeds_of, default=seeds_of("200-209"), help="of the splits, such as 200-209")
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, default=list(NETWORKS))
    parser.add_argument("--json", type=Path, help="file for a line per network and split; what it has is not run again")
    args = parser.parse_args()
    torch.sparse.check_sparse_tensor_invariants.disable()  # as by default, but without its warning
    log = [json.loads(line) for line in args.json.read_text().splitlines()] if args.json and args.json.exists() else []
    done = {(r["network"], r["dataset"], r["labels"], r["seed"]): r for r in log}
    for dataset in args.datasets:
        for seed in args.seeds:
            todo = [network for network in args.networks if (network, dataset, args.labels, seed) not in done]
            for record in run(dataset, args.labels, seed, todo) if todo else []:
                done[record["network"], dataset, args.labels, seed] = record
                print(json.dumps(record), flush=True)
                if args.json:
                    with args.json.open("a") as file:
                        file.write(json.dumps(record) + "\n")
    print_table(args, [r for r in done.values() if r["labels"] == args.labels and r["seed"] in args.seeds])


if __name__ == "__main__":
    main()
