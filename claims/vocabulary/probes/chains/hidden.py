"""Probes of records of a chain that are hidden around one of them."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import gaps, hidden
from pufferproof.claims.vocabulary.families import CLOSE, rarely, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.chains.gaps import i, n
from pufferproof.claims.vocabulary.probes.chains.powers import A, P, b, m, ratio, v, w

F = Fraction


def hiding(draws: Draws, most: int = 4) -> Instance:
    """Two or three values, steps with zeros, a first law with zeros, one record up to four of two
    values or three of three, one of them, how many are hidden, and R, often the least of some
    block, or close to it.
    """
    size = 2 + rarely(draws)
    number = 1 + draws.below(most + 2 - size)
    place = draws.below(number)
    count = 1 + draws.below(number)
    found: Instance = {
        **{"A": size, "n": number, "i": place, "b": count},
        **{"m": [*draws.law(size, 3)], "P": [[*draws.law(size, 3)] for _ in range(size)]},
        **{"v": draws.below(size), "w": draws.below(size)},
    }
    low = min(draws.below(place + 1), number - count)
    ends = found["m"], found["P"], number, low, low + count
    compared = gaps.QUILT_WITHIN.value(F(1), *ends, place, found["v"], found["w"], size)
    least = max((left / right for left, right in compared if right > 0), default=F(1))
    return {**found, "ratio": least * draws.among([*CLOSE])}


def loose(draws: Draws) -> Instance:
    """As above, of up to three records, but at times weights that are no laws, or a record or a
    number of them that there is not.
    """
    found = dict(hiding(draws, 3))
    if rarely(draws):
        found["m"] = vector(draws, found["A"])
    if rarely(draws):
        found["P"] = [vector(draws, found["A"]) for _ in range(found["A"])]
    if rarely(draws):
        found |= {"i": draws.below(4), "b": draws.below(4)}
    return found


LETTERS = (ratio, m, P, n, i, b, v, w, A)
USING = "Chains Powers Spectra Tables HiddenBlocks"
PROBES = [
    Probe(
        "hidden records",
        hidden.HIDING(*LETTERS),
        "A",
        loose,
        {"hidden records": lambda *at: hidden.HIDING.value(*at[:5], at[5] + 1, *at[6:])},
        USING,
    ),
    Probe(
        "hidden block",
        hidden.BLOCK(*LETTERS),
        "A",
        loose,
        {"hidden block": lambda *at: hidden.BLOCK.value(*at[:5], at[5] + 1, *at[6:])},
        USING,
    ),
]
