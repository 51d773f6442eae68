"""What a level per unit of every record tells about one of several normal records, whichever others
are known: the bound by the largest correlation that the code of arXiv 2506.21308 uses.

We have the code, not the paper: whether that asks for one variance, or leaves out values that are
clipped, we do not know.
"""

from collections.abc import Sequence
from typing import Any

from pufferproof.claims.language import Proof
from pufferproof.claims.language.instances.laws import ALMOST, HALF, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.registry import Check, claim
from pufferproof.models.numbers.enclosures import exp_bounds

F = Fraction
NOTATION = {
    "l": "what a unit of one record changes the log-likelihood of an output by, at most",
    "m": "how many records depend on one another, X_i among them",
    "rho": "a number that the size of correlations is at most",
    "K": "records that the opponent knows, without X_i",
    "b, c": "the limits to which records are clipped",
    "S": "the sum of the clipped records",
}


def groups(draws: Draws) -> Instance:
    """Two to four normal records by their correlations, of size rho or less, seldom more, and their
    standard deviations, mostly one; the first record is secret, and some others are known.
    """
    m = 2 + draws.below(3)
    rho = draws.rate([F(1, 4), F(1, 3), F(2, 5), HALF])
    largest = rho * (F(3, 2) if draws.below(8) == 7 else ONE)
    sizes = [largest, largest, -largest, largest / 2, ZERO]
    several = draws.below(4) == 3
    return {
        "rho": rho,
        "correlations": [draws.among(sizes) for _ in range(m * (m - 1) // 2)],
        "deviations": [F(1 + (draws.below(3) if several else 0)) for _ in range(m)],
        "known": draws.several(range(1, m)) if draws.whether() else [],
    }


def _covariance(correlations: Sequence[F], deviations: Sequence[F]) -> list[list[F]]:
    m = len(deviations)
    at = iter(correlations)
    C = [[ONE] * m for _ in range(m)]
    for j in range(m):
        for k in range(j):
            C[j][k] = C[k][j] = next(at)
    return [[x * C[j][k] * y for k, y in enumerate(deviations)] for j, x in enumerate(deviations)]


def _given(S: Sequence[Sequence[F]], known: Sequence[int]) -> list[list[F]] | None:
    """Return the covariance given known records, by one step of elimination each, or None if
    one of them does not vary.
    """
    rows = [list(row) for row in S]
    for k in known:
        pivot = rows[k][k]
        if pivot <= 0:
            return None
        rows = [[x - row[k] * y / pivot for x, y in zip(row, rows[k])] for row in rows]
    return rows


def _is_law(correlations: Sequence[F], deviations: Sequence[F], **_: object) -> bool:
    """Whether the covariance is positive semidefinite."""
    rows = _covariance(correlations, deviations)
    for k in range(len(rows)):
        pivot = rows[k][k]
        if pivot < 0 or (not pivot and any(rows[k])):
            return False
        if pivot:
            rows = [[x - row[k] * y / pivot for x, y in zip(row, rows[k])] for row in rows]
    return True


def _one_variance(deviations: Sequence[F], **_: object) -> bool:
    return len(set(deviations)) == 1


def _small(rho: F, correlations: Sequence[F], deviations: Sequence[F], **_: object) -> bool:
    within = all(abs(each) <= rho for each in correlations)
    return within and 0 < rho < 1 and rho * (len(deviations) - 2) < 1


def moved(correlations: Sequence[F], deviations: Sequence[F], known: Sequence[int]) -> F:
    """Return 1 + sum_j |c_j| over records that are not known, c_j = Cov(X_j, X_1 | K)/Var(X_1 |
    K).
    """
    rows = _given(_covariance(correlations, deviations), known)
    if rows is None or rows[0][0] <= 0:
        return F(10**9)
    others = [j for j in range(1, len(rows)) if j not in known]
    return 1 + sum((abs(rows[j][0] / rows[0][0]) for j in others), ZERO)


def _told(
    rho: F, correlations: Sequence[F], deviations: Sequence[F], known: Sequence[int],
    factor: F = ONE, alone: F = ONE, **_: Any,
) -> bool:  # fmt: skip
    m = len(deviations)
    free = 1 - (m - 2) * rho
    if free <= 0:
        return False
    found = moved(correlations, deviations, known)
    published = 1 + factor * m**2 * rho / (4 * free)
    return found <= published and (bool(known) or found <= 1 + alone * (m - 1) * rho)


ONE_VARIANCE = "all m records have one variance"
SMALL = "correlations are at most rho in size, and (m - 2) rho < 1"
BOUND = Statement(
    family=groups,
    given={
        "there is such a law": _is_law,
        SMALL: _small,
        ONE_VARIANCE: _one_variance,
    },
    holds=_told,
    too_strong={
        "99/100 of what others add": {"factor": ALMOST},
        "99/100 of it where nothing is known": {"alone": ALMOST},
    },
    too_weak=[ONE_VARIANCE, SMALL],
)


@claim(
    "normal.bdp",
    where="Bayesian differential privacy, the bound for normal records",
    statement="Let m normal records have one variance, correlations of size at most rho, and (m - "
    "2) rho < 1, and be independent of all others. If a change of d in one record changes the "
    "log-likelihood of an output by at most l d, then the output is at most exp(l |u - v| (1 + m^2 "
    "/ (4 (1/rho - m + 2)))) times as likely given X_i = u and known records K as given X_i = v "
    "and K, and at most exp(l |u - v| (1 + (m - 1) rho)) times where no record is known.",
    kind="repair of normal.bdp-variances",
    says=BOUND,
)
def bdp(check: Check) -> None:
    """Prove it: given K the records move together with X_i, each by c_j (u - v) [normal.levels].

    No record known: c_j is the correlation of X_j with X_i. Known records: c_j is the coefficient
    of X_i in the regression of X_j on X_i and the k known records. Its coefficients solve R b = r,
    all entries of r and those of R beside the diagonal at most rho: the largest is at most rho (1 +
    k times it), so at most 1/(1/rho - k). The n = m - 1 - k others have n/(z + n - 1) together, z =
    1/rho - m + 2, and 4 n z <= m^2 (z + n - 1), as 4 n <= m^2 and n >= 1.
    """


@claim(
    "normal.bdp-variances",
    where="the code of arXiv 2506.21308, sum_bdp_gaussian_bound",
    statement="Let m normal records have correlations of size at most rho, and (m - 2) rho < 1. "
    "If a change of d in one record changes the log-likelihood of an output by at most l d, then "
    "the output is at most exp(l |u - v| (1 + m^2 / (4 (1/rho - m + 2)))) times as likely given "
    "X_i = u as given X_i = v.",
    kind="theorem",
    repair="normal.bdp",
)
def bdp_variances(check: Check) -> None:
    """Refute it: a record that varies less than another moves it by more than their correlation."""
    with check.reading("any variances", "one instance") as proof:
        _uneven(proof)


def _uneven(proof: Proof) -> None:
    covariance = [[ONE, ONE], [ONE, F(4)]]
    told = 1 + covariance[1][0] / covariance[0][0]
    rho, m = HALF, 2
    promised = 1 + F(m**2) / (4 * (1 / rho - m + 2))
    proof.counterexample(
        "two records of variances 1 and 4",
        "The correlation is 1/2. A unit of the first record moves the mean of the second by 1, the "
        "sum by 2, and Laplace noise on the sum, which changes by l a unit, tells 2 l |u - v|; the "
        "formula has 3/2. One record alone moves nothing else",
        {"covariance": covariance, "rho": rho, "told": told, "promised": promised},
        lambda: (
            covariance[0][1] ** 2 == rho**2 * covariance[0][0] * covariance[1][1]
            and told == moved([rho], [ONE, F(2)], [])
            and told > promised
        ),
        "told > promised",
    )


@claim(
    "normal.bdp-clipped",
    where="the code of arXiv 2506.21308, sum_bdp_gaussian_bound",
    statement="Let two normal records have one variance and correlation rho > 0, and be clipped to "
    "between b and c. If Laplace noise of scale (1 + rho) (c - b) / epsilon is added to the sum of "
    "the clipped records, then what is released is at most e^epsilon times as likely given that "
    "one of them is c as given that it is b.",
    kind="theorem",
)
def bdp_clipped(check: Check) -> None:
    """Refute it: a record that is clipped to c is farther away than c, and takes the other along.

    (1 + rho) (c - b) is what the formula has for m = 2.
    """
    with check.reading("any limits", "one instance") as proof:
        _clipped(proof)


def _clipped(proof: Proof) -> None:
    limit, rho, scale, least = F(2), HALF, F(6), F(14, 5)
    proof.counterexample(
        "limits two deviations from the mean",
        "Means 0, variances 1, rho = 1/2, limits -2 and 2, epsilon = 1: the scale is 6. Outputs "
        "above 4 are E[e^(S/6) | X_1 >= 2] / E[e^(S/6) | X_1 <= -2] times as likely, S the sum of "
        "the clipped records. Both means are integrals of normal densities, enclosed up to X_1 = "
        "10, beyond which little is left",
        {"limit": limit, "rho": rho, "scale": scale, "ratio at least": least},
        lambda: (
            scale == (1 + rho) * 2 * limit
            and _ratio_exceeds(limit, rho, scale, least)
            and _above_e(least)
        ),
    )


def _above_e(ratio: F) -> bool:
    return exp_bounds(ONE, 64)[1] < ratio


def _ratio_exceeds(limit: F, rho: F, scale: F, least: F) -> bool:
    """Whether the ratio of both means is above `least`, by enclosures."""
    from flint import acb, arb, ctx, fmpq

    far = 10
    with ctx.workprec(128):
        c, r, t = (acb(fmpq(*x.as_integer_ratio())) for x in (limit, rho, 1 / scale))
        s = (1 - r * r).sqrt()

        def below(z: acb) -> acb:
            return (1 + (z / acb(2).sqrt()).erf()) / 2

        def lifted(mean: acb) -> acb:
            """E[e^(t clip(Y))] of Y normal with this mean and deviation s."""
            low, high = (-c - mean) / s, (c - mean) / s
            inner = (t * mean + s * s * t * t / 2).exp()
            inner *= below(high - s * t) - below(low - s * t)
            return (-c * t).exp() * below(low) + (c * t).exp() * (1 - below(high)) + inner

        def mass(sign: int) -> arb:
            found = acb.integral(
                lambda x, _: (-x * x / 2).exp() * lifted(sign * r * x), c, acb(far)
            )
            return found.real

        tail = (c * t).exp().real * (arb(-(far**2)) / 2).exp() / far
        ratio = (2 * c * t).exp().real * mass(1) / (mass(-1) + tail)
        return bool(ratio > arb(fmpq(*least.as_integer_ratio())))
