"""Writes small generated datasets in every layout that is read, and what should be read from them.

Run from the top of the repository, with numpy and scipy installed:

    python golden/make_readers.py

The files under crates/bgcn-files/tests/golden/readers were made with Python 3.11, numpy 2.4 and scipy 1.17; `expected.json` names
the versions of the last run. Nothing is real data.
"""

import collections
import io
import json
import pathlib
import pickle
import platform
import struct

import numpy as np
import scipy
import scipy.sparse as sp

OUT = pathlib.Path("crates/bgcn-files/tests/golden/readers")
NODES, ALL, TRAIN, ABSENT, FEATURES, CLASSES = 14, 9, 3, 11, 5, 3


class Python2Pickler(pickle._Pickler):
    """Protocol 2 as Python 2 wrote it: byte strings, and the module names of its time."""

    dispatch = dict(pickle._Pickler.dispatch)

    def save_string(self, text):
        raw = text if isinstance(text, bytes) else text.encode("latin1")
        short = len(raw) < 256
        self.write((b"U" + bytes([len(raw)]) if short else b"T" + struct.pack("<i", len(raw))) + raw)
        self.memoize(text)

    dispatch[bytes] = dispatch[str] = save_string

    def save_global(self, obj, name=None):
        old = {
            "_reconstruct": "numpy.core.multiarray\n_reconstruct",
            "ndarray": "numpy\nndarray",
            "dtype": "numpy\ndtype",
            "csr_matrix": "scipy.sparse.csr\ncsr_matrix",
            "defaultdict": "collections\ndefaultdict",
            "list": "__builtin__\nlist",
        }
        self.write(b"c" + old[name or obj.__name__].encode() + b"\n")
        self.memoize(obj)

    dispatch[type] = save_global
    dispatch[type(lambda: 0)] = save_global
    dispatch[type(len)] = save_global


def python2(value):
    file = io.BytesIO()
    Python2Pickler(file, protocol=2).dump(value)
    return file.getvalue()


def generate(rng):
    x = (rng.random((NODES, FEATURES)) < 0.4) * rng.integers(1, 9, (NODES, FEATURES)) / 8
    x[ABSENT] = 0
    labels = [int(c) for c in rng.integers(0, CLASSES, NODES)]
    labels[:TRAIN] = range(CLASSES)
    labels[ABSENT] = None
    citations = [(int(a), int(b)) for a, b in rng.integers(0, NODES, (25, 2)) if a != b and a != 6 and b != 6]
    return x, labels, citations + [(4, 4), (2, 2), citations[0], citations[1][::-1]]


def planetoid(x, labels, citations, rng):
    one_hot = np.zeros((NODES, CLASSES), np.int32)
    for a, label in enumerate(labels):
        if label is not None:
            one_hot[a, label] = 1
    test = [int(a) for a in rng.permutation([a for a in range(ALL, NODES) if a != ABSENT])]
    graph = collections.defaultdict(list)
    for a in range(NODES):
        graph[a] = []
    for a, b in citations:
        graph[a].append(b)
        graph[b].append(a)
    sparse = sp.csr_matrix(x.astype(np.float32))
    parts = {
        "x": sparse[:TRAIN],
        "y": one_hot[:TRAIN],
        "tx": sparse[test].astype(np.float64),
        "ty": one_hot[test],
        "allx": sparse[:ALL],
        "ally": one_hot[:ALL],
        "graph": graph,
    }
    writers = {
        "python2": python2,
        "protocol2": lambda v: pickle.dumps(v, protocol=2),
        "protocol3": lambda v: pickle.dumps(v, protocol=3),
        "protocol4": lambda v: pickle.dumps(v, protocol=4),
        "protocol5": lambda v: pickle.dumps(v, protocol=5),
    }
    for folder, dumps in writers.items():
        (OUT / folder).mkdir(parents=True, exist_ok=True)
        for part, value in parts.items():
            (OUT / folder / f"ind.tiny.{part}").write_bytes(dumps(value))
        (OUT / folder / "ind.tiny.test.index").write_text("".join(f"{a}\n" for a in test))
    return sorted(test)


def npz(x, labels, citations):
    directed = sp.csr_matrix((np.ones(len(citations)), tuple(zip(*citations))), shape=(NODES, NODES))
    directed.data[:] = 1
    symmetric = ((directed + directed.T) > 0).astype(np.float32).tocsr()
    numbers = np.array([-1 if c is None else c for c in labels])
    nodes = [f"paper {a}" for a in range(NODES)]
    classes = [f"class {c} \N{GREEK SMALL LETTER PI}" for c in range(CLASSES)]
    attr = sp.csr_matrix(x)

    def parts(prefix, matrix):
        return {
            f"{prefix}_data": matrix.data,
            f"{prefix}_indices": matrix.indices,
            f"{prefix}_indptr": matrix.indptr,
            f"{prefix}_shape": np.array(matrix.shape),
        }

    np.savez_compressed(
        OUT / "sparse.npz",
        **parts("adj", directed),
        **parts("attr", attr),
        labels=numbers,
        node_names=np.array(nodes),
        class_names=np.array(classes),
        metadata=np.array({"ignored": {1, 2}}, dtype=object),
    )
    np.savez(
        OUT / "dense.npz",
        **parts("adj", symmetric),
        attr_matrix=np.asfortranarray(x.astype(">f8")),
        labels=numbers.astype(np.int8),
        node_names=np.array(nodes, dtype=object),
        class_names=np.array(classes, dtype=object),
    )
    np.savez(OUT / "bare.npz", **parts("adj", directed), node_names=np.array(nodes, dtype="S"))
    return nodes, classes


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(7)
    x, labels, citations = generate(rng)
    test = planetoid(x, labels, citations, rng)
    nodes, classes = npz(x, labels, citations)
    pairs = sorted({(min(a, b), max(a, b)) for a, b in citations if a != b})
    expected = {
        "made_with": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__},
        "edges": pairs,
        "citations": len(citations),
        "self_loops": sum(a == b for a, b in citations),
        "features": x.tolist(),
        "labels": labels,
        "node_names": nodes,
        "class_names": classes,
        "train": list(range(TRAIN)),
        "validation": list(range(TRAIN, ALL)),
        "test": test,
    }
    (OUT / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


main()
