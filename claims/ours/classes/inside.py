"""Boxes of two-valued chains whose worst chain is no corner: three instances.

Noise is geometric, P(noise = n) prop. to t^|n|, and the query is the number of records of value 1.
"""

from collections.abc import Sequence

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.language.statements import Fraction
from pufferproof.claims.ours.classes.statements import ratio
from pufferproof.claims.registry import Check, claim

F = Fraction
Chain = tuple[F, F]


@claim(
    "classes.worst-at-corner",
    where="Classes of priors",
    statement="Let a class have the chains of two values whose a = P(0, 1) and b = P(1, 0) lie in "
    "an interval each. For noise that decays exponentially on the number of records of value 1, "
    "no chain of the class leaks more than all chains at ends of both intervals, and of that of "
    "P(X_1 = 1) where the start is free.",
    kind="conjecture",
    repair="classes.corner",
)
def worst_at_corner(check: Check) -> None:
    """Refute it for every kind of start, by a chain inside that leaks more than both ends."""
    single = "one counterexample"
    proved(check, "stationary chains", single, _stationary)
    proved(check, "one given start", single, _given)
    proved(check, "any start, at the ends 0 and 1 of P(X_1 = 1)", single, _any)


def _stationary(proof: Proof) -> None:
    chains = [(a, F(19, 20)) for a in (F(3, 4), F(17, 20), F(19, 20))]
    _inside(
        proof,
        "Six records, the second is secret, t = 1/2, b = 19/20: a in [3/4, 19/20] is worse at "
        "17/20 than at both ends. Here a + b > 1",
        (chains, 6, F(1, 2), 2),
        [None] * 3,
    )


def _given(proof: Proof) -> None:
    chains = [(a, F(9, 10)) for a in (F(13, 20), F(17, 20), F(19, 20))]
    _inside(
        proof,
        "Four records, the third is secret, P(X_1 = 1) = 1/10, t = 1/5, b = 9/10: a in [13/20, "
        "19/20] is worse at 17/20 than at both ends",
        (chains, 4, F(1, 5), 3),
        [[F(9, 10), F(1, 10)]] * 3,
    )


def _any(proof: Proof) -> None:
    tenth = (F(1, 10), F(1, 10))
    _inside(
        proof,
        "Two records, the second is secret, t = 1/5, a = b = 1/10: P(X_1 = 1) = 1/4 is worse than "
        "0 and 1. Here a + b <= 1",
        ([tenth] * 3, 2, F(1, 5), 2),
        [[F(1), F(0)], [F(3, 4), F(1, 4)], [F(0), F(1)]],
    )


def _inside(
    proof: Proof,
    sentence: str,
    asked: tuple[Sequence[Chain], int, F, int],
    starts: Sequence[list[F] | None],
) -> None:
    """Show that the second of three chains leaks more than the others."""
    chains, count, t, record = asked
    counted = [(0, 1)] * count
    low, inside, high = (ratio(each, counted, t, record, s) for each, s in zip(chains, starts))
    proof.counterexample(
        "a chain inside",
        f"{sentence}: e to the leakage is {low}, {inside} and {high}",
        {"low": low, "inside": inside, "high": high},
        lambda: inside > low and inside > high,
        "inside > low and inside > high",
    )
