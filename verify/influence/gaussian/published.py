"""The published recipe for truncated Gaussian priors (bai2026, Theorem 5), as printed.

With L the n - b records that are correlated least with record i, and all laws untruncated,

    sup over mu of log[W(r | mu) / W(r' | mu)] - log[W(r) / W(r')],

W(r | mu) being the probability of the window r under N(mu, sigma^2), sigma^2 = Sigma_ii - Sigma_iL
Sigma_LL^-1 Sigma_Li, and W(r) that under N(0, Sigma_ii). The print lets mu sweep without an end:
then the supremum is infinite. Here mu runs over what x_L in the box makes of it. Among sets L with
ties the best is taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from pufferproof.models.priors.continuous.points import Window
from pufferproof.verify.influence.gaussian.box import BoxIntegral
from pufferproof.verify.influence.gaussian.law import GaussianLaw, Hidden, fmpq_of

if TYPE_CHECKING:
    from flint import arb


@dataclass(frozen=True)
class Recipe:
    """What the recipe gives for two windows of a record: an Arb ball, and the hidden records."""

    influence: "arb"
    hidden: Hidden


def farthest(law: GaussianLaw, record: int, hidden: int) -> list[Hidden]:
    """Return the sets of so many hidden records, counted from 0, that hold the record and those
    correlated most with it: several where there are ties.

    >>> from pufferproof.models.priors.continuous.normal import TruncatedGaussian
    >>> farthest(GaussianLaw(TruncatedGaussian([-1, 1], length=1), 4), 1, 2)
    [(0, 1), (1, 2)]
    """
    size = law.prior.size_of_correlation
    others = sorted((k for k in range(law.count) if k != record), key=lambda k: size(record, k), reverse=True)
    last = size(record, others[hidden - 2]) if hidden > 1 else None
    if last is None:
        return [(record,)]
    sure = [k for k in others if size(record, k) > last]
    tied = [k for k in others if size(record, k) == last]
    return [tuple(sorted((record, *sure, *some))) for some in combinations(tied, hidden - 1 - len(sure))]


def published(law: GaussianLaw, record: int, one: Window, other: Window, hidden: Sequence[Hidden]) -> Recipe:
    """Return the least value of the recipe over these sets of hidden records."""
    found = [Recipe(recipe(law, record, one, other, each), each) for each in hidden]
    return min(found, key=lambda each: float(each.influence.mid()))


def recipe(law: GaussianLaw, record: int, one: Window, other: Window, hidden: Hidden) -> "arb":
    """Enclose the recipe's value for one set of hidden records, mu ending where the box makes it
    end.

    That end is [box] times the sum of |Sigma_iL Sigma_LL^-1|. The log-ratio is monotone in mu (a
    likelihood ratio of normal laws), so that the supremum is at an end.
    """
    from flint import arb, arb_mat, ctx

    with ctx.workprec(law.bits):
        sigma = law.prior.arb_covariance(law.count)
        shown = [k for k in range(law.count) if k not in hidden]
        if not shown:
            return arb(0)
        inverse = arb_mat([[sigma[i, j] for j in shown] for i in shown]).inv()
        row = arb_mat([[sigma[record, j] for j in shown]])
        weights = row * inverse
        variance = sigma[record, record] - (weights * row.transpose())[0, 0]
        mean = arb(0)
        side = 1 if one[0] >= other[1] else -1
        for j in range(len(shown)):
            ends = [weights[0, j] * fmpq_of(end) * side for end in law.prior.box]
            mean += ends[0].max(ends[1])
        found = [_log_window(1 / variance, side * mean, w) for w in (one, other)]
        alone = [_log_window(1 / sigma[record, record], arb(0), w) for w in (one, other)]
        return found[0] - found[1] - alone[0] + alone[1]


def _log_window(precision: "arb", mean: "arb", window: tuple[Fraction, Fraction]) -> "arb":
    """Enclose log of the integral of exp(-q x^2/2 + q mu x) over a window: that of its probability
    up to what does not depend on it.
    """
    from flint import arb_mat

    integral = BoxIntegral(arb_mat([[precision]]), [fmpq_of(window[0])], [fmpq_of(window[1])])
    return integral.log([-precision * mean], 0.0)
