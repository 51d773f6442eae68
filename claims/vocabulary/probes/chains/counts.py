"""Probes of chains of bits of which each attracts the next, with counts and noise."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import bits, counts
from pufferproof.claims.vocabulary.entries.noise.queries import AN_INTEGER
from pufferproof.claims.vocabulary.families import rarely, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NATURAL
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
p, P = letter("p", counts.FIRST_BIT), letter("T", counts.STEPS_OF_BITS, "P")
f, t, w = letter("f", counts.COUNTS_OF_BITS), letter("t", counts.DECAY), letter("w", AN_INTEGER)
n, i = letter("n", NATURAL), letter("i", NATURAL)


def chain(draws: Draws) -> Instance:
    """One to three bits, steps of which most attract, counts of which most rise, from -1 to 2; a
    decay, now and then not between 0 and 1, an output near the counts, and a record.
    """
    number = 1 + draws.below(3)
    steps = [_step(draws) for _ in range(1 + draws.below(2))]
    counted = [_pair(draws) for _ in range(1 + draws.below(number))]
    values = counts.values(counted, number)
    return {
        "p": vector(draws, 2) if rarely(draws) else [*draws.law(2)],
        "T": steps,
        "f": counted,
        "t": draws.among([F(2), F(0), F(-1, 2)] if rarely(draws) else [F(1, 2), F(1, 3)]),
        "n": number,
        "i": draws.below(number) if draws.below(12) else number,
        "w": draws.among([min(values), max(values)]) + draws.below(3) - 1,
    }


def _step(draws: Draws) -> list[list[Fraction]]:
    return [vector(draws, 2), vector(draws, 2)] if rarely(draws) else attracting(draws)


def attracting(draws: Draws) -> list[list[Fraction]]:
    """Draw a step of bits, mostly one that is likelier to lead to 1 from 1 than from 0."""
    low, high = F(draws.below(5), 4), F(draws.below(5), 4)
    if draws.below(6):
        low, high = min(low, high), max(low, high)
    return [[1 - low, low], [1 - high, high]]


def _pair(draws: Draws) -> list[int]:
    pair = [draws.below(3) - 1, draws.below(4) - 1]
    return sorted(pair) if draws.below(4) else pair


USING = "Sequences Records Stationary Attracted"
PROBES = [
    Probe(
        "bits attract",
        counts.ATTRACTING(p, P),
        "",
        chain,
        {"bits attract": lambda p, P: [*counts.ATTRACTING.value(p, P)][:-1]},
        USING,
    ),
    Probe("decay", counts.DECAYS(t), "", chain, {"decay": lambda t: iter((t > 0,))}, USING),
    Probe("counts rise", counts.RISING(f), "", chain, {"counts rise": lambda f: [*counts.RISING.value(f)][:1]}, USING),
    Probe("no count above", counts.NONE_ABOVE(f, n, w), "", chain, {"no count above": counts.NONE_BELOW.value}, USING),
    Probe("no count below", counts.NONE_BELOW(f, n, w), "", chain, {"no count below": counts.NONE_ABOVE.value}, USING),
    *(
        Probe(term.head.name, bits.MEAN_1(bits.CHAIN_LAW(p, P), term, n, i), "", chain, {term.head.name: other}, USING)
        for term, other in (
            (counts.NOISE(f, t, w), lambda f, t, w: counts.UP.value(f, t)),
            (counts.UP(f, t), counts.DOWN.value),
            (counts.DOWN(f, t), counts.UP.value),
        )
    ),
]
