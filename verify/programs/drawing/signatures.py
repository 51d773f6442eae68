"""Every method of NumPy's and Python's generators of random numbers, with every parameter.

One row is a method as its library writes it. A mark stands before a name:

| mark | what it means |
|---|---|
| none | the stand-in uses the parameter |
| `~` | the parameter chooses among algorithms of one law |
| `!` | the method has no exact law here; a parameter other than its default is refused |

A call is bound to its row, and the stand-in gets what is used: no parameter is ignored that is not
marked so. What a newer library has and no row names is refused.
"""

import ast
import inspect
import random
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import numpy as np

_SAME, _REFUSED = "~", "!"
_EMPTY = inspect.Parameter.empty
Refuse = Callable[[str], object]


@dataclass(frozen=True)
class Row:
    """A method: its signature without marks, and what the marks say."""

    name: str
    signature: inspect.Signature
    lawful: bool
    refused: frozenset[str]
    same: frozenset[str]
    own: Callable[..., object] | None = field(repr=False)  # the method of the library, if it has one

    def bound(self, given: tuple[object, ...], named: Mapping[str, object], refuse: Refuse) -> inspect.BoundArguments:
        """Return the arguments of a call that the stand-in uses. Raises `TypeError` as the library
        does, and refuses parameters that have no law here.
        """
        try:
            call = self.signature.bind(*given, **named)
        except TypeError:
            with suppress(TypeError, ValueError):  # of the library, which does not take it either
                inspect.signature(self.own).bind(None, *given, **named)  # type: ignore[arg-type]
                refuse(f"it calls {self.name} with a parameter that is unknown here")
            raise
        for name in [*call.arguments]:
            default = self.signature.parameters[name].default
            value = call.arguments[name]
            same = value is default or (type(value) is type(default) and bool(value == default))
            if name in self.refused and not same:
                refuse(f"it calls {self.name} with {name}, which has no exact law here")
            if name in self.refused or name in self.same:
                del call.arguments[name]
        return call


def signed(rows: Mapping[str, Row]) -> Callable[[type], type]:
    """Bind every call of the methods of a stand-in, which has a run, to their rows."""

    def decorated(kind: type) -> type:
        for name, row in rows.items():
            if row.lawful:
                setattr(kind, name, _bound(row, getattr(kind, name)))
        return kind

    return decorated


def _bound(row: Row, method: Callable[..., object]) -> Callable[..., object]:
    @wraps(method)
    def drawn(self: Any, /, *given: object, **named: object) -> object:
        call = row.bound(given, named, self._run.refuse)
        return method(self, *call.args, **call.kwargs)

    return drawn


def _rows(owner: object, text: str) -> Mapping[str, Row]:
    """Read the lines of a table: signatures in which names have marks."""
    rows, kind = {}, inspect.Parameter
    for line in filter(None, text.split("\n")):
        refused, same = (frozenset(re.findall(rf"(?<=.){mark}(\w+)", line)) for mark in (_REFUSED, _SAME))
        (call,) = ast.parse(f"def {line.replace(_REFUSED, '').replace(_SAME, '')}: ...").body
        if not isinstance(call, ast.FunctionDef):
            raise AssertionError(line)
        written = call.args
        places: list[tuple[ast.arg, inspect._ParameterKind]]
        places = [(name, kind.POSITIONAL_ONLY) for name in written.posonlyargs]
        places += [(name, kind.POSITIONAL_OR_KEYWORD) for name in written.args]
        defaults = [_EMPTY] * (len(places) - len(written.defaults))
        defaults += map(ast.literal_eval, written.defaults)
        found = [kind(name.arg, at, default=own) for (name, at), own in zip(places, defaults)]
        if written.vararg:
            found.append(kind(written.vararg.arg, kind.VAR_POSITIONAL))
        for name, own in zip(written.kwonlyargs, written.kw_defaults):
            default = _EMPTY if own is None else ast.literal_eval(own)
            found.append(kind(name.arg, kind.KEYWORD_ONLY, default=default))
        lawful, method = not line.startswith(_REFUSED), getattr(owner, call.name, None)
        rows[call.name] = Row(call.name, inspect.Signature(found), lawful, refused, same, method)
    return rows


GENERATOR = _rows(
    np.random.Generator,
    """
beta(a, b, size=None)
binomial(n, p, size=None)
bytes(length)
chisquare(df, size=None)
choice(a, size=None, replace=True, p=None, !axis=0, shuffle=True)
!dirichlet(alpha, size=None)
exponential(scale=1.0, size=None)
!f(dfnum, dfden, size=None)
gamma(shape, scale=1.0, size=None)
geometric(p, size=None)
gumbel(loc=0.0, scale=1.0, size=None)
hypergeometric(ngood, nbad, nsample, size=None)
integers(low, high=None, size=None, dtype="int64", endpoint=False)
laplace(loc=0.0, scale=1.0, size=None)
logistic(loc=0.0, scale=1.0, size=None)
!lognormal(mean=0.0, sigma=1.0, size=None)
!logseries(p, size=None)
multinomial(n, pvals, size=None)
!multivariate_hypergeometric(colors, nsample, size=None, method="marginals")
!multivariate_normal(mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd")
negative_binomial(n, p, size=None)
!noncentral_chisquare(df, nonc, size=None)
!noncentral_f(dfnum, dfden, nonc, size=None)
normal(loc=0.0, scale=1.0, size=None)
!pareto(a, size=None)
permutation(x, !axis=0)
permuted(x, *, !axis=None, !out=None)
poisson(lam=1.0, size=None)
power(a, size=None)
random(size=None, dtype="float64", !out=None)
!rayleigh(scale=1.0, size=None)
shuffle(x, !axis=0)
!spawn(n_children)
!standard_cauchy(size=None)
standard_exponential(size=None, dtype="float64", ~method="zig", !out=None)
standard_gamma(shape, size=None, dtype="float64", !out=None)
standard_normal(size=None, dtype="float64", !out=None)
!standard_t(df, size=None)
triangular(left, mode, right, size=None)
uniform(low=0.0, high=1.0, size=None)
!vonmises(mu, kappa, size=None)
!wald(mean, scale, size=None)
weibull(a, size=None)
!zipf(a, size=None)
""",
)

RANDOM_STATE = _rows(
    np.random.RandomState,
    """
beta(a, b, size=None)
binomial(n, p, size=None)
bytes(length)
chisquare(df, size=None)
choice(a, size=None, replace=True, p=None)
!dirichlet(alpha, size=None)
exponential(scale=1.0, size=None)
!f(dfnum, dfden, size=None)
gamma(shape, scale=1.0, size=None)
geometric(p, size=None)
!get_state(legacy=True)
gumbel(loc=0.0, scale=1.0, size=None)
hypergeometric(ngood, nbad, nsample, size=None)
laplace(loc=0.0, scale=1.0, size=None)
logistic(loc=0.0, scale=1.0, size=None)
!lognormal(mean=0.0, sigma=1.0, size=None)
!logseries(p, size=None)
multinomial(n, pvals, size=None)
!multivariate_normal(mean, cov, size=None, check_valid="warn", tol=1e-8)
negative_binomial(n, p, size=None)
!noncentral_chisquare(df, nonc, size=None)
!noncentral_f(dfnum, dfden, nonc, size=None)
normal(loc=0.0, scale=1.0, size=None)
!pareto(a, size=None)
permutation(x)
poisson(lam=1.0, size=None)
power(a, size=None)
rand(*args)
randint(low, high=None, size=None, dtype="int")
randn(*args)
random(size=None)
!random_integers(low, high=None, size=None)
random_sample(size=None)
!rayleigh(scale=1.0, size=None)
!seed(seed=None)
!set_state(state)
shuffle(x)
!standard_cauchy(size=None)
standard_exponential(size=None)
standard_gamma(shape, size=None)
standard_normal(size=None)
!standard_t(df, size=None)
!tomaxint(size=None)
triangular(left, mode, right, size=None)
uniform(low=0.0, high=1.0, size=None)
!vonmises(mu, kappa, size=None)
!wald(mean, scale, size=None)
weibull(a, size=None)
!zipf(a, size=None)
""",
)

RANDOM = _rows(
    random.Random,
    """
betavariate(alpha, beta)
binomialvariate(n=1, p=0.5)
choice(seq)
choices(population, weights=None, *, cum_weights=None, k=1)
expovariate(lambd=1.0)
gammavariate(alpha, beta)
gauss(mu=0.0, sigma=1.0)
getrandbits(k, /)
!getstate()
!lognormvariate(mu=0.0, sigma=1.0)
normalvariate(mu=0.0, sigma=1.0)
!paretovariate(alpha)
randbytes(n)
randint(a, b)
random()
randrange(start, stop=None, step=1)
sample(population, k, *, counts=None)
!seed(a=None, version=2)
!setstate(state)
shuffle(x)
triangular(low=0.0, high=1.0, mode=None)
uniform(a, b)
!vonmisesvariate(mu, kappa)
weibullvariate(alpha, beta)
""",
)
