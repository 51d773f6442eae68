"""A box of transition matrices that holds the true one with a stated probability: every entry has
an interval that misses it with probability at most

    r = (1 - confidence) / intervals.

Every state has an interval for each state that may follow it, or one in all where two may; where
one alone may, it has none. The law of the first record may be any; the states must be known.

Lasting intervals hold whenever a recording ended; closer ones are for recordings whose lengths were
fixed beforehand.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import exp, inf, lgamma, log, pi, sqrt
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import least
from pufferproof.models.priors.chains import IntervalChain

RESTS_ON = ("general.confidence-box", "general.fixed-length", "general.lasting-interval")
FIXED_RESTS_ON = ("general.fixed-length",)
LASTING_RESTS_ON = ("general.confidence-box", "general.lasting-interval")
MOST_RECORDINGS = 16
STEPS = 10**6  # ends are multiples of 1 / STEPS
_NEAR = 2  # steps around an end that floats propose
_WIDEST = 60.0  # standard deviations
Start = Literal["any", "stationary"]
Stopping = Literal["fixed", "any"]
Rows = Sequence[Sequence[int]]
Run = tuple[int, int]  # successes and failures of a recording


def risk_of_each(confidence: Fraction, free: Rows) -> Fraction:
    """Return the probability r with which each interval may miss, where the states `free[x]` may
    follow state x.

    >>> risk_of_each(Fraction(9, 10), [(0, 1), (0, 1)])
    Fraction(1, 20)
    >>> risk_of_each(Fraction(9, 10), [(0, 1, 2), (0, 1), (2,)])
    Fraction(1, 40)
    """
    intervals = sum(1 if len(states) == 2 else len(states) for states in free if len(states) > 1)
    return (1 - confidence) / max(1, intervals)


def confidence_box(
    counts: Rows,
    confidence: Fraction,
    initial: Start = "any",
    free: Rows | None = None,
    recordings: Sequence[Rows] = (),
) -> IntervalChain:
    """Return the box for steps counted from each state (rows) to each.

    Args:
        free: the states that may follow each state, all if left out.
        recordings: the steps of each recording whose length was fixed beforehand, of which
            intervals then are; none: lasting intervals of `counts`.

    >>> counts = [[633, 204], [204, 419]]
    >>> box = confidence_box(counts, Fraction(19, 20))
    >>> [[float(entry) for entry in row] for row in box.lower]
    [[0.696898, 0.190264], [0.259433, 0.599306]]
    >>> [[float(entry) for entry in row] for row in box.upper]
    [[0.809736, 0.303102], [0.400694, 0.740567]]
    >>> box = confidence_box(counts, Fraction(19, 20), recordings=[counts])
    >>> [[float(entry) for entry in row] for row in box.lower]
    [[0.721312, 0.211071], [0.285646, 0.628664]]
    """
    size = len(counts)
    free = [range(size)] * size if free is None else free
    risk = risk_of_each(confidence, free)
    lower: list[list[Fraction]] = []
    upper: list[list[Fraction]] = []
    for place, row in enumerate(counts):
        bounds = [(Fraction(0),) * 2] * size
        rows = [each[place] for each in recordings]
        for y in free[place]:
            if len(free[place]) == 1:
                bounds[y] = (Fraction(1),) * 2
            elif recordings:
                runs = [(each[y], sum(each) - each[y]) for each in rows]
                bounds[y] = fixed_interval(runs, risk)
            else:
                bounds[y] = lasting_interval(row[y], sum(row) - row[y], risk)
        if any(low > high for low, high in bounds):
            raise ModelError(
                "the recordings are not alike: no probability of a step is left by all of them "
                "(kinds box is a box around all groups; stopping any takes all as one chain)",
                "confidence",
            )
        lower.append([low for low, _ in bounds])
        upper.append([high for _, high in bounds])
    return IntervalChain(initial, lower, upper)


def fixed_recordings(sequences: Sequence[Sequence[int]], confidence: Fraction, free: Rows) -> tuple[int, ...]:
    """Return the recordings that closer intervals are of, if all lengths were fixed beforehand and
    the states `free[x]` may follow x; nothing if lasting intervals are to be taken. Several that
    may end with an absorbing state have lengths that depend on what was recorded.
    """
    steps = [max(0, len(each) - 1) for each in sequences]
    absorbing = any(tuple(states) == (x,) for x, states in enumerate(free))
    if absorbing and sum(map(bool, steps)) > 1:
        return ()
    return chosen(steps, len(free), risk_of_each(confidence, free))


# After k successes and m failures, the lasting interval is {p : p^k (1-p)^m >= r Q(k, m)}, Q the mixture of
# Krichevsky and Trofimov: it holds at all times together.


def lasting_interval(successes: int, failures: int, risk: Fraction) -> tuple[Fraction, Fraction]:
    """Return the interval for probability `risk` of missing, its ends rounded outward to six
    decimals.

    Every number outside is decided by Arb balls; what these do not tell apart stays inside.

    >>> lasting_interval(3, 97, Fraction(1, 20))
    (Fraction(1879, 1000000), Fraction(122949, 1000000))
    >>> lasting_interval(0, 0, Fraction(1, 20))
    (Fraction(0, 1), Fraction(1, 1))
    """
    from flint import arb, ctx, fmpq

    trials = successes + failures
    bits, half = 96 + 2 * trials.bit_length(), fmpq(1, 2)
    with ctx.workprec(bits):
        # log(r Q), with B(a, b) = Gamma(a) Gamma(b) / Gamma(a + b)
        smallest = (
            arb(fmpq(risk.numerator, risk.denominator)).log()
            + arb(successes + half).lgamma()
            + arb(failures + half).lgamma()
            - arb(trials + 1).lgamma()
            - arb.pi().log()
        )

    def outside(place: int) -> bool:
        """Whether p^k (1-p)^m < r Q, surely, at p = place / STEPS."""
        if (place == 0 and successes) or (place == STEPS and failures):
            return True
        with ctx.workprec(bits):
            likelihood = arb(0)
            for count, chance in ((successes, place), (failures, STEPS - place)):
                if count:  # 0 log 0 is 0
                    likelihood += count * arb(fmpq(chance, STEPS)).log()
            return bool(likelihood < smallest)

    # p^k (1-p)^m increases up to k / (k+m)
    lower, upper = 0, STEPS
    if successes:
        lower = least(lambda place: not outside(place), (0, successes * STEPS // trials + 1))[0]
    if failures:
        upper = least(outside, (-(-successes * STEPS // trials) - 1, STEPS))[1]
    return Fraction(lower, STEPS), Fraction(upper, STEPS)


# Fixed lengths. Let y follow x in k of n departures from x, p = P(x, y). The interval of Clopper and Pearson leaves
# out every p with
#
#     t = P(B >= k) < r / 2    or    P(B <= k) < r / 2,    B binomial with n trials.
#
# Here n is random. In a recording of a fixed length the interval still misses with probability at most r. Several
# recordings have t_1, .., t_g, and Fisher's product c = t_1 .. t_g is as small with probability at most
# c (1 + .. + (-log c)^(g-1) / (g-1)!). Lengths alone decide which recordings are looked at.


def fixed_interval(runs: Sequence[Run], risk: Fraction) -> tuple[Fraction, Fraction]:
    """Return the interval for probability `risk` of missing, its ends rounded outward to six
    decimals.

    Every number outside is decided by Arb balls; what these do not tell apart stays inside.

    Args: runs: successes and failures of every recording, none of them left out for its counts.

    >>> fixed_interval([(3, 97)], Fraction(1, 20))
    (Fraction(6229, 1000000), Fraction(85177, 1000000))
    >>> fixed_interval([(0, 0)], Fraction(1, 20))
    (Fraction(0, 1), Fraction(1, 1))
    """
    other = [(failures, successes) for successes, failures in runs]
    return Fraction(_below(runs, risk), STEPS), 1 - Fraction(_below(other, risk), STEPS)


def _below(runs: Sequence[Run], risk: Fraction) -> int:
    """Return the largest place of a multiple of 1 / STEPS that is surely below the interval."""
    if not any(successes for successes, _ in runs):
        return 0
    from flint import arb, ctx, fmpq

    half = risk / 2

    def near(place: int) -> bool:
        """Whether p = place / STEPS is about inside, in floats."""
        if place <= 0:
            return False
        with ctx.workprec(64):
            chances = [arb(place / STEPS).beta_lower(arb(k), arb(m + 1), 1) for k, m in runs if k]
            depth = -float(sum((chance.log() for chance in chances), arb(0)))
        return _log_chance_approx(depth, len(runs)) >= log(half)  # no number is never inside

    def inside(place: int) -> bool:
        """Whether p = place / STEPS is not surely too small for so many successes."""
        if place <= 0:
            return False
        with ctx.workprec(96 + 2 * max(map(sum, runs)).bit_length()):
            product, point = arb(1), arb(fmpq(place, STEPS))
            for successes, failures in runs:
                if successes:  # P(B >= k) = I_p(k, n - k + 1)
                    product *= point.beta_lower(arb(successes), arb(failures + 1), 1)
            # c sum_j (-log c)^j / j! rises in the product c, so that its upper end will do
            term = chance = product.upper()
            depth = -term.log() if len(runs) > 1 else term
            for j in range(1, len(runs)):
                term = term * depth / j
                chance = chance + term
            return not chance < arb(fmpq(half.numerator, half.denominator))

    guess = least(near, (0, STEPS))[0]
    low, high = max(0, guess - _NEAR), min(STEPS, guess + _NEAR)
    if inside(low) or not inside(high):
        low, high = 0, STEPS
    return least(inside, (low, high))[0]


def _log_chance_approx(depth: float, count: int) -> float:
    """Return log sum_j e^-d d^j / j!, j < count, of a depth d = -log c, in floats."""
    if not 0 < depth < inf:
        return -depth
    terms = [j * log(depth) - lgamma(j + 1) - depth for j in range(count)]
    top = max(terms)
    return top + log(sum(exp(term - top) for term in terms))


def chosen(steps: Sequence[int], states: int, risk: Fraction) -> tuple[int, ...]:
    """Return the recordings whose intervals of a fixed length are expected to be closest, or
    nothing if lasting intervals of all together are: by their numbers of steps alone.

    Of the longest j, normal counts would give an interval z / sqrt(steps), z as Fisher's product
    or the mixture of Krichevsky and Trofimov asks for.

    >>> chosen([1000], 3, Fraction(1, 100)), chosen([4] * 600, 3, Fraction(1, 100))
    ((0,), ())
    """
    from flint import arb

    order = sorted((k for k, count in enumerate(steps) if count), key=lambda k: -steps[k])
    total = sum(steps)
    deep = log(1 / risk) + log(max(1.0, pi * total / states / 2)) / 2
    best, kept = sqrt(2 * deep / total) if total else inf, 0
    for count in range(1, min(len(order), MOST_RECORDINGS) + 1):
        some = [steps[k] for k in order[:count]]
        shares = [sqrt(each / sum(some) / 2) for each in some]
        low, high = 0.0, _WIDEST  # how many standard deviations off all counts are left out
        for _ in range(40):
            z = (low + high) / 2
            logs = [float((arb(z * share).erfc() / 2).log()) for share in shares]
            out = _log_chance_approx(-sum(logs), count) < log(float(risk) / 2)
            low, high = (low, z) if out else (z, high)
        if high / sqrt(sum(some)) < best:
            best, kept = high / sqrt(sum(some)), count
    return tuple(sorted(order[:kept]))
