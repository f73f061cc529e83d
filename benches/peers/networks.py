"""Training time of PyTorch Geometric, sparse PyTorch and bgcn. See README.md beside this file.

python benches/peers/networks.py [--binary target/release/bgcn] [--data-dir DIR] [--epochs 200] [--repeat 3] [--only gcn/cora] [--json]
"""

import argparse
import json
import os
import pathlib
import pickle
import platform
import subprocess
import sys
import time

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
import torch_geometric
from torch import nn
from torch_geometric.nn import ChebConv, GATConv, GCNConv

PER_CLASS = 20
CASES = [("gcn", "cora"), ("chebnet", "cora"), ("gat", "cora"), ("gcn", "pubmed")]
# The paper's settings of each network: hidden width, dropout, learning rate, and which weights the L2 0.0005 is for.
SETTINGS = {
    "gcn": dict(dropout=0.5, rate=0.01, decay_all=False),
    "chebnet": dict(dropout=0.5, rate=0.01, decay_all=False),
    "gat": dict(dropout=0.6, rate=0.005, decay_all=True),
}


class Data:
    """One Planetoid dataset: sparse rows that sum to 1, a simple undirected graph, the fixed split."""

    def __init__(self, name, root):
        def part(suffix):
            with open(root / f"ind.{name}.{suffix}", "rb") as file:
                return pickle.load(file, encoding="latin1")

        order = np.loadtxt(root / f"ind.{name}.test.index", dtype=int)
        allx, ally, tx, ty = part("allx"), part("ally"), part("tx"), part("ty")
        span = order.max() - order.min() + 1
        # Rows of the test block that no file describes (CiteSeer has 15) stay empty.
        place = sp.csr_matrix((np.ones(len(order)), (order - order.min(), np.arange(len(order)))), (span, len(order)))
        x = sp.vstack([allx, place @ tx]).tocsr().astype(np.float32)
        sums = np.asarray(x.sum(1)).ravel()
        x = sp.csr_matrix(sp.diags(1 / np.where(sums == 0, 1, sums)) @ x).astype(np.float32)
        y = np.vstack([ally, place @ ty])
        self.n, self.d, self.c = *x.shape, y.shape[1]
        self.y = torch.tensor(y.argmax(1))
        pairs = np.array([(a, b) for a, row in part("graph").items() for b in row if a != b])
        both = np.unique(np.vstack([pairs, pairs[:, ::-1]]), axis=0)
        self.edge_index = torch.tensor(both.T.copy())
        first = self.y[: len(part("y"))]
        self.train = torch.cat([(first == k).nonzero().ravel()[:PER_CLASS] for k in range(self.c)])
        self.test = torch.tensor(order)
        self.x_dense = torch.tensor(x.toarray())
        self.x_parts = [torch.tensor(part) for part in (x.indptr, x.indices, x.data)]

    def x_sparse(self, dropout):
        """X as a sparse tensor, with dropout on its stored values."""
        starts, columns, values = self.x_parts
        return torch.sparse_csr_tensor(starts, columns, F.dropout(values, dropout), (self.n, self.d))

    def mixing(self, loops):
        """D^-1/2 (A [+ I]) D^-1/2 as a sparse tensor."""
        row, column = self.edge_index.numpy()
        a = sp.csr_matrix((np.ones(len(row), np.float32), (row, column)), (self.n, self.n))
        a = a + sp.eye(self.n, dtype=np.float32) if loops else a
        degree = np.asarray(a.sum(1)).ravel()
        s = sp.diags(np.where(degree > 0, 1 / np.sqrt(np.maximum(degree, 1)), 0).astype(np.float32))
        m = sp.csr_matrix(s @ a @ s)
        return torch.sparse_csr_tensor(torch.tensor(m.indptr), torch.tensor(m.indices), torch.tensor(m.data), m.shape)


def glorot(*shape):
    w = nn.Parameter(torch.empty(shape))
    nn.init.xavier_uniform_(w)
    return w


class PygGcn(nn.Module):
    def __init__(self, data):
        super().__init__()
        self.one = GCNConv(data.d, 16, cached=True, bias=False)
        self.two = GCNConv(16, data.c, cached=True, bias=False)

    def forward(self, data, p):
        h = F.relu(self.one(F.dropout(data.x_dense, p), data.edge_index))
        return self.two(F.dropout(h, p), data.edge_index)


class PygChebnet(nn.Module):
    def __init__(self, data):
        super().__init__()
        self.one, self.two = ChebConv(data.d, 16, 4, bias=False), ChebConv(16, data.c, 4, bias=False)

    def forward(self, data, p):
        h = F.relu(self.one(F.dropout(data.x_dense, p), data.edge_index))
        return self.two(F.dropout(h, p), data.edge_index)


class PygGat(nn.Module):
    def __init__(self, data):
        super().__init__()
        self.one = GATConv(data.d, 8, heads=8, dropout=0.6)
        self.two = GATConv(64, data.c, heads=1, concat=False, dropout=0.6)

    def forward(self, data, p):
        self.one.dropout = self.two.dropout = p
        h = F.elu(self.one(F.dropout(data.x_dense, p), data.edge_index))
        return self.two(F.dropout(h, p), data.edge_index)


class SparseGcn(nn.Module):
    def __init__(self, data):
        super().__init__()
        self.one, self.two = glorot(data.d, 16), glorot(16, data.c)
        self.a_hat = data.mixing(loops=True)

    def forward(self, data, p):
        h = F.relu(self.a_hat @ (data.x_sparse(p) @ self.one))
        return self.a_hat @ (F.dropout(h, p) @ self.two)


class SparseChebnet(nn.Module):
    """Σ_k T_k(L̃) (X W_k): the products with X first, then Clenshaw's recurrence on 16 columns (λ_max = 2: L̃ = −mixing)."""

    def __init__(self, data):
        super().__init__()
        self.one, self.two = glorot(data.d, 4 * 16), glorot(16, 4 * data.c)
        self.mix = data.mixing(loops=False)

    def sum(self, parts):
        b1 = b2 = torch.zeros_like(parts[0])
        for part in reversed(parts[1:]):
            b1, b2 = part - 2 * (self.mix @ b1) - b2, b1
        return parts[0] - self.mix @ b1 - b2

    def forward(self, data, p):
        h = F.relu(self.sum((data.x_sparse(p) @ self.one).chunk(4, 1)))
        return self.sum((F.dropout(h, p) @ self.two).chunk(4, 1))


class SparseGat(nn.Module):
    def __init__(self, data):
        super().__init__()
        self.w = nn.ParameterList([glorot(data.d, 64), glorot(64, data.c)])
        self.a = nn.ParameterList([glorot(2, 8, 8), glorot(2, 1, data.c)])
        self.b = nn.ParameterList([nn.Parameter(torch.zeros(64)), nn.Parameter(torch.zeros(data.c))])
        loops = torch.arange(data.n)
        self.column, self.row = (torch.cat([ends, loops]) for ends in data.edge_index)

    def layer(self, k, h, n, p):
        src, dst = self.a[k]
        h = h.view(n, *src.shape)
        score = F.leaky_relu((h * dst).sum(-1)[self.row] + (h * src).sum(-1)[self.column], 0.2)  # [e, heads]
        # Scores are small, so the softmax needs no maximum: one pass less.
        e = score.exp()
        total = torch.zeros(n, e.shape[1]).index_add(0, self.row, e)
        alpha = F.dropout(e / total[self.row], p)
        mixed = torch.zeros_like(h).index_add(0, self.row, alpha[:, :, None] * h[self.column])
        return mixed.reshape(n, -1) + self.b[k]

    def forward(self, data, p):
        h = F.elu(self.layer(0, data.x_sparse(p) @ self.w[0], data.n, p))
        return self.layer(1, F.dropout(h, p) @ self.w[1], data.n, p)


PEERS = {
    "PyG": dict(gcn=PygGcn, chebnet=PygChebnet, gat=PygGat),
    "torch, sparse": dict(gcn=SparseGcn, chebnet=SparseChebnet, gat=SparseGat),
}


def first_layer(model):
    return list(model.one.parameters()) if isinstance(model.one, nn.Module) else [model.one]


def train_peer(make, network, data, epochs, seed):
    """Trains and gives (seconds, test accuracy)."""
    torch.manual_seed(seed)
    settings, model = SETTINGS[network], make(data)
    decayed = list(model.parameters()) if settings["decay_all"] else first_layer(model)
    free = [w for w in model.parameters() if all(w is not d for d in decayed)]
    groups = [dict(params=decayed, weight_decay=5e-4), dict(params=free, weight_decay=0.0)]
    adam = torch.optim.Adam([g for g in groups if g["params"]], lr=settings["rate"])
    start = time.perf_counter()
    for _ in range(epochs):
        adam.zero_grad()
        F.cross_entropy(model(data, settings["dropout"])[data.train], data.y[data.train]).backward()
        adam.step()
    seconds = time.perf_counter() - start
    with torch.no_grad():
        right = model(data, 0.0)[data.test].argmax(1) == data.y[data.test]
    return seconds, right.float().mean().item()


def train_ours(args, network, name, seed):
    command = (
        f"{args.binary} fit {name} --network {network} --graph-model observed --epochs {args.epochs} --split fixed"
    )
    command += f" --labels-per-class {PER_CLASS} --seed {seed} --jobs 1 --json --quiet --data-dir {args.data_dir}"
    done = subprocess.run(command.split(), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"`{command}` ended with code {done.returncode}:\n{done.stderr}")
    result = json.loads(done.stdout.strip().splitlines()[-1])
    return result["seconds"]["train"], result["test_accuracy"]


def run_case(args, network, name, data):
    """Everyone in turn, `repeat` times; for each the best time and the mean accuracy."""
    runs = {}
    for seed in range(args.repeat):
        for peer, networks in PEERS.items():
            runs.setdefault(peer, []).append(train_peer(networks[network], network, data, args.epochs, seed))
        if not args.peers_only:
            runs.setdefault("bgcn", []).append(train_ours(args, network, name, seed))
    return {
        who: dict(seconds=min(s for s, _ in all_runs), accuracy=sum(a for _, a in all_runs) / len(all_runs))
        for who, all_runs in runs.items()
    }


def cpu_name():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def version_of(binary):
    return subprocess.run([binary, "--version"], capture_output=True, text=True).stdout.strip().splitlines()[0]


def print_table(report):
    print(f"{report['epochs']} epochs, best of {report['repeat']}, one thread, {report['cpu']}")
    print(", ".join(f"{what} {version}" for what, version in report["versions"].items()))
    print("\n| network | data | who | seconds | times bgcn | test accuracy |\n|---|---|---|---|---|---|")
    for case in report["cases"]:
        ours = case["results"].get("bgcn", {}).get("seconds")
        for who, result in case["results"].items():
            ratio = f"{result['seconds'] / ours:.1f}" if ours else "–"
            cells = [
                case["network"],
                case["data"],
                who,
                f"{result['seconds']:.3f}",
                ratio,
                f"{100 * result['accuracy']:.1f} %",
            ]
            print("| " + " | ".join(cells) + " |")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="target/release/bgcn", help="our command")
    parser.add_argument(
        "--data-dir", default=os.environ.get("BGCN_DATA"), help="folder of the Planetoid files; default $BGCN_DATA"
    )
    parser.add_argument("--epochs", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=3, help="runs of each; the best counts")
    parser.add_argument("--only", default="", help="only cases whose network/data contains this, such as gcn/cora")
    parser.add_argument("--peers-only", action="store_true", help="leave bgcn out")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    args = parser.parse_args()
    if not args.data_dir:
        parser.error("no Planetoid files: give their folder by --data-dir DIR or BGCN_DATA")
    return args


def main():
    args = arguments()
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    versions = {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "torch_geometric": torch_geometric.__version__,
    }
    if not args.peers_only:
        versions["bgcn"] = version_of(args.binary).removeprefix("bgcn ")
    report = dict(epochs=args.epochs, repeat=args.repeat, threads=1, cpu=cpu_name(), versions=versions, cases=[])
    loaded = {}
    for network, name in CASES:
        if args.only in f"{network}/{name}":
            data = loaded.setdefault(name, None) or Data(name, pathlib.Path(args.data_dir))
            loaded[name] = data
            report["cases"].append(dict(network=network, data=name, results=run_case(args, network, name, data)))
    print(json.dumps(report)) if args.json else print_table(report)


if __name__ == "__main__":
    main()
