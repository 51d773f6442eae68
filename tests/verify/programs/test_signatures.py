"""Every parameter of every method that draws is used as its library uses it, or refused: the law of
a call with the parameter off its default against draws of the library's own generator.
"""

import inspect
import random
import re
import secrets

import numpy as np
import pytest
from tests.verify.programs.sampled import plausibility

from pufferproof import as_mechanism
from pufferproof.models.files.programs import Program
from pufferproof.verify.programs.drawing.generator import Generator
from pufferproof.verify.programs.drawing.signatures import GENERATOR, RANDOM, RANDOM_STATE, Row
from pufferproof.verify.programs.law import ProgramError, law_of
from pufferproof.verify.programs.paths import RefusedError, Run
from pufferproof.verify.programs.regions.integrals import Integrals
from pufferproof.verify.programs.watching.calls import watched
from pufferproof.verify.programs.watching.elsewhere import StandardDraws

CUTS = (-0.5, 0.4, 1.5)
LIKELY = 1e-6  # each of about 150 right laws falls below with this probability; seeds are fixed
ALSO = {"bit_generator", "VERSION"}  # no methods
PLACED = {"getrandbits", "shuffle", "rand", "randn"}  # what has no name, or returns nothing

BOTH = {
    "beta": [{"a": 2, "b": 3}, {"a": 1, "b": [2, 3], "size": 2}],
    "binomial": [{"n": 3, "p": 0.3}, {"n": 2.0, "p": 0.7, "size": 2}],
    "bytes": [{"length": 1}],
    "chisquare": [{"df": 4}, {"df": 2, "size": 2}],
    "exponential": [{"scale": 2.0}, {"size": 2}],
    "gamma": [{"shape": 2}, {"shape": 3, "scale": 0.5, "size": 2}],
    "geometric": [{"p": 0.3}, {"p": 0.6, "size": 1}],
    "gumbel": [{"loc": 1.0}, {"scale": 0.5}, {"size": 1}],
    "hypergeometric": [{"ngood": 3, "nbad": 2, "nsample": 3}, {"ngood": 2, "nbad": 2, "nsample": 1, "size": 2}],
    "laplace": [{"loc": 0.3}, {"scale": 3.0}, {"size": 2}],
    "logistic": [{"loc": 0.5}, {"scale": 3.0}, {"size": 2}],
    "multinomial": [{"n": 2, "pvals": [0.2, 0.3, 0.5]}, {"n": 1, "pvals": [0.5, 0.5], "size": 2}],
    "negative_binomial": [{"n": 2, "p": 0.5}, {"n": 1, "p": 0.7, "size": 1}],
    "normal": [{"loc": 0.3}, {"scale": 3.0}, {"size": 2}],
    "permutation": [{"x": 3}, {"x": [[1, 2], [3, 4], [1, 2]]}],
    "poisson": [{"lam": 0.5}, {"size": 1}],
    "power": [{"a": 3}, {"a": 2, "size": 2}],
    "standard_exponential": [{"size": 2}],
    "standard_gamma": [{"shape": 2}, {"shape": 1, "size": 2}],
    "standard_normal": [{"size": 2}],
    "triangular": [{"left": 0, "mode": 1, "right": 3}, {"left": -1, "mode": -1, "right": 1, "size": 2}],
    "uniform": [{"low": -1}, {"high": 3.0}, {"low": 0.1, "high": 0.6, "size": 2}],
    "weibull": [{"a": 1}, {"a": 1.0, "size": 2}],
}
WEIGHTS = [0.1, 0.2, 0.7]
CHOICES = [
    {"a": ["x", "y", "x"]},
    {"a": 3, "size": 2},
    {"a": 3, "size": 2, "replace": False},
    {"a": ["x", "y", "z"], "p": WEIGHTS},
    {"a": 3, "size": 2, "p": WEIGHTS},
    {"a": 3, "size": 1, "replace": False, "p": WEIGHTS},
    {"a": 3, "replace": False, "p": WEIGHTS},
    {"a": [1, 2, 3], "size": (1, 2), "replace": False, "p": WEIGHTS},
    {"a": 3, "size": 3, "replace": False, "p": WEIGHTS},
    {"a": [0, 0, 1], "size": 2, "replace": False, "p": [0, 0.5, 0.5]},
]
OF_GENERATOR = BOTH | {
    "choice": [
        *CHOICES,
        {"a": [[1, 2], [3, 4]], "p": [0.3, 0.7]},
        {"a": 2, "size": 1, "replace": False, "shuffle": False},
        {"a": 3, "size": 2, "replace": False, "p": WEIGHTS, "shuffle": False},
    ],
    "integers": [
        {"low": 3},
        {"low": -1, "high": 2},
        {"low": 2.0, "high": 4.0, "size": 2},
        {"low": 2, "dtype": np.uint8},
        {"low": 2, "dtype": bool},
        {"low": 1, "endpoint": True},
        {"low": [1, 2], "high": [[3], [4]], "endpoint": True},
    ],
    "permuted": [{"x": [[1, 2], [3, 3]]}],
    "random": [{"size": 2}, {"dtype": np.dtype("d")}],
    "shuffle": [{"x": [1, 1, 2]}, {"x": np.arange(6).reshape(3, 2)[:, ::-1]}],
    "standard_exponential": [{"size": 2}, {"method": "inv"}, {"dtype": float}],
    "standard_gamma": [{"shape": 2, "size": 2}, {"shape": 1, "dtype": np.float64}],
    "standard_normal": [{"size": 2}, {"dtype": "f8"}],
}
OF_STATE = BOTH | {
    "choice": CHOICES,
    "permutation": BOTH["permutation"],
    "rand": [{}, {"args": (2,)}],
    "randint": [{"low": 3}, {"low": 1, "high": 3.0, "size": 2}, {"low": 3, "dtype": np.int8}],
    "randn": [{}, {"args": (1, 2)}],
    "random": [{"size": 2}],
    "random_sample": [{"size": 2}],
    "shuffle": [{"x": [1, 1, 2]}, {"x": np.arange(6).reshape(3, 2)}],
    "uniform": [*BOTH["uniform"], {"low": 1, "high": 0}],
}
OF_RANDOM = {
    "betavariate": [{"alpha": 2, "beta": 3}],
    "binomialvariate": [{"n": 3}, {"p": 0.3}],
    "choice": [{"seq": "abb"}],
    "choices": [
        {"population": "ab", "k": 2},
        {"population": "ab", "weights": [1, 3]},
        {"population": "abc", "cum_weights": [1, 3, 4], "k": 2},
        {"population": "ab", "weights": [0.1, 0.2]},
    ],
    "expovariate": [{"lambd": 2}, {"lambd": -0.5}],
    "gammavariate": [{"alpha": 2, "beta": 0.5}],
    "gauss": [{"mu": 0.3, "sigma": 1}, {"mu": 0, "sigma": 3}, {"mu": 0, "sigma": -2}],
    "getrandbits": [{"args": (3,)}],
    "normalvariate": [{"mu": 0.3, "sigma": 1}, {"mu": 0, "sigma": 3}],
    "randbytes": [{"n": 1}],
    "randint": [{"a": 2, "b": 4}],
    "random": [{}],
    "randrange": [{"start": 3}, {"start": 1, "stop": 3}, {"start": 5, "stop": 0, "step": -2}],
    "sample": [
        {"population": "abb", "k": 2},
        {"population": "ab", "k": 2, "counts": [1, 2]},
        {"population": range(100), "k": 1},
    ],
    "shuffle": [{"x": [1, 1, 2]}, {"x": np.arange(4).reshape(2, 2)}],
    "triangular": [{"low": -1}, {"high": 3}, {"mode": 0.2}, {"low": 2, "high": 0, "mode": 0.5}],
    "uniform": [{"a": 2, "b": -1}],
    "weibullvariate": [{"alpha": 2, "beta": 1}],
}
TABLES = {
    "Generator": (np.random.Generator, GENERATOR, OF_GENERATOR),
    "RandomState": (np.random.RandomState, RANDOM_STATE, OF_STATE),
    "random": (random.Random, RANDOM, OF_RANDOM),
}


def cells(value):
    """Return a drawn value as one of a few, by comparisons alone."""
    if isinstance(value, str | bytes | None):
        return value[0] % 5 if isinstance(value, bytes) else value
    if isinstance(value, list | tuple | np.ndarray):
        return tuple(map(cells, value))
    if isinstance(value, float):
        return sum(bool(value > cut) for cut in CUTS)
    return next((k for k in range(-6, 3) if bool(value <= k)), 3)


def drawn(name, method, call):
    named = {k: np.array(v) if isinstance(v, np.ndarray) else v for k, v in call.items()}
    placed = named.pop("args", ())
    if "x" in named and name == "shuffle":
        copied = named["x"] if isinstance(named["x"], np.ndarray) else list(named["x"])
        if method(copied) is not None:  # pytest writes `locals()` for an assertion
            return "not in place"
        return cells(copied)
    value = method(*placed, **named)
    if name == "gumbel":  # which is compared with others of its scale
        scale = {"scale": named["scale"]} if "scale" in named else {}
        return cells(value - method(**scale) > 1)
    return cells(value > 0.4 if name == "logistic" else value)


def calls(table, owner):
    return [
        pytest.param(name, call, id=f"{name}-{number}")
        for name, listed in table.items()
        for number, call in enumerate(listed)
        if hasattr(owner, name)
    ]


def calling(owner, name, call):
    """Return a program that names a method, as people do: `getattr` could name anything."""
    named = {"drawn": drawn, "owner": owner, "call": call}
    return eval(f"lambda _, rng: drawn({name!r}, owner.{name}, call)", named)


def watched_law(program):
    with watched(Program(program, "program")) as call:
        return law_of(call, ["0"])


@pytest.mark.parametrize(("name", "call"), calls(OF_GENERATOR, np.random.Generator))
def test_a_call_of_rng_has_the_law_of_numpys_draws(name, call):
    program = lambda _, rng: drawn(name, getattr(rng, name), call)  # noqa: E731
    assert plausibility(program, "0", 1000) > LIKELY


@pytest.mark.parametrize(("name", "call"), calls(OF_STATE, np.random))
def test_a_call_of_numpys_global_state_has_the_law_of_its_draws(name, call):
    program = calling(np.random, name, call)
    law = watched_law(program)
    kept = np.random.get_state()
    np.random.seed(11)
    assert plausibility(program, "0", 1000, law=law) > LIKELY
    np.random.set_state(kept)


@pytest.mark.parametrize(("name", "call"), calls(OF_RANDOM, random))
@pytest.mark.parametrize("system", [False, True])
def test_a_call_of_random_has_the_law_of_its_draws(name, call, system, monkeypatch):
    owner = random.SystemRandom() if system else random
    program = calling(owner, name, call)
    law = watched_law(program)
    monkeypatch.setattr(random, "_urandom", np.random.default_rng(7).bytes)
    kept = random.getstate()
    random.seed(11)
    assert plausibility(program, "0", 1000, law=law) > LIKELY
    random.setstate(kept)


@pytest.mark.parametrize(
    ("program", "count"),
    [
        (lambda _, rng: secrets.randbelow(3), 3),
        (lambda _, rng: secrets.randbits(2), 4),
        (lambda _, rng: secrets.choice("abc"), 3),
        (lambda _, rng: secrets.token_bytes(1)[0], 256),
        (lambda _, rng: secrets.token_hex(1), 256),
    ],
)
def test_secrets_are_uniform(program, count):
    law = as_mechanism(program, ["0"]).value
    assert [law.probability("0", y) * count for y in law.outputs] == [1] * count


@pytest.mark.parametrize("table", TABLES)
def test_every_used_parameter_is_tried_off_its_default(table):
    owner, rows, tried = TABLES[table]
    assert {row.name for row in rows.values() if row.lawful} == tried.keys()
    for row in rows.values():
        for parameter in row.signature.parameters.values() if row.lawful else ():
            if parameter.name in row.refused or row.name in PLACED:
                continue
            values = [call[parameter.name] for call in tried[row.name] if parameter.name in call]
            assert any(value is not parameter.default for value in values), (row, parameter)
    assert owner is not None


def named_parameters(method):
    """Return the parameters of a library's method, from its text where it has no signature."""
    try:
        return list(inspect.signature(method).parameters.values())[1:]
    except ValueError:
        inside = re.match(r"\w+\((.*)\)", method.__doc__.strip().splitlines()[0])[1]
        return re.findall(r"(\w+)(?:=[^,]*)?", inside)


@pytest.mark.parametrize("table", TABLES)
def test_the_table_has_every_method_and_parameter_of_the_library(table):
    owner, rows, _ = TABLES[table]
    public = {name for name in dir(owner) if not name.startswith("_")} - ALSO
    assert public <= rows.keys()
    for name in public:
        found, written = named_parameters(getattr(owner, name)), rows[name].signature.parameters
        names = [getattr(each, "name", each) for each in found]
        assert names == [*written]
        for each in found:
            if isinstance(each, str):
                continue
            assert each.kind == written[each.name].kind
            default = written[each.name].default
            if each.name == "dtype":
                assert np.dtype(each.default) == np.dtype(default)
            else:
                assert each.default in (default, inspect.Parameter.empty)


def test_stand_ins_take_what_is_used_and_nothing_else():
    for kind, rows in ((Generator, GENERATOR), (StandardDraws, RANDOM)):
        for row in filter(lambda row: row.lawful, rows.values()):
            own = inspect.unwrap(getattr(kind, row.name))
            if not own.__module__.startswith("pufferproof"):
                continue  # Python's own code
            found = [*inspect.signature(own).parameters.values()][1:]
            dropped = row.refused | row.same
            used = [p for p in row.signature.parameters.values() if p.name not in dropped]
            assert [(p.name, p.default) for p in found] == [(p.name, p.default) for p in used]


REFUSED = {"axis": 1, "out": np.empty(2)}


@pytest.mark.parametrize(
    ("row", "parameter"),
    [
        pytest.param(row, name, id=f"{row.name}-{name}")
        for row in GENERATOR.values()
        for name in sorted(row.refused)
        if row.lawful
    ],
)
def test_a_parameter_without_a_law_is_refused_by_name(row: Row, parameter):
    call = {**OF_GENERATOR[row.name][0], parameter: REFUSED[parameter]}
    with pytest.raises(ProgramError, match=f"calls {row.name} with {parameter}"):
        law_of(lambda _, rng: str(getattr(rng, row.name)(**call)), ["0"])
    with pytest.raises(ProgramError, match="float32"):
        law_of(lambda _, rng: rng.random(dtype=np.float32) < 0.3, ["0"])


@pytest.mark.parametrize(("owner", "name"), [("rng", "zipf"), ("np", "zipf"), ("py", "paretovariate")])
def test_methods_without_a_law_are_refused_by_name(owner, name):
    def program(_, rng):
        return getattr({"rng": rng, "np": np.random, "py": random}[owner], name)(2) > 1

    with pytest.raises(ProgramError, match=name):
        as_mechanism(program, ["0"])


def test_a_parameter_that_only_a_newer_library_has_is_refused(monkeypatch):
    row = GENERATOR["laplace"]
    newer = Row(row.name, row.signature, True, row.refused, row.same, lambda self, loc, tail: 0)
    with pytest.raises(RefusedError, match="a parameter that is unknown here"):
        newer.bound((1,), {"tail": 2}, Run(None, Integrals(), None).refuse)


@pytest.mark.parametrize(
    "call",
    [
        *("laplace(0, -1)", "laplace(1, 2, 3, 4)", "laplace(shape=2)", "integers(3, dtype=float)"),
        *("integers(0)", "integers(5, 5)", "integers(300, dtype='u1')", "integers(3, dtype=bool)"),
        *("geometric(0)", "geometric()", "poisson(-1)", "binomial(-1, 0.5)", "binomial(2, 1.5)"),
        *("multinomial(-1, [1.0])", "multinomial(2, [0.5, 0.6, 0.1])", "choice([])", "choice(0)"),
        *("choice(3, 4, False)", "choice(3, 2, False, [1, 0, 0])", "choice(3, p=[0.5, 0.5])"),
        *("choice(2, p=[0.5, 0.6])", "choice(2, p=[-0.5, 1.5])", "uniform(2, 1)", "beta(0, 1)"),
        *("shuffle((1, 2))", "shuffle('ab')", "triangular(0, 2, 1)", "random(dtype=int)"),
        *("permuted([1, 2], 1)", "negative_binomial(0, 0.5)", "standard_gamma(-1)", "laplace('a')"),
    ],
)
def test_what_numpy_does_not_take_raises_here_as_well(call):
    def program(_, rng):
        try:
            eval(f"rng.{call}", {"rng": rng})
        except (TypeError, ValueError):
            return "raised"
        return "drew"

    assert program("0", np.random.default_rng(1)) == "raised"
    assert law_of(program, ["0"]).outputs == ("raised",)
