"""Golden values of the three networks: one training step, from given weights and dropout masks.

    python golden/networks.py            writes crates/bgcn-core/tests/golden/{gcn,chebnet,gat,gat_two_heads}.json

Needs torch, torch_geometric and scipy (benches/peers/requirements.txt pins them). Each network is written here in
plain dense float64 torch, differentiated by autograd, and its output without dropout is compared with
torch_geometric's GCNConv, ChebConv or GATConv before anything is written.

A file holds: the graph and its data; `settings`; `weights`, `masks` (1 = kept; a kept value is divided by 1 - dropout);
`logits` with and without these masks; `cross_entropy` (mean over the training nodes) and `penalty` (l2 / 2 times the
sum of the squares of the penalised weights); `d_cross_entropy` and `d_loss`, the gradients without and with the
penalty; `after_1` and `after_3`, the weights after one and after three Adam steps with the same masks.
"""

import json
import pathlib

import numpy as np
import scipy.sparse.linalg
import torch
import torch.nn.functional as F
import torch_geometric
from torch_geometric.nn import ChebConv, GATConv, GCNConv

N, D, CLASSES = 12, 10, 3
EDGES = [
    (0, 1),
    (0, 2),
    (0, 7),
    (1, 2),
    (1, 5),
    (2, 3),
    (2, 9),
    (3, 4),
    (4, 5),
    (5, 6),
    (5, 10),
    (6, 8),
    (8, 9),
    (9, 10),
]  # 11 is isolated
LABELS = [0, 0, 1, 1, 2, 2, 0, 1, 2, 0, 1, 2]
TRAIN = [0, 2, 4, 6, 11]
OUT = pathlib.Path(__file__).resolve().parent.parent / "crates" / "bgcn" / "tests" / "golden"

torch.set_default_dtype(torch.float64)
rng = np.random.default_rng(2019)


def as_f32(values):
    """Numbers that single precision holds exactly, so that both sides start equal."""
    return torch.tensor(np.asarray(values).astype(np.float32).astype(np.float64))


def features():
    x = np.where(rng.random((N, D)) < 0.4, rng.integers(1, 4, (N, D)), 0).astype(float)
    x[np.arange(N), np.arange(N) % D] += 1.0  # no empty row
    return as_f32(x / x.sum(1, keepdims=True))


def glorot(*shape):
    return as_f32(rng.uniform(-1, 1, shape) * np.sqrt(6 / (shape[0] + shape[-1])))


def mask(keep, *shape):
    return torch.tensor((rng.random(shape) < keep).astype(np.float64))


def adjacency():
    a = torch.zeros(N, N)
    for i, j in EDGES:
        a[i, j] = a[j, i] = 1.0
    return a


X, A = features(), adjacency()
EDGE_INDEX = A.nonzero().t()
# Attention goes over the pattern of A + I, row after row, columns ascending: entry e is (row a, column b), a attends to b.
ROWS, COLUMNS = (A + torch.eye(N)).nonzero().t()


def gcn(w, keep):
    a = A + torch.eye(N)
    s = a.sum(1).rsqrt()
    a_hat = s[:, None] * a * s
    h = torch.relu(a_hat @ (X * keep("input")) @ w["w0"])
    return a_hat @ (h * keep("hidden")) @ w["w1"]


def largest_eigenvalue():
    return float(scipy.sparse.linalg.eigsh(laplacian().numpy(), k=1, which="LM", return_eigenvectors=False)[0])


def laplacian():
    degree = A.sum(1)
    s = torch.where(degree > 0, degree.rsqrt(), 0.0)
    return torch.eye(N) - s[:, None] * A * s


def chebnet(w, keep):
    scaled = 2.0 / largest_eigenvalue() * laplacian() - torch.eye(N)

    def layer(x, weights):
        t = [x, scaled @ x]
        while len(t) < len(weights):
            t.append(2.0 * scaled @ t[-1] - t[-2])
        return sum(t_k @ w_k for t_k, w_k in zip(t, weights))

    h = torch.relu(layer(X * keep("input"), w["w0"]))
    return layer(h * keep("hidden"), w["w1"])


def gat(w, keep):
    def layer(x, k):
        heads, units = w[f"a_src{k}"].shape
        h = (x @ w[f"w{k}"]).view(N, heads, units)
        score = F.leaky_relu(
            (h * w[f"a_dst{k}"]).sum(-1)[ROWS] + (h * w[f"a_src{k}"]).sum(-1)[COLUMNS], 0.2
        )  # [e, heads]
        raw = torch.full((N, N, heads), -torch.inf).index_put((ROWS, COLUMNS), score)
        alpha = torch.zeros(N, N, heads).index_put(
            (ROWS, COLUMNS), torch.softmax(raw, 1)[ROWS, COLUMNS] * keep(f"attention{k}")
        )
        return torch.einsum("abk,bku->aku", alpha, h)

    h = F.elu(layer(X * keep("input"), 0).reshape(N, -1) + w["b0"])
    return layer(h * keep("hidden"), 1).mean(1) + w["b1"]


def pyg_gcn(w):
    layers = [GCNConv(D, 16, bias=False), GCNConv(16, CLASSES, bias=False)]
    for k, layer in enumerate(layers):
        layer.lin.weight.data = w[f"w{k}"].t()
    return layers[1](torch.relu(layers[0](X, EDGE_INDEX)), EDGE_INDEX)


def pyg_chebnet(w):
    order = len(w["w0"])
    layers = [ChebConv(D, 16, order, bias=False), ChebConv(16, CLASSES, order, bias=False)]
    for k, layer in enumerate(layers):
        for lin, weight in zip(layer.lins, w[f"w{k}"]):
            lin.weight.data = weight.t()
    top = torch.tensor(largest_eigenvalue())
    return layers[1](torch.relu(layers[0](X, EDGE_INDEX, lambda_max=top)), EDGE_INDEX, lambda_max=top)


def pyg_gat(w):
    layers = [GATConv(D, 8, heads=8), GATConv(64, CLASSES, heads=len(w["a_src1"]), concat=False)]
    for k, layer in enumerate(layers):
        layer.lin.weight.data = w[f"w{k}"].t()
        layer.att_src.data, layer.att_dst.data = w[f"a_src{k}"][None], w[f"a_dst{k}"][None]
        layer.bias.data = w[f"b{k}"]
    return layers[1](F.elu(layers[0](X, EDGE_INDEX)), EDGE_INDEX)


def tensors(named):
    return [
        {"name": name, "shape": list(t.shape), "data": [float(f"{v:.10g}") for v in t.detach().flatten().tolist()]}
        for name, t in named.items()
    ]


def write(name, network, peer, draw, settings):
    """Draws weights and masks until no gradient is so small that rounding would decide its Adam step, and writes them."""
    while not attempt(name, network, peer, *draw(), settings):
        pass


def attempt(name, network, peer, weights, masks, settings):
    for w in weights.values():
        w.requires_grad_(True)
    scale = 1.0 / (1.0 - settings["dropout"])
    drop = lambda key: masks[key] * scale
    plain = network(weights, lambda _: 1.0)
    assert torch.allclose(plain, peer({k: w.detach().clone() for k, w in weights.items()}), rtol=1e-12, atol=1e-12), (
        name
    )

    labels, train = torch.tensor(LABELS), torch.tensor(TRAIN)

    def objective():
        logits = network(weights, drop)
        penalty = 0.5 * settings["l2"] * sum((weights[k] ** 2).sum() for k in settings["penalised"])
        return logits, F.cross_entropy(logits[train], labels[train]), penalty

    logits, cross_entropy, penalty = objective()
    d_cross_entropy = torch.autograd.grad(cross_entropy, weights.values(), retain_graph=True)
    d_loss = torch.autograd.grad(cross_entropy + penalty, weights.values())
    if any(((d != 0) & (g.abs() < 3e-6)).any() for d, g in zip(d_cross_entropy, d_loss)):
        return False

    golden = {
        "script": "golden/networks.py",
        "versions": {
            "torch": torch.__version__,
            "torch_geometric": torch_geometric.__version__,
            "scipy": scipy.__version__,
        },
        "network": name,
        "settings": settings,
        "nodes": N,
        "edges": EDGES,
        "x": tensors({"x": X})[0],
        "labels": LABELS,
        "train": TRAIN,
        "weights": tensors(weights),
        "masks": tensors(masks),
        "logits": tensors({"dropout_off": plain, "dropout_on": logits}),
        "cross_entropy": cross_entropy.item(),
        "penalty": penalty.item(),
        "d_cross_entropy": tensors(dict(zip(weights, d_cross_entropy))),
        "d_loss": tensors(dict(zip(weights, d_loss))),
    }
    adam = torch.optim.Adam(weights.values(), lr=settings["learning_rate"], betas=(0.9, 0.999), eps=1e-8)
    for step in range(1, 4):
        adam.zero_grad()
        _, cross_entropy, penalty = objective()
        (cross_entropy + penalty).backward()
        adam.step()
        if step in (1, 3):
            golden[f"after_{step}"] = tensors(weights)
    (OUT / f"{name}.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")
    print(f"{name}: cross entropy {golden['cross_entropy']:.6f}, penalty {golden['penalty']:.6f}")
    return True


def masks():
    return {"input": mask(0.5, N, D), "hidden": mask(0.5, N, 16)}


def draw_gcn():
    return {"w0": glorot(D, 16), "w1": glorot(16, CLASSES)}, masks()


def draw_chebnet():
    return {
        "w0": torch.stack([glorot(D, 16) for _ in range(4)]),
        "w1": torch.stack([glorot(16, CLASSES) for _ in range(4)]),
    }, masks()


def draw_gat(output_heads):
    weights = {
        "w0": glorot(D, 64), "a_src0": glorot(8, 8), "a_dst0": glorot(8, 8), "b0": glorot(64),
        "w1": glorot(64, CLASSES * output_heads), "a_src1": glorot(output_heads, CLASSES), "a_dst1": glorot(output_heads, CLASSES), "b1": glorot(CLASSES),
    }  # fmt: skip
    edges = len(ROWS)
    attention = {"attention0": mask(0.4, edges, 8), "attention1": mask(0.4, edges, output_heads)}
    return weights, {"input": mask(0.4, N, D), "hidden": mask(0.4, N, 64), **attention}


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    half = {"dropout": 0.5, "learning_rate": 0.01, "l2": 5e-4, "penalised": ["w0"], "hidden": 16}
    write("gcn", gcn, pyg_gcn, draw_gcn, half)
    write("chebnet", chebnet, pyg_chebnet, draw_chebnet, {**half, "order": 3, "lambda_max": largest_eigenvalue()})
    for name, output_heads, rate, l2 in [("gat", 1, 0.005, 5e-4), ("gat_two_heads", 2, 0.01, 1e-3)]:
        penalised = list(draw_gat(output_heads)[0])
        shape = {"heads": 8, "units": 8, "output_heads": output_heads, "slope": 0.2}
        settings = {"dropout": 0.6, "learning_rate": rate, "l2": l2, "penalised": penalised, **shape}
        write(name, gat, pyg_gat, lambda: draw_gat(output_heads), settings)


if __name__ == "__main__":
    main()
