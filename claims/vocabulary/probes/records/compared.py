"""Probes of the Markov quilt mechanism and its bounds."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.records import compared
from pufferproof.claims.vocabulary.entries.records.redaction import DIM_SHARE
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.records.redaction import De, Dh, levels
from pufferproof.claims.vocabulary.probes.records.stationary import a, b, n, p, ratio, tied_by
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import Term, letter

F = Fraction
AT = (a, b, ratio, De, Dh, n, p)
x, y = letter("x", NUMBER), letter("y", NUMBER)


def shares(draws: Draws) -> Instance:
    """Two shares of one to four records, most often apart by up to two records."""
    length = 1 + draws.below(4)
    y = F(draws.below(5), length)
    apart = draws.among([F(0), F(1), F(2), F(3), F(-1), F(1, 2)])
    return {"n": length - (draws.below(12) == 11), "y": y, "x": y + apart / length}


def _tied(name: str, term: Term, family: Callable[[Draws], Instance], other: Any) -> Probe:
    found = tied_by(name, term, family, other)
    return replace(found, using=f"{found.using} QuiltRedaction")


V = compared
PROBES: list[Probe] = [
    _tied(
        "chances of the Markov quilt mechanism",
        DIM_SHARE(V.MQ(*AT), n),
        levels,
        lambda a, b, R, De, Dh, n, p: V.MQ.value(a, b, R, De + 1, Dh, n, p),
    ),
    _tied(
        "lower bound of the Markov quilt mechanism",
        V.LOWER(*AT),
        levels,
        V.UPPER.value,
    ),
    _tied(
        "bound of data-independent mechanisms, as printed",
        V.UPPER(*AT),
        levels,
        V.LOWER.value,
    ),
    _tied(
        "exceeds by up to two records",
        V.UP_TO_TWO(x, y, n),
        shares,
        lambda x, y, n: iter((x == y,)),
    ),
]
