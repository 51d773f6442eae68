"""The worst ratio about an inner record of an endless chain of two values, in closed form.

With one kernel P and one level log R for all records, the messages of k records from one end do not
fall with k and tend to the positive roots S and D of quadratics (`endless_ratio`). A stationary
chain of two values is reversible, so that both sides are alike, and the largest ratio about an
inner record is the larger one of S^2 / R and D^2 / R: no finite chain reaches it, and none of a
longer one exceeds it.
"""

from collections.abc import Sequence
from fractions import Fraction

from flint import ctx

from pufferproof.lp.levels import Total
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along

RESTS_ON = ("worst.infinite-chain", "worst.infinite-chain-alternating", "worst.chain-interior")
_BITS = 192
Kernel = Sequence[Sequence[Fraction]]
Ends = tuple[Fraction | None, Fraction | None]


def endless_kernels(framework: Framework) -> list[Kernel]:
    """Return the transition matrices of the priors of a framework that stand for endless chains.

    Raises `ModelError` unless priors are a list of Markov chains that start from their stationary
    law: the one that a record far from both ends has. Where the first record has another one, a
    finite chain can leak more.
    """
    if framework.closure != "list":
        raise ModelError("expected a list of priors for an endless chain", "closure")
    return [_endless(prior, f"priors.{name}") for name, prior in framework.priors.items()]


def _endless(prior: Prior, where: str) -> Kernel:
    if not isinstance(prior, MarkovChain):
        raise ModelError('expected a "markov" prior for an endless chain', where)
    if not Along(prior, 2).stationary:
        raise ModelError(
            "expected the stationary law of the first record for an endless chain, found another", f"{where}.initial"
        )
    return prior.transition


def endless_ratio(kernel: Kernel, total: Total) -> Ends:
    """Return bounds of the supremum over all lengths and all mechanisms, None for infinite.

    Where the eigenvalue is not negative the messages tend to the positive roots of

        P01 S^2 + (P00 - R P11) S - R P10 = 0    and the same with 0 and 1 exchanged, D,

    (worst.infinite-chain), where it is negative to those of

        (P11 + R P00) P01 S^2 + (P10 P01 + R P00^2 - R P11^2 - R^2 P10 P01) S
            - R P10 (P11 + R P00) = 0

    and its mirror image (worst.infinite-chain-alternating).

    >>> stay = Fraction(9, 10)
    >>> low, high = endless_ratio([[stay, 1 - stay], [1 - stay, stay]], Total(Fraction(2), Fraction(0)))
    >>> round(float(low), 6)
    42.476458

    Raises `ModelError` unless the kernel has two values, each of which leads to the other.
    """
    if len(kernel) != 2:
        raise ModelError(f"expected a chain of two values, found {len(kernel)}", "transition")
    if not kernel[0][1] or not kernel[1][0]:
        raise ModelError(
            "expected a chain in which each value leads to the other: else an inner record of an "
            "endless chain has one possible value",
            "transition",
        )
    mirrored = [[kernel[1][1], kernel[1][0]], [kernel[0][1], kernel[0][0]]]
    ends = [_side(each, total) for each in (kernel, mirrored)]
    lows, highs = [low for low, _ in ends], [high for _, high in ends]
    if None in highs:
        return None, None
    return max(low for low in lows if low is not None), max(h for h in highs if h is not None)


def _side(kernel: Kernel, total: Total) -> Ends:
    """Return bounds of S^2 / R, an exact square root where there is one."""
    if kernel[0][0] == kernel[1][1] == 0:
        return (Fraction(1), Fraction(1)) if total.exact == 1 else (None, None)
    with ctx.workprec(_BITS):
        ratio = ball(total.ratio) * total.power.ball()
        (p00, p01), (p10, p11) = ([ball(p) for p in row] for row in kernel)
        if kernel[0][0] + kernel[1][1] >= 1:
            a, b, c = p01, p00 - ratio * p11, -ratio * p10  # worst.infinite-chain
        else:
            both = p11 + ratio * p00  # worst.infinite-chain-alternating
            a = both * p01
            b = p10 * p01 + ratio * (p00**2 - p11**2) - ratio**2 * p10 * p01
            c = -ratio * p10 * both
        root = (-b + (b * b - 4 * a * c).sqrt()) / (2 * a)
        value = root * root / ratio
        return dyadic(value.lower()), dyadic(value.upper())
