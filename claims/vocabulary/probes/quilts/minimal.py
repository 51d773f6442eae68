"""Probes of minimal quilts."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.quilts import minimal
from pufferproof.claims.vocabulary.entries.records.accounts import records
from pufferproof.claims.vocabulary.families import rarely, subset
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.quilts.chains import A, C, chain, n
from pufferproof.claims.vocabulary.probes.quilts.tables import i
from pufferproof.claims.vocabulary.terms import letter

S = letter("some", records("a set of numbers of records"), "Q")


def any_set(draws: Draws) -> Instance:
    """One to four records with one to three values, one of these records but for one in eight, and
    a set of these and the next one, which is often one before the record and one after it.
    """
    number, size = draws.among([1, 2, 3, 3, 4]), draws.among([1, 2, 2, 2, 3])
    place = draws.below(number)
    if draws.whether():
        own = subset(draws, number + 1)
    else:
        sides = [range(place), range(place + 1, number)]
        own = frozenset(draws.among([*each]) for each in sides if each and draws.below(3))
    return {"A": size, "n": number, "i": number if rarely(draws) else place, "some": own}


def on_chains(draws: Draws) -> Instance:
    """As above, with one to three records with two values, and one or two chains."""
    at = dict(any_set(draws))
    at["n"] = min(at["n"], 3)
    return {**at, "A": 2, "class": [chain(draws, 2) for _ in range(1 + draws.below(2))]}


def on_any_weights(draws: Draws) -> Instance:
    """As above; one first law in four has a negative weight."""
    at = dict(on_chains(draws))
    if not draws.below(4):
        at["class"] = [at["class"][0]._replace(first=[Fraction(3, 2), Fraction(-1, 2)])]
    return at


USING = "Chains Segments Tables Minimal"
PROBES = [
    Probe(
        "at least two members",
        minimal.TWO(A),
        "A",
        any_set,
        {"at least two members": lambda size: iter((size > 2,))},
        USING,
    ),
    Probe(
        "minimal quilt",
        minimal.MINIMAL(S, i, n, A),
        "A",
        any_set,
        {"minimal quilt": lambda S, i, n, A: minimal.MINIMAL.value(S, i, n, 2)},
        USING,
    ),
    Probe(
        "minimal quilt around a piece",
        minimal.MINIMAL_PIECE(S, i, C, n, A),
        "A",
        on_chains,
        {"minimal quilt around a piece": lambda S, i, C, n, A: minimal.MINIMAL_PIECE.value(S, i + 1, C, n, A)},
        USING,
    ),
    Probe(
        "at most one record on each side",
        minimal.ONE_A_SIDE(S, i, n),
        "A",
        any_set,
        {"at most one record on each side": lambda S, i, n: iter((len(S) <= 2,))},
        USING,
    ),
]
