"""Probes of queries with Laplace noise, and how these are drawn."""

from collections.abc import Sequence
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.noise import queries
from pufferproof.claims.vocabulary.entries.noise.queries import AND, RELEASED, SCALED_BY
from pufferproof.claims.vocabulary.families import CLOSE, rarely, subset, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NUMBER, pairs, priors, secret, weights
from pufferproof.claims.vocabulary.terms import Term, letter

F = Fraction
ratio = letter("ratio", NUMBER, "R")
some, twice = letter("F", queries.queries("D")), letter("F", queries.queries_twice("D"))
whole = letter("G", queries.integer_queries("D"))
f, c, r = (letter("f", queries.query("D")), letter("c", queries.AN_INTEGER), letter("r", queries.AN_INTEGER))
b, other = letter("b", queries.A_SCALE), letter("b'", queries.A_SCALE)
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")
p, s, t = letter("p", weights("D")), letter("s", secret("D")), letter("t", secret("D"))
ROOTS = (F(1, 2), F(1, 3), F(2, 3), F(3, 4))


def query(draws: Draws, size: int) -> list[int]:
    """Draw the values of a query, from 0 to 3."""
    return [draws.below(4) for _ in range(size)]


def queried(draws: Draws) -> Instance:
    """Two to four databases, one or two queries of integers, with scales; one or two priors, laws
    or now and then not, and a pair of secrets with perhaps its other order.
    """
    size = 2 + draws.below(3)
    one, two = (subset(draws, size) for _ in range(2))
    if draws.whether():
        two = frozenset(range(size)) - one
    some = [(query(draws, size), draws.among([*ROOTS])) for _ in range(1 + draws.below(2))]
    law = vector(draws, size)
    if rarely(draws):
        law = [each or F(-1, 200) for each in law]
    return {
        "D": size,
        "F": some,
        "p": law,
        "s": one,
        "t": two,
        "pairs": [(one, two), *[(two, one)] * draws.below(2)],
        "priors": [draws.law(size, 3) for _ in range(1 + draws.below(2))],
    }


def kept(draws: Draws) -> Instance:
    """As above, with a ratio that is often the least that the release keeps."""
    found = queried(draws)
    return {**found, "ratio": least(found, found["F"]) * draws.among([*CLOSE])}


def least(at: Instance, some: object) -> Fraction:
    """Return the least ratio that a release keeps, at least 1."""
    compared = KEEPS.value(F(1), RELEASED.value(some), at["pairs"], at["priors"])
    found: list[Fraction] = [left / right for left, right in compared if right > 0]
    return max([F(1), *found])


def scaled(draws: Draws) -> Instance:
    """As above, each query with two scales, of which the second is often the larger one."""
    found, both = queried(draws), []
    for each, root in found["F"]:
        more = root * draws.among([F(1), F(199, 200), F(2, 3)])
        both.append((each, (root, more) if rarely(draws) else (more, root)))
    few = [(each, scales[0]) for each, scales in both]
    return {**found, "F": both, "ratio": least(found, few) * draws.among([*CLOSE])}


def parallel(draws: Draws) -> Instance:
    """Two to four databases, a query of integers and an affine function of it, each with a scale,
    and none or one more query; a ratio that is often the least that both keep.
    """
    found = queried(draws)
    size = found["D"]
    roots = [draws.among([*ROOTS]) for _ in range(2)]
    values = [draws.below(3) for _ in range(size)]
    turned = {"f": values, "c": draws.below(3) - 1, "r": draws.below(4) - 1, "b": roots[0]}
    rest = found["F"][: draws.below(2)]
    if len(rest) and draws.whether():
        rest = [([draws.below(2) for _ in range(size)], rest[0][1])]
    merged = (values, queries.MERGED.value(roots[0], turned["r"], roots[1]))
    level = least(found, [merged, *rest]) * draws.among([*CLOSE])
    return {**found, **turned, "b'": roots[1], "F": rest, "ratio": level}


def kept_by(some: Term) -> Term:
    """That the noisy release of queries keeps R."""
    return KEEPS(ratio, RELEASED(some), Q, T)


def _values_of(place: int) -> Any:
    """The same with values given one secret alone."""
    return lambda F, p, *both: queries.ATTAINED.value(F, p, *[both[place]] * 2)


def _once(F: Sequence[Any]) -> object:
    return RELEASED.value([(each, F[0][1]) for each, _ in F])


def geometric(draws: Draws) -> Instance:
    """Two to four databases, one or two queries of integers, and none or one more; a ratio that is
    often the least that Laplace noise keeps.
    """
    found = queried(draws)
    more = [(query(draws, found["D"]), draws.among([*ROOTS]))] * draws.below(2)
    if len(found["F"]) + len(more) > 2:
        more = []
    level = least(found, [*found["F"], *more]) * draws.among([*CLOSE])
    return {**found, "G": found["F"], "F": more, "ratio": level}


TWO = AND(SCALED_BY(f, b), AND(SCALED_BY(queries.AFFINE(c, r, f), other), some))
MERGED = AND(SCALED_BY(f, queries.MERGED(b, r, other)), some)
GEOMETRIC = KEEPS(ratio, queries.GEOMETRIC(whole, some), Q, T)
LAPLACE = kept_by(queries.JOINED(queries.AS_REALS(whole), some))
PROBES = [
    Probe("noisy release", kept_by(some), "D", kept, {"noisy release": _once}, "Chains Noises"),
    Probe(
        "largest at values",
        queries.ATTAINED(some, p, s, t),
        "D",
        queried,
        {"largest at values": _values_of(0)},
        "Chains Noises",
    ),
    Probe(
        "first scales",
        kept_by(queries.FIRST(twice)),
        "D",
        scaled,
        {"first scales": queries.SECOND.value},
        "Chains Noises",
    ),
    Probe(
        "second scales",
        kept_by(queries.SECOND(twice)),
        "D",
        scaled,
        {"second scales": queries.FIRST.value},
        "Chains Noises",
    ),
    Probe(
        "scales rise",
        queries.RISE(twice),
        "D",
        scaled,
        {"scales rise": lambda F: (scales[::-1] for _, scales in F)},
        "Chains Noises",
    ),
    Probe(
        "affine query",
        kept_by(TWO),
        "D",
        parallel,
        {
            "with scale": lambda f, root: (f, F(1, 2)),
            "another query": lambda one, F: F or [one],
            "affine function": lambda c, r, f: [c - r + each for each in f],
        },
        "Chains Noises",
    ),
    Probe(
        "scale of two", kept_by(MERGED), "D", parallel, {"scale of two": lambda b, r, other: b * other}, "Chains Noises"
    ),
    Probe(
        "geometric noise",
        GEOMETRIC,
        "D",
        geometric,
        {"geometric noise": lambda G, F: RELEASED.value(G[:1])},
        "Chains Noises",
    ),
    Probe(
        "queries of both",
        LAPLACE,
        "D",
        geometric,
        {"integers as real numbers": lambda G: [(f[::-1], root) for f, root in G], "queries of both": lambda F, G: F},
        "Chains Noises",
    ),
]
