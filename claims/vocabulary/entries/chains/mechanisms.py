"""Classes of chains with a gap, and the Markov quilt mechanism with the estimates of a gap in its
scores (GapMechanism.v).
"""

from collections.abc import Iterator, Sequence

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.chains.gaps import FAR, GAP, LOWEST, Pairs, told
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Rows
from pufferproof.claims.vocabulary.entries.quilts.chains import RELEASE_OF, ChainOf, Release, law_of_chain
from pufferproof.claims.vocabulary.sorts import both, listed, row, rows
from pufferproof.claims.vocabulary.terms import Sort, entry

RESTING = "(({0} -> R) * (({0} -> R) * ({0} -> {0} -> R))) -> Prop"
RESTING_OF = RESTING.format("'A")
Resting = tuple[Law, tuple[Law, Rows]]
"""A stationary law, a first law and steps."""


def resting_chains(of: str) -> Sort:
    """A class of chains, each with a law that may be stationary."""
    return Sort(
        RESTING.format(of),
        f"a set of triples (pi, m, P) of real functions pi and m on {of} and a real matrix P on "
        f"{of}, for the chain with first law m and steps P",
        "list Mechanisms.raw_resting",
        "Mechanisms.resting_read {}",
        listed(both(row, both(row, rows))),
    )


def _gaps(chains: Sequence[Resting], low: Fraction, r: Fraction) -> Iterator[bool]:
    for pi, (first, steps) in chains:
        yield min(first) >= 0 and sum(first) == 1
        yield all(least <= each for least, each in LOWEST.value(low, pi))
        yield all(GAP.value(pi, steps, r))


def _laws(chains: Sequence[Resting], number: int, size: int) -> list[Law]:
    return [law_of_chain(ChainOf(first, [steps]), number) for _, (first, steps) in chains]


def needed(run: Release, low: Fraction, r: Fraction, n: int, i: int, nodes: Sequence[tuple[int, int]]) -> Fraction:
    """Return e to the least level for which some of the quilts of a record scores, or more than
    that of the release if none does.
    """
    fits = [
        told(low, r, n, lo, hi, i) / run.rho ** (run.parts * (hi - lo))
        for lo, hi in nodes
        if all(FAR.value(low, r, n, lo, hi, i))
    ]
    return min(fits, default=run.ratio + 1)


def _estimated(run: Release, low: Fraction, r: Fraction, n: int) -> Pairs:
    for i in range(n):
        nodes = [(lo, hi) for lo in range(i + 1) for hi in range(i + 1, n + 1)]
        yield needed(run, low, r, n, i, nodes), run.ratio


def _two_sided(run: Release, low: Fraction, r: Fraction, n: int) -> Pairs:
    for i in range(n):
        nodes = [(lo, hi) for lo in range(1, i + 1) for hi in range(i + 1, n)]
        yield needed(run, low, r, n, i, nodes), run.ratio


SCORE = (
    "with an estimate e < eps_[0] by [1] and [2], and a score m/(eps_[0] - e) <= sigma_[0], where "
    "m is the number of records between its own, or from its own to the end of the table, or of all"
)
MEANING = (
    "A quilt of X_i has X_(i-a) and X_(i+b), one of them, or no record. By l and s it has an "
    "estimate e if s^d < l at its distances d and e^e is at least the product of ((l + s^a)/(l - "
    "s^a))^2, if it has X_(i-a), and (l + s^b)/(l - s^b), if it has X_(i+b)."
)
TEX = r" \frac{\mathrm{card}(X_N)}{\varepsilon_{[0]} - h_{[1], [2]}(Q)} \le \sigma_{[0]}"
GAPS = entry(
    "chains with gaps",
    takes=(RESTING_OF, "R", "R"),
    words="for every (pi, m, P) in [0], m is a law, no entry of pi is below [1], pi is a law without "
    "zeros, every row of P is a law, pi P = pi, 0 <= [2] < 1, 1 is a simple eigenvalue of P P*, "
    "and no other one is above [2]^2",
    tex=r"\forall (\pi, m, P) \in [0]:\ [1] \le \pi,\ \pi > 0,\ \pi P = \pi,\ "
    r"\lambda_2(P P^*) \le [2]^2 < 1",
    coq="GapMechanism.gaps [0] [1] [2]",
    value=_gaps,
    relation="truth",
    meaning="P* is the chain P backwards: P*(x, y) = pi(y) P(y, x)/pi(x). Of the least gap g = 1 - "
    "lam of all chains, lam the largest of the other eigenvalues of one, s = e^(-g/2) is such a "
    "number, as 1 - g <= e^(-g).",
)
LAWS_AT_REST = entry(
    "laws of chains with gaps",
    takes=(RESTING_OF, "nat", "Type"),
    gives="(Chain.vec [2] [1] -> R) -> Prop",
    words="the laws of the first [1] records of the chains in [0]",
    tex=r"\{\theta(X_1 .. X_{[1]}): \theta \in [0]\}",
    coq="GapMechanism.laws_at_rest [0] [1]",
    value=_laws,
)
ESTIMATED = entry(
    "scores by estimates",
    takes=(RELEASE_OF, "R", "R", "nat"),
    words=f"each X_i of [3] records has a quilt {SCORE}",
    tex=rf"\max_{{i \le [3]}} \min_Q{TEX}",
    coq="forall i_ : nat, (i_ < [3])%nat -> GapMechanism.estimated_score [1] [2] [3] "
    "(TableQuilts.at_level [0]) (TableQuilts.with_noise [0]) i_",
    value=_estimated,
    precedence=200,
    relation="<=",
    meaning=MEANING,
)
TWO_SIDED = entry(
    "scores by two-sided estimates",
    takes=(RELEASE_OF, "R", "R", "nat"),
    words=f"each X_i of [3] records has a quilt of two records {SCORE}",
    tex=rf"\max_{{i \le [3]}} \min_{{|Q| = 2}}{TEX}",
    coq="forall i_ : nat, (i_ < [3])%nat -> GapMechanism.two_sided_score [1] [2] [3] "
    "(TableQuilts.at_level [0]) (TableQuilts.with_noise [0]) i_",
    value=_two_sided,
    precedence=200,
    relation="<=",
    meaning=MEANING,
)
