"""Probes of conditions that compose."""

from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition import conditions
from pufferproof.claims.vocabulary.entries.composition.conditions import Joint, Root, geometric
from pufferproof.claims.vocabulary.entries.foundations import logic
from pufferproof.claims.vocabulary.entries.foundations.logic import at
from pufferproof.claims.vocabulary.families import channel, signed, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import NATURAL, NUMBER, levelled, member, runs, sequence, weights
from pufferproof.claims.vocabulary.terms import Sort, letter

F = Fraction
D = set_named("D")
b, u = letter("b", weights("D")), letter("u", weights("D"))
a, c = letter("a", NUMBER), letter("c", NUMBER)
m, n = letter("m", NATURAL), letter("n", NATURAL)
l, x, w = letter("l", member("D")), letter("x", member("D")), letter("w", member("W"))
Ms, Ks = letter("Ms", runs("D", "W")), letter("Ks", runs("W", "V"))
Es, ME = letter("Es", levelled("D", "W")), letter("ME", Sort("(D -> W -> R) * R", ""))
ws, vs = letter("ws", sequence("W", "outputs")), letter("vs", sequence("V", "outputs"))


def drawn(draws: Draws) -> Instance:
    """Weights and numbers, some of them negative or 0, and one or two mechanisms with a number and
    a processing for each; outputs are now and then too few.
    """
    size, outputs, count = 1 + draws.below(3), 2, 1 + draws.below(2)
    numbers = [F(0), F(1), F(1, 4), F(4), F(2), F(1, 2), F(-1), F(9)]
    entries = [F(draws.below(5) - draws.below(2), 4) for _ in range(size)]
    Ms = [signed(draws, channel(draws, size, outputs)) for _ in range(count)]
    return {
        "D": size,
        "W": outputs,
        "V": 2,
        "b": draws.among([vector(draws, size), entries, [F(int(not i)) for i in range(size)]]),
        "u": [draws.among(numbers) for _ in range(size)],
        "a": draws.among(numbers),
        "c": draws.among(numbers),
        "m": draws.below(3),
        "n": draws.below(3),
        "x": draws.below(size),
        "w": draws.below(outputs),
        "Ms": Ms,
        "Es": [(M, draws.among([F(1, 2), F(3, 4), F(1), F(2)])) for M in Ms],
        "Ks": [signed(draws, channel(draws, outputs, 2)) for _ in range(count)],
        "ws": [draws.below(outputs) for _ in range(max(1, count - draws.below(5) // 4))],
        "vs": [draws.below(2) for _ in range(count)],
    }


def _arithmetic(weights: Any, number: Any) -> Root:
    return Root(abs(sum(each * number(l) for l, each in enumerate(weights))), 1)


def _unsigned(weights: Any, number: Any) -> Root:
    return geometric(weights, lambda l: abs(number(l)))


MEAN = conditions.GEO(b, at(u, l).under(l))
LEVELLED = logic.each(ME, at(conditions.MECHANISM_OF(ME), x, w) <= conditions.LEVEL_OF(ME), Es)
PROBES = [
    Probe("geometric mean below", MEAN <= a, "D", drawn, {"geometric mean": _arithmetic}, "Roots"),
    Probe("geometric mean above", c <= a * MEAN, "D", drawn, {"geometric mean": _unsigned}, "Roots"),
    Probe(
        "one-hot",
        conditions.ZERO_OR_ONE(b),
        "D",
        drawn,
        {"one-hot": lambda b: (each in (0, 1, F(1, 2)) for each in b)},
        "Roots",
    ),
    Probe(
        "releases", at(conditions.RELEASES(Ms), x, ws), "D W", drawn, {"releases": lambda Ms: Joint(Ms[::-1])}, "Roots"
    ),
    Probe(
        "releases with levels",
        conditions.PRODUCT_OF_LEVELS(Es) * at(conditions.RELEASES(conditions.MECHANISMS_OF(Es)), x, ws),
        "D W",
        drawn,
        {
            "mechanisms of": lambda pairs: [M for M, _ in pairs[::-1]],
            "product of levels": lambda pairs: sum(E for _, E in pairs),
        },
        "Roots",
    ),
    Probe(
        "mechanisms with a ratio",
        LEVELLED,
        "D W",
        drawn,
        {"mechanism of": lambda pair: pair[0][::-1], "ratio of": lambda pair: pair[1] / 2},
        "Roots",
    ),
    Probe(
        "processed run by run",
        at(conditions.RELEASES(conditions.RUN_BY_RUN(Es, Ks)), x, vs),
        "D W V",
        drawn,
        {"processed run by run": lambda pairs, Ks: conditions.RUN_BY_RUN.value(pairs, [K[::-1] for K in Ks])},
        "Roots",
    ),
    Probe(
        "equal, of natural numbers",
        logic.NATURAL_EQUAL(m, n),
        "",
        drawn,
        {"equal, of natural numbers": lambda m, n: iter(((m, n + 1),))},
        "Roots",
    ),
]
