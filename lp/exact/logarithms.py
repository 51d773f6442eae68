"""The sign of a sum of logarithms of rationals with integer coefficients, and of one with a
rational constant, decided exactly.

n_1 log q_1 + ... + n_k log q_k is compared with 0 as a product of powers while these are small;
otherwise it is enclosed with growing precision, which decides it unless it is 0. With a constant c
!= 0 it is never 0 (e^c is transcendental).
"""

from collections.abc import Sequence
from fractions import Fraction

_SMALL = 200_000  # bits of a product that is compared as an integer
_FINEST = 1 << 12  # as far as the kernel of rates goes


def sign_of_logs(terms: Sequence[tuple[int, Fraction]], constant: Fraction = Fraction(0)) -> int | None:
    """Return the sign of sum of n log q over the terms (n, q), q > 0, plus the constant; None if
    too close to 0 to tell.

    >>> (sign_of_logs([(3, Fraction(2)), (-1, Fraction(8))]), sign_of_logs([(1, Fraction(3))], Fraction(-11, 10)))
    (0, -1)
    """
    together: dict[Fraction, int] = {}
    for n, q in terms:
        together[q] = together.get(q, 0) + n
    terms = [(n, q) for q, n in together.items() if n and q != 1]
    if not terms or (constant == 0 and sum(abs(n) * _bits(q) for n, q in terms) <= _SMALL):
        return _sign(constant) if not terms else _sign(_product(terms) - 1)
    from flint import arb, ctx, fmpq

    bits = 128
    while bits <= _FINEST:
        with ctx.workprec(bits):
            total = arb(fmpq(constant.numerator, constant.denominator))
            for n, q in terms:
                total += n * arb(fmpq(q.numerator, q.denominator)).log()
            if total > 0 or total < 0:
                return 1 if total > 0 else -1
        bits *= 4
    return None


def _product(terms: Sequence[tuple[int, Fraction]]) -> Fraction:
    above = below = 1
    for n, q in terms:
        top, bottom = (q.numerator, q.denominator) if n > 0 else (q.denominator, q.numerator)
        above, below = above * top ** abs(n), below * bottom ** abs(n)
    return Fraction(above, below)


def _bits(q: Fraction) -> int:
    return q.numerator.bit_length() + q.denominator.bit_length()


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)
