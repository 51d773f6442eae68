"""Mixtures of priors: what a promise kept for every prior of a list says about an adversary unsure
which prior is right.

For prior l: p_l = P_l(s), q_l = P_l(s'), a_l = P_l(y | s), b_l = P_l(y | s'), with a_l <= R b_l. A
mixture with weights w_l has P(y | s) = sum w p a / sum w p: each secret reweights the priors by its
own probabilities. The largest ratio is R Omega, where Omega is the largest of p_l/q_l divided by
the smallest: the ratio of the prior odds of the secrets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from pufferproof.claims.general.definition import keeps_each, mixture, prior_of, ratios
from pufferproof.claims.general.statements import mixtures
from pufferproof.claims.language import Proof, letter, letters
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table

x = letter("x", "R/(R + 1)")
first, second = letters("first second", "theta_1(s) and theta_2(s)")


@dataclass(frozen=True)
class Instance:
    """Two secrets, two priors and a mechanism that shows u or v without noise: the smallest things
    that could fail.

    `priors` has integer weights over `total`, one per database; `shows_u` says which databases give
    u.
    """

    secrets: tuple[tuple[int, ...], tuple[int, ...]]
    priors: tuple[tuple[int, ...], tuple[int, ...]]
    shows_u: tuple[int, ...]

    @property
    def framework(self) -> Framework:
        """The framework, with the convex hull of the two priors."""
        labels = "abcd"[: len(self.shows_u)]
        laws = {
            name: Table(
                {x: Fraction(weight, sum(prior)) for x, weight in zip(labels, prior) if weight}
            )
            for name, prior in zip("lm", self.priors)
        }
        secrets = {name: [labels[x] for x in held] for name, held in zip("st", self.secrets)}
        return Framework(tuple(labels), secrets, [("s", "t")], laws, "convex")

    @property
    def channel(self) -> Channel:
        """The mechanism."""
        rows = {x: [shown, 1 - shown] for x, shown in zip("abcd", self.shows_u)}
        return Channel.of(rows, ["u", "v"])

    def half(self) -> Fraction | None:
        """Return the largest ratio under the mixture with equal weights, None for infinite."""
        framework, half = self.framework, Fraction(1, 2)
        theta = mixture({name: prior_of(framework, name) for name in "lm"}, {"l": half, "m": half})
        likelihoods = ratios(framework, self.channel, theta)
        return _largest((each.first, each.second) for each in likelihoods)

    def fails(self) -> bool:
        """Say whether epsilon = 0 holds for each prior but not for their even mixture."""
        return keeps_each(self.framework, self.channel, Fraction(1)) and self.half() != 1


def _largest(values: Iterator[tuple[Fraction, Fraction]]) -> Fraction | None:
    best = Fraction(1)
    for top, bottom in values:
        if top and not bottom:
            return None
        best = max(best, top / bottom if bottom else Fraction(0))
    return best


@claim(
    "general.prior-mixture",
    where="general laws",
    statement="A mechanism that is epsilon-Pufferfish for two priors is epsilon-Pufferfish for "
    "every mixture of them.",
    repair="general.prior-mixture-bound",
    says={"both secrets possible, one of them a single database": mixtures.SINGLE},
)
def prior_mixture(check: Check) -> None:
    """Refute it at epsilon = 0, by the smallest instance with, and without, secrets of
    probability zero.

    A secret held by one database, in both orders: If s' = {x} then P(y | s', theta) = b, the entry
    of x, under every prior; all allow s and s'. A = sum w p a and sum_p = sum w p over the first
    priors, mass = w p: b/R <= a <= R b for each prior stays true of the average A/sum_p.
    """
    with check.reading("both secrets possible under both priors", "one counterexample") as proof:
        _fails(proof, possible=True)
    with check.reading(
        "priors that rule a secret out are left out for it", "one counterexample"
    ) as proof:
        _fails(proof, possible=False)
    check.tried("both secrets possible, one of them a single database")


def _fails(proof: Proof, possible: bool) -> None:
    found = next(instance for instance in _instances(possible) if instance.fails())
    proof.exhaust(
        "the smallest instance at epsilon = 0",
        "Two secrets, outputs u and v shown without noise, two priors, mixed evenly; by number of "
        "databases, then the denominators of the priors: the first failure is the smallest. (One "
        "prior, or one output, cannot fail.)",
        _instances(possible),
        lambda instance: not instance.fails(),
    )
    ratio = found.half()
    proof.counterexample(
        "the secrets reweight the priors differently",
        "Under each prior alone the output is independent of the secret, because it tells the "
        "prior; under the even mixture it tells about the secret what the priors say about it",
        {
            "epsilon for each prior": "log(1)",
            "weights of the mixture": {"l": Fraction(1, 2), "m": Fraction(1, 2)},
            "ratio under the mixture": "inf" if ratio is None else ratio,
            "framework": found.framework,
            "mechanism": found.channel,
            "epsilon": "log(1)",
        },
        found.fails,
    )


def _instances(possible: bool) -> Iterator[Instance]:
    """List instances by databases (2 to 4), then by the largest denominator of a prior (up to
    3), smaller ones first.
    """
    splits: dict[int, list[tuple[tuple[int, ...], tuple[int, ...]]]] = {
        2: [((0,), (1,))],
        3: [((0,), (1,)), ((0, 1), (2,)), ((0,), (1, 2))],
        4: [((0, 1), (2, 3))],
    }
    for size, shapes in splits.items():
        for largest in range(1, 4):
            totals = [
                (first, second)
                for first in range(1, largest + 1)
                for second in range(first, largest + 1)
            ]
            for first, second in totals:
                if second == largest:
                    for shape, one, two in product(
                        shapes, _priors(size, first), _priors(size, second)
                    ):
                        if one != two and (not possible or _possible(shape, one, two)):
                            for shown in product((1, 0), repeat=size):
                                yield Instance(shape, (one, two), shown)


def _priors(size: int, total: int) -> list[tuple[int, ...]]:
    """Return the priors on `size` databases in multiples of 1/total, most weight on early
    databases first.
    """
    cuts = combinations(range(total + size - 1), size - 1)
    parts = [tuple(j - i - 1 for i, j in zip((-1, *cut), (*cut, total + size - 1))) for cut in cuts]
    return sorted(parts, reverse=True)


def _possible(shape: tuple[Sequence[int], Sequence[int]], *priors: Sequence[int]) -> bool:
    return all(any(prior[x] for x in held) for prior in priors for held in shape)


@claim(
    "general.prior-mixture-bound",
    where="general laws",
    statement="If a mechanism is epsilon-Pufferfish for priors theta_1 .. theta_n that give both "
    "secrets positive probability, every mixture of them has P(y|s) <= e^epsilon Omega P(y|s') "
    "for every output y, Omega the largest over the smallest of the odds "
    "theta_l(s)/theta_l(s'). For given odds Omega is the supremum over all such mechanisms and "
    "mixtures, on any databases: no smaller constant does; where the odds differ it is not "
    "attained.",
    kind="repair of general.prior-mixture",
    says={
        "upper bound": mixtures.ODDS_BOUND,
        "equal odds lose nothing": mixtures.ODDS_KEEP,
        "no smaller constant": mixtures.NO_SMALLER,
        "the loss is unbounded": mixtures.UNBOUNDED,
    },
)
def prior_mixture_bound(check: Check) -> None:
    """Prove the bound for any number of priors, that it is the supremum, and when a mixture
    loses nothing.

    Upper bound. One more prior: h and k are the largest and smallest odds. A, sum_p, B, sum_q are
    the sums of w p a, w p, w q b, w q over the first priors, so that P(y|s) = A/sum_p and P(y|s') =
    B/sum_q: A <= R h B and k sum_q <= sum_p. The ratio under the mixture: N = A/sum_p = P(y|s) and
    D = B/sum_q = P(y|s') have N <= R (h/k) D: k N <= R h D. Not attained: a prior above the
    smallest odds counts: then k sum_q < sum_p, and for D > 0 the ratio is below R h/k. Not
    attained: only priors with the smallest odds count: then N <= R D by the bound for these, and k
    < h.

    Equal odds lose nothing. One more prior: h and k are the largest and smallest odds. A, sum_p, B,
    sum_q are the sums of w p a, w p, w q b, w q over the first priors, so that P(y|s) = A/sum_p and
    P(y|s') = B/sum_q: A <= R h B and k sum_q <= sum_p. The ratio under the mixture: N = A/sum_p =
    P(y|s) and D = B/sum_q = P(y|s') have N <= R (h/k) D: k N <= R h D. Omega = 1: With the bound k
    N <= R h D and h = k: the mixture keeps the level of its parts.

    No smaller constant. A mechanism that keeps the level for each prior: Databases a, c under the
    first prior, b, d under the second; s = {a, b}, s' = {c, d}. The output u has probability x =
    R/(R + 1) at a, 1 - x at c and 0 at b and d; v the rest: level R under the first prior, 1 under
    the other. The ratio of u under a mixture: With weights proportional to t and 1, odds p/q under
    the first prior and p2/q2 under the second, m = p/p2 and n = q/q2: P(u|s)/P(u|s') = [t p x/(t p
    + p2)] / [t q (1 - x)/(t q + q2)], and x/(1 - x) = R. It comes as near to R Omega as one likes:
    Omega = W = p q2/(q p2) = m/n >= 1. For any c with 0 < c < R W the weight t = (R W - c)/(c m) >
    0 gives a ratio R W (1 + t n)/(1 + t m) of at least c.

    The loss is unbounded. A mechanism that keeps the level for each prior: Databases a, c under the
    first prior, b, d under the second; s = {a, b}, s' = {c, d}. The output u has probability x =
    R/(R + 1) at a, 1 - x at c and 0 at b and d; v the rest: level R under the first prior, 1 under
    the other. The ratio of u under a mixture: With weights proportional to t and 1, odds p/q under
    the first prior and p2/q2 under the second, m = p/p2 and n = q/q2: P(u|s)/P(u|s') = [t p x/(t p
    + p2)] / [t q (1 - x)/(t q + q2)], and x/(1 - x) = R. It comes as near to R Omega as one likes:
    Omega = W = p q2/(q p2) = m/n >= 1. For any c with 0 < c < R W the weight t = (R W - c)/(c m) >
    0 gives a ratio R W (1 + t n)/(1 + t m) of at least c. Odds as far apart as one likes: For every
    C >= 1 let theta_1(s) = first = C/(C + 1) and theta_2(s) = second = 1/(C + 2), with s' the rest:
    Omega = W = [first/(1 - first)]/[second/(1 - second)] = C (C + 1) > C, and as above some mixture
    exceeds R C, also with R = 1.
    """
    check.tried("upper bound")
    check.tried("equal odds lose nothing")
    check.tried("no smaller constant")
    check.tried("the loss is unbounded")
