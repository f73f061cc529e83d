"""Wrong arguments by the hundred: each is refused in words, or fitted to probabilities."""

from __future__ import annotations

import datetime
import decimal
import faulthandler
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import bgcn
import numpy as np
import pandas as pd
import pytest
from conftest import problem
from scipy import sparse

CASES = 500
SECONDS = 60

SMALL = problem(24, 2, 4, seed=11)
NODES, COLUMNS = SMALL.X.shape
NAN, INF = float("nan"), float("inf")

#: Values that are hardly ever what is wanted.
ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 3, -7, 2**31, 2**32 - 1, 2**32, 2**40, 2**63, 2**64, -(2**63), 10**400),
    *(0.0, -0.0, 0.5, 1.5, -0.5, NAN, INF, -INF, 1e300, -1e300, 5e-324, 1e-40, 1j, decimal.Decimal("1")),
    *("", "x", "copying", "auto", "random", "\0", "\ud800", "ü" * 50, "1", "nan", "a,b", b"x", bytearray(b"xy")),
    *([], [1], [1, 2], [[1]], (), (1, 2), {}, {"a": 1}, {1, 2}, range(5), slice(3), memoryview(b"xy")),
    *(object(), int, float, len, Ellipsis, NotImplemented, Exception("x"), datetime.date(2020, 1, 1)),
    *(np.float32(INF), np.int8(-3), np.uint64(2**64 - 1), np.bool_(True), np.str_("x"), np.datetime64("NaT")),
    *(
        np.array(3),
        np.array([1, 2]),
        np.array("x"),
        np.zeros(0),
        np.zeros((0, 3)),
        np.zeros((3, 0)),
        np.zeros((2, 2, 2)),
    ),
    *(pd.NA, pd.NaT, pd.Series([1, 2]), pd.DataFrame(), pd.Index([1, 2]), sparse.csr_matrix((3, 3))),
]


def dtypes(rng: random.Random, array: np.ndarray) -> Any:
    """The same numbers as something else."""
    kinds = "f2 f4 f8 >f4 >f8 g i1 i2 i4 i8 >i4 >i8 u1 u2 u4 u8 ? c8 O U5 S5 M8[s] m8[s] V8"
    kind = rng.choice(kinds.split())
    with np.errstate(all="ignore"):
        if kind == "V8":
            return np.zeros(array.shape, dtype=[("a", "f4"), ("b", "i4")])
        if kind in ("M8[s]", "m8[s]"):
            return array.astype("i8").astype(kind)
        return array.astype(kind)


def layout(rng: random.Random, array: np.ndarray) -> Any:
    """The same numbers, lying otherwise in memory."""
    match rng.randrange(7):
        case 0:
            return np.asfortranarray(array)
        case 1:
            return np.repeat(array, 2, axis=0)[::2]
        case 2:
            return array[::-1]
        case 3:
            given = array.copy()
            given.setflags(write=False)
            return given
        case 4:
            return np.broadcast_to(array[:1], array.shape)
        case 5:
            return array.astype(array.dtype.newbyteorder())
        case _:
            return np.ma.masked_array(array, mask=array == array.flat[0]) if array.size else array


def shape(rng: random.Random, array: np.ndarray) -> Any:
    """Too few, too many, or other dimensions."""
    match rng.randrange(12):
        case 0:
            return array[: rng.randrange(len(array) + 1)]
        case 1:
            return np.concatenate([array, array[: rng.randrange(1, 5)]])
        case 2:
            return array.reshape(-1)
        case 3:
            return array[None]
        case 4:
            return array[..., None]
        case 5:
            return array.T
        case 6:
            return array[:0]
        case 7:
            return array.reshape(-1)[0]
        case 8:
            return np.array(array.reshape(-1)[0])
        case 9:
            return array.tolist()
        case 10:
            ragged = array.tolist()
            ragged[0] = [ragged[0], ragged[0]] if not isinstance(ragged[0], list) else ragged[0][1:]
            return ragged
        case _:
            return np.stack([array, array], axis=rng.randrange(array.ndim + 1))


def value(rng: random.Random, array: np.ndarray) -> Any:
    """One wrong value in it, or several."""
    wrong = rng.choice(ODD)
    places = [rng.randrange(array.size) for _ in range(rng.choice([1, 1, 3, array.size]))]
    if rng.random() < 0.5:
        numbers = array.astype(rng.choice(["f4", "f8", "i8", "i4"]))
        whole = [-1, 7, 255, 2**31 - 1]
        for place in places:
            numbers.flat[place] = rng.choice([*whole, NAN, INF, 1e30] if numbers.dtype.kind == "f" else whole)
        return numbers
    objects = np.empty(array.size, dtype=object)
    objects[:] = array.reshape(-1).tolist()
    for place in places:
        objects[place] = wrong
    objects = objects.reshape(array.shape)
    return objects.tolist() if rng.random() < 0.5 else objects


def tables(rng: random.Random, array: np.ndarray) -> Any:
    """As pandas, scipy or Python's containers have it, with faults of their own."""
    match rng.randrange(10):
        case 0:
            return pd.DataFrame(array)
        case 1:
            index = [rng.choice(["a", "b", 0, 1, NAN, None]) for _ in range(len(array))]
            return pd.DataFrame(array, index=index)
        case 2:
            return pd.Series(list(array))
        case 3:
            whole = pd.Series(array.reshape(-1)[: len(array)]).astype("int64")
            return whole.astype(rng.choice(["Int64", "Float64", "string", "category", "bool", "Sparse[int]"]))
        case 4:
            frame = pd.DataFrame(array).astype(object)
            frame.iat[0, 0] = rng.choice([None, NAN, "x", pd.NA, pd.NaT, [1], {}, 10**400, 1e300])
            return frame
        case 5 if array.ndim == 2:
            return sparse.coo_matrix(array).asformat(rng.choice(["csr", "csc", "coo", "lil", "dok"]))
        case 6 if array.ndim == 2:
            data = np.array([rng.choice([NAN, INF, 1e300, -1.0, 0.0, 1.0]) for _ in range(6)])
            rows = [rng.randrange(array.shape[0]) for _ in data]
            return sparse.coo_matrix((data, (rows, [rng.randrange(array.shape[1]) for _ in data])), shape=array.shape)
        case 7:
            rows = array.astype(object).tolist()
            rows[rng.randrange(len(rows))] = rng.choice([*ODD, [2**32 - 2], [2**70, 1], {"a": NAN}, {"a": "x", 3: 1}])
            return dict(enumerate(rows)) if rng.random() < 0.5 else rows
        case 8:
            lists = [
                [rng.choice([0, 1, 7, 2**31, "x", -1, 0.5][: 7 if rng.random() < 0.1 else 4])] * rng.randrange(3)
                for _ in array
            ]
            return rng.choice([list, lambda rows: {str(i): row for i, row in enumerate(rows)}, pd.Series])(lists)
        case _:
            frame = pd.DataFrame(array)
            return frame.rename(columns=dict.fromkeys(frame.columns[:2], "x"))


def wrong(rng: random.Random, array: np.ndarray) -> Any:
    """Something like the array that is not as it should be, or not at all like it."""
    if rng.random() < 0.25:
        return rng.choice(ODD)
    return rng.choice([dtypes, layout, shape, value, tables])(rng, array)


def edges(rng: random.Random) -> Any:
    """A graph with faults."""
    pairs = SMALL.edges
    match rng.randrange(12):
        case 0:
            return wrong(rng, SMALL.A.toarray())
        case 1:
            return wrong(rng, pairs)
        case 2:
            return wrong(rng, pairs.T)
        case 3:
            given = pairs.tolist()
            faults = [[0, NODES], [0, -1], [0, 2**40], [0, "a"], [0], [0, 1, 2]]
            given[rng.randrange(len(given))] = rng.choice([*ODD, *faults])
            return given
        case 4:
            given = [list(pair) for pair in pairs.tolist()]
            given[rng.randrange(len(given))][rng.randrange(2)] = rng.choice(ODD)
            return given
        case 5:
            dtype = rng.choice(["u1", "u8", "i2", ">i8", "f4", "f8", "O", "c8"])
            return rng.choice([pairs, pairs.T, SMALL.A.toarray()]).astype(dtype)
        case 6:
            frame = pd.DataFrame(pairs, columns=rng.choice([["source", "target"], ["a", "b"], ["u", "v"], ["u", "u"]]))
            return frame.astype(object).mask(frame == rng.randrange(NODES), rng.choice([None, -1, "x", 1e9]))
        case 7:
            data = np.array([rng.choice([NAN, INF, 0.0, -2.0, 1.0]) for _ in range(8)])
            ends = [[rng.randrange(NODES) for _ in data] for _ in "ab"]
            matrix = sparse.coo_matrix((data, ends), shape=(NODES, NODES))
            return matrix.asformat(rng.choice(["csr", "coo", "csc", "dok"]))
        case 8:
            return sparse.csr_matrix((rng.choice([0, 1, NODES - 1, NODES + 1]), rng.choice([0, NODES, NODES + 1])))
        case 9:
            return np.full((2, rng.randrange(5)), rng.choice([-1, NODES, 2**32, 2**63 - 1, -(2**63)]))
        case 10:
            return dict.fromkeys(map(tuple, pairs.tolist()), 1) if rng.random() < 0.5 else {0: [1], 1: [0]}
        case _:
            return rng.choice(ODD)


def splits(rng: random.Random) -> Any:
    """Three sets that are none."""
    known = np.flatnonzero(SMALL.y >= 0)
    sets: list[Any] = [known[:6], known[6:8], known[8:]]
    match rng.randrange(5):
        case 0:
            return rng.choice(ODD)
        case 1:
            return sets[: rng.randrange(4)]
        case 2:
            return {rng.choice(["train", "test", "validation", "x", 1]): rng.choice([*ODD, known])}
        case 3:
            return rng.choice(["random", "fixed", "all", "auto", "", "nowhere.csv", ".", "\0", "/"])
        case _:
            sets[rng.randrange(3)] = wrong(rng, rng.choice([known, SMALL.y >= 0]))
            return sets


#: What a setting needs beside it, by the beginning of its key.
BESIDE: dict[str, dict[str, Any]] = {
    "network.order": {"network.kind": "chebnet"},
    "network.heads": {"network.kind": "gat"},
    "network.output_heads": {"network.kind": "gat"},
    "network.epochs": {"graph_model": "observed"},
    "network.patience": {"graph_model": "observed"},
    "schedule.sgld": {"schedule.weight_sampling": "sgld"},
    "average.": {"graph_model": "sbm+copying"},
    **{f"{name}.": {"graph_model": name} for name in ("mmsbm", "mmsb", "sbm", "dcsbm", "copying")},
}
STEPS = {"schedule.kind": "algorithm1", "schedule.pretraining": 10, "schedule.draws": 2, "schedule.samples": 2}
QUICK = {"schedule.pretraining": 10, "schedule.draws": 4, "schedule.averaged": 2}
KEYS = [str(key) for key in bgcn.settings()["key"]]
KEYWORDS = ["network", "graph_model", "schedule", "preset", "random_state", "n_jobs", "graph", "verbose", "settings"]


def settings(rng: random.Random) -> dict[str, Any]:
    """Keywords with a wrong value, or a right one that is far out."""
    name = rng.choice([*KEYS, *KEYWORDS])
    beside = max((key for key in BESIDE if name.startswith(key)), key=len, default="")
    steps = name in ("schedule.samples", "schedule.lambdas", "schedule.graph_epochs") or rng.random() < 0.1
    base = {} if BESIDE.get(beside) == {"graph_model": "observed"} else STEPS if steps else QUICK
    given = {**base, **BESIDE.get(beside, {})}
    value = rng.choice([*ODD, 1e6, 1e-6, 0.999999, 1e38])
    if name in KEYS:
        return {"settings": {**given, name: value}}
    if name == "verbose":
        value = rng.choice([0, None, "", [], np.zeros(2), np.zeros(0)])
    return {"settings": given, name: value}


def case(number: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the estimator and its fit are given, with one or two faults."""
    rng = random.Random(number)
    made: dict[str, Any] = {"settings": QUICK}
    given: dict[str, Any] = {"X": SMALL.X, "y": SMALL.y, "adjacency": SMALL.A}
    faults: dict[str, Callable[[], Any]] = {
        "X": lambda: wrong(rng, SMALL.X),
        "y": lambda: wrong(rng, rng.choice([SMALL.y, SMALL.truth])),
        "adjacency": lambda: edges(rng),
        "split": lambda: splits(rng),
        "weight": lambda: rng.choice(ODD),
        "weight_threshold": lambda: rng.choice(ODD),
        "labels_per_class": lambda: rng.choice(ODD),
        "baseline": lambda: rng.choice(ODD),
        "callback": lambda: rng.choice([value for value in ODD if value is not len and not isinstance(value, type)]),
        "settings": lambda: settings(rng),
    }
    weights = [6, 5, 8, 4, 1, 1, 1, 1, 1, 8]
    for name in rng.choices(list(faults), weights, k=rng.choice([1, 1, 1, 2])):
        if name == "settings":
            made = faults[name]()
        else:
            given[name] = faults[name]()
    return made, given


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    """A fit that does not come back ends the process, with the stack of every thread."""
    faulthandler.dump_traceback_later(SECONDS, exit=True, file=sys.__stderr__)
    yield
    faulthandler.cancel_dump_traceback_later()


def tried(made: dict[str, Any], given: dict[str, Any]) -> str | None:
    """What is wrong with how it was taken; None if nothing is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            clf = bgcn.BayesianGCNClassifier(**made).fit(**given)
        except (ValueError, TypeError, FileNotFoundError) as error:
            return None if str(error).strip() else f"{type(error).__name__} without a word"
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        rows = clf.label_distributions_
    if rows.shape != (clf.n_nodes_, len(clf.classes_)):
        return f"probabilities of shape {rows.shape}"
    if not np.isfinite(rows).all():
        return f"probabilities that are not finite: {rows[~np.isfinite(rows).all(axis=1)][0]}"
    if not np.allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-4):
        return f"probabilities that sum to {rows.sum(axis=1)}"
    return None


@pytest.mark.parametrize("number", range(CASES))
def test_a_wrong_argument_is_refused_in_words_or_fitted(number: int) -> None:
    made, given = case(number)
    found = tried(made, given)
    assert found is None, f"{found}\nfrom {made}\nand {given}"


def test_features_that_no_network_can_learn_from_are_a_value_error() -> None:
    X = SMALL.X.copy()
    X[0, 0] = 1e30
    with pytest.raises(ValueError, match="check that the features have no extreme values"):
        bgcn.BayesianGCNClassifier(settings={**QUICK, "features.scaling": "as_is"}).fit(X, SMALL.y, adjacency=SMALL.A)


def test_the_cases_are_of_both_kinds() -> None:
    """Both refusals and fits are among them, or the test above would say nothing."""
    refused = 0
    for number in range(100):
        made, given = case(number)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                bgcn.BayesianGCNClassifier(**made).fit(**given)
            except (ValueError, TypeError):
                refused += 1
    assert 40 < refused < 95
