"""Probes of histograms of tables."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import histograms
from pufferproof.claims.vocabulary.entries.foundations.logic import at
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.chains.powers import A, ratio
from pufferproof.claims.vocabulary.sorts import NATURAL, member
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
n, a = letter("n", NATURAL), letter("a", member("A"))
x, y = (letter(name, histograms.table_of("A", "n")) for name in "xy")


def two_tables(draws: Draws) -> Instance:
    """Two sequences of no to five members of a set of up to four, which differ at one place, or one
    time in four anywhere.
    """
    size, number = 1 + draws.below(4), (1 + draws.below(6)) % 6
    first = tuple(draws.below(size) for _ in range(number))
    place, value = draws.below(number or 1), draws.below(size)
    second = (*first[:place], value, *first[place + 1 :])[:number]
    if draws.below(4) == 3:
        second = tuple(draws.below(size) for _ in first)
    return {"A": size, "n": number, "x": first, "y": second}


def compared(draws: Draws) -> Instance:
    """As above, with one of the values and a rational number."""
    found = dict(two_tables(draws))
    number = F(draws.below(5), draws.among([1, 2, 3, 4, 5]))
    return {**found, "a": draws.below(found["A"]), "ratio": number}


BOTH = histograms.FREQUENCIES(x, n, A), histograms.FREQUENCIES(y, n, A)
USING = "Chains Stationary Histograms"
PROBES = [
    Probe(
        "differ at most once",
        histograms.DIFFER_ONCE(x, y),
        "A",
        two_tables,
        {"differ at most once": lambda x, y: iter((histograms.changes(x, y) <= 2,))},
        USING,
    ),
    Probe(
        "frequencies",
        ratio < at(BOTH[0], a),
        "A",
        compared,
        {"frequencies": lambda x, n, A: histograms.frequencies(x[1:], n, A)},
        USING,
    ),
    Probe(
        "distance in L1",
        ratio < histograms.DISTANCE_L1(*BOTH),
        "A",
        compared,
        {"distance in L1": lambda f, g: sum((abs(a - b) for a, b in zip(f, g)), F(0)) / 2},
        USING,
    ),
    Probe(
        "2 by a number",
        ratio < histograms.TWO_OVER(n),
        "",
        compared,
        {"2 by a number": lambda number: F(2, number + 1)},
        USING,
    ),
]
