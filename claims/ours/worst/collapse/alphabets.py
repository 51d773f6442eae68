"""The Moebius recursion for records with more than two values: an upper bound, and not always
attained.

A message of a record is the matrix S(a, b) of largest ratios of E[u | value a] and E[u | value b],
u a column of per-record level R on the records below. The recursion takes the vector of means of a
child to be any that its messages allow.
"""

from fractions import Fraction
from itertools import product

from pufferproof.claims.general.definition import prior_of
from pufferproof.claims.language import Proof, letters, proved
from pufferproof.claims.ours.worst.records.chains import CHAINS, R
from pufferproof.claims.ours.worst.statements.records import trees as says
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Table

u000, u021, u110, u111 = letters("u000 u021 u110 u111", "entries of a column")


@claim(
    "worst.moebius-larger-alphabet",
    where=CHAINS,
    statement="For larger alphabets the recursion, with one message for each ordered pair of "
    "values and the best vector of child means that the messages allow, gives the largest "
    "ratio too.",
    repair="worst.moebius-upper",
)
def larger_alphabet(check: Check) -> None:
    """Refute it by three records: no column has the extreme messages of two pairs at once."""
    proved(check, "as stated", "one counterexample", _not_attained)


def three_records() -> Framework:
    """Return a chain of three records: X_2 = 1 after X_1 = 1, 0 or 2 after 0; X_3 = 0, 1 or
    either after X_2 = 0, 2, 1.
    """
    chain = Table({label: Fraction(1, 4) for label in ("000", "021", "110", "111")})
    return Framework.of_records(
        Records(3, ("0", "1", "2")),
        {"x1=0": (1, "0"), "x1=1": (1, "1")},
        [("x1=0", "x1=1")],
        {"chain": chain},
    )


def _not_attained(proof: Proof) -> None:
    bounded = proof.inequality(
        "the largest ratio is at most R^2",
        "P(y | X_1 = 0) = (u_000 + u_021)/2 and P(y | X_1 = 1) = (u_110 + u_111)/2; 000 and 110 "
        "differ in two records, 021 and 111 too",
        u000 + u021 <= R**2 * (u110 + u111),
        [u000 <= R**2 * u110, u021 <= R**2 * u111, R >= 1],
    )
    framework, level = three_records(), Fraction(2)
    recursion = recursion_value(framework, level)
    proof.counterexample(
        "two extreme messages exclude one another",
        "R = 2: the recursion says 16/3, no mechanism exceeds 4. With two records it would be "
        "exact, a leaf's column being any numbers within the factor R, and with two values by the "
        "claim on bits",
        {"framework": framework, "R": level, "recursion": recursion, "largest ratio": level**2},
        lambda: bounded and recursion_value(framework, level) > level**2,
    )


def recursion_value(framework: Framework, level: Fraction) -> Fraction:
    """Return a value of the recursion at X_1 = 0 against 1: means (t, 1, t) of X_2, if the
    messages to X_2 allow them.
    """
    first, second = (_conditional(framework, place) for place in (0, 1))
    leaves = list(product((Fraction(1), level), repeat=3))
    message = {
        (a, b): level * max(_mean(second[a], v) / _mean(second[b], v) for v in leaves)
        for a in "012"
        for b in "012"
    }
    t = min(message["0", "1"], message["2", "1"])
    means = dict(zip("012", (t, Fraction(1), t)))
    allowed = all(means[a] <= message[a, b] * means[b] for a in means for b in means)
    found = (
        level * _mean(first["0"], tuple(means.values())) / _mean(first["1"], tuple(means.values()))
    )
    return found if allowed else Fraction(0)


def _mean(law: dict[str, Fraction], values: tuple[Fraction, ...]) -> Fraction:
    return sum((law[z] * v for z, v in zip("012", values)), Fraction(0))


def _conditional(framework: Framework, place: int) -> dict[str, dict[str, Fraction]]:
    """Return P(next record = z | record = a) for every a that is possible."""
    theta = prior_of(framework, "chain")
    joint = {
        (a, z): sum(
            (p for x, p in theta.items() if x[place] == a and x[place + 1] == z), Fraction(0)
        )
        for a in "012"
        for z in "012"
    }
    masses = {a: sum((joint[a, z] for z in "012"), Fraction(0)) for a in "012"}
    return {a: {z: joint[a, z] / masses[a] for z in "012"} for a in "012" if masses[a]}


@claim(
    "worst.moebius-upper",
    where=CHAINS,
    statement="For trees over any finite alphabet the recursion bounds the largest ratio from "
    "above: S(a, b) = R prod_c s_c(a, b), s_c(a, b) the largest sum_z P(z | a) m_z / sum_z P(z "
    "| b) m_z over m > 0 with m_z <= S_c(z, z') m_z'.",
    kind="repair of worst.moebius-larger-alphabet",
    says=says.ANY_ALPHABET_ONE_LEVEL,
)
def moebius_upper(check: Check) -> None:
    """Prove it as for bits: the vector of means of a child satisfies the inequalities of its
    messages.

    Averages are columns: The column of a leaf is a pair of numbers within a factor R. For a fixed
    value of the root and laws of the other subtrees, v = the average of u over these is a column of
    the subtree of c: sums keep u(x) <= R u(y) [lemma.mediant]. One child at a time: A is the mean
    of u(0, .) when the first children follow their laws given root = 1 and the others given root =
    0, B that given root = 0 for all: A <= M B. For the next child the mean of the column v above
    changes by at most s_c. The root: u(1, .) <= R u(0, .) at every database, and so in the mean
    given root = 1: N <= R A for A with all children changed. Means of a child: m_z = E[v | x_c = z]
    has m_z <= S_c(z, z') m_z' for all z, z' by induction, so its quotient is at most s_c.
    """
    check.tried("upper bound")
