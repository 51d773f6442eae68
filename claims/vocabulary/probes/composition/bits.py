"""Probes of a mechanism that hides each of several fair bits."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition import bits
from pufferproof.claims.vocabulary.entries.foundations.logic import IFF, NATURAL_LESS
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NATURAL, NUMBER
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
n, p = letter("n", NATURAL), letter("p", bits.ON_BITS)
x, runs = letter("x", bits.SOME_BITS), letter("runs", NUMBER)


def drawn(draws: Draws) -> Instance:
    """No to four bits, mostly fair; else unfair but independent, scaled, or fair but for two
    databases; a database and 3 runs, or close.
    """
    n = draws.among([3, 3, 4, 2, 3, 3, 1, 0])
    tables = bits.databases(n)
    one = draws.rate([F(1, 2), F(1, 2), F(1, 2), F(1, 2), F(1, 3)])
    law = [one ** sum(y) * (1 - one) ** (n - sum(y)) for y in tables]
    match draws.below(16):
        case 0 | 1:
            law = [F(9, 10) * each for each in law]
        case 2 | 3:
            a, b = draws.below(len(law)), draws.below(len(law))
            law[a], law[b] = law[a] + law[b] / 4, law[b] - law[b] / 4
    return {"n": n, "p": law, "x": draws.among(tables), "runs": F(3) + draws.among([F(0), F(0), F(0), F(1), F(-1, 7)])}


PROBES = [
    Probe("2, a natural number", NATURAL_LESS(bits.TWO(), n), "", drawn, {"2, a natural number": lambda: 3}),
    Probe("fair bits", bits.FAIR(n, p), "", drawn, {"fair bits": lambda n, p: [*bits.FAIR.value(n, p)][:1]}, "Bits"),
    Probe(
        "bits are hidden",
        bits.HIDES(n, p),
        "",
        drawn,
        {"bits are hidden": lambda n, p: [*bits.HIDES.value(n, p)][:1]},
        "Bits",
    ),
    Probe(
        "both types tell",
        IFF(bits.BOTH_TELL(n, x), NATURAL_LESS(bits.TWO(), n)),
        "",
        drawn,
        {"both types tell": lambda n, x: iter(((n, 0),))},
        "Examples Bits Matching",
    ),
    Probe(
        "likelihoods given a bit",
        bits.GIVEN(n, p),
        "",
        drawn,
        {"likelihoods given a bit": lambda n, p: [*bits.GIVEN.value(n, p)][:2]},
        "Examples Bits Matching",
    ),
    Probe(
        "expected runs of bits",
        bits.TELLS(n, p, x, runs),
        "",
        drawn,
        {"expected runs of bits": lambda n, p, x, runs: bits.TELLS.value(n, p, x, runs + 1)},
        "Bits",
    ),
]
