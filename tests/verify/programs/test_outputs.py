"""Outputs of a program are read whole, with their names, order and shape, or refused by name."""

from collections import Counter, OrderedDict, UserDict, defaultdict, namedtuple
from enum import IntEnum
from itertools import combinations

import numpy as np
import pytest

import pufferproof as pp
from pufferproof.verify.programs.law import ProgramError
from pufferproof.verify.programs.mechanism import as_mechanism
from pufferproof.verify.programs.noise import value_of_drawn

pd = pytest.importorskip("pandas")


class Report(dict):
    pass


class Noted(str):
    __slots__ = ("note",)


def noted():
    counts = Counter("ab")
    counts.note = "secret"
    return counts


UNREAD = {
    "Series of pandas": lambda x: pd.Series(list(x)).value_counts(),
    "DataFrame of pandas": lambda x: pd.DataFrame({x: [1]}),
    "Index of pandas": lambda x: pd.Index([1], name=x),
    "Categorical of pandas": lambda x: pd.Categorical(["0"], categories=["0", x + "2"]),
    "Timestamp of pandas": lambda x: pd.Timestamp(int(x, 2), unit="s"),
    "dict_keys": lambda x: Counter(x + "01").keys(),
    "dict_values": lambda x: Counter(x).values(),
    "dict_items": lambda x: dict.fromkeys(x[::-1] + "01").items(),
    "an array of type": lambda x: np.array([(1,)], dtype=[("f" + x, int)]),
    "a void": lambda x: np.array([(1,)], dtype=[("f" + x, int)])[0],
    "a datetime64": lambda x: np.datetime64(int(x, 2), "ns"),
    "an array of type timedelta64": lambda x: np.array([int(x, 2)], dtype="m8[ns]"),
    "of type complex": lambda x: np.array([1j]),
    "an array of type float": lambda x: np.array([1], dtype=np.longdouble),
    "an array of shape": lambda x: np.zeros((0, int(x, 2))),
    "MaskedArray of numpy": lambda x: np.ma.array([1, 2], mask=[0, 1]),
    "matrix of numpy": lambda x: np.asmatrix([[1]]),
    "ndarray of": lambda x: np.array([1]).view(type("ndarray", (np.ndarray,), {})),
    "recarray of numpy": lambda x: np.rec.array([(1,)], names=["f" + x]),
    "UserDict": lambda x: UserDict(a=1),
    "Report": lambda x: Report(a=1),
    "Noted": lambda x: Noted("a"),
    "of type Counter": lambda x: noted(),
    "IntEnum": lambda x: IntEnum("IntEnum", {"f" + x: 1})(1),
    "range": lambda x: range(2),
    "object": lambda x: np.array(object()),
}


@pytest.mark.parametrize("words", UNREAD)
@pytest.mark.parametrize("inside", [lambda x: x, lambda x: [1, x], lambda x: {"a": (x,)}])
def test_what_is_not_read_whole_is_refused_by_name(words, inside):
    make = UNREAD[words]
    for x in ("001", "110"):
        with pytest.raises(pp.ModelError, match=rf"{words}.*: return a list or a dict of"):
            value_of_drawn(inside(make(x)))
    with pytest.raises(ProgramError, match=rf"{words}.*: return a list or a dict of"):
        as_mechanism(lambda x, rng: inside(make(x)), ["001", "110"])


def test_a_noisy_ranking_of_pandas_has_no_law_without_its_index():
    def ranking(database, rng):
        return UNREAD["Series of pandas"](database) + rng.laplace(scale=20, size=2)

    with pytest.raises(ProgramError, match="of type Series of pandas"):
        as_mechanism(ranking, ["001", "110"])
    with pytest.raises(pp.ModelError, match="expected a list or an array of outputs, found Series"):
        as_mechanism(lambda x, size, rng: pd.Series(["a"], index=[x]), ["0", "1"])


WHOLE = [
    [],
    [[], []],
    [None],
    [[1, 2]],
    [1, 2],
    {1, 2},
    {1: 2},
    {2: 1},
    {1: 1, 2: 1},
    {2: 1, 1: 1},
    namedtuple("Pair", "a b")(1, 2),
    namedtuple("Pair", "b a")(1, 2),
    1,
    True,
    "1",
    b"1",
    float("inf"),
]


def test_outputs_that_differ_have_different_values():
    assert value_of_drawn(np.str_("a")) == value_of_drawn("a")
    for one, other in combinations(WHOLE, 2):
        assert value_of_drawn(one) != value_of_drawn(other), (one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.array([[1, 2]]), [[1, 2]]),
        (np.array([[], []]), [[], []]),
        (np.array([[1, 2.5], [3, 4]], dtype=np.float32).T, [[1, 3], [2.5, 4]]),
        (np.array(["a", "b"]), ("a", "b")),
        (np.array([b"a"]), [b"a"]),
        (np.array([{1}, None], dtype=object), [{1}, None]),
        (np.array(["a"], dtype=np.dtypes.StringDType()), ["a"]),
        (np.float64(0.5), 0.5),
        (np.bool(True), True),
        (np.array(3), 3),
        (Counter("aab"), {"a": 2, "b": 1}),
        (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        (defaultdict(int, a=1), {"a": 1}),
        (frozenset("ab"), {"b", "a"}),
        (bytearray(b"x"), b"x"),
    ],
)
def test_arrays_and_kinds_of_dicts_are_read_whole(one, other):
    assert value_of_drawn(one) == value_of_drawn(other)
    laws = [as_mechanism(lambda x, rng, y=y: y, ["0"]).law.values for y in (one, other)]
    assert [*laws[0]] == [*laws[1]]
