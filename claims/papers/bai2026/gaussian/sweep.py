"""Theorem 5(2): influence as a sweep over one number, the conditional mean of the secret record.

The print uses x_i | x_L ~ N(mu, sigma^2) and the marginal law of x_i without truncation. With
windows that mirror one another the last term is 0 whichever law it is taken from, so that what
differs is the conditional law.
"""

from fractions import Fraction
from typing import Any

from pufferproof.claims.language import Edit, Proof, proved
from pufferproof.claims.papers.bai2026.gaussian.instances import (
    LENGTHS,
    Setting,
    at_place,
    law_of,
    least,
    of_set,
    recipe_of,
)
from pufferproof.claims.papers.bai2026.gaussian.statement import NOTATION as LETTERS
from pufferproof.claims.papers.bai2026.gaussian.statement import PRINTED, UNSAID
from pufferproof.claims.registry import Check, claim

NOTATION = LETTERS | {
    "W(r | mu)": "the probability of the window that begins at r under N(mu, sigma^2)",
    "Phi": "the standard normal distribution function",
    "W(r)": "its probability under the marginal law of x_i",
    "mu, sigma^2": "mean and variance of x_i given x_L, under the law that is not truncated",
}
TWO = Setting(2, Fraction(1))
THREE = Setting(3, Fraction(1))
FOUR = Setting(4, Fraction(5))


@claim(
    "bai2026.gauss-sweep",
    where="Theorem 5(2)",
    statement="a*_i(b) = max over r, r' of inf over L of sup over mu of log[W(r | mu)/W(r' | mu)] "
    "- log[W(r)/W(r')], W(r | mu) = Phi((r + del - mu)/sigma) - Phi((r - mu)/sigma), mu and "
    "sigma^2 being mean and variance of x_i given x_L, and W(r) with the marginal ones; this is "
    "optimal.",
    kind="theorem",
    unsaid=UNSAID,
)
def sweep(check: Check) -> None:
    """Too small or too large within the box; infinite if mu sweeps without end; right where
    nothing but x_i is hidden.
    """
    proved(check, "mu as the box allows: never too small", "one counterexample", _too_small)
    proved(check, "mu as the box allows: never too large", "one counterexample", _too_large)
    proved(check, "mu without end", "one counterexample", _endless)
    more = Edit("the recipe agrees", family=[(Setting(3, ell), (1, 2)) for ell in LENGTHS])
    proved(
        check,
        "nothing hidden but x_i, windows that mirror one another",
        "2 to 5 records; " + PRINTED,
        _alone,
        two_hidden_records=more,
    )


def _endless(proof: Proof) -> None:
    proof.counterexample(
        "n = 2, ell = 1, mu = 100",
        "Take g = 5, del = 1/10 and one hidden record, with the windows at the ends. Then a*(1) "
        "is below 22. But at mu = 100, which no x_2 in the box brings about, the log-ratio of the "
        "recipe exceeds 1000, and it grows with mu without bound",
        {"n": 2, "ell": TWO.length, "b": 1, "mu": Fraction(100)},
        lambda: bool(_log_ratio(Fraction(100)) > 1000 > least(TWO, 1, 1, TWO.ends).upper),
    )


def _log_ratio(mu: Fraction) -> Any:
    """Enclose log W(r | mu)/W(r' | mu) of two records, mu above the windows at the ends."""
    from flint import arb, ctx, fmpq

    with ctx.workprec(200):
        rho = law_of(TWO).prior.arb_covariance(2)[0, 1]
        scale = (2 * (1 - rho * rho)).sqrt()

        def window(low: Fraction, high: Fraction) -> Any:
            below, above = (
                arb(fmpq((mu - x).numerator, (mu - x).denominator)) / scale for x in (low, high)
            )
            return above.erfc() - below.erfc()

        return (window(*TWO.ends[0]) / window(*TWO.ends[1])).log()


def _too_small(proof: Proof) -> None:
    place, hidden = (Fraction(5),), (1, 2)
    proof.counterexample(
        "n = 3, ell = 1, two hidden records",
        "Take g = 5, del = 1/10 and i = 2, with the windows at the ends. Hiding record 1 or "
        "record 3 is the same by symmetry. The recipe gives 21.04006, but at x_3 = 5 alone the "
        "log-ratio of the densities is more than 21.047. So a level set by the recipe is not "
        "kept: the hidden record cannot leave the box, and it follows x_i less than the recipe "
        "assumes",
        {"n": 3, "ell": THREE.length, "b": 2, "L": [3], "x_L": [5], "recipe": "21.04006"},
        lambda: at_place(THREE, 2, THREE.ends, hidden, place)[0] > recipe_of(THREE, 2, hidden)[1],
    )


def _too_large(proof: Proof) -> None:
    proof.counterexample(
        "n = 4, ell = 5, three hidden records",
        "Take g = 5, del = 1/10, i = 2 and L = {4}, with the windows at the ends. The recipe "
        "gives 27.839, but the supremum over x_4 is below 26.41, and so is a*(3). So the recipe "
        "is not tight either",
        {"n": 4, "ell": FOUR.length, "b": 3, "L": [4], "recipe": "27.839"},
        lambda: recipe_of(FOUR, 2, (1, 2, 3))[0] > of_set(FOUR, 2, (1, 2, 3))[1],
    )


def _agrees(instance: tuple[Setting, tuple[int, ...]]) -> bool:
    """The enclosures of the recipe and of the supremum differ by at most 10^-9 of them."""
    at, hidden = instance
    record = hidden[0] if len(hidden) == 1 else at.centre
    recipe, found = recipe_of(at, record, hidden), of_set(at, record, hidden)
    return abs(recipe[1] - found[0]) + abs(found[1] - recipe[0]) <= 1e-9 * found[1]


def _alone(proof: Proof) -> None:
    proof.exhaust(
        "the recipe agrees",
        "with L all other records no hidden one is cut off, and mu is largest at a corner",
        [
            (Setting(count, length), (record,))
            for count in range(2, 6)
            for length in LENGTHS
            for record in range(1, count + 1)
        ],
        _agrees,
    )
