"""Composition of any two mechanisms with a max-divergence of the joint law from the product:
theorem III.6 and its steps.

Source: song2017, theorem III.6 and appendix A-B.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof, letter, proved
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.papers.massny2025.influence.instances import largest_ratio
from pufferproof.claims.papers.song2017 import said
from pufferproof.claims.papers.song2017.statements import releases as said_releases
from pufferproof.claims.registry import Check, claim

apart = letter("apart", "the product of the chances of both outputs")
NOTATION = {
    "E": "a bound of both max-divergences between the joint law of the outputs and the product of "
    "their laws",
    "R_A": "e^eps_A",
    "R_B": "e^eps_B",
    "T": "the number of records; in III6-remark e^E",
    "U": "e^E for a larger E",
}
GUARANTEE = (
    "two releases with the levels eps_A, eps_B: the guarantee eps_A + eps_B + 2E is the stronger "
    "the smaller E is"
)
NO_DIVERGENCE = "E = 0 suffices iff the releases are independent given every secret"
MIXED = (
    "joint laws mixed with the product of their marginals: the larger its part, the smaller the "
    "divergence"
)


@claim(
    "song2017.thm-III6",
    where="Theorem III.6",
    statement="M_A, M_B eps_A- and eps_B-Pufferfish in (S,Q,Theta), and for every theta and every "
    "possible secret s_i D_inf between the joint law of both outputs given s_i and the product "
    "of their laws given s_i is at most E, both ways: the pair is (eps_A+eps_B+2E)-Pufferfish.",
    says={"as printed": said.NEAR_PRODUCT},
)
def theorem(check: Check) -> None:
    """Coq multiplies the levels and both divergences, for one pair of outputs."""


@claim(
    "song2017.III6-steps",
    where="Appendix A-B",
    statement="The hypothesis is e^-E <= P(M_B=w2|M_A=w1,s_i)/P(M_B=w2|s_i) <= e^E; the log of the "
    "joint ratio is <= log(first ratio) + log(second ratio) (e^E/e^-E) <= eps_A+eps_B+2E.",
    kind="proof step",
    says={"last factor inside the log": said_releases.INSIDE},
)
def steps(check: Check) -> None:
    """With the factor inside the logarithm the steps are right, outside they are wrong.

    The hypothesis rewritten: dividing by P(M_A=w1|s_i) = a > 0. First inequality: j/k <= (a/b)
    (d/g) T^2, cross-multiplied. Second inequality: for the quotient j/k.
    """
    check.tried("last factor inside the log")
    with check.reading("last factor outside the log", "one counterexample") as proof:
        one, two = Fraction(1), Fraction(2)
        law_i, law_j = joint_law(two), joint_law(1 / two)
        proof.counterexample(
            "outputs that say nothing alone",
            "Two uniform bits, equal with chance 2/3 given s_i and 1/3 given s_j. Both ratios of "
            "single outputs are 1: their logarithms are 0 and a factor outside changes nothing. "
            "The joint ratio is 2, its logarithm is above 0",
            {
                "law given s_i": law_i,
                "law given s_j": law_j,
                "joint ratio at 00": law_i["00"] / law_j["00"],
                "single ratios": [one, one],
            },
            lambda: (
                law_i["00"] == two * law_j["00"]
                and single(law_i) == single(law_j) == [Fraction(1, 2)] * 4
            ),
            "item(law_given_s_i, 0) = 2*item(law_given_s_j, 0) and "
            + " and ".join(
                f"item({law}, 0) + item({law}, {other}) = 1/2"
                for law in ("law_given_s_i", "law_given_s_j")
                for other in (1, 2)
            ),
        )


def joint_law(odds: Fraction) -> dict[str, Fraction]:
    """Two uniform bits with these odds of being equal."""
    equal = odds / (1 + odds) / 2
    return {"00": equal, "01": Fraction(1, 2) - equal, "10": Fraction(1, 2) - equal, "11": equal}


def single(law: dict[str, Fraction]) -> list[Fraction]:
    """P(first = 0), P(first = 1), P(second = 0), P(second = 1)."""
    return [
        sum((p for y, p in law.items() if y[place] == bit), Fraction(0))
        for place in (0, 1)
        for bit in "01"
    ]


@claim(
    "song2017.III6-remark",
    where="After Theorem III.6",
    statement="The more independent the two releases, the smaller the divergence and the stronger "
    "the guarantee.",
    kind="remark",
    says={
        GUARANTEE: formula(
            "R_A*R_B*T**2 <= R_A*R_B*U**2", given="R_A >= 0, R_B >= 0, T >= 0, T <= U"
        ),
        NO_DIVERGENCE: said_releases.NO_DIVERGENCE,
        MIXED: said_releases.MIXTURES,
    },
)
def remark(check: Check) -> None:
    """Settle what it can mean: true of the guarantee and along mixtures with the product, false
    of leakage and of distance.

    E = 0 suffices iff the releases are independent given every secret. E = 0 gives a product: T =
    1, each output pair. A product gives E = 0: j = a d: both ratios are 1.

    Joint laws mixed with the product of their marginals: the larger its part, the smaller the
    divergence. The same marginals: summed over the second outputs, the first output keeps its
    chance a. Nearer to the product: the mixture with the larger part of the product lies between
    the other one and the product of the marginals. Ratios move towards 1: if mixed/apart and its
    inverse are at most T = e^E so are more_mixed/apart and its inverse.
    """
    check.formula(GUARANTEE)
    check.tried(NO_DIVERGENCE)
    check.tried(MIXED)
    proved(
        check,
        "any two releases: the nearer the joint law is to the product in total variation, the "
        "smaller the divergence",
        "one counterexample, two bits",
        _distant,
    )
    proved(
        check,
        "two releases with given laws: what they leak together is the smaller the more independent "
        "they are",
        "one counterexample",
        _repeated,
    )


def _distant(proof: Proof) -> None:
    near, far = rare_pair(Fraction(1, 10), Fraction(1, 20)), joint_law(Fraction(3))
    proof.counterexample(
        "a rare pair of outputs",
        "Two bits that are 1 with chance 1/10 each, and both with chance 1/20, are at distance "
        "2/25 from independent bits and have the divergence log 5. Two fair bits that are "
        "equal with chance 3/4 are at distance 1/4, more than thrice as far, and have the "
        "divergence log 2",
        {
            "nearer law": near,
            "its distance": distance(near),
            "nearer law, and of independent bits": beside_product(near),
            "farther law": far,
            "its distance ": distance(far),
            "farther law, and of independent bits": beside_product(far),
        },
        lambda: (
            distance(near) == Fraction(2, 25)
            and divergence(near) == 5
            and distance(far) == Fraction(1, 4)
            and divergence(far) == 2
        ),
        "excess(row(nearer_law_and_of_independent_bits, 0), "
        "row(nearer_law_and_of_independent_bits, 1), 1) < "
        "excess(row(farther_law_and_of_independent_bits, 0), "
        "row(farther_law_and_of_independent_bits, 1), 1) and "
        "largest_ratio(nearer_law_and_of_independent_bits) > "
        "largest_ratio(farther_law_and_of_independent_bits)",
    )


def _repeated(proof: Proof) -> None:
    one, other = (
        {"0": Fraction(2, 3), "1": Fraction(1, 3)},
        {"0": Fraction(1, 3), "1": Fraction(2, 3)},
    )
    proof.counterexample(
        "the same output twice",
        "Each release shows a secret bit with chance 2/3, and so leaks log 2. Two independent "
        "releases leak log 4 together. If the second one repeats the output of the first they "
        "are as dependent as can be, and leak log 2",
        {"each release given s_i": one, "each release given s_j": other},
        lambda: (
            largest_ratio(independent(one), independent(other)) == 4
            and largest_ratio(repeated(one), repeated(other)) == largest_ratio(one, other) == 2
        ),
        "(largest(each_release_given_s_i)/least(each_release_given_s_j))^2 > "
        "largest(each_release_given_s_i)/least(each_release_given_s_j)",
    )


def rare_pair(one: Fraction, both: Fraction) -> dict[str, Fraction]:
    """Two bits that are 1 with one chance each, and both with another."""
    return {"00": 1 - 2 * one + both, "01": one - both, "10": one - both, "11": both}


def product_law(law: dict[str, Fraction]) -> dict[str, Fraction]:
    """The product of the marginals of two bits."""
    zero, one, zero_, one_ = single(law)
    return {"00": zero * zero_, "01": zero * one_, "10": one * zero_, "11": one * one_}


def beside_product(law: dict[str, Fraction]) -> list[list[Fraction]]:
    """The law of two bits, and the product of its marginals."""
    return [[*law.values()], [*product_law(law).values()]]


def distance(law: dict[str, Fraction]) -> Fraction:
    """Total variation between the law of two bits and the product of its marginals."""
    apart = product_law(law)
    return sum((abs(p - apart[y]) for y, p in law.items()), Fraction(0)) / 2


def divergence(law: dict[str, Fraction]) -> Fraction | None:
    """e^E: the larger of both max-divergences between the law of two bits and the product of
    its marginals.
    """
    return largest_ratio(law, product_law(law))


def independent(law: dict[str, Fraction]) -> dict[str, Fraction]:
    """The law of two independent draws."""
    return {x + y: law[x] * law[y] for x in law for y in law}


def repeated(law: dict[str, Fraction]) -> dict[str, Fraction]:
    """The law of one draw, shown twice."""
    return {x + x: p for x, p in law.items()}
