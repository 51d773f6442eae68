"""Probes of the promise."""

from collections.abc import Callable
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations import promise
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO, at, pairs_of
from pufferproof.claims.vocabulary.families import framework, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NUMBER, mechanism, member, pairs, priors, secret, table, tables, weights
from pufferproof.claims.vocabulary.terms import letter

ratio = letter("ratio", NUMBER)
M, K = letter("M", mechanism("D", "W")), letter("K", table("W", "V"))
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")
c, Ms = letter("c", weights("C")), letter("Ms", tables("C", "D", "W"))
p, s, t = letter("p", weights("D")), letter("s", secret("D")), letter("t", secret("D"))
x, w, v, i = (letter(a, member(b)) for a, b in (("x", "D"), ("w", "W"), ("v", "V"), ("i", "C")))


def drawn(draws: Draws) -> Instance:
    """A framework, and a prior, a pair and one of each set."""
    found = framework(draws)
    one, other = found["pairs"][0]
    return {
        **found,
        "p": _signed(vector(draws, found["D"])) if draws.below(4) == 3 else vector(draws, found["D"]),
        "s": one,
        "t": other,
        "x": draws.below(found["D"]),
        "w": draws.below(found["W"]),
        "v": draws.below(found["V"]),
        "i": draws.below(found["C"]),
    }


def _signed(p: list[Fraction]) -> list[Fraction]:
    """The same total, with an entry that is negative."""
    return [p[0] + 2, p[1] - 2, *p[2:]]


def _swapped(entry: Any) -> Callable[..., Any]:
    """The same with the order of each pair reversed."""
    return lambda R, M, pairs, priors: entry.value(R, M, [(t, s) for s, t in pairs], priors)


def _strict(values: Any) -> object:
    return ((Fraction(1, 100), right) for _, right in pairs_of(values))


PROBES = [
    Probe("law", promise.LAW(p), "D", drawn, {"law": lambda p: iter((sum(p) == 1,))}),
    Probe(
        "no entry negative",
        promise.NONNEGATIVE(K),
        "W V",
        drawn,
        {"no entry negative": lambda K: _strict([y for row in K for y in row])},
    ),
    Probe("no weight negative", promise.WEIGHTS(c), "C", drawn, {"no weight negative": _strict}),
    Probe(
        "likelihood",
        promise.LIKELIHOOD(K),
        "W V",
        drawn,
        {"likelihood": lambda K: _strict([y for row in K for y in row])},
    ),
    Probe("weight inside", promise.INSIDE(p, s, x), "D", drawn, {"weight inside": lambda p, s, x: p[x]}),
    Probe("P", promise.P(p, s), "D", drawn, {"P": lambda p, s: sum(p, ZERO)}),
    Probe(
        "Pw",
        promise.PW(p, M, s, w),
        "D W",
        drawn,
        {"Pw": lambda p, M, s, w: promise.joint(p, M, frozenset(range(len(p))), w)},
    ),
    Probe("keeps", promise.KEEPS(ratio, M, Q, T), "D W", drawn, {"keeps": _swapped(promise.KEEPS)}),
    Probe(
        "keeps at",
        promise.KEEPS_AT(ratio, p, M, s, t, w),
        "D W",
        drawn,
        {"keeps at": lambda R, p, M, s, t, w: promise.KEEPS_AT.value(R, p, M, t, s, w)},
    ),
    Probe(
        "process",
        at(promise.PROCESS(M, K), x, v),
        "D W V",
        drawn,
        {"process": lambda M, K: promise.PROCESS.value(M, K[::-1])},
    ),
    Probe(
        "hidden coin",
        at(promise.HIDDEN(c, Ms), x, w),
        "D W C",
        drawn,
        {"hidden coin": lambda c, Ms: promise.HIDDEN.value(c[::-1], Ms)},
    ),
    Probe(
        "published coin",
        promise.KEEPS(ratio, promise.PUBLISHED(c, Ms), Q, T),
        "D W C",
        drawn,
        {"published coin": lambda c, Ms: promise.PUBLISHED.value([abs(a) for a in c], Ms)},
    ),
]
