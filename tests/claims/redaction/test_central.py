"""Claims on redaction, by programs and enumeration."""

from fractions import Fraction
from random import Random

# Claims on central redaction and several private records, compared with the linear program and
# with enumeration.


def chains(seed, number, denominator=8):
    draw = Random(seed)
    for _ in range(number):
        yield (
            draw,
            *sorted(Fraction(draw.randint(1, denominator - 1), denominator) for _ in range(2)),
        )


# The counterexample to published regions with a better split, by enumeration.


HIDDEN, SHOWN = (Fraction(1), Fraction(1)), (Fraction(0), Fraction(0))
