"""Labels of any kind as class numbers or real values; -1, None, NaN and a missing key are unlabelled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._edges import as_numbers, is_counted, module_of, plain, shuffled
from ._remarks import DataWarning, warn
from ._types import Array

#: Negative numbers that often stand for an unknown label.
CODES = (-9, -99, -999, -9999)


@dataclass
class Labels:
    """Codes [n] with -1 for none, and the classes; or values [n] with NaN for none."""

    codes: npt.NDArray[np.int64] | None = None
    classes: Array | None = None
    values: npt.NDArray[np.float32] | None = None

    def arguments(self) -> dict[str, Any]:
        """For the library."""
        if self.values is not None:
            return {"numbers": self.values}
        if self.codes is None or self.classes is None:
            return {}
        return {"classes": self.codes, "class_names": [str(name) for name in self.classes.tolist()]}


def named(names: list[str]) -> Array:
    """Classes from their names in files: whole numbers where all of them are."""
    whole = all(name.removeprefix("-").isdecimal() and str(int(name)) == name for name in names)
    return np.array([int(name) for name in names]) if names and whole else np.array(names)


def listed(given: Any, ids: list[Any] | None, nodes: int | None, unnamed: bool = False) -> Any:
    """Labels in the order of the nodes: dicts, and a Series or frame with an index of its own, are looked up.

    Where the graph leaves its nodes ``unnamed``, an index that has their numbers in another order is refused.
    """
    hint = "Remove it"
    if hasattr(given, "iloc") and not is_counted(given.index) and (given.ndim == 1 or given.shape[1] == 1):
        given = given if given.ndim == 1 else given.iloc[:, 0]
        hint = "y is read by its index; y.to_numpy() is read by position"
        if not given.index.is_unique:
            twice = given.index[given.index.duplicated()][0]
            raise ValueError(f"labels: node {twice!r} has two; every node has one at most. {hint}")
        given = given.to_dict()
        if unnamed and shuffled(list(given), nodes or 0):
            raise ValueError(
                f"y has an index with 0 to {len(given) - 1} in another order, and the nodes have no names: give "
                "y.sort_index() if the index has the numbers of the nodes, or y.to_numpy() if y is in their order"
            )
    if not isinstance(given, Mapping):
        return given
    places = range(nodes or 0) if ids is None else ids
    number = {node: i for i, node in enumerate(places)}
    if not any(key in number for key in given) and all(isinstance(node, (int, np.integer)) for node in places):
        given = dict(zip(as_numbers(list(given), "y"), given.values(), strict=True))
    unknown = [key for key in given if key not in number]
    if unknown:
        raise ValueError(f"labels: node {unknown[0]!r} is not in the graph ({len(unknown)} such nodes). {hint}")
    out = np.empty(len(number), dtype=object)
    for key, label in given.items():
        out[number[key]] = label
    return out


def classes_of(given: Any) -> Labels:
    """Class labels."""
    array = _flat(given)
    if array.dtype.kind == "c":
        raise ValueError("y holds complex numbers; labels are classes")
    if array.dtype.kind in "iu":
        known = array != -1 if array.dtype.kind == "i" else np.ones(len(array), bool)
        classes, codes = np.unique(array[known], return_inverse=True)
    elif array.dtype.kind == "f":
        known = ~np.isnan(array) & (array != -1)
        seen = array[known]
        if not np.isfinite(seen).all():
            raise ValueError("y holds infinity; Input contains NaN or infinity where a label is needed")
        if not (seen == np.floor(seen)).all():
            raise ValueError(
                f"Unknown label type: y holds real numbers, such as {seen[seen != np.floor(seen)][0]}; "
                "use BayesianGCNRegressor for them, or whole numbers and words for classes"
            )
        classes, codes = np.unique(seen, return_inverse=True)
    elif array.dtype.kind in "USb":
        known = np.ones(len(array), bool)
        classes, codes = np.unique(array, return_inverse=True)
    else:
        known, classes, codes = _of_objects(array)
    out = np.full(len(array), -1, np.int64)
    out[known] = codes
    _complain(array, classes, int(known.sum()))
    return Labels(codes=out, classes=classes)


def _of_objects(array: Array) -> tuple[Array, Array, Array]:
    """Classes of mixed things, by their order or by how they are written."""
    known = np.array([not _is_missing(value) for value in array], dtype=bool)
    for value in array[known]:
        if isinstance(value, (float, np.floating)) and not np.isfinite(value):
            raise ValueError("y holds infinity; Input contains NaN or infinity where a label is needed")
        if isinstance(value, (float, np.floating)) and value != int(value):
            raise ValueError(f"Unknown label type: y holds real numbers, such as {value}; use BayesianGCNRegressor")
        if isinstance(value, (list, dict, set, np.ndarray)):
            raise ValueError(f"Unknown label type: y holds a {type(value).__name__}; labels are words or numbers")
    values = list(dict.fromkeys(array[known].tolist()))
    kinds = {str if isinstance(value, str) else type(value) for value in values}
    if len(kinds) > 1 and str in kinds:
        found = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise TypeError(f"y mixes types of labels: {found}; labels are argument must be a string or a number alike")
    try:
        values = sorted(values)
    except TypeError:
        values = sorted(values, key=str)
    number = {value: i for i, value in enumerate(values)}
    classes = np.array(values) if len(kinds) == 1 else np.array(values, dtype=object)
    if classes.ndim != 1:
        raise ValueError(f"Unknown label type: y holds a {type(values[0]).__name__}; labels are words or numbers")
    return known, classes, np.array([number[value] for value in array[known].tolist()], dtype=np.int64)


def _is_missing(value: Any) -> bool:
    """None, NaN, pandas' NA, and -1."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(value))
    if isinstance(value, (float, np.floating)):
        return bool(np.isnan(value)) or value == -1
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value == -1


def _complain(array: Array, classes: Array, known: int) -> None:
    if known == 0:
        raise ValueError("y has no labels (-1, None and NaN are unlabelled): nothing can be learnt. Label some nodes")
    if len(classes) == 1 and known < len(array) and array.dtype.kind in "if" and len(np.unique(array)) == 2:
        warn(f"y holds -1 and {classes[0]} alone: -1 is unlabelled, so there is one class. Use 0 and 1 for two")
    written = [name for name in classes.tolist() if isinstance(name, str) and name in ("-1", "nan", "None", "NaN", "")]
    if written:
        warn(f"y has the text {written[0]!r}, which is a class like any other text; None is unlabelled")
    codes = [name for name in classes.tolist() if name in CODES]
    if len(classes) > 2 and len(codes) == 1 and array.dtype.kind in "ifO":
        warn(f"y holds {codes[0]}, which is a class like any other number; -1, None and NaN are unlabelled")
    if len({str(name) for name in classes.tolist()}) < len(classes):
        raise ValueError("y has different labels that are written alike, such as 1 and '1'; rename one")


def values_of(given: Any, least: int = 2) -> Labels:
    """Real-valued labels, at least so many of them known."""
    array = _flat(given)
    if array.dtype.kind == "c":
        raise ValueError("y holds complex numbers; labels of a regression are real numbers")
    if array.dtype.kind == "O":
        array = np.array([np.nan if value is None or type(value).__name__ == "NAType" else value for value in array])
    if array.dtype.kind not in "iufb":
        raise ValueError(f"y is of type {array.dtype}; labels of a regression are numbers. Use BayesianGCNClassifier")
    with np.errstate(over="ignore"):
        values = array.astype(np.float32)
    if np.isinf(values).any():
        place = int(np.flatnonzero(np.isinf(values))[0])
        raise ValueError(f"labels, node {place}: {array[place]}; Input contains infinity, and NaN alone is unlabelled")
    known = int(np.count_nonzero(~np.isnan(values)))
    if known < least:
        found = "no sample has a label" if known == 0 else "one sample has a label"
        raise ValueError(f"y: {found} (NaN and None are unlabelled); a regression needs at least two. Label more nodes")
    return Labels(values=values)


def _flat(given: Any) -> Array:
    if hasattr(given, "tocsr"):
        raise TypeError("y is a sparse matrix; give a dense array, a list, a dict or a Series of labels")
    if module_of(given) == "torch":
        given = plain(given)
    if module_of(given) == "pandas" and not isinstance(getattr(given, "dtype", np.dtype(object)), np.dtype):
        # Whole numbers beside pandas' NA would become real numbers.
        given = np.asarray(given.astype(object))
    elif hasattr(given, "to_numpy"):
        given = given.to_numpy()
    if isinstance(given, (list, tuple)):
        given = _of_list(given)
    if isinstance(given, np.ma.MaskedArray):
        masked = np.ma.getmaskarray(given)
        given = np.asarray(given.astype(object))
        given[masked] = None
    array = np.asarray(given)
    if array.ndim == 2 and array.shape[1] == 1:
        text = "A column-vector y was passed when a 1d array was expected. Use y.ravel()."
        warn(text, _conversion_warning())
        array = array.ravel()
    if array.ndim != 1:
        raise ValueError(f"y has shape {array.shape}; one label per node is needed, in one dimension")
    return array


def _conversion_warning() -> type[Warning]:
    """scikit-learn's own, where it is loaded: its users filter by it."""
    import sys

    module = sys.modules.get("sklearn.exceptions")
    found: type[Warning] = getattr(module, "DataConversionWarning", DataWarning)
    return found


def _of_list(given: Any) -> Array:
    """Strings beside None stay what they are."""
    if any(value is None or isinstance(value, str) for value in given):
        array = np.empty(len(given), dtype=object)
        array[:] = given
        return array
    return np.asarray(given)
