"""Features in any form."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from bgcn import BayesianGCNClassifier, Dataset, DataWarning, read
from bgcn._features import features_of
from conftest import Problem
from forms import named_frame, rows_of, torch_of
from scipy import sparse

NAN = float("nan")


# Features.


def unsorted(p: Problem) -> sparse.csr_matrix:
    """Columns of every row backwards, each entry in two halves."""
    rows, columns = np.indices(p.X.shape)
    whole = sparse.csr_matrix(p.X)
    order = np.concatenate([np.arange(p.X.size).reshape(p.X.shape)[:, ::-1].ravel()] * 2)
    order = order[np.argsort(rows.ravel()[order], kind="stable")]
    starts = np.arange(0, 2 * p.X.size + 1, 2 * p.X.shape[1])
    made = sparse.csr_matrix((p.X.ravel()[order] / 2, columns.ravel()[order], starts), shape=p.X.shape)
    assert not made.has_canonical_format
    assert (made != whole).nnz == 0
    return sparse.csr_matrix((p.X.ravel()[order] / 2, columns.ravel()[order], starts), shape=p.X.shape)


def read_only(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.setflags(write=False)
    return array


FEATURES: dict[str, Callable[[Problem], Any]] = {
    "float64": lambda p: p.X.astype(np.float64),
    "longdouble": lambda p: p.X.astype(np.longdouble),
    "objects": lambda p: p.X.astype(object),
    "lists": lambda p: p.X.tolist(),
    "in columns": lambda p: np.asfortranarray(p.X),
    "with gaps": lambda p: np.repeat(np.repeat(p.X, 2, axis=0), 3, axis=1)[::2, ::3],
    "backwards in memory": lambda p: p.X[::-1].copy()[::-1],
    "read-only": lambda p: read_only(p.X),
    "writable": lambda p: p.X.copy(),
    "byte-swapped": lambda p: p.X.astype(p.X.dtype.newbyteorder()),
    "byte-swapped float64": lambda p: p.X.astype(">f8"),
    "numpy.matrix": lambda p: p.X.view(np.matrix),
    "masked without a mask": lambda p: np.ma.masked_array(p.X),
    "a frame": lambda p: pd.DataFrame(p.X),
    "a frame of nullable numbers": lambda p: pd.DataFrame(p.X).astype("Float32"),
    "a frame of objects of pandas' sparse": lambda p: pd.DataFrame(p.X).astype("Sparse[float32]"),
    "torch": lambda p: torch_of(p.X),
    "torch float64": lambda p: torch_of(p.X).double(),
    "torch with gradients": lambda p: torch_of(p.X).requires_grad_(),
    "torch sparse": lambda p: torch_of(p.X).to_sparse(),
}


@pytest.mark.parametrize("kind", FEATURES)
@pytest.mark.usefixtures("strict")
def test_features_of_any_kind_give_the_same_fit(small, quick, kind):
    np.testing.assert_array_equal(rows_of(small, quick, X=FEATURES[kind](small)), rows_of(small, quick))


@pytest.mark.parametrize("kind", ["i1", "i2", "i4", "i8", "u1", "u8", "?", ">i4", "f2", "O"])
def test_whole_numbers_of_any_width_give_the_same_fit(small, quick, kind):
    counts = (small.X > 0).astype(np.float32)
    np.testing.assert_array_equal(rows_of(small, quick, X=counts.astype(kind)), rows_of(small, quick, X=counts))


SPARSE: dict[str, Callable[[Problem], Any]] = {
    **{
        kind: lambda p, kind=kind: sparse.csr_matrix(p.X).asformat(kind) for kind in ("csc", "coo", "lil", "dok", "bsr")
    },
    "csr_array": lambda p: sparse.csr_array(p.X),
    "float64": lambda p: sparse.csr_matrix(p.X.astype(np.float64)),
    "duplicates, unsorted": unsorted,
    "int64 indices": lambda p: sparse.csr_matrix(
        (p.X.ravel(), np.tile(np.arange(8), 60), np.arange(0, 481, 8).astype(np.int64)), shape=p.X.shape
    ),
}


@pytest.mark.parametrize("kind", SPARSE)
def test_sparse_features_of_any_kind_give_the_same_fit(small, quick, kind):
    given = SPARSE[kind](small)
    wanted = rows_of(small, quick, X=sparse.csr_matrix(small.X))
    np.testing.assert_array_equal(rows_of(small, quick, X=given), wanted)
    np.testing.assert_allclose(wanted, rows_of(small, quick), atol=1e-4)


def test_very_many_sparse_columns_are_numbered_by_use(small, quick):
    places = np.array([3, 17, 2**20, 2**30, 2**31 - 1, 2**31, 2**31 + 9, 2**32 - 3])
    entries = (small.X.ravel(), np.tile(places, 60), np.arange(0, 481, 8))
    wide = sparse.csr_matrix(entries, shape=(60, 2**32 - 2))
    with pytest.warns(DataWarning, match="of 4294967294 columns 8 hold something"):
        clf = BayesianGCNClassifier(**quick).fit(wide, small.y, adjacency=small.A)
    few = sparse.csr_matrix(small.X)
    np.testing.assert_array_equal(clf.label_distributions_, rows_of(small, quick, X=few))
    again = BayesianGCNClassifier(**quick).fit(few, small.y, adjacency=small.A)
    with pytest.warns(DataWarning, match="of 4294967294 columns 8 hold something"):
        found = clf.predict_proba(wide, adjacency=small.A)
    np.testing.assert_array_equal(found, again.predict_proba(few, adjacency=small.A))


def test_sparse_features_are_not_changed(small):
    given = unsorted(small)
    before = given.indices.copy()
    data = Dataset(given, adjacency=small.A)
    np.testing.assert_array_equal(given.indices, before)
    np.testing.assert_array_equal(data.features.toarray(), small.X)


def test_categories_become_a_column_each(small, quick):
    words = np.array(["x", "y", "z"])[np.arange(60) % 3]
    frame = pd.DataFrame({"size": small.X[:, 0], "word": words, "on": small.X[:, 1] > 0})
    by_hand = np.column_stack([small.X[:, 0], words == "x", words == "y", words == "z", small.X[:, 1] > 0])
    wanted = rows_of(small, quick, X=by_hand.astype(np.float32))
    for kind in ("object", "string", "category"):
        clf = BayesianGCNClassifier(**quick).fit(frame.astype({"word": kind}), small.y, adjacency=small.A)
        np.testing.assert_array_equal(clf.label_distributions_, wanted)
        assert clf.feature_names_in_.tolist() == ["size", "word", "on"]
        assert clf.n_features_in_ == 3


@pytest.mark.parametrize("kind", ["object", "string", "category"])
def test_a_missing_category_is_all_zeros_and_that_is_said(kind):
    frame = pd.DataFrame({"word": pd.Series(["x", None, "y"], dtype=kind)})
    with pytest.warns(DataWarning, match=r"zero in every category of the column: word \(1\)"):
        data = Dataset(frame, adjacency=[(0, 1)])
    assert data.features.tolist() == [[1, 0], [0, 0], [0, 1]]


def test_columns_that_cannot_be_features_are_left_out_as_in_files():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "account": rng.choice(200_000_000, 60, replace=False) + 20_000_000,
            "page_name": [f"page {i}" for i in range(60)],
            "seen": pd.date_range("2020", periods=60),
            "born": [f"19{i + 20}-05-01" for i in range(60)],
            "views": rng.integers(0, 40, 60),
            "country": ["NL"] * 60,
            "kind": ["a", "b"] * 30,
        }
    )
    pairs = [(i, i + 1) for i in range(59)]
    with pytest.warns(DataWarning, match=r"features: columns left out: account \(.*page_name .*seen .*born .*country"):
        data = Dataset(frame, adjacency=pairs)
    assert data.feature_names == ["views", "kind=a", "kind=b"]
    assert any("`columns`" not in remark and "columns=" in remark for remark in data.remarks)
    assert pickle.loads(pickle.dumps(data)).remarks == data.remarks
    with pytest.warns(DataWarning, match="account"):
        assert Dataset(frame[["account"]], adjacency=pairs).features is None


def test_columns_are_chosen_by_name():
    frame = pd.DataFrame({"account": range(31_000_000, 31_000_060), "size": range(60), "lists": [[1]] * 60})
    for columns, names in [("-lists,-size", []), (["account"], ["account"]), ("account, size", ["account", "size"])]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)
            found = features_of(frame, columns=columns)
        assert found.table.outputs == names
    with pytest.raises(ValueError, match=r"the column \"sise\" of columns= is not there"):
        features_of(frame, columns="sise")
    with pytest.raises(ValueError, match="X is none; give a DataFrame"):
        features_of(np.eye(3), columns="size")


def test_columns_of_files_are_chosen_by_name(tmp_path):
    table = pd.DataFrame(
        {"id": range(40, 60), "size": [i % 7 for i in range(20)], "age": [i * i % 9 for i in range(20)]}
    )
    table.to_csv(tmp_path / "nodes.csv", index=False)
    pd.DataFrame({"source": range(40, 59), "target": range(41, 60)}).to_csv(tmp_path / "edges.csv", index=False)
    for columns, names in [
        ("size", ["size"]),
        (["-size"], ["age"]),
        ("size, age", ["size", "age"]),
        (None, ["size", "age"]),
    ]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)
            assert read(tmp_path, columns=columns).feature_names == names
    with pytest.raises(ValueError, match=r"the column \"sise\" of columns= is not there"):
        read(tmp_path, columns="sise")


def test_missing_numbers_are_the_mean_of_the_fit(small, quick):
    frame = pd.DataFrame(small.X, columns=list("abcdefgh"))
    gaps = frame.assign(a=frame.a.where(frame.index % 7 > 0))
    filled = gaps.assign(a=gaps.a.fillna(gaps.a.mean()))
    with pytest.warns(DataWarning, match=r"mean of the column: a \(9\)"):
        data = Dataset(gaps, adjacency=small.A)
    np.testing.assert_allclose(data.features, filled, atol=1e-6)
    clf = BayesianGCNClassifier(**quick).fit(frame, small.y, adjacency=small.A)
    other = frame.assign(a=frame.a.where(frame.index > 0))
    with pytest.warns(DataWarning, match="1 empty cells are the mean of the fit"):
        found = clf.predict_proba(other, adjacency=small.A)
    mean = other.assign(a=other.a.fillna(frame.a.mean()))
    np.testing.assert_allclose(found, clf.predict_proba(mean, adjacency=small.A), atol=1e-5)


def test_more_than_a_thousand_categories_are_refused():
    frame = pd.DataFrame({"town": [f"town {i % 1001}" for i in range(3000)]})
    with pytest.raises(ValueError, match=r"column town holds 1001 different texts.* Leave it out: columns='-town'"):
        Dataset(frame, adjacency=[(0, 1)])


def test_categories_that_the_fit_did_not_see_are_zeros_with_a_warning(small, quick):
    frame = pd.DataFrame({"word": np.array(["x", "y", "z"])[small.truth], "size": small.X[:, 0]})
    clf = BayesianGCNClassifier(**quick).fit(frame, small.y, adjacency=small.A)
    other = frame.assign(word=frame.word.where(frame.index > 0, "new"))
    with pytest.warns(DataWarning, match="column 'word' has categories that the fit did not see: new; all are 0"):
        found = clf.predict_proba(other, adjacency=small.A)
    none = frame.assign(word=frame.word.where(frame.index > 0, None))
    np.testing.assert_array_equal(found, clf.predict_proba(none, adjacency=small.A))


def test_columns_are_found_by_name(small, quick):
    X = named_frame(small).reset_index(drop=True)
    clf = BayesianGCNClassifier(**quick).fit(X, small.y, adjacency=small.A)
    np.testing.assert_array_equal(clf.predict_proba(X[X.columns[::-1]]), clf.label_distributions_)
    np.testing.assert_array_equal(
        clf.predict_proba(X[X.columns[::-1]], adjacency=small.A), clf.predict_proba(X, adjacency=small.A)
    )
    with pytest.raises(ValueError, match="X lacks the columns b, c that the fit had; give them all"):
        clf.predict(X.drop(columns=["b", "c"]))
    with pytest.warns(DataWarning, match="did not have are ignored: extra"):
        np.testing.assert_array_equal(clf.predict(X.assign(extra=1)), clf.transduction_)


FEATURE_ERRORS: list[tuple[Any, type[Exception], str]] = [
    (np.full((60, 2), NAN), ValueError, r"features, row 0, column 0: nan; features are finite numbers .* Replace it"),
    (np.full((60, 2), np.inf), ValueError, r"features, row 0, column 0: inf; features are finite"),
    (np.full((60, 2), 1e300), ValueError, r"row 0, column 0: 1e\+300; .* within the range of 32 bits"),
    (sparse.csr_matrix(np.full((60, 2), NAN)), ValueError, r"features, row 0, column 0: NaN"),
    (np.ones(60), ValueError, r"Expected 2D array, got 1D array instead: X has shape \(60,\)"),
    (np.ones((60, 2, 2)), ValueError, r"Expected 2D array, got 3D"),
    (5, ValueError, r"Expected 2D array, got 0D"),
    (np.ones((59, 2)), ValueError, r"graph has 60 nodes, but X has 59 rows"),
    (np.ones((60, 0)), ValueError, r"Found array with 0 feature\(s\).*None for one-hot node ids"),
    (sparse.csr_matrix((60, 0)), ValueError, r"Found array with 0 feature\(s\)"),
    (np.full((60, 2), "a"), ValueError, r"X is of type <U1; features are numbers. Encode words first"),
    (np.full((60, 2), 1j), ValueError, r"Complex data not supported"),
    (sparse.csr_matrix(np.full((60, 2), 1j)), ValueError, r"Complex data not supported"),
    (np.full((60, 2), "2020-01-01", "M8[D]"), ValueError, r"X is of type datetime64\[D\]; features are numbers"),
    (np.full((60, 2), None), (TypeError, ValueError), r"features, row 0|X holds what is no number"),
    (np.full((60, 2), {}, dtype=object), TypeError, r"X holds what is no number"),
    (np.full((60, 2), 10**400, dtype=object), ValueError, r"X holds what is no number: int too large"),
    (np.zeros((60, 2), dtype=[("a", "f4")]), ValueError, r"X is of type .*; features are numbers"),
    (np.ma.masked_array(np.ones((60, 2)), mask=np.eye(60, 2)), ValueError, r"row 0: an entry is masked"),
    (pd.DataFrame({"a": [1.0, np.inf] * 30}), ValueError, r"features, row 1: column a holds \"inf\" among numbers"),
    (pd.DataFrame({"a": [1.0, 1e300] * 30}), ValueError, r"features, row 1, column 'a': 1.*; features are finite"),
    (pd.DataFrame({"a": [[1]] * 60}), ValueError, r"column 'a' of X holds what is neither number nor category"),
    (pd.DataFrame({"a": [1j] * 60}), ValueError, r"Complex data not supported: column 'a'"),
    (
        pd.DataFrame(np.ones((60, 2)), columns=["a", "a"]),
        ValueError,
        r"X has two columns 'a'; every column has its own",
    ),
]


@pytest.mark.parametrize(("given", "kind", "text"), FEATURE_ERRORS)
@pytest.mark.filterwarnings("error")
def test_features_that_cannot_be_read_are_refused(small, given, kind, text):
    with pytest.raises(kind, match=text):
        BayesianGCNClassifier().fit(given, small.y, adjacency=small.A)
