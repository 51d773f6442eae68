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

import sympy

from pufferproof.claims.ours.general.definition import keeps_each, mixture, prior_of, ratios
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.laws import Table
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes, any number of priors"
R = sympy.Symbol("R")


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
        return _largest((a, b) for _, _, a, b in ratios(framework, self.channel, theta))

    def fails(self) -> bool:
        """Say whether epsilon = 0 holds for each prior but not for their even mixture."""
        return keeps_each(self.framework, self.channel, Fraction(1)) and self.half() != 1


def _largest(values: Iterator[tuple[Fraction, Fraction]]) -> Fraction | None:
    best = Fraction(1)
    for above, below in values:
        if above and not below:
            return None
        best = max(best, above / below if below else Fraction(0))
    return best


@claim(
    "general.prior-mixture",
    where="general laws",
    statement="A mechanism that is epsilon-Pufferfish for two priors is epsilon-Pufferfish for "
    "every mixture of them.",
    repair="general.prior-mixture-bound",
)
def prior_mixture(check: Check) -> None:
    """Refute it at epsilon = 0, by the smallest instance with, and without, secrets of
    probability zero.
    """
    with check.reading("both secrets possible under both priors", "one counterexample") as argument:
        _fails(argument, possible=True)
    with check.reading(
        "priors that rule a secret out are left out for it", "one counterexample"
    ) as argument:
        _fails(argument, possible=False)
    name = "both secrets possible, one of them a single database"
    with check.reading(name, "every epsilon; all finite sizes") as argument:
        _single(argument)
    check.near_miss(f"{name}: two databases", lambda argument: _single(argument, two=True))


def _fails(argument: Argument, possible: bool) -> None:
    found = next(instance for instance in _instances(possible) if instance.fails())
    argument.exhaust(
        "the smallest instance at epsilon = 0",
        "Two secrets, outputs u and v shown without noise, two priors, mixed evenly; by number of "
        "databases, then the denominators of the priors: the first failure is the smallest. (One "
        "prior, or one output, cannot fail.)",
        _instances(possible),
        lambda instance: not instance.fails(),
    )
    ratio = found.half()
    argument.counterexample(
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


def _single(argument: Argument, two: bool = False) -> None:
    A, W, a, b, c, w = sympy.symbols("A W a b c w")
    argument.induction(
        "a secret held by one database, in both orders",
        "If s' = {x} then P(y | s', theta) = b, the entry of x, under every prior; all allow s and "
        "s'. A = sum w p a and W = sum w p over the first priors (w now stands for w p): b/R <= a "
        "<= R b for each prior stays true of the average A/W",
        base=(
            (w * a <= R * b * w) & (b * w <= R * a * w),
            [a <= R * b, b <= R * a, w > 0, R >= 1, b >= 0],
        ),
        step=(
            (A + w * a <= R * b * (W + w)) & (b * (W + w) <= R * (A + w * a)),
            [
                R * b * W >= A,
                b * W <= R * A,
                a <= R * c,
                c <= R * a,
                w > 0,
                W > 0,
                R >= 1,
                b >= 0,
                c >= 0,
            ]
            + ([] if two else [sympy.Eq(c, b)]),
        ),
    )


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
)
def prior_mixture_bound(check: Check) -> None:
    """Prove the bound for any number of priors, that it is the supremum, and when a mixture
    loses nothing.
    """
    name = "upper bound"
    with check.reading(name, ALL_SIZES) as argument:
        _upper(argument)
    check.near_miss(f"{name}: without Omega", lambda argument: _upper(argument, constant=True))
    name = "equal odds lose nothing"
    with check.reading(name, ALL_SIZES) as argument:
        _equal_odds(argument)
    check.near_miss(
        f"{name}: odds that differ", lambda argument: _equal_odds(argument, differ=True)
    )
    name = "no smaller constant"
    with check.reading(name, "every epsilon and all odds") as argument:
        _approached(argument)
    check.near_miss(f"{name}: reached", lambda argument: _approached(argument, reached=True))
    name = "the loss is unbounded"
    with check.reading(name, "every epsilon and every bound") as argument:
        _unbounded(argument)
    check.near_miss(
        f"{name}: with odds up to the bound", lambda argument: _unbounded(argument, small=True)
    )


def _upper(argument: Argument, constant: bool = False) -> None:
    A, B, P, Q, a, b, p, q, h, k, N, D, w = sympy.symbols("A B P Q a b p q h k N D w")
    terms = [
        a <= R * b,
        p <= h * q,
        k * q <= p,
        a >= 0,
        b >= 0,
        p > 0,
        q > 0,
        w >= 0,
        h >= k,
        k > 0,
        R >= 1,
    ]
    argument.induction(
        "one more prior",
        "h and k are the largest and smallest odds. A, P, B, Q are the sums of w p a, w p, w q b, "
        "w q over the first priors, so that P(y|s) = A/P and P(y|s') = B/Q: A <= R h B and k Q <= "
        "P",
        base=((w * p * a <= R * h * w * q * b) & (k * w * q <= w * p), terms),
        step=(
            (A + w * p * a <= R * h * (B + w * q * b)) & (k * (Q + w * q) <= P + w * p),
            [R * h * B >= A, k * Q <= P, *terms],
        ),
    )
    argument.inequality(
        "the ratio under the mixture",
        "N = A/P = P(y|s) and D = B/Q = P(y|s') have N <= R (h/k) D: k N <= R h D",
        k * N <= R * (k if constant else h) * D,
        [
            *[
                sympy.Eq(N * P, A),
                sympy.Eq(D * Q, B),
                R * h * B >= A,
                k * Q <= P,
                P > 0,
                Q > 0,
                A >= 0,
                B >= 0,
            ],
            *[N >= 0, D >= 0, h >= k, k > 0, R >= 1],
        ],
    )


def _equal_odds(argument: Argument, differ: bool = False) -> None:
    h, k, N, D = sympy.symbols("h k N D")
    _upper(argument)
    argument.inequality(
        "Omega = 1",
        "With the bound k N <= R h D and h = k: the mixture keeps the level of its parts",
        N <= R * D,
        [
            k * N <= R * h * D,
            k > 0,
            h >= k,
            R >= 1,
            N >= 0,
            D >= 0,
            *([] if differ else [sympy.Eq(h, k)]),
        ],
    )


def _approached(argument: Argument, reached: bool = False) -> None:
    x, m, n, c, W, t = sympy.symbols("x m n c W t")
    argument.inequality(
        "a mechanism that keeps the level for each prior",
        "Databases a, c under the first prior, b, d under the second; s = {a, b}, s' = {c, d}. The "
        "output u has probability x = R/(R + 1) at a, 1 - x at c and 0 at b and d; v the rest: "
        "level R under the first prior, 1 under the other",
        (x <= R * (1 - x)) & (1 - x <= R * x) & (x <= 1) & (x >= 0),
        [sympy.Eq(x * (R + 1), R), R >= 1],
    )
    p, q, P, Q = sympy.symbols("p q P Q")
    argument.identity(
        "the ratio of u under a mixture",
        "With weights proportional to t and 1, odds p/q under the first prior and P/Q under the "
        "second, m = p/P and n = q/Q: P(u|s)/P(u|s') = [t p x/(t p + P)] / [t q (1 - x)/(t q + "
        "Q)], and x/(1 - x) = R",
        (t * p * R / (t * p + P)) / (t * q / (t * q + Q)),
        R * (p * Q) / (q * P) * (1 + t * q / Q) / (1 + t * p / P),
    )
    argument.inequality(
        "it comes as near to R Omega as one likes",
        "Omega = W = p Q/(q P) = m/n >= 1. For any c with 0 < c < R W the weight t = (R W - c)/(c "
        "m) > 0 gives a ratio R W (1 + t n)/(1 + t m) of at least c",
        (R * W * (1 + t * n) >= c * (1 + t * m)) & (t > 0),
        [
            *[
                m > 0,
                n > 0,
                sympy.Eq(W * n, m),
                W >= 1,
                R >= 1,
                c > 0,
                (c <= R * W) if reached else (c < R * W),
            ],
            sympy.Eq(t * c * m, R * W - c),
        ],
    )


def _unbounded(argument: Argument, small: bool = False) -> None:
    p, q, W, C = sympy.symbols("p q W C")
    _approached(argument)
    argument.inequality(
        "odds as far apart as one likes",
        "For every C >= 1 let theta_1(s) = p = C/(C + 1) and theta_2(s) = q = 1/(C + 2), with s' "
        "the rest: Omega = W = [p/(1 - p)]/[q/(1 - q)] = C (C + 1) > C, and as above some mixture "
        "exceeds R C, also with R = 1",
        (W > C) & (p > 0) & (p < 1) & (q > 0) & (q < 1),
        [
            sympy.Eq(p * (C + 1), C),
            sympy.Eq(q * (C + 2), 1),
            sympy.Eq(W * (1 - p) * q, p * (1 - q)),
            (0 if small else 1) <= C,
        ],
    )
