"""Probes of one side of a 3R mechanism."""

from collections.abc import Callable
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.records.redaction import THREE_R
from pufferproof.claims.vocabulary.entries.records.regions import relaxed
from pufferproof.claims.vocabulary.entries.records.regions.sides import SIDE_OF, VALUE_OF_BIT
from pufferproof.claims.vocabulary.entries.records.stationary import i0, i1
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.records.redaction import E, G, q, three_regions
from pufferproof.claims.vocabulary.probes.records.stationary import USING, a, b, least, n, p, ratio, t
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import Term, letter

F = Fraction
u = letter("u", NUMBER)
x, y, z = (letter(name, VALUE_OF_BIT) for name in "xyz")
AT = (a, b, E, G, q, p, t)
WHOLE = (a, b, E, G, q, n, p, t)
LEVEL = ["a", "b", "El", "Er", "qs", "p"]
CHANCES = [F(1), F(1, 2), F(3, 4), F(1, 4), F(9, 10)]


def records(draws: Draws) -> Instance:
    """Steps, two to four records with a private one at an end most often, budgets of both sides,
    often an influence of the value 0 or 1 at the distance of a record, chances q_k, one of which is
    now and then 0 or beyond 1, a record X_t, and values of three bits.
    """
    found = dict(three_regions(draws))
    length = 2 + draws.below(3)
    private = draws.among([0, 0, length - 1, draws.below(length)])
    for name in ("El", "Er"):
        if draws.below(3):
            D = draws.among([1, 2, 2, 3, 3])
            lower, upper = i0(found["a"], found["b"], D), i1(found["a"], found["b"], D)
            found[name] = draws.among([lower, lower, (lower + upper) / 2])
    found["qs"] = [draws.among(CHANCES) for _ in range(length)]
    if rarely(draws):
        found["qs"][draws.below(length)] = draws.among([F(0), F(3, 2), F(-1, 2)])
    values = {name: draws.below(2) for name in "xyz"}
    return {**found, "n": length, "p": private, "t": draws.below(length), **values}


def unredacted(draws: Draws) -> Instance:
    """All q_k are 1, now and then all but one."""
    found = records(draws)
    kept = {**found, "qs": [F(1)] * found["n"]}
    if draws.below(4) == 0:
        kept["qs"][draws.below(found["n"])] = draws.among(CHANCES)
    return kept


def levels(draws: Draws) -> Instance:
    """R is often the least level of the side of X_t, that of its conditions, the relaxed bound, or
    close to one of them.
    """
    found = records(draws)
    at = [found[each.name] for each in WHOLE]
    kind = draws.below(4)
    if kind == 0:
        return {**found, "ratio": relaxed.RELAXED.value(*at) * draws.among([*CLOSE])}
    if kind == 1:
        r = SIDE_OF.value(found["p"], found["t"], THREE_R.value(*(found[each] for each in LEVEL)))
        return {**found, "ratio": least(draws, {**found, "r": r})}
    sides = relaxed.CONDITIONS.value(F(1), *at)
    needed = [x / y for x, y in sides if y > 0]
    return {**found, "ratio": max(needed, default=F(1)) * draws.among([F(1), F(199, 200)])}


unredacted.__doc__ = f"{records.__doc__} {unredacted.__doc__}"
levels.__doc__ = f"{records.__doc__} {levels.__doc__}"


def _tied(name: str, term: Term, other: Callable[..., Any], family: Callable[[Draws], Instance] = records) -> Probe:
    return Probe(name, term, "", family, {name: other}, f"{USING} Sides RelaxedBounds")


V = relaxed
PROBES: list[Probe] = [
    _tied("budget of a side", V.BUDGET(E, G, p, t), lambda E, F, p, t: E if p < t else F),
    _tied(
        "quotient",
        V.OVER(u, ratio),
        lambda u, R: u,
        lambda draws: {name: draws.among([F(0), F(1), F(-2), F(3, 4)]) for name in ("u", "ratio")},
    ),
    _tied("positive chances", V.USABLE(q), lambda q: (0 <= each <= 1 for each in q)),
    _tied(
        "weight of replaced records before a value",
        V.BEFORE(*AT, z, x),
        lambda *at: V.BEFORE.value(*at[:-2], at[-1], at[-2]),
    ),
    _tied("weight of replaced records", V.MEAN(*AT, x), lambda *at: V.MEAN.value(*at[:-1], 1 - at[-1])),
    _tied("product over records of M", V.PRODUCT(*AT), V.LARGEST.value),
    _tied("least product over subsets of M", V.LEAST(*AT), V.LARGEST.value),
    _tied("largest product over subsets of M", V.LARGEST(*AT), V.LEAST.value),
    _tied(
        "conditions (5) and (6)",
        V.CONDITIONS(ratio, *WHOLE),
        lambda R, *at: V.CONDITIONS.value(R, *at[:4], [F(1, 2)], *at[5:]),
        levels,
    ),
    _tied("no redaction", V.UNREDACTED(q), lambda q: (each <= 1 for each in q), unredacted),
    _tied(
        "influence of the record behind",
        V.DELTA(a, b, E, G, n, p, t),
        lambda *at: V.DELTA.value(*at[:4], at[4] - 1, *at[5:]),
    ),
    _tied("relaxed bound of a side", V.RELAXED(*WHOLE), lambda *at: V.RELAXED.value(*at[:4], [F(1)], *at[5:])),
    _tied(
        "influence of the first record outside L",
        V.FIRST_OUTSIDE(a, b, E, G, n, p, t),
        lambda *at: V.FIRST_OUTSIDE.value(*at[:4], at[4] - 1, *at[5:]),
    ),
]
