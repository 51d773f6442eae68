"""Whether mechanisms that compose and survive post-processing must satisfy inequalities of
differential privacy.

At the level epsilon they need not, and a family of them need not at any common level: NfC
constraints whose weights form a coupling compose exactly and are closed under processing. Each
finite list of mechanisms that composes with repetitions satisfies such inequalities at some level
of its own, which says which databases exclude outputs, and no more. Source: bai2026, abstract and
Sections 1, 5 and 8.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from sympy import And, Eq, Rational

from pufferproof.claims.language import Proof, at_least, letter, letters
from pufferproof.claims.papers.bai2026.composition.instances import (
    Weights,
    broken_in_numbers,
    channel_of,
    one_pair,
    satisfies,
)
from pufferproof.claims.papers.bai2026.postprocessing.statement import closed_for_even_weights
from pufferproof.claims.papers.bai2026.statements import runs
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel

E = letter("E", "e to the level of the next release")
Q, F = letters("Q F", "(3/2)^k and 2^k for k releases, or any levels of them")
first, next_first = letters(
    "first next_first", "likelihoods at a database: joint ones so far, and next ones", at_least(0)
)
left, next_left, right, next_right = letters(
    "left next_left right next_right", "those at the two databases of its constraint", at_least(0)
)
n, m = letters("n m", "nu_b u and mu_a x, terms of the two sums")
u, x = letters("u x", "the joint likelihoods at b and at a", at_least(0))
h = letter("h", "the parameter of a member of the family")
k = letter("k", "e to any level", at_least(1))

HALF = Fraction(1, 2)
EVEN = {"b": HALF, "c": HALF}
OWN = (
    "each finite list, runs repeated, D possible under a prior that allows both secrets, at a "
    "level of its own"
)
Kernel = Mapping[str, Weights]
LEVEL = Fraction(3, 2)
ONE_HOT: Kernel = {"a": EVEN, "b": {"a": Fraction(1)}, "c": {"a": Fraction(1)}}
"""Weights on b and c for a, and on a for b and c."""
NOTATION = {
    "N": "a number of runs",
    "M_i": "a mechanism of the list M_1 .. M_m",
    "kappa": "a number, for instance e to a level",
}


@claim(
    "bai2026.ppi-implication",
    where="Sections 1, 5 and 8",
    statement="A family of epsilon-Pufferfish mechanisms that compose linearly with each other and "
    "that contains A o M with every M satisfies inequalities of differential privacy: for "
    "every ordered pair (s1, s2) and every D with s1 some D_l with s2 has M(D)(w) <= e^epsilon "
    "M(D_l)(w) for all M of the family and all w.",
    kind="claim",
    repair="bai2026.ppi-implication-repaired",
    says={OWN: runs.ONE_DATABASE},
)
def ppi_implication(check: Check) -> None:
    """Refute it at the level epsilon, and at any level common to a family; prove it for a level
    of each list's own.

    Constraints: Weights beta on databases possible given s2 exist for D, which is possible given s1
    [bai2026.nfc-repaired]. A database of positive weight gives every output of D: The geometric
    mean over l is 0 if some u_l with beta_l = b > 0 is 0; so v = M(D_l)(w) = 0 forces d = M(D)(w) =
    0. A common level: most is the largest quotient over the outputs so far, each of which has
    likelihoods U <= most V; the next has d = quotient v, where quotient is any number >= 0 if both
    are 0. The maximum of both bounds all of them; over all outputs it is kappa.
    """
    with check.reading("for each D, at the level epsilon", "one counterexample") as proof:
        _each_database(proof)
    with check.reading("for at least one D, at the level epsilon", "one counterexample") as proof:
        _any_database(proof)
    with check.reading(
        "for each D, at some level common to the family", "one counterexample, every level"
    ) as proof:
        _no_level(proof)
    check.tried(OWN)


@claim(
    "bai2026.ppi-implication-repaired",
    where="Sections 1, 5 and 8, repaired",
    statement="Let there be finitely many databases, mechanisms M_i and outputs of each, 0 <= "
    "epsilon < infinity, and for every N >= 1 let every joint release of N independent runs of "
    "these mechanisms, repetitions allowed, be (N epsilon)-Pufferfish. Then for every ordered "
    "pair (s1, s2) in S, every theta in Theta with theta(s1) > 0 and theta(s2) > 0, and every "
    "D with theta(D | s1) > 0 there are some D_l with theta(D_l | s2) > 0 and some finite "
    "kappa with M_i(D)(w) <= kappa M_i(D_l)(w) for every i and every output w of M_i.",
    kind="repair of bai2026.ppi-implication",
    says={"as repaired": runs.ONE_DATABASE},
)
def ppi_implication_repaired(check: Check) -> None:
    """Prove that some database possible given s2 gives every output that D gives.

    As in bai2026.ppi-implication.
    """


def in_family(channel: Channel, kernel: Kernel, ratio: Fraction) -> bool:
    """Say whether a mechanism satisfies the NfC constraint of every database of the kernel."""
    return all(satisfies(channel, database, weights, ratio) for database, weights in kernel.items())


def is_coupling(
    first: Mapping[str, Fraction], second: Mapping[str, Fraction], kernel: Kernel
) -> bool:
    """Say whether the rows of the kernel are laws and first times kernel is second."""
    return all(
        sum(kernel[x].values()) == 1 and min(kernel[x].values()) >= 0 for x in first
    ) and all(
        sum(p * kernel[x].get(z, Fraction(0)) for x, p in first.items()) == q
        for z, q in second.items()
    )


def breaks(channel: Channel, database: str, other: str, ratio: Fraction) -> bool:
    """Say whether some output has M(database) > ratio * M(other)."""
    return any(
        channel.probability(database, y) > ratio * channel.probability(other, y)
        for y in channel.outputs
    )


def _composes(proof: Proof) -> bool:
    """Prove that constraints with the weights (1/2, 1/2) compose where they form a coupling."""
    return proof.inequality(
        "the family composes",
        "first, left and right are joint likelihoods of the outputs so far at a database and at "
        "the two of its constraint, F the product of the levels; the next release satisfies the "
        "constraint at the level E. Constraints multiply, one-hot ones too, and a geometric mean "
        "is at most the mean: weights that form a coupling make it a bound given the secrets",
        And(
            (first * next_first) ** 2 <= (F * E) ** 2 * left * next_left * right * next_right,
            2 * first <= F * (left + right),
        ),
        [
            first**2 <= F**2 * left * right,
            next_first**2 <= E**2 * next_left * next_right,
            F >= 1,
            E >= 1,
        ],
    )


def _closed_and_composes(proof: Proof) -> bool:
    composes = _composes(proof)
    return closed_for_even_weights(proof) and composes


def _small(largest: int) -> Iterator[tuple[int, Sequence[int]]]:
    for size in range(2, largest + 1):
        yield from ((size, numbers) for numbers in product(range(size + 1), repeat=3))


def _rows(size: int, numbers: Sequence[int]) -> Channel:
    return channel_of(
        {x: [Fraction(n, size), 1 - Fraction(n, size)] for x, n in zip("abc", numbers)}
    )


def _each_database(proof: Proof) -> None:
    closed = _closed_and_composes(proof)
    found = proof.exhaust(
        "smallest failure",
        "s1 = {a}, s2 = {b, c} equally likely, e^epsilon = 3/2, constraints with weights (1/2, "
        "1/2) for a and one-hot for b and c; two outputs with probabilities in multiples of 1/N, N "
        "from 2 on. With two databases the constraint is the inequality",
        _small(6),
        lambda instance: not _unequal_member(_rows(*instance)),
    )
    if found is None:
        return
    channel, first = _rows(*found), {"a": Fraction(1)}
    proof.counterexample(
        "a member of the family",
        "Let s1 = {a} and s2 = {b, c}, b and c equally likely, and take all mechanisms with NfC "
        "constraints at e^epsilon = 3/2, with the weights (1/2, 1/2) for a and one-hot ones for b "
        "and c. They compose and survive processing. But in one of them the output u is more than "
        "3/2 times as likely on a as on one of b and c, and the output v as on the other: a has no "
        "inequality of differential privacy at epsilon",
        {
            "framework": one_pair(first, EVEN),
            "mechanism": channel,
            "D": "a",
            "e^epsilon": LEVEL,
            "weights": {x: dict(weights) for x, weights in ONE_HOT.items()},
        },
        lambda: (
            closed
            and is_coupling(first, EVEN, ONE_HOT)
            and is_coupling(EVEN, first, ONE_HOT)
            and _unequal_member(channel)
        ),
        breaking("a", "bc", channel, LEVEL),
    )


def _unequal_member(channel: Channel) -> bool:
    """Say whether a mechanism of the family has no inequality of differential privacy for a."""
    return in_family(channel, ONE_HOT, LEVEL) and all(breaks(channel, "a", x, LEVEL) for x in "bc")


def _any_database(proof: Proof) -> None:
    first, second = {"a": HALF, "d": HALF}, EVEN
    kernel: Kernel = {x: dict(second if x in first else first) for x in "adbc"}
    numbers = {"a": (2, 1, 1, 2), "d": (1, 2, 2, 1), "b": (1, 1, 2, 2), "c": (2, 2, 1, 1)}
    channel = channel_of({x: [Fraction(n, 6) for n in row] for x, row in numbers.items()})
    closed = _closed_and_composes(proof)
    proof.counterexample(
        "no inequality at all",
        "Let s1 = {a, d} and s2 = {b, c}, all equally likely, and take all mechanisms with NfC "
        "constraints at e^epsilon = 3/2, all weights 1/2. They compose and survive processing. But "
        "for one of them and every ordered choice of databases with different secrets some output "
        "has ratio 2 > 3/2, as 2 <= (3/2) sqrt(2) is enough for the constraints",
        {
            "framework": one_pair(first, second),
            "mechanism": channel,
            "e^epsilon": LEVEL,
            "weights": {x: dict(weights) for x, weights in kernel.items()},
        },
        lambda: (
            closed
            and is_coupling(first, second, kernel)
            and is_coupling(second, first, kernel)
            and in_family(channel, kernel, LEVEL)
            and all(
                breaks(channel, x, z, LEVEL) and breaks(channel, z, x, LEVEL)
                for x in first
                for z in second
            )
        ),
        " and ".join(
            [breaking(x, second, channel, LEVEL) for x in first]
            + [breaking(z, first, channel, LEVEL) for z in second]
        ),
    )


FORWARD: Kernel = {"a": {"b": Fraction(1)}, "e": {"c": Fraction(1)}, "d": EVEN}
BACK: Kernel = {"b": {"a": Fraction(1)}, "c": {"e": Fraction(1)}}
"""Weights of a family: forward at the ratio 2, back at the ratio 3/2."""


def far_member(h: Fraction) -> Channel:
    """Return a member of the family for which d exceeds both b and c by a factor of 2/h, 0 < h
    <= 1.
    """
    low, high = h * h / 4, Fraction(1, 4)
    rows = {
        "a": (low, high),
        "e": (high, low),
        "d": (h / 2, h / 2),
        "b": (low, high),
        "c": (high, low),
    }
    return channel_of({x: [p, q, 1 - p - q] for x, (p, q) in rows.items()})


def _family_composes(proof: Proof) -> list[bool]:
    """Prove that the family composes at the level log 2 and survives processing."""
    return [
        _composes(proof),
        proof.inequality(
            "the ratio back",
            "Q = (3/2)^k, F = 2^k: products keep u_b <= Q u_a and u_c <= Q u_e. Term by term: n = "
            "nu_b u with u the joint likelihood at b, m = mu_a x with x that at a: u <= Q x and "
            "nu_b = (4/3) mu_a give n <= F m; the same for c and e, and the term of d only helps. "
            "(4/3) Q <= F holds with equality for k = 1, and for k + 1 if for k",
            And(n <= F * m, 4 * (Q * Rational(3, 2)) <= 3 * (F * 2)),
            [Eq(8 * n, 4 * u), Eq(8 * m, 3 * x), u <= Q * x, 4 * Q <= 3 * F, Q >= 1, F >= 1],
        ),
        closed_for_even_weights(proof),
    ]


def _members(proof: Proof) -> list[bool]:
    """Prove that the family has members beyond every level."""
    return [
        proof.inequality(
            "members for every h",
            "The outputs u and v have probabilities (h/2, h/2) at d, (h^2/4, 1/4) at a and b, "
            "(1/4, h^2/4) at e and c; a third output has the rest. The constraint of d is an "
            "equality at u and v, and holds for the rest; all others compare equal rows",
            Eq((h / 2) ** 2, 4 * (h**2 / 4) / 4)
            & (1 - h <= 2 * (1 - (h**2 + 1) / 4))
            & (1 - (h**2 + 1) / 4 >= 0),
            [h > 0, h <= 1],
        ),
        proof.inequality(
            "beyond every level",
            "u exceeds k times its probability at b, v at c, for h = 1/k",
            h / 2 > k * (h**2 / 4),
            [Eq(h * k, 1)],
        ),
    ]


def _no_level(proof: Proof) -> None:
    steps = [*_family_composes(proof), *_members(proof)]
    first = {"a": Fraction(3, 8), "e": Fraction(3, 8), "d": Fraction(1, 4)}
    channel = far_member(Fraction(1, 100))
    proof.counterexample(
        "a member that exceeds the level 100",
        "Let s1 = {a, d, e} and s2 = {b, c}, e^epsilon = 2. The family above composes and survives "
        "processing, and for every k its member with h = 1/k violates M(d)(w) <= k M(b)(w) for "
        "some output w and M(d)(w) <= k M(c)(w) for another",
        {
            "framework": one_pair(first, EVEN),
            "mechanism": channel,
            "D": "d",
            "e^epsilon": Fraction(2),
            "weights": {x: dict(weights) for x, weights in {**FORWARD, **BACK}.items()},
        },
        lambda: (
            all(steps)
            and is_coupling(first, EVEN, FORWARD)
            and all(EVEN[x] == Fraction(4, 3) * first[z] for x, z in zip("bc", "ae"))
            and in_family(channel, FORWARD, Fraction(2))
            and in_family(channel, BACK, Fraction(3, 2))
            and all(breaks(channel, "d", x, Fraction(100)) for x in "bc")
        ),
        breaking("d", "bc", channel, Fraction(100)),
    )


def breaking(first: str, others: Iterable[str], channel: Channel, level: Fraction) -> str:
    """Write that for each other database some output is too likely on the first."""
    found = [
        broken_in_numbers(channel, first, [x], {y: 1}, level)
        for x in others
        for y in channel.outputs
        if channel.probability(first, y) > level * channel.probability(x, y)
    ]
    return " and ".join(found)
